//! What the file of an event's settings says of games that are arranged.

use anyhow::anyhow;
use api::{
    federation::v1::{self as pb, event_arranging::Otherwise as Wire},
    time::duration,
};
use serde::{Deserialize, Serialize};

use super::settings::{Span, span};

/// How games are arranged.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arranging {
    window: Span,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lead: Option<Span>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer_within: Option<Span>,
    #[serde(default)]
    times_max: u32,
    #[serde(default)]
    reminders: Vec<Span>,
    #[serde(default)]
    overlaps: bool,
    #[serde(default)]
    by_match: bool,
    otherwise: Otherwise,
}

/// What becomes of what nobody has arranged.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Otherwise {
    Effort {
        #[serde(default)]
        times: u32,
        #[serde(default)]
        void: bool,
    },
    Default {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<Span>,
    },
    Arbiter {},
}

impl From<Arranging> for pb::EventArranging {
    fn from(it: Arranging) -> pb::EventArranging {
        let otherwise = match it.otherwise {
            Otherwise::Effort { times, void } => Wire::ByEffort(pb::ArrangedByEffort { times, void }),
            Otherwise::Default { after } => {
                let after_duration = after.map(|Span(after)| duration(after));
                Wire::ByDefault(pb::ArrangedByDefault { after_duration })
            }
            Otherwise::Arbiter {} => Wire::ByArbiter(pb::ArrangedByArbiter {}),
        };
        pb::EventArranging {
            window_duration: Some(duration(it.window.0)),
            lead_duration: it.lead.map(|Span(lead)| duration(lead)),
            answer_duration: it.answer_within.map(|Span(within)| duration(within)),
            times_max: it.times_max,
            reminder_durations: it.reminders.into_iter().map(|Span(before)| duration(before)).collect(),
            overlaps: it.overlaps,
            by_match: it.by_match,
            otherwise: Some(otherwise),
        }
    }
}

impl TryFrom<pb::EventArranging> for Arranging {
    type Error = anyhow::Error;

    fn try_from(it: pb::EventArranging) -> anyhow::Result<Arranging> {
        let lacks = || anyhow!("the server's answer lacks how games are arranged");
        let otherwise = match it.otherwise.ok_or_else(lacks)? {
            Wire::ByEffort(it) => Otherwise::Effort { times: it.times, void: it.void },
            Wire::ByDefault(it) => Otherwise::Default { after: span(it.after_duration.as_ref()) },
            Wire::ByArbiter(_) => Otherwise::Arbiter {},
        };
        Ok(Arranging {
            window: span(it.window_duration.as_ref()).ok_or_else(lacks)?,
            lead: span(it.lead_duration.as_ref()),
            answer_within: span(it.answer_duration.as_ref()),
            times_max: it.times_max,
            reminders: it.reminder_durations.iter().filter_map(|before| span(Some(before))).collect(),
            overlaps: it.overlaps,
            by_match: it.by_match,
            otherwise,
        })
    }
}

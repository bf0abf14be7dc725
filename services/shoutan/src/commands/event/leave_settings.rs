//! What the file of an event's settings says of leave.

use api::{federation::v1 as pb, time::duration};
use serde::{Deserialize, Serialize};

use super::settings::{Span, span};

/// Which leave can be taken.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Leave {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player_budget: Option<Span>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    team_budget: Option<Span>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notice: Option<Span>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shortest: Option<Span>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    longest: Option<Span>,
    #[serde(default)]
    spans_max: u32,
}

impl From<Leave> for pb::EventLeave {
    fn from(it: Leave) -> pb::EventLeave {
        let told = |it: Option<Span>| it.map(|Span(span)| duration(span));
        pb::EventLeave {
            player_budget_duration: told(it.player_budget),
            team_budget_duration: told(it.team_budget),
            notice_duration: told(it.notice),
            shortest_duration: told(it.shortest),
            longest_duration: told(it.longest),
            spans_max: it.spans_max,
        }
    }
}

impl From<pb::EventLeave> for Leave {
    fn from(it: pb::EventLeave) -> Leave {
        Leave {
            player_budget: span(it.player_budget_duration.as_ref()),
            team_budget: span(it.team_budget_duration.as_ref()),
            notice: span(it.notice_duration.as_ref()),
            shortest: span(it.shortest_duration.as_ref()),
            longest: span(it.longest_duration.as_ref()),
            spans_max: it.spans_max,
        }
    }
}

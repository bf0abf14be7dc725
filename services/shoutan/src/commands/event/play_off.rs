//! What a file of settings says of the play-off.

use std::collections::BTreeMap;

use anyhow::Context as _;
use api::{federation::v1 as pb, time_control::TimeControl};
use serde::{Deserialize, Serialize};

use super::settings::Control;

/// How shared places are played for.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayOff {
    #[serde(default = "first")]
    places: u32,
    games: u32,
    time: Control,
    #[serde(default)]
    rule_set: String,
    #[serde(default)]
    options: BTreeMap<String, String>,
}

const fn first() -> u32 {
    1
}

impl From<PlayOff> for pb::EventPlayOff {
    fn from(it: PlayOff) -> pb::EventPlayOff {
        pb::EventPlayOff {
            places: it.places,
            games: it.games,
            time_control: Some(it.time.0.into()),
            rule_set: it.rule_set,
            options: it.options.into_iter().collect(),
        }
    }
}

impl TryFrom<pb::EventPlayOff> for PlayOff {
    type Error = anyhow::Error;

    fn try_from(it: pb::EventPlayOff) -> anyhow::Result<PlayOff> {
        let control =
            it.time_control.as_ref().context("the server's answer lacks the time of the play-off")?;
        let control =
            TimeControl::try_from(control).context("the time of the play-off in the server's answer")?;
        Ok(PlayOff {
            places: it.places,
            games: it.games,
            time: Control(control),
            rule_set: it.rule_set,
            options: it.options.into_iter().collect(),
        })
    }
}

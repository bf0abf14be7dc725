//! The file of a league's rules: JSON in which lines that begin with # are comments.

use anyhow::Context as _;
use api::federation::v1 as pb;
use serde::{Deserialize, Serialize};

use super::{event::settings, session::Session};

/// A file of rules.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    divisions: Vec<Division>,
    #[serde(default)]
    borders: Vec<Border>,
    #[serde(default = "once")]
    play_off_matches: u32,
    #[serde(default)]
    squads: Squads,
    #[serde(default)]
    officials: Vec<Official>,
    event: settings::File,
    #[serde(default)]
    text: String,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Division {
    name: String,
    #[serde(default)]
    latin: String,
    size: u32,
    #[serde(default)]
    size_min: u32,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Border {
    #[serde(default)]
    direct: u32,
    #[serde(default)]
    play_offs: u32,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Squads {
    #[serde(default)]
    members_max: u32,
    #[serde(default)]
    of_club: bool,
    #[serde(default)]
    play_off_games_min: u32,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Official {
    account: String,
    role: String,
}

const fn once() -> u32 {
    1
}

/// The beginning of the names of roles in the protos.
const ROLE: &str = "event_role_";

/// Reads rules.
#[cfg(test)]
pub(super) fn parse(text: &str) -> serde_json::Result<File> {
    serde_json::from_str(&settings::without_comments(text))
}

impl File {
    /// The rules of a file; accounts are looked up by their names.
    pub(super) async fn rules(self, session: &Session) -> anyhow::Result<pb::LeagueRules> {
        let mut officials = Vec::new();
        for Official { account, role } in self.officials {
            let known = pb::EventRole::from_str_name(&format!("{ROLE}{role}").to_uppercase());
            let known = known.with_context(|| format!("there is no office {role}"))?;
            let account_id = session.account(&account).await?;
            officials.push(pb::EventOfficial { account_id, role: known.into() });
        }
        let division = |it: Division| pb::LeagueDivision {
            name: Some(pb::Name { native: it.name, latin: it.latin }),
            size: it.size,
            size_min: it.size_min,
        };
        let border = |it: Border| pb::LeagueBorder { direct: it.direct, play_offs: it.play_offs };
        let Squads { members_max, of_club, play_off_games_min } = self.squads;
        Ok(pb::LeagueRules {
            event: Some(self.event.into()),
            divisions: self.divisions.into_iter().map(division).collect(),
            borders: self.borders.into_iter().map(border).collect(),
            squads: Some(pb::SquadRules { members_max, of_club, play_off_games_min }),
            play_off_matches: self.play_off_matches,
            officials,
            text: self.text,
        })
    }
}

impl TryFrom<pb::LeagueRules> for File {
    type Error = anyhow::Error;

    fn try_from(it: pb::LeagueRules) -> anyhow::Result<File> {
        let event = it.event.context("the server's answer lacks the settings of events")?;
        let division = |it: pb::LeagueDivision| {
            let pb::Name { native, latin } = it.name.unwrap_or_default();
            Division { name: native, latin, size: it.size, size_min: it.size_min }
        };
        let official = |it: pb::EventOfficial| {
            let role = it.role().as_str_name().to_lowercase().trim_start_matches(ROLE).to_owned();
            Official { account: it.account_id, role }
        };
        let squads = it.squads.unwrap_or_default();
        Ok(File {
            divisions: it.divisions.into_iter().map(division).collect(),
            borders: it
                .borders
                .into_iter()
                .map(|it| Border { direct: it.direct, play_offs: it.play_offs })
                .collect(),
            play_off_matches: it.play_off_matches,
            squads: Squads {
                members_max: squads.members_max,
                of_club: squads.of_club,
                play_off_games_min: squads.play_off_games_min,
            },
            officials: it.officials.into_iter().map(official).collect(),
            event: event.try_into()?,
            text: it.text,
        })
    }
}

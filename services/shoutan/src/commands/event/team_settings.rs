//! What the file of an event's settings says of teams.

use anyhow::anyhow;
use api::{federation::v1 as pb, time::duration};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::settings::{Span, span};

/// What teams are in an event.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Teams {
    boards: u32,
    line_up: LineUp,
    #[serde(default)]
    reserves_max: u32,
    #[serde(default)]
    line_up_lock: Span,
    #[serde(default)]
    best: u32,
    /// How the players of a team may change while the event runs; absent where they stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roster: Option<RosterChanges>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct RosterChanges {
    #[serde(default)]
    until_round: u32,
    changes_max: u32,
    #[serde(default)]
    transfer_games_max: u32,
}

/// How players of teams come to their boards.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(super) enum LineUp {
    /// Boards that did not change.
    FixedBoards,
    /// Boards that did not change but for reserves.
    FixedBoardsSubs,
    /// Boards that were declared before each match.
    DeclaredBoards,
    // No file that comes in shows it.
    #[value(skip)]
    WholeTeam,
    /// The sum of the members.
    SumOfMembers,
}

impl LineUp {
    pub(super) const fn law(self) -> pb::LineUpLaw {
        match self {
            LineUp::FixedBoards => pb::LineUpLaw::FixedBoards,
            LineUp::FixedBoardsSubs => pb::LineUpLaw::FixedBoardsSubs,
            LineUp::DeclaredBoards => pb::LineUpLaw::DeclaredBoards,
            LineUp::WholeTeam => pb::LineUpLaw::WholeTeam,
            LineUp::SumOfMembers => pb::LineUpLaw::SumOfMembers,
        }
    }
}

impl From<Teams> for pb::TeamSettings {
    fn from(it: Teams) -> pb::TeamSettings {
        pb::TeamSettings {
            boards: it.boards,
            line_up: it.line_up.law().into(),
            reserves_max: it.reserves_max,
            line_up_lock_duration: Some(duration(it.line_up_lock.0)),
            best: it.best,
            roster: it.roster.map(|it| pb::TeamRosterSettings {
                until_round: it.until_round,
                changes_max: it.changes_max,
                transfer_games_max: it.transfer_games_max,
            }),
        }
    }
}

impl TryFrom<pb::TeamSettings> for Teams {
    type Error = anyhow::Error;

    fn try_from(it: pb::TeamSettings) -> anyhow::Result<Teams> {
        let line_up = match it.line_up() {
            pb::LineUpLaw::FixedBoards => LineUp::FixedBoards,
            pb::LineUpLaw::FixedBoardsSubs => LineUp::FixedBoardsSubs,
            pb::LineUpLaw::DeclaredBoards => LineUp::DeclaredBoards,
            pb::LineUpLaw::WholeTeam => LineUp::WholeTeam,
            pb::LineUpLaw::SumOfMembers => LineUp::SumOfMembers,
            pb::LineUpLaw::Unspecified => {
                return Err(anyhow!("the server's answer lacks the line-ups of teams"));
            }
        };
        Ok(Teams {
            boards: it.boards,
            line_up,
            reserves_max: it.reserves_max,
            line_up_lock: span(it.line_up_lock_duration.as_ref()).unwrap_or_default(),
            best: it.best,
            roster: it.roster.map(|it| RosterChanges {
                until_round: it.until_round,
                changes_max: it.changes_max,
                transfer_games_max: it.transfer_games_max,
            }),
        })
    }
}

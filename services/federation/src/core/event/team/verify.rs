//! What can be checked of an entry about teams: that line-ups are what was declared, and boards what follows from them.

use crate::core::event::{Event, round::Round};

use super::{Opening, TeamFact, line_up::opens};
use pairing::{Number, lineup::LineupError};

/// What is wrong with an entry, seen from the event before it.
pub(in crate::core::event) fn faults(event: &Event, fact: &TeamFact) -> Vec<String> {
    match fact {
        TeamFact::Revealed { round, team, opening } => match opened(event, *round, *team, opening) {
            Ok(()) => Vec::new(),
            Err(error) => vec![format!("round {round}, team {team}: {error}")],
        },
        TeamFact::BoardsLaid { round, boards } => {
            let follows = |open: &Round| event.boards_of(open) == *boards;
            let follows = event.round(*round).is_some_and(follows);
            if follows {
                Vec::new()
            } else {
                vec![format!("the boards of round {round} are not those of its line-ups")]
            }
        }
        TeamFact::Entered { team, .. } => match team.roster() {
            Ok(_) => Vec::new(),
            Err(error) => vec![format!("team {}: {error}", team.number)],
        },
        TeamFact::RosterChanged(change) => match event.check_roster(change) {
            Ok(()) => Vec::new(),
            Err(refusal) => vec![format!("team {} has players that it may not have: {refusal}", change.team)],
        },
        TeamFact::StatusAdded { .. }
        | TeamFact::CaptainChanged { .. }
        | TeamFact::Accepted { .. }
        | TeamFact::Declared { .. }
        | TeamFact::HandedIn { .. } => Vec::new(),
    }
}

fn opened(event: &Event, round: u16, team: Number, opening: &Opening) -> Result<(), LineupError> {
    let settings = event.meetings().ok_or(LineupError::NoBoards)?;
    let entered = event.team(team).ok_or(LineupError::Opened)?;
    let declared =
        event.round(round).and_then(|round| round.line_ups.get(&team)).ok_or(LineupError::Opened)?;
    opens(settings, entered, declared, opening)
}

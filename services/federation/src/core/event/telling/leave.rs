//! Who is told of leave: whose it is, his captain, those who wait for him at boards, and who leads the arbiters.

use std::collections::BTreeSet;

use pairing::Number;
use time::OffsetDateTime;

use super::Teller;
use crate::core::{
    event::{BoardState, Event, LeaveFact, Participant, Role, Whose},
    notice::{About, Kind},
};

/// Who is told of all leave.
const CHIEFS: &[Role] = &[Role::ChiefArbiter, Role::Deputy];

impl Teller<'_> {
    pub(super) fn leave(&mut self, fact: &LeaveFact) {
        let event = self.event;
        match *fact {
            LeaveFact::Taken { whose, span, .. } => self.on_leave(whose, Kind::LeaveTaken, span.until),
            LeaveFact::Ended { leave, until, .. } => {
                if let Some(leave) = event.leaves.find(leave) {
                    self.on_leave(leave.whose, Kind::LeaveEnded, until);
                }
            }
            // The games that rest or go on say so.
            LeaveFact::Begun { .. } | LeaveFact::Over { .. } => {}
        }
    }

    fn on_leave(&mut self, whose: Whose, kind: Kind, until: OffsetDateTime) {
        let event = self.event;
        let about = About { due: Some(until), ..self.about() };
        let own: Vec<Number> = event
            .participants
            .iter()
            .map(Participant::number)
            .filter(|it| event.is_covered(whose, *it))
            .collect();
        for number in &own {
            self.player(*number, kind, about);
        }
        let team = match whose {
            Whose::Player(number) => event.team_of(number),
            Whose::Team(team) => Some(team),
        };
        if let Some(team) = team {
            self.captain(team, kind, About { number: one_of(whose), ..about });
        }
        for (number, opponent) in opposite(event, whose) {
            self.player(number, kind, About { opponent: Some(opponent), ..about });
        }
        for opposing in opposing(event, whose, team) {
            self.captain(opposing, kind, About { opponent: one_of(whose).or(team), ..about });
        }
        let team = team.filter(|_| one_of(whose).is_none());
        self.officials(CHIEFS, kind, About { number: one_of(whose), team, ..about });
    }
}

const fn one_of(whose: Whose) -> Option<Number> {
    match whose {
        Whose::Player(number) => Some(number),
        Whose::Team(_) => None,
    }
}

/// Those who wait at a board for somebody who is on leave, each once, with one of whom they wait for.
fn opposite(event: &Event, whose: Whose) -> Vec<(Number, Number)> {
    let mut known = BTreeSet::new();
    let open = event.all_boards().filter(|(.., state)| BoardState::awaits_its_end(state));
    let pairs = open.flat_map(|(_, seat, _)| super::both(seat));
    let waiting = pairs
        .filter(|(number, opponent)| event.is_covered(whose, *opponent) && !event.is_covered(whose, *number));
    waiting.filter(|(number, _)| known.insert(*number)).collect()
}

/// The teams that are to play, or play, those who are on leave: the captains arrange their games.
fn opposing(event: &Event, whose: Whose, team: Option<Number>) -> BTreeSet<Number> {
    let of_boards = opposite(event, whose).into_iter().filter_map(|(number, _)| event.team_of(number));
    // Where no boards are laid yet nobody waits, and a match is to come all the same.
    let to_come = event.rounds.iter().filter(|round| round.started.is_none());
    let matches = to_come.flat_map(|round| &round.published.matches).flat_map(super::both);
    let of_matches = matches.filter(|(_, opponent)| Some(*opponent) == team).map(|(number, _)| number);
    of_boards.chain(of_matches).collect()
}

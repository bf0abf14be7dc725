//! Papers about everybody: who has entered, and when rounds begin.

use pairing::{Number, Status};
use papers::{Entrant, EntrantState, Roster, RosterTeam, Schedule, ScheduledRound};

use super::Names;
use crate::core::event::{EnteredTeam, Event, Participant};

impl Event {
    pub(super) fn roster_sheet(&self, names: &Names) -> Roster {
        let alone = self.participants.iter().filter(|it| it.team.is_none());
        let entrant =
            |it: &Participant| Entrant { who: self.person(it.number(), names), state: state(&it.statuses) };
        Roster {
            players: alone.map(entrant).collect(),
            teams: self.teams.iter().map(|team| self.roster_team(team, names)).collect(),
        }
    }

    fn roster_team(&self, team: &EnteredTeam, names: &Names) -> RosterTeam {
        let people = |numbers: &[Number]| numbers.iter().map(|it| self.person(*it, names)).collect();
        let captain = self.of_account(team.entrant.captain).map(Participant::number);
        RosterTeam {
            team: self.team_person(team.number(), names),
            state: state(&team.statuses),
            captain: captain.map(|number| self.person(number, names).name).unwrap_or_default(),
            players: people(&team.entrant.players),
            reserves: people(&team.entrant.reserves),
        }
    }

    pub(super) fn schedule_sheet(&self) -> Schedule {
        let planned = &self.settings.schedule.rounds;
        let of = |round: u16| {
            let known = self.round(round).and_then(|round| round.started.or(round.published.start));
            let at = known.or_else(|| planned.get(usize::from(round) - 1).copied());
            ScheduledRound { round, begins: at.map(|at| self.moment(at)).unwrap_or_default() }
        };
        let planned = u16::try_from(planned.len()).unwrap_or(u16::MAX);
        Schedule { rounds: (1..=planned.max(self.next_round() - 1)).map(of).collect() }
    }
}

/// What the last row says that he is, as far as papers tell it.
fn state(statuses: &[Status]) -> EntrantState {
    if statuses.contains(&Status::Annulled) {
        return EntrantState::Annulled;
    }
    let told = statuses.iter().rev().find_map(|status| match status {
        Status::Registered | Status::Active { .. } => Some(EntrantState::Entered),
        Status::Withdrawn { .. } => Some(EntrantState::Withdrawn),
        Status::Expelled { .. } => Some(EntrantState::Expelled),
        Status::Annulled => Some(EntrantState::Annulled),
        Status::Absent { .. } | Status::Bye { .. } => None,
    });
    told.unwrap_or_default()
}

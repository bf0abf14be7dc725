//! Who has left, is away or has a bye is not paired, and nobody enters when the list is closed.

use std::collections::{BTreeMap, BTreeSet};

use api::federation::v1::{
    self as pb, EntrantState, EntrantStatus, EventStage, board_result::Source, event_format::Format,
    event_log_body::Fact,
};

use super::Row;

/// The event as far as it says who can be paired.
#[derive(Debug, Default)]
struct Entries {
    settings: pb::EventSettings,
    is_running: bool,
    published: u32,
    /// Players who have left, and teams.
    left: [BTreeSet<u32>; 2],
    /// Who is away in a round, or has a bye.
    away: BTreeSet<(u32, u32)>,
    /// Boards of a bracket at which somebody sits who has left, by round and table; whether they are decided.
    lost: BTreeMap<(u32, u32), bool>,
    faults: Vec<String>,
}

/// The two sets of those who have left.
const PLAYERS: usize = 0;
const TEAMS: usize = 1;

/// What is wrong with who was paired.
pub(super) fn check(rows: &[Row]) -> Vec<String> {
    let mut entries = Entries::default();
    for fact in rows.iter().filter_map(|row| row.body.fact.as_ref()) {
        entries.apply(fact);
    }
    let undecided = entries.lost.iter().filter(|(_, decided)| !**decided);
    let undecided = undecided
        .map(|((round, table), _)| format!("somebody who has left plays at table {table} of round {round}"));
    undecided.chain(entries.faults.clone()).collect()
}

impl Entries {
    fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::Created(it) => self.settings = it.settings.clone().unwrap_or_default(),
            Fact::Advanced(it) => self.is_running = it.stage() == EventStage::Running,
            Fact::Entered(it) => {
                let number = it.entrant.as_ref().map_or(0, |entrant| entrant.number);
                self.enter(number);
            }
            Fact::TeamEntered(it) => {
                let number = it.team.as_ref().map_or(0, |team| team.number);
                self.enter(number);
            }
            Fact::StatusAdded(it) => self.note(PLAYERS, it.number, it.status.unwrap_or_default()),
            Fact::TeamStatusAdded(it) => self.note(TEAMS, it.team, it.status.unwrap_or_default()),
            Fact::RoundPublished(it) => self.publish(&it.round.clone().unwrap_or_default()),
            Fact::RoundRetracted(it) => {
                self.published = it.round.saturating_sub(1);
                self.lost.retain(|(round, _), _| *round != it.round);
            }
            Fact::ResultEntered(it) => {
                let source = it.result.as_ref().and_then(|result| result.source.as_ref());
                if let Some(decided) = self.lost.get_mut(&(it.round, it.table)) {
                    *decided = !matches!(source, Some(Source::Game(_)) | None);
                }
            }
            _ => {}
        }
    }

    fn enter(&mut self, number: u32) {
        let is_late = self.is_running && self.published + 1 >= self.settings.late_until_round;
        if is_late || number > self.settings.entries_max {
            self.faults.push(format!("{number} has entered when the list was closed"));
        }
    }

    fn note(&mut self, of: usize, number: u32, status: EntrantStatus) {
        match status.state() {
            EntrantState::Withdrawn | EntrantState::Expelled => {
                self.left[of].insert(number);
            }
            EntrantState::Active => {
                self.left[of].remove(&number);
            }
            EntrantState::Absent | EntrantState::ByeFull | EntrantState::ByeHalf | EntrantState::ByeZero => {
                self.away.insert((status.round, number));
            }
            _ => {}
        }
    }

    fn publish(&mut self, round: &pb::Round) {
        self.published = round.number;
        let format = self.settings.format.as_ref().and_then(|format| format.format.as_ref());
        // A bracket has a place for whoever has left: his board is lost when its round begins.
        let is_bracket = matches!(format, Some(Format::KnockOut(_)));
        for (of, laid) in [(PLAYERS, &round.pairings), (TEAMS, &round.matches)] {
            for (pairing, number) in laid.iter().flat_map(|it| [(it, it.first), (it, it.second)]) {
                let has_left = self.left[of].contains(&number);
                let is_away = of == PLAYERS && self.away.contains(&(round.number, number));
                if has_left && is_bracket {
                    self.lost.insert((round.number, pairing.table), false);
                } else if has_left || is_away {
                    self.faults
                        .push(format!("{number} is not there and is paired in round {}", round.number));
                }
            }
        }
    }
}

//! What stands on the paper of a season.

use std::sync::Arc;

use pairing::Number;
use papers::{Fate, League, Standings};

use super::{EntrantId, Outcome, Season, entrant_of};
use crate::core::event::{
    Event,
    paper::{Names, told},
};

/// The tables of a season, of its divisions' events as somebody sees them. Who goes up and down stands there once it is over.
pub fn sheet(season: &Season, divisions: &[(Arc<Event>, Names)], outcome: Option<&Outcome>) -> League {
    let division = |((event, names), name): (&(Arc<Event>, Names), _)| {
        let mut table = event.standings_sheet(event.next_round() - 1, names);
        if let Some(outcome) = outcome {
            mark(&mut table, event, outcome);
        }
        papers::Division { name: told(name), table }
    };
    League {
        season: told(&season.name),
        divisions: divisions.iter().zip(&season.divisions).map(division).collect(),
    }
}

/// Has every line of a table say where its team plays next.
fn mark(table: &mut Standings, event: &Event, outcome: &Outcome) {
    let Some(here) = outcome.tables.iter().position(|it| it.event == event.id) else { return };
    let next = |entrant: EntrantId| outcome.next.iter().position(|division| division.contains(&entrant));
    for line in &mut table.lines {
        line.fate = match entrant_of(event, Number(line.who.number)).and_then(next) {
            Some(next) if next < here => Fate::Rises,
            Some(next) if next > here => Fate::Falls,
            _ => Fate::Stays,
        };
    }
}

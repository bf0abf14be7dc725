//! What stands on the paper of a rating list.

use papers::{Name, Person, Rated};
use strength::Points;

use super::Published;
use crate::core::{day, event::paper::Known};

/// What a list says of a member who is listed with a place.
#[derive(Clone, Debug)]
pub struct Listed {
    /// His place.
    pub place: u32,
    /// Who he is, with the club in which he was on the day of the list.
    pub who: Known,
    /// His rating.
    pub rating: Points,
    /// How the games of this list have moved it.
    pub change: Points,
    /// Games in all.
    pub games: u32,
    /// Games since the list before.
    pub new_games: u32,
}

/// A published list, with the name of its policy.
pub fn sheet(policy: &str, list: &Published, lines: Vec<Listed>) -> papers::RatingList {
    let line = |it: Listed| Rated {
        place: it.place,
        who: Person {
            number: 0,
            name: it.who.shown_name(),
            club: it.who.club,
            grade: it.who.grade,
            rating: Some(it.rating.rounded()),
        },
        // Whoever had no games before has had no rating that moved.
        change: (it.games > it.new_games).then(|| it.change.rounded()),
        games: it.new_games,
    };
    papers::RatingList {
        name: Name::new(policy, ""),
        date: day::text(list.day),
        lines: lines.into_iter().map(line).collect(),
    }
}

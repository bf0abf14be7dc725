//! The XML of OpenGotha, the program with which most Go events of Europe are paired; attributes of it as the program writes
//! them (data version 201).
//!
//! | event | element and attributes |
//! | --- | --- |
//! | name, place, arbiter, days, size of the board, komi, rounds | `GeneralParameterSet`: `name` (`nativeName`), `location`, `director`, `beginDate`, `endDate`, `size`, `komi`, `numberOfRounds` |
//! | time | `basicTime` in minutes, `complementaryTimeSystem` and what belongs to it |
//! | MacMahon, the pairing bye | `genMMFloor`, `genMMBar`, `genMMZero`; `genNBW2ValueBye` |
//! | handicaps | `HandicapParameterSet`: `hdBasedOnMMS`, `hdCorrection`, `hdCeiling`, `hdNoHdRankThreshold` |
//! | players | `Player`: `name`, `firstName`, `nativeName`, `club`, `country`, `rating`, `grade`, `rank`, `agaId`, `egfPin`, `participating` |
//! | games, pairing byes | `Game`, `ByePlayer` |
//! | teams and line-ups | `Team` with a `Board` for each round and board; `teamSize` |
//!
//! - Players have no numbers and are numbered in the order in which they stand. Games name them by a key: the name and first
//!   name in capitals without blanks. Two with one key are made unequal by a number behind the first name; a file in
//!   which a game names such a key is refused.
//! - Our own id stands in `agaId`, in which OpenGotha keeps whatever stands there: American ids are numbers, ours are
//!   not. Who reads the file back knows a person by it.
//! - `nativeName` is ours: OpenGotha has one name, passes over the attribute and does not write it again. A name in another
//!   script and without a Latin form is the `name` itself, which OpenGotha shows.
//! - `participating` has a flag for each of twenty rounds. An absence in a round that was paired is no more than a
//!   flag; so are byes that were asked for, whatever they are worth.
//! - A rating with the origin `INI` was made from the grade, and is none.

mod read;
mod write;
mod xml;

use pairing::Number;

pub(crate) use read::read;
pub(crate) use write::write;

use crate::{LineUp, Outcome, PersonName, Team};

/// Outcomes and their names. A draw by default has no outcome of ours.
const RESULTS: [(&str, Outcome); 10] = [
    ("RESULT_UNKNOWN", Outcome::Adjourned),
    ("RESULT_WHITEWINS", Outcome::WhiteWins),
    ("RESULT_BLACKWINS", Outcome::BlackWins),
    ("RESULT_EQUAL", Outcome::Draw),
    ("RESULT_BOTHWIN", Outcome::BothWin),
    ("RESULT_BOTHLOSE", Outcome::BothLose),
    ("RESULT_WHITEWINS_BYDEF", Outcome::WhiteByForfeit),
    ("RESULT_BLACKWINS_BYDEF", Outcome::BlackByForfeit),
    ("RESULT_BOTHWIN_BYDEF", Outcome::BothByForfeit),
    ("RESULT_BOTHLOSE_BYDEF", Outcome::DoubleForfeit),
];

/// What OpenGotha calls `name` and `firstName`.
fn parts(name: &PersonName) -> (&str, &str) {
    if name.last.is_empty() { (&name.native, "") } else { (&name.last, &name.first) }
}

/// The key of a player by which games name him.
pub(crate) fn key(name: &PersonName) -> String {
    let (last, first) = parts(name);
    key_of(last, first)
}

fn key_of(name: &str, first: &str) -> String {
    format!("{name}{first}").replace(' ', "").to_uppercase()
}

/// The first players of a team, one at each board.
pub(crate) fn seats(players: &[Number], boards: usize) -> Vec<Option<Number>> {
    let mut seats: Vec<Option<Number>> = players.iter().copied().map(Some).collect();
    seats.resize(boards, None);
    seats
}

/// A team as OpenGotha has it: who sat at each board, round by round.
pub(crate) struct Seated {
    pub(crate) number: u32,
    pub(crate) name: String,
    pub(crate) rounds: Vec<Vec<Option<Number>>>,
}

impl Seated {
    /// The teams, whose players are in the order in which they first sat at a board, and for each round the line-ups that are
    /// not their first players.
    pub(crate) fn teams(seated: Vec<Seated>, boards: usize) -> (Vec<Team>, Vec<Vec<LineUp>>) {
        let rounds = seated.iter().map(|it| it.rounds.len()).max().unwrap_or(0);
        let mut line_ups = vec![Vec::new(); rounds];
        let team = |it: Seated| {
            let mut players: Vec<Number> = Vec::new();
            for player in it.rounds.iter().flatten().flatten() {
                if !players.contains(player) {
                    players.push(*player);
                }
            }
            for (all, seats_of) in line_ups.iter_mut().zip(it.rounds) {
                // A round in which nobody of a team is seen has no boards of it, and is read as one like the others.
                let is_seen = seats_of.iter().any(Option::is_some);
                if is_seen && seats_of != seats(&players, boards) {
                    all.push(LineUp { team: it.number, players: seats_of });
                }
            }
            Team { number: it.number, name: it.name, players }
        };
        let teams = seated.into_iter().map(team).collect();
        (teams, line_ups)
    }
}

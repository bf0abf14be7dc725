//! Round robins by the Berger tables (section 1.3; FIDE C.05, Annex 1).

use crate::{Colour, DoubleOrder, Number};

/// A game of a table; the first player has [`Colour::First`].
pub type Game = (Number, Number);

/// A round of a round robin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobinRound {
    /// The games in the order of their boards.
    pub games: Vec<Game>,
    /// Who is free, where the number of players is odd.
    pub free: Option<Number>,
}

/// The Berger table of players 1 to `players`: every round, all meet all once.
///
/// With an odd number a dummy is added, whose opponent is free. Fewer than two players have no rounds.
///
/// ```
/// use pairing::{Number, berger};
/// let rounds = berger::single(6);
/// let games = |round: usize| rounds[round].games.iter().map(|(a, b)| (a.0, b.0)).collect::<Vec<_>>();
/// assert_eq!(games(0), [(1, 6), (2, 5), (3, 4)]);
/// assert_eq!(games(1), [(6, 4), (5, 3), (1, 2)]);
/// assert_eq!(berger::single(5)[0].free, Some(Number(1)));
/// ```
pub fn single(players: u32) -> Vec<RobinRound> {
    if players < 2 {
        return Vec::new();
    }
    let even = players.next_multiple_of(2);
    (0..even - 1).map(|round| berger_round(players, even, round)).collect()
}

/// Round `round` from 0 of a table for `even` places, of which the last is the dummy where `players` is odd.
fn berger_round(players: u32, even: u32, round: u32) -> RobinRound {
    let (ring, stride) = (u64::from(even - 1), u64::from(even / 2 - 1));
    let shift = u64::from(round) * stride % ring;
    let at = |place: u32| {
        let rolled = (u64::from(place) + ring - shift) % ring;
        if place == even - 1 { even } else { u32::try_from(rolled).unwrap_or(0) + 1 }
    };
    let mut found = RobinRound { games: Vec::new(), free: None };
    for board in 0..even / 2 {
        let (upper, lower) = (at(board), at(even - 1 - board));
        // Only on the board of the last number colours would never change: there they alternate.
        let turned = board == 0 && round % 2 == 1;
        let (first, second) = if turned { (lower, upper) } else { (upper, lower) };
        match (first > players, second > players) {
            (false, false) => found.games.push((Number(first), Number(second))),
            (true, _) => found.free = Some(Number(second)),
            (_, true) => found.free = Some(Number(first)),
        }
    }
    found
}

/// A double round robin: the same table twice, the second time with colours reversed.
///
/// `swap_last_two` exchanges the last two rounds of the first cycle, so that nobody has one colour three times running
/// where the cycles meet; it needs [`DoubleOrder::Cycles`] and does nothing otherwise.
pub fn double(players: u32, order: DoubleOrder, swap_last_two: bool) -> Vec<RobinRound> {
    let mut first = single(players);
    let second: Vec<RobinRound> = first.iter().map(reversed).collect();
    match order {
        DoubleOrder::BackToBack => {
            first.into_iter().zip(second).flat_map(|(there, back)| [there, back]).collect()
        }
        DoubleOrder::Cycles => {
            let rounds = first.len();
            if swap_last_two && rounds >= 2 {
                first.swap(rounds - 2, rounds - 1);
            }
            first.into_iter().chain(second).collect()
        }
    }
}

fn reversed(round: &RobinRound) -> RobinRound {
    RobinRound { games: round.games.iter().map(|(a, b)| (*b, *a)).collect(), free: round.free }
}

/// A game between members of two teams in a match in which everybody meets everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberGame {
    /// The place in the first team, from 0.
    pub a: u32,
    /// The place in the second team, from 0.
    pub b: u32,
    /// The colour of the first team's member.
    pub colour_of_a: Colour,
}

/// The match of two teams of `members` in which every member meets every member of the other (`SCHEV`, section 1.2):
/// `members` rounds. In round *r* the member *i* meets *j* = (*i* + *r*) mod *members* and has the first colour where
/// *i* + *j* is even, so that every player's colours differ by one at most.
///
/// ```
/// use pairing::{Colour, berger};
/// let rounds = berger::scheveningen(3);
/// assert_eq!((rounds.len(), rounds[1][2].b, rounds[1][2].colour_of_a), (3, 0, Colour::First));
/// ```
pub fn scheveningen(members: u32) -> Vec<Vec<MemberGame>> {
    let game = |a: u32, round: u32| {
        let b = (a + round) % members;
        MemberGame { a, b, colour_of_a: Colour::first_if((a + b).is_multiple_of(2)) }
    };
    (0..members).map(|round| (0..members).map(|a| game(a, round)).collect()).collect()
}

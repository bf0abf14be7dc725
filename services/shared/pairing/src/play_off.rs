//! Play-offs of those who share a place (section 1.6, D): two play some games with alternating colours, more of them one
//! game each against each other. What is level after that is left to the lot.

use std::collections::BTreeMap;

use crate::{Colour, Duel, DuelState, Number, ResultCode, berger, standings::Line};

/// The most who play for a place: with more it would be an event of its own. The lot decides among them.
pub const PLAYERS_MAX: u32 = 8;

/// A game of a play-off with its result: the one with the first colour stands first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The two.
    pub players: [Number; 2],
    /// What each made of it.
    pub codes: [ResultCode; 2],
}

/// Those who share a place, and how they play for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayOff {
    /// Who, in the order in which the table of a round robin takes them; at least two.
    pub players: Vec<Number>,
    /// The best of how many games two play.
    pub games: u32,
    /// The colour of the first of two in their first game.
    pub opening_colour: Colour,
}

/// How many rounds a play-off takes at most, where two play the best of so many games.
pub fn rounds_at_most(games: u32) -> u32 {
    games.max(PLAYERS_MAX - 1)
}

/// Those who share one of the first places of a table, a group after the other, each in the order of the table.
pub fn groups(lines: &[Line], places: u32) -> Vec<Vec<Number>> {
    let mut groups: BTreeMap<u32, Vec<Number>> = BTreeMap::new();
    for line in lines {
        if let Some(place) = line.place.filter(|place| *place <= places) {
            groups.entry(place).or_default().push(line.number);
        }
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

impl PlayOff {
    /// Who meets whom in its next round, the one with the first colour first; nobody once it is over. Games of others than
    /// its players are nothing to it.
    ///
    /// ```
    /// use pairing::{Colour, Number, ResultCode::{Loss, Win}, play_off::{PlayOff, Played}};
    /// let [a, b] = [Number(4), Number(9)];
    /// let two = PlayOff { players: vec![a, b], games: 2, opening_colour: Colour::First };
    /// assert_eq!(two.due(&[]), [[a, b]]);
    /// let won = Played { players: [a, b], codes: [Win, Loss] };
    /// assert_eq!(two.due(&[won]), [[b, a]]);
    /// let back = Played { players: [b, a], codes: [Win, Loss] };
    /// assert_eq!(two.due(&[won, back]), Vec::<[Number; 2]>::new());
    /// assert_eq!(two.score(a, &[won, back]), [2, 2]);
    /// ```
    pub fn due(&self, played: &[Played]) -> Vec<[Number; 2]> {
        if let [one, other] = self.players[..] {
            return self.game_of_two(one, other, played).into_iter().collect();
        }
        let has_met =
            |one, other| self.own(played).any(|it| it.players == [one, other] || it.players == [other, one]);
        let count = crate::count(self.players.len());
        let named = |place: Number| self.players[place.0 as usize - 1];
        let rounds = berger::single(count).into_iter().map(|round| {
            let games = round.games.into_iter().map(|(first, second)| [named(first), named(second)]);
            games.filter(|[first, second]| !has_met(*first, *second)).collect::<Vec<_>>()
        });
        rounds.into_iter().find(|games| !games.is_empty()).unwrap_or_default()
    }

    fn game_of_two(&self, one: Number, other: Number, played: &[Played]) -> Option<[Number; 2]> {
        let of_one = |it: &Played| {
            let [first, second] = it.codes;
            if it.players[0] == one { [first, second] } else { [second, first] }
        };
        let results: Vec<[ResultCode; 2]> = self.own(played).map(of_one).collect();
        let duel = Duel { games: self.games, play_all: false, opening_colour: self.opening_colour };
        match duel.state(&results) {
            DuelState::Running { colour: Colour::First, .. } => Some([one, other]),
            DuelState::Running { colour: Colour::Second, .. } => Some([other, one]),
            DuelState::Won { .. } | DuelState::Level => None,
        }
    }

    /// The points that somebody has made in it, and those that were made against him.
    pub fn score(&self, number: Number, played: &[Played]) -> [u32; 2] {
        let of_him = self.own(played).filter_map(|it| {
            let side = it.players.iter().position(|player| *player == number)?;
            Some([it.codes[side].points(0), it.codes[1 - side].points(0)])
        });
        of_him.fold([0, 0], |sum, game| [sum[0] + game[0], sum[1] + game[1]])
    }

    fn own<'a>(&'a self, played: &'a [Played]) -> impl Iterator<Item = &'a Played> {
        played.iter().filter(|it| it.players.iter().all(|player| self.players.contains(player)))
    }
}

//! An event as nobody's format has it, and as all of them can be written from.

mod check;
mod grade;
mod header;
mod person;
mod round;
mod team;

use std::collections::{BTreeMap, BTreeSet};

pub use check::Inconsistency;
pub use grade::Grade;
pub use header::{Halves, HandicapRule, Header, MacMahon, Name, Overtime, TimeClass, TimeControl};
pub use jiff::civil::Date;
pub use person::{Ids, PersonName, Player};
pub use round::{Bye, Game, Outcome, Round};
pub use team::{ForfeitedMatch, LineUp, MatchForfeit, Team, TeamBye};

use pairing::Number;

/// Players, or teams in an event of teams, of whom no two may meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prohibition {
    /// The first and the last round in which it holds; none for all.
    pub rounds: Option<(u16, u16)>,
    /// Two or more of them.
    pub who: Vec<Number>,
}

/// An event with everything that came of it.
///
/// It has one form only, so that two that say the same are equal: players are in the order of their numbers, games in the
/// order of their boards, byes in that of players. [`Tournament::tidy`] brings it about, [`Tournament::check`] looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tournament {
    /// What is said of the event as a whole.
    pub header: Header,
    /// Who plays.
    pub players: Vec<Player>,
    /// As many rounds as were declared, the first of them first.
    pub rounds: Vec<Round>,
    /// Teams; none in an event of players.
    pub teams: Vec<Team>,
    /// Who may not meet.
    pub prohibitions: Vec<Prohibition>,
}

impl Tournament {
    /// A player by his number.
    pub fn player(&self, number: Number) -> Option<&Player> {
        self.players.binary_search_by_key(&number, |it| it.number).ok().map(|at| &self.players[at])
    }

    /// The rounds with their numbers.
    pub fn numbered_rounds(&self) -> impl Iterator<Item = (u16, &Round)> {
        (1..).zip(&self.rounds)
    }

    /// The last round in which anybody was paired, or 0. Byes that were asked for do not make a round one that was played.
    pub fn paired_rounds(&self) -> u16 {
        self.numbered_rounds().filter(|(_, it)| it.is_paired()).last().map_or(0, |(round, _)| round)
    }

    /// Points on the scale of 2, 1 and 0, in the order of players.
    pub fn points(&self) -> Vec<u32> {
        let mut points: BTreeMap<Number, u32> = BTreeMap::new();
        let pab = self.header.pab_points;
        for round in &self.rounds {
            for (number, code) in round.codes() {
                *points.entry(number).or_default() += code.points(pab);
            }
        }
        self.players.iter().map(|it| points.get(&it.number).copied().unwrap_or(0)).collect()
    }

    /// Who takes no part in which round: who was not paired in one that was, unless he had the pairing bye, and who has
    /// asked for a bye in one to come.
    pub fn absences(&self) -> BTreeSet<(Number, u16)> {
        let mut away = BTreeSet::new();
        for (number, round) in self.numbered_rounds() {
            let asked = round.byes.iter().filter(|it| it.is_asked()).map(|it| it.player);
            away.extend(asked.map(|it| (it, number)));
            if round.is_paired() {
                let there: BTreeSet<Number> = round.codes().map(|it| it.0).collect();
                let missing = self.players.iter().filter(|it| !there.contains(&it.number));
                away.extend(missing.map(|it| (it.number, number)));
            }
        }
        away
    }

    /// Puts everything into the one order that it has.
    pub fn tidy(&mut self) {
        self.players.sort_by_key(|it| it.number);
        self.teams.sort_by_key(|it| it.number);
        for round in &mut self.rounds {
            round.tidy();
        }
    }

    /// The same event in which players have the numbers 1 and up in this order; who is not in it follows in the order of the
    /// numbers so far. Formats that number by place are written from it.
    ///
    /// ```
    /// use exchange::{Player, Tournament};
    /// use pairing::Number;
    /// let mut event = Tournament::default();
    /// event.players = vec![Player::new(3), Player::new(8)];
    /// let numbers = |it: &Tournament| it.players.iter().map(|it| it.number.0).collect::<Vec<_>>();
    /// assert_eq!(numbers(&event.renumbered(&[])), [1, 2]);
    /// assert_eq!(numbers(&event.renumbered(&[Number(8)])), [1, 2]);
    /// ```
    #[must_use]
    pub fn renumbered(&self, order: &[Number]) -> Tournament {
        let mut numbers: BTreeMap<Number, Number> = BTreeMap::new();
        let known = order.iter().filter(|it| self.player(**it).is_some()).copied();
        for old in known.chain(self.players.iter().map(|it| it.number)) {
            let next = Number(u32::try_from(numbers.len() + 1).unwrap_or(u32::MAX));
            numbers.entry(old).or_insert(next);
        }
        let new = |it: &mut Number| *it = numbers.get(it).copied().unwrap_or(*it);
        let mut event = self.clone();
        event.players.iter_mut().for_each(|it| new(&mut it.number));
        for round in &mut event.rounds {
            round.games.iter_mut().for_each(|it| [&mut it.white, &mut it.black].into_iter().for_each(new));
            round.byes.iter_mut().for_each(|it| new(&mut it.player));
            round.line_ups.iter_mut().flat_map(|it| it.players.iter_mut().flatten()).for_each(new);
        }
        event.teams.iter_mut().flat_map(|it| &mut it.players).for_each(new);
        if self.teams.is_empty() {
            event.prohibitions.iter_mut().flat_map(|it| &mut it.who).for_each(new);
        }
        event.tidy();
        event
    }

    /// Which team each player is in.
    pub fn team_of_players(&self) -> BTreeMap<Number, u32> {
        self.teams.iter().flat_map(|team| team.players.iter().map(|it| (*it, team.number))).collect()
    }

    /// Which teams met in a round, from the games of their players: the team and its opponent, both ways.
    pub fn opponents_of_teams(&self, round: &Round) -> BTreeMap<u32, u32> {
        let teams = self.team_of_players();
        let mut met = BTreeMap::new();
        for game in &round.games {
            if let (Some(white), Some(black)) = (teams.get(&game.white), teams.get(&game.black)) {
                met.entry(*white).or_insert(*black);
                met.entry(*black).or_insert(*white);
            }
        }
        met
    }
}

//! The tie-breaks of Go and FIDE events.

use std::collections::{BTreeMap, BTreeSet};

use super::{Criterion, Sheet, Term, Working, performance::performance, working};
use crate::{Entry, Fraction, Number, Player, ResultCode, WIN_POINTS, whole};

named! {
    /// What decides between players with equal points, where an event names it. Scores of opponents are what they have
    /// made; a round without an opponent adds nothing, but for [`TieBreak::DummyBuchholz`].
    pub enum TieBreak {
        /// Sum of the opponents' scores (Buchholz).
        Sos = "sos",
        /// Sum of the opponents' SOS.
        Sosos = "sosos",
        /// Sum of the scores of beaten opponents and half of those of drawn ones (Sonneborn-Berger).
        Sodos = "sodos",
        /// SOS without the lowest opponent.
        BuchholzCut1 = "buchholz_cut_1",
        /// SOS without the lowest and the highest opponent.
        BuchholzMedian = "buchholz_median",
        /// SOS in which a round without an opponent adds the player's own score (FIDE's dummy).
        DummyBuchholz = "dummy_buchholz",
        /// Points against those with equal points, once all of them have met each other; else nothing.
        DirectEncounter = "direct_encounter",
        /// Games won, forfeits included.
        Wins = "wins",
        /// Points against opponents with at least half of the possible points (Koya).
        Koya = "koya",
        /// Rating performance over the games that were played against rated opponents.
        Performance = "performance",
    }
}

/// What tie-breaks are worked out from.
pub(crate) struct TieBreaks<'a> {
    sheet: &'a Sheet<'a>,
    scores: BTreeMap<Number, u32>,
    players: BTreeMap<Number, &'a Player>,
}

impl<'a> TieBreaks<'a> {
    pub(crate) fn of(sheet: &'a Sheet<'a>) -> TieBreaks<'a> {
        let standing = || sheet.players.iter().filter(|it| !it.is_annulled());
        let players: BTreeMap<Number, &Player> = standing().map(|it| (it.number, it)).collect();
        let pab = sheet.settings.pab_points;
        let score = |player: &Player| {
            let counted = player.history.iter().filter(|entry| {
                entry.round <= sheet.rounds && entry.opponent.is_none_or(|it| players.contains_key(&it))
            });
            counted.map(|entry| entry.code.points(pab)).sum()
        };
        let scores = standing().map(|it| (it.number, score(it))).collect();
        TieBreaks { sheet, scores, players }
    }

    pub(crate) fn criterion(&self, tie_break: TieBreak, player: &Player) -> Criterion {
        let (value, working) = match tie_break {
            TieBreak::Sos => working::sum(self.opponents(player, |_| true)),
            TieBreak::Sosos => working::sum(self.sosos(player)),
            TieBreak::Sodos => working::sum(self.sodos(player)),
            TieBreak::BuchholzCut1 => working::sum(cut(self.opponents(player, |_| true), 0)),
            TieBreak::BuchholzMedian => working::sum(cut(self.opponents(player, |_| true), 1)),
            TieBreak::DummyBuchholz => working::sum(self.with_dummies(player)),
            TieBreak::DirectEncounter => plain(self.direct_encounter(player)),
            TieBreak::Wins => plain(crate::count(self.games(player).filter(|it| is_won(it)).count())),
            TieBreak::Koya => plain(self.points_against(player, |number| {
                self.score(number) >= u32::from(self.sheet.rounds) * WIN_POINTS / 2
            })),
            TieBreak::Performance => plain(self.performance(player)),
        };
        Criterion { name: tie_break.name(), value, working }
    }

    fn score(&self, number: Number) -> u32 {
        self.scores.get(&number).copied().unwrap_or(0)
    }

    /// Games with a result against somebody whose results stand.
    fn games<'b>(&'b self, player: &'b Player) -> impl Iterator<Item = &'b Entry> {
        player.history.iter().filter(|entry| {
            let standing = entry.opponent.is_some_and(|it| self.players.contains_key(&it));
            entry.round <= self.sheet.rounds && entry.code.is_decided_game() && standing
        })
    }

    fn opponents(&self, player: &Player, of: impl Fn(&Entry) -> bool) -> Vec<Term> {
        let games = self.games(player).filter(|entry| of(entry));
        games.filter_map(|entry| entry.opponent).map(|it| term(it, whole(self.score(it)))).collect()
    }

    fn sosos(&self, player: &Player) -> Vec<Term> {
        let opponents = self.games(player).filter_map(|entry| self.players.get(&entry.opponent?));
        opponents.map(|it| term(it.number, working::sum(self.opponents(it, |_| true)).0)).collect()
    }

    fn sodos(&self, player: &Player) -> Vec<Term> {
        let drawn = self.opponents(player, |it| it.code == ResultCode::Draw);
        let halved = drawn.into_iter().map(|it| Term { halved: true, ..it });
        self.opponents(player, is_won).into_iter().chain(halved).collect()
    }

    fn with_dummies(&self, player: &Player) -> Vec<Term> {
        let mut terms = self.opponents(player, |_| true);
        let own = whole(self.score(player.number));
        let missing = usize::from(self.sheet.rounds).saturating_sub(terms.len());
        terms.extend((0..missing).map(|_| Term { opponent: None, points: own, halved: false }));
        terms
    }

    fn points_against(&self, player: &Player, counts: impl Fn(Number) -> bool) -> u32 {
        self.games(player).filter(|it| it.opponent.is_some_and(&counts)).map(|it| it.code.points(0)).sum()
    }

    fn direct_encounter(&self, player: &Player) -> u32 {
        let own = self.score(player.number);
        let equals: BTreeSet<Number> =
            self.scores.iter().filter(|(_, score)| **score == own).map(|(number, _)| *number).collect();
        let met_by = |it: &Player| {
            let met: BTreeSet<Number> =
                self.games(it).filter_map(|entry| entry.opponent).filter(|it| equals.contains(it)).collect();
            met.len() + 1 == equals.len()
        };
        let all_met = equals.iter().filter_map(|it| self.players.get(it)).all(|it| met_by(it));
        if all_met { self.points_against(player, |it| equals.contains(&it)) } else { 0 }
    }

    fn performance(&self, player: &Player) -> i128 {
        let mut ratings = Vec::new();
        let mut points = 0;
        for entry in self.games(player).filter(|entry| entry.code.is_met()) {
            let opponent = entry.opponent.and_then(|it| self.players.get(&it));
            if let Some(rating) = opponent.and_then(|it| it.rating) {
                ratings.push(rating);
                points += entry.code.points(0);
            }
        }
        performance(&ratings, points, WIN_POINTS * crate::count(ratings.len())).unwrap_or(0)
    }
}

fn is_won(entry: &Entry) -> bool {
    entry.code.points(0) == WIN_POINTS
}

fn term(opponent: Number, points: Fraction) -> Term {
    Term { opponent: Some(opponent), points, halved: false }
}

fn plain(value: impl Into<i128>) -> (Fraction, Working) {
    (whole(value), Working::Plain)
}

/// Without the lowest of the terms, and without so many of the highest.
fn cut(mut terms: Vec<Term>, highest: usize) -> Vec<Term> {
    terms.sort_by_key(|it| it.points);
    let end = terms.len().saturating_sub(highest);
    terms.truncate(end);
    if !terms.is_empty() {
        terms.remove(0);
    }
    terms
}

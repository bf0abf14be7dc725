//! Standings (sections 1.6, 1.7, 1.10, 1.11): who stands where, as exact fractions, with the working of every number.
//!
//! A table is worked out anew from the histories every time and never patched. [`individual::swiss`] and
//! [`individual::round_robin`] rank players, [`team::swiss`] and [`team::round_robin`] teams.
//!
//! ```
//! use pairing::{Colour, Entry, Number, Player, ResultCode, StandingsSettings, standings::{Sheet, individual}};
//! let mut players = vec![Player::new(1), Player::new(2)];
//! players[0].history.push(Entry::game(1, Number(2), Colour::First, ResultCode::Loss));
//! players[1].history.push(Entry::game(1, Number(1), Colour::Second, ResultCode::Win));
//! let settings = StandingsSettings::default();
//! let table = individual::swiss(&Sheet { players: &players, rounds: 1, settings: &settings, seed: [0; 32] });
//! // After one round all totals are equal, and the place is shared.
//! assert_eq!((table[1].number, table[1].place), (Number(2), Some(1)));
//! assert_eq!(table[1].criteria[0].explain(), "P 2, ΣO 0, M 2, R 1: 2 + 0/1 − 1 = 1");
//! ```

pub mod individual;
mod performance;
mod robin;
pub mod team;
mod tie_break;
pub mod withdrawal;
mod working;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

pub use robin::Cycles;
pub use tie_break::TieBreak;
pub use working::{Term, Working};

pub(crate) use working::sum;

use crate::{Fraction, Number, Player, ResultCode, StandingsSettings, Ties, lots, lots::Seed, whole};

/// What a table is made from.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// Everybody in the event.
    pub players: &'a [Player],
    /// Rounds so far: tables in between count these (1.11, 2).
    pub rounds: u16,
    /// The readings of the event.
    pub settings: &'a StandingsSettings,
    /// What the order of equal players is drawn from under [`Ties::Lot`].
    pub seed: Seed,
}

/// A number by which players are put in order, the larger first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criterion {
    /// What it is: `total`, `points`, `a`, `stayed`, `warnings`, `play_off`, `lot`, or the name of a [`TieBreak`].
    pub name: &'static str,
    /// What it amounts to; warnings are negative, as fewer are better.
    pub value: Fraction,
    /// How it was worked out.
    pub working: Working,
}

impl Criterion {
    pub(crate) fn plain(name: &'static str, value: impl Into<i128>) -> Criterion {
        Criterion { name, value: whole(value), working: Working::Plain }
    }

    /// The working as one line.
    pub fn explain(&self) -> String {
        self.working.text(&self.value)
    }
}

/// A line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Who.
    pub number: Number,
    /// The place from 1; equals share one, and the next is counted from the top (1, 2, 2, 4). None for who has no
    /// results (1.11, 8).
    pub place: Option<u32>,
    /// Points, or match points of a team.
    pub points: u32,
    /// What decides, the first first.
    pub criteria: Vec<Criterion>,
    /// Whether a game of his is still to be played on or again, so that the points are not the last word.
    pub provisional: bool,
}

/// A line before it has a place; `counts` is whether it gets one.
pub(crate) struct Unplaced {
    pub(crate) line: Line,
    pub(crate) counts: bool,
}

/// Puts the lines in order and gives the places.
pub(crate) fn place(sheet: &Sheet<'_>, mut lines: Vec<Unplaced>) -> Vec<Line> {
    if sheet.settings.ties == Ties::Lot {
        let all: Vec<Number> = lines.iter().map(|it| it.line.number).collect();
        add_lots(&sheet.seed, all, lines.iter_mut().map(|it| &mut it.line));
    }
    rank(lines)
}

/// Puts lines in order by their criteria and gives the places.
fn rank(mut lines: Vec<Unplaced>) -> Vec<Line> {
    let keys = |line: &Line| line.criteria.iter().map(|it| it.value).collect::<Vec<Fraction>>();
    lines.sort_by_cached_key(|it| (Reverse((it.counts, keys(&it.line))), it.line.number));
    let mut before: Option<(u32, Vec<Fraction>)> = None;
    for (rank, unplaced) in (1..).zip(&mut lines).filter(|(_, it)| it.counts) {
        let keys = keys(&unplaced.line);
        let shared = before.as_ref().filter(|(_, above)| *above == keys).map(|(place, _)| *place);
        let place = shared.unwrap_or(rank);
        unplaced.line.place = Some(place);
        before = Some((place, keys));
    }
    lines.into_iter().map(|it| it.line).collect()
}

/// 1.6, D: the order of all numbers as drawn from the seed is the last criterion.
fn add_lots<'a>(seed: &Seed, mut all: Vec<Number>, lines: impl Iterator<Item = &'a mut Line>) {
    all.sort_unstable();
    lots::shuffle(seed, &mut all);
    for line in lines {
        let at = all.iter().position(|it| *it == line.number).map_or(0, crate::count);
        line.criteria.push(Criterion::plain("lot", -i128::from(at)));
    }
}

/// What became of those who share a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// They share it, as far as is known.
    Shared,
    /// The lot decides.
    Lot,
    /// A play-off decides, in which each made these points, and these were made against him; then the lot.
    PlayOff(BTreeMap<Number, [u32; 2]>),
}

/// Puts those who share a place into the order that a play-off or the lot gave them. The lines are those of a table in
/// which equals share places, and who is in none of the groups stays where he is; [`Ties::Lot`] draws among them.
pub fn settle(sheet: &Sheet<'_>, mut lines: Vec<Line>, groups: &[(Vec<Number>, Settled)]) -> Vec<Line> {
    let all: Vec<Number> = lines.iter().map(|it| it.number).collect();
    let mut to_draw: BTreeSet<Number> = match sheet.settings.ties {
        Ties::Lot => all.iter().copied().collect(),
        Ties::Shared => BTreeSet::new(),
    };
    for (group, settled) in groups {
        to_draw.retain(|it| !group.contains(it));
        match settled {
            Settled::Shared => {}
            Settled::Lot => to_draw.extend(group),
            Settled::PlayOff(scores) => {
                let own = |number: &Number| scores.get(number).copied().unwrap_or_default();
                let is_level = |it: &&Number| group.iter().any(|o| o != *it && own(o)[0] == own(it)[0]);
                to_draw.extend(group.iter().filter(is_level));
                for line in lines.iter_mut().filter(|it| group.contains(&it.number)) {
                    let score = own(&line.number);
                    let (value, working) = (whole(score[0]), Working::PlayOff(score));
                    line.criteria.push(Criterion { name: "play_off", value, working });
                }
            }
        }
    }
    add_lots(&sheet.seed, all, lines.iter_mut().filter(|it| to_draw.contains(&it.number)));
    rank(lines.into_iter().map(|line| Unplaced { counts: line.place.is_some(), line }).collect())
}

/// Whether a player's history so far has a result that only stands for now.
pub(crate) fn is_provisional(player: &Player, rounds: u16) -> bool {
    player.history.iter().any(|entry| entry.round <= rounds && entry.code.is_provisional())
}

/// Whether anything came of a player's rounds: absences and byes without points are nothing.
pub(crate) fn has_results(player: &Player, rounds: u16) -> bool {
    let counted = |code: ResultCode| code.is_decided_game() || code.points(2) > 0;
    player.history.iter().any(|entry| entry.round <= rounds && counted(entry.code))
}

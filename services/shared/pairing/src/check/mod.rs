//! The independent checker of Swiss rounds (section 2, step 7).
//!
//! It shares the plain types with the pairing and not a line of its code: everything that a round claims is worked out
//! anew from the histories. [`round`] is quick and meant for every round; [`audit`] tries every possibility and is meant
//! for small events and for tests.
//!
//! ```
//! use pairing::{Player, check, swiss};
//! let input = swiss::Input::new(1, 3, (1..=8).map(Player::new).collect());
//! let mut made = swiss::pair(&input)?;
//! assert!(check::round(&input, &made).is_empty());
//! made.pairs.pop();
//! assert!(!check::round(&input, &made).is_empty());
//! # Ok::<(), swiss::PairingError>(())
//! ```

mod brute;
mod facts;
mod past;
mod report;
mod tally;

use std::collections::{BTreeMap, BTreeSet};

pub use brute::{AUDIT_MAX, audit, audit_refusal};
pub use report::{RoundVerdict, Verdict, report};

use crate::{
    Colour, ColourLaw, Number, Relaxed, ResultCode,
    swiss::{Input, Pair, Round, Tiers},
};
use facts::{Facts, Known};

/// What is wrong with a round.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The round was paired from something else.
    #[error("the hash is not that of the input")]
    Hash,
    /// H5: not there, yet paired or given the bye.
    #[error("{0} is not there to be paired")]
    NotThere(Number),
    /// There, and neither paired nor given the bye.
    #[error("{0} was left out")]
    LeftOut(Number),
    /// In two places.
    #[error("{0} is paired twice")]
    Twice(Number),
    /// H1.
    #[error("{0} and {1} have met")]
    Rematch(Number, Number),
    /// H2.
    #[error("{0} may not have the bye")]
    Bye(Number),
    /// More than one bye, or one where the number is even.
    #[error("{0} pairing byes")]
    Byes(usize),
    /// H3.
    #[error("{0} and {1} must both have the same colour")]
    AbsoluteColours(Number, Number),
    /// H4.
    #[error("{0} and {1} must not meet")]
    Prohibited(Number, Number),
    /// Colours where the game gives them, or none where it does not.
    #[error("the colours at table {0} are not as the law of colours wants them")]
    Colours(u32),
    /// Tables are not numbered from 1 in the order of the sums of scores.
    #[error("table {0} is out of order")]
    Table(u32),
    /// Members, those from above or those left over do not fit the pools before and after.
    #[error("pool {0} does not fit the others")]
    Pool(usize),
    /// The totals of a pool are others.
    #[error("the totals of pool {pool} are {found:?}")]
    Totals {
        /// Its place from the top.
        pool: usize,
        /// What they are.
        found: Tiers,
    },
    /// The pool can be paired better.
    #[error("pool {pool} can be paired at {best:?}")]
    NotBest {
        /// Its place from the top.
        pool: usize,
        /// The best there is.
        best: Tiers,
    },
    /// Somebody else comes first for the bye, and the others could be paired.
    #[error("the bye is due to {0}")]
    ByeDue(Number),
    /// A round was refused that can be paired.
    #[error("there is a legal pairing")]
    Feasible,
}

impl Fault {
    /// The rule of section 1.3 that is broken, from H1 to H5; none for other faults.
    pub const fn rule(&self) -> Option<&'static str> {
        match self {
            Fault::Rematch(..) => Some("H1"),
            Fault::Bye(_) | Fault::Byes(_) => Some("H2"),
            Fault::AbsoluteColours(..) => Some("H3"),
            Fault::Prohibited(..) => Some("H4"),
            Fault::NotThere(_) => Some("H5"),
            _ => None,
        }
    }

    /// What the Chief Arbiter has to lift for it; none for what nobody can lift.
    pub const fn lifted_by(&self) -> Option<Relaxed> {
        match self {
            Fault::AbsoluteColours(..) => Some(Relaxed::AbsoluteColours),
            Fault::Prohibited(..) => Some(Relaxed::Prohibitions),
            Fault::Bye(_) => Some(Relaxed::SecondByes),
            Fault::Rematch(..) => Some(Relaxed::Rematches),
            _ => None,
        }
    }

    /// The players it is about.
    pub fn players(&self) -> Vec<Number> {
        match *self {
            Fault::Rematch(a, b) | Fault::AbsoluteColours(a, b) | Fault::Prohibited(a, b) => vec![a, b],
            Fault::NotThere(it)
            | Fault::LeftOut(it)
            | Fault::Twice(it)
            | Fault::Bye(it)
            | Fault::ByeDue(it) => vec![it],
            _ => Vec::new(),
        }
    }
}

/// Everything that is wrong with a round; nothing where it is right.
pub fn round(input: &Input, round: &Round) -> Vec<Fault> {
    let facts = Facts::of(input);
    let mut faults = Vec::new();
    if round.input_hash != input.hash() {
        faults.push(Fault::Hash);
    }
    each_once(&facts, round, &mut faults);
    byes(&facts, round, &mut faults);
    round.pairs.iter().for_each(|pair| legal(&facts, pair, &mut faults));
    tables(&facts, round, &mut faults);
    tally::pools(&facts, round, &mut faults);
    faults
}

/// The rules of section 1.3, from H1 to H5, that so many pairs and pairing byes break, whoever made them; and whoever is in
/// no place, or in two. How good they are is not asked.
pub fn laws(input: &Input, pairs: &[[Number; 2]], free: &[Number]) -> Vec<Fault> {
    let facts = Facts::of(input);
    let mut faults = Vec::new();
    places(&facts, pairs.iter().flatten().chain(free).copied(), &mut faults);
    barred(&facts, free, &mut faults);
    for [a, b] in pairs {
        if let (Some(one), Some(other)) = (facts.known.get(a), facts.known.get(b)) {
            faults.extend(facts.each_broken(one, other).into_iter().flatten());
        }
    }
    faults
}

/// H5, and everybody in one place.
fn each_once(facts: &Facts<'_>, round: &Round, faults: &mut Vec<Fault>) {
    let byes = round.out.iter().filter(|out| out.code == ResultCode::Pab).map(|out| out.number);
    let seen = places(facts, round.pairs.iter().flat_map(|pair| pair.players).chain(byes), faults);
    let twice = round.out.iter().filter(|out| out.code != ResultCode::Pab && seen.contains(&out.number));
    faults.extend(twice.map(|out| Fault::Twice(out.number)));
}

/// Who is paired or has the pairing bye: whoever is there, once.
fn places(
    facts: &Facts<'_>,
    taken: impl Iterator<Item = Number>,
    faults: &mut Vec<Fault>,
) -> BTreeSet<Number> {
    let mut seen = BTreeSet::new();
    for number in taken {
        if !facts.known.contains_key(&number) {
            faults.push(Fault::NotThere(number));
        }
        if !seen.insert(number) {
            faults.push(Fault::Twice(number));
        }
    }
    faults.extend(facts.known.keys().filter(|it| !seen.contains(*it)).map(|it| Fault::LeftOut(*it)));
    seen
}

/// H2.
fn byes(facts: &Facts<'_>, round: &Round, faults: &mut Vec<Fault>) {
    let free: Vec<Number> =
        round.out.iter().filter(|out| out.code == ResultCode::Pab).map(|out| out.number).collect();
    if free.len() != facts.known.len() % 2 {
        faults.push(Fault::Byes(free.len()));
    }
    barred(facts, &free, faults);
}

/// Who may not have the bye that he has.
fn barred(facts: &Facts<'_>, free: &[Number], faults: &mut Vec<Fault>) {
    if facts.input.settings.relaxed < Relaxed::SecondByes {
        let barred = free.iter().filter(|it| facts.known.get(it).is_some_and(|known| known.past.bye_barred));
        faults.extend(barred.map(|it| Fault::Bye(*it)));
    }
}

/// H1, H3, H4, and the colours of a pair.
fn legal(facts: &Facts<'_>, pair: &Pair, faults: &mut Vec<Fault>) {
    let [a, b] = pair.players;
    let (Some(one), Some(other)) = (facts.known.get(&a), facts.known.get(&b)) else {
        return;
    };
    faults.extend(facts.broken(one, other));
    if !colours_hold(facts, pair, one, other) {
        faults.push(Fault::Colours(pair.table));
    }
}

/// What every law of colours has in common: two who need different colours get them. Where one alone has an absolute
/// need, or both need the same and one more than the other, or as much with a greater difference (1.4), that one gets his.
fn colours_hold(facts: &Facts<'_>, pair: &Pair, one: &Known<'_>, other: &Known<'_>) -> bool {
    match (facts.input.settings.colours, pair.colour) {
        (ColourLaw::Open, None) => true,
        (ColourLaw::Open, Some(_)) | (_, None) => false,
        (ColourLaw::Balance, Some(colour)) => {
            let gets = |known: &Known<'_>, colour: Colour| known.wants.is_none_or(|wanted| wanted == colour);
            let opposite = if colour == Colour::First { Colour::Second } else { Colour::First };
            let pressed = |known: &Known<'_>| (known.urgency, known.past.difference());
            match (one.wants, other.wants) {
                (Some(wanted), Some(too)) if wanted == too && pressed(one) != pressed(other) => {
                    (pressed(one) > pressed(other)) == (colour == wanted)
                }
                (Some(wanted), Some(too)) if wanted == too => true,
                _ => gets(one, colour) && gets(other, opposite),
            }
        }
        (ColourLaw::Parity, Some(colour)) => parity_holds(facts, colour, one, other),
    }
}

/// Jirige: odd numbers have theirs in round 1 where the numbers differ in parity; between the first and the last round
/// two whose last colours differ alternate, unless an absolute need may go before that.
fn parity_holds(facts: &Facts<'_>, colour: Colour, one: &Known<'_>, other: &Known<'_>) -> bool {
    let (round, settings) = (facts.input.round, &facts.input.settings);
    let both_new = one.past.last_colour().is_none() && other.past.last_colour().is_none();
    if both_new && (round == 1 || round < facts.input.rounds) {
        let odd = one.player.number.0 % 2 == 1;
        let differ = odd == other.player.number.0.is_multiple_of(2);
        return !differ || (odd == (colour == settings.odd_has));
    }
    if round == facts.input.rounds || settings.absolute_first {
        return true;
    }
    match (one.past.last_colour(), other.past.last_colour()) {
        (Some(last), Some(too)) if last != too => colour != last,
        _ => true,
    }
}

fn tables(facts: &Facts<'_>, round: &Round, faults: &mut Vec<Fault>) {
    let sums: BTreeMap<u32, u32> = round
        .pairs
        .iter()
        .map(|pair| {
            (pair.table, pair.players.iter().filter_map(|it| facts.known.get(it)).map(|it| it.score).sum())
        })
        .collect();
    let mut above = None;
    for (expected, pair) in (1..).zip(&round.pairs) {
        let sum = sums.get(&pair.table).copied();
        if pair.table != expected || (above.is_some() && above < sum) {
            faults.push(Fault::Table(pair.table));
        }
        above = sum;
    }
}

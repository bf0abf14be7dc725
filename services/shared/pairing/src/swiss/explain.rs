//! Why two players meet, and not others: what players ask most.

use core::fmt;

use super::{cost::Costs, field::Field, pool::Solved};
use crate::{FirstRound, Number};

/// Reasons that are kept of each pair.
const REASONS_MAX: usize = 5;

/// Why somebody did not meet somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// H1.
    Met {
        /// When they last met.
        round: u16,
    },
    /// H3.
    AbsoluteColours,
    /// H4.
    Prohibited,
    /// S3.
    SameAffiliation,
    /// S4.
    Gap,
    /// S5.
    RepeatedFloat,
    /// S6.
    Colours,
    /// The pair alone would have been no worse: the pool as a whole is better so.
    Pool,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Met { round } => write!(f, "met in round {round}"),
            Why::AbsoluteColours => f.write_str("both must have the same colour"),
            Why::Prohibited => f.write_str("they must not meet"),
            Why::SameAffiliation => f.write_str("of the same club or federation"),
            Why::Gap => f.write_str("further apart in points"),
            Why::RepeatedFloat => f.write_str("a float would be repeated"),
            Why::Colours => f.write_str("both are due the same colour"),
            Why::Pool => f.write_str("the whole pool is better so"),
        }
    }
}

/// Why the higher ranked player of a pair did not meet one who was as near to his place in the fold, or nearer.
///
/// ```
/// use pairing::{Number, swiss::{PairReason, Why}};
/// let reason = PairReason { not: Number(4), why: Why::Met { round: 2 } };
/// assert_eq!(reason.to_string(), "not 4: met in round 2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairReason {
    /// Whom he did not meet.
    pub not: Number,
    /// Why.
    pub why: Why,
}

impl fmt::Display for PairReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not {}: {}", self.not, self.why)
    }
}

/// The nearest in the fold first, at most five; none in a round that is drawn by lot.
pub(super) fn reasons(field: &Field<'_>, pool: &Solved, a: usize, b: usize) -> Vec<PairReason> {
    let costs = Costs { field, members: &pool.members };
    // Members are in order of rank, which is that of their indices.
    let place = |index: usize| pool.members.binary_search(&index);
    let (Ok(at), Ok(partner)) = (place(a), place(b)) else {
        return Vec::new();
    };
    if field.first_round() == Some(FirstRound::Draw) {
        return Vec::new();
    }
    let deviation = |other: usize| other.abs_diff(at).abs_diff(costs.ideal_distance());
    let limit = deviation(partner);
    // Only the places around the two that are nearer than the partner; in a large pool there are few.
    let ideal = costs.ideal_distance();
    let reach = |offset: usize| [(at + ideal).checked_add(offset), (at + ideal).checked_sub(offset)];
    let back = |offset: usize| [at.checked_sub(ideal + offset), at.checked_sub(ideal.abs_diff(offset))];
    let mut nearer: Vec<usize> = (0..limit.min(2 * REASONS_MAX))
        .flat_map(|offset| reach(offset).into_iter().chain(back(offset)))
        .flatten()
        .filter(|other| *other < pool.members.len() && *other != at && deviation(*other) < limit)
        .collect();
    nearer.sort_by_key(|other| (deviation(*other), *other));
    nearer.dedup();
    let why = |other: usize| {
        field.obstacle(a, pool.members[other]).unwrap_or_else(|| wish(&costs, at, partner, other))
    };
    let said = nearer.into_iter().take(REASONS_MAX);
    said.map(|other| PairReason { not: field.candidates[pool.members[other]].number, why: why(other) })
        .collect()
}

/// The first tier in which the other pair would have been worse.
fn wish(costs: &Costs<'_>, at: usize, partner: usize, other: usize) -> Why {
    let (made, missed) = (costs.pair(at, partner), costs.pair(at, other));
    if missed.same_affiliation > made.same_affiliation {
        Why::SameAffiliation
    } else if missed.gap > made.gap {
        Why::Gap
    } else if missed.floats > made.floats {
        Why::RepeatedFloat
    } else if (missed.strong_colour, missed.mild_colour) > (made.strong_colour, made.mild_colour) {
        Why::Colours
    } else {
        Why::Pool
    }
}

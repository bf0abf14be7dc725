//! What a pair costs, tier by tier, and all tiers in one number (section 2, step 3).

use super::{
    PairingError, Tiers,
    field::{Candidate, Field, Float},
    need::Strength,
};
use crate::FirstRound;

/// A pool as costs see it: who is in it, in order of rank.
pub(super) struct Costs<'a> {
    pub(super) field: &'a Field<'a>,
    pub(super) members: &'a [usize],
}

impl Costs<'_> {
    fn member(&self, at: usize) -> &Candidate {
        &self.field.candidates[self.members[at]]
    }

    /// The distance in rank at which two members should be.
    pub(super) fn ideal_distance(&self) -> usize {
        match self.field.first_round() {
            Some(FirstRound::OddEven) => 1,
            _ => self.members.len() / 2,
        }
    }

    /// What the members at two places cost as a pair.
    pub(super) fn pair(&self, a: usize, b: usize) -> Tiers {
        let (a, b) = (a.min(b), a.max(b));
        let (upper, lower) = (self.member(a), self.member(b));
        let gap = u64::from(upper.points.abs_diff(lower.points));
        let same = self.colour_clash(upper, lower);
        let odd_even = self.field.first_round() == Some(FirstRound::OddEven);
        let by_lot = self.field.first_round() == Some(FirstRound::Draw);
        let deviation = if by_lot { 0 } else { (b - a).abs_diff(self.ideal_distance()) as u64 };
        Tiers {
            left_over: 0,
            rematches: u64::from(self.field.meet_again(upper, lower)),
            same_parity: u64::from(odd_even && upper.number.0 % 2 == lower.number.0 % 2),
            same_affiliation: u64::from(self.share_affiliation(upper, lower)),
            gap: gap * gap,
            floats: if gap == 0 { 0 } else { repeated(upper, Float::Down) + repeated(lower, Float::Up) },
            strong_colour: u64::from(same == Some(Strength::Strong)),
            mild_colour: u64::from(same == Some(Strength::Mild)),
            fold: deviation * deviation,
        }
    }

    /// What it costs to leave the member at this place over: the members below him, and the size of the pool more if he
    /// floated in the last round.
    pub(super) fn leaving(&self, at: usize) -> u64 {
        let size = self.members.len();
        let floated = self.member(at).floats[0].is_some();
        (size - 1 - at + if floated { size } else { 0 }) as u64
    }

    fn share_affiliation(&self, one: &Candidate, other: &Candidate) -> bool {
        self.field.input.round <= self.field.settings().apart_rounds
            && one.affiliations.iter().any(|it| other.affiliations.contains(it))
    }

    /// Whether both would have the same colour: strongly where both need it at least strongly.
    fn colour_clash(&self, one: &Candidate, other: &Candidate) -> Option<Strength> {
        let ((strength, wanted), (strength_too, too)) = (one.need?, other.need?);
        let clash = self.field.has_colours() && wanted == too;
        clash.then_some(strength.min(strength_too).min(Strength::Strong))
    }

    /// What all these pairs and those left over cost.
    pub(super) fn total(&self, pairs: &[(usize, usize)], left_over: &[usize]) -> Tiers {
        let mut total = Tiers { left_over: left_over.len() as u64, ..Tiers::default() };
        for (a, b) in pairs {
            let pair = self.pair(*a, *b);
            total.rematches += pair.rematches;
            total.same_parity += pair.same_parity;
            total.same_affiliation += pair.same_affiliation;
            total.gap += pair.gap;
            total.floats += pair.floats;
            total.strong_colour += pair.strong_colour;
            total.mild_colour += pair.mild_colour;
            total.fold += pair.fold;
        }
        total.gap += left_over.iter().map(|at| self.leaving(*at)).sum::<u64>();
        total
    }
}

fn repeated(candidate: &Candidate, float: Float) -> u64 {
    let [last, before] = candidate.floats.map(|it| it == Some(float));
    u64::from(last) * 2 + u64::from(before)
}

/// The most bits of a cost: the matching doubles costs and adds them, and the numbers have 128 with their sign.
const BITS_MAX: u32 = 122;

/// The tiers as fields of one number, the first the most significant.
///
/// Each field is as wide as the greatest total of the pool needs; in an event of 10,000 players and 9 rounds these are
/// at most 14 bits for affiliations, 21 for gaps of pairs, 17 for floats, 13 for each colour and 37 for the fold, 115 in
/// all, and no pool needs all of them at once.
pub(super) struct Packing {
    shifts: [u32; 8],
}

impl Packing {
    /// Fields wide enough for pairs that cost no more than `greatest` each, and for so many who leave the pool; an error
    /// where they do not fit into one number together.
    pub(super) fn new(size: usize, left_over: usize, greatest: &Tiers) -> Result<Packing, PairingError> {
        let (size, left_over) = (size as u64, left_over as u64);
        let mut totals = fields(greatest).map(|most| most.saturating_mul(size / 2));
        // To leave costs less than twice the size.
        totals[GAP] = totals[GAP].saturating_add(2 * size * left_over);
        let mut shifts = [0; 8];
        for at in (0..7).rev() {
            shifts[at] = shifts[at + 1] + bits(totals[at + 1]);
        }
        let fits = shifts[0] + bits(totals[0]) <= BITS_MAX;
        fits.then_some(Packing { shifts }).ok_or(PairingError::TooWide)
    }

    /// The cost of a pair as one number.
    pub(super) fn pair(&self, pair: &Tiers) -> i128 {
        fields(pair).iter().zip(self.shifts).map(|(value, shift)| i128::from(*value) << shift).sum()
    }

    /// The cost of leaving as one number.
    pub(super) fn leaving(&self, cost: u64) -> i128 {
        i128::from(cost) << self.shifts[GAP]
    }
}

/// Where the field of gaps is, to which the cost of leaving belongs.
const GAP: usize = 3;

fn fields(tiers: &Tiers) -> [u64; 8] {
    let Tiers {
        left_over: _,
        rematches,
        same_parity,
        same_affiliation,
        gap,
        floats,
        strong_colour,
        mild_colour,
        fold,
    } = *tiers;
    [rematches, same_parity, same_affiliation, gap, floats, strong_colour, mild_colour, fold]
}

/// Bits that numbers up to this one need.
fn bits(most: u64) -> u32 {
    u64::BITS - most.leading_zeros()
}

/// The greatest of each tier.
pub(super) fn greatest(costs: impl Iterator<Item = Tiers>) -> Tiers {
    costs.fold(Tiers::default(), |a, b| Tiers {
        left_over: 0,
        rematches: a.rematches.max(b.rematches),
        same_parity: a.same_parity.max(b.same_parity),
        same_affiliation: a.same_affiliation.max(b.same_affiliation),
        gap: a.gap.max(b.gap),
        floats: a.floats.max(b.floats),
        strong_colour: a.strong_colour.max(b.strong_colour),
        mild_colour: a.mild_colour.max(b.mild_colour),
        fold: a.fold.max(b.fold),
    })
}

#[cfg(test)]
mod tests {
    use super::{Packing, PairingError, Tiers};

    #[test]
    fn what_does_not_fit_into_one_number_is_refused() {
        // The most of every tier in an event of 10,000 players and 9 rounds, rematches and parities aside.
        let most = Tiers {
            same_affiliation: 1,
            gap: 324,
            floats: 6,
            strong_colour: 1,
            mild_colour: 1,
            fold: 25_000_000,
            ..Tiers::default()
        };
        assert!(Packing::new(10_000, 1, &most).is_ok());
        let rich = Tiers { gap: 100_000 * 100_000, ..most };
        assert_eq!(Packing::new(10_000, 1, &rich).err(), Some(PairingError::TooWide));
        let greatest = Tiers { gap: u64::MAX, fold: u64::MAX, ..most };
        assert_eq!(Packing::new(2, 0, &greatest).err(), Some(PairingError::TooWide));
    }
}

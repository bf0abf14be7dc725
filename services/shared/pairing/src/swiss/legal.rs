//! What no pairing may break (1.3 H1, H3, H4; H2 is with the bye, H5 with the choice of candidates).

use super::{
    explain::Why,
    field::{Candidate, Field},
    need::Strength,
};
use crate::{ColourLaw, Relaxed};

impl Field<'_> {
    /// Whether the two may meet.
    pub(super) fn legal(&self, a: usize, b: usize) -> bool {
        self.obstacle(a, b).is_none()
    }

    /// The rule by which the two must not meet.
    pub(super) fn obstacle(&self, a: usize, b: usize) -> Option<Why> {
        let (one, other) = (&self.candidates[a], &self.candidates[b]);
        if let Some(round) = met(one, other).filter(|_| self.settings().relaxed < Relaxed::Rematches) {
            return Some(Why::Met { round });
        }
        if self.clashes(one, other) {
            return Some(Why::AbsoluteColours);
        }
        let pair = (one.number.min(other.number), one.number.max(other.number));
        let prohibited = self.settings().relaxed < Relaxed::Prohibitions
            && !self.prohibited.is_empty()
            && self.prohibited.binary_search(&pair).is_ok();
        prohibited.then_some(Why::Prohibited)
    }

    /// Whether two meet again because that has been lifted.
    pub(super) fn meet_again(&self, one: &Candidate, other: &Candidate) -> bool {
        self.settings().relaxed >= Relaxed::Rematches && met(one, other).is_some()
    }

    /// H3: both need the same colour absolutely. In the last round it is lifted for who has more than half of the
    /// points, and in Jirige, where colours are then drawn, for everybody.
    fn clashes(&self, one: &Candidate, other: &Candidate) -> bool {
        let (Some((Strength::Absolute, wanted)), Some((Strength::Absolute, too))) = (one.need, other.need)
        else {
            return false;
        };
        let holds = self.settings().relaxed < Relaxed::AbsoluteColours && self.has_colours();
        let drawn = self.settings().colours == ColourLaw::Parity;
        let lifted = self.is_last_round() && (drawn || one.above_half || other.above_half);
        wanted == too && holds && !lifted
    }
}

/// The last round in which they have met.
fn met(one: &Candidate, other: &Candidate) -> Option<u16> {
    let after = one.met.partition_point(|(number, _)| *number <= other.number);
    after
        .checked_sub(1)
        .map(|at| one.met[at])
        .filter(|(number, _)| *number == other.number)
        .map(|(_, round)| round)
}

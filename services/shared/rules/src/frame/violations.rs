use core::num::NonZeroU8;

use crate::Side;

/// How often each side has broken a rule of conduct in a game, and how often is too often.
///
/// What counts is the caller's to say: in Jirige a repeated draw offer, a penalty of the arbiter, and an
/// illegal turn only where the event is strict (general rules 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violations {
    /// The violation that loses the game; `None` where they are only counted.
    limit: Option<NonZeroU8>,
    counts: [u8; 2],
}

impl Violations {
    /// The third violation in one game loses it (Jirige, part 4, losses, item 4).
    pub const JIRIGE_LIMIT: Option<NonZeroU8> = NonZeroU8::new(3);

    /// None so far; the one with the number `limit` loses the game, or none ever does.
    pub const fn new(limit: Option<NonZeroU8>) -> Violations {
        Violations { limit, counts: [0; 2] }
    }

    /// Counts a violation of a side; says whether the side has lost by it.
    pub fn add(&mut self, side: Side) -> bool {
        let count = &mut self.counts[side.index()];
        *count = count.saturating_add(1);
        self.has_lost(side)
    }

    /// How many a side has, up to 255.
    pub const fn count(&self, side: Side) -> u8 {
        self.counts[side.index()]
    }

    /// Whether a side has as many as lose a game.
    pub fn has_lost(&self, side: Side) -> bool {
        self.limit.is_some_and(|limit| self.count(side) >= limit.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_counted_apart_and_without_limit_nobody_loses() {
        let mut violations = Violations::new(None);
        for n in 1..=300_u16 {
            assert!(!violations.add(Side::Second));
            assert_eq!(u16::from(violations.count(Side::Second)), n.min(255));
        }
        assert_eq!(violations.count(Side::First), 0);
        let mut strict = Violations::new(NonZeroU8::new(1));
        assert!(strict.add(Side::First));
        assert!(strict.has_lost(Side::First) && !strict.has_lost(Side::Second));
    }
}

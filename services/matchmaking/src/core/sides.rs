//! Who has the first side.

use rules::Side;

/// Which sides a player has had so far in one variant, in matched games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// How often he was first.
    pub firsts: u32,
    /// How often he was second.
    pub seconds: u32,
    /// His last side; `None` before the first game.
    pub last: Option<Side>,
}

impl History {
    /// The history with one more game.
    #[must_use]
    pub fn and(self, side: Side) -> Self {
        let (first, second) = if side == Side::First { (1, 0) } else { (0, 1) };
        History {
            firsts: self.firsts.saturating_add(first),
            seconds: self.seconds.saturating_add(second),
            last: Some(side),
        }
    }

    /// By how many games he was first more often than second; negative for the other way round.
    pub fn surplus(self) -> i64 {
        i64::from(self.firsts) - i64::from(self.seconds)
    }
}

/// The side of the one player against the other: first is who was first less often (compared with how
/// often he was second); between equals, who was second last; else the coin decides (`true` for the one).
pub fn side_of_one(one: History, other: History, coin: bool) -> Side {
    let was_second = |history: History| history.last == Some(Side::Second);
    let one_is_first = match one.surplus().cmp(&other.surplus()) {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Greater => false,
        std::cmp::Ordering::Equal => match (was_second(one), was_second(other)) {
            (true, false) => true,
            (false, true) => false,
            _ => coin,
        },
    };
    if one_is_first { Side::First } else { Side::Second }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_history() -> impl Strategy<Value = History> {
        let last = prop::option::of(prop_oneof![Just(Side::First), Just(Side::Second)]);
        (0..6_u32, 0..6_u32, last).prop_map(|(firsts, seconds, last)| History { firsts, seconds, last })
    }

    #[test]
    fn fewer_firsts_then_last_second_then_the_coin() {
        let check = |one: (u32, u32, Option<Side>), other: (u32, u32, Option<Side>), expected| {
            let history = |(firsts, seconds, last)| History { firsts, seconds, last };
            for coin in [true, false] {
                let expected: Option<Side> = expected;
                let by_coin = if coin { Side::First } else { Side::Second };
                assert_eq!(
                    side_of_one(history(one), history(other), coin),
                    expected.unwrap_or(by_coin),
                    "{one:?} {other:?}"
                );
            }
        };
        check((0, 0, None), (0, 0, None), None);
        check((1, 0, Some(Side::First)), (0, 0, None), Some(Side::Second));
        check((9, 9, Some(Side::Second)), (0, 0, None), Some(Side::First));
        check((1, 1, Some(Side::First)), (2, 2, Some(Side::Second)), Some(Side::Second));
        check((1, 1, Some(Side::Second)), (2, 2, Some(Side::Second)), None);
        // How often counts before what was last.
        check((1, 3, Some(Side::First)), (2, 2, Some(Side::Second)), Some(Side::First));
    }

    proptest! {
        #[test]
        fn the_other_gets_the_other_side(one in any_history(), other in any_history(), coin: bool) {
            prop_assert_eq!(side_of_one(one, other, coin), side_of_one(other, one, !coin).other());
        }

        /// Whoever meets whom, nobody drifts away from as many firsts as seconds.
        #[test]
        fn sides_balance(games in prop::collection::vec((0..5_usize, 0..4_usize, any::<bool>()), 0..300)) {
            let mut histories = [History::default(); 5];
            for (one, step, coin) in games {
                let other = (one + 1 + step) % 5;
                let side = side_of_one(histories[one], histories[other], coin);
                histories[one] = histories[one].and(side);
                histories[other] = histories[other].and(side.other());
            }
            for history in histories {
                prop_assert!(history.surplus().abs() <= 5, "{histories:?}");
            }
        }

        /// Two players who always meet each other alternate.
        #[test]
        fn two_players_alternate(coins in prop::collection::vec(any::<bool>(), 2..40)) {
            let (mut one, mut other) = (History::default(), History::default());
            for coin in coins {
                let side = side_of_one(one, other, coin);
                prop_assert_ne!(Some(side), one.last);
                (one, other) = (one.and(side), other.and(side.other()));
                prop_assert!(one.surplus().abs() <= 1);
            }
        }
    }
}

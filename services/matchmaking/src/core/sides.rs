//! Who has the first side.

use rules::Side;

/// By how many games somebody counts as owed a side that he is bound to.
const BOUND: i32 = 4;

/// Which sides a player has had so far in one variant: in games that counted, and in those under way that may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// How often he was first.
    pub firsts: u32,
    /// How often he was second.
    pub seconds: u32,
    /// His last side; `None` before the first game, and after one that did not count.
    pub last: Option<Side>,
    /// The side of a game that he has spoiled: he gets it again until he has played it in one that counted, whatever else he is
    /// owed.
    pub bound: Option<Side>,
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
            bound: self.bound,
        }
    }

    /// The history after a game that is in it has counted.
    #[must_use]
    pub fn paid(self, side: Side) -> Self {
        History { bound: self.bound.filter(|bound| *bound != side), ..self }
    }

    /// The history without a game that did not count after all, which he has spoiled himself or not.
    #[must_use]
    pub fn without(self, side: Side, spoiled: bool) -> Self {
        let (first, second) = if side == Side::First { (1, 0) } else { (0, 1) };
        History {
            firsts: self.firsts.saturating_sub(first),
            seconds: self.seconds.saturating_sub(second),
            last: None,
            bound: if spoiled { Some(side) } else { self.bound },
        }
    }

    /// By how many games he was first more often than second; negative for the other way round.
    pub fn surplus(self) -> i64 {
        i64::from(self.firsts) - i64::from(self.seconds)
    }

    /// By how many games he is owed the second side more than the first, as it matters to whom he meets; negative for the
    /// other way round.
    pub fn owed(self) -> i32 {
        match self.bound {
            Some(Side::First) => -BOUND,
            Some(Side::Second) => BOUND,
            None => i32::try_from(self.surplus()).unwrap_or_default(),
        }
    }
}

/// The side of the one player against the other: who is bound to a side gets it, unless both are bound to the same; then
/// first is who was first less often (compared with how often he was second); between equals, who was second last; else the
/// coin decides (`true` for the one).
pub fn side_of_one(one: History, other: History, coin: bool) -> Side {
    match (one.bound, other.bound.map(Side::other)) {
        (Some(side), None) | (None, Some(side)) => return side,
        (Some(side), Some(same)) if side == same => return side,
        _ => {}
    }
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
        (0..6_u32, 0..6_u32, last.clone(), last).prop_map(|(firsts, seconds, last, bound)| History {
            firsts,
            seconds,
            last,
            bound,
        })
    }

    #[test]
    fn fewer_firsts_then_last_second_then_the_coin() {
        let check = |one: (u32, u32, Option<Side>), other: (u32, u32, Option<Side>), expected| {
            let history = |(firsts, seconds, last)| History { firsts, seconds, last, bound: None };
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

    #[test]
    fn who_spoils_a_game_gets_its_side_again_until_he_has_played_it() {
        let spoiled = History::default().and(Side::Second).without(Side::Second, true);
        assert_eq!((spoiled.firsts, spoiled.seconds, spoiled.last), (0, 0, None));
        let owed_second = History { firsts: 9, ..History::default() };
        assert_eq!(side_of_one(spoiled, owed_second, true), Side::Second, "whatever the other is owed");
        assert_eq!(side_of_one(owed_second, spoiled, true), Side::First);
        let meant = History { bound: Some(Side::First), ..History::default() };
        assert_eq!(side_of_one(spoiled, meant, true), Side::Second, "each gets his own");
        assert_eq!(
            side_of_one(spoiled, History { seconds: 1, ..spoiled }, true),
            Side::Second,
            "as if neither was"
        );
        let first = spoiled.and(Side::First).paid(Side::First);
        assert_eq!(first.bound, Some(Side::Second), "that was not it");
        let wronged = first.and(Side::Second).without(Side::Second, false);
        assert_eq!(wronged.bound, Some(Side::Second), "what another spoils pays nothing");
        assert_eq!(first.and(Side::Second).paid(Side::Second).bound, None);
        let harmed = History::default().and(Side::First).without(Side::First, false);
        assert_eq!(harmed, History::default(), "who was wronged owes nothing");
    }

    proptest! {
        /// No sequence of spoilt games gives anybody more of a side: whoever spoils those in which he has not got the side he
        /// wants, always and against whomever, is no farther from as many firsts as seconds than others are.
        #[test]
        fn no_sequence_of_aborts_gives_a_surplus(
            games in prop::collection::vec((0..5_usize, 0..4_usize, any::<bool>(), 0..4_u8), 1..400),
            wanted in prop_oneof![Just(Side::First), Just(Side::Second)],
        ) {
            let mut histories = [History::default(); 5];
            for (one, step, coin, whim) in games {
                let other = (one + 1 + step) % 5;
                let side = side_of_one(histories[one], histories[other], coin);
                histories[one] = histories[one].and(side);
                histories[other] = histories[other].and(side.other());
                // The first spoils whatever he does not like; all others now and then, by whim.
                let spoils = |player: usize, side: Side| (player == 0 && side != wanted) || (player != 0 && whim == 0);
                let by = [(one, side), (other, side.other())].into_iter().find(|(player, side)| spoils(*player, *side));
                if let Some((spoiler, _)) = by {
                    histories[one] = histories[one].without(side, spoiler == one);
                    histories[other] = histories[other].without(side.other(), spoiler == other);
                } else {
                    histories[one] = histories[one].paid(side);
                    histories[other] = histories[other].paid(side.other());
                }
            }
            for history in histories {
                prop_assert!(history.surplus().abs() <= 5, "{histories:?}");
            }
        }

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

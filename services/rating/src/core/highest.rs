//! Who stands highest, of players who are met one after the other.

use chassis::id::AccountId;

use super::{
    period::{KEPT_MAX, Led},
    player_rating::PlayerRating,
};

/// The [first](KEPT_MAX) of those who were met so far, and how many they were.
#[derive(Clone, Debug)]
pub struct Highest {
    provisional: bool,
    count: u32,
    players: Vec<(AccountId, PlayerRating)>,
}

impl Highest {
    /// Of those who are not provisional: they are ranked.
    pub const fn settled() -> Self {
        Highest::new(false)
    }

    /// Of those who are provisional.
    pub const fn provisional() -> Self {
        Highest::new(true)
    }

    const fn new(provisional: bool) -> Self {
        Highest { provisional, count: 0, players: Vec::new() }
    }

    /// How many were met who are such.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Meets a player by his rating as it is at the moment of the leaderboard. Whoever is not such is passed over.
    pub fn add(&mut self, account: AccountId, player: &PlayerRating) {
        if player.rating.is_provisional() != self.provisional {
            return;
        }
        self.count = self.count.saturating_add(1);
        self.players.push((account, player.clone()));
        // Not for each of them: it is as cheap for twice as many.
        if self.players.len() >= 2 * KEPT_MAX {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.players.sort_by(|(one, lower), (other, higher)| {
            let (lower, higher) = (lower.rating.value(), higher.rating.value());
            higher.total_cmp(&lower).then(other.cmp(one))
        });
        self.players.truncate(KEPT_MAX);
    }

    /// The places of the first, highest first; of those who stand level the one with the higher id, as the database has it.
    pub fn led(mut self) -> Vec<Led> {
        self.cut();
        let mut led: Vec<Led> = Vec::with_capacity(self.players.len());
        for (position, (account, player)) in (1..).zip(self.players) {
            let level = led
                .last()
                .filter(|last| last.player.rating.value().total_cmp(&player.rating.value()).is_eq());
            let rank = level.map_or(position, |last| last.rank);
            led.push(Led { position, rank, account, player });
        }
        led
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::core::glicko2::Rating;

    fn player(points: u16, deviation: u16) -> PlayerRating {
        let rating = Rating::new(f64::from(points), f64::from(deviation), 0.06);
        PlayerRating::beginning(rating)
    }

    proptest! {
        /// As sorting all of them has it, however they are met.
        #[test]
        fn the_first_are_those_of_all(
            met in prop::collection::vec((1_000_u16..1_040, prop::sample::select(vec![60_u16, 200])), 0..2 * 2_300),
            provisional: bool,
        ) {
            let mut highest = if provisional { Highest::provisional() } else { Highest::settled() };
            let mut all = Vec::new();
            for (id, (points, deviation)) in (0_u128..).zip(&met) {
                let account = AccountId::from(Uuid::from_u128(id * 7_919 % 104_729));
                highest.add(account, &player(*points, *deviation));
                if (*deviation > 110) == provisional {
                    all.push((*points, account));
                }
            }
            all.sort_by(|one, other| other.cmp(one));
            prop_assert_eq!(highest.count() as usize, all.len());
            let led = highest.led();
            let places: Vec<_> = led.iter().map(|it| (it.position as usize, it.account)).collect();
            let expected = all.iter().take(KEPT_MAX).map(|(_, account)| *account);
            prop_assert_eq!(places, (1..).zip(expected).collect::<Vec<_>>());
            for (led, (points, _)) in led.iter().zip(&all) {
                prop_assert_eq!(led.rank as usize, 1 + all.iter().filter(|(higher, _)| higher > points).count());
            }
        }
    }
}

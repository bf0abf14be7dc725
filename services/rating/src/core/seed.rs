//! Where somebody begins who has a rating of something alike.

use time::OffsetDateTime;

use super::{
    category::Category,
    glicko2::{self, Rating},
    player_rating::PlayerRating,
};

/// The least deviation of a rating that follows from another: strong on one board at one speed is a hint and no more.
pub const DEVIATION_MIN: f64 = 200.0;

/// The rating with which somebody begins in a category, by those that he has: the surest of the same variant, on any board and at
/// any speed, unless it is provisional by then. `None` where there is none.
pub fn seed<'a>(
    category: &Category,
    has: impl Iterator<Item = (&'a Category, &'a PlayerRating)>,
    now: OffsetDateTime,
) -> Option<Rating> {
    let alike = has.filter(|(other, player)| {
        *other != category && other.variant.base() == category.variant.base() && player.updated.is_some()
    });
    let by_then = alike.map(|(other, player)| (other, player.rating.idle(player.idle_until(now))));
    let sure = by_then.filter(|(_, rating)| !rating.is_provisional());
    let surest =
        sure.min_by(|(one, a), (other, b)| a.deviation().total_cmp(&b.deviation()).then(one.cmp(other)))?;
    Rating::new(
        surest.1.value(),
        DEVIATION_MIN.max(surest.1.deviation()),
        glicko2::Rating::INITIAL.volatility(),
    )
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;
    use crate::core::category::{Speed, Variant};

    #[test]
    fn the_surest_of_the_same_variant_is_what_one_begins_with() {
        let now = OffsetDateTime::UNIX_EPOCH + Duration::days(10_000);
        let category =
            |variant: &str, speed| Category { variant: Variant::parse(variant).expect("a name"), speed };
        let has = |value, deviation, days| PlayerRating {
            rating: Rating::new(value, deviation, 0.06).expect("a rating"),
            games: 30,
            name: "n".to_owned(),
            updated: Some(now - Duration::days(days)),
        };
        let small = category("go-9", Speed::Blitz);
        let of = |ratings: &[(Category, PlayerRating)]| {
            let seed = seed(&small, ratings.iter().map(|(category, player)| (category, player)), now);
            seed.map(|rating| (rating.value(), rating.deviation(), rating.volatility()))
        };
        let blitz = (category("go", Speed::Blitz), has(1800.0, 60.0, 1));
        let rapid = (category("go", Speed::Rapid), has(1900.0, 50.0, 1));
        let level = (category("go-13", Speed::Blitz), has(1700.0, 50.0, 1));
        let unsure = (category("go-9", Speed::Rapid), has(2000.0, 111.0, 0));
        let long_ago = (category("go-9", Speed::Classical), has(2100.0, 46.0, 2_000));
        let elsewhere = (category("jiu", Speed::Blitz), has(2200.0, 45.0, 0));
        let own = (small.clone(), has(2300.0, 45.0, 0));
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[unsure.clone(), long_ago.clone(), elsewhere.clone(), own.clone()]), None);
        assert_eq!(of(&[unsure.clone(), blitz.clone(), elsewhere]), Some((1800.0, 200.0, 0.06)));
        assert_eq!(
            of(&[level.clone(), rapid.clone(), blitz]),
            Some((1900.0, 200.0, 0.06)),
            "the first of equals"
        );
        assert_eq!(of(&[rapid, level, own]), Some((1900.0, 200.0, 0.06)));
    }
}

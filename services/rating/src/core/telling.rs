//! What is told of a game, and what was told of it before.

use super::game::Game;

/// The game is known already, with other players, another category or, by the same telling, another verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game is already rated with other players, variant, speed class or verdict")]
pub struct Contradiction;

/// What a telling of a game adds to those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Telling {
    /// It is the first.
    First,
    /// Nothing: it is a repetition, or an earlier one that comes late.
    Repeats,
    /// It corrects what is known: the game as it is from now on. When it ended and what its players were called stays as it
    /// was told first, so that it keeps its place.
    Corrects(Game),
}

impl Telling {
    /// What a telling is to what is known of the game.
    ///
    /// # Errors
    /// [`Contradiction`] when it cannot be the same game.
    pub fn of(told: &Game, known: Option<&Game>) -> Result<Telling, Contradiction> {
        let Some(known) = known else { return Ok(Telling::First) };
        let contradicts = told.sequence == known.sequence && told.told != known.told;
        let players = |game: &Game| game.players.each_ref().map(|player| player.id);
        let is_same = players(known) == players(told) && known.category.is_alike(&told.category);
        if !is_same || contradicts {
            return Err(Contradiction);
        }
        if told.sequence <= known.sequence {
            return Ok(Telling::Repeats);
        }
        Ok(Telling::Corrects(Game { told: told.told, sequence: told.sequence, ..known.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use rules::{Side, Verdict};
    use time::{Duration, OffsetDateTime};
    use uuid::Uuid;

    use super::*;
    use crate::core::{
        category::{Category, Speed, Variant},
        game::Player,
    };

    #[test]
    fn what_a_telling_adds() {
        let player = |number| Player { id: Uuid::from_u128(number).into(), name: "p".to_owned() };
        let category = Category { variant: Variant::parse("go").expect("a name"), speed: Speed::Blitz };
        let known = Game {
            id: Uuid::from_u128(9).into(),
            category: category.clone(),
            players: [player(1), player(2)],
            told: Verdict::Win(Side::First),
            annulled: false,
            event: None,
            federation: None,
            ended: OffsetDateTime::UNIX_EPOCH,
            sequence: 5,
            handicap: 0,
            acts: 100,
            ending: None,
        };
        let of = |told: &Game| Telling::of(told, Some(&known));
        assert_eq!(Telling::of(&known, None), Ok(Telling::First));
        assert_eq!(of(&known), Ok(Telling::Repeats));
        let drawn = |sequence| Game { told: Verdict::Draw, sequence, ..known.clone() };
        assert_eq!(of(&drawn(4)), Ok(Telling::Repeats), "an earlier one comes late");
        assert_eq!(of(&drawn(5)), Err(Contradiction));
        let mut later = Game { ended: known.ended + Duration::HOUR, ..drawn(6) };
        later.players[0].name = "renamed".to_owned();
        assert_eq!(of(&later), Ok(Telling::Corrects(drawn(6))), "it keeps its place and its names");
        let slow = Category { speed: Speed::Classical, ..category };
        for sequence in [4, 5, 6] {
            let turned = Game { players: [player(2), player(1)], sequence, ..known.clone() };
            let elsewhere = Game { category: slow.clone(), sequence, ..known.clone() };
            assert_eq!((of(&turned), of(&elsewhere)), (Err(Contradiction), Err(Contradiction)));
        }
        // Told again after boards came to be rated apart, it stays where it was rated.
        let small = Category { variant: Variant::parse("go-9").expect("a name"), ..known.category.clone() };
        let told = Game { category: small, ..drawn(6) };
        assert_eq!(of(&told), Ok(Telling::Corrects(drawn(6))));
    }
}

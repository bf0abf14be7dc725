//! Between protos and the types of `core`.

use api::{
    board::v1 as board, clock::v1::SpeedClass, fault::Fault, proto_enum, rating::v1 as pb, reason,
    time::moment, time::timestamp,
};
use chassis::{
    id::{AccountId, GameId},
    time::{from_micros, to_micros},
};
use time::OffsetDateTime;

use crate::core::{
    book::{Change, Key},
    category::{Category, Speed, Variant},
    game::{Game, Player, Side, Verdict},
    standing::Standing,
};

/// The longest name of a player, in characters; accounts have at most 24.
const NAME_CHARS_MAX: usize = 64;

/// Whose rating, and which.
///
/// # Errors
/// INVALID_ARGUMENT with reason BAD_ID or UNKNOWN_VARIANT.
pub fn key(account_id: &str, variant: &str, speed: SpeedClass) -> Result<Key, Fault> {
    Ok((AccountId::parse(account_id, "account_id")?, category(variant, speed)?))
}

/// A category.
///
/// # Errors
/// INVALID_ARGUMENT with reason UNKNOWN_VARIANT, also for an unknown speed class: there are no ratings for
/// such games.
pub fn category(variant: &str, speed: SpeedClass) -> Result<Category, Fault> {
    let unknown = |field, message| Fault::invalid(reason::UNKNOWN_VARIANT, field, message);
    Ok(Category {
        variant: Variant::parse(variant).ok_or_else(|| unknown("variant", "no such variant"))?,
        speed: speed
            .try_into()
            .map_err(|_| unknown("speed_class", "blitz, rapid, classical or correspondence"))?,
    })
}

/// A game whose result is reported. An end in the future (by the clock of another machine) becomes `now`.
///
/// # Errors
/// INVALID_ARGUMENT with reason BAD_ID or BAD_RESULT.
pub fn game(request: pb::ApplyResultRequest, now: OffsetDateTime) -> Result<Game, Fault> {
    let bad = |field, message: &str| Fault::invalid(reason::BAD_RESULT, field, message);
    let speed = request.speed_class();
    let verdict = request.verdict().try_into().map_err(|_| bad("verdict", "the game has not ended"))?;
    let category =
        category(&request.variant, speed).map_err(|fault| Fault { reason: reason::BAD_RESULT, ..fault })?;
    let ended = request
        .end_time
        .as_ref()
        .and_then(moment)
        .filter(|ended| *ended >= OffsetDateTime::UNIX_EPOCH)
        .ok_or_else(|| bad("end_time", "required, not before 1970"))?;
    let first = player(&request.first_id, request.first_name, ["first_id", "first_name"])?;
    let second = player(&request.second_id, request.second_name, ["second_id", "second_name"])?;
    if first.id == second.id {
        return Err(bad("second_id", "nobody plays against oneself"));
    }
    Ok(Game {
        id: GameId::parse(&request.game_id, "game_id")?,
        category,
        players: [first, second],
        verdict,
        // As the database will have it: a repeated call gets the very same answer.
        ended: from_micros(to_micros(ended.min(now))).unwrap_or(now),
    })
}

/// A rating as it is told; its deviation is that of the standing, so bring that to the moment first.
pub fn rating((account, category): &Key, standing: Standing) -> pb::Rating {
    pb::Rating {
        account_id: account.to_string(),
        variant: category.variant.to_string(),
        speed_class: SpeedClass::from(category.speed).into(),
        rating: standing.rating.value(),
        deviation: standing.rating.deviation(),
        volatility: standing.rating.volatility(),
        games: standing.games,
        provisional: standing.rating.is_provisional(),
        update_time: standing.updated.map(timestamp),
        name: standing.name,
    }
}

/// A change as it is told.
pub fn change(change: &Change) -> pb::RatingChange {
    pb::RatingChange {
        game_id: change.game.to_string(),
        time: change.after.updated.map(timestamp),
        opponent_id: change.opponent.to_string(),
        opponent_rating: change.opponent_before,
        verdict: board::Verdict::from(change.verdict).into(),
        side: board::Side::from(change.side).into(),
        rating_before: change.before,
        rating_after: change.after.rating.value(),
        deviation_after: change.after.rating.deviation(),
    }
}

fn player(id: &str, name: String, [id_field, name_field]: [&str; 2]) -> Result<Player, Fault> {
    let id = AccountId::parse(id, id_field)?;
    let chars = name.chars().count();
    if !(1..=NAME_CHARS_MAX).contains(&chars) || name.chars().any(char::is_control) {
        return Err(Fault::invalid(reason::BAD_RESULT, name_field, "1 to 64 printable characters"));
    }
    Ok(Player { id, name })
}

proto_enum!(Speed = SpeedClass { Blitz, Rapid, Classical, Correspondence });
proto_enum!(Side = board::Side { First, Second });
proto_enum!(Verdict = board::Verdict { FirstWins, SecondWins, Draw, BothLose, Void });

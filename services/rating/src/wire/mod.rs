//! Between protos and the types of `core`.

pub(crate) mod moderation;

use std::collections::BTreeSet;

use api::{
    board::v1 as board, clock::v1::SpeedClass, proto_enum, rating::v1 as pb, reason, time::moment,
    time::timestamp,
};
use chassis::{
    id::{AccountId, EventId, FederationId, GameId},
    page::Page,
    time::{from_micros, to_micros},
};
use scrutiny::Ending;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::core::{
    advantage::{Edition, HANDICAP_MAX},
    book::Change,
    category::{Category, Speed, Variant},
    game::{Game, Player},
    glicko2, grade,
    period::{Kept, Period},
    player_rating::{Key, PlayerRating},
    policy::{self, Case, POLICY, Rule},
    seed,
    standing::Placed,
    tally::Tally,
    whole_history::Point,
};

/// The longest name of a player, in characters; accounts have at most 24.
const NAME_CHARS_MAX: usize = 64;

/// The history that is asked for; a place in it is the number of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct History {
    /// Of which rating.
    pub key: Key,
    /// Which part.
    pub page: Page<u32>,
}

/// The leaderboard that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leaders {
    /// Of whose members; of everybody if of none.
    pub federation: Option<FederationId>,
    /// Of which category.
    pub category: Category,
    /// Those who are provisional, or those who are not.
    pub provisional: bool,
    /// At the end of which month; now if of none.
    pub period: Option<Period>,
    /// Which part.
    pub page: Page<Place>,
}

/// The graph that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    /// Of which rating.
    pub key: Key,
    /// From when.
    pub start: Option<OffsetDateTime>,
    /// Until when.
    pub end: Option<OffsetDateTime>,
    /// In how many steps at most.
    pub steps: u32,
}

/// The steps of a graph when nobody says otherwise: what a small picture shows.
const STEPS: u32 = 200;
/// The most steps of a graph: what a large one does.
const STEPS_MAX: u32 = 500;

/// A place in a leaderboard. The rating is kept by its bits: as a decimal it might come back as its neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    rating_bits: u64,
    /// Who stands there.
    pub account: Uuid,
    /// How many stand there or above in the list.
    pub position: u32,
    /// One more than have a higher rating.
    pub rank: u32,
}

impl Place {
    /// Where somebody stands who comes next below a place, or first.
    pub(crate) fn below(last: Option<Place>, key: &Key, player: &PlayerRating) -> Self {
        let rating_bits = player.rating.value().to_bits();
        let position = last.map_or(1, |last| last.position.saturating_add(1));
        let level = last.filter(|last| last.rating_bits == rating_bits);
        let rank = level.map_or(position, |last| last.rank);
        Place { rating_bits, account: key.account.uuid(), position, rank }
    }

    /// A place of a list that was kept.
    pub(crate) fn kept(key: &Key, player: &PlayerRating, (position, rank): (u32, u32)) -> Self {
        Place { rating_bits: player.rating.value().to_bits(), account: key.account.uuid(), position, rank }
    }

    /// The rating there.
    pub(crate) fn rating(self) -> f64 {
        f64::from_bits(self.rating_bits)
    }
}

impl TryFrom<pb::GetRatingRequest> for Key {
    type Error = api::Error;

    fn try_from(request: pb::GetRatingRequest) -> Result<Self, api::Error> {
        key(&request.account_id, &request.variant, request.speed_class())
    }
}

impl TryFrom<pb::RatingKey> for Key {
    type Error = api::Error;

    fn try_from(asked: pb::RatingKey) -> Result<Self, api::Error> {
        key(&asked.account_id, &asked.variant, asked.speed_class())
    }
}

impl TryFrom<pb::ListHistoryRequest> for History {
    type Error = api::Error;

    fn try_from(request: pb::ListHistoryRequest) -> Result<Self, api::Error> {
        let key = key(&request.account_id, &request.variant, request.speed_class())?;
        let list = format!("history/{}/{}/{}", key.account, request.variant, request.speed_class);
        Ok(History { key, page: Page::of(list, request.page_size, &request.page_token)? })
    }
}

impl TryFrom<pb::ListLeadersRequest> for Leaders {
    type Error = api::Error;

    fn try_from(request: pb::ListLeadersRequest) -> Result<Self, api::Error> {
        let category = category(&request.variant, request.speed_class())?;
        let pb::ListLeadersRequest { variant, speed_class, provisional, period, .. } = &request;
        let federation = federation(&request.federation_id)?;
        let list =
            format!("leaders/{variant}/{speed_class}/{provisional}/{period}{}", of_federation(federation));
        let page: Page<Place> = Page::of(list, request.page_size, &request.page_token)?;
        // The token may be forged, and NaN must not reach the database.
        if page.after.is_some_and(|place| !place.rating().is_finite()) {
            let message = "not a token from the list before";
            return Err(api::Error::invalid(reason::BAD_PAGE_TOKEN, "page_token", message));
        }
        let bad = |field, message| api::Error::invalid(reason::BAD_PERIOD, field, message);
        let parsed = Period::parse(period);
        if parsed.is_none() && !period.is_empty() {
            return Err(bad("period", "write a month as 2026-11"));
        }
        if parsed.is_some() && *provisional {
            return Err(bad("provisional", "of a month only those are kept who were ranked"));
        }
        Ok(Leaders { federation, category, provisional: *provisional, period: parsed, page })
    }
}

/// The months that are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Periods {
    /// Of whose members; of everybody if of none.
    pub federation: Option<FederationId>,
    /// Of which category.
    pub category: Category,
    /// Which part.
    pub page: Page<i16>,
}

impl TryFrom<pb::ListPeriodsRequest> for Periods {
    type Error = api::Error;

    fn try_from(request: pb::ListPeriodsRequest) -> Result<Self, api::Error> {
        let category = category(&request.variant, request.speed_class())?;
        let federation = federation(&request.federation_id)?;
        let pb::ListPeriodsRequest { variant, speed_class, .. } = &request;
        let list = format!("periods/{variant}/{speed_class}{}", of_federation(federation));
        Ok(Periods { federation, category, page: Page::of(list, request.page_size, &request.page_token)? })
    }
}

fn federation(asked: &str) -> Result<Option<FederationId>, api::Error> {
    (!asked.is_empty()).then(|| FederationId::parse(asked, "federation_id")).transpose()
}

/// What the name of a list ends with that is a federation's: nothing of others, as the version before names them.
fn of_federation(federation: Option<FederationId>) -> String {
    federation.map(|it| format!("/{it}")).unwrap_or_default()
}

/// A month of which a leaderboard was kept.
pub(crate) fn period(kept: &Kept) -> pb::Period {
    pb::Period { period: kept.period.to_string(), ranked: kept.ranked, keep_time: Some(timestamp(kept.at)) }
}

impl TryFrom<pb::GetGraphRequest> for Graph {
    type Error = api::Error;

    fn try_from(request: pb::GetGraphRequest) -> Result<Self, api::Error> {
        let key = key(&request.account_id, &request.variant, request.speed_class())?;
        let bad =
            |field| api::Error::invalid(reason::BAD_PERIOD, field, "a moment, and the end after the start");
        let read = |time: Option<prost_types::Timestamp>, field| match time {
            Some(time) => moment(&time).map(Some).ok_or_else(|| bad(field)),
            None => Ok(None),
        };
        let (start, end) = (read(request.start_time, "start_time")?, read(request.end_time, "end_time")?);
        if start.zip(end).is_some_and(|(start, end)| end <= start) {
            return Err(bad("end_time"));
        }
        let steps = if request.steps == 0 { STEPS } else { request.steps.min(STEPS_MAX) };
        Ok(Graph { key, start, end, steps })
    }
}

/// What is named by an id, if anything is.
fn named<T>(id: &str, parse: impl FnOnce(&str) -> Result<T, api::Error>) -> Result<Option<T>, api::Error> {
    if id.is_empty() { Ok(None) } else { parse(id).map(Some) }
}

/// Games that one call may ask about.
const GAMES_MAX: usize = 100;

/// The games whose changes are asked for.
pub(crate) fn games(request: &pb::ListGameChangesRequest) -> Result<BTreeSet<GameId>, api::Error> {
    if request.game_ids.len() > GAMES_MAX {
        let message = format!("at most {GAMES_MAX} games");
        return Err(api::Error::invalid(reason::BAD_BATCH, "game_ids", message));
    }
    request.game_ids.iter().map(|id| GameId::parse(id, "game_ids")).collect()
}

/// Two different players.
pub(crate) fn two(request: &pb::GetHeadToHeadRequest) -> Result<(AccountId, AccountId), api::Error> {
    let one = AccountId::parse(&request.account_id, "account_id")?;
    let other = AccountId::parse(&request.opponent_id, "opponent_id")?;
    if one == other {
        let message = "nobody plays against oneself";
        return Err(api::Error::invalid(reason::OWN_ACCOUNT, "opponent_id", message));
    }
    Ok((one, other))
}

impl TryFrom<pb::ApplyResultRequest> for Game {
    type Error = api::Error;

    fn try_from(request: pb::ApplyResultRequest) -> Result<Self, api::Error> {
        let bad = |field, message: &str| api::Error::invalid(reason::BAD_RESULT, field, message);
        let speed = request.speed_class();
        // One that is not known here yet is as one that was not told.
        let ending = match request.ending() {
            pb::GameEnding::Unspecified => None,
            pb::GameEnding::Played => Some(Ending::Played),
            pb::GameEnding::Resigned => Some(Ending::Resigned),
            pb::GameEnding::Left => Some(Ending::Left),
        };
        let told = request.verdict().try_into().map_err(|_| bad("verdict", "the game has not ended"))?;
        let category = category(&request.variant, speed)
            .map_err(|error| api::Error { reason: reason::BAD_RESULT, ..error })?;
        let ended = request.end_time.as_ref().and_then(moment);
        // As the database will have it: a repeated call gets the very same answer.
        let ended = ended.and_then(|ended| from_micros(to_micros(ended)));
        let ended = ended
            .filter(|ended| *ended >= OffsetDateTime::UNIX_EPOCH)
            .ok_or_else(|| bad("end_time", "required, not before 1970"))?;
        let first = player(&request.first_id, request.first_name, ["first_id", "first_name"])?;
        let second = player(&request.second_id, request.second_name, ["second_id", "second_name"])?;
        if first.id == second.id {
            return Err(bad("second_id", "nobody plays against oneself"));
        }
        let event = named(&request.event_id, |id| EventId::parse(id, "event_id"))?;
        let federation = named(&request.federation_id, |id| FederationId::parse(id, "federation_id"))?;
        let id = GameId::parse(&request.game_id, "game_id")?;
        let handicap = u8::try_from(request.handicap).ok().filter(|stones| *stones <= HANDICAP_MAX);
        let handicap = handicap.ok_or_else(|| bad("handicap", "at most nine stones"))?;
        let (sequence, acts) = (request.sequence, request.acts);
        Ok(Game {
            id,
            category,
            players: [first, second],
            told,
            annulled: false,
            event,
            federation,
            ended,
            sequence,
            handicap,
            acts,
            ending,
        })
    }
}

impl From<&Change> for pb::RatingChange {
    fn from(change: &Change) -> Self {
        pb::RatingChange {
            game_id: change.game.to_string(),
            time: change.after.updated.map(timestamp),
            opponent_id: change.opponent.to_string(),
            opponent_rating: change.opponent_before,
            verdict: board::Verdict::from(change.verdict).into(),
            side: board::Side::from(change.side).into(),
            rating_before: change.before.rating.value(),
            rating_after: change.after.rating.value(),
            deviation_after: change.after.rating.deviation(),
            cause_game_id: change.cause.map(|cause| cause.to_string()).unwrap_or_default(),
        }
    }
}

impl From<&Change> for pb::GameChange {
    fn from(change: &Change) -> Self {
        let category = &change.key.category;
        pb::GameChange {
            account_id: change.key.account.to_string(),
            variant: category.variant.to_string(),
            speed_class: SpeedClass::from(category.speed).into(),
            change: Some(change.into()),
        }
    }
}

/// Where a rating stood after a game.
pub(crate) fn graph_point(change: &Change) -> pb::GraphPoint {
    pb::GraphPoint {
        time: change.after.updated.map(timestamp),
        rating: change.after.rating.value(),
        deviation: change.after.rating.deviation(),
        games: change.after.games,
    }
}

/// Where somebody stood on a day by the whole history.
pub(crate) fn history_point(point: &Point) -> pb::HistoryPoint {
    pb::HistoryPoint {
        day: Some(timestamp(point.day.midnight().assume_utc())),
        rating: point.rating,
        deviation: point.deviation,
    }
}

/// What two players came to in a category.
pub(crate) fn head_to_head((category, tally): (Category, Tally)) -> pb::HeadToHead {
    pb::HeadToHead {
        variant: category.variant.to_string(),
        speed_class: SpeedClass::from(category.speed).into(),
        wins: tally.wins,
        losses: tally.losses,
        draws: tally.draws,
        last_time: tally.last.map(timestamp),
    }
}

/// What is rated, and how, with all that was ever said of what being first is worth.
pub(crate) fn policy(advantages: &[Edition]) -> pb::GetPolicyResponse {
    let rule = |rule: &Rule| pb::PolicyRule {
        case: pb::PolicyCase::from(rule.case).into(),
        rated: rule.rated,
        text: rule.text.to_owned(),
    };
    let initial = PlayerRating::INITIAL.rating;
    pb::GetPolicyResponse {
        version: policy::VERSION,
        rules: POLICY.iter().map(rule).collect(),
        parameters: Some(pb::RatingParameters {
            initial_rating: initial.value(),
            initial_deviation: initial.deviation(),
            initial_volatility: initial.volatility(),
            tau: glicko2::TAU,
            period: Some(api::time::duration(glicko2::PERIOD)),
            provisional_above: glicko2::PROVISIONAL_ABOVE,
            seed_deviation_min: seed::DEVIATION_MIN,
            deviation_min: *glicko2::DEVIATION_RANGE.start(),
        }),
        advantages: advantages.iter().map(Into::into).collect(),
    }
}

impl From<&Edition> for pb::Advantage {
    fn from(edition: &Edition) -> Self {
        pb::Advantage {
            variant: edition.variant.to_string(),
            start_time: Some(timestamp(edition.from)),
            first_move: edition.advantage.first_move(),
            stone: edition.advantage.stone(),
            games: edition.games,
        }
    }
}

/// A rating as it is told; its deviation is that of the last game, so bring that to the moment first.
pub(crate) fn rating(placed: Placed) -> pb::Rating {
    let Placed { key, player, standing, by_history } = placed;
    let standing = standing.map(|standing| pb::Standing {
        rank: standing.rank,
        ranked: standing.ranked,
        percentile: standing.percentile(),
        count_time: Some(timestamp(standing.counted)),
    });
    pb::Rating {
        standing,
        estimated_grade: player.updated.and_then(|_| grade::estimate(&key.category.variant, player.rating)),
        account_id: key.account.to_string(),
        variant: key.category.variant.to_string(),
        speed_class: SpeedClass::from(key.category.speed).into(),
        rating: player.rating.value(),
        deviation: player.rating.deviation(),
        volatility: player.rating.volatility(),
        games: player.games,
        provisional: player.rating.is_provisional(),
        update_time: player.updated.map(timestamp),
        name: player.name,
        by_history: by_history.map(|(point, read)| pb::HistoryRating {
            rating: point.rating,
            deviation: point.deviation,
            grade: grade::worth(&key.category.variant, point.rating),
            read_time: Some(timestamp(read)),
        }),
    }
}

fn key(account_id: &str, variant: &str, speed: SpeedClass) -> Result<Key, api::Error> {
    let account = AccountId::parse(account_id, "account_id")?;
    Ok(Key { account, category: category(variant, speed)? })
}

/// A category. An unknown speed class is an unknown variant, too: there are no ratings for such games.
fn category(variant: &str, speed: SpeedClass) -> Result<Category, api::Error> {
    let unknown = |field, message| api::Error::invalid(reason::UNKNOWN_VARIANT, field, message);
    Ok(Category {
        variant: Variant::parse(variant).ok_or_else(|| unknown("variant", "no such variant"))?,
        speed: speed
            .try_into()
            .map_err(|_| unknown("speed_class", "blitz, rapid, classical or correspondence"))?,
    })
}

fn player(id: &str, name: String, [id_field, name_field]: [&str; 2]) -> Result<Player, api::Error> {
    let id = AccountId::parse(id, id_field)?;
    let chars = name.chars().count();
    if !(1..=NAME_CHARS_MAX).contains(&chars) || name.chars().any(char::is_control) {
        return Err(api::Error::invalid(reason::BAD_RESULT, name_field, "1 to 64 printable characters"));
    }
    Ok(Player { id, name })
}

proto_enum!(
    Case = pb::PolicyCase {
        Finished,
        Forfeited,
        Unplayed,
        Adjourned,
        Corrected,
        Annulled,
        BothLost,
        Handicap,
        ChangedRules,
        UnequalTime,
        Time,
        ChosenSide,
        Guest,
        RepeatedOpponent,
        Event,
        Bot,
    }
);
proto_enum!(Speed = SpeedClass { Blitz, Rapid, Classical, Correspondence });

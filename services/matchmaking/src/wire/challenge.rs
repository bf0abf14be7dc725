//! Challenges between the protos and the plain types.

use api::{board::v1::Side as PbSide, clock::v1::SpeedClass, matchmaking::v1 as pb, reason};
use chassis::{
    id::{AccountId, ChallengeId, GameId},
    page::Page,
};
use rules::Side;
use sha2::{Digest as _, Sha256};
use time::{Duration, OffsetDateTime};

use super::{settings, window};
use crate::core::{
    Addressee, Arranged, ArrangedState, Challenge, ChallengePlace, ChallengeState, DeclineReason, LIFE_MAX,
    LIFE_MIN, LobbyNews, MESSAGE_MAX, Party, Settings, Sought, USES_MAX,
};

/// The shortest and the longest secret of a link: 128 bits in base64, and plenty.
const SECRET_LENGTH: std::ops::RangeInclusive<usize> = 22..=64;

/// The most variants that somebody looks for: more than there are.
const VARIANTS_MAX: usize = 16;

/// A challenge that somebody makes, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewChallenge {
    /// Its id.
    pub id: ChallengeId,
    /// What is to be played.
    pub settings: Settings,
    /// To whom it is; the name of an account is not known yet.
    pub to: Addressee,
    /// The side of who makes it, if he has chosen one.
    pub side: Option<Side>,
    /// What he says to it.
    pub message: String,
    /// How long it can be accepted, if that is said.
    pub life: Option<Duration>,
    /// When the game is to begin, if not when it is accepted.
    pub starts: Option<OffsetDateTime>,
    /// How often.
    pub uses: u32,
    /// Whether a bot may accept it.
    pub allow_bots: bool,
}

fn bad(field: &str, message: impl Into<String>) -> api::Error {
    api::Error::invalid(reason::CHALLENGE_MALFORMED, field, message.into())
}

impl TryFrom<pb::CreateChallengeRequest> for NewChallenge {
    type Error = api::Error;

    fn try_from(request: pb::CreateChallengeRequest) -> Result<Self, api::Error> {
        let to =
            match request.kind() {
                pb::ChallengeKind::Direct => {
                    let account = AccountId::parse(&request.to_account_id, "to_account_id")?;
                    Addressee::Direct(Party { account, name: String::new() })
                }
                pb::ChallengeKind::Link => Addressee::Link(hash(&request.secret).ok_or_else(|| {
                    bad("secret", "22 to 64 letters, digits, \"-\" or \"_\", made at random")
                })?),
                pb::ChallengeKind::Open => Addressee::Open(window(request.max_rating_difference)?),
                pb::ChallengeKind::Unspecified => return Err(bad("kind", "direct, link or open")),
            };
        let uses = request.uses.max(1);
        if uses > USES_MAX || (uses > 1 && !matches!(to, Addressee::Link(_))) {
            return Err(bad("uses", format!("a link at most {USES_MAX} times, any other once")));
        }
        let side = match request.side() {
            PbSide::Unspecified => None,
            side => side.try_into().ok(),
        };
        let settings = settings(request.settings.unwrap_or_default(), "settings")?;
        if settings.rated() && side.is_some() {
            let text = "in a rated game the sides are given by the games that both have played";
            return Err(api::Error::invalid(reason::NOT_RATEABLE, "side", text));
        }
        let is_long = request.message.chars().count() > MESSAGE_MAX;
        if is_long || request.message.chars().any(char::is_control) {
            return Err(bad("message", format!("at most {MESSAGE_MAX} printable characters")));
        }
        let life = match &request.expire_duration {
            None => None,
            Some(life) => {
                let life = api::time::span(life).and_then(|life| Duration::try_from(life).ok());
                let life = life.filter(|life| (LIFE_MIN..=LIFE_MAX).contains(life));
                Some(life.ok_or_else(|| bad("expire_duration", "a minute to 30 days"))?)
            }
        };
        let starts = match &request.start_time {
            None => None,
            Some(start) => Some(api::time::moment(start).ok_or_else(|| {
                api::Error::invalid(reason::BAD_START_TIME, "start_time", "there is no such time")
            })?),
        };
        if starts.is_some() && uses > 1 {
            return Err(bad("uses", "a game at a time is of two, and its link is used once"));
        }
        Ok(NewChallenge {
            id: ChallengeId::parse(&request.challenge_id, "challenge_id")?,
            settings,
            to,
            side,
            message: request.message,
            life,
            starts,
            uses,
            allow_bots: request.allow_bots,
        })
    }
}

/// The SHA-256 of a link's secret; `None` for what is none.
pub(crate) fn hash(secret: &str) -> Option<[u8; 32]> {
    let is_secret = SECRET_LENGTH.contains(&secret.len())
        && secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    is_secret.then(|| Sha256::digest(secret).into())
}

/// A page of open challenges, and of which variant.
pub(crate) fn open_page(
    request: &pb::ListOpenChallengesRequest,
) -> Result<(Option<&'static str>, Page<ChallengePlace>), api::Error> {
    let unknown = || api::Error::invalid(reason::UNKNOWN_VARIANT, "variant", "there is no such variant");
    let variant = match &*request.variant {
        "" => None,
        named => Some(rules::variant(named).ok_or_else(unknown)?.id),
    };
    let list = format!("open challenges {}", variant.unwrap_or_default());
    Ok((variant, Page::of(list, request.page_size, &request.page_token)?))
}

/// What somebody looks for, and up to which number he knows it.
pub(crate) fn sought(request: &pb::WatchOpenChallengesRequest) -> Result<(Sought, Option<u64>), api::Error> {
    let unknown = |field, message| api::Error::invalid(reason::UNKNOWN_VARIANT, field, message);
    if request.variants.len() > VARIANTS_MAX {
        let message = format!("{VARIANTS_MAX} at most");
        return Err(api::Error::invalid(reason::BAD_SETTINGS, "variants", message));
    }
    let variant = |named: &String| {
        rules::variant(named)
            .map(|variant| variant.id)
            .ok_or_else(|| unknown("variants", "there is no such variant"))
    };
    let variants = request.variants.iter().map(variant).collect::<Result<_, _>>()?;
    let mut speeds = Vec::new();
    for class in &request.speed_classes {
        if matches!(SpeedClass::try_from(*class), Ok(SpeedClass::Unspecified) | Err(_)) {
            return Err(unknown("speed_classes", "blitz, rapid, classical or correspondence"));
        }
        if !speeds.contains(class) {
            speeds.push(*class);
        }
    }
    let number = (request.after_number > 0).then_some(request.after_number);
    Ok((Sought { variants, rated: request.rated, speeds, bots: request.bots }, number))
}

/// What has changed among the open challenges.
pub(crate) fn lobby_news(news: &LobbyNews, now: OffsetDateTime) -> pb::WatchOpenChallengesResponse {
    pb::WatchOpenChallengesResponse {
        whole: news.whole,
        challenges: news.opened.iter().map(|it| challenge(it, now)).collect(),
        closed_ids: news.closed.iter().map(ChallengeId::to_string).collect(),
        number: news.number,
        ..pb::WatchOpenChallengesResponse::default()
    }
}

/// A challenge as it is told at a moment.
pub(crate) fn challenge(of: &Challenge, now: OffsetDateTime) -> pb::Challenge {
    let (kind, to, max_rating_difference) = match &of.to {
        Addressee::Direct(party) => (pb::ChallengeKind::Direct, Some(party), 0),
        Addressee::Link(_) => (pb::ChallengeKind::Link, None, 0),
        Addressee::Open(window) => (pb::ChallengeKind::Open, None, *window),
    };
    pb::Challenge {
        id: of.id.to_string(),
        account_id: of.from.account.to_string(),
        name: of.from.name.clone(),
        rating: of.rating,
        bot: of.bot,
        allow_bots: of.allow_bots,
        settings: Some((&of.settings).into()),
        side: of.side.map_or(PbSide::Unspecified, PbSide::from).into(),
        kind: kind.into(),
        to_account_id: to.map(|party| party.account.to_string()).unwrap_or_default(),
        to_name: to.map(|party| party.name.clone()).unwrap_or_default(),
        max_rating_difference,
        message: of.message.clone(),
        create_time: Some(api::time::timestamp(of.created)),
        expire_time: Some(api::time::timestamp(of.expires)),
        state: pb::ChallengeState::from(of.state_at(now)).into(),
        decline_reason: of.declined.map_or(pb::DeclineReason::Unspecified, pb::DeclineReason::from).into(),
        uses_left: of.uses_left,
        game_id: of.game.as_ref().map(GameId::to_string).unwrap_or_default(),
        start_time: of.starts.map(api::time::timestamp),
    }
}

/// An arranged game as it is told.
pub(crate) fn arranged(of: &Arranged) -> pb::ArrangedGame {
    let [asked, accepted] = &of.players;
    pb::ArrangedGame {
        game_id: of.game.to_string(),
        challenge_id: of.challenge.to_string(),
        settings: Some((&of.settings).into()),
        account_id: asked.account.to_string(),
        name: asked.name.clone(),
        opponent_id: accepted.account.to_string(),
        opponent_name: accepted.name.clone(),
        side: of.side.map_or(PbSide::Unspecified, PbSide::from).into(),
        start_time: Some(api::time::timestamp(of.starts)),
        state: pb::ArrangedGameState::from(of.state).into(),
        called_off_by_id: of.called_off_by.as_ref().map(AccountId::to_string).unwrap_or_default(),
    }
}

api::proto_enum!(ArrangedState = pb::ArrangedGameState { Coming, Begun, CalledOff });
api::proto_enum!(ChallengeState = pb::ChallengeState { Open, Accepted, Declined, Withdrawn, Expired });
api::proto_enum!(DeclineReason = pb::DeclineReason { Later, TimeControl, Settings, Rated, Side });

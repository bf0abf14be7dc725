//! Between the protos and the plain types.

mod challenge;
mod follow;
mod notice;

pub(crate) use challenge::{NewChallenge, arranged, challenge, hash, lobby_news, open_page, sought};
pub(crate) use follow::{cursor, follow, own_queue};
pub(crate) use notice::{NOTICES, maintenance, notices, of_event, owed};

use std::{collections::BTreeSet, time::Duration};

use api::{
    ProtoEnum,
    board::v1::Side as PbSide,
    clock::v1::SpeedClass,
    game::v1::{CreateGameRequest, Regulations, Seat},
    matchmaking::v1::{self as pb, enqueue_response::State},
    reason,
    time_control::TimeControl,
};
use chassis::{
    id::{AccountId, GameId, RequestId, TicketId},
    text,
};
use rules::RuleSet;

use crate::core::{
    BadSettings, Blocked, CHOICES_MAX, Cause, Conduct, Finished, Match, Outlook, Pause, PauseAct, Player,
    Settings, Status, WINDOW_DEFAULT, WINDOW_MAX, WINDOW_MIN,
};

/// The most options a request may change; no variant has as many.
const OPTIONS_MAX: usize = 64;
/// The longest name of a variant, rule set or option, and the longest value, in bytes.
const TEXT_MAX: usize = 64;

/// What a player asks for, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    /// The ticket's id.
    pub ticket: TicketId,
    /// What to play, what he would rather play first: one at least, and none twice.
    pub settings: Vec<Settings>,
    /// How far from his rating an opponent's may be, in points.
    pub window: u32,
    /// Whether he plays bots.
    pub allow_bots: bool,
}

impl TryFrom<pb::EnqueueRequest> for Ask {
    type Error = api::Error;

    fn try_from(request: pb::EnqueueRequest) -> Result<Self, api::Error> {
        Ok(Ask {
            ticket: TicketId::parse(&request.ticket_id, "ticket_id")?,
            settings: choices(request.settings.unwrap_or_default(), request.alternatives)?,
            window: window(request.max_rating_difference)?,
            allow_bots: request.allow_bots,
        })
    }
}

fn choices(
    first: pb::GameSettings,
    alternatives: Vec<pb::GameSettings>,
) -> Result<Vec<Settings>, api::Error> {
    let bad = |message: &str| api::Error::invalid(reason::BAD_SETTINGS, "alternatives", message);
    if alternatives.len() >= CHOICES_MAX {
        return Err(bad(&format!("{} at most", CHOICES_MAX - 1)));
    }
    let others = alternatives.into_iter().enumerate();
    let others = others.map(|(at, asked)| settings(asked, &format!("alternatives[{at}]")));
    let choices = std::iter::once(settings(first, "settings")).chain(others);
    let choices = choices.collect::<Result<Vec<Settings>, api::Error>>()?;
    if choices.iter().collect::<BTreeSet<_>>().len() < choices.len() {
        return Err(bad("two of these are the same game"));
    }
    Ok(choices)
}

fn settings(asked: pb::GameSettings, field: &str) -> Result<Settings, api::Error> {
    let at = |of: &str| format!("{field}.{of}");
    let too_long = |text: &str| text.len() > TEXT_MAX;
    if asked.options.len() > OPTIONS_MAX
        || asked.options.iter().any(|(name, value)| too_long(name) || too_long(value))
        || too_long(&asked.rule_set)
    {
        return Err(api::Error::invalid(reason::BAD_RULE_SET, &at("options"), "too many or too long"));
    }
    if too_long(&asked.variant) {
        return Err(api::Error::invalid(
            reason::UNKNOWN_VARIANT,
            &at("variant"),
            "no variant has such a long name",
        ));
    }
    let time_control = asked.time_control.as_ref().map_or(
        Err(api::Error::invalid(reason::BAD_TIME_CONTROL, &at("time_control"), "required")),
        |control| {
            TimeControl::try_from(control).map_err(|bad| {
                let field = at(&format!("time_control.{}", bad.field));
                api::Error::invalid(reason::BAD_TIME_CONTROL, &field, bad.detail)
            })
        },
    )?;
    let rule_set = RuleSet { id: asked.rule_set, options: asked.options.into_iter().collect() };
    Settings::new(&asked.variant, &rule_set, time_control, asked.rated).map_err(|bad| {
        let text = bad.to_string();
        match bad {
            BadSettings::UnknownVariant(_) => {
                api::Error::invalid(reason::UNKNOWN_VARIANT, &at("variant"), text)
            }
            BadSettings::TimeControl(bad) => api::Error::invalid(
                reason::BAD_TIME_CONTROL,
                &at(&format!("time_control.{}", bad.field)),
                text,
            ),
            BadSettings::NotRateable(_) => api::Error::invalid(reason::NOT_RATEABLE, &at("rated"), text),
            BadSettings::RuleSet(_) | BadSettings::Text => {
                api::Error::invalid(reason::BAD_RULE_SET, &at("options"), text)
            }
        }
    })
}

fn window(max_rating_difference: u32) -> Result<u32, api::Error> {
    match max_rating_difference {
        0 => Ok(WINDOW_DEFAULT),
        window if (WINDOW_MIN..=WINDOW_MAX).contains(&window) => Ok(window),
        _ => {
            let message = format!("from {WINDOW_MIN} to {WINDOW_MAX}, or 0 for {WINDOW_DEFAULT}");
            Err(api::Error::invalid(reason::BAD_WINDOW, "max_rating_difference", message))
        }
    }
}

/// Settings as a proto, with every option.
impl From<&Settings> for pb::GameSettings {
    fn from(settings: &Settings) -> Self {
        let options = settings.options().iter();
        pb::GameSettings {
            variant: settings.variant().to_owned(),
            rule_set: settings.rule_set().to_owned(),
            options: options.map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
            time_control: Some(settings.time_control().into()),
            rated: settings.rated(),
        }
    }
}

/// What a ticket is now, as a proto.
impl From<Status> for pb::EnqueueResponse {
    fn from(status: Status) -> Self {
        let span = |micros| api::time::duration(Duration::from_micros(micros));
        let state = match status {
            Status::Waiting { since, outlook: Outlook { pool_size, estimate }, window, others, leaves } => {
                State::Waiting(pb::enqueue_response::Waiting {
                    since_time: Some(api::time::timestamp(since)),
                    estimate_duration: estimate.map(|it| span(it.p50)),
                    estimate_most_duration: estimate.map(|it| span(it.p90)),
                    rating_difference: window,
                    pool_size,
                    other_pools: others.iter().map(pool).collect(),
                    leave_time: leaves.map(api::time::timestamp),
                })
            }
            Status::Offered { settings, until, accepted } => State::Offered(pb::enqueue_response::Offered {
                settings: Some((&*settings).into()),
                until_time: Some(api::time::timestamp(until)),
                accepted,
            }),
            Status::Matched { game, side, opponent } => State::Matched(pb::enqueue_response::Matched {
                game_id: game.to_string(),
                side: PbSide::from(side).into(),
                opponent_id: opponent.account.to_string(),
                opponent_name: opponent.name,
            }),
            Status::Cancelled => State::Cancelled(pb::enqueue_response::Cancelled {}),
            Status::Expired => State::Expired(pb::enqueue_response::Expired {}),
        };
        pb::EnqueueResponse { state: Some(state), ..Self::default() }
    }
}

api::proto_enum!(Conduct = pb::Conduct { Aborted, NoShow, Left, Stalled });

/// A game that is over, checked.
impl TryFrom<pb::NoteGameRequest> for Finished {
    type Error = api::Error;

    fn try_from(request: pb::NoteGameRequest) -> Result<Self, api::Error> {
        let bad = |field: &str, message: &str| api::Error::invalid(reason::BAD_RESULT, field, message);
        let variant = rules::variant(&request.variant).ok_or_else(|| {
            api::Error::invalid(reason::UNKNOWN_VARIANT, "variant", "there is no such variant")
        })?;
        let party = |party: Option<pb::GameParty>, field: &str| {
            let pb::GameParty { account_id, conduct } = party.unwrap_or_default();
            let account = AccountId::parse(&account_id, &format!("{field}.account_id"))?;
            let conduct: Option<Conduct> = ProtoEnum::of(conduct)
                .ok_or_else(|| bad(&format!("{field}.conduct"), "nobody behaves so"))?;
            Ok::<_, api::Error>((account, conduct))
        };
        let parties = [party(request.first, "first")?, party(request.second, "second")?];
        if parties[0].0 == parties[1].0 {
            return Err(bad("second.account_id", "nobody plays himself"));
        }
        let ended = request.end_time.as_ref().and_then(api::time::moment);
        Ok(Finished {
            game: GameId::parse(&request.game_id, "game_id")?,
            variant: variant.id,
            parties,
            counted: request.counted,
            ended: Some(ended.ok_or_else(|| bad("end_time", "required"))?),
        })
    }
}

impl From<&Pause> for pb::Pause {
    fn from(pause: &Pause) -> Self {
        let (game, conduct, reason) = match &pause.cause {
            Cause::Game { game, conduct, .. } => (game.to_string(), conduct.number(), String::new()),
            Cause::Moderator { reason, .. } => {
                (String::new(), pb::Conduct::Unspecified.into(), reason.clone())
            }
        };
        pb::Pause {
            game_id: game,
            conduct,
            begin_time: Some(api::time::timestamp(pause.begins)),
            end_time: Some(api::time::timestamp(pause.ends)),
            reason,
        }
    }
}

/// What a moderator wants of an account.
#[derive(Debug)]
pub(crate) struct NewPause {
    pub account: AccountId,
    /// For how long.
    pub length: time::Duration,
    /// Why.
    pub reason: String,
    /// By which request: the id of the act.
    pub request: RequestId,
}

/// The pause that a moderator asks for.
pub(crate) fn new_pause(request: pb::PauseAccountRequest) -> Result<NewPause, api::Error> {
    let pb::PauseAccountRequest { account_id, length, reason, request_id } = request;
    let length = length.and_then(|length| std::time::Duration::try_from(length).ok()).unwrap_or_default();
    Ok(NewPause {
        account: AccountId::parse(&account_id, "account_id")?,
        length: time::Duration::try_from(length).unwrap_or(time::Duration::MAX),
        reason: text::plain("reason", reason)?,
        request: RequestId::parse(&request_id, "request_id")?,
    })
}

/// What a moderator has done.
pub(crate) fn pause_act(act: &PauseAct) -> pb::PauseAct {
    pb::PauseAct {
        act_id: act.id.to_string(),
        time: Some(api::time::timestamp(act.at)),
        moderator_id: act.by.0.to_string(),
        moderator_name: act.by.1.clone(),
        account_id: act.account.to_string(),
        until_time: act.until.map(api::time::timestamp),
        reason: act.reason.clone(),
    }
}

impl From<Blocked> for pb::BlockedAccount {
    fn from(blocked: Blocked) -> Self {
        let since_time = Some(api::time::timestamp(blocked.since));
        pb::BlockedAccount { account_id: blocked.account.to_string(), name: blocked.name, since_time }
    }
}

/// A pool, and how many wait in it.
pub(crate) fn pool((settings, waiting): &(Settings, u32)) -> pb::Pool {
    pb::Pool { settings: Some(settings.into()), waiting: *waiting }
}

/// How long the players are waited for of a game that came of a challenge, which may have been accepted when its maker was away.
const ARRIVAL_CHALLENGED: Duration = Duration::from_mins(5);
/// The same of one that is played by correspondence.
const ARRIVAL_CORRESPONDENCE: Duration = Duration::from_hours(24);

/// The game that a match asks for. It begins when both have come, who are waited for so long: one of them may not
/// have been told.
pub(crate) fn commission(matched: &Match, arrival: Duration) -> CreateGameRequest {
    let is_slow = matched.settings.time_control().speed_class() == SpeedClass::Correspondence;
    let arrival = match matched.challenge {
        None => arrival,
        Some(_) if is_slow => ARRIVAL_CORRESPONDENCE,
        Some(_) => arrival.max(ARRIVAL_CHALLENGED),
    };
    let settings = pb::GameSettings::from(&matched.settings);
    CreateGameRequest {
        game_id: matched.game.to_string(),
        variant: settings.variant,
        rule_set: settings.rule_set,
        options: settings.options,
        time_control: settings.time_control,
        rated: settings.rated,
        first: Some((&matched.first).into()),
        second: Some((&matched.second).into()),
        regulations: Some(Regulations {
            arrival_duration: Some(api::time::duration(arrival)),
            ..Regulations::default()
        }),
    }
}

impl From<&Player> for Seat {
    fn from(player: &Player) -> Self {
        Seat { account_id: player.account.to_string(), name: player.name.clone(), rating: player.rating }
    }
}

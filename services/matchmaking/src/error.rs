//! Why a call is refused, and what that is on the wire.

use api::{matchmaking::v1 as pb, reason};
use chassis::{Throttle, database::StoreError, id::TicketId};
use live::LiveError;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use tonic::{Code, Status};

use crate::core::{
    Appointment, ArrangedState, BLOCKED_MAX, COMING_MAX, Cause, ChallengeState, OPEN_MAX, Occasion, Pause,
};

/// Why a call is refused or failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A guest asked for a rated game.
    #[error("rated games need a full account")]
    GuestNotRated,
    /// The player has spoiled a game, or a moderator said so, and he does not queue for a while.
    #[error("you do not queue until {}, because {}", until(.0), match &.0.cause {
        Cause::Game { game, conduct, .. } => format!("of game {game}: {conduct}"),
        Cause::Moderator { reason, .. } => format!("a moderator says: {reason}"),
    })]
    Paused(Pause),
    /// A moderator would have somebody pause for too short or too long.
    #[error("a pause lasts a minute at least, and 366 days at most")]
    BadLength,
    /// The id of the act was used before, for something else.
    #[error("this request_id was used for something else")]
    RequestReused,
    /// The player waits already.
    #[error("another ticket of this player waits")]
    TicketOpen(TicketId),
    /// The ticket's id was used before, for something else.
    #[error("this ticket_id was used for something else")]
    TicketDiffers,
    /// There is no such ticket of this player.
    #[error("there is no such ticket")]
    UnknownTicket,
    /// No game is offered to a ticket of this player.
    #[error("no game is offered to this ticket, or it is too late to answer")]
    NotOffered,
    /// There is no such challenge that the caller may see.
    #[error("there is no such challenge")]
    UnknownChallenge,
    /// The challenge's id was used before, for something else.
    #[error("this challenge_id was used for something else")]
    ChallengeDiffers,
    /// The challenge cannot be accepted or ended any more.
    #[error("the challenge is over: it {}", match .0 {
        ChallengeState::Open => "is open",
        ChallengeState::Accepted => "was accepted",
        ChallengeState::Declined => "was declined",
        ChallengeState::Withdrawn => "was taken back",
        ChallengeState::Expired => "has expired",
    })]
    ChallengeOver(ChallengeState),
    /// One of the two has blocked the other.
    #[error("the two of you do not play each other")]
    ChallengeRefused,
    /// The caller has as many open ones as he may.
    #[error("you have {OPEN_MAX} open challenges already, or one to the same account")]
    TooManyChallenges,
    /// The ratings are farther apart than who asks accepts.
    #[error("your ratings are too far apart")]
    TooFarApart,
    /// The caller named his own account.
    #[error("that is your own account")]
    OwnAccount,
    /// There is no such account.
    #[error("there is no such account")]
    UnknownAccount,
    /// A game cannot begin then.
    #[error("a game begins in a minute at least, in 30 days at most, and its challenge is over by then")]
    BadStartTime,
    /// He has as many arranged games before him as he may, or the other has.
    #[error("one of the two has {COMING_MAX} games before him already")]
    TooManyArranged,
    /// There is no such arranged game of the caller's.
    #[error("there is no such arranged game")]
    UnknownGame,
    /// It has begun, or was called off.
    #[error("the game has begun, or was called off")]
    ArrangementOver(ArrangedState),
    /// A game of his begins soon, or the platform is worked on.
    #[error("{}", what_is_near(.0))]
    Near(Appointment),
    /// A bot is not to accept it.
    #[error("this challenge is for people")]
    BotsNotWanted,
    /// The caller has blocked as many as he may.
    #[error("you have blocked {BLOCKED_MAX} accounts already")]
    TooManyBlocked,
    /// The accounts are not to be had.
    #[error("the accounts do not answer")]
    Accounts(#[source] Status),
    /// The ticket has become a game.
    #[error("the ticket has found an opponent")]
    TicketMatched,
    /// Too many wait for the same game.
    #[error("too many wait for this game")]
    PoolFull,
    /// The player's rating is not to be had.
    #[error("the ratings do not answer")]
    Rating(#[source] Status),
    /// The account follows what concerns it in as many streams as it may.
    #[error("the account has as many streams of this kind as it may")]
    TooManyStreams,
    /// The cursor is after everything that there is.
    #[error("the cursor is after the last notice")]
    BadCursor,
    /// The process is about to stop.
    #[error("this server is stopping; call again")]
    Stopping,
    /// The live state failed.
    #[error("the live state failed")]
    Live(#[from] LiveError),
    /// The database failed.
    #[error("the store failed")]
    Store(#[from] StoreError),
}

impl From<Error> for api::Error {
    fn from(error: Error) -> api::Error {
        let text = error.to_string();
        match error {
            Error::GuestNotRated => api::Error::new(Code::FailedPrecondition, reason::GUEST_NOT_RATED, text),
            Error::Paused(pause) => {
                let paused = api::Error::new(Code::FailedPrecondition, reason::QUEUE_PAUSED, text)
                    .with_metadata("until", until(&pause));
                match pause.cause {
                    Cause::Game { game, .. } => paused.with_metadata("game_id", game.to_string()),
                    Cause::Moderator { .. } => paused,
                }
            }
            Error::TooManyStreams => api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_STREAMS, text),
            Error::BadCursor => api::Error::new(Code::OutOfRange, reason::BAD_CURSOR, text),
            Error::BadLength => api::Error::invalid(reason::BAD_PERIOD, "length", text),
            Error::RequestReused => api::Error::new(Code::AlreadyExists, reason::REQUEST_ID_REUSED, text),
            Error::TicketOpen(ticket) => api::Error::new(Code::AlreadyExists, reason::TICKET_OPEN, text)
                .with_metadata("ticket_id", ticket.to_string()),
            Error::TicketDiffers => api::Error::new(Code::AlreadyExists, reason::TICKET_DIFFERS, text),
            Error::UnknownTicket => api::Error::new(Code::NotFound, reason::UNKNOWN_TICKET, text),
            Error::TicketMatched => api::Error::new(Code::FailedPrecondition, reason::TICKET_MATCHED, text),
            Error::UnknownChallenge => api::Error::new(Code::NotFound, reason::UNKNOWN_CHALLENGE, text),
            Error::ChallengeDiffers => api::Error::new(Code::AlreadyExists, reason::CHALLENGE_DIFFERS, text),
            Error::ChallengeOver(state) => {
                api::Error::new(Code::FailedPrecondition, reason::CHALLENGE_OVER, text)
                    .with_metadata("state", pb::ChallengeState::from(state).as_str_name())
            }
            Error::ChallengeRefused => {
                api::Error::new(Code::FailedPrecondition, reason::CHALLENGE_REFUSED, text)
            }
            Error::TooManyChallenges => {
                api::Error::new(Code::ResourceExhausted, reason::CHALLENGES_OPEN, text)
            }
            Error::TooFarApart => api::Error::new(Code::FailedPrecondition, reason::TOO_FAR_APART, text),
            Error::BadStartTime => api::Error::invalid(reason::BAD_START_TIME, "start_time", text),
            Error::TooManyArranged => {
                api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_ARRANGED, text)
            }
            Error::UnknownGame => api::Error::new(Code::NotFound, reason::UNKNOWN_GAME, text),
            Error::ArrangementOver(state) => {
                api::Error::new(Code::FailedPrecondition, reason::ARRANGEMENT_OVER, text)
                    .with_metadata("state", pb::ArrangedGameState::from(state).as_str_name())
            }
            Error::Near(next) => near(next, text),
            Error::BotsNotWanted => api::Error::new(Code::FailedPrecondition, reason::BOTS_NOT_WANTED, text),
            Error::OwnAccount => api::Error::invalid(reason::OWN_ACCOUNT, "account_id", text),
            Error::UnknownAccount => api::Error::new(Code::NotFound, reason::UNKNOWN_ACCOUNT, text),
            Error::TooManyBlocked => api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_BLOCKED, text),
            Error::Accounts(status) => {
                static COMPLAINTS: Throttle = Throttle::new();
                if let Some(held_back) = COMPLAINTS.admit() {
                    tracing::warn!(%status, held_back, "accounts are not to be had");
                }
                api::Error::unavailable(reason::IDENTITY_UNAVAILABLE, text)
            }
            Error::NotOffered => api::Error::new(Code::FailedPrecondition, reason::NOT_OFFERED, text),
            Error::Stopping => api::Error::unavailable(reason::STOPPING, text),
            Error::Rating(status) => {
                static COMPLAINTS: Throttle = Throttle::new();
                if let Some(held_back) = COMPLAINTS.admit() {
                    tracing::warn!(%status, held_back, "a rating is not to be had");
                }
                api::Error::unavailable(reason::RATING_UNAVAILABLE, text)
            }
            Error::PoolFull | Error::Live(LiveError::Full { .. }) => {
                api::Error::new(Code::ResourceExhausted, reason::POOL_FULL, text)
            }
            Error::Live(error) => chassis::error::live(&error),
            Error::Store(error) => chassis::error::store(&error),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Status {
        api::Error::from(error).into()
    }
}

/// When a pause ends, to the second in which it is over.
/// A refusal because something begins soon.
fn near(next: Appointment, text: String) -> api::Error {
    let begins = |reason, key| {
        api::Error::new(Code::FailedPrecondition, reason, text).with_metadata(key, rfc3339(next.starts))
    };
    match next.occasion {
        Occasion::Arranged(game) => {
            begins(reason::GAME_NEAR, "start_time").with_metadata("game_id", game.to_string())
        }
        Occasion::Board { event, round, table } => begins(reason::GAME_NEAR, "start_time")
            .with_metadata("event_id", event.to_string())
            .with_metadata("round", round.to_string())
            .with_metadata("table", table.to_string()),
        Occasion::Maintenance { ends } => {
            begins(reason::MAINTENANCE_NEAR, "begin_time").with_metadata("end_time", rfc3339(ends))
        }
    }
}

fn what_is_near(next: &Appointment) -> String {
    let begins = rfc3339(next.starts);
    match next.occasion {
        Occasion::Arranged(_) | Occasion::Board { .. } => format!("your game begins soon, at {begins}"),
        Occasion::Maintenance { ends } => {
            format!("the platform is worked on from {begins} to {}", rfc3339(ends))
        }
    }
}

fn until(pause: &Pause) -> String {
    let over = pause.ends + (time::Duration::SECOND - time::Duration::NANOSECOND);
    rfc3339(over.replace_nanosecond(0).unwrap_or(over))
}

fn rfc3339(moment: OffsetDateTime) -> String {
    moment.format(&Rfc3339).unwrap_or_else(|_| moment.to_string())
}

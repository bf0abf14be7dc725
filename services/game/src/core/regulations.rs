//! What is agreed on for a game beyond its rules.

use std::{num::NonZeroU8, time::Duration};

use chassis::id::{EventId, FederationId};
use time::OffsetDateTime;

/// How late a player may be if nobody says otherwise: `competition.md` 1.7 and the Jirige rules.
pub const LATENESS: Duration = Duration::from_mins(15);
/// The longest lateness that can be agreed on.
pub const LATENESS_MAX: Duration = Duration::from_hours(24);
/// How long a result can be contested if nobody says otherwise: `competition.md` 1.9.
pub const CONTEST: Duration = Duration::from_mins(30);
/// The longest time for contesting a result.
pub const CONTEST_MAX: Duration = Duration::from_hours(7 * 24);
/// The longest delay of a broadcast.
pub const BROADCAST_DELAY_MAX: Duration = Duration::from_hours(1);
/// The most warnings that a game can be made to bear.
pub const WARNINGS_MAX: u32 = 100;

/// What an event, or two players, have agreed on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is agreed on by itself")]
pub struct Regulations {
    /// The event; its officials may act in the game.
    pub event: Option<EventId>,
    /// The federation; its officials may act in the game.
    pub federation: Option<FederationId>,
    /// When play begins; if there is none, as soon as both have come, or at once.
    pub start: Option<OffsetDateTime>,
    /// How long the players of a game are waited for that begins as soon as both have come: by then they are told of
    /// it, or nobody is to blame that they were not.
    pub arrival: Option<Duration>,
    /// How late a player may be.
    pub lateness: Duration,
    /// Who has to confirm the result.
    pub confirmation: Confirmation,
    /// How long after the end the result can be contested.
    pub contest: Duration,
    /// What becomes of an act that the rules forbid.
    pub illegal_input: IllegalInput,
    /// How many warnings or violations lose the game, if not as many as the variant's rules say.
    pub warnings_max: Option<NonZeroU8>,
    /// Whether the game can be adjourned.
    pub adjournable: bool,
    /// When it is to be adjourned if it has not ended.
    pub sealing: Option<OffsetDateTime>,
    /// When it goes on after that.
    pub resumption: Option<OffsetDateTime>,
    /// How much later spectators see what happens.
    pub broadcast_delay: Duration,
    /// Whether the players can write to each other.
    pub player_chat: bool,
    /// Whether spectators can write.
    pub spectator_chat: bool,
    /// Whether who plays another game of the event may watch this one.
    pub watch_while_playing: bool,
}

/// Regulations that make no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidRegulations {
    /// The field at fault.
    pub field: &'static str,
    /// One sentence for a person.
    pub detail: &'static str,
}

/// Who has to confirm a result before it is final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// Nobody.
    Nobody,
    /// Both players.
    Players,
    /// Both players and an arbiter.
    PlayersAndArbiter,
}

/// What becomes of an act that the rules forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalInput {
    /// It is refused.
    Reject,
    /// It has happened, and the printed rules say what follows.
    Source,
}

impl Default for Regulations {
    fn default() -> Self {
        Regulations {
            event: None,
            federation: None,
            start: None,
            arrival: None,
            lateness: LATENESS,
            confirmation: Confirmation::Nobody,
            contest: CONTEST,
            illegal_input: IllegalInput::Reject,
            warnings_max: None,
            adjournable: false,
            sealing: None,
            resumption: None,
            broadcast_delay: Duration::ZERO,
            player_chat: true,
            watch_while_playing: false,
            spectator_chat: true,
        }
    }
}

impl Regulations {
    /// Makes sure that they make sense together and keep the limits.
    ///
    /// # Errors
    /// What does not.
    pub fn check(&self) -> Result<(), InvalidRegulations> {
        let invalid = |field, detail| Err(InvalidRegulations { field, detail });
        match () {
            () if self.lateness > LATENESS_MAX => invalid("lateness_duration", "lateness is at most 24 h"),
            () if self.arrival > Some(LATENESS_MAX) => {
                invalid("arrival_duration", "the players are waited for at most 24 h")
            }
            () if self.arrival.is_some() && self.start.is_some() => {
                invalid("arrival_duration", "a game begins at a time or as soon as both have come")
            }
            () if self.contest > CONTEST_MAX => {
                invalid("contest_duration", "a result can be contested for at most 7 days")
            }
            () if self.broadcast_delay > BROADCAST_DELAY_MAX => {
                invalid("broadcast_delay_duration", "a broadcast is delayed by at most 1 h")
            }
            () if self.warnings_max.is_some_and(|max| u32::from(max.get()) > WARNINGS_MAX) => {
                invalid("warnings_max", "at most 100 warnings")
            }
            () if self.sealing.is_some() && !self.adjournable => {
                invalid("sealing_time", "only an adjournable game is sealed")
            }
            () if self.resumption.is_some() && self.sealing.is_none() => {
                invalid("resumption_time", "without a sealing time there is no resumption time")
            }
            () if self.resumption <= self.sealing && self.resumption.is_some() => {
                invalid("resumption_time", "a game is resumed after it was sealed")
            }
            () if !self.broadcast_delay.is_zero() && !self.has_officials() => {
                let detail = "only games of an event or a federation are broadcast with a delay";
                invalid("broadcast_delay_duration", detail)
            }
            () if self.needs_officials() && !self.has_officials() => {
                invalid("event_id", "without an event or a federation nobody can arbitrate")
            }
            () => Ok(()),
        }
    }

    /// Whether play begins when the game is made, whoever is there.
    pub const fn begins_at_once(&self) -> bool {
        self.start.is_none() && self.arrival.is_none()
    }

    const fn needs_officials(&self) -> bool {
        self.adjournable
            || matches!(self.confirmation, Confirmation::PlayersAndArbiter)
            || matches!(self.illegal_input, IllegalInput::Source)
    }

    /// Whether the game belongs to somebody who has officials.
    pub const fn has_officials(&self) -> bool {
        self.event.is_some() || self.federation.is_some()
    }
}

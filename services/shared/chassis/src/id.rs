//! Ids with a type each, so that one cannot stand in for another.

use std::fmt;

use api::reason;
use uuid::Uuid;

macro_rules! typed_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Uuid);

        impl $name {
            /// Reads an id from a request; `field` names it in the error.
            ///
            /// # Errors
            /// INVALID_ARGUMENT with reason BAD_ID.
            pub fn parse(text: &str, field: &str) -> Result<Self, api::Error> {
                parse(text, field).map(Self)
            }

            /// The id as a UUID, for storage.
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl From<Uuid> for $name {
            fn from(uuid: Uuid) -> Self {
                Self(uuid)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

/// An id that follows from something else: the first 16 bytes of its digest, as a UUID of version 8 (RFC 9562).
pub fn of_digest(digest: [u8; 32]) -> Uuid {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

typed_id! {
    /// An account.
    AccountId
}
typed_id! {
    /// A game.
    GameId
}
typed_id! {
    /// A matchmaking ticket.
    TicketId
}
typed_id! {
    /// A game that somebody asks for.
    ChallengeId
}
typed_id! {
    /// A competition: a league, a tournament, a team match.
    EventId
}
typed_id! {
    /// A federation: an organisation that holds events.
    FederationId
}
typed_id! {
    /// A club of a federation.
    ClubId
}
typed_id! {
    /// A person as a federation knows him.
    MemberId
}
typed_id! {
    /// A team of a federation.
    TeamId
}
typed_id! {
    /// A file that an account sends.
    FileId
}
typed_id! {
    /// A league of a federation.
    LeagueId
}
typed_id! {
    /// A season of a league.
    SeasonId
}
typed_id! {
    /// A policy by which a federation makes rating lists.
    RatingPolicyId
}
typed_id! {
    /// The id by which a caller names one attempt at a change.
    RequestId
}

/// The field in which every change names itself.
const REQUEST: &str = "request_id";

fn parse(text: &str, field: &str) -> Result<Uuid, api::Error> {
    let uuid = Uuid::try_parse(text).map_err(|_| api::Error::invalid(reason::BAD_ID, field, "not a UUID"))?;
    if uuid.is_nil() {
        return Err(api::Error::invalid(reason::BAD_ID, field, "the nil UUID names nothing"));
    }
    if field == REQUEST {
        // What a client asks about by its id is found in the log.
        tracing::Span::current().record("request.id", tracing::field::display(uuid));
    }
    Ok(uuid)
}

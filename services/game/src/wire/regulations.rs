//! Regulations.

use std::{num::NonZeroU8, time::Duration};

use api::{ProtoEnum as _, game::v1 as pb, proto_enum};
use chassis::id::{EventId, FederationId};
use uuid::Uuid;

use super::{DecodeError, optional_moment, span_or};
use crate::core::{CONTEST, Confirmation, IllegalInput, LATENESS, Regulations};

proto_enum!(Confirmation = pb::Confirmation { Nobody, Players, PlayersAndArbiter });
proto_enum!(IllegalInput = pb::IllegalInput { Reject, Source });

impl From<&Regulations> for pb::Regulations {
    fn from(regulations: &Regulations) -> Self {
        let span = |span: Duration| (!span.is_zero()).then(|| api::time::duration(span));
        pb::Regulations {
            event_id: regulations.event.map_or_else(String::new, |event| event.to_string()),
            federation_id: regulations
                .federation
                .map_or_else(String::new, |federation| federation.to_string()),
            start_time: regulations.start.map(api::time::timestamp),
            lateness_duration: Some(api::time::duration(regulations.lateness)),
            confirmation: regulations.confirmation.number(),
            contest_duration: Some(api::time::duration(regulations.contest)),
            illegal_input: regulations.illegal_input.number(),
            warnings_max: regulations.warnings_max.map_or(0, |max| u32::from(max.get())),
            adjournable: regulations.adjournable,
            sealing_time: regulations.sealing.map(api::time::timestamp),
            resumption_time: regulations.resumption.map(api::time::timestamp),
            broadcast_delay_duration: span(regulations.broadcast_delay),
            player_chat_off: !regulations.player_chat,
            watch_while_playing: regulations.watch_while_playing,
            spectator_chat_off: !regulations.spectator_chat,
            arrival_duration: regulations.arrival.map(api::time::duration),
        }
    }
}

/// Regulations as they are stored or asked for; whether they make sense is not looked at.
impl TryFrom<&pb::Regulations> for Regulations {
    type Error = DecodeError;

    fn try_from(regulations: &pb::Regulations) -> Result<Self, DecodeError> {
        let id = |text: &str| match text {
            "" => Ok(None),
            id => {
                Uuid::try_parse(id).map(Some).map_err(|_| DecodeError("the id of an event or a federation"))
            }
        };
        Ok(Regulations {
            event: id(&regulations.event_id)?.map(EventId::from),
            federation: id(&regulations.federation_id)?.map(FederationId::from),
            start: optional_moment(regulations.start_time.as_ref(), "start time")?,
            lateness: span_or(regulations.lateness_duration.as_ref(), LATENESS)?,
            confirmation: Option::of(regulations.confirmation)
                .ok_or(DecodeError("confirmation"))?
                .unwrap_or(Confirmation::Nobody),
            contest: span_or(regulations.contest_duration.as_ref(), CONTEST)?,
            illegal_input: Option::of(regulations.illegal_input)
                .ok_or(DecodeError("illegal input"))?
                .unwrap_or(IllegalInput::Reject),
            warnings_max: match u8::try_from(regulations.warnings_max) {
                Ok(max) => NonZeroU8::new(max),
                Err(_) => return Err(DecodeError("warnings")),
            },
            adjournable: regulations.adjournable,
            sealing: optional_moment(regulations.sealing_time.as_ref(), "sealing time")?,
            resumption: optional_moment(regulations.resumption_time.as_ref(), "resumption time")?,
            broadcast_delay: span_or(regulations.broadcast_delay_duration.as_ref(), Duration::ZERO)?,
            player_chat: !regulations.player_chat_off,
            watch_while_playing: regulations.watch_while_playing,
            spectator_chat: !regulations.spectator_chat_off,
            arrival: match &regulations.arrival_duration {
                None => None,
                Some(span) => Some(api::time::span(span).ok_or(DecodeError("arrival"))?),
            },
        })
    }
}

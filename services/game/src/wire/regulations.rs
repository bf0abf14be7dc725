//! Regulations.

use std::{num::NonZeroU8, time::Duration};

use api::game::v1 as pb;
use chassis::id::{EventId, FederationId};
use uuid::Uuid;

use super::{DecodeError, optional_moment, span_or};
use crate::core::{CONTEST, Confirmation, IllegalInput, LATENESS, Regulations};

pub(crate) fn regulations_to_pb(regulations: &Regulations) -> pb::Regulations {
    let span = |span: Duration| (!span.is_zero()).then(|| api::time::duration(span));
    pb::Regulations {
        event_id: regulations.event.map_or_else(String::new, |event| event.to_string()),
        federation_id: regulations.federation.map_or_else(String::new, |federation| federation.to_string()),
        start_time: regulations.start.map(api::time::timestamp),
        lateness_duration: Some(api::time::duration(regulations.lateness)),
        confirmation: match regulations.confirmation {
            Confirmation::Nobody => pb::Confirmation::Unspecified,
            Confirmation::Players => pb::Confirmation::Players,
            Confirmation::PlayersAndArbiter => pb::Confirmation::PlayersAndArbiter,
        } as i32,
        contest_duration: Some(api::time::duration(regulations.contest)),
        illegal_input: match regulations.illegal_input {
            IllegalInput::Reject => pb::IllegalInput::Unspecified,
            IllegalInput::Source => pb::IllegalInput::Source,
        } as i32,
        warnings_max: regulations.warnings_max.map_or(0, |max| u32::from(max.get())),
        adjournable: regulations.adjournable,
        sealing_time: regulations.sealing.map(api::time::timestamp),
        resumption_time: regulations.resumption.map(api::time::timestamp),
        broadcast_delay_duration: span(regulations.broadcast_delay),
        player_chat_off: !regulations.player_chat,
        spectator_chat_off: !regulations.spectator_chat,
        arrival_duration: regulations.arrival.map(api::time::duration),
    }
}

/// Regulations as they are stored or asked for; whether they make sense is not looked at.
pub(crate) fn regulations_from_pb(regulations: &pb::Regulations) -> Result<Regulations, DecodeError> {
    let id = |text: &str| match text {
        "" => Ok(None),
        id => Uuid::try_parse(id).map(Some).map_err(|_| DecodeError("the id of an event or a federation")),
    };
    Ok(Regulations {
        event: id(&regulations.event_id)?.map(EventId::from),
        federation: id(&regulations.federation_id)?.map(FederationId::from),
        start: optional_moment(regulations.start_time.as_ref(), "start time")?,
        lateness: span_or(regulations.lateness_duration.as_ref(), LATENESS)?,
        confirmation: match pb::Confirmation::try_from(regulations.confirmation) {
            Ok(pb::Confirmation::Unspecified) => Confirmation::Nobody,
            Ok(pb::Confirmation::Players) => Confirmation::Players,
            Ok(pb::Confirmation::PlayersAndArbiter) => Confirmation::PlayersAndArbiter,
            Err(_) => return Err(DecodeError("confirmation")),
        },
        contest: span_or(regulations.contest_duration.as_ref(), CONTEST)?,
        illegal_input: match pb::IllegalInput::try_from(regulations.illegal_input) {
            Ok(pb::IllegalInput::Unspecified) => IllegalInput::Reject,
            Ok(pb::IllegalInput::Source) => IllegalInput::Source,
            Err(_) => return Err(DecodeError("illegal input")),
        },
        warnings_max: match u8::try_from(regulations.warnings_max) {
            Ok(max) => NonZeroU8::new(max),
            Err(_) => return Err(DecodeError("warnings")),
        },
        adjournable: regulations.adjournable,
        sealing: optional_moment(regulations.sealing_time.as_ref(), "sealing time")?,
        resumption: optional_moment(regulations.resumption_time.as_ref(), "resumption time")?,
        broadcast_delay: span_or(regulations.broadcast_delay_duration.as_ref(), Duration::ZERO)?,
        player_chat: !regulations.player_chat_off,
        spectator_chat: !regulations.spectator_chat_off,
        arrival: match &regulations.arrival_duration {
            None => None,
            Some(span) => Some(api::time::span(span).ok_or(DecodeError("arrival"))?),
        },
    })
}

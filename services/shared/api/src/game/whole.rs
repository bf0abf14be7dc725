//! The message `Game`, by hand: what a server shows again and again is encoded once.

use bytes::{Buf, BufMut, Bytes};
use prost::{
    DecodeError, Message,
    encoding::{DecodeContext, WireType, message, skip_field},
};
use prost_types::Timestamp;

use super::v1::{Audience, GameInfo, GameState, PlayedAct};
use crate::board::v1::Board;

/// Is a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Game {
    /// What does not change.
    pub info: Option<GameInfo>,
    /// Where it stands.
    pub state: Option<GameState>,
    /// The position, as the caller may see it; left out of lists.
    pub board: Option<Board>,
    /// Every act so far, in canonical notation, with all that has been revealed; left out of lists.
    pub acts: Vec<PlayedAct>,
    /// When the last event happened.
    pub update_time: Option<Timestamp>,
    /// How many watch it now besides the players; left out of lists.
    pub audience: Option<Audience>,
    /// Not a field of the message, but fields as they are sent: those that are not said above, when a server has encoded
    /// them before. A game of thousands of moves costs a copy then. Always empty in what was received.
    pub encoded: Bytes,
}

impl Game {
    /// Numbers and names of the fields of the message.
    pub const FIELDS: [(u32, &str); 6] =
        [(1, "info"), (2, "state"), (3, "board"), (4, "acts"), (5, "update_time"), (60, "audience")];

    /// The same game, whose fields are encoded now and never again.
    #[must_use]
    pub fn encoded_once(&self) -> Self {
        Game { encoded: self.encode_to_vec().into(), ..Game::default() }
    }

    /// The same game with every field said.
    ///
    /// # Errors
    /// When what has been encoded is no game.
    pub fn decoded(mut self) -> Result<Self, DecodeError> {
        let encoded = std::mem::take(&mut self.encoded);
        self.merge(encoded)?;
        Ok(self)
    }
}

impl Message for Game {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        say(1, self.info.as_ref(), buf);
        say(2, self.state.as_ref(), buf);
        say(3, self.board.as_ref(), buf);
        message::encode_repeated(4, &self.acts, buf);
        say(5, self.update_time.as_ref(), buf);
        buf.put_slice(&self.encoded);
        say(60, self.audience.as_ref(), buf);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        let merged = match tag {
            1 => message::merge(wire_type, self.info.get_or_insert_default(), buf, ctx),
            2 => message::merge(wire_type, self.state.get_or_insert_default(), buf, ctx),
            3 => message::merge(wire_type, self.board.get_or_insert_default(), buf, ctx),
            4 => message::merge_repeated(wire_type, &mut self.acts, buf, ctx),
            5 => message::merge(wire_type, self.update_time.get_or_insert_default(), buf, ctx),
            60 => message::merge(wire_type, self.audience.get_or_insert_default(), buf, ctx),
            _ => return skip_field(wire_type, tag, buf, ctx),
        };
        merged.map_err(|mut error| {
            if let Some((_, name)) = Game::FIELDS.iter().find(|(number, _)| *number == tag) {
                error.push("Game", name);
            }
            error
        })
    }

    fn encoded_len(&self) -> usize {
        len(1, self.info.as_ref())
            + len(2, self.state.as_ref())
            + len(3, self.board.as_ref())
            + message::encoded_len_repeated(4, &self.acts)
            + len(5, self.update_time.as_ref())
            + self.encoded.len()
            + len(60, self.audience.as_ref())
    }

    fn clear(&mut self) {
        *self = Game::default();
    }
}

fn say<M: Message>(tag: u32, field: Option<&M>, buf: &mut impl BufMut) {
    if let Some(field) = field {
        message::encode(tag, field, buf);
    }
}

fn len<M: Message>(tag: u32, field: Option<&M>) -> usize {
    field.map_or(0, |field| message::encoded_len(tag, field))
}

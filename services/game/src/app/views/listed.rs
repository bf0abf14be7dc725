//! Games of lists: the same few are listed again and again, so each is encoded once for every event.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use api::game::v1 as pb;
use bytes::Bytes;
use prost::Message as _;

use super::Weighed;
use crate::{core::Header, wire::StateAt};

/// A game without its position, as lists have it.
pub(crate) struct Listed {
    header: Header,
    /// The same as it is sent, once somebody has asked for it.
    encoded: OnceLock<Bytes>,
}

impl Listed {
    /// As it is sent.
    pub(crate) fn shown(&self) -> pb::Game {
        let encoded = || {
            let game = pb::Game {
                info: Some((&self.info).into()),
                state: Some(StateAt(self.sequence, &self.state).into()),
                update_time: Some(api::time::timestamp(self.updated)),
                ..pb::Game::default()
            };
            game.encode_to_vec().into()
        };
        pb::Game { encoded: self.encoded.get_or_init(encoded).clone(), ..pb::Game::default() }
    }
}

impl From<Header> for Listed {
    fn from(header: Header) -> Self {
        Listed { header, encoded: OnceLock::new() }
    }
}

impl Deref for Listed {
    type Target = Header;

    fn deref(&self) -> &Header {
        &self.header
    }
}

impl Weighed for Arc<Listed> {
    fn weight(&self) -> u64 {
        1
    }
}

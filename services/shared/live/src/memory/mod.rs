//! The live state in this process's memory: for one process only, gone when it ends.
//!
//! Tickets and deadlines, leases, throttles and presence each lie under one mutex, held for the length of one method and
//! never across an await. Sizes are limited by [`limits`](crate::limits).

mod deadlines;
mod leases;
mod presence;
mod throttles;
mod tickets;

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use parking_lot::Mutex;

use crate::fanout::{FanOut, Topics};
use crate::limits::{self, Limits, MESSAGE_MAX};
use crate::{Live, LiveError, PubSub, Subscription};

/// The live state in memory.
#[derive(Debug)]
pub(crate) struct Memory {
    limits: Limits,
    tickets: Mutex<tickets::Tickets>,
    deadlines: Mutex<deadlines::Deadlines>,
    leases: Mutex<leases::Leases>,
    throttles: Mutex<throttles::Throttles>,
    presence: Mutex<presence::Presence>,
    topics: Arc<Topics>,
}

impl Memory {
    /// An empty live state.
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            tickets: Mutex::new(tickets::Tickets::keeping(limits.changes)),
            deadlines: Mutex::default(),
            leases: Mutex::default(),
            throttles: Mutex::default(),
            presence: Mutex::default(),
            topics: Topics::local(),
        }
    }
}

#[async_trait]
impl PubSub for Memory {
    async fn publish(&self, topic: &str, message: Bytes) -> Result<(), LiveError> {
        limits::name("topic", topic)?;
        limits::size("message", message.len(), MESSAGE_MAX)?;
        self.topics.send(topic, message);
        Ok(())
    }

    async fn subscribe(&self, topic: &str) -> Result<Subscription, LiveError> {
        limits::name("topic", topic)?;
        self.topics.listen(topic)
    }
}

#[async_trait]
impl Live for Memory {
    async fn prove(&self) -> Result<(), LiveError> {
        Ok(())
    }

    fn shared(&self) -> bool {
        false
    }

    fn fan_out(&self) -> FanOut {
        self.topics.fan_out()
    }
}

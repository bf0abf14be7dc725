//! Every key and channel this crate uses in Redis, and nothing else does.
//!
//! | key | type | what |
//! | --- | --- | --- |
//! | `{P:tickets:3}:body` | hash | ticket id → its body, see `codec` |
//! | `{P:tickets:3}:end` | hash | id of an ended ticket → how it ended |
//! | `{P:tickets:3}:ended` | sorted set | id of an ended ticket, by when it ended |
//! | `{P:tickets:3}:held` | sorted set | id of a waiting ticket, by until when it is held |
//! | `{P:tickets:3}:owner` | hash | owner → id of the waiting ticket |
//! | `{P:tickets:3}:pools` | hash | pool → how many tickets wait; no zeros |
//! | `{P:tickets:3}:match` | hash | id of a pending match → its tickets as they waited |
//! | `{P:tickets:3}:free` | sorted set | id of a pending match, by when it may be handed out |
//! | `{P:tickets:3}:changes` | stream | what happened to tickets: an id, and its body or how it ended, see `codec` |
//! | `{P:tickets:3}:waiting` | sorted set | id of a waiting ticket, by when it was opened |
//! | `{P:deadlines:QUEUE}:entry` | hash | key → revision, due, payload |
//! | `{P:deadlines:QUEUE}:free` | sorted set | key, by when it may be handed out; those of the queue `proof` are empty |
//! | `P:lease:NAME` | string | owner and until when; expires long after it lapsed |
//! | `P:throttle:KEY` | string | when the key is paid off; expires long after that |
//! | `P:presence:KEY` | sorted set | member and node, by until when he is present through it; expires long after that |
//! | `P:topic:TOPIC` | channel | published messages |
//!
//! P is the platform's prefix, and 3 the version of how tickets are written: replicas that write them otherwise have tickets
//! of their own, and the streams of their clients hand them in again where they come to next. Tickets of all pools share
//! one hash tag, because nobody waits twice, whatever the pool; deadlines have one tag a queue. All scores are whole
//! microseconds below 2^53, which doubles hold exactly; the id of an entry of `changes` is when the life of the store
//! began, in microseconds, and the number of the change; ids are hyphenated text, which sorts like the ids.

/// The names of all keys of one platform.
#[derive(Debug)]
pub(super) struct Keys {
    prefix: String,
    tickets: [String; 10],
}

impl Keys {
    pub(super) fn new(prefix: &str) -> Self {
        let names = ["body", "end", "ended", "held", "owner", "pools", "match", "free", "changes", "waiting"];
        Self {
            prefix: prefix.to_owned(),
            tickets: names.map(|name| format!("{{{prefix}:tickets:3}}:{name}")),
        }
    }

    /// The keys of tickets, in the order in which `tickets.lua` takes them.
    pub(super) fn tickets(&self) -> &[String; 10] {
        &self.tickets
    }

    /// The ticket with which each owner waits.
    pub(super) fn owners(&self) -> &str {
        &self.tickets[4]
    }

    /// How many tickets wait in each pool.
    pub(super) fn pools(&self) -> &str {
        &self.tickets[5]
    }

    /// The keys of a queue: entries, and their order.
    pub(super) fn deadlines(&self, queue: &str) -> [String; 2] {
        ["entry", "free"].map(|name| format!("{{{}:deadlines:{queue}}}:{name}", self.prefix))
    }

    pub(super) fn lease(&self, name: &str) -> String {
        format!("{}:lease:{name}", self.prefix)
    }

    pub(super) fn throttle(&self, key: &str) -> String {
        format!("{}:throttle:{key}", self.prefix)
    }

    pub(super) fn presence(&self, key: &str) -> String {
        format!("{}:presence:{key}", self.prefix)
    }

    pub(super) fn channel(&self, topic: &str) -> String {
        format!("{}:topic:{topic}", self.prefix)
    }

    /// The topic of a channel.
    pub(super) fn topic<'a>(&self, channel: &'a str) -> Option<&'a str> {
        channel.strip_prefix(&self.prefix)?.strip_prefix(":topic:")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_and_topics_are_inverse() {
        let keys = Keys::new("p");
        assert_eq!(keys.topic(&keys.channel("game:7")), Some("game:7"));
        assert_eq!(keys.topic("q:topic:game:7"), None);
    }

    #[test]
    fn keys_of_one_script_share_a_hash_tag() {
        let tag = |key: &str| key.split_once('{').unwrap().1.split_once('}').unwrap().0.to_owned();
        let keys = Keys::new("p");
        assert!(keys.tickets().iter().all(|key| tag(key) == "p:tickets:3"));
        let [entry, free] = keys.deadlines("flags}");
        assert_eq!(tag(&entry), tag(&free));
    }
}

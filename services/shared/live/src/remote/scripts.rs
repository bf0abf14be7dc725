//! The Lua scripts, one a method that changes more than one key. Redis runs each without interruption.

use redis::Script;

/// All scripts, hashed once. Redis keeps them by hash; a server that has forgotten one is sent it again.
#[derive(Debug)]
pub(super) struct Scripts {
    pub(super) open: Script,
    pub(super) renew: Script,
    pub(super) renew_many: Script,
    pub(super) cancel: Script,
    pub(super) waiting: Script,
    pub(super) changes: Script,
    pub(super) expire: Script,
    pub(super) take_pairs: Script,
    pub(super) pending: Script,
    pub(super) complete: Script,
    pub(super) fail: Script,
    pub(super) set_deadline: Script,
    pub(super) prove: Script,
    pub(super) take_due: Script,
    pub(super) clear_deadline: Script,
    pub(super) lease: Script,
    pub(super) release: Script,
    pub(super) count: Script,
    pub(super) renew_presence: Script,
    pub(super) count_present: Script,
}

impl Scripts {
    /// The scripts of a platform that keeps so many changes of tickets.
    pub(super) fn new(changes: u32) -> Self {
        let about_tickets = |script: &str| {
            let tickets = include_str!("lua/tickets.lua");
            Script::new(&format!("local CHANGES_KEPT = {changes}\n{tickets}\n{script}"))
        };
        Self {
            open: about_tickets(include_str!("lua/open.lua")),
            renew: about_tickets(include_str!("lua/renew.lua")),
            renew_many: about_tickets(include_str!("lua/renew_many.lua")),
            cancel: about_tickets(include_str!("lua/cancel.lua")),
            waiting: about_tickets(include_str!("lua/waiting.lua")),
            changes: about_tickets(include_str!("lua/changes.lua")),
            expire: about_tickets(include_str!("lua/expire.lua")),
            take_pairs: about_tickets(include_str!("lua/take_pairs.lua")),
            pending: about_tickets(include_str!("lua/pending.lua")),
            complete: about_tickets(include_str!("lua/complete.lua")),
            fail: about_tickets(include_str!("lua/fail.lua")),
            set_deadline: Script::new(include_str!("lua/set_deadline.lua")),
            prove: Script::new(include_str!("lua/prove.lua")),
            take_due: Script::new(include_str!("lua/take_due.lua")),
            clear_deadline: Script::new(include_str!("lua/clear_deadline.lua")),
            lease: Script::new(include_str!("lua/lease.lua")),
            release: Script::new(include_str!("lua/release.lua")),
            count: Script::new(include_str!("lua/count.lua")),
            renew_presence: Script::new(include_str!("lua/renew_presence.lua")),
            count_present: Script::new(include_str!("lua/count_present.lua")),
        }
    }
}

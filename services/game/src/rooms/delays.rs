//! What of a turn the platform itself took, and no player is charged for: an event that was told late, and an act that
//! could not be taken when it came.
//!
//! It is remembered in the room, not written down: who is charged again after a crash is given back the outage.

use std::time::Duration;

use chassis::id::{AccountId, RequestId};
use time::OffsetDateTime;

use crate::{core::Game, store::Outage};

/// What is shorter cannot be told from a busy machine, and is not worth a step of the clocks.
const DELAY_MIN: Duration = Duration::from_millis(200);
/// So soon after it was refused for the platform's sake an act has to come again: longer than clients wait before they
/// try again. Who thinks again meanwhile pays for the rest.
const RETRY_MAX: Duration = Duration::from_secs(3);
/// Acts of a game that are remembered at the same time.
const ATTEMPTS_MAX: usize = 4;

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    from: OffsetDateTime,
    until: OffsetDateTime,
}

/// An act that came and could not be taken.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    account: AccountId,
    request: RequestId,
    /// When it first came, and when it last failed.
    span: Span,
}

/// The delays of the turn that runs in a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Delays {
    /// When the event was that the turn began with, and when it was told.
    told: Option<Span>,
    /// An event that begins a turn and may have been written or not: its number, and when it was.
    unsure: Option<(u64, OffsetDateTime)>,
    attempts: Vec<Attempt>,
}

impl Delays {
    /// An event that begins a turn was written, and is told now.
    pub(super) fn told(&mut self, from: OffsetDateTime, now: OffsetDateTime) {
        *self = Delays { told: Some(Span { from, until: now }), ..Delays::default() };
    }

    /// An event that begins a turn may have been written or not.
    pub(super) fn unsure(&mut self, sequence: u64, time: OffsetDateTime) {
        self.unsure = Some((sequence, time));
    }

    /// A game was read from its log: so it is known now whether that event was written, and only now it is told.
    pub(super) fn read(&mut self, game: &Game, now: OffsetDateTime) {
        if self.unsure.take() == Some((game.sequence, game.updated)) {
            self.told(game.updated, now);
        }
    }

    /// An act could not be taken, for no fault of its player.
    pub(super) fn failed(
        &mut self,
        account: AccountId,
        request: RequestId,
        span: (OffsetDateTime, OffsetDateTime),
    ) {
        let (from, until) = span;
        let known = |attempt: &&mut Attempt| (attempt.account, attempt.request) == (account, request);
        if let Some(attempt) = self.attempts.iter_mut().find(known) {
            attempt.span.until = until;
            return;
        }
        self.attempts.retain(|attempt| attempt.account != account && until - attempt.span.until < RETRY_MAX);
        if self.attempts.len() < ATTEMPTS_MAX {
            self.attempts.push(Attempt { account, request, span: Span { from, until } });
        }
    }

    /// Everything of before this moment was given back.
    pub(super) fn settled(&mut self, until: OffsetDateTime) {
        self.told = self.told.filter(|told| told.from >= until);
        self.attempts.retain(|attempt| attempt.span.from >= until);
    }

    /// Another replica has written, and knows when it told it.
    pub(super) fn others_wrote(&mut self) {
        self.told = None;
    }

    /// What of the turn that runs is to be given back to its player, who acts now with this request, or whose flag is
    /// looked at. Outages are given back by themselves. Nothing if it is not worth it.
    pub(super) fn owed(
        &self,
        (account, request): (AccountId, Option<RequestId>),
        now: OffsetDateTime,
        outages_after: impl Fn(OffsetDateTime) -> Vec<Outage>,
    ) -> Option<Duration> {
        let told = self.told.map(|told| Span { until: told.until.min(now), ..told });
        let attempt = self.attempts.iter().find(|attempt| {
            attempt.account == account && request.is_none_or(|request| request == attempt.request)
        });
        let tried = attempt.map(|attempt| Span {
            from: told.map_or(attempt.span.from, |told| told.until.max(attempt.span.from)),
            until: now.min(attempt.span.until + RETRY_MAX),
        });
        let spans = [told, tried].into_iter().flatten().filter(|span| span.length() >= DELAY_MIN / 2);
        let owed: Duration = spans.map(|span| span.without(&outages_after(span.from))).sum();
        Some(owed).filter(|owed| *owed >= DELAY_MIN)
    }
}

impl Span {
    /// How long it is.
    fn length(self) -> Duration {
        Duration::try_from(self.until - self.from).unwrap_or(Duration::ZERO)
    }

    /// How long it is without the outages in it, which do not overlap.
    fn without(self, outages: &[Outage]) -> Duration {
        let within =
            |outage: &Outage| Span { from: outage.from.max(self.from), until: outage.until.min(self.until) };
        self.length().saturating_sub(outages.iter().map(|outage| within(outage).length()).sum())
    }
}

#[cfg(test)]
mod tests {
    use chassis::Ambient;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn at(seconds: f64) -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + Duration::from_secs_f64(seconds)
    }

    fn ids() -> (AccountId, RequestId) {
        let ambient = Ambient::system();
        (AccountId::from(ambient.uuid()), RequestId::from(ambient.uuid()))
    }

    fn none(_: OffsetDateTime) -> Vec<Outage> {
        Vec::new()
    }

    #[test]
    fn what_was_told_late_is_owed_and_nothing_that_is_not_worth_it() {
        let (account, request) = ids();
        let mut delays = Delays::default();
        delays.told(at(0.0), at(0.15));
        assert_eq!(delays.owed((account, Some(request)), at(9.0), none), None);
        delays.told(at(10.0), at(12.0));
        assert_eq!(delays.owed((account, Some(request)), at(19.0), none), Some(2 * SECOND));
        assert_eq!(delays.owed((account, Some(request)), at(11.0), none), Some(SECOND), "he knew before");
        delays.settled(at(19.0));
        assert_eq!(delays.owed((account, Some(request)), at(19.0), none), None);
    }

    #[test]
    fn an_act_that_comes_again_counts_as_when_it_came_first() {
        let (account, request) = ids();
        let mut delays = Delays::default();
        delays.told(at(0.0), at(0.0));
        for second in [1.0, 2.0, 3.0] {
            delays.failed(account, request, (at(second), at(second + 0.5)));
        }
        assert_eq!(delays.owed((account, Some(request)), at(4.0), none), Some(3 * SECOND));
        assert_eq!(delays.owed((account, None), at(4.0), none), Some(3 * SECOND), "his flag does not fall");
        let (other, another) = ids();
        assert_eq!(delays.owed((account, Some(another)), at(4.0), none), None, "another act");
        assert_eq!(delays.owed((other, Some(request)), at(4.0), none), None, "somebody else's");
        let late = delays.owed((account, Some(request)), at(60.0), none);
        assert_eq!(late, Some(Duration::from_millis(2500) + RETRY_MAX), "who thinks again pays for it");
    }

    #[test]
    fn outages_are_not_given_back_twice() {
        let (account, request) = ids();
        let mut delays = Delays::default();
        delays.told(at(0.0), at(1.0));
        delays.failed(account, request, (at(2.0), at(9.0)));
        let outages = |after: OffsetDateTime| {
            let all = [Outage { from: at(0.5), until: at(1.5) }, Outage { from: at(3.0), until: at(7.0) }];
            all.into_iter().filter(|outage| outage.until > after).collect()
        };
        assert_eq!(
            delays.owed((account, Some(request)), at(9.0), outages),
            Some(SECOND / 2 + 3 * SECOND),
            "half a second of being told late, and three of trying"
        );
    }

    #[test]
    fn strangers_do_not_push_an_attempt_out() {
        let (account, request) = ids();
        let mut delays = Delays::default();
        delays.failed(account, request, (at(1.0), at(2.0)));
        for _ in 0..10 {
            let (stranger, theirs) = ids();
            delays.failed(stranger, theirs, (at(1.0), at(2.0)));
        }
        assert!(delays.attempts.len() <= ATTEMPTS_MAX);
        assert_eq!(delays.owed((account, Some(request)), at(2.0), none), Some(SECOND));
    }
}

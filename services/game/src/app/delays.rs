//! What of a turn the platform itself took, and no player is charged for: an event that was told late, and an act that
//! could not be taken when it came.
//!
//! It is remembered in the room, not written down, so only the replica that was late, or refused, gives it back: who
//! acts through another one, or after a crash, is given back the outage, if there was one, and nothing else.

use std::time::Duration;

use chassis::id::{AccountId, RequestId};
use time::OffsetDateTime;

use crate::{core::Game, store::Outage};

/// What is shorter cannot be told from a busy machine, and is not worth a step of the clocks.
const DELAY_MIN: Duration = Duration::from_millis(200);
/// So soon after it was refused for the platform's sake an act has to come again: longer than clients wait before they
/// try again. Who thinks again meanwhile pays for the rest.
const RETRY_MAX: Duration = Duration::from_secs(3);
/// Acts of a game that are remembered at the same time: of each player the one that failed and the one that waits.
const ATTEMPTS_MAX: usize = 4;
/// Calls of the same act that wait at the same time and are remembered.
const WAITING_MAX: usize = 8;
/// Spans of an act that are remembered: the platform may fail again and again while its player thinks.
const SPANS_MAX: usize = 16;
/// Tries to write the same event that are remembered.
const UNCONFIRMED_MAX: usize = 8;
/// How long it is looked whether an event was written after all: a commit does not hang for longer.
const UNCONFIRMED_FOR: time::Duration = time::Duration::minutes(1);

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    from: OffsetDateTime,
    until: OffsetDateTime,
}

/// What is to be given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refund {
    /// How much.
    pub length: Duration,
    /// When the last of it was.
    pub until: OffsetDateTime,
}

/// An act that came and could not be taken, or waits.
#[derive(Clone, Debug)]
struct Attempt {
    account: AccountId,
    request: RequestId,
    /// From when it came until it last failed, in order: a new one whenever it was thought about in between.
    spans: Vec<Span>,
    /// The calls that have no answer yet. Who gets none asks again, and whichever call comes through first must know
    /// since when he waits.
    waiting: Vec<Waiting>,
}

/// A call without an answer.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// When it came.
    came: OffsetDateTime,
    /// Since when its wait has not been given back.
    since: OffsetDateTime,
}

/// An event that may have been written or not.
#[derive(Clone, Copy, Debug)]
struct Unconfirmed {
    /// Its number.
    sequence: u64,
    /// When it was.
    time: OffsetDateTime,
}

/// The delays of the turn that runs in a game, and what is not known to have been told.
#[derive(Clone, Debug, Default)]
pub(super) struct Delays {
    /// When the event was that the turn began with, and when it was told.
    published: Option<Span>,
    unconfirmed: Vec<Unconfirmed>,
    attempts: Vec<Attempt>,
    /// Who plays, once that is known.
    players: Option<[Option<AccountId>; 2]>,
}

impl Delays {
    /// An event that begins a turn was written, and is told now.
    pub(super) fn published(&mut self, from: OffsetDateTime, now: OffsetDateTime) {
        let published = Some(Span { from, until: now });
        *self = Delays { published, players: self.players, ..Delays::default() };
    }

    /// An event may have been written or not.
    pub(super) fn unconfirmed(&mut self, sequence: u64, time: OffsetDateTime) {
        if self.unconfirmed.len() < UNCONFIRMED_MAX {
            self.unconfirmed.push(Unconfirmed { sequence, time });
        }
    }

    /// The number of the first event that may have been written, and was not told.
    pub(super) fn unpublished(&self) -> Option<u64> {
        self.unconfirmed.iter().map(|unconfirmed| unconfirmed.sequence).min()
    }

    /// Whether it should be looked now whether such an event was written.
    pub(super) fn is_in_doubt(&self, now: OffsetDateTime) -> bool {
        self.unconfirmed.iter().any(|unconfirmed| now - unconfirmed.time < UNCONFIRMED_FOR)
    }

    /// A game was read from its log, and everything in it has been told by now. If its turn began with an event of
    /// which that was not known, it is told only now.
    pub(super) fn read(&mut self, game: &Game, now: OffsetDateTime) {
        let players = game.info.seats.each_ref().map(|seat| seat.account);
        self.players = Some(players);
        self.attempts.retain(|attempt| players.contains(&Some(attempt.account)));
        let written = |unconfirmed: &Unconfirmed| unconfirmed.sequence <= game.sequence;
        let late = self
            .unconfirmed
            .iter()
            .any(|unconfirmed| written(unconfirmed) && unconfirmed.time == game.turn_began);
        self.unconfirmed.retain(|unconfirmed| !written(unconfirmed));
        if late {
            self.published(game.turn_began, now);
        }
    }

    /// An act has come.
    pub(super) fn came(&mut self, (account, request): (AccountId, RequestId), at: OffsetDateTime) {
        if self.is_stranger(account) {
            return;
        }
        let waiting = Waiting { came: at, since: at };
        let his = self.attempts.iter().filter(|attempt| attempt.account == account).count();
        let is_room = his < ATTEMPTS_MAX / 2 && self.attempts.len() < ATTEMPTS_MAX;
        match self.attempts.iter_mut().find(|attempt| attempt.is_of(account, Some(request))) {
            Some(attempt) if attempt.waiting.len() < WAITING_MAX => attempt.waiting.push(waiting),
            None if is_room => {
                self.attempts.push(Attempt { account, request, spans: Vec::new(), waiting: vec![waiting] });
            }
            _ => {}
        }
    }

    /// An act that came then has its answer.
    pub(super) fn answered(&mut self, (account, request): (AccountId, RequestId), came: OffsetDateTime) {
        let this = |attempt: &&mut Attempt| attempt.is_of(account, Some(request));
        if let Some(attempt) = self.attempts.iter_mut().find(this)
            && let Some(at) = attempt.waiting.iter().position(|waiting| waiting.came == came)
        {
            attempt.waiting.swap_remove(at);
        }
        self.forget_empty();
    }

    fn is_stranger(&self, account: AccountId) -> bool {
        self.players.is_some_and(|players| !players.contains(&Some(account)))
    }

    fn forget_empty(&mut self) {
        self.attempts.retain(|attempt| !attempt.spans.is_empty() || !attempt.waiting.is_empty());
    }

    /// An act could not be taken, for no fault of its player.
    pub(super) fn failed(
        &mut self,
        account: AccountId,
        request: RequestId,
        (from, until): (OffsetDateTime, OffsetDateTime),
    ) {
        if self.is_stranger(account) {
            return;
        }
        // Of a player one act is remembered that failed: the last.
        for attempt in &mut self.attempts {
            if attempt.account == account && attempt.request != request {
                attempt.spans.clear();
            }
        }
        self.forget_empty();
        if let Some(attempt) = self.attempts.iter_mut().find(|attempt| attempt.is_of(account, Some(request)))
        {
            attempt.failed_again(Span { from, until });
            return;
        }
        if self.attempts.len() >= ATTEMPTS_MAX {
            self.attempts.remove(0);
        }
        self.attempts.push(Attempt {
            account,
            request,
            spans: vec![Span { from, until }],
            waiting: Vec::new(),
        });
    }

    /// What was owed to somebody who acted with this request, or whose flag was looked at, was given back up to this
    /// moment. What he still has to try again is not.
    pub(super) fn settled(
        &mut self,
        (account, request): (AccountId, Option<RequestId>),
        until: OffsetDateTime,
    ) {
        self.published = self
            .published
            .map(|published| published.after(until))
            .filter(|published| !published.length().is_zero());
        for attempt in self.attempts.iter_mut().filter(|attempt| attempt.is_of(account, request)) {
            attempt.spans.retain(|span| span.until + RETRY_MAX > until);
            for span in &mut attempt.spans {
                *span = span.after(until);
            }
            for waiting in &mut attempt.waiting {
                waiting.since = until.max(waiting.since);
            }
        }
        self.forget_empty();
    }

    /// What of the turn that runs since it `began` is to be given back to its player, who acts now with this request,
    /// or whose flag is looked at. Outages are given back by themselves. Nothing if it is not worth it.
    pub(super) fn refund(
        &self,
        (account, request): (AccountId, Option<RequestId>),
        (began, now): (OffsetDateTime, OffsetDateTime),
        outages_after: impl Fn(OffsetDateTime) -> Vec<Outage>,
    ) -> Option<Refund> {
        let published = self.published.filter(|published| published.from >= began);
        let published = published.map(|published| Span { until: published.until.min(now), ..published });
        let since = published.map_or(began, |published| published.until);
        let tried = self.attempts.iter().filter(|attempt| attempt.is_of(account, request));
        let tried = tried.flat_map(|attempt| attempt.tried(began, now)).map(|span| span.after(since));
        let mut spans = joined(published.into_iter().chain(tried).collect());
        spans.retain(|span| span.length() >= DELAY_MIN / 2);
        let length: Duration = spans.iter().map(|span| span.without(&outages_after(span.from))).sum();
        let until = spans.iter().map(|span| span.until).max()?;
        Some(Refund { length, until }).filter(|refund| refund.length >= DELAY_MIN)
    }
}

impl Attempt {
    /// Whether it is somebody's, with this request or any.
    fn is_of(&self, account: AccountId, request: Option<RequestId>) -> bool {
        self.account == account && request.is_none_or(|request| request == self.request)
    }

    /// When its player has tried to act by now in the turn that runs since it `began`.
    fn tried(&self, began: OffsetDateTime, now: OffsetDateTime) -> impl Iterator<Item = Span> {
        let failed = self.spans.iter().filter(move |span| span.until >= began);
        let failed = failed.map(move |span| Span { from: span.from, until: now.min(span.until + RETRY_MAX) });
        let waiting = self.waiting.iter().map(|waiting| waiting.since).min();
        failed.chain(waiting.map(|since| Span { from: since, until: now }))
    }

    /// It came again and failed again. Who took longer than anybody tries again has thought about it.
    fn failed_again(&mut self, again: Span) {
        match self.spans.last_mut() {
            Some(last) if again.from - last.until <= RETRY_MAX => last.until = last.until.max(again.until),
            _ => self.spans.push(again),
        }
        if self.spans.len() > SPANS_MAX {
            self.spans.remove(0);
        }
    }
}

impl Span {
    /// How long it is.
    fn length(self) -> Duration {
        Duration::try_from(self.until - self.from).unwrap_or(Duration::ZERO)
    }

    /// What of it is after a moment.
    fn after(self, moment: OffsetDateTime) -> Self {
        Span { from: self.from.max(moment), ..self }
    }

    /// How long it is without the outages in it, which do not overlap.
    fn without(self, outages: &[Outage]) -> Duration {
        let within =
            |outage: &Outage| Span { from: outage.from.max(self.from), until: outage.until.min(self.until) };
        self.length().saturating_sub(outages.iter().map(|outage| within(outage).length()).sum())
    }
}

/// The same time in spans that do not overlap, in order.
fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.length().is_zero());
    spans.sort_by_key(|span| span.from);
    let mut apart: Vec<Span> = Vec::new();
    for span in spans {
        match apart.last_mut() {
            Some(last) if span.from <= last.until => last.until = last.until.max(span.until),
            _ => apart.push(span),
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use chassis::Env;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn at(seconds: f64) -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + Duration::from_secs_f64(seconds)
    }

    fn ids() -> (AccountId, RequestId) {
        let env = Env::system();
        (AccountId::from(env.uuid()), RequestId::from(env.uuid()))
    }

    /// How much is owed.
    fn length(
        delays: &Delays,
        who: (AccountId, Option<RequestId>),
        turn: (OffsetDateTime, OffsetDateTime),
        outages_after: impl Fn(OffsetDateTime) -> Vec<Outage>,
    ) -> Option<Duration> {
        delays.refund(who, turn, outages_after).map(|refund| refund.length)
    }

    fn none(_: OffsetDateTime) -> Vec<Outage> {
        Vec::new()
    }

    #[test]
    fn what_was_told_late_is_owed_and_nothing_that_is_not_worth_it() {
        let (account, request) = ids();
        let mut delays = Delays::default();
        let refund = |delays: &Delays, began, now| {
            length(delays, (account, Some(request)), (at(began), at(now)), none)
        };
        delays.published(at(0.0), at(0.15));
        assert_eq!(refund(&delays, 0.0, 9.0), None);
        delays.published(at(10.0), at(12.0));
        assert_eq!(refund(&delays, 10.0, 19.0), Some(2 * SECOND));
        assert_eq!(refund(&delays, 10.0, 11.0), Some(SECOND), "he knew before");
        assert_eq!(refund(&delays, 11.0, 19.0), None, "that was another turn");
        delays.settled((account, None), at(19.0));
        assert_eq!(refund(&delays, 10.0, 19.0), None);
    }

    #[test]
    fn an_act_that_comes_again_counts_as_when_it_came_first() {
        let (account, request) = ids();
        let mut delays = Delays::default();
        delays.published(at(0.0), at(0.0));
        for second in [1.0, 2.0, 3.0] {
            delays.failed(account, request, (at(second), at(second + 0.5)));
        }
        assert_eq!(length(&delays, (account, Some(request)), (at(0.0), at(4.0)), none), Some(3 * SECOND));
        assert_eq!(
            length(&delays, (account, None), (at(0.0), at(4.0)), none),
            Some(3 * SECOND),
            "his flag does not fall"
        );
        let (other, another) = ids();
        assert_eq!(length(&delays, (account, Some(another)), (at(0.0), at(4.0)), none), None, "another act");
        assert_eq!(
            length(&delays, (other, Some(request)), (at(0.0), at(4.0)), none),
            None,
            "somebody else's"
        );
        let late = length(&delays, (account, Some(request)), (at(0.0), at(60.0)), none);
        assert_eq!(late, Some(Duration::from_millis(2500) + RETRY_MAX), "who thinks again pays for it");
    }

    #[test]
    fn whichever_call_of_an_act_comes_through_knows_since_when_its_player_waits() {
        let ((account, request), (_, another)) = (ids(), ids());
        let mut delays = Delays::default();
        delays.published(at(0.0), at(0.0));
        let refund =
            |delays: &Delays, request, now| length(delays, (account, request), (at(0.0), at(now)), none);
        delays.came((account, request), at(1.0));
        assert_eq!(refund(&delays, Some(request), 1.0), None, "it has only come");
        delays.came((account, request), at(4.0));
        assert_eq!(refund(&delays, Some(request), 4.0), Some(3 * SECOND), "the first has no answer yet");
        assert_eq!(refund(&delays, None, 4.0), Some(3 * SECOND), "his flag does not fall");
        assert_eq!(refund(&delays, Some(another), 4.0), None, "another act");
        // Both ways of knowing it are the same wait.
        delays.failed(account, request, (at(1.0), at(2.0)));
        assert_eq!(refund(&delays, Some(request), 4.0), Some(3 * SECOND));
        delays.settled((account, Some(request)), at(4.0));
        assert_eq!(refund(&delays, Some(request), 4.0), None, "it is given back");
        delays.answered((account, request), at(1.0));
        delays.answered((account, request), at(4.0));
        delays.settled((account, Some(request)), at(9.0));
        assert!(delays.attempts.is_empty());
    }

    #[test]
    fn who_is_refused_for_his_own_fault_is_given_nothing_for_asking_again() {
        let (account, request) = ids();
        let mut delays = Delays::default();
        delays.published(at(0.0), at(0.0));
        delays.came((account, request), at(1.0));
        delays.answered((account, request), at(1.0));
        delays.came((account, request), at(3.5));
        assert_eq!(length(&delays, (account, Some(request)), (at(0.0), at(3.5)), none), None);
        for number in 0..100 {
            delays.came((account, request), at(4.0 + f64::from(number)));
            delays.came(ids(), at(4.0));
            delays.came((account, ids().1), at(4.0));
        }
        assert!(delays.attempts.len() <= ATTEMPTS_MAX);
        assert!(delays.attempts.iter().all(|attempt| attempt.waiting.len() <= WAITING_MAX));
    }

    #[test]
    fn what_was_given_back_is_not_owed_again_and_the_time_to_try_again_is_left() {
        let ((account, request), (other, _)) = (ids(), ids());
        let mut delays = Delays::default();
        delays.published(at(0.0), at(0.0));
        delays.failed(account, request, (at(1.0), at(2.0)));
        let refund = delays.refund((account, None), (at(0.0), at(2.5)), none).expect("he tries");
        assert_eq!(refund, Refund { length: SECOND * 3 / 2, until: at(2.5) });
        delays.settled((other, None), refund.until);
        assert_eq!(
            delays.refund((account, None), (at(0.0), at(2.5)), none),
            Some(refund),
            "that was another's"
        );
        delays.settled((account, None), refund.until);
        assert_eq!(delays.refund((account, None), (at(0.0), at(2.5)), none), None);
        let left = length(&delays, (account, Some(request)), (at(0.0), at(60.0)), none);
        assert_eq!(left, Some(SECOND * 5 / 2), "three seconds after it failed");
        delays.settled((account, None), at(5.0));
        assert!(delays.attempts.is_empty());
    }

    #[test]
    fn outages_are_not_given_back_twice() {
        let (account, request) = ids();
        let mut delays = Delays::default();
        delays.published(at(0.0), at(1.0));
        delays.failed(account, request, (at(2.0), at(9.0)));
        let outages = |after: OffsetDateTime| {
            let all = [Outage { from: at(0.5), until: at(1.5) }, Outage { from: at(3.0), until: at(7.0) }];
            all.into_iter().filter(|outage| outage.until > after).collect()
        };
        assert_eq!(
            length(&delays, (account, Some(request)), (at(0.0), at(9.0)), outages),
            Some(SECOND / 2 + 3 * SECOND),
            "half a second of being told late, and three of trying"
        );
    }

    #[test]
    fn what_is_thought_between_two_faults_is_charged() {
        let (account, request) = ids();
        let mut delays = Delays::default();
        delays.published(at(0.0), at(0.0));
        delays.failed(account, request, (at(1.0), at(2.0)));
        delays.failed(account, request, (at(2400.0), at(2401.0)));
        let refund = length(&delays, (account, Some(request)), (at(0.0), at(2401.5)), none);
        assert_eq!(refund, Some(SECOND + RETRY_MAX + SECOND + SECOND / 2), "both faults and no thought");
        for number in 0..100 {
            let from = 3000.0 + 10.0 * f64::from(number);
            delays.failed(account, request, (at(from), at(from + 1.0)));
        }
        assert!(delays.attempts[0].spans.len() <= SPANS_MAX);
    }

    #[test]
    fn what_was_tried_in_an_earlier_turn_is_not_given_back_in_this_one() {
        let (account, request) = ids();
        let mut delays = Delays::default();
        delays.failed(account, request, (at(1.0), at(5.0)));
        assert_eq!(length(&delays, (account, None), (at(5.5), at(60.0)), none), None);
        assert_eq!(
            length(&delays, (account, None), (at(4.0), at(6.0)), none),
            Some(2 * SECOND),
            "since it began"
        );
    }

    #[test]
    fn strangers_do_not_push_an_attempt_out() {
        let (account, request) = ids();
        for known in [true, false] {
            let mut delays = Delays { players: known.then_some([Some(account), None]), ..Delays::default() };
            let strangers = |delays: &mut Delays| {
                for _ in 0..10 {
                    let (stranger, theirs) = ids();
                    delays.failed(stranger, theirs, (at(1.0), at(2.0)));
                }
                assert!(delays.attempts.len() <= if known { 1 } else { ATTEMPTS_MAX });
            };
            strangers(&mut delays);
            delays.failed(account, request, (at(1.0), at(2.0)));
            if known {
                strangers(&mut delays);
            }
            assert_eq!(
                length(&delays, (account, Some(request)), (at(0.0), at(2.0)), none),
                Some(SECOND),
                "known: {known}"
            );
        }
    }
}

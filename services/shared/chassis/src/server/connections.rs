//! Who is connected: how many in all and from each address, and who is idle since when.
//!
//! Where a limit is reached, whoever has been idle longest has to leave for who comes; if nobody is idle, whoever
//! comes is not let in. Who has an answer waiting for him and does not take it is cut off.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use parking_lot::{Mutex, MutexGuard};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::throttle::Throttle;

/// The connections of a server. Every clone is the same.
#[derive(Clone, Debug)]
pub(super) struct Connections(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    in_all: usize,
    from_one_address: usize,
    began: Instant,
    next: AtomicU64,
    state: Mutex<State>,
    turned_away: Throttle,
    shed: Throttle,
    cut: Throttle,
}

#[derive(Debug, Default)]
struct State {
    all: HashMap<u64, Arc<Entry>>,
    from: HashMap<IpAddr, usize>,
}

#[derive(Debug)]
struct Entry {
    id: u64,
    /// The network it is counted under, once that is known.
    network: OnceLock<IpAddr>,
    calls: AtomicU32,
    /// Streams that stand for long, of health and the like, which keep no place from anybody else.
    streams: AtomicU32,
    idle_since_ms: AtomicU64,
    leave: CancellationToken,
    /// Whether somebody else needs its place.
    hurry: AtomicBool,
    /// Answers that must be taken in time.
    answers: Mutex<HashMap<u64, Arc<Answer>>>,
    /// Cancelled when one was not.
    cut: CancellationToken,
}

/// An answer that must be taken in time.
#[derive(Debug)]
struct Answer {
    /// Since when it has been for the client to take; [`THE_SERVER_S_TURN`] while it is not.
    since_ms: AtomicU64,
    within_ms: u64,
}

/// Nothing of an answer is ready to be taken.
const THE_SERVER_S_TURN: u64 = u64::MAX;

/// A connection among the others, until it is dropped.
#[derive(Debug)]
pub(super) struct Here {
    entry: Arc<Entry>,
    connections: Connections,
}

/// A call under way on a connection, until it is dropped with the last byte of its answer.
#[derive(Debug)]
pub(super) struct Call {
    here: Arc<Here>,
    is_stream: bool,
}

/// An answer under way that must be taken in time, until it is dropped.
#[derive(Debug)]
pub(super) struct Untaken {
    id: u64,
    answer: Arc<Answer>,
    here: Arc<Here>,
}

impl Connections {
    /// Nobody yet. So many may come in all, and from one address.
    pub(super) fn new(in_all: usize, from_one_address: usize) -> Self {
        Connections(Arc::new(Inner {
            in_all: in_all.max(1),
            from_one_address: from_one_address.max(1),
            began: Instant::now(),
            next: AtomicU64::new(0),
            state: Mutex::default(),
            turned_away: Throttle::new(),
            shed: Throttle::new(),
            cut: Throttle::new(),
        }))
    }

    /// Lets one more in, if need be in place of who has been idle longest.
    pub(super) fn enter(&self) -> Option<Here> {
        let mut state = self.state();
        if state.all.len() >= self.0.in_all && self.shed_in(&mut state, 1, None) == 0 {
            drop(state);
            if let Some(held_back) = self.0.turned_away.admit() {
                let limit = self.0.in_all;
                tracing::warn!(held_back, limit, "connections are turned away: as many as may be are busy");
            }
            return None;
        }
        let entry = Arc::new(Entry {
            id: self.0.next.fetch_add(1, Ordering::Relaxed),
            network: OnceLock::new(),
            calls: AtomicU32::new(0),
            streams: AtomicU32::new(0),
            idle_since_ms: AtomicU64::new(self.now_ms()),
            leave: CancellationToken::new(),
            hurry: AtomicBool::new(false),
            answers: Mutex::default(),
            cut: CancellationToken::new(),
        });
        state.all.insert(entry.id, Arc::clone(&entry));
        drop(state);
        Some(Here { entry, connections: self.clone() })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.state().all.len()
    }

    /// Sends away so many of those that have been idle longest; answers how many there were.
    pub(super) fn shed(&self, count: usize) -> usize {
        let mut state = self.state();
        self.shed_in(&mut state, count, None)
    }

    /// Sends away who has been idle for so long.
    pub(super) fn close_idle(&self, longest: Duration) {
        let now_ms = self.now_ms();
        let limit_ms = u64::try_from(longest.as_millis()).unwrap_or(u64::MAX);
        let mut state = self.state();
        let late = |entry: &&Arc<Entry>| {
            let nothing_at_all = entry.streams.load(Ordering::Acquire) == 0;
            let since = entry.idle_since().filter(|_| nothing_at_all);
            since.is_some_and(|ms| now_ms.saturating_sub(ms) >= limit_ms)
        };
        let late: Vec<Arc<Entry>> = state.all.values().filter(late).map(Arc::clone).collect();
        for entry in late {
            state.remove(&entry);
            entry.leave.cancel();
        }
    }

    /// Cuts off who does not take his answers.
    pub(super) fn cut_untaken(&self) {
        let now_ms = self.now_ms();
        let state = self.state();
        for entry in state.all.values().filter(|entry| entry.has_untaken(now_ms)) {
            entry.cut.cancel();
            if let Some(held_back) = self.0.cut.admit() {
                let address = entry.network.get().map(tracing::field::display);
                tracing::warn!(held_back, address, "connections are cut: their answers are not taken");
            }
        }
    }

    fn shed_in(&self, state: &mut State, count: usize, from: Option<IpAddr>) -> usize {
        let theirs = |entry: &&Arc<Entry>| from.is_none() || entry.network.get() == from.as_ref();
        let idle = state.all.values().filter(theirs);
        let mut idle: Vec<(u64, u64, Arc<Entry>)> =
            idle.filter_map(|entry| Some((entry.idle_since()?, entry.id, Arc::clone(entry)))).collect();
        if idle.len() > count {
            idle.select_nth_unstable_by_key(count, |(since, id, _)| (*since, *id));
            idle.truncate(count);
        }
        for (_, _, entry) in &idle {
            state.remove(entry);
            entry.hurry.store(true, Ordering::Release);
            entry.leave.cancel();
        }
        if !idle.is_empty()
            && let Some(held_back) = self.0.shed.admit()
        {
            let address = from.map(tracing::field::display);
            let limit = from.map(|_| self.0.from_one_address);
            tracing::warn!(held_back, limit, address, "idle connections are closed to make room");
        }
        idle.len()
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.0.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock()
    }
}

impl State {
    fn remove(&mut self, entry: &Entry) {
        if self.all.remove(&entry.id).is_some()
            && let Some(network) = entry.network.get()
            && let Some(count) = self.from.get_mut(network)
        {
            *count -= 1;
            if *count == 0 {
                self.from.remove(network);
            }
        }
    }
}

impl Entry {
    const fn counter(&self, is_stream: bool) -> &AtomicU32 {
        if is_stream { &self.streams } else { &self.calls }
    }

    fn idle_since(&self) -> Option<u64> {
        let idle = self.calls.load(Ordering::Acquire) == 0;
        idle.then(|| self.idle_since_ms.load(Ordering::Acquire))
    }

    fn has_untaken(&self, now_ms: u64) -> bool {
        let late = |answer: &Arc<Answer>| {
            let waited_ms = now_ms.saturating_sub(answer.since_ms.load(Ordering::Acquire));
            waited_ms >= answer.within_ms
        };
        self.answers().values().any(late)
    }

    fn answers(&self) -> MutexGuard<'_, HashMap<u64, Arc<Answer>>> {
        self.answers.lock()
    }
}

impl Here {
    /// Counts the connection under the address it comes from; answers whether it may stay.
    pub(super) fn is_from(&self, address: IpAddr) -> bool {
        let network = network(address);
        let connections = &self.connections;
        let mut state = connections.state();
        if !state.all.contains_key(&self.entry.id) {
            return false;
        }
        let limit = connections.0.from_one_address;
        if state.from.get(&network).is_some_and(|count| *count >= limit)
            && connections.shed_in(&mut state, 1, Some(network)) == 0
        {
            drop(state);
            if let Some(held_back) = connections.0.turned_away.admit() {
                tracing::warn!(held_back, limit, %address, "connections of one address are turned away: it has enough");
            }
            return false;
        }
        if self.entry.network.set(network).is_ok() {
            *state.from.entry(network).or_default() += 1;
        }
        true
    }

    /// A call begins. Who has nothing but streams leaves when somebody else needs the place.
    pub(super) fn call(self: &Arc<Self>, is_stream: bool) -> Call {
        self.entry.counter(is_stream).fetch_add(1, Ordering::AcqRel);
        Call { here: Arc::clone(self), is_stream }
    }

    /// An answer begins that must be taken within so long.
    pub(super) fn answer(self: &Arc<Self>, within: Duration) -> Untaken {
        let connections = &self.connections;
        let answer = Arc::new(Answer {
            since_ms: AtomicU64::new(connections.now_ms()),
            within_ms: u64::try_from(within.as_millis()).unwrap_or(u64::MAX),
        });
        let id = connections.0.next.fetch_add(1, Ordering::Relaxed);
        self.entry.answers().insert(id, Arc::clone(&answer));
        Untaken { id, answer, here: Arc::clone(self) }
    }

    /// Ends when answers on the connection were not taken in time.
    pub(super) async fn is_cut(&self) {
        self.entry.cut.cancelled().await;
    }

    /// Whether no call is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.entry.idle_since().is_some()
    }

    /// Whether it has to leave because somebody else needs its place.
    pub(super) fn is_in_the_way(&self) -> bool {
        self.entry.hurry.load(Ordering::Acquire)
    }

    /// Ends when the connection has to leave.
    pub(super) async fn has_to_leave(&self) {
        self.entry.leave.cancelled().await;
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        self.connections.state().remove(&self.entry);
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let Here { entry, connections } = &*self.here;
        entry.idle_since_ms.store(connections.now_ms(), Ordering::Release);
        entry.counter(self.is_stream).fetch_sub(1, Ordering::AcqRel);
    }
}

impl Untaken {
    /// There is more of the answer for the client to take, and he has as long for it again.
    pub(super) fn goes_on(&self) {
        self.answer.since_ms.store(self.here.connections.now_ms(), Ordering::Release);
    }

    /// All that there is of the answer so far was taken.
    pub(super) fn is_taken(&self) {
        self.answer.since_ms.store(THE_SERVER_S_TURN, Ordering::Release);
    }
}

impl Drop for Untaken {
    fn drop(&mut self) {
        self.here.entry.answers().remove(&self.id);
    }
}

/// What counts as one address: with IPv6 the network of a household, which has as many addresses as it likes.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use std::{net::Ipv4Addr, sync::Arc, time::Duration};

    use futures::FutureExt as _;

    use super::*;

    const A: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
    const B: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2));

    fn sent_away(here: &Here) -> bool {
        here.has_to_leave().now_or_never().is_some()
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_been_idle_longest_leaves_for_who_comes() {
        let connections = Connections::new(3, 3);
        let mut here = Vec::new();
        for _ in 0..3 {
            here.push(Arc::new(connections.enter().expect("there is room")));
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        let busy = here[0].call(false);
        let fourth = connections.enter().expect("one is idle");
        assert_eq!(here.iter().map(|here| sent_away(here)).collect::<Vec<_>>(), [false, true, false]);
        let calls = (here[2].call(false), Arc::new(fourth).call(false));
        assert!(connections.enter().is_none(), "all are busy");
        drop(busy);
        assert!(connections.enter().is_some(), "one is idle again");
        assert!(sent_away(&here[0]));
        drop(calls);
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_makes_room_for_itself_alone() {
        let connections = Connections::new(10, 2);
        let enter = |address| {
            let here = Arc::new(connections.enter().expect("there is room"));
            here.is_from(address).then_some(here)
        };
        let other = enter(B).expect("the first of its address");
        let first = enter(A).expect("the first of its address");
        let calls: Vec<_> = [enter(A), enter(A)].into_iter().flatten().map(|here| here.call(false)).collect();
        assert!(sent_away(&first) && !sent_away(&other));
        assert!(enter(A).is_none(), "both of its own are busy");
        drop(calls);
        assert!(enter(A).is_some());
        drop((first, other));
        assert!(connections.state().from.len() <= 1, "who is gone is not counted");
    }

    #[tokio::test(start_paused = true)]
    async fn who_says_nothing_for_long_has_to_leave() {
        let connections = Connections::new(10, 10);
        let (idle, busy) = (connections.enter().expect("room"), Arc::new(connections.enter().expect("room")));
        let call = busy.call(false);
        tokio::time::advance(Duration::from_mins(5)).await;
        connections.close_idle(Duration::from_mins(5));
        assert!(sent_away(&idle) && !sent_away(&busy));
        drop(call);
        connections.close_idle(Duration::from_mins(5));
        assert!(!sent_away(&busy), "its call has only just ended");
    }

    #[tokio::test(start_paused = true)]
    async fn who_only_asks_how_the_server_does_leaves_for_who_comes_but_may_stay_otherwise() {
        let connections = Connections::new(1, 1);
        let probe = Arc::new(connections.enter().expect("room"));
        let watch = probe.call(true);
        tokio::time::advance(Duration::from_mins(5)).await;
        connections.close_idle(Duration::from_mins(5));
        assert!(!sent_away(&probe), "it is asking");
        assert!(connections.enter().is_some() && sent_away(&probe));
        drop(watch);
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_take_an_answer_is_cut_off() {
        let connections = Connections::new(10, 10);
        let enter = || Arc::new(connections.enter().expect("room"));
        let (stalled, slow, quiet, gone) = (enter(), enter(), enter(), enter());
        let within = Duration::from_mins(1);
        let answers = [&stalled, &slow, &quiet].map(|here| here.answer(within));
        drop(gone.answer(within));
        answers[2].is_taken();
        tokio::time::advance(within / 2).await;
        answers[1].goes_on();
        tokio::time::advance(within / 2).await;
        connections.cut_untaken();
        let cut = |here: &Arc<Here>| here.is_cut().now_or_never().is_some();
        assert_eq!([&stalled, &slow, &quiet, &gone].map(cut), [true, false, false, false]);
        tokio::time::advance(within / 2).await;
        connections.cut_untaken();
        assert!(cut(&slow) && !cut(&quiet));
    }

    #[test]
    fn one_household_is_one_address() {
        let check = |a: &str, b: &str, same: bool| {
            let network = |text: &str| network(text.parse().expect("an address"));
            assert_eq!(network(a) == network(b), same, "{a} {b}");
        };
        check("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true);
        check("2001:db8:1:2::1", "2001:db8:1:3::1", false);
        check("192.0.2.1", "::ffff:192.0.2.1", true);
        check("192.0.2.1", "192.0.2.2", false);
    }
}

//! Turns at what is dear: a few at once, some who wait, and nobody beyond. A turn rests for as long as it lasted, or
//! longer, so that what is dear leaves at least half of the time of its places to everything else.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use crate::error::{Error, Result};

/// The longest rest: who was slow because the database was need not rest for all of it.
const REST_MAX: Duration = Duration::from_secs(1);

/// Who may, and who may wait for it.
pub(super) struct Turns {
    places: Arc<Semaphore>,
    room: Arc<Semaphore>,
    /// How many times as long as it lasted a turn rests.
    rests: u32,
}

/// A turn; it ends when this is dropped. It belongs to the work, not to the call that wanted it: work that goes on
/// in a thread of its own takes it along, so that a caller who goes away does not let the next one in before it is done.
pub(crate) struct Turn {
    place: Option<OwnedSemaphorePermit>,
    _room: OwnedSemaphorePermit,
    began: Instant,
    rests: u32,
}

impl Turns {
    pub(super) fn new(places: usize, waiting: usize) -> Self {
        Turns {
            places: Arc::new(Semaphore::new(places)),
            room: Arc::new(Semaphore::new(places + waiting)),
            rests: 1,
        }
    }

    /// The same with so many times as long a rest.
    pub(super) fn resting(self, rests: u32) -> Self {
        Turns { rests, ..self }
    }

    /// Waits for the next turn.
    pub(super) async fn next(&self) -> Result<Turn> {
        let room = Arc::clone(&self.room).try_acquire_owned().map_err(|_| Error::Busy)?;
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|_| Error::Busy)?;
        Ok(Turn { place: Some(place), _room: room, began: Instant::now(), rests: self.rests })
    }
}

/// Gives out moments, so far apart, to all who ask together.
pub(super) struct Pace {
    every: Duration,
    next: Mutex<Instant>,
}

impl Pace {
    pub(super) fn new(every: Duration) -> Self {
        Pace { every, next: Mutex::new(Instant::now()) }
    }

    /// Waits for the next moment that nobody else has.
    pub(super) async fn next(&self) {
        let at = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let at = (*next).max(Instant::now());
            *next = at + self.every;
            at
        };
        tokio::time::sleep_until(at).await;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let (place, rest) = (self.place.take(), (self.began.elapsed() * self.rests).min(REST_MAX));
        let Ok(runtime) = Handle::try_current() else { return };
        if !rest.is_zero() {
            runtime.spawn(async move {
                tokio::time::sleep(rest).await;
                drop(place);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_turn_rests_for_as_long_as_it_lasted() {
        let turns = Turns::new(1, 8);
        let first = turns.next().await.expect("a free place");
        tokio::time::sleep(Duration::from_millis(40)).await;
        drop(first);
        let dropped = Instant::now();
        drop(turns.next().await.expect("the next turn"));
        let rested = dropped.elapsed();
        assert!(rested >= Duration::from_millis(40) && rested < Duration::from_millis(50), "{rested:?}");
        assert!(turns.next().now_or_never().is_some(), "who took no time need not rest");
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_may_rest_for_longer_and_for_no_more_than_a_second() {
        let turns = Turns::new(1, 8).resting(7);
        for (lasts, rests) in [(40, 280), (400, 1000)] {
            let turn = turns.next().await.expect("a free place");
            tokio::time::sleep(Duration::from_millis(lasts)).await;
            drop(turn);
            let dropped = Instant::now();
            let next = turns.next().await.expect("the next turn");
            let rested = dropped.elapsed().as_millis();
            assert!((rests..rests + 10).contains(&rested), "{rested} ms after {lasts}");
            // It takes no time, and so needs no rest.
            drop(next);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_that_work_has_taken_along_outlives_its_call() {
        let turns = Turns::new(1, 8);
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let call = async {
            let turn = turns.next().await.expect("a free place");
            let work = tokio::task::spawn_blocking(move || {
                let _turn = turn;
                wait.recv().ok();
            });
            work.await
        };
        assert!(call.now_or_never().is_none(), "the caller goes away");
        assert!(turns.next().now_or_never().is_none(), "the work is still under way");
        go.send(()).expect("it waits for this");
        turns.next().await.expect("it has ended");
    }

    #[tokio::test(start_paused = true)]
    async fn all_who_ask_share_one_pace() {
        let (pace, began) = (Pace::new(Duration::from_millis(10)), Instant::now());
        futures::future::join_all((0..20).map(|_| pace.next())).await;
        assert_eq!(began.elapsed(), Duration::from_millis(190));
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert!(pace.next().now_or_never().is_some(), "nobody has asked for a while");
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_beyond_the_room() {
        let turns = Turns::new(1, 1);
        let _first = turns.next().await.expect("a free place");
        let mut second = Box::pin(turns.next());
        assert!((&mut second).now_or_never().is_none());
        assert!(matches!(turns.next().now_or_never(), Some(Err(Error::Busy))));
    }
}

//! Watching all boards of a round.
//!
//! However many watch a round, this process keeps one picture of it, fed by one stream from the game service and by the
//! log of the event. Who watches holds a number: what has changed since is worked out when there is room for it on the way
//! to him, so that who reads slowly costs no more than who reads fast.

mod keeper;
mod listening;
mod picture;

use std::{
    collections::{HashMap, hash_map::Entry},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use api::{federation::v1 as pb, reason};
use chassis::{
    auth::Caller,
    id::EventId,
    limit::{Amount, Limit},
};
use futures::{Stream, stream};
use parking_lot::Mutex;
use time::OffsetDateTime;
use tokio::{sync::Notify, time::Instant};
use tonic::Code;

use self::{keeper::Keeper, picture::Picture};
use super::{Events, queries::Admitted};
use crate::{
    core::event::overview::Sees,
    error::{Error, Result},
};

/// Rounds that are watched in one process.
const ROUNDS_MAX: usize = 128;
/// Boards that are told of in one answer.
const BOARDS_AT_ONCE: usize = 500;
/// How long a picture is kept when nobody watches it: who has lost a connection comes back within it.
const LINGER: Duration = Duration::from_secs(30);
/// How often changes are told.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// How often it is looked whether somebody may still see what he sees.
const ADMIT_EVERY: Duration = Duration::from_secs(30);

/// The limits of watching boards.
pub(crate) const LIMITS: &[Limit] = &[
    Limit {
        name: "rounds whose boards are watched in a process",
        amount: Amount::Count(ROUNDS_MAX as u64),
        setting: None,
        reason: "each has a stream from the game service and a few hundred bytes a board, however many watch",
    },
    Limit {
        name: "boards in one answer to who watches a round",
        amount: Amount::Count(BOARDS_AT_ONCE as u64),
        setting: None,
        reason: "some fifty kilobytes: what is under way to somebody who has stopped reading",
    },
    Limit {
        name: "time between two answers to who watches a round",
        amount: Amount::Time(TELL_EVERY),
        setting: None,
        reason: "an eye sees no more; what changes oftener is told as it stands last",
    },
    Limit {
        name: "time for which the boards of a round are kept for who comes back",
        amount: Amount::Time(LINGER),
        setting: None,
        reason: "a network that comes back does so within it; later he begins anew",
    },
];

/// The rounds that are watched in this process.
#[derive(Default)]
pub(crate) struct WatchedRounds(Mutex<Rounds>);

type Rounds = HashMap<(EventId, u16), Arc<WatchedRound>>;

/// A round that is watched: what everybody who does shares.
struct WatchedRound {
    /// By which a cursor is known to be of this very picture.
    id: u64,
    picture: Mutex<Option<Picture>>,
    /// Rung whenever there may be something to be told.
    changed: Notify,
    /// How many watch it.
    watchers: AtomicUsize,
    /// Whether somebody keeps the picture up to date.
    is_kept: AtomicBool,
}

impl WatchedRound {
    fn new(id: u64) -> WatchedRound {
        WatchedRound {
            id,
            picture: Mutex::new(None),
            changed: Notify::new(),
            watchers: AtomicUsize::new(0),
            is_kept: AtomicBool::new(true),
        }
    }

    /// Has its picture kept no longer; it is wanted no more.
    fn give_up(&self) -> bool {
        self.is_kept.store(false, Ordering::SeqCst);
        false
    }
}

/// A place at a round that is watched.
struct Place(Arc<WatchedRound>);

impl Place {
    fn take(round: &Arc<WatchedRound>) -> Place {
        round.watchers.fetch_add(1, Ordering::SeqCst);
        Place(Arc::clone(round))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.watchers.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Where a stream goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    picture: u64,
    sees: Sees,
    change: u64,
}

impl Cursor {
    /// A cursor as it was given out.
    ///
    /// # Errors
    /// INVALID_ARGUMENT with BAD_CURSOR.
    pub(crate) fn parse(text: &str) -> Result<Option<Cursor>> {
        if text.is_empty() {
            return Ok(None);
        }
        let parts = || {
            let mut parts = text.split('-');
            let sees = match parts.next()? {
                "now" => Sees::AtOnce,
                "later" => Sees::Later,
                _ => return None,
            };
            let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
            let cursor = Cursor { picture: number()?, sees, change: number()? };
            parts.next().is_none().then_some(cursor)
        };
        let bad = || api::Error::invalid(reason::BAD_CURSOR, "cursor", "it is none that was given out");
        Ok(Some(parts().ok_or_else(bad)?))
    }

    fn text(self) -> String {
        let sees = match self.sees {
            Sees::AtOnce => "now",
            Sees::Later => "later",
        };
        format!("{sees}-{:x}-{:x}", self.picture, self.change)
    }
}

/// Somebody who watches.
struct Watcher {
    events: Arc<Events>,
    caller: Option<Caller>,
    event: EventId,
    round: u16,
    place: Place,
    sees: Sees,
    official: bool,
    admitted: Instant,
    cursor: Option<Cursor>,
    /// What was said of how long nothing is heard of the games.
    unheard: Option<OffsetDateTime>,
    over: bool,
}

/// Streams how the boards of a round stand; of the last that is public for number 0.
pub(crate) async fn watch(
    events: Arc<Events>,
    caller: Option<Caller>,
    id: EventId,
    round: u16,
    cursor: Option<Cursor>,
) -> Result<impl Stream<Item = Result<pb::WatchBoardsResponse>> + Send> {
    let Admitted { event, official, .. } = events.admit(caller.as_ref(), id).await?;
    let round = if round == 0 { event.next_round() - 1 } else { round };
    event.round(round).ok_or(Error::UnknownRound)?;
    let place = place_at(&events, id, round)?;
    let watcher = Watcher {
        sees: if official { Sees::AtOnce } else { Sees::Later },
        events,
        caller,
        event: id,
        round,
        place,
        official,
        admitted: Instant::now(),
        cursor,
        unheard: None,
        over: false,
    };
    // Who may not watch is refused before there is a stream.
    watcher.ensure_watches_fairly(&event)?;
    Ok(stream::unfold(watcher, async |mut watcher| {
        if watcher.over {
            return None;
        }
        let next = watcher.next().await.transpose()?;
        watcher.over |= next.is_err();
        Some((next, watcher))
    }))
}

/// A place at a round, whose boards are kept from now on if nobody has watched it.
fn place_at(events: &Arc<Events>, id: EventId, round: u16) -> Result<Place> {
    let mut rounds = events.watched.0.lock();
    if !has_room(&mut rounds, (id, round)) {
        let message = "too many rounds are watched at once";
        return Err(Error::Call(api::Error::new(Code::ResourceExhausted, reason::BUSY, message)));
    }
    match rounds.entry((id, round)) {
        Entry::Occupied(watched) => Ok(Place::take(watched.get())),
        Entry::Vacant(vacant) => {
            let watched = WatchedRound::new(u64::from_le_bytes(events.env.bytes()));
            let watched = vacant.insert(Arc::new(watched));
            let keeper = Keeper::new(Arc::clone(events), (id, round), Arc::clone(watched));
            events.lifecycle.spawn("boards", keeper.keep());
            Ok(Place::take(watched))
        }
    }
}

/// Whether a round can be watched: it is already, or there is room for one more. What is only kept for who may come back
/// makes room for who is there.
fn has_room(rounds: &mut Rounds, round: (EventId, u16)) -> bool {
    rounds.retain(|_, round| round.is_kept.load(Ordering::SeqCst));
    if rounds.len() >= ROUNDS_MAX && !rounds.contains_key(&round) {
        rounds.retain(|_, round| round.watchers.load(Ordering::SeqCst) > 0 || round.give_up());
    }
    rounds.len() < ROUNDS_MAX || rounds.contains_key(&round)
}

impl Watcher {
    /// What is told next; nothing once everything has been.
    async fn next(&mut self) -> Result<Option<pb::WatchBoardsResponse>> {
        let watched = Arc::clone(&self.place.0);
        loop {
            let mut changed = pin!(watched.changed.notified());
            changed.as_mut().enable();
            if self.admitted.elapsed() >= ADMIT_EVERY {
                let admitted = self.events.admit(self.caller.as_ref(), self.event).await?;
                if admitted.official != self.official {
                    // He sees it otherwise from now on, and is to begin anew.
                    return Ok(None);
                }
                self.admitted = Instant::now();
            }
            if let Some(answer) = self.look()? {
                return Ok(Some(answer));
            }
            if self.over {
                return Ok(None);
            }
            if !watched.is_kept.load(Ordering::SeqCst) {
                return Err(Error::Stopping);
            }
            let _nothing_may_change = tokio::time::timeout(ADMIT_EVERY, changed).await;
        }
    }

    /// What there is to be told now.
    fn look(&mut self) -> Result<Option<pb::WatchBoardsResponse>> {
        let watched = Arc::clone(&self.place.0);
        let picture = watched.picture.lock();
        let Some(picture) = picture.as_ref() else { return Ok(None) };
        self.ensure_watches_fairly(&picture.event)?;
        let last = picture.boards.last(self.sees);
        let is_own = |it: &Cursor| it.picture == watched.id && it.sees == self.sees && it.change <= last;
        let known = self.cursor.filter(is_own);
        let after = known.map_or(0, |known| known.change);
        let (boards, change) = picture.boards.changes(self.sees, after, BOARDS_AT_ONCE);
        if known.is_some() && boards.is_empty() && self.unheard == picture.unheard_since {
            self.over = picture.is_over_for(self.sees);
            return Ok(None);
        }
        let cursor = Cursor { picture: watched.id, sees: self.sees, change };
        (self.cursor, self.unheard) = (Some(cursor), picture.unheard_since);
        Ok(Some(pb::WatchBoardsResponse {
            round: self.round.into(),
            boards: boards.iter().map(|board| pb::BoardGlimpse::clone(board)).collect(),
            anew: known.is_none(),
            cursor: cursor.text(),
            unheard_since_time: picture.unheard_since.map(api::time::timestamp),
            ..pb::WatchBoardsResponse::default()
        }))
    }

    /// Refuses whoever plays, until his own game is over (Art. 15.4).
    fn ensure_watches_fairly(&self, event: &crate::core::event::Event) -> Result<()> {
        let is_open = self.official || event.settings.watch_while_playing;
        match &self.caller {
            Some(caller) if !is_open && event.plays_now(caller.id) => Err(Error::PlaysInEvent),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_are_read_as_they_were_given_out() {
        for sees in [Sees::AtOnce, Sees::Later] {
            let cursor = Cursor { picture: u64::MAX, sees, change: 17 };
            assert_eq!(Cursor::parse(&cursor.text()).expect("ours"), Some(cursor));
        }
        assert_eq!(Cursor::parse("").expect("none"), None);
        for bad in ["now", "now-1", "now-1-2-3", "then-1-2", "now--2", "now-x-2", "later-1-fffffffffffffffff"]
        {
            assert!(Cursor::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn who_is_there_has_room_before_who_may_come_back() {
        let key = |number: usize| {
            (EventId::from(uuid::Uuid::from_u128(number as u128 + 1)), u16::try_from(number).expect("small"))
        };
        let mut rounds = Rounds::new();
        let mut places = Vec::new();
        for number in 0..ROUNDS_MAX {
            assert!(has_room(&mut rounds, key(number)));
            let round = Arc::new(WatchedRound::new(number as u64));
            places.push(Place::take(&round));
            rounds.insert(key(number), round);
        }
        assert!(!has_room(&mut rounds, key(ROUNDS_MAX)), "everybody is there");
        assert!(has_room(&mut rounds, key(7)), "one more at a round takes no room");
        let left = places.remove(7);
        let round = Arc::clone(&left.0);
        drop(left);
        assert!(has_room(&mut rounds, key(7)) && round.is_kept.load(Ordering::SeqCst), "he may come back");
        assert!(has_room(&mut rounds, key(ROUNDS_MAX)), "nobody is there");
        assert!(!round.is_kept.load(Ordering::SeqCst) && !rounds.contains_key(&key(7)));
    }
}

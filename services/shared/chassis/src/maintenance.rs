//! When the platform is worked on, as a process knows it, and as its streams say it.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use ::time::OffsetDateTime;
use api::{
    clock::v1::{Maintenance, MaintenanceNotice, WatchAnnouncementsResponse},
    federation::v1::{WatchBoardsResponse, WatchEventResponse, WatchNoticesResponse},
    game::v1::{
        GetMaintenanceRequest, WatchMessagesResponse, WatchOwnGamesResponse, WatchResponse,
        game_internal_service_client::GameInternalServiceClient,
    },
    matchmaking::v1::{EnqueueResponse, FollowResponse, WatchOpenChallengesResponse},
    reason,
    time::moment,
    transport::Transport,
};
use futures::{
    Stream, StreamExt as _,
    stream::{self, BoxStream},
};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tonic::Status;

use crate::{Env, Lifecycle, Throttle};

/// How often services ask the game service what is planned.
pub const LOOK: Duration = Duration::from_secs(5);
/// How long its answer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is planned, as was heard last. Clones share it.
#[derive(Clone, Debug)]
pub struct PlannedMaintenance(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    env: Env,
    known: Mutex<Known>,
    /// How often streams had something to say.
    news: AtomicU64,
    /// Rung when they have.
    rung: Notify,
}

/// What is known.
#[derive(Debug, Default)]
struct Known {
    /// What was heard last, which may be over.
    heard: Option<Maintenance>,
    /// What streams say.
    said: Option<Maintenance>,
}

impl PlannedMaintenance {
    /// Nothing was heard yet.
    pub fn new(env: Env) -> Self {
        let (known, news, rung) = (Mutex::default(), AtomicU64::default(), Notify::new());
        PlannedMaintenance(Arc::new(Shared { env, known, news, rung }))
    }

    /// Asks the game service again and again.
    pub fn follow(
        &self,
        lifecycle: &Lifecycle,
        service: &'static str,
        games: GameInternalServiceClient<Transport>,
    ) {
        let planned = self.clone();
        lifecycle.every((service, "maintenance"), LOOK, move || {
            let (planned, games) = (planned.clone(), games.clone());
            async move {
                planned.look(games).await;
                Ok::<(), std::convert::Infallible>(())
            }
        });
    }

    /// Asks the game service. While it does not answer, what it said last is believed.
    pub async fn look(&self, mut games: GameInternalServiceClient<Transport>) {
        let asked = games.get_maintenance(GetMaintenanceRequest {});
        let answer = tokio::time::timeout(PATIENCE, asked).await;
        match answer.unwrap_or_else(|_| Err(Status::deadline_exceeded("no answer"))) {
            Ok(answer) => self.hear(answer.into_inner().maintenance),
            Err(status) => {
                static COMPLAINTS: Throttle = Throttle::new();
                if let Some(held_back) = COMPLAINTS.admit() {
                    tracing::warn!(%status, held_back, "it is not told what maintenance is planned; it is asked for again");
                }
                self.look_at_time();
            }
        }
    }

    /// Takes note of what is planned; streams say it if it is news. To be called again and again, as time passes, too.
    pub fn hear(&self, planned: Option<Maintenance>) {
        self.0.known.lock().heard = planned;
        self.look_at_time();
    }

    /// Has streams say what is news by now.
    pub fn look_at_time(&self) {
        let now = self.0.env.now();
        let mut known = self.0.known.lock();
        let next = next(known.heard.as_ref(), now);
        if next != known.said.as_ref() {
            known.said = next.cloned();
            drop(known);
            self.0.news.fetch_add(1, Ordering::Release);
            self.0.rung.notify_waiters();
        }
    }

    /// The maintenance that is under way or comes next.
    pub fn next(&self) -> Option<Maintenance> {
        next(self.0.known.lock().heard.as_ref(), self.0.env.now()).cloned()
    }

    /// The maintenance that is under way.
    pub fn under_way(&self) -> Option<Maintenance> {
        self.begun_after(Duration::ZERO)
    }

    /// The maintenance that will be under way before so much time has passed, or is.
    pub fn begun_after(&self, span: Duration) -> Option<Maintenance> {
        let then = self.0.env.now().saturating_add(span.try_into().unwrap_or(::time::Duration::MAX));
        self.next().filter(|it| it.begin_time.as_ref().and_then(moment).is_some_and(|begin| begin <= then))
    }

    /// A stream that says, besides, what is planned: as soon as it has told what it begins with, and whenever that has changed.
    /// Until it has told anything itself, clients go on from `place`.
    pub fn said_on<T: Streamed>(
        &self,
        stream: impl Stream<Item = Result<T, Status>> + Send + 'static,
        place: T::Place,
    ) -> BoxStream<'static, Result<T, Status>> {
        let news = stream::unfold((self.clone(), None), async |(planned, said)| {
            let next = planned.other_than(said.as_ref()).await;
            Some((MaintenanceNotice { maintenance: next.clone() }, (planned, next)))
        });
        let (stream, news) = (stream.boxed(), news.boxed());
        Box::pin(Said { planned: self.clone(), stream, news, waits: None, place, has_begun: false })
    }

    /// What streams say, once it is other than this.
    async fn other_than(&self, said: Option<&Maintenance>) -> Option<Maintenance> {
        loop {
            let mut rung = std::pin::pin!(self.0.rung.notified());
            rung.as_mut().enable();
            let known = self.0.known.lock().said.clone();
            if known.as_ref() != said {
                return known;
            }
            rung.await;
        }
    }
}

/// What is not over.
fn next(planned: Option<&Maintenance>, now: OffsetDateTime) -> Option<&Maintenance> {
    planned.filter(|it| it.end_time.as_ref().and_then(moment).is_some_and(|end| now < end))
}

/// Why something does not begin now: the platform is worked on, or will be before it could end.
pub fn refusal(maintenance: &Maintenance) -> api::Error {
    let moment = |time: Option<prost_types::Timestamp>| time.unwrap_or_default().to_string();
    let (begins, ends) = (moment(maintenance.begin_time), moment(maintenance.end_time));
    let text = format!("the platform is worked on from {begins} to {ends}");
    api::Error::new(tonic::Code::FailedPrecondition, reason::MAINTENANCE_NEAR, text)
        .with_metadata("begin_time", begins)
        .with_metadata("end_time", ends)
}

/// What a stream tells that says what maintenance is planned.
pub trait Streamed: Send + 'static {
    /// Where a client goes on that was told something, if the answer says so.
    type Place: Clone + Send + Unpin;

    /// Where one goes on that was told this.
    fn place(&self) -> Self::Place;

    /// What maintenance is planned, told somebody who goes on from there.
    fn of(notice: MaintenanceNotice, place: Self::Place) -> Self;
}

/// Answers with a notice, and with a place if they have one.
macro_rules! streamed {
    ($($answer:ident),+; $($placed:ident { $field:ident: $place:ty }),+) => {
        $(impl Streamed for $answer {
            type Place = ();

            fn place(&self) {}

            fn of(notice: MaintenanceNotice, (): ()) -> Self {
                $answer { maintenance_notice: Some(notice), ..$answer::default() }
            }
        })+
        $(impl Streamed for $placed {
            type Place = $place;

            fn place(&self) -> $place {
                self.$field.clone()
            }

            fn of(notice: MaintenanceNotice, $field: $place) -> Self {
                $placed { maintenance_notice: Some(notice), $field, ..$placed::default() }
            }
        })+
    };
}

streamed! {
    WatchResponse, WatchOwnGamesResponse, WatchMessagesResponse, WatchAnnouncementsResponse, EnqueueResponse, WatchEventResponse,
    WatchNoticesResponse;
    FollowResponse { cursor: String }, WatchBoardsResponse { cursor: String }, WatchOpenChallengesResponse { number: u64 }
}

/// A stream with what is said on it besides.
struct Said<T: Streamed> {
    planned: PlannedMaintenance,
    stream: BoxStream<'static, Result<T, Status>>,
    news: BoxStream<'static, MaintenanceNotice>,
    /// After how much news there was nothing to say, and who is woken when there is: it is not asked again before, as all streams
    /// of a process ask at one place.
    waits: Option<(u64, Waker)>,
    /// Where a client goes on that was told all this.
    place: T::Place,
    /// Whether the stream has told anything: what it begins with comes first.
    has_begun: bool,
}

impl<T: Streamed> Said<T> {
    fn poll_news(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, Status>>> {
        let number = self.planned.0.news.load(Ordering::Acquire);
        let waits = |(seen, waker): &(u64, Waker)| *seen == number && waker.will_wake(context.waker());
        if self.waits.as_ref().is_some_and(waits) {
            return Poll::Pending;
        }
        let told = self.news.poll_next_unpin(context);
        self.waits = told.is_pending().then(|| (number, context.waker().clone()));
        told.map(|notice| notice.map(|notice| Ok(T::of(notice, self.place.clone()))))
    }
}

impl<T: Streamed> Stream for Said<T> {
    type Item = Result<T, Status>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let said = self.get_mut();
        if said.has_begun {
            if let news @ Poll::Ready(_) = said.poll_news(context) {
                return news;
            }
            let told = said.stream.poll_next_unpin(context);
            if let Poll::Ready(Some(Ok(told))) = &told {
                said.place = told.place();
            }
            return told;
        }
        let told = said.stream.poll_next_unpin(context);
        match &told {
            Poll::Ready(Some(Ok(told))) => (said.place, said.has_begun) = (told.place(), true),
            Poll::Ready(_) => {}
            Poll::Pending => return said.poll_news(context),
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use ::time::Duration as Span;
    use futures::{FutureExt as _, channel::mpsc};
    use prost::Message as _;

    use super::*;
    use crate::MockClock;

    const START: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    fn planned() -> (PlannedMaintenance, MockClock) {
        let (env, clock) = Env::mock(START, 1);
        (PlannedMaintenance::new(env), clock)
    }

    /// One from these minutes to those.
    fn maintenance(begin: i64, end: i64) -> Maintenance {
        let at = |minutes| Some(api::time::timestamp(START + Span::minutes(minutes)));
        Maintenance { begin_time: at(begin), end_time: at(end), reason: String::new() }
    }

    fn board(cursor: &str) -> WatchBoardsResponse {
        WatchBoardsResponse { cursor: cursor.to_owned(), ..WatchBoardsResponse::default() }
    }

    /// An answer that says this, and that one goes on from there.
    fn notice(cursor: &str, maintenance: Option<Maintenance>) -> WatchBoardsResponse {
        WatchBoardsResponse { maintenance_notice: Some(MaintenanceNotice { maintenance }), ..board(cursor) }
    }

    /// What a stream says now.
    fn said(
        stream: &mut BoxStream<'static, Result<WatchBoardsResponse, Status>>,
    ) -> Vec<WatchBoardsResponse> {
        let next = || stream.next().now_or_never().flatten();
        std::iter::from_fn(next).map(|told| told.expect("told")).collect()
    }

    #[test]
    fn a_stream_says_what_is_planned_after_its_first_answer_and_whenever_that_has_changed() {
        let (planned, clock) = planned();
        let (tell, told) = mpsc::unbounded();
        planned.hear(Some(maintenance(10, 20)));
        tell.unbounded_send(Ok(board("1"))).expect("it is listened");
        let mut stream = planned.said_on(told, String::new());
        assert_eq!(said(&mut stream), [board("1"), notice("1", Some(maintenance(10, 20)))]);
        assert_eq!(said(&mut stream), []);
        planned.hear(Some(maintenance(10, 20)));
        assert_eq!(said(&mut stream), [], "it was said");
        planned.hear(Some(maintenance(12, 30)));
        tell.unbounded_send(Ok(board("2"))).expect("it is listened");
        assert_eq!(said(&mut stream), [notice("1", Some(maintenance(12, 30))), board("2")]);
        planned.hear(None);
        planned.hear(Some(maintenance(15, 25)));
        assert_eq!(
            said(&mut stream),
            [notice("2", Some(maintenance(15, 25)))],
            "what holds now is said alone"
        );
        clock.advance(Duration::from_mins(25));
        assert_eq!(said(&mut stream), []);
        planned.look_at_time();
        assert_eq!(said(&mut stream), [notice("2", None)], "it is over");
        planned.hear(Some(maintenance(15, 25)));
        assert_eq!(said(&mut stream), []);
        drop(tell);
        assert!(stream.next().now_or_never().expect("it ends").is_none());
    }

    #[test]
    fn a_stream_that_has_nothing_to_tell_says_it_too_and_where_its_client_was() {
        let (planned, _clock) = planned();
        let mut early = planned.said_on(stream::pending(), "7".to_owned());
        assert_eq!(said(&mut early), []);
        planned.hear(Some(maintenance(1, 2)));
        let mut late = planned.said_on(stream::pending(), String::new());
        assert_eq!(said(&mut early), [notice("7", Some(maintenance(1, 2)))]);
        assert_eq!(said(&mut late), [notice("", Some(maintenance(1, 2)))]);
    }

    #[tokio::test]
    async fn who_waits_on_a_stream_is_woken_by_news() {
        let (planned, _clock) = planned();
        let [mut one, mut other] =
            [0, 1].map(|_| planned.said_on::<WatchEventResponse>(stream::pending(), ()));
        let heard = async {
            tokio::task::yield_now().await;
            planned.hear(Some(maintenance(1, 2)));
        };
        let (one, other, ()) = tokio::join!(one.next(), other.next(), heard);
        for told in [one, other] {
            let notice = told.expect("it goes on").expect("told").maintenance_notice;
            assert_eq!(notice.expect("a notice").maintenance, Some(maintenance(1, 2)));
        }
    }

    /// Streams that tell how far a piece of work is, and end with it.
    const WORK: [&str; 7] = [
        "PairRound",
        "ImportRoster",
        "ExportRoster",
        "ImportEvent",
        "ExportEvent",
        "ExportGames",
        "ExportPerson",
    ];

    #[test]
    fn every_public_stream_that_does_not_end_by_itself_can_say_it() {
        let files = prost_types::FileDescriptorSet::decode(api::FILE_DESCRIPTOR_SET).expect("our own").file;
        let says = |answer: &str| {
            let of_file =
                files.iter().filter_map(|file| answer.strip_prefix(&format!(".{}.", file.package())));
            let names: Vec<&str> = of_file.collect();
            let messages = files.iter().flat_map(|file| &file.message_type);
            let mut found = messages.filter(|message| names.contains(&message.name()));
            found.any(|message| message.field.iter().any(|field| field.name() == "maintenance_notice"))
        };
        let services = files.iter().flat_map(|file| &file.service);
        let public = services.filter(|service| !service.name().contains("Internal"));
        let streams: Vec<_> =
            public.flat_map(|service| &service.method).filter(|method| method.server_streaming()).collect();
        for method in &streams {
            assert_ne!(says(method.output_type()), WORK.contains(&method.name()), "{}", method.name());
        }
        assert_eq!(streams.len(), WORK.len() + 10);
    }

    #[test]
    fn what_could_not_end_before_it_is_known_by_how_long_it_takes() {
        let (planned, clock) = planned();
        planned.hear(Some(maintenance(60, 90)));
        let minutes = Duration::from_mins;
        assert_eq!(planned.begun_after(minutes(59)), None);
        assert_eq!(planned.begun_after(minutes(60)), Some(maintenance(60, 90)));
        assert_eq!(planned.begun_after(Duration::MAX), Some(maintenance(60, 90)));
        assert_eq!(planned.under_way(), None);
        clock.advance(minutes(60));
        assert_eq!(planned.under_way(), planned.next());
        clock.advance(minutes(30));
        assert_eq!((planned.under_way(), planned.begun_after(Duration::MAX)), (None, None));
    }
}

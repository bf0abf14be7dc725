//! Doubles of what is followed for somebody: streams of other services, and what games did to ratings.

use std::sync::{Arc, Mutex, MutexGuard};

use api::rating::v1::{self as pb, rating_service_server::RatingService};
use futures::{
    StreamExt as _,
    channel::mpsc::{UnboundedSender, unbounded},
    stream::BoxStream,
};
use tonic::{Request, Response, Status};

/// Streams of one kind, each with what it was asked for with.
#[derive(Clone)]
pub(crate) struct Lines<R, T>(Arc<Mutex<State<R, T>>>);

struct State<R, T> {
    is_down: bool,
    asked: Vec<R>,
    open: Vec<UnboundedSender<Result<T, Status>>>,
}

impl<R, T> Default for Lines<R, T> {
    fn default() -> Self {
        Lines(Arc::new(Mutex::new(State { is_down: false, asked: Vec::new(), open: Vec::new() })))
    }
}

impl<R: Clone, T: Clone + Send + 'static> Lines<R, T> {
    fn lock(&self) -> MutexGuard<'_, State<R, T>> {
        self.0.lock().expect("nobody panics")
    }

    /// A stream, unless they are down.
    pub(crate) fn open(&self, request: R) -> Result<BoxStream<'static, Result<T, Status>>, Status> {
        let mut state = self.lock();
        if state.is_down {
            return Err(Status::unavailable("down"));
        }
        let (say, said) = unbounded();
        state.asked.push(request);
        state.open.push(say);
        Ok(said.boxed())
    }

    /// Says something on all that are open.
    pub(crate) fn say(&self, message: &T) {
        self.lock().open.retain(|line| line.unbounded_send(Ok(message.clone())).is_ok());
    }

    /// Breaks all that are open; perhaps there are none from now on.
    pub(crate) fn cut(&self, is_down: bool) {
        let mut state = self.lock();
        state.is_down = is_down;
        state.open.clear();
    }

    /// What was asked for, each stream once.
    pub(crate) fn asked(&self) -> Vec<R> {
        self.lock().asked.clone()
    }

    /// How many are open.
    pub(crate) fn count(&self) -> usize {
        let mut state = self.lock();
        state.open.retain(|line| !line.is_closed());
        state.open.len()
    }
}

/// Ratings that know what games did to them.
#[derive(Clone, Default)]
pub(crate) struct Changes(Arc<Mutex<Vec<pb::GameChange>>>);

impl Changes {
    /// A game has been rated.
    pub(crate) fn rate(&self, change: pb::GameChange) {
        self.0.lock().expect("nobody panics").push(change);
    }
}

/// Methods that nobody calls here.
macro_rules! unasked {
    ($($call:ident: $request:ident => $response:ident;)+) => {
        $(fn $call<'a, 'b>(
            &'a self,
            _request: Request<pb::$request>,
        ) -> futures::future::BoxFuture<'b, Result<Response<pb::$response>, Status>>
        where
            'a: 'b,
            Self: 'b,
        {
            Box::pin(async { Err(Status::unimplemented("not asked for here")) })
        })+
    };
}

#[tonic::async_trait]
impl RatingService for Changes {
    unasked! {
        get_rating: GetRatingRequest => GetRatingResponse;
        list_ratings: ListRatingsRequest => ListRatingsResponse;
        list_history: ListHistoryRequest => ListHistoryResponse;
        list_leaders: ListLeadersRequest => ListLeadersResponse;
        list_periods: ListPeriodsRequest => ListPeriodsResponse;
        get_graph: GetGraphRequest => GetGraphResponse;
        get_head_to_head: GetHeadToHeadRequest => GetHeadToHeadResponse;
        get_policy: GetPolicyRequest => GetPolicyResponse;
    }

    async fn list_game_changes(
        &self,
        request: Request<pb::ListGameChangesRequest>,
    ) -> Result<Response<pb::ListGameChangesResponse>, Status> {
        let games = request.into_inner().game_ids;
        let is_asked =
            |it: &pb::GameChange| it.change.as_ref().is_some_and(|change| games.contains(&change.game_id));
        let mut changes = self.0.lock().expect("nobody panics").clone();
        changes.retain(is_asked);
        Ok(Response::new(pb::ListGameChangesResponse { changes }))
    }
}

//! The network between players, services and their replicas: it is slow, loses requests and answers, and
//! breaks streams; and whoever is not up does not answer.
//!
//! A call is worked off by the replica that it reaches, in a task of that replica, so that it dies with it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use api::transport::{Transport, over};
use http::{Request, Response};
use tokio::{sync::oneshot, task::JoinSet};
use tonic::{Status, body::Body};
use tower::ServiceExt as _;

use crate::{
    rng::Rng,
    topology::{End, Node, Service, Topology},
    trace::Trace,
    wire::{self, Breaks},
};

/// How long a message takes when nothing is wrong.
const LATENCY: Duration = Duration::from_millis(4);
/// How long a slow one takes at most.
const SLOW: Duration = Duration::from_secs(2);
/// How long it takes at most to notice that a connection is dead.
const NOTICE: Duration = Duration::from_secs(6);

/// Which of a service's two faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// The one for everybody.
    Public,
    /// The one for services.
    Internal,
}

/// What a replica that is up answers with.
#[derive(Debug)]
pub(crate) struct Door {
    public: Transport,
    internal: Transport,
    /// The calls that it is working off; dropped with it.
    calls: JoinSet<()>,
}

/// The network.
#[derive(Debug)]
pub(crate) struct Network {
    topology: Arc<Topology>,
    rng: Rng,
    trace: Trace,
    replicas: usize,
    doors: Mutex<BTreeMap<Node, Door>>,
}

/// A way from somebody to a service, over which requests are sent.
#[derive(Clone, Debug)]
struct Way {
    network: Arc<Network>,
    from: End,
    to: Service,
    face: Face,
}

impl Door {
    /// The door of a replica.
    pub(crate) fn new(public: Transport, internal: Transport) -> Self {
        Door { public, internal, calls: JoinSet::new() }
    }
}

impl Network {
    /// A network on which every service has so many replicas, none of them up.
    pub(crate) fn new(topology: Arc<Topology>, rng: Rng, trace: Trace, replicas: usize) -> Self {
        Network { topology, rng, trace, replicas, doors: Mutex::default() }
    }

    /// A replica is up.
    pub(crate) fn open(&self, node: Node, door: Door) {
        self.doors().insert(node, door);
    }

    /// A replica is gone, and with it all that it was working off.
    pub(crate) fn close(&self, node: Node) {
        let door = self.doors().remove(&node);
        drop(door);
    }

    /// Whether a replica is up and answers.
    pub(crate) fn is_open(&self, node: Node) -> bool {
        self.doors().contains_key(&node)
    }

    /// The way from somebody to a service, whichever of its replicas answers.
    pub(crate) fn transport(self: &Arc<Self>, from: End, to: Service, face: Face) -> Transport {
        let transport = Way { network: Arc::clone(self), from, to, face };
        over(tower::service_fn(move |request| {
            let transport = transport.clone();
            async move { Ok::<_, Status>(transport.call(request).await) }
        }))
    }

    /// A way to one replica on which nothing goes wrong; `None` when it is not up.
    pub(crate) fn straight(&self, node: Node, face: Face) -> Option<Transport> {
        self.doors().get(&node).map(|door| door.face(face))
    }

    /// The replica that a request goes to: mostly one that is up, but nobody knows at once who has died.
    fn choose(&self, to: Service) -> Node {
        let node = |number| Node { service: to, number };
        let up: Vec<Node> = self.doors().keys().copied().filter(|node| node.service == to).collect();
        if up.is_empty() || self.rng.chance(0.1) {
            return node(self.rng.below(self.replicas));
        }
        *self.rng.pick(&up)
    }

    async fn travel(&self) {
        let slow = self.rng.chance(self.topology.quality().slow);
        let time = self.rng.mostly_short(if slow { SLOW } else { LATENCY });
        if !time.is_zero() {
            tokio::time::sleep(time).await;
        }
    }

    /// Nothing comes back, until somebody concludes that nothing will.
    async fn lost(&self) -> Response<Body> {
        tokio::time::sleep(self.rng.mostly_short(NOTICE)).await;
        Status::unavailable("the connection was lost").into_http()
    }

    /// Has a replica work a request off. `None` when it is not up.
    fn serve(
        &self,
        node: Node,
        face: Face,
        request: Request<Body>,
        breaks: Breaks,
    ) -> Option<oneshot::Receiver<Response<Body>>> {
        let mut doors = self.doors();
        let door = doors.get_mut(&node)?;
        while door.calls.try_join_next().is_some() {}
        let (head, answer) = oneshot::channel();
        door.calls.spawn(work_off(door.face(face), request, head, breaks));
        Some(answer)
    }

    fn doors(&self) -> MutexGuard<'_, BTreeMap<Node, Door>> {
        self.doors.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Way {
    async fn call(self, request: Request<Body>) -> Response<Body> {
        let path = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
        let (target, response) = self.answer(request).await;
        let code = response.headers().get("grpc-status").and_then(|code| code.to_str().ok()).unwrap_or("ok");
        self.network.trace.note(format!("{} -> {target} {path}: {code}", self.from));
        response
    }

    async fn answer(&self, request: Request<Body>) -> (Node, Response<Body>) {
        let Way { network, from, to, face } = self;
        let target = network.choose(*to);
        let cut = || network.topology.is_cut(*from, End::Node(target));
        network.travel().await;
        if cut() || network.rng.chance(network.topology.quality().request_lost) {
            return (target, network.lost().await);
        }
        let breaks = Breaks::new(Arc::clone(&network.topology), network.rng.clone(), *from, target);
        let Some(answer) = network.serve(target, *face, request, breaks) else {
            return (target, Status::unavailable("nobody listens there").into_http());
        };
        let Ok(response) = answer.await else {
            return (target, Status::unavailable("the connection was reset").into_http());
        };
        network.travel().await;
        if cut() || network.rng.chance(network.topology.quality().answer_lost) {
            return (target, network.lost().await);
        }
        (target, response)
    }
}

impl Door {
    fn face(&self, face: Face) -> Transport {
        match face {
            Face::Public => self.public.clone(),
            Face::Internal => self.internal.clone(),
        }
    }
}

/// Works a request off and sends all of the answer. Half of those who go away are not noticed: then the work
/// is done for nobody.
async fn work_off(
    service: Transport,
    request: Request<Body>,
    mut head: oneshot::Sender<Response<Body>>,
    breaks: Breaks,
) {
    let notices = breaks.notices_who_leaves();
    let response = tokio::select! {
        biased;
        () = head.closed(), if notices => return,
        response = service.oneshot(request) => response,
    };
    let response = response.unwrap_or_else(|error| Status::unavailable(error.to_string()).into_http());
    let (parts, body) = response.into_parts();
    let (sender, receiver) = wire::body();
    if head.send(Response::from_parts(parts, receiver)).is_ok() {
        wire::pump(body, sender, breaks).await;
    }
}

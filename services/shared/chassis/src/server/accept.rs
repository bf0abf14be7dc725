//! The loop that takes connections, and what it does when there are too many of them.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use tokio::net::{TcpListener, TcpStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Door,
    connection::{self, Answering, Common},
    connections::Connections,
};
use crate::{
    Lifecycle,
    metrics::{Kind, Metric},
    throttle::Throttle,
};

/// How often it is looked for connections that are idle, or do not take their answers.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// Idle connections that are closed at once when there are no descriptors left.
const SHED_AT_ONCE: usize = 16;
/// How long to wait before the next try when a connection cannot be taken, at first and at most.
const PAUSE_MIN: Duration = Duration::from_millis(10);
const PAUSE_MAX: Duration = Duration::from_secs(1);

const OPEN: Metric = Metric {
    name: "shoutan_connections",
    kind: Kind::Gauge,
    unit: None,
    labels: &[],
    help: "Connections of clients, gateways and other services",
};

const MOST: Metric = Metric {
    name: "shoutan_connections_max",
    kind: Kind::Gauge,
    unit: None,
    labels: &[],
    help: "How many of them there may be",
};

/// What is measured of connections.
pub(super) const METRICS: &[Metric] = &[OPEN, MOST];

/// Serves connections until the lifecycle is told to stop, and then those that are there until they end, or have to.
pub(super) async fn serve(listener: TcpListener, service: Answering, door: Door, lifecycle: &Lifecycle) {
    let most = door.connections_max();
    let connections = Connections::new(size(most), size(door.connections_per_address));
    let counted = connections.clone();
    lifecycle.metrics().read(&OPEN, move |reader| reader.count(&[], counted.len() as u64));
    lifecycle.metrics().read(&MOST, move |reader| reader.count(&[], most.into()));
    let calls_within = door.stop_within.mul_f64(0.75);
    let common = Arc::new(Common {
        door,
        service,
        http: connection::http(),
        stop: lifecycle.stopping(),
        cut: CancellationToken::new(),
    });
    let tasks = TaskTracker::new();
    take(listener, &connections, &common, &tasks).await;
    tasks.close();
    let told = tokio::select! {
        biased;
        () = lifecycle.aborting().cancelled_owned() => false,
        ended = tokio::time::timeout(calls_within, tasks.wait()) => ended.is_ok(),
    };
    if !told {
        tracing::warn!("{} connections are cut: they did not end in time", connections.len());
    }
    common.cut.cancel();
    tasks.wait().await;
}

/// Takes connections until it is time to stop. The listener is closed with the last.
async fn take(listener: TcpListener, connections: &Connections, common: &Arc<Common>, tasks: &TaskTracker) {
    let mut look = tokio::time::interval(LOOK_INTERVAL);
    let (mut pause, failing) = (PAUSE_MIN, Throttle::new());
    loop {
        let taken = tokio::select! {
            biased;
            () = common.stop.cancelled() => return,
            _ = look.tick() => {
                connections.close_idle(common.door.idle_within);
                connections.cut_untaken();
                continue;
            }
            taken = listener.accept() => taken,
        };
        match taken {
            Ok((stream, peer)) => {
                pause = PAUSE_MIN;
                begin(stream, peer, connections, common, tasks);
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                let closed = connections.shed(SHED_AT_ONCE);
                if let Some(held_back) = failing.admit() {
                    tracing::error!(%error, held_back, closed, "connections cannot be taken; idle ones are closed");
                }
                // The connections that were closed need a moment to be gone; and so does whatever else is wrong.
                tokio::select! {
                    biased;
                    () = common.stop.cancelled() => return,
                    () = tokio::time::sleep(pause) => {}
                }
                pause = (pause * 2).min(PAUSE_MAX);
            }
        }
    }
}

fn begin(
    stream: TcpStream,
    peer: SocketAddr,
    connections: &Connections,
    common: &Arc<Common>,
    tasks: &TaskTracker,
) {
    if let Some(here) = connections.enter() {
        tasks.spawn(connection::serve(stream, peer, here, Arc::clone(common)));
    }
}

/// Whether only the connection that would have been taken is at fault.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

fn size(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

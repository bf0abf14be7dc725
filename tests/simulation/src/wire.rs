//! The body of an answer on its way: message by message, until all of it is there or the stream breaks.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures::stream;
use http_body::Frame;
use http_body_util::{BodyExt as _, StreamBody};
use tokio::sync::mpsc;
use tonic::{Status, body::Body};

use crate::{
    rng::Rng,
    topology::{End, Node, Topology},
};

/// Messages under way.
const UNDER_WAY: usize = 16;
/// How long a message of a stream takes at most.
const LATENCY: Duration = Duration::from_millis(5);

/// What breaks a stream.
#[derive(Debug)]
pub(crate) struct Breaks {
    topology: Arc<Topology>,
    rng: Rng,
    from: End,
    target: Node,
}

/// What travels: a piece of the body, or the word that it was the last.
#[derive(Debug)]
pub(crate) enum Piece {
    /// Bytes or trailers.
    Frame(Frame<Bytes>),
    /// There is no more.
    End,
}

impl Breaks {
    /// What breaks a stream between these two.
    pub(crate) fn new(topology: Arc<Topology>, rng: Rng, from: End, target: Node) -> Self {
        Breaks { topology, rng, from, target }
    }

    /// Whether it is noticed that nobody waits for the answer any more.
    pub(crate) fn notices_who_leaves(&self) -> bool {
        self.rng.chance(0.5)
    }

    fn now(&self) -> bool {
        self.topology.is_cut(self.from, End::Node(self.target))
            || self.rng.chance(self.topology.quality().stream_cut)
    }
}

/// A body and the way to fill it. One that is not filled to its end breaks.
pub(crate) fn body() -> (mpsc::Sender<Piece>, Body) {
    let (sender, receiver) = mpsc::channel(UNDER_WAY);
    let frames = stream::unfold(Some(receiver), |receiver: Option<mpsc::Receiver<Piece>>| async move {
        let mut receiver = receiver?;
        match receiver.recv().await {
            Some(Piece::Frame(frame)) => Some((Ok(frame), Some(receiver))),
            Some(Piece::End) => None,
            None => Some((Err(Status::unavailable("the stream broke")), None)),
        }
    });
    (sender, Body::new(StreamBody::new(frames)))
}

/// Sends a body, until it ends, breaks, or nobody reads it any more.
pub(crate) async fn pump(mut body: Body, sender: mpsc::Sender<Piece>, breaks: Breaks) {
    let mut first = true;
    loop {
        let frame = tokio::select! {
            biased;
            () = sender.closed() => return,
            frame = body.frame() => frame,
        };
        let piece = match frame {
            None => Piece::End,
            Some(Ok(frame)) => Piece::Frame(frame),
            Some(Err(_)) => return,
        };
        let last = matches!(piece, Piece::End);
        if !first && !last {
            tokio::time::sleep(breaks.rng.between(Duration::ZERO, LATENCY)).await;
        }
        if breaks.now() || sender.send(piece).await.is_err() || last {
            return;
        }
        first = false;
    }
}

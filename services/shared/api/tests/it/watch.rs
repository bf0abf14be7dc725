//! A server that ends its streams whenever it likes.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex},
    time::Duration,
};

use api::{
    client::{GameStream, GameUpdate},
    game::v1::{
        Game, GameEvent, GameState, GetGameResponse, Progress, Stage, WatchRequest, WatchResponse,
        watch_response::Step,
    },
    transport::{Transport, over},
};
use bytes::{BufMut as _, Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body::Frame;
use prost::Message;
use tonic::body::Body;

/// What the server has of one game: its last event, whether that made the result final, and for each stream to come how
/// many events it sends before it ends without an error.
#[derive(Debug, Default)]
struct Server {
    last: u64,
    is_final: bool,
    streams: Vec<u64>,
    asked: Vec<&'static str>,
}

impl Server {
    fn state(&self, sequence: u64) -> GameState {
        let is_final = self.is_final && sequence == self.last;
        let stage = if is_final { Stage::Final } else { Stage::Playing };
        let progress = Some(Progress { stage: stage.into(), ..Progress::default() });
        GameState { sequence, progress, ..GameState::default() }
    }

    fn answer(&mut self, path: &str, body: &[u8]) -> Vec<Bytes> {
        if path.ends_with("/GetGame") {
            self.asked.push("game");
            let game = Game { state: Some(self.state(self.last)), ..Game::default() };
            return vec![framed(&GetGameResponse { game: Some(game), ..GetGameResponse::default() })];
        }
        self.asked.push("stream");
        let request = WatchRequest::decode(&body[5..]).expect("a request");
        let after = request.after_sequence.expect("the tests watch from an event on");
        let count = if self.streams.is_empty() { u64::MAX } else { self.streams.remove(0) };
        let events = (after + 1..=self.last).take(usize::try_from(count).unwrap_or(usize::MAX));
        let event =
            |sequence| GameEvent { sequence, state: Some(self.state(sequence)), ..GameEvent::default() };
        events
            .map(|sequence| {
                framed(&WatchResponse {
                    step: Some(Step::Event(event(sequence))),
                    ..WatchResponse::default()
                })
            })
            .collect()
    }
}

/// A message as gRPC sends it.
fn framed(message: &impl Message) -> Bytes {
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(u32::try_from(message.encoded_len()).expect("short"));
    message.encode(&mut frame).expect("there is room");
    frame.freeze()
}

/// The way to the server. Every answer ends well.
fn transport(server: &Arc<Mutex<Server>>) -> Transport {
    let server = Arc::clone(server);
    over(tower::service_fn(move |request: Request<Body>| {
        let server = Arc::clone(&server);
        async move {
            let path = request.uri().path().to_owned();
            let body = http_body_util::BodyExt::collect(request.into_body()).await.expect("whole").to_bytes();
            let messages = server.lock().expect("nobody panicked").answer(&path, &body);
            let mut good = HeaderMap::new();
            good.insert("grpc-status", HeaderValue::from_static("0"));
            let frames = messages.into_iter().map(Frame::data).chain([Frame::trailers(good)]);
            let body =
                http_body_util::StreamBody::new(futures::stream::iter(frames.map(Ok::<_, Infallible>)));
            let response = Response::builder().header("content-type", "application/grpc");
            Ok::<_, Infallible>(response.body(Body::new(body)).expect("a response"))
        }
    }))
}

async fn sequence(watched: &mut GameStream) -> Option<u64> {
    match watched.next().await.expect("the server answers") {
        Some(GameUpdate::Event(event)) => Some(event.sequence),
        Some(other) => panic!("nobody asked for {other:?}"),
        None => None,
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_ends_early_is_not_the_end_of_the_game() {
    let server = Server { last: 5, is_final: true, streams: vec![2, 0, 1], ..Server::default() };
    let server = Arc::new(Mutex::new(server));
    let mut watched = GameStream::new(transport(&server), "game").after(0);
    for expected in [Some(1), Some(2), Some(3), Some(4), Some(5), None, None] {
        assert_eq!(sequence(&mut watched).await, expected);
    }
    let asked = server.lock().expect("nobody panicked").asked.clone();
    assert_eq!(asked, ["stream", "game", "stream", "game", "stream", "game", "stream"]);
}

#[tokio::test(start_paused = true)]
async fn a_game_that_goes_on_is_watched_until_it_ends() {
    let server = Server { last: 1, streams: vec![1, 0, 0, 0], ..Server::default() };
    let server = Arc::new(Mutex::new(server));
    let mut watched = GameStream::new(transport(&server), "game").after(0);
    assert_eq!(sequence(&mut watched).await, Some(1));
    let later = Arc::clone(&server);
    let end = async {
        tokio::time::sleep(Duration::from_mins(1)).await;
        let mut server = later.lock().expect("nobody panicked");
        (server.last, server.is_final) = (2, true);
        server.asked.len()
    };
    let (seen, asked) = tokio::join!(sequence(&mut watched), end);
    assert_eq!(seen, Some(2));
    // Whoever is turned away again and again asks less often.
    assert!((40..80).contains(&asked), "asked {asked} times in a minute");
    assert_eq!(sequence(&mut watched).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_finished_game_has_nothing_more_to_say() {
    let server = Server { last: 5, is_final: true, ..Server::default() };
    let server = Arc::new(Mutex::new(server));
    let mut watched = GameStream::new(transport(&server), "game").after(5);
    assert_eq!(sequence(&mut watched).await, None);
    assert_eq!(server.lock().expect("nobody panicked").asked, ["stream", "game"]);
}

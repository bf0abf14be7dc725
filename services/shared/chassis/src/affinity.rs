//! Whose calls belong together: those about one game are best answered by the replica that has it in memory.
//!
//! Any replica can answer any of them; another one reads the log of the game first. So whoever spreads calls over replicas need not
//! be told anything but which game a call is about, and may be wrong: a header says it, on which a proxy can hash.

use std::{
    collections::HashSet,
    pin::Pin,
    sync::LazyLock,
    task::{Context, Poll},
};

use api::transport::{Transport, TransportError};
use bytes::Bytes;
use futures::future::BoxFuture;
use http::{HeaderValue, Request, Response};
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt as _;
use prost::Message as _;
use prost_types::{FileDescriptorSet, MethodDescriptorProto};
use tonic::{Status, body::Body};
use tower::{Service, ServiceExt as _};

use crate::server::PolledFrame;

/// The id of the game that a call is about, for whoever chooses the replica that answers it.
pub const GAME_HEADER: &str = "x-shoutan-game";

/// The package of the services of which a call can be about one game.
const PACKAGE: &str = "shoutan.game.v1";
/// What requests about one game name it in, as their first field.
const FIELD: (&str, i32) = ("game_id", 1);
/// How a message begins that has it: before it is whether the message is compressed, and its length.
const BEGIN: u8 = 0x0a;
const PREFIX_BYTES: usize = 5;
/// No id is longer, so its length is one byte.
const ID_BYTES_MAX: u8 = 64;

/// The same transport, on which every call that is about one game says which. What was said before is taken off.
pub fn by_game(transport: Transport) -> Transport {
    Transport::new(ByGame(transport))
}

#[derive(Clone)]
struct ByGame(Transport);

impl Service<Request<Body>> for ByGame {
    type Response = Response<Body>;
    type Error = TransportError;
    type Future = BoxFuture<'static, Result<Response<Body>, TransportError>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        // The transport is asked when there is something to send.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        request.headers_mut().remove(GAME_HEADER);
        let transport = self.0.clone();
        if !paths().contains(request.uri().path()) {
            return Box::pin(transport.oneshot(request));
        }
        Box::pin(async move {
            let (mut head, mut rest) = request.into_parts();
            let first = rest.frame().await;
            let begin = first.as_ref().and_then(|frame| frame.as_ref().ok()).and_then(Frame::data_ref);
            if let Some(game) = begin.and_then(|bytes| game(bytes)) {
                head.headers.insert(GAME_HEADER, game);
            }
            transport.oneshot(Request::from_parts(head, Body::new(Begun { first, rest }))).await
        })
    }
}

/// The game that a message is about, from how it begins. `None` where it does not say so at once: then it is anybody's.
fn game(begin: &[u8]) -> Option<HeaderValue> {
    let (prefix, message) = begin.split_at_checked(PREFIX_BYTES)?;
    let [BEGIN, length, rest @ ..] = message else { return None };
    let is_plain = prefix.first() == Some(&0) && (1..=ID_BYTES_MAX).contains(length);
    let id = rest.get(..usize::from(*length)).filter(|_| is_plain)?;
    HeaderValue::from_bytes(id).ok()
}

/// Where calls are made that are about one game.
fn paths() -> &'static HashSet<String> {
    static PATHS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let files =
            FileDescriptorSet::decode(api::FILE_DESCRIPTOR_SET).expect("it was made by our own build");
        let has_game = messages(&files).filter(|(_, number)| *number == FIELD.1).map(|(name, _)| name);
        let has_game: HashSet<String> = has_game.collect();
        let is_about_one = |method: &MethodDescriptorProto| {
            !method.client_streaming() && has_game.contains(method.input_type())
        };
        methods(&files).filter(|(_, method)| is_about_one(method)).map(|(path, _)| path).collect()
    });
    &PATHS
}

/// The messages of the package that name a game, and the number of the field in which they do.
fn messages(files: &FileDescriptorSet) -> impl Iterator<Item = (String, i32)> {
    let of_package = files.file.iter().filter(|file| file.package() == PACKAGE);
    of_package.flat_map(|file| &file.message_type).filter_map(|message| {
        let field = message.field.iter().find(|field| field.name() == FIELD.0)?;
        Some((format!(".{PACKAGE}.{}", message.name()), field.number()))
    })
}

/// The methods of the package, and where they are called.
fn methods(files: &FileDescriptorSet) -> impl Iterator<Item = (String, &MethodDescriptorProto)> {
    let of_package = files.file.iter().filter(|file| file.package() == PACKAGE);
    of_package.flat_map(|file| &file.service).flat_map(|service| {
        let path =
            |method: &MethodDescriptorProto| format!("/{PACKAGE}.{}/{}", service.name(), method.name());
        service.method.iter().map(move |method| (path(method), method))
    })
}

/// A body of which the first frame was read already.
struct Begun {
    first: Option<Result<Frame<Bytes>, Status>>,
    rest: Body,
}

impl http_body::Body for Begun {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> PolledFrame {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(first)),
            None => Pin::new(&mut self.rest).poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.first.is_none() && self.rest.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let first = self.first.as_ref().and_then(|first| first.as_ref().ok()).and_then(Frame::data_ref);
        let mut hint = self.rest.size_hint();
        let bytes = first.map_or(0, |bytes| u64::try_from(bytes.len()).unwrap_or_default());
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + bytes);
        }
        hint.set_lower(hint.lower() + bytes);
        hint
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use api::{game::v1::PlayRequest, transport::over};
    use bytes::{BufMut as _, BytesMut};
    use futures::stream;
    use http_body_util::{Full, StreamBody};
    use proptest::prelude::*;

    use super::*;

    const PLAY: &str = "/shoutan.game.v1.GameService/Play";

    /// What a service is told of which game, and what comes to it.
    async fn told(path: &str, body: Body) -> (Option<String>, Bytes) {
        let transport = by_game(over(tower::service_fn(|request: Request<Body>| async {
            let game = request.headers().get(GAME_HEADER).cloned();
            let whole = request.into_body().collect().await.expect("nothing fails").to_bytes();
            let mut response = Response::new(Body::new(Full::new(whole)));
            if let Some(game) = game {
                response.headers_mut().insert(GAME_HEADER, game);
            }
            Ok::<_, Infallible>(response)
        })));
        let request = Request::post(path).header(GAME_HEADER, "another").body(body).expect("a request");
        let answer = transport.oneshot(request).await.expect("it answers");
        let game =
            answer.headers().get(GAME_HEADER).map(|game| game.to_str().expect("it is text").to_owned());
        (game, answer.into_body().collect().await.expect("nothing fails").to_bytes())
    }

    /// A message as it is sent.
    fn sent(message: &impl prost::Message) -> Bytes {
        let bytes = message.encode_to_vec();
        let mut sent = BytesMut::new();
        sent.put_u8(0);
        sent.put_u32(u32::try_from(bytes.len()).expect("it is short"));
        sent.put_slice(&bytes);
        sent.freeze()
    }

    fn play(game_id: &str) -> Bytes {
        let act = "C3".to_owned();
        sent(&PlayRequest { game_id: game_id.to_owned(), act, ..PlayRequest::default() })
    }

    fn whole(bytes: &Bytes) -> Body {
        Body::new(Full::new(bytes.clone()))
    }

    #[tokio::test]
    async fn a_call_about_a_game_says_which_and_arrives_as_it_was() {
        let bytes = play("0190a6b0-0000-7000-8000-000000000001");
        let (game, arrived) = told(PLAY, whole(&bytes)).await;
        assert_eq!(game.as_deref(), Some("0190a6b0-0000-7000-8000-000000000001"));
        assert_eq!(arrived, bytes);
        // In pieces, of which the first does not say it.
        let pieces = bytes.chunks(7).map(|piece| Ok::<_, Status>(Frame::data(Bytes::copy_from_slice(piece))));
        let pieces: Vec<_> = pieces.collect();
        let (game, arrived) = told(PLAY, Body::new(StreamBody::new(stream::iter(pieces)))).await;
        assert_eq!((game, arrived), (None, bytes));
    }

    #[tokio::test]
    async fn nobody_says_of_himself_where_he_is_to_be_answered() {
        for (path, bytes) in [
            (PLAY, play("")),
            (PLAY, play("no\nheader")),
            (PLAY, play(&"x".repeat(65))),
            (PLAY, Bytes::new()),
            ("/shoutan.game.v1.GameService/ListGames", play("a-game")),
            ("/shoutan.identity.v1.IdentityService/SignIn", play("a-game")),
        ] {
            let (game, arrived) = told(path, whole(&bytes)).await;
            assert_eq!((game, arrived), (None, bytes), "{path}");
        }
    }

    #[test]
    fn whatever_is_about_one_game_names_it_first() {
        let files =
            FileDescriptorSet::decode(api::FILE_DESCRIPTOR_SET).expect("it was made by our own build");
        let inputs: HashSet<&str> = methods(&files).map(|(_, method)| method.input_type()).collect();
        for (message, number) in messages(&files).filter(|(name, _)| inputs.contains(name.as_str())) {
            assert_eq!(number, FIELD.1, "{message}");
        }
        assert!(
            paths().contains(PLAY) && paths().contains("/shoutan.game.v1.GameService/Watch"),
            "{:?}",
            paths()
        );
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            if let Some(game) = game(&bytes) {
                prop_assert!(game.len() <= usize::from(ID_BYTES_MAX));
            }
        }
    }
}

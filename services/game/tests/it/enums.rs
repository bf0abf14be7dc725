//! Numbers that stand for nothing: no public request takes one for something else, or for nothing at all.

use std::collections::BTreeMap;

use api::error::reason;
use chassis::testing::as_account;
use prost::{
    Message as _,
    encoding::{WireType, encode_key, encode_varint},
};
use prost_types::{
    DescriptorProto, FieldDescriptorProto, FileDescriptorSet,
    field_descriptor_proto::{Label, Type},
};
use tonic::{Code, Status};
use tower::ServiceExt as _;

use super::{
    fixture::Fixture,
    officials::{GO, Officials},
    walk::post,
};

/// The number of no value of any enum.
const NOTHING: u64 = 99;
/// The numbers of values, of which each place takes one at least.
const SOMETHING: std::ops::RangeInclusive<u64> = 1..=9;

type Messages = BTreeMap<String, DescriptorProto>;

/// A field of a request that holds an enum: the method, and the fields on the way to it.
struct Place {
    method: String,
    request: String,
    way: Vec<FieldDescriptorProto>,
}

impl Place {
    fn name(&self) -> String {
        let way: Vec<_> = self.way.iter().map(FieldDescriptorProto::name).collect();
        format!("{} {}", self.method, way.join("."))
    }
}

/// Every place of an enum in the requests of the public services.
fn places(files: &FileDescriptorSet, messages: &Messages) -> Vec<Place> {
    let mut places = Vec::new();
    for file in files.file.iter().filter(|file| file.package().starts_with("shoutan.")) {
        for service in file.service.iter().filter(|service| !service.name().contains("Internal")) {
            for method in &service.method {
                let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
                let mut ways = Vec::new();
                collect(messages, method.input_type(), &mut Vec::new(), &mut ways);
                let request = method.input_type();
                places.extend(ways.into_iter().map(|way| Place {
                    method: path.clone(),
                    request: request.to_owned(),
                    way,
                }));
            }
        }
    }
    places
}

fn collect(
    messages: &Messages,
    message: &str,
    way: &mut Vec<FieldDescriptorProto>,
    ways: &mut Vec<Vec<FieldDescriptorProto>>,
) {
    for field in messages.get(message).into_iter().flat_map(|message| &message.field) {
        // What is within its like has been looked at there.
        if way.iter().any(|above| field.r#type() == Type::Message && above.type_name() == field.type_name()) {
            continue;
        }
        way.push(field.clone());
        match field.r#type() {
            Type::Enum => ways.push(way.clone()),
            Type::Message => collect(messages, field.type_name(), way, ways),
            _ => {}
        }
        way.pop();
    }
}

/// A message in which everything makes sense but, at the end of the way, this number.
fn filled(
    messages: &Messages,
    message: &str,
    way: &[FieldDescriptorProto],
    number: u64,
    ids: &[(&str, &str)],
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (next, rest) = way.split_first().map_or((None, way), |(next, rest)| (Some(next), rest));
    let fields = messages.get(message).into_iter().flat_map(|message| &message.field);
    for field in fields {
        let tag = u32::try_from(field.number()).expect("a field has a number");
        let on_the_way = next.is_some_and(|next| next.number() == field.number());
        // Of a choice only what is on the way is made.
        if !on_the_way && (field.oneof_index.is_some() || field.label() == Label::Repeated) {
            continue;
        }
        let text = ids.iter().find(|(name, _)| *name == field.name()).map(|(_, value)| *value);
        let inner = match (field.r#type(), field.type_name()) {
            (Type::Enum, _) => {
                let last = on_the_way && rest.is_empty();
                encode_key(tag, WireType::Varint, &mut bytes);
                encode_varint(if last { number } else { *SOMETHING.start() }, &mut bytes);
                continue;
            }
            (Type::String, _) => text.unwrap_or_default().as_bytes().to_vec(),
            // Five seconds.
            (Type::Message, ".google.protobuf.Duration") => vec![8, 5],
            (Type::Message, name) if on_the_way => filled(messages, name, rest, number, ids),
            _ => continue,
        };
        encode_key(tag, WireType::LengthDelimited, &mut bytes);
        encode_varint(inner.len() as u64, &mut bytes);
        bytes.extend(inner);
    }
    bytes
}

#[tokio::test]
async fn a_number_that_stands_for_nothing_is_refused_wherever_it_stands() {
    let files = FileDescriptorSet::decode(api::FILE_DESCRIPTOR_SET).expect("the descriptors are sound");
    let messages = messages(&files);
    let places = places(&files, &messages);
    let (ours, others): (Vec<_>, Vec<_>) =
        places.iter().partition(|place| place.method.starts_with("/shoutan.game."));
    assert!(ours.len() >= 20, "{} places", ours.len());
    let rating =
        |place: &&Place| place.method.starts_with("/shoutan.rating.") && place.way[0].name() == "speed_class";
    let elsewhere = |place: &&Place| {
        rating(place)
            || ["/shoutan.federation.", "/shoutan.matchmaking."]
                .iter()
                .any(|its| place.method.starts_with(its))
    };
    assert!(
        others.iter().all(elsewhere),
        "the tests of rating, federation and matchmaking have these; the others need a test of their own"
    );
    let fixture = Fixture::all().await.remove(0);
    let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
    let mut wrong = Vec::new();
    for place in ours {
        let game = officials.game(&fixture, &replica, &GO).await;
        let caller = if place.method.ends_with("/Rule") { &officials.chief } else { &fixture.players[0] };
        let transport = as_account(replica.public_transport(), caller.clone());
        let mut answers = Vec::new();
        for number in [NOTHING].into_iter().chain(SOMETHING) {
            let request = fixture.id();
            let ids = [
                ("game_id", game.as_str()),
                ("request_id", &request),
                ("reason", "by the rules"),
                ("text", "hello"),
                ("variant", "go"),
            ];
            let message = filled(&messages, &place.request, &place.way, number, &ids);
            let answer = transport.clone().oneshot(post(&place.method, &message)).await.expect("answered");
            let status = Status::from_header_map(answer.headers()).unwrap_or_else(|| Status::ok(""));
            answers.push((status.code(), reason(&status), status.message().to_owned()));
        }
        if answers[0].0 != Code::InvalidArgument {
            wrong.push(format!("{}: {NOTHING} is answered by {:?}", place.name(), answers[0]));
        } else if answers.iter().all(|answer| *answer == answers[0]) {
            wrong.push(format!("{}: everything is refused like {NOTHING}: {:?}", place.name(), answers[0]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every message there is, also those within others.
fn messages(files: &FileDescriptorSet) -> Messages {
    fn add(messages: &mut Messages, scope: &str, message: &DescriptorProto) {
        let name = format!("{scope}.{}", message.name());
        for nested in &message.nested_type {
            add(messages, &name, nested);
        }
        messages.insert(name, message.clone());
    }
    let mut messages = Messages::new();
    for file in &files.file {
        for message in &file.message_type {
            add(&mut messages, &format!(".{}", file.package()), message);
        }
    }
    messages
}

//! The clocks of a game that is broadcast with a delay are heard by its players and officials alone.

use api::{
    clock::v1::{Audience, GetRemainingTimeRequest, StepRequest, WatchAnnouncementsRequest},
    error,
};
use chassis::{
    auth::{Caller, Role},
    testing::{arbiter, player},
};

use prost::Message as _;
use prost_types::{FileDescriptorSet, MethodDescriptorProto};
use tonic::Status;

use crate::fixture::{Fixture, Replica, press, start};

/// The public methods that are asked about a game; [`heard`] calls them all.
const ASKED: [&str; 2] = ["GetRemainingTime", "WatchAnnouncements"];

/// What somebody is told of the clocks: nothing, or why not.
async fn heard(replica: &Replica, who: Option<&Caller>, game: &str) -> [String; 2] {
    let mut clocks = who.map_or_else(|| replica.public(), |who| replica.public_by(who));
    let remaining = clocks.get_remaining_time(GetRemainingTimeRequest { game_id: game.to_owned() }).await;
    let calls = clocks.watch_announcements(WatchAnnouncementsRequest { game_id: game.to_owned() }).await;
    [remaining.map(drop), calls.map(drop)]
        .map(|answer| answer.map_or_else(|status| said(&status), |()| String::new()))
}

/// All that a refusal says.
fn said(status: &Status) -> String {
    format!("{:?} {} {} {:?}", status.code(), error::reason(status), status.message(), status.details())
}

#[test]
fn every_public_method_that_is_asked_about_a_game_is_tried() {
    let files = FileDescriptorSet::decode(api::FILE_DESCRIPTOR_SET).expect("the descriptors are sound").file;
    let file = files.iter().find(|file| file.service.iter().any(|it| it.name() == "ClockService"));
    let file = file.expect("there is a public service");
    let about_a_game = |input: &str| {
        let message =
            file.message_type.iter().find(|message| input.ends_with(&format!(".{}", message.name())));
        message.is_some_and(|message| message.field.iter().any(|field| field.name() == "game_id"))
    };
    let services = file.service.iter().filter(|service| service.name() == "ClockService");
    let methods = services.flat_map(|service| &service.method);
    let asked: Vec<&str> =
        methods.filter(|method| about_a_game(method.input_type())).map(MethodDescriptorProto::name).collect();
    assert_eq!(asked, ASKED);
}

#[tokio::test(start_paused = true)]
async fn others_hear_nothing_and_not_even_that() {
    let fixture = Fixture::new();
    let replica = fixture.replica();
    let game = fixture.env.uuid().to_string();
    let event = fixture.env.uuid();
    let [first, second, stranger] = ["first", "second", "other"].map(|name| player(&fixture.env, name));
    let official = arbiter(&fixture.env, "arbiter", Role::Arbiter, event.into());
    let elsewhere = arbiter(&fixture.env, "arbiter", Role::Arbiter, fixture.env.uuid().into());
    let audience = Audience {
        account_ids: vec![first.id.to_string(), second.id.to_string()],
        event_id: event.to_string(),
        federation_id: String::new(),
    };
    let step = |before, event| {
        let audience = Some(audience.clone());
        let request = crate::fixture::request(&game, "10m", before, event, fixture.env.now());
        StepRequest { audience, ..request }
    };
    let unknown = heard(&replica, None, &fixture.env.uuid().to_string()).await;
    assert!(unknown.iter().all(|said| said.contains("UNKNOWN_CLOCK")), "{unknown:?}");
    assert_eq!(heard(&replica, None, &game).await, unknown, "before the start");
    let started = replica.internal().step(step(None, start())).await.expect("it fits").into_inner().after;
    let started = started.expect("a reading");
    let pressed = step(Some(started.clone()), press(&started));
    replica.internal().step(pressed).await.expect("it fits");
    for who in [None, Some(&stranger), Some(&elsewhere)] {
        assert_eq!(heard(&replica, who, &game).await, unknown, "as if there were none");
    }
    for who in [&first, &second, &official] {
        assert_eq!(heard(&replica, Some(who), &game).await, ["", ""]);
    }
}

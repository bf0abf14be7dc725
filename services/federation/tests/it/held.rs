//! An event that is held, and what its organisers do with it.

use api::{
    board::v1::{Reason, Verdict},
    clock::v1 as clock,
    federation::v1 as pb,
};
use futures::StreamExt as _;
use tonic::Status;

use crate::fixture::{Fixture, Founded, Person, name};

/// A Swiss of Go.
pub(crate) fn settings(rounds: u32) -> pb::EventSettings {
    let format = pb::event_format::Format::Swiss(pb::event_format::Swiss { rounds });
    let main_duration = Some(prost_types::Duration { seconds: 3600, nanos: 0 });
    let control = clock::time_control::Control::Absolute(clock::time_control::Absolute { main_duration });
    pb::EventSettings {
        game: Some(pb::EventGame {
            variant: "go".to_owned(),
            time_control: Some(clock::TimeControl { control: Some(control), ..Default::default() }),
            ..Default::default()
        }),
        format: Some(pb::EventFormat { format: Some(format) }),
        entries_max: 16,
        late_until_round: 3,
        schedule: Some(pb::EventSchedule { zone: "Asia/Shanghai".to_owned(), ..Default::default() }),
        ..Default::default()
    }
}

/// An event with its officials.
#[derive(Clone)]
pub(crate) struct Held {
    pub id: String,
    pub federation: Founded,
    pub chief: Person,
}

/// Calls a method of changes with what all of them have.
macro_rules! change {
    ($held:expr, $person:expr, $method:ident, $request:ident { $($field:ident $(: $value:expr)?),* $(,)? }) => {{
        let request = pb::$request {
            event_id: $held.id.clone(),
            request_id: $person.request(),
            $($field $(: $value)?,)*
            ..Default::default()
        };
        $person.events.clone().$method(request).await.map(|answer| answer.into_inner().event.expect("present"))
    }};
}
pub(crate) use change;

/// Ticks items off.
pub(crate) async fn check(held: &Held, items: &[pb::CheckItem]) {
    for item in items {
        change!(held, held.chief, check_off, CheckOffRequest { item: (*item).into() }).expect("ticked off");
    }
}

/// An event in registration.
pub(crate) async fn held(fixture: &Fixture, settings: pb::EventSettings) -> Held {
    held_in(fixture, fixture.federation().await, settings).await
}

/// The same in a federation that is there.
pub(crate) async fn held_in(fixture: &Fixture, federation: Founded, settings: pb::EventSettings) -> Held {
    let founder = federation.founder.clone();
    let chief = fixture.person("chief");
    let id = founder.request();
    let create = pb::CreateEventRequest {
        event_id: id.clone(),
        federation_id: federation.id.clone(),
        name: name("阿坝公开赛", "Aba Open"),
        settings: Some(settings),
        validate_only: false,
    };
    // Settings are large, and futures that hold them several times are too large for a test's.
    let mut events = founder.events.clone();
    let created = Box::pin(events.create_event(create.clone())).await.expect("created").into_inner();
    let again = Box::pin(events.create_event(create)).await.expect("the same").into_inner();
    assert_eq!(created, again);
    let held = Held { id, federation, chief };
    let office = pb::EventRole::ChiefArbiter.into();
    change!(
        held,
        founder,
        appoint_official,
        AppointOfficialRequest { account_id: held.chief.id(), role: office }
    )
    .expect("appointed");
    check(&held, &[pb::CheckItem::SupplementPresented]).await;
    change!(held, founder, adopt_event, AdoptEventRequest {}).expect("adopted");
    let stage = pb::EventStage::Registration.into();
    change!(held, held.chief, advance_event, AdvanceEventRequest { stage }).expect("registration");
    held
}

/// How far the log of an event is.
pub(crate) async fn sequence(held: &Held) -> u64 {
    let request = pb::GetEventRequest { event_id: held.id.clone(), ..Default::default() };
    let event = held.chief.events.clone().get_event(request).await.expect("an event");
    event.into_inner().event.expect("present").sequence
}

/// So many members with accounts, who enter.
pub(crate) async fn enter(fixture: &Fixture, held: &Held, count: usize) -> Vec<Person> {
    let mut players = Vec::new();
    for number in 1..=count {
        let player = fixture.person(&format!("player{number}"));
        let founder = &held.federation.founder;
        let member = founder.member(&held.federation.id, &format!("Player {number}")).await;
        founder.bind(&member.member_id, &player.id()).await.expect("bound");
        change!(held, player, enter_event, EnterEventRequest { supplement_version: 1 }).expect("entered");
        players.push(player);
    }
    players
}

/// Takes an event from its registration on.
pub(crate) async fn run(held: &Held) {
    let items = [pb::CheckItem::ArbitersBriefed, pb::CheckItem::EntriesChecked, pb::CheckItem::VenueChecked];
    check(held, &items).await;
    change!(held, held.chief, commit_seed, CommitSeedRequest {}).expect("committed");
    let stage = pb::EventStage::Running.into();
    change!(held, held.chief, advance_event, AdvanceEventRequest { stage }).expect("running");
}

/// Pairs a round.
pub(crate) async fn pair(held: &Held, round: u32) -> Result<pb::Round, Status> {
    let request = pb::PairRoundRequest {
        event_id: held.id.clone(),
        request_id: held.chief.request(),
        round,
        ..Default::default()
    };
    let mut answers = held.chief.events.clone().pair_round(request).await?.into_inner();
    let mut last = None;
    while let Some(answer) = answers.next().await {
        last = answer?.answer;
    }
    match last {
        Some(pb::pair_round_response::Answer::Round(round)) => Ok(round),
        other => panic!("the round comes last: {other:?}"),
    }
}

/// Pairs a round and makes it public.
pub(crate) async fn publish(held: &Held, round: u32) {
    pair(held, round).await.expect("paired");
    change!(held, held.chief, publish_round, PublishRoundRequest { round }).expect("published");
}

/// The same, and has it begin.
pub(crate) async fn begin(held: &Held, round: u32) {
    publish(held, round).await;
    change!(held, held.chief, start_round, StartRoundRequest { round }).expect("started");
}

/// A round as somebody sees it.
pub(crate) async fn get_round(person: &Person, held: &Held, round: u32) -> Result<pb::Round, Status> {
    let request = pb::GetRoundRequest { event_id: held.id.clone(), round, as_of_sequence: 0 };
    let answer = person.events.clone().get_round(request).await?;
    Ok(answer.into_inner().round.expect("present"))
}

/// Reports that the first player of every board has won.
pub(crate) async fn play(fixture: &Fixture, held: &Held, round: u32) {
    for pairing in get_round(&held.chief, held, round).await.expect("a round").pairings {
        play_board(fixture, held, &pairing).await;
    }
}

/// Reports that the first player of a board has won.
pub(crate) async fn play_board(fixture: &Fixture, held: &Held, pairing: &pb::Pairing) {
    let report = pb::RecordGameRequest {
        event_id: held.id.clone(),
        game_id: pairing.game_id.clone(),
        sequence: 9,
        state: pb::GameReportState::Final.into(),
        verdict: Verdict::FirstWins.into(),
        reason: Reason::Resignation.into(),
        ..Default::default()
    };
    fixture.internal.clone().record_game(report.clone()).await.expect("recorded");
    let before = fixture.internal.clone().record_game(report).await.expect("again").into_inner();
    assert!(before.sequence > 0);
}

/// The board of a number in the first round, with who sits there.
pub(crate) async fn board_of(held: &Held, number: u32) -> pb::Pairing {
    let round = get_round(&held.chief, held, 1).await.expect("a round");
    let own = |it: &pb::Pairing| it.first == number || it.second == number;
    round.pairings.into_iter().find(own).expect("a board")
}

/// Enters a draw that was agreed in a hall in the first round.
pub(crate) async fn drawn(held: &Held, person: &Person, table: u32) -> Result<pb::Event, tonic::Status> {
    let draw = pb::BoardResult {
        first: pb::ResultCode::Draw.into(),
        second: pb::ResultCode::Draw.into(),
        reason: pb::ResultReason::AgreedDraw.into(),
        source: Some(pb::board_result::Source::OverTheBoard(pb::board_result::OverTheBoard::default())),
        ..Default::default()
    };
    change!(held, person, enter_result, EnterResultRequest { round: 1, table, result: Some(draw) })
}

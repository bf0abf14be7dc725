//! All boards of a large round in one stream, while everybody moves.

use std::time::Duration;

use anyhow::Context as _;
use api::{
    client::{Player, with_retry},
    clock::v1 as clock,
    federation::v1::{
        self as pb, event_service_client::EventServiceClient,
        federation_service_client::FederationServiceClient,
    },
    transport::Transport,
};
use chassis::Env;
use futures::{StreamExt as _, TryStreamExt as _, future::try_join_all};
use prost::Message as _;
use tests::{Bot, Pairing, Platform, RETRY, bots};
use tokio::{task::JoinHandle, time::Instant};
use tonic::Streaming;

use crate::{
    moves,
    stats::{Summary, memory_kib},
};

/// Boards of the round; a move a second at each.
pub(crate) const BOARDS: usize = 500;
/// How long everybody moves while one reads.
const SECONDS: u64 = 15;
/// Readers who stop reading, and for how long.
const STOPPED: usize = 40;
const STOPPED_SECONDS: u64 = 10;
/// What frames a message in gRPC.
const FRAME_BYTES: usize = 5;

/// What was measured.
pub(crate) struct Overview {
    /// From a move to who watches.
    pub delays: Summary,
    /// How many changes were told, and in how many bytes each.
    pub changes: usize,
    pub bytes_a_change: f64,
    /// What a reader costs who has stopped reading, in KiB, beside what the platform grew by in the same time without.
    pub stopped_kib: f64,
    pub grown_kib: f64,
}

/// Calls a method of changes, and answers with the event after it.
macro_rules! change {
    ($event:expr, $who:expr, $method:ident($request:ident { $($field:ident $(: $value:expr)?),* })) => {{
        let request = pb::$request {
            event_id: $event.clone(),
            request_id: $who.new_id(),
            $($field $(: $value)?,)*
            ..Default::default()
        };
        let events = EventServiceClient::new($who.transport());
        let call = || async { events.clone().$method(request.clone()).await };
        with_retry(RETRY, call).await.with_context(|| stringify!($method))?.event.context("an event")?
    }};
}

/// Measures the overview of a round of so many boards.
pub(crate) async fn overview(platform: &Platform, boards: usize) -> anyhow::Result<Overview> {
    let (event, pairings) = round(platform, boards).await?;
    let watching = watch(platform.transport(), &event).await?;
    let reader: JoinHandle<anyhow::Result<(Vec<Duration>, usize, usize)>> = tokio::spawn(read(watching));
    let played = moves::paced_in(&pairings, SECONDS, 0).await?;
    anyhow::ensure!(!played.is_empty(), "nobody has moved");
    let before_kib = memory_kib(platform)?;
    moves::paced_in(&pairings, STOPPED_SECONDS, SECONDS).await?;
    let control_kib = memory_kib(platform)?;
    let mut stopped = Vec::new();
    for _ in 0..STOPPED {
        // Each on a connection of its own, as people are.
        let mut stream = watch(platform.transport(), &event).await?;
        stream.message().await?;
        stopped.push(stream);
    }
    moves::paced_in(&pairings, STOPPED_SECONDS, SECONDS + STOPPED_SECONDS).await?;
    let after_kib = memory_kib(platform)?;
    drop(stopped);
    reader.abort();
    let (delays, changes, bytes) = match reader.await {
        Err(_cut) => anyhow::bail!("the reader has read nothing"),
        Ok(read) => read?,
    };
    let grown_kib = control_kib.saturating_sub(before_kib) as f64;
    Ok(Overview {
        delays: Summary::new(delays, Duration::from_secs(SECONDS)),
        changes,
        bytes_a_change: bytes as f64 / changes.max(1) as f64,
        stopped_kib: (after_kib.saturating_sub(control_kib) as f64 - grown_kib) / STOPPED as f64,
        grown_kib,
    })
}

async fn watch(transport: Transport, event: &str) -> anyhow::Result<Streaming<pb::WatchBoardsResponse>> {
    let request = pb::WatchBoardsRequest { event_id: event.to_owned(), ..Default::default() };
    Ok(EventServiceClient::new(transport).watch_boards(request).await?.into_inner())
}

/// Reads while everybody moves: how late each change came, how many there were, and in how many bytes.
async fn read(
    mut stream: Streaming<pb::WatchBoardsResponse>,
) -> anyhow::Result<(Vec<Duration>, usize, usize)> {
    let (env, until) = (Env::system(), Instant::now() + Duration::from_secs(SECONDS + 2));
    let (mut delays, mut changes, mut bytes) = (Vec::new(), 0, 0);
    while let Ok(answer) = tokio::time::timeout_at(until, stream.message()).await {
        let answer = answer?.context("the round goes on")?;
        if answer.anew {
            continue;
        }
        let now = env.now();
        (changes, bytes) = (changes + answer.boards.len(), bytes + answer.encoded_len() + FRAME_BYTES);
        // Where nobody has moved yet it is told how a game stands that began long before.
        let moved = |board: &pb::BoardGlimpse| board.game.clone().filter(|game| game.ply > 0);
        let happened = |board: &pb::BoardGlimpse| api::time::moment(moved(board)?.time.as_ref()?);
        let times = answer.boards.iter().filter_map(happened);
        delays.extend(times.map(|then| Duration::try_from(now - then).unwrap_or_default()));
    }
    Ok((delays, changes, bytes))
}

/// A round of Go between players with accounts, both of whom have come to each of its games.
async fn round(platform: &Platform, boards: usize) -> anyhow::Result<(String, Vec<Pairing>)> {
    let transport = platform.transport();
    let chief = tests::bot(&transport).await?;
    let players = bots(&transport, 2 * boards).await?;
    let event = event(&chief, &players).await?;
    let numbers: Vec<Bot> = enter(&event, players).await?;
    for item in [pb::CheckItem::ArbitersBriefed, pb::CheckItem::EntriesChecked, pb::CheckItem::VenueChecked] {
        change!(event, chief, check_off(CheckOffRequest { item: item.into() }));
    }
    change!(event, chief, commit_seed(CommitSeedRequest {}));
    change!(event, chief, advance_event(AdvanceEventRequest { stage: pb::EventStage::Running.into() }));
    let request = pb::PairRoundRequest {
        event_id: event.clone(),
        request_id: chief.new_id(),
        round: 1,
        ..Default::default()
    };
    let events = EventServiceClient::new(chief.transport());
    let mut answers = events.clone().pair_round(request).await?.into_inner();
    while answers.message().await?.is_some() {}
    change!(event, chief, publish_round(PublishRoundRequest { round: 1 }));
    change!(event, chief, start_round(StartRoundRequest { round: 1 }));
    let request = pb::GetRoundRequest { event_id: event.clone(), round: 1, as_of_sequence: 0 };
    let round = events.clone().get_round(request).await?.into_inner().round.context("a round")?;
    let player = |number: u32| Some(numbers.get(number.checked_sub(1)? as usize)?.clone());
    let pairing = |it: pb::Pairing| {
        Some(Pairing { players: [player(it.first)?, player(it.second)?], game_id: it.game_id })
    };
    let pairings: Vec<Pairing> = round.pairings.into_iter().filter_map(pairing).collect();
    anyhow::ensure!(pairings.len() == boards, "every board has two players");
    try_join_all(pairings.iter().map(come)).await?;
    Ok((event, pairings))
}

/// Has both come to their game, which is made soon after its round has begun.
async fn come(pairing: &Pairing) -> anyhow::Result<()> {
    let until = Instant::now() + Duration::from_mins(2);
    for player in &pairing.players {
        while let Err(status) = player.check_in(&pairing.game_id, RETRY).await {
            let reason = api::error::reason(&status);
            if reason == "CHECKED_IN" || reason == "NOT_WAITING" {
                break;
            }
            anyhow::ensure!(Instant::now() < until, "{status}");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
    Ok(())
}

/// An event in registration, whose federation has these members.
async fn event(chief: &Player, players: &[Bot]) -> anyhow::Result<String> {
    let federations = FederationServiceClient::new(chief.transport());
    let name = |text: String| Some(pb::Name { native: text, latin: String::new() });
    let request = pb::CreateFederationRequest {
        federation: Some(pb::Federation {
            name: name(format!("Federation {}", chief.account().name)),
            ..Default::default()
        }),
        request_id: chief.new_id(),
        validate_only: false,
    };
    let made = federations.clone().create_federation(request).await?.into_inner();
    let federation_id = made.federation.context("a federation")?.federation_id;
    for player in players {
        let member = pb::Member {
            federation_id: federation_id.clone(),
            account_id: player.account().id.clone(),
            name: name(player.account().name.clone()),
            ..Default::default()
        };
        let request = pb::CreateMemberRequest {
            member: Some(member),
            request_id: chief.new_id(),
            ..Default::default()
        };
        with_retry(RETRY, || async { federations.clone().create_member(request.clone()).await }).await?;
    }
    let request = pb::CreateEventRequest {
        event_id: chief.new_id(),
        federation_id,
        name: name("An event of many boards".to_owned()),
        settings: Some(settings(players.len())),
        validate_only: false,
    };
    let made = EventServiceClient::new(chief.transport()).create_event(request).await?.into_inner();
    let event = made.event.context("an event")?.id;
    let (account_id, role) = (chief.account().id.clone(), pb::EventRole::ChiefArbiter.into());
    change!(event, chief, appoint_official(AppointOfficialRequest { account_id, role }));
    let item = pb::CheckItem::SupplementPresented.into();
    change!(event, chief, check_off(CheckOffRequest { item }));
    change!(event, chief, adopt_event(AdoptEventRequest {}));
    let stage = pb::EventStage::Registration.into();
    change!(event, chief, advance_event(AdvanceEventRequest { stage }));
    Ok(event)
}

/// Has everybody enter; the players by their numbers.
async fn enter(event: &str, players: Vec<Bot>) -> anyhow::Result<Vec<Bot>> {
    let mut entered: Vec<(u32, Bot)> = futures::stream::iter(players)
        .map(|player| async move {
            let event = event.to_owned();
            let after = change!(event, player, enter_event(EnterEventRequest { supplement_version: 1 }));
            anyhow::Ok((after.entrant_count, player))
        })
        // One after the other: the number is that of the last who entered.
        .buffered(1)
        .try_collect()
        .await?;
    entered.sort_by_key(|(number, _)| *number);
    Ok(entered.into_iter().map(|(_, player)| player).collect())
}

fn settings(entries: usize) -> pb::EventSettings {
    let format = pb::event_format::Format::Swiss(pb::event_format::Swiss { rounds: 3 });
    let main_duration = Some(prost_types::Duration { seconds: 3600, nanos: 0 });
    let control = clock::time_control::Control::Absolute(clock::time_control::Absolute { main_duration });
    pb::EventSettings {
        game: Some(pb::EventGame {
            variant: "go".to_owned(),
            time_control: Some(clock::TimeControl { control: Some(control), ..Default::default() }),
            ..Default::default()
        }),
        format: Some(pb::EventFormat { format: Some(format) }),
        entries_max: u32::try_from(entries).unwrap_or(u32::MAX),
        schedule: Some(pb::EventSchedule { zone: "Asia/Shanghai".to_owned(), ..Default::default() }),
        ..Default::default()
    }
}

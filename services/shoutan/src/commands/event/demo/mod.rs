//! `shoutan demo event`: an event from its draft to its final table.

mod bots;
mod cast;

use anyhow::{Context as _, ensure};
use api::{
    error::reason,
    federation::v1::{
        CreateEventRequest, Event, GetStandingsRequest, PairRoundRequest, Relaxed, Round, round::State,
    },
};
use tokio::time::{Duration, Instant};

use super::{
    change::{Target, change, event},
    log,
    people::People,
    rounds::{self, print_round},
    session::{Session, ask, name},
    settings::File,
    shown,
    table::print_table,
};
use crate::commands::{server::ServerArg, terminal::say};
use cast::Cast;

/// How long a round may take: its games have a few moves each.
const ROUND: Duration = Duration::from_mins(1);
/// How long to wait before looking again.
const PAUSE: Duration = Duration::from_millis(100);

/// What is shown.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many play.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(4..=16))]
    players: u32,
    /// How many rounds, at most half as many as play.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=8))]
    rounds: u32,
    #[command(flatten)]
    server: ServerArg,
}

/// Holds the event.
pub(in crate::commands) async fn run(args: Args) -> anyhow::Result<()> {
    ensure!(
        args.rounds <= args.players.div_ceil(2),
        "{} players can meet new opponents in {} rounds for sure, and no more",
        args.players,
        args.players.div_ceil(2)
    );
    let server = args.server.reach().await?;
    say(format_args!("{} accounts and a federation are made", args.players + 2))?;
    let cast = Cast::new(&server, args.players).await.context("making accounts, members and a federation")?;
    let target = made(&cast, &args).await.context("making the event")?;
    entered(&cast, &target).await.context("filling the list of entries")?;
    let mut rng = server.rng();
    for round in 1..=args.rounds {
        let public =
            started(&cast, &target, round).await.with_context(|| format!("pairing round {round}"))?;
        let boards = public.pairings.iter().map(|board| bots::deal(board, &mut rng)).collect::<Vec<_>>();
        bots::play_all(&cast, &public, boards).await.with_context(|| format!("playing round {round}"))?;
        let played = complete(&cast.chief, &target, round).await?;
        say("")?;
        print_round(&cast.chief, &played, &people(&cast, &target).await?, round > 1)?;
    }
    ended(&cast, &target).await.context("ending the event")?;
    table(&cast, &target).await.context("printing the table")?;
    judged(&cast, &target, &args).await
}

/// The event, adopted and open for entries.
async fn made(cast: &Cast, args: &Args) -> anyhow::Result<Target> {
    let file =
        super::example::text("swiss").replace("\"rounds\": 7", &format!("\"rounds\": {}", args.rounds));
    let file =
        file.replace("\"options\": {}", "\"options\": { \"size\": \"9\" }").replace("\"1h\"", "\"10m\"");
    let session = &cast.committee;
    let request = CreateEventRequest {
        event_id: session.new_id(),
        federation_id: cast.federation.clone(),
        name: Some(name("手谈公开赛".to_owned(), Some("Shoutan Open".to_owned()))),
        settings: Some(File::parse(&file)?.into()),
        validate_only: false,
    };
    let made = ask!(session.events(), create_event, request)?.event.context("the answer lacks the event")?;
    say(shown::line(&made))?;
    let target = Target { event: made.id, expect: 0, dry_run: false };
    let (account_id, role) = (cast.chief_id.clone(), api::federation::v1::EventRole::ChiefArbiter.into());
    change!(session, target, appoint_official(AppointOfficialRequest { account_id, role }))?;
    check(&cast.chief, &target, &["supplement-presented"]).await?;
    say(shown::line(&change!(session, target, adopt_event(AdoptEventRequest {}))?))?;
    say(shown::line(&advance(&cast.chief, &target).await?))?;
    Ok(target)
}

/// Everybody enters by himself, then the draws are committed to and the event begins.
async fn entered(cast: &Cast, target: &Target) -> anyhow::Result<()> {
    for (_, player) in &cast.players {
        let (member_id, affiliations) = (String::new(), Vec::new());
        change!(
            player,
            target,
            enter_event(EnterEventRequest {
                member_id,
                supplement_version: 1,
                rating: None,
                grade: None,
                affiliations,
            })
        )?;
    }
    check(&cast.chief, target, &["arbiters-briefed", "entries-checked", "venue-checked"]).await?;
    let committed = change!(cast.chief, target, commit_seed(CommitSeedRequest {}))?;
    say(format_args!("the draws are held to {}", shown::hex(&committed.seed_head)))?;
    say(shown::line(&advance(&cast.chief, target).await?))
}

/// A round, paired, made public and begun. Where no pairing keeps all rules the chief arbiter lifts them in their order.
async fn started(cast: &Cast, target: &Target, round: u32) -> anyhow::Result<Round> {
    let mut relaxed = Relaxed::Nothing;
    loop {
        let request = PairRoundRequest {
            event_id: target.event.clone(),
            request_id: cast.chief.new_id(),
            expected_sequence: 0,
            validate_only: false,
            round,
            relaxed: relaxed.into(),
            reason: "no pairing keeps all rules".to_owned(),
        };
        match rounds::paired(&cast.chief, request).await {
            Ok(_) => break,
            Err(error) => {
                let refused = error.downcast_ref::<tonic::Status>().map(reason).unwrap_or_default();
                let next = Relaxed::try_from(relaxed as i32 + 1).ok();
                relaxed = next.filter(|_| refused == api::reason::NO_LEGAL_PAIRING).ok_or(error)?;
            }
        }
    }
    change!(cast.chief, target, publish_round(PublishRoundRequest { round }))?;
    change!(cast.chief, target, start_round(StartRoundRequest { round }))?;
    rounds::round(&cast.chief, &target.event, round).await
}

/// The round once nothing more is awaited of it.
async fn complete(session: &Session, target: &Target, round: u32) -> anyhow::Result<Round> {
    let limit = Instant::now() + ROUND;
    loop {
        let found = rounds::round(session, &target.event, round).await?;
        if found.state() == State::Complete {
            return Ok(found);
        }
        ensure!(Instant::now() < limit, "round {round} is not complete after {ROUND:?}");
        tokio::time::sleep(PAUSE).await;
    }
}

async fn ended(cast: &Cast, target: &Target) -> anyhow::Result<()> {
    say("")?;
    say(shown::line(&advance(&cast.chief, target).await?))?;
    check(&cast.chief, target, &["results-checked", "places-announced"]).await?;
    let text = "All rounds were played; nothing happened that needs to be told.".to_owned();
    change!(cast.chief, target, file_report(FileReportRequest { text }))?;
    say(shown::line(&advance(&cast.chief, target).await?))
}

async fn table(cast: &Cast, target: &Target) -> anyhow::Result<()> {
    let request = GetStandingsRequest { event_id: target.event.clone(), ..Default::default() };
    let table = ask!(cast.chief.events(), get_standings, request)?;
    say("")?;
    print_table(false, &table, None, &people(cast, target).await?, true)
}

/// Works the event out again from its log, and says how to look at it.
async fn judged(cast: &Cast, target: &Target, args: &Args) -> anyhow::Result<()> {
    let entries = log::entries(&cast.chief, &target.event, 0).await?;
    let verified = federation::audit::log(&target.event, &entries).context("the log of the event")?;
    ensure!(verified.findings.is_empty(), "the log of the event: {:?}", verified.findings);
    say(format_args!("\nthe log proves itself: {} entries, {} rounds", entries.len(), verified.rounds))?;
    let (server, event) = (args.server.url(), &target.event);
    for words in ["standings --why", "round --why", "supplement", "log", "verify"] {
        let (command, rest) = words.split_once(' ').unwrap_or((words, ""));
        say(format!("shoutan event --server {server} {command} {event} {rest}").trim_end())?;
    }
    Ok(())
}

async fn people(cast: &Cast, target: &Target) -> anyhow::Result<People> {
    People::of(&cast.chief, &event(&cast.chief, &target.event).await?).await
}

async fn advance(session: &Session, target: &Target) -> anyhow::Result<Event> {
    super::stages::advance(session, target).await
}

async fn check(session: &Session, target: &Target, items: &[&str]) -> anyhow::Result<()> {
    for item in items {
        let item = super::words::item_named(item);
        change!(session, target, check_off(CheckOffRequest { item, open: false }))?;
    }
    Ok(())
}

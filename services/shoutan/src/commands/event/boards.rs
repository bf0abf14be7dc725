//! All boards of a round at a glance, as they change.

use std::{collections::BTreeMap, time::Duration};

use api::{
    board::v1::Side,
    client::RetryPolicy,
    federation::v1::{BoardGlimpse, Pairing, Round, WatchBoardsRequest, WatchBoardsResponse},
    game::v1::GameGlimpse,
    time_control::TimeControl,
};
use serde_json::{Value, json};

use super::{
    change::event,
    people::People,
    print,
    rounds::{result_text, round},
    session::Session,
    words,
};
use crate::commands::{
    render::{Sides, planned_maintenance, remaining},
    terminal::say,
};

/// How long to wait before asking again for a stream that broke.
const PAUSE: Duration = Duration::from_millis(200);

/// Which boards.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The event's id.
    event: String,
    /// The round; the last public one when it is not said.
    #[arg(default_value_t = 0, hide_default_value = true)]
    round: u32,
    /// Only prints how they stand now, as a table.
    #[arg(long)]
    once: bool,
}

/// What a glimpse is read with.
struct Hall<'a> {
    session: &'a Session,
    people: People,
    sides: Sides,
    control: Option<TimeControl>,
    pairings: BTreeMap<u32, Pairing>,
}

/// Carries the command out: it goes on until the round is over.
pub(super) async fn run(session: &Session, args: Args) -> anyhow::Result<()> {
    let event = event(session, &args.event).await?;
    let public = round(session, &args.event, args.round).await?;
    let game = event.settings.clone().unwrap_or_default().game.unwrap_or_default();
    let hall = Hall {
        session,
        people: People::of(session, &event).await?,
        sides: session.server().sides(&game.variant).await?,
        control: game.time_control.as_ref().and_then(|it| TimeControl::try_from(it).ok()),
        pairings: by_table(&public),
    };
    let request = WatchBoardsRequest { event_id: args.event, round: public.number, cursor: String::new() };
    if args.once { hall.once(request).await } else { hall.follow(request).await }
}

fn by_table(round: &Round) -> BTreeMap<u32, Pairing> {
    round.pairings.iter().map(|it| (it.table, it.clone())).collect()
}

impl Hall<'_> {
    /// How all boards stand now.
    async fn once(&self, request: WatchBoardsRequest) -> anyhow::Result<()> {
        let mut stream = self.watched(&request).await?;
        let mut boards: BTreeMap<u32, BoardGlimpse> = BTreeMap::new();
        while boards.len() < self.pairings.len() {
            let Some(told) = stream.message().await? else { break };
            boards.extend(told.boards.into_iter().map(|it| (it.table, it)));
        }
        let records: Vec<_> = boards.values().map(|it| self.record(it)).collect();
        print::list(self.session.json, &records)
    }

    /// A line for each board that has changed, until the round is over. A stream that breaks is gone on with.
    async fn follow(&self, mut request: WatchBoardsRequest) -> anyhow::Result<()> {
        loop {
            let mut stream = self.watched(&request).await?;
            loop {
                match stream.message().await {
                    Ok(Some(told)) => {
                        self.tell(&told)?;
                        request.cursor = told.cursor;
                    }
                    Ok(None) => return Ok(()),
                    // What is refused for good is refused when it is asked for again.
                    Err(_) => break,
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn watched(
        &self,
        request: &WatchBoardsRequest,
    ) -> Result<tonic::Streaming<WatchBoardsResponse>, tonic::Status> {
        let events = self.session.events();
        let call = || async { events.clone().watch_boards(request.clone()).await };
        api::client::with_retry(RetryPolicy::default(), call).await
    }

    fn tell(&self, told: &WatchBoardsResponse) -> anyhow::Result<()> {
        if let (Some(_), false) = (&told.unheard_since_time, self.session.json) {
            let since = self.session.told(told.unheard_since_time.as_ref());
            say(format_args!("nothing is heard of the games since {since}"))?;
        }
        if let (Some(planned), false) = (&told.maintenance_notice, self.session.json) {
            say(planned_maintenance(planned))?;
        }
        for board in &told.boards {
            let record = self.record(board);
            if self.session.json {
                say(print::object(&record))?;
            } else {
                say(print::line(&record))?;
            }
        }
        Ok(())
    }

    fn record(&self, it: &BoardGlimpse) -> print::Record {
        let pairing = self.pairings.get(&it.table).cloned().unwrap_or_default();
        let game = it.game.clone().unwrap_or_default();
        let gone: Vec<Value> = game.gone().map(|side| json!(self.sides.name(side))).collect();
        vec![
            ("table", json!(it.table)),
            ("first", json!(self.people.player(pairing.first))),
            ("second", json!(self.people.player(pairing.second))),
            ("stage", json!(words::game_stage(game.stage))),
            ("ply", json!(it.game.as_ref().map(|game| game.ply))),
            ("to_act", Value::Array(game.actors().map(|side| json!(self.sides.name(side))).collect())),
            ("clocks", json!(self.clocks(&game))),
            ("gone", Value::Array(gone)),
            ("paused", json!(game.paused)),
            ("calls", count(game.callers.len())),
            ("claims", count(game.open_claims as usize)),
            ("incidents", count((game.incidents + it.open_incidents) as usize)),
            ("postponed", self.session.time(it.postponed_time.as_ref())),
            ("result", json!(it.result.as_ref().map(result_text))),
        ]
    }

    /// What both sides have left, the first side first; nothing without a clock.
    fn clocks(&self, game: &GameGlimpse) -> Option<String> {
        let (reading, control) = (game.clock.as_ref()?, self.control?);
        let now = self.session.server().now();
        let left = |side| remaining(reading, control, side, now);
        Some(format!("{} / {}", left(Side::First), left(Side::Second)))
    }
}

/// How many; nothing for none, which need not be said.
fn count(number: usize) -> Value {
    if number == 0 { Value::Null } else { json!(number) }
}

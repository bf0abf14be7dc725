//! Games of correspondence, in which each move has days: the clock of who is to move runs over weeks in which replicas
//! die, falls when it does, and rests while a player is on leave.

use std::{collections::BTreeMap, time::Duration};

use api::{
    federation::v1::{self as pb, CheckItem, EventStage},
    game::v1::{GameEvent, game_event::Event},
    time::{duration, timestamp},
};
use rusqlite::types::Value as Cell;
use time::OffsetDateTime;
use tonic::Status;
use uuid::Uuid;

use super::{
    check::{Found, latest, moment},
    league::{League, ask, change, settings},
    script::Script,
    season::Held,
};
use crate::{event::name, rng::Rng, topology::Service};

/// How many days each move has.
const DAYS: u32 = 3;
/// Moves of a game, if nobody's flag falls.
const MOVES: u32 = 12;
/// How likely a player moves no more, once there are some moves.
const FALLS: f64 = 0.08;
/// The game of which a player takes leave, from 0. In the first a flag falls.
const LEAVE_GAME: usize = 1;
/// How long that is: longer than a move has.
const LEAVE: Duration = Duration::from_hours(24 * 7);
/// How far ahead it is announced.
const AHEAD: [Duration; 2] = [Duration::from_hours(24 * 2), Duration::from_hours(24 * 6)];
/// The last hour of the days of a move is left to those whose flag falls.
const SPARE: Duration = Duration::from_hours(1);
/// By how much a clock may run before its move is written.
const ON_THE_WAY: Duration = Duration::from_secs(1);
/// How long after trouble an outage may last.
const BACK: Duration = Duration::from_mins(1);
/// How long the games of the round are waited for.
const MADE: Duration = Duration::from_mins(5);

/// An event of correspondence, and what was played in it.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// Its games.
    games: Vec<Game>,
}

/// A game of it.
#[derive(Clone, Debug)]
struct Game {
    id: String,
    /// Whether a flag falls in it.
    falls: bool,
    /// From when until when one of its players was on leave; none where neither was.
    leave: Option<[OffsetDateTime; 2]>,
}

/// When somebody moves, in which of the games, and as which ply; the last of a game is a resignation.
type Step = (OffsetDateTime, usize, u32);

/// Plays an event of two games from its creation to its end.
pub(super) async fn play(league: &League) -> Result<Played, Status> {
    let rng = league.world.rng("correspondence");
    let held = open(league).await?;
    held.run().await?;
    held.pair(1).await?;
    let chief = &league.chief;
    change!(league, &held.event, chief, publish_round(PublishRoundRequest { round: 1 }))?;
    change!(league, &held.event, chief, start_round(StartRoundRequest { round: 1 }))?;
    let mut games = Vec::new();
    for laid in held.round(1).await?.pairings {
        let last = league.calendar.now() + MADE;
        while !held.come(&laid.game_id, laid.first).await? {
            if league.calendar.now() > last {
                return Err(Status::deadline_exceeded("no game is made"));
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        held.come(&laid.game_id, laid.second).await?;
        games.push(laid);
    }
    let from = league.calendar.now() + rng.between(AHEAD[0], AHEAD[1]);
    let leave = [from, from + LEAVE];
    let on_leave = held.players[&games[LEAVE_GAME].first].clone();
    let [from_time, until_time] = leave.map(|at| Some(timestamp(at)));
    change!(league, &held.event, &on_leave, take_leave(TakeLeaveRequest { from_time, until_time }))?;
    let (steps, falls) = steps(league, &rng, games.len(), leave);
    for (at, of, ply) in steps {
        league.calendar.until(at).await;
        let laid = &games[of];
        let who = if ply.is_multiple_of(2) { laid.first } else { laid.second };
        held.move_at(&laid.game_id, who, ply, ply == MOVES).await?;
    }
    held.complete(1).await?;
    league.calendar.calm().await;
    held.end().await?;
    let game = |(at, (laid, falls)): (usize, (pb::Pairing, bool))| Game {
        id: laid.game_id,
        falls,
        leave: (at == LEAVE_GAME).then_some(leave),
    };
    Ok(Played { games: games.into_iter().zip(falls).enumerate().map(game).collect() })
}

/// When everybody moves, and in which games somebody does not any more: in one of them at least. Nobody moves while his game
/// rests.
fn steps(
    league: &League,
    rng: &Rng,
    games: usize,
    [from, until]: [OffsetDateTime; 2],
) -> (Vec<Step>, Vec<bool>) {
    let (mut steps, mut falls) = (Vec::new(), Vec::new());
    let whole = Duration::from_hours(24 * u64::from(DAYS));
    for game in 0..games {
        let mut at = league.calendar.now();
        let mut has_fallen = false;
        for ply in 0..=MOVES {
            if ply > 2 && (rng.chance(FALLS) || (game == 0 && ply == MOVES / 2)) {
                has_fallen = true;
                break;
            }
            at += rng.between(Duration::from_mins(5), whole.saturating_sub(SPARE));
            let rests = game == LEAVE_GAME && at >= from;
            steps.push((if rests { at + (until - from) } else { at }, game, ply));
        }
        falls.push(has_fallen);
    }
    steps.sort_unstable();
    (steps, falls)
}

/// Makes the event, and has everybody enter.
async fn open(league: &League) -> Result<Held<'_>, Status> {
    let event = league.new_id();
    let swiss = pb::event_format::Format::Swiss(pb::event_format::Swiss { rounds: 1 });
    let settings = pb::EventSettings {
        format: Some(pb::EventFormat { format: Some(swiss) }),
        leave: Some(pb::EventLeave { player_budget_duration: Some(duration(LEAVE)), ..Default::default() }),
        ..settings(&format!("{DAYS}d/move"))
    };
    let request = pb::CreateEventRequest {
        event_id: event.clone(),
        federation_id: league.federation.clone(),
        name: name("Correspondence"),
        settings: Some(settings),
        validate_only: false,
    };
    let League { founder, chief, arbiter, .. } = league;
    ask!(league.events(founder), create_event, request)?;
    for (official, role) in [(chief, pb::EventRole::ChiefArbiter), (arbiter, pb::EventRole::Arbiter)] {
        let (account_id, role) = (official.id.to_string(), role.into());
        change!(league, &event, founder, appoint_official(AppointOfficialRequest { account_id, role }))?;
    }
    let mut held =
        Held { league, event, script: Script::Rows(&[]), sides: BTreeMap::new(), players: BTreeMap::new() };
    held.check(&[CheckItem::SupplementPresented]).await?;
    change!(league, &held.event, founder, adopt_event(AdoptEventRequest {}))?;
    held.advance(EventStage::Registration).await?;
    for side in league.sides.iter().take(4) {
        let player = side.players[0].clone();
        let entered =
            change!(league, &held.event, &player, enter_event(EnterEventRequest { supplement_version: 1 }))?;
        held.players.insert(entered.event.unwrap_or_default().entrant_count, player);
    }
    Ok(held)
}

impl Found {
    /// The clocks of games of correspondence: each move has its days anew, nobody loses any while all is well or nobody can
    /// act, and a flag falls when it does.
    pub(super) fn clocks(&mut self, league: &League, played: &Played) {
        for Game { id, falls, leave } in &played.games {
            let events = match log(league, id) {
                Ok(events) => events,
                Err(error) => {
                    self.faults.push(format!("the log of {id} cannot be read: {error}"));
                    continue;
                }
            };
            if let Err(bad) = game::history::audit_stored(events.iter().map(|event| (event, None))) {
                self.faults.push(format!("the log of {id} does not follow from itself: {bad:?}"));
            }
            self.clock(league, id, *falls, &events);
            self.rest(league, id, *leave, &events);
        }
    }

    /// A game rests while one of its players is on leave, and at no other time; the clock stands meanwhile.
    fn rest(&mut self, league: &League, id: &str, leave: Option<[OffsetDateTime; 2]>, events: &[GameEvent]) {
        let last = events.last().map_or(OffsetDateTime::UNIX_EPOCH, time);
        let mut edges = leave.into_iter().flatten().filter(|edge| *edge < last);
        let mut flags = Vec::new();
        let mut flag = None;
        for event in events {
            if let Some(Event::LeaveChanged(_)) = &event.event {
                let at = time(event);
                let is_due = edges.next().is_some_and(|edge| at >= edge && at <= latest(league, edge).0);
                if !is_due {
                    self.faults.push(format!("{id}: of {leave:?} it is told at {at}"));
                }
                self.deeds += 1;
                flags.push((at, flag, flag_of(event)));
            }
            flag = flag_of(event).or(flag);
        }
        if let Some(missed) = edges.next() {
            self.faults.push(format!("{id}: of leave at {missed} it is told nothing"));
        }
        if let [(began, before, during), (ended, _, after)] = flags[..] {
            let left = |flag: Option<OffsetDateTime>, at| flag.map(|flag| flag - at);
            let (had, has) = (left(before, began), left(after, ended));
            let is_kept = had.zip(has).is_some_and(|(had, has)| (had - has).abs() <= ON_THE_WAY);
            if during.is_some() || !is_kept {
                self.faults
                    .push(format!("{id}: {had:?} are left when it rests, and {has:?} when it goes on"));
            }
        }
    }

    fn clock(&mut self, league: &League, game: &str, falls: bool, events: &[GameEvent]) {
        let whole = Duration::from_hours(24 * u64::from(DAYS));
        let mut flag = None;
        let troubles = league.calendar.troubles();
        for event in events {
            let is_over = event.state.as_ref().is_some_and(|state| state.outcome.is_some());
            let (at, falls_at) = (time(event), flag_of(event));
            match &event.event {
                Some(Event::Played(_))
                    if falls_at.is_some_and(|it| it > at + whole || it + ON_THE_WAY < at + whole) =>
                {
                    self.faults.push(format!("{game}: a move at {at} leaves until {falls_at:?}"));
                }
                Some(Event::OutageCredited(it)) => {
                    let [from, until] =
                        [&it.from_time, &it.until_time].map(|it| it.as_ref().and_then(moment));
                    let is_of = |trouble: &[OffsetDateTime; 2]| {
                        from.is_some_and(|from| from >= trouble[0])
                            && until.is_some_and(|until| until <= trouble[1] + BACK)
                    };
                    if !troubles.iter().any(is_of) {
                        self.faults.push(format!("{game}: nothing was wrong, and credited is {it:?}"));
                    }
                }
                _ if is_over && falls => {
                    let fell = flag.unwrap_or(at);
                    let (last, is_held_up) = latest(league, fell);
                    if at < fell || at > last {
                        self.faults.push(format!("{game}: the flag falls at {fell}, and is called at {at}"));
                    }
                    if !is_held_up {
                        self.latest = self.latest.max(Duration::try_from(at - fell).unwrap_or_default());
                    }
                    self.deeds += 1;
                    return;
                }
                _ => {}
            }
            flag = falls_at.or(flag);
        }
        if falls {
            self.faults.push(format!("{game}: no flag falls"));
        }
    }
}

/// When an event was.
fn time(of: &GameEvent) -> OffsetDateTime {
    of.time.as_ref().and_then(moment).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

/// When the flag falls after an event; none where no clock runs.
fn flag_of(event: &GameEvent) -> Option<OffsetDateTime> {
    moment(event.state.as_ref()?.clock.as_ref()?.flag_time.as_ref()?)
}

/// The log of a game, from the database itself.
fn log(league: &League, game: &str) -> anyhow::Result<Vec<GameEvent>> {
    let disk = league.world.disk(Service::Game).ok_or_else(|| anyhow::anyhow!("there are no games"))?;
    let id = Uuid::parse_str(game)?.simple().to_string();
    let rows =
        disk.inspect(&format!("SELECT payload FROM events WHERE game_id = x'{id}' ORDER BY sequence"))?;
    let mut events = Vec::new();
    for cells in rows {
        match cells.into_iter().next() {
            // A day after its end a log is packed.
            Some(Cell::Blob(payload)) => events.extend(game::history::events_of_row(&payload)?),
            other => anyhow::bail!("a row has {other:?}"),
        }
    }
    Ok(events)
}

//! Two hundred games with a move a second each: how long a move takes, and what the clocks say.

use std::time::Duration;

use anyhow::Context as _;
use api::{
    client::{ANSWER_BYTES_MAX, RetryPolicy},
    game::v1::{GameEvent, GetGameRequest, WatchRequest, game_event::Event, watch_response::Step},
};
use chassis::Env;
use futures::future::try_join_all;
use tests::{Bot, Pairing, Platform, game_settings, guest, pair_anew, point, time_left};
use time::OffsetDateTime;
use tokio::time::Instant;

use crate::attackers::way_from;

const GAMES: usize = 200;
/// Players that share an address: fewer than may be made from one in an hour.
const PLAYERS_PER_ADDRESS: usize = 40;
/// How long a move is waited for.
const RETRY: RetryPolicy = RetryPolicy(Duration::from_secs(30));
/// Longer than any game here.
const CONTROL: &str = "2h";

/// The players.
#[derive(Debug)]
pub(crate) struct Games {
    players: Vec<Bot>,
}

/// A game under way.
struct Seat {
    pairing: Pairing,
    ply: usize,
    /// The event of the last move, and when its player was told.
    last: Option<(GameEvent, OffsetDateTime)>,
    /// The most that one turn was charged beyond its player's thought, and given beyond the platform's own time for it.
    charged: Duration,
    credited: Duration,
}

/// Two hundred games under way.
pub(crate) struct Playing {
    seats: Vec<Seat>,
}

/// What the games tell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Told {
    /// Outages that were credited.
    pub outages: usize,
    /// The most that one turn was charged beyond its player's thought.
    pub charged: Duration,
    /// The most that a clock gained in a turn, in which nobody has thought for less than nothing.
    pub credited: Duration,
}

impl Games {
    /// Makes players, from addresses of their own.
    pub(crate) async fn of_new_players(platform: &Platform) -> anyhow::Result<Self> {
        let mut players = Vec::with_capacity(2 * GAMES);
        for address in 1..=u8::try_from(2 * GAMES / PLAYERS_PER_ADDRESS)? {
            let transport = way_from(&platform.url, [127, 1, 0, address].into())?;
            for _ in 0..PLAYERS_PER_ADDRESS {
                players.push(guest(&transport).await?);
            }
        }
        Ok(Games { players })
    }

    /// Begins new games.
    pub(crate) async fn pair_up(&mut self) -> anyhow::Result<Playing> {
        let now = Env::system().now();
        for player in &self.players {
            player.stay_signed_in(now).await?;
        }
        let pairings = pair_anew(&mut self.players, &game_settings("go", &[], CONTROL, false)).await?;
        let seat =
            |pairing| Seat { pairing, ply: 0, last: None, charged: Duration::ZERO, credited: Duration::ZERO };
        Ok(Playing { seats: pairings.into_iter().map(seat).collect() })
    }
}

impl Playing {
    /// Plays on for so long; what 99 of 100 moves stayed under, in milliseconds.
    pub(crate) async fn play(&mut self, lasts: Duration) -> f64 {
        let (began, seconds) = (Instant::now(), lasts.as_secs());
        let seats = std::mem::take(&mut self.seats);
        let games = u32::try_from(seats.len().max(1)).unwrap_or(u32::MAX);
        let playing = (0_u32..).zip(seats).map(|(index, seat)| {
            let offset = Duration::from_secs(1) * index / games;
            tokio::spawn(seat.play(began + offset, seconds))
        });
        let mut latencies = Vec::new();
        for (seat, took) in try_join_all(playing).await.expect("no player panics") {
            self.seats.push(seat);
            latencies.extend(took);
        }
        latencies.sort_unstable();
        let index = (latencies.len() * 99 / 100).min(latencies.len().saturating_sub(1));
        latencies.get(index).map_or(f64::NAN, |latency| latency.as_secs_f64() * 1000.0)
    }

    /// Ends the games, and answers what their logs and clocks say.
    pub(crate) async fn end(self) -> anyhow::Result<Told> {
        let mut told = Told::default();
        for seat in &self.seats {
            told.charged = told.charged.max(seat.charged);
            told.credited = told.credited.max(seat.credited);
            told.outages += outages(&seat.pairing).await?;
            seat.pairing.players[0].resign(&seat.pairing.game_id, RETRY).await?;
        }
        Ok(told)
    }
}

impl Seat {
    async fn play(mut self, from: Instant, seconds: u64) -> (Self, Vec<Duration>) {
        let (env, mut latencies) = (Env::system(), Vec::new());
        for second in 0..seconds {
            tokio::time::sleep_until(from + Duration::from_secs(second)).await;
            let (sent, began) = (env.now(), Instant::now());
            let side = self.ply % 2;
            let ply = u32::try_from(self.ply).unwrap_or(u32::MAX);
            let player = &self.pairing.players[side];
            let answer = player.play(&self.pairing.game_id, &point(self.ply), ply, RETRY).await;
            latencies.push(began.elapsed());
            // A move that is not taken is as late as its player was patient.
            let Ok(event) = answer else {
                latencies.push(RETRY.0);
                return (self, latencies);
            };
            if let Some((before, told)) = &self.last
                && let (Some(had), Some(has)) = (time_left(before, side), time_left(&event, side))
            {
                let thought = Duration::try_from(sent - *told).unwrap_or_default();
                self.charged = self.charged.max(had.saturating_sub(has).saturating_sub(thought));
                self.credited = self.credited.max(has.saturating_sub(had));
            }
            (self.last, self.ply) = (Some((event, env.now())), self.ply + 1);
        }
        (self, latencies)
    }
}

/// Outages in the log of a game.
async fn outages(pairing: &Pairing) -> anyhow::Result<usize> {
    let mut games = pairing.players[0].games().max_decoding_message_size(ANSWER_BYTES_MAX);
    let game_id = pairing.game_id.clone();
    let request = GetGameRequest { game_id: game_id.clone() };
    let stands = games.get_game(request).await?.into_inner().game.context("a game")?;
    let last = stands.state.context("a state")?.sequence;
    let request = WatchRequest { game_id, after_sequence: Some(0), after_end: false };
    let mut stream = games.watch(request).await?.into_inner();
    let mut outages = 0;
    while let Some(answer) = stream.message().await? {
        let Some(Step::Event(event)) = answer.step else { continue };
        outages += usize::from(matches!(event.event, Some(Event::OutageCredited(_))));
        if event.sequence >= last {
            break;
        }
    }
    Ok(outages)
}

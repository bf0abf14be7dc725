//! What the network takes is not charged, as far as it was measured and the quota goes.

use std::time::Duration;

use api::{
    board::v1::Side,
    client::Player,
    clock::v1::{ClockEntry, clock_entry::Event},
    game::v1::{AnswerProbeRequest, GameEvent, PlayRequest, WatchRequest, watch_response::Step},
};
use simulation::in_every_shape;
use tokio::task::JoinHandle;

use super::{
    clocks::{ACTS, LATE, Waiting as _, assert_left, index, reading_after, side_time, since, span},
    table::{Table, go},
};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// How long every move takes: longer than any lag.
const THOUGHT: Duration = Duration::from_secs(2);

/// What is compensated with a minute for sixty moves: an eighth of a second for each, three at the start, and six at
/// most.
const GAIN: Duration = ms(125);
const AT_START: Duration = ms(375);
const MOST: Duration = ms(750);

/// A player's connection that takes so long for the way there and back: his client answers every probe that late.
fn connect(player: &Player, game_id: &str, lag: Duration) -> JoinHandle<()> {
    let (player, game_id) = (player.clone(), game_id.to_owned());
    tokio::spawn(async move {
        let request = WatchRequest { game_id: game_id.clone(), after_sequence: None, after_end: false };
        let mut steps = player.games().watch(request).await.expect("he may watch").into_inner();
        while let Ok(Some(step)) = steps.message().await {
            if let Some(Step::Probe(probe)) = step.step {
                tokio::time::sleep(lag).await;
                let answer = AnswerProbeRequest { game_id: game_id.clone(), nonce: probe.nonce };
                player.games().answer_probe(answer).await.expect("taken");
            }
        }
    })
}

impl Table {
    /// The side whose clock runs plays after [`THOUGHT`], and says how long the network has taken.
    async fn claim(&self, claimed: Option<Duration>) -> GameEvent {
        self.claim_as(claimed.map(api::time::duration)).await
    }

    /// The same, whatever a client may write.
    async fn claim_as(&self, lag_duration: Option<prost_types::Duration>) -> GameEvent {
        let state = self.state().await;
        let reading = state.clock.expect("a clock");
        let player = self.player(index(reading.running())).await;
        let request = PlayRequest {
            game_id: self.id.clone(),
            act: ACTS[state.ply as usize].to_owned(),
            ply: state.ply,
            request_id: player.new_id(),
            lag_duration,
        };
        self.stage.wait_until(since(&reading) + THOUGHT).await;
        let answer = player.games().play(request).await.expect("the act is legal");
        answer.into_inner().event.expect("an event")
    }
}

/// What the log says of the lag of an act.
struct Logged {
    measured: Option<Duration>,
    claimed: Option<Duration>,
    compensated: Duration,
    /// What may still be compensated to the author.
    quota: Duration,
    /// What the author has left.
    main: Duration,
}

fn logged(event: &GameEvent) -> Logged {
    let entry: &ClockEntry = event.clock_entries.last().expect("the act has pressed a clock");
    let Some(Event::Press(press)) = entry.event else { panic!("an act presses: {entry:?}") };
    let time = side_time(&reading_after(event), press.side());
    Logged {
        measured: press.measured_lag_duration.map(|it| span(Some(it))),
        claimed: press.claimed_lag_duration.map(|it| span(Some(it))),
        compensated: span(entry.compensated_duration),
        quota: span(time.lag_quota_duration),
        main: span(time.main_duration),
    }
}

/// Plays one act of each side, the second of which claims nothing; what the log says of the first side's.
async fn both(table: &Table, claimed: Option<Duration>) -> Logged {
    let first = logged(&table.claim(claimed).await);
    let second = logged(&table.claim(None).await);
    assert_eq!((second.measured, second.compensated), (None, Duration::ZERO), "nothing is known of hers");
    first
}

#[test]
fn what_was_measured_is_compensated_within_the_quota_whatever_is_claimed() {
    in_every_shape(async |stage| {
        let lag = ms(200);
        let table = Table::matched(&stage, go("1m"), false).await;
        let quota = side_time(&table.reading().await, Side::First).lag_quota_duration;
        assert_eq!(span(quota), AT_START);
        let connection = connect(table.player(0).await, &table.id, lag);
        tokio::time::sleep(ms(500)).await;
        let (mut quota, mut main) = (AT_START, Duration::from_mins(1));
        // He claims what he was measured at, and nothing, and ten times as much: it is all the same.
        for claimed in [Some(lag + LATE), None, Some(lag * 10), Some(Duration::from_hours(1))] {
            let act = both(&table, claimed).await;
            let measured = act.measured.expect("it was measured");
            assert!(measured >= lag && measured < lag + LATE, "{measured:?}");
            assert_eq!(act.claimed, claimed, "the claim is in the log");
            let compensated = measured.min(quota);
            assert_eq!(act.compensated, compensated, "by what was measured, and no more than there is");
            quota = (quota.saturating_sub(compensated) + GAIN).min(MOST);
            assert_eq!(act.quota, quota);
            let left = (main + compensated).saturating_sub(THOUGHT);
            assert_left(act.main, left, "what is compensated is not charged");
            main = act.main;
        }
        assert_eq!(quota, GAIN, "in the long run no more than a gain a move");
        // Who says that it was less has not more.
        let act = both(&table, Some(ms(30))).await;
        assert_eq!((act.compensated, act.quota), (ms(30), ms(2 * 125 - 30)));
        connection.abort();
        table.clocks_add_up().await;
    });
}

#[test]
fn what_nobody_has_measured_counts_little() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("1m"), false).await;
        let mut quota = AT_START;
        for (claimed, compensated) in [(Some(5000), 100), (Some(40), 40), (None, 0), (None, 0), (None, 0)] {
            let act = both(&table, claimed.map(ms)).await;
            assert_eq!((act.measured, act.compensated), (None, ms(compensated)));
            quota = (quota.saturating_sub(ms(compensated)) + GAIN).min(MOST);
            assert_eq!(act.quota, quota);
        }
        let second = side_time(&table.reading().await, Side::Second).lag_quota_duration;
        assert_eq!(span(second), MOST, "what is not spent does not pile up");
        table.clocks_add_up().await;
    });
}

#[test]
fn a_stall_costs_all_that_the_quota_does_not_cover() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("1m"), false).await;
        let connection = connect(table.player(0).await, &table.id, THOUGHT / 2 * 3);
        tokio::time::sleep(THOUGHT).await;
        // He is not measured before he has answered.
        let act = logged(&table.claim(None).await);
        assert_eq!((act.measured, act.compensated), (None, Duration::ZERO));
        table.claim(None).await;
        let spent = AT_START + GAIN;
        let act = logged(&table.claim(None).await);
        assert!(act.measured.is_some_and(|measured| measured > THOUGHT), "{:?}", act.measured);
        assert_eq!((act.compensated, act.quota), (spent, GAIN));
        table.claim(None).await;
        let act = logged(&table.claim(None).await);
        assert_eq!((act.compensated, act.quota), (GAIN, GAIN), "never less than nothing");
        connection.abort();
        table.clocks_add_up().await;
    });
}

#[test]
fn where_nobody_loses_by_a_second_nothing_is_compensated() {
    in_every_shape(async |stage| {
        for control in ["none", "1d/move"] {
            let table = Table::matched(&stage, go(control), false).await;
            let connection = connect(table.player(0).await, &table.id, ms(300));
            tokio::time::sleep(ms(500)).await;
            let act = both(&table, Some(ms(300))).await;
            assert!(act.measured.is_some(), "{control}");
            assert_eq!((act.compensated, act.quota), (Duration::ZERO, Duration::ZERO), "{control}");
            connection.abort();
            table.clocks_add_up().await;
        }
    });
}

#[test]
fn what_no_network_can_take_is_no_claim() {
    let wrong = |seconds, nanos| Some(prost_types::Duration { seconds, nanos });
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("1m"), false).await;
        for lag in [wrong(i64::MAX, 0), wrong(25 * 3600, 0), wrong(-5, 0), wrong(0, -1), wrong(0, i32::MAX)] {
            let act = logged(&table.claim_as(lag).await);
            assert_eq!((act.claimed, act.compensated), (None, Duration::ZERO), "{lag:?}");
        }
        table.clocks_add_up().await;
    });
}

//! Time controls: what each leaves after moves of known length, and when its flag falls with nobody there.

use std::{sync::Arc, time::Duration};

use api::{
    board::v1::{Reason, Side, Verdict},
    clock::v1::SideTime,
    game::v1::{
        GameStatus, ListGamesRequest, Regulations,
        game_service_client::GameServiceClient,
        ruling::{Act, DeductTime},
    },
};
use simulation::{Stage, in_every_shape};

use super::{
    clocks::{LATE, Waiting as _, assert_left, flag, index, reading_after, side_time, since, span},
    table::{ONCE, Officials, Plan, Table, go, refused, rule, two_players},
};

const SECOND: Duration = Duration::from_secs(1);

/// What a side's clock shows, in seconds and numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    main: u64,
    periods: u32,
    period: u64,
    moves: u32,
}

/// A game under a time control: how many seconds each move takes, the first side's first, and what its author's
/// clock shows after it; and how many seconds are left then to the other side.
struct Script {
    control: &'static str,
    moves: &'static [(u64, Shown)],
    left: u64,
}

const fn main(main: u64) -> Shown {
    byo_yomi(main, 0)
}

const fn byo_yomi(main: u64, periods: u32) -> Shown {
    Shown { main, periods, period: 0, moves: 0 }
}

const fn canadian(main: u64, period: u64, moves: u32) -> Shown {
    Shown { main, periods: 0, period, moves }
}

/// Times that nothing but moves gives back.
const MAIN_TIMES: &[Script] = &[
    // What is used is gone.
    Script {
        control: "30s",
        moves: &[(10, main(20)), (4, main(26)), (5, main(15)), (0, main(26))],
        left: 15,
    },
    // Five seconds a move, but never more than 22.
    Script {
        control: "20s+5s<22s",
        moves: &[(10, main(15)), (1, main(22)), (3, main(17)), (12, main(15))],
        left: 17,
    },
    // Five seconds of every move are free.
    Script {
        control: "20s+d5s",
        moves: &[(3, main(20)), (12, main(13)), (9, main(16)), (4, main(13))],
        left: 16 + 5,
    },
    // The same, but the clock shows the free time, and it is given back after the move.
    Script {
        control: "20s+b5s",
        moves: &[(3, main(25)), (12, main(18)), (9, main(21)), (4, main(18))],
        left: 21,
    },
    // Who is stronger has less.
    Script { control: "10s+5s:20s", moves: &[(4, main(11)), (6, main(14)), (7, main(9))], left: 14 },
];

/// Times that are given back in periods.
const PERIODS: &[Script] = &[
    // Ten seconds, then three times five: a move within a period gives it back.
    Script {
        control: "10s+3x5s",
        moves: &[
            (4, byo_yomi(6, 3)),
            (12, byo_yomi(0, 3)),
            (6 + 7, byo_yomi(0, 2)),
            (11, byo_yomi(0, 1)),
            (4, byo_yomi(0, 2)),
            (4, byo_yomi(0, 1)),
        ],
        left: 2 * 5,
    },
    // A minute, then two that are kept: one under a minute is free, a full one costs one, the last must not be
    // used up.
    Script {
        control: "3m-keep2m",
        moves: &[
            (30, byo_yomi(30, 2)),
            (59, byo_yomi(1, 2)),
            (30 + 59, byo_yomi(0, 2)),
            (1 + 61, byo_yomi(0, 1)),
            (61, byo_yomi(0, 1)),
            (59, byo_yomi(0, 1)),
        ],
        left: 60,
    },
    // Ten seconds, then two moves in every eight.
    Script {
        control: "10s+2in8s",
        moves: &[
            (4, canadian(6, 8, 2)),
            (13, canadian(0, 5, 1)),
            (8, canadian(0, 6, 1)),
            (3, canadian(0, 8, 2)),
            (2, canadian(0, 8, 2)),
        ],
        left: 8,
    },
    // What is left of ten seconds is not kept.
    Script { control: "10s/move", moves: &[(4, main(10)), (9, main(10)), (0, main(10))], left: 10 },
    Script { control: "30s:10s+2x5s", moves: &[(4, main(26)), (16, byo_yomi(0, 1))], left: 26 },
];

impl Table {
    /// Whether the game is listed among those that have ended. Nobody enters it by this.
    async fn is_listed_as_finished(&self) -> bool {
        let request = ListGamesRequest {
            account_id: self.players[0].account().id.clone(),
            status: GameStatus::Finished as i32,
            ..ListGamesRequest::default()
        };
        let answer = GameServiceClient::new(self.stage.public()).list_games(request).await.expect("a list");
        answer.into_inner().games.iter().any(|game| game.info.as_ref().is_some_and(|info| info.id == self.id))
    }

    /// Lets the flag fall that the last reading names, with nobody connected, and sees that it falls neither
    /// early nor late.
    pub(crate) async fn let_fall(&self, what: &str) {
        let reading = self.reading().await;
        let (flag, loser) = (flag(&reading), reading.running());
        self.stage.wait_until(flag - LATE / 5).await;
        assert!(!self.is_listed_as_finished().await, "{what}: the flag fell early");
        self.stage.wait_until(flag + LATE).await;
        assert!(self.is_listed_as_finished().await, "{what}: the flag has not fallen in time");
        let (outcome, at) = self.ended().await;
        let verdict = [Verdict::SecondWins, Verdict::FirstWins][index(loser)];
        assert_eq!((outcome.verdict(), outcome.reason()), (verdict, Reason::Time), "{what}");
        assert_eq!(at, flag, "{what}: the log has the moment of the fall");
        self.clocks_add_up().await;
    }
}

impl Script {
    async fn play(&self, stage: &Arc<Stage>) {
        let Script { control, moves, left } = self;
        let table = Table::matched(stage, go(control), false).await;
        let started = table.reading().await;
        assert_eq!(started.running(), Side::First, "{control}");
        for (number, (thought, shown)) in moves.iter().enumerate() {
            let author = [Side::First, Side::Second][number % 2];
            let after = reading_after(&table.think(SECOND * u32::try_from(*thought).expect("short")).await);
            let what = format!("{control}, move {}", number + 1);
            shown.check(side_time(&after, author), &what);
            assert_ne!(after.running(), author, "{what}");
        }
        let last = table.reading().await;
        let left_now = Duration::try_from(flag(&last) - since(&last)).expect("a flag is ahead");
        assert_left(left_now, Duration::from_secs(*left), control);
        table.let_fall(control).await;
    }
}

impl Shown {
    fn check(self, time: SideTime, what: &str) {
        assert_left(span(time.main_duration), Duration::from_secs(self.main), what);
        assert_left(span(time.period_duration), Duration::from_secs(self.period), what);
        assert_eq!((time.periods, time.moves), (self.periods, self.moves), "{what}");
    }
}

#[test]
fn main_times_leave_what_they_say_and_their_flags_fall_on_time() {
    in_every_shape(async |stage| {
        for script in MAIN_TIMES {
            script.play(&stage).await;
        }
    });
}

#[test]
fn periods_leave_what_they_say_and_their_flags_fall_on_time() {
    in_every_shape(async |stage| {
        for script in PERIODS {
            script.play(&stage).await;
        }
    });
}

#[test]
fn who_has_days_has_them_for_every_move() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("1d/move"), officials.regulations()).await;
        let day = Duration::from_hours(24);
        for thought in [Duration::from_mins(5), Duration::from_secs(5)] {
            let after = reading_after(&table.think(thought).await);
            for side in [Side::First, Side::Second] {
                assert_eq!(span(side_time(&after, side).main_duration), day);
                assert_eq!(span(side_time(&after, side).lag_quota_duration), Duration::ZERO);
            }
            assert_eq!(flag(&after), since(&after) + day);
        }
        // All but a minute of the day is taken from him, so that the flag falls today.
        let side = Side::First as i32;
        let deducted_duration = Some(api::time::duration(day.saturating_sub(Duration::from_mins(1))));
        rule(&officials.chief, &table, Act::DeductTime(DeductTime { side, deducted_duration }))
            .await
            .expect("the chief may");
        table.let_fall("1d/move").await;
    });
}

#[test]
fn without_a_limit_nobody_loses_by_time() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("none"), false).await;
        let after = reading_after(&table.think(Duration::from_mins(5)).await);
        assert_eq!((after.running(), after.flag_time), (Side::Second, None));
        let player = table.player(1).await;
        player.resign(&table.id, ONCE).await.expect("she may");
        assert_eq!(table.ended().await.0.reason(), Reason::Resignation);
        table.clocks_add_up().await;
    });
}

#[test]
fn jirige_is_played_with_no_less_than_half_an_hour() {
    const TOO_SHORT: &[&str] = &["29m", "29m+30s", "1h:20m", "20m+3x10m", "10m/move"];
    let jirige = |control| Plan { variant: "jirige", options: &[], control };
    in_every_shape(async |stage| {
        let impatient = stage.account("impatient").await;
        for control in TOO_SHORT {
            let queued = impatient.find_game(jirige(control).settings(false), |_| ()).await;
            let arranged =
                Table::arrange(&stage, two_players(&stage).await, jirige(control), Regulations::default())
                    .await;
            for answer in [queued.map(drop), arranged.map(drop)] {
                let text = answer.as_ref().expect_err("it is too short").message().to_owned();
                assert!(text.contains("less than the rules of the variant ask for"), "{control}: {text}");
                assert_eq!(refused(answer), "BAD_TIME_CONTROL", "{control}");
            }
        }
        for table in [
            Table::matched(&stage, jirige("30m"), false).await,
            Table::arranged(&stage, jirige("30m:45m"), Regulations::default()).await,
        ] {
            // Black's clock starts first, and Black is the first side.
            let (game, reading) = (table.game().await, table.reading().await);
            assert_eq!(game.state.expect("a state").first_colour, "Black");
            assert_eq!(reading.running(), Side::First);
            assert_eq!(flag(&reading), since(&reading) + Duration::from_mins(30));
            table.clocks_add_up().await;
        }
    });
}

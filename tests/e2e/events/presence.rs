//! An event whose players say before each round that they are there, and look from the terminal for what comes next.

use std::process::Stdio;

use api::federation::v1 as pb;
use serde_json::json;
use tests::{
    Platform, binary, change,
    held::{Federation, Held, Person, SOON},
    opposite_shapes,
};
use time::macros::datetime;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::Command,
};

use super::{
    swiss::{settings, verified_alone},
    terminal::Terminal,
};

/// Three rounds with times, in which players check in.
fn asks_who_is_there() -> pb::EventSettings {
    let times = [
        datetime!(2030-01-12 9:00 +08:00),
        datetime!(2030-01-13 9:00 +08:00),
        datetime!(2030-07-14 9:00 +08:00),
    ];
    let schedule = pb::EventSchedule {
        zone: "Asia/Shanghai".to_owned(),
        round_times: times.map(api::time::timestamp).to_vec(),
        check_in: true,
        ..Default::default()
    };
    pb::EventSettings { schedule: Some(schedule), late_until_round: 0, ..settings(3, 4) }
}

/// Who is away in a round, and with that the two who play it.
const ROUNDS: [(u32, [u32; 2]); 3] = [(3, [1, 2]), (2, [1, 3]), (1, [2, 3])];

/// The table by hand (Art. 28.1.2). 1 wins against 2, 3 against 1, and 2 and 3 draw: 2, 1 and 3 points, so that M is 3. Who
/// has not checked in has no opponent and no points in that round, and R is 2 for all.
#[rustfmt::skip]
const TABLE: [(u32, u32, (i64, i64)); 3] = [
    // 1 and 2: 2 + 1 = 3; 3 + 3/(3/2) − 2 = 3
    (3, 3, (3, 1)),
    // 2 and 3: 1 + 3 = 4; 2 + 4/(3/2) − 2 = 8/3
    (1, 2, (8, 3)),
    // 1 and 3: 2 + 3 = 5; 1 + 5/(3/2) − 2 = 7/3
    (2, 1, (7, 3)),
];

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_check_in_is_not_paired_and_everybody_sees_what_comes_next() {
    for (shape, store) in opposite_shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let federation = Federation::new(&transport, "围棋协会", "Go Association").await;
        let mut held = Held::new(&federation, asks_who_is_there()).await;
        let mut people = Vec::new();
        for at in 1..=3 {
            let person = Person::new(&transport).await;
            federation.enrol(&person.player, &format!("棋手{at}"), &format!("Qishou {at}")).await;
            held.enter(person.player.clone()).await;
            people.push(person);
        }
        held.run().await;
        let at = Terminal::new(&platform);
        before_the_first_round(&at, &held.id, &people[0]).await;
        for (round, (away, pair)) in (1..).zip(ROUNDS) {
            for number in pair {
                let there = change!(held, held.players[&number], check_in(CheckInRequest { round }));
                there.expect("he is there");
            }
            let draft = held.pair(round).await;
            let pairs: Vec<[u32; 2]> =
                draft.pairings.iter().map(|it| [it.first.min(it.second), it.first.max(it.second)]).collect();
            assert_eq!(pairs, [pair], "{away} has not checked in");
            let out: Vec<_> = draft.out.iter().map(|it| (it.number, it.code())).collect();
            assert_eq!(out, [(away, pb::ResultCode::ByeZero)]);
            held.start(round).await;
            played(&platform, &at, &held, &people, round).await;
        }
        let lines = held.table(&[]).await.lines;
        for (line, (number, points, total)) in lines.iter().zip(TABLE) {
            assert_eq!((line.number, line.points), (number, points));
            assert_eq!((line.criteria[0].numerator, line.criteria[0].denominator), total, "{number}");
        }
        held.end().await;
        verified_alone(&platform, &held).await;
    }
}

/// The first round has a time, which everybody reads in his own zone; to check in is open.
async fn before_the_first_round(at: &Terminal<'_>, event: &str, who: &Person) {
    let next = at.well(who, &["next", event, "--zone", "Europe/Berlin"]).await;
    for told in [
        "begins      2030-01-12 02:00:00 +01:00",
        "event_time  2030-01-12 09:00:00 +08:00 in Asia/Shanghai",
        "later       round 2 2030-01-13 02:00:00 +01:00, round 3 2030-07-14 03:00:00 +02:00",
        "check_in    open",
    ] {
        assert!(next.contains(told), "{told}: {next}");
    }
    let next = at.well(who, &["next", event, "--zone", "Asia/Shanghai"]).await;
    assert!(next.contains("2030-01-12 09:00:00 +08:00") && !next.contains("event_time"), "{next}");
    let next = at.json(Some(who), &["next", event, "--zone", "Asia/Shanghai"]).await;
    assert_eq!((&next["begins"], &next["round"]), (&json!("2030-01-12T01:00:00Z"), &json!("1")));
    let (code, _, bad) = at.say(Some(who), &["next", event, "--zone", "Mars/Olympus"]).await;
    assert!(code == 2 && bad.contains("there is no zone"), "{bad}");
    at.well(who, &["check-in", event]).await;
    assert_eq!(at.json(Some(who), &["next", event]).await["check_in"], "done");
}

/// A round is played; the first goes into its game from the terminal, which is open there until it has ended.
async fn played(platform: &Platform, at: &Terminal<'_>, held: &Held, people: &[Person], round: u32) {
    let board = held.round(round).await.pairings.remove(0);
    let (away, [one, other]) = ROUNDS[round as usize - 1];
    let (first, idle) = (&people[one as usize - 1], &people[away as usize - 1]);
    let next = at.json(Some(first), &["next", &held.id]).await;
    let colour = if board.first == one { "Black" } else { "White" };
    assert_eq!((&next["colour"], &next["game"]), (&json!(colour), &json!(board.game_id)), "{next}");
    assert_eq!(next["opponent"], format!("{other} 棋手{other} (Qishou {other})"));
    let waits = at.json(Some(idle), &["next", &held.id]).await;
    assert_eq!((&waits["no_game"], &waits["opponent"]), (&json!("no game"), &json!("")), "{waits}");
    let boards = at.json(None, &["boards", &held.id, "--once"]).await;
    assert_eq!((&boards[0]["table"], &boards[1]), (&json!(1), &serde_json::Value::Null), "{boards}");
    if round == 1 {
        let password = at.file("player", &first.password);
        let play = ["play", "--server", &platform.url, "--name", &first.name, "--password-file", &password];
        let mut terminal = Command::new(binary().expect("a command"))
            .args([&play[..], &["--event", &held.id]].concat())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("it runs");
        let mut said = BufReader::new(terminal.stdout.take().expect("it is piped")).lines();
        held.begin(&board).await;
        // The other resigns once the game is open at the terminal.
        let open = async {
            while !said.next_line().await.expect("it is read").expect("it goes on").contains(&board.game_id) {
            }
        };
        tokio::time::timeout(SOON, open).await.expect("he goes into his game");
        held.resign(&board, 2).await;
        let rest = async { while said.next_line().await.expect("it is read").is_some() {} };
        tokio::time::timeout(SOON, rest).await.expect("it ends with the game");
        assert!(terminal.wait().await.expect("it has ended").success());
    } else {
        held.begin(&board).await;
        match round {
            2 => held.resign(&board, 1).await,
            _ => held.draw(&board).await,
        }
    }
    held.complete(round).await;
    let (code, followed, _) = at.say(None, &["boards", &held.id]).await;
    assert!(code == 0 && followed.contains("table 1  first "), "it ends with the round: {followed}");
    let mine = at.json(Some(first), &["mine"]).await;
    let place = mine[0]["place"].as_str().expect("he has a place");
    assert!(mine[0]["event"] == *held.id && place.contains(&format!("after round {round}")), "{mine}");
    let next = if round < 3 { (round + 1).to_string() } else { "none to come".to_owned() };
    assert_eq!(mine[0]["round"], next);
}

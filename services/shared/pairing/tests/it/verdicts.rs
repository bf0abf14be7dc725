//! Reports that anybody has paired, judged; and events by chance.

use pairing::{
    ColourLaw, Number, check,
    generate::{Shape, event, event_until},
    trf::{ByeMark, Event, Form, GameMark, Report, Side, Slot},
};

use crate::shared;

/// A line whose first 80 columns are the head.
fn line(head: &str, rest: &str) -> String {
    format!("{head:<80}{rest}\n")
}

fn read(text: &str) -> Report {
    Report::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn the_files_of_other_engines_break_no_rule() {
    let Some(files) = shared::reports() else { return };
    let reports = files.iter().filter_map(|(name, bytes)| Some((name, Report::read(bytes).ok()?)));
    let mut rounds = 0;
    for (name, report) in reports {
        let verdict = check::report(&report, ColourLaw::Balance).unwrap_or_else(|it| panic!("{name}: {it}"));
        let broken: Vec<_> = verdict.rounds.iter().flat_map(|it| &it.faults).collect();
        assert!(broken.is_empty(), "{name}: {broken:?}");
        assert!(!verdict.doubts.iter().any(|it| it.name() == "points_differ"), "{name}");
        rounds += verdict.rounds.len();
    }
    assert!(rounds > 200, "only {rounds} rounds");
}

#[test]
fn an_unfinished_round_is_judged_by_its_pairs() {
    let text = line("142 5", "")
        + &line("001    1      A", " 1.0    1     2 w 1     2 b")
        + &line("001    2      B", " 0.0    2     1 b 0     1 w");
    let verdict = check::report(&read(&text), ColourLaw::Balance).unwrap();
    assert_eq!(verdict.rounds[1].faults, [check::Fault::Rematch(Number(1), Number(2))]);
    assert!(verdict.doubts.iter().any(|it| it.to_string().contains("round 2 have no result")));
}

#[test]
fn each_rule_that_is_broken_is_found() {
    let faults = |text: &str| {
        let verdict =
            check::report(&read(text), ColourLaw::Balance).unwrap_or_else(|error| panic!("{error}"));
        let named = verdict.rounds.iter().flat_map(|round| {
            round.faults.iter().map(|it| format!("{} {}: {it}", round.round, it.rule().unwrap_or("-")))
        });
        named.collect::<Vec<String>>()
    };
    let both = line("142 9", "");
    let clean = both.clone()
        + &line("001    1      A", " 1.0    1     2 w 1     3 b 0")
        + &line("001    2      B", " 1.0    1     1 b 0  0000 - U")
        + &line("001    3      C", " 2.0    1  0000 - U     1 w 1");
    assert_eq!(faults(&clean), [""; 0]);
    // A bye written F bars the pairing bye as one written U does, and so does a forfeit win.
    for earlier in ["  0000 - U", "  0000 - F", "  0000 - +"] {
        let second = clean
            .replace("1 b 0  0000 - U", "1 b 0     3 w 0")
            .replace("2.0    1  0000 - U     1 w 1", &format!("2.0    1{earlier}     2 b 1"));
        let second = second.replace("2 w 1     3 b 0", "2 w 1  0000 - Z")
            + &line("001    4      D", &format!(" 2.0    1{earlier}  0000 - U"));
        assert_eq!(
            faults(&second).last().map(String::as_str),
            Some("2 H2: 4 may not have the bye"),
            "{earlier}"
        );
    }
    let two_byes = clean.clone() + &line("001    4      D", " 1.0    1  0000 - Z  0000 - U");
    assert_eq!(faults(&two_byes), ["2 H2: 2 pairing byes"]);
    assert_eq!(faults(&(clean.clone() + "260 002 002    3    1\n")), ["2 H4: 1 and 3 must not meet"]);
    assert_eq!(
        faults(&(clean.clone() + "XXP 2 3 1\n")),
        ["1 H4: 1 and 2 must not meet", "2 H4: 1 and 3 must not meet"]
    );
    assert_eq!(faults(&(clean.clone() + "260 003 009    3    1\n")), [""; 0]);
    assert_eq!(faults(&(clean.clone() + "240 Z 002    3\n")), ["2 H5: 3 is not there to be paired"]);
    assert_eq!(faults(&(clean + "240 Z 003    3\n")), [""; 0]);
}

#[test]
fn of_teams_only_rematches_of_players_are_judged() {
    let players = line("001    1      A", " 2.0    1     2 w 1  0000 - U     2 w 1")
        + &line("001    2      B", " 1.0    3     1 b 0  0000 - U     1 b 0")
        + "162  W 1.0    D 0.5    L 0.0\n";
    // Number 1 of these two is a team.
    let teams = "310   1 India                            IND     2486   15     28.0  11     1\n240 Z 001    1\n260 001 009    1    2\n";
    let verdict = |text: &str| check::report(&read(text), ColourLaw::Balance).unwrap();
    let rules = |text: &str| {
        verdict(text)
            .rounds
            .iter()
            .flat_map(|it| it.faults.iter().map(check::Fault::rule))
            .collect::<Vec<_>>()
    };
    assert_eq!(rules(&(players.clone() + teams)), [Some("H1")]);
    assert!(verdict(&(players.clone() + teams)).doubts.iter().any(|it| it.name() == "teams"));
    assert_eq!(rules(&players), [Some("H2"), Some("H1")]);
}

#[test]
fn equal_colours_may_meet_in_the_last_round_above_half() {
    let text = line("001    1      A", " 2.5    1     3 w 1     4 w 1     2 w =")
        + &line("001    2      B", " 2.5    1     4 w 1     3 w 1     1 b =")
        + &line("001    3      C", " 0.5    3     1 b 0     2 b 0     4 w =")
        + &line("001    4      D", " 0.5    3     2 b 0     1 b 0     3 b =");
    let faults = |rounds: &str, law| {
        let verdict = check::report(&read(&(text.clone() + rounds)), law).unwrap();
        verdict.rounds[2].faults.iter().flat_map(check::Fault::players).map(|it| it.0).collect::<Vec<_>>()
    };
    assert_eq!(faults("142 9", ColourLaw::Balance), [1, 2, 3, 4]);
    assert_eq!(faults("142 3", ColourLaw::Balance), [3, 4]);
    assert_eq!(faults("", ColourLaw::Balance), [3, 4]);
    assert_eq!(faults("142 3", ColourLaw::Parity), [0; 0]);
    assert_eq!(faults("142 9", ColourLaw::Open), [0; 0]);
}

#[test]
fn generated_events_are_clean_whatever_their_size() {
    let mut seen = [0; 5];
    for seed in 0..120 {
        let shape = Shape {
            players: 2 + u32::try_from(seed % 60).unwrap(),
            rounds: 1 + u16::try_from(seed % 11).unwrap(),
        };
        let played = event(seed, shape).unwrap();
        let report = Report::of(&played, |number| format!("Player {number}"));
        let again = read(&report.write(Form::Trf26).unwrap());
        assert_eq!(again, report, "event {seed}");
        let verdict = check::report(&again, ColourLaw::Balance).unwrap();
        assert!(verdict.is_clean(), "event {seed}: {:?}", verdict.rounds);
        assert!(!verdict.doubts.iter().any(|it| it.name() == "points_differ"), "event {seed}");
        let slots = || report.players.iter().flat_map(|it| &it.rounds);
        let kinds: [fn(&Slot) -> bool; 5] = [
            |it| *it == Slot::Bye(ByeMark::Pab),
            |it| *it == Slot::Bye(ByeMark::Half),
            |it| *it == Slot::Bye(ByeMark::Zero),
            |it| *it == Slot::Blank,
            |it| matches!(it, Slot::Game { result: Some(GameMark::ForfeitWin), .. }),
        ];
        for (seen, is) in seen.iter_mut().zip(kinds) {
            *seen += slots().filter(|it| is(it)).count();
        }
    }
    assert!(seen.iter().all(|it| *it > 20), "byes, absences and forfeits are hardly there: {seen:?}");
    assert!(event(1, Shape { players: 1, rounds: 3 }).is_err());
    assert!(event(1, Shape { players: 8, rounds: 0 }).is_err());
}

#[test]
fn who_is_there_in_the_round_to_come_is_read_back() {
    for seed in 0..60 {
        let shape = Shape { players: 25, rounds: 7 };
        let played = event_until(seed, shape, u16::try_from(seed % 7).unwrap()).unwrap();
        let report = Report::of(&played, |number| format!("Player {number}"));
        let again = Event::of(&read(&report.write(Form::Trf26).unwrap()), ColourLaw::Balance).unwrap();
        let there = |input: &pairing::swiss::Input| {
            let there = input.players.iter().filter(|it| it.plays_in(played.round));
            there.map(|it| it.number).collect::<Vec<_>>()
        };
        assert_eq!(there(&again.before(played.round)), there(&played), "event {seed}");
        assert_eq!(again.paired + 1, played.round);
        // The first player of the list has the colour that the report states.
        if let Some(first) = played.players[0].entry(1).and_then(|it| it.assigned) {
            assert_eq!(report.initial_colour, Some(Side::of(first)), "event {seed}");
        }
    }
}

#[test]
fn an_event_that_goes_on_is_read_back_as_what_it_is_paired_from() {
    for seed in 0..40 {
        let played = event(seed, Shape { players: 25, rounds: 7 }).unwrap();
        let report = Report::of(&played, |number| format!("Player {number}"));
        let event = Event::of(&report, ColourLaw::Balance).unwrap();
        let histories = event.before(event.paired + 1);
        for (ours, theirs) in played.players.iter().zip(&histories.players) {
            let facts = |it: &pairing::Player| {
                let rounds = it.history.iter().filter(|it| it.code != pairing::ResultCode::ByeZero);
                rounds.map(|it| (it.round, it.opponent, it.code, it.colour())).collect::<Vec<_>>()
            };
            assert_eq!(facts(ours), facts(theirs), "event {seed}, player {}", ours.number);
        }
    }
}

/// Four teams of two boards over three rounds; each rule of teams is broken in turn, and all else is clean.
#[test]
fn of_teams_byes_colours_prohibitions_and_absences_are_judged() {
    // Players 1 and 2 are team 1, 3 and 4 team 2, and so on. Teams 1–2 and 3–4, then 1–3 and 2–4, then 1–4 and 2–3; the first
    // of a pair is white, so that 1 has white thrice and 4 black thrice. The first of a pair wins on both boards.
    let rounds = [[[1, 2], [3, 4]], [[1, 3], [2, 4]], [[1, 4], [2, 3]]];
    let slots = |team: usize, board: usize, leave_out: &[usize]| {
        let of_round = |(round, pairs): (usize, &[[usize; 2]; 2])| {
            if leave_out.contains(&(round + 1)) {
                return "  0000 - -".to_owned();
            }
            let pair = pairs.iter().find(|it| it.contains(&team)).expect("all play");
            let is_white = pair[0] == team;
            let other = if is_white { pair[1] } else { pair[0] };
            let colour = if is_white == (board == 0) { 'w' } else { 'b' };
            format!("  {:4} {colour} {}", 2 * other - 1 + board, u8::from(is_white))
        };
        rounds.iter().enumerate().map(of_round).collect::<String>()
    };
    // In these rounds nobody plays.
    let report = |nobody: &[usize], records: &str| {
        let mut text = "142 9\n352 WB\n162  W 1.0    D 0.5    L 0.0\n".to_owned();
        for team in 1..=4 {
            for board in 0..2 {
                let number = 2 * team - 1 + board;
                let head = format!("001 {number:4}      P{number}");
                text += &line(&head, &format!("{:9}{}", "", slots(team, board, nobody)));
            }
            text += &line(&format!("310 {team:3} Team {team}"), "")
                .replace('\n', "")
                .chars()
                .take(73)
                .collect::<String>();
            let members = format!("{:4} {:4}\n", 2 * team - 1, 2 * team);
            text += &members;
        }
        read(&(text + records))
    };
    let faults = |nobody: &[usize], records: &str| {
        let verdict = check::report(&report(nobody, records), ColourLaw::Balance).expect("a verdict");
        let named = verdict.teams.iter().flat_map(|round| {
            round.faults.iter().map(|it| format!("{} {}: {it}", round.round, it.rule().unwrap_or("-")))
        });
        assert_eq!(verdict.is_clean(), verdict.teams.iter().all(|it| it.faults.is_empty()));
        named.collect::<Vec<String>>()
    };
    // 1 has had white twice and 4 black twice: they may meet.
    assert_eq!(faults(&[], ""), [""; 0]);
    assert_eq!(faults(&[], "260 002 003    4    2\n"), ["2 H4: 2 and 4 must not meet"]);
    assert_eq!(faults(&[], "260 003 003    4    2\n"), [""; 0]);
    assert_eq!(faults(&[], "240 H 003    4\n"), ["3 H5: 4 is not there to be paired"]);
    assert_eq!(faults(&[3], "240 H 003    4\n"), [""; 0]);
    assert_eq!(faults(&[2, 3], "320  2.0  2.0 000 003 003\n"), ["3 H2: 3 may not have the bye"]);
    assert_eq!(faults(&[2, 3], "320  2.0  2.0 000 003 004\n"), [""; 0]);
    // 3 has won without a game in round 2, and then has the bye.
    assert_eq!(
        faults(&[2, 3], "320  2.0  2.0 000 000 003\n330 +- 002 003 001\n"),
        ["3 H2: 3 may not have the bye"]
    );
    // In round 3 two meet who both had white twice (1 and another whose colours are turned by a forfeit), or met before.
    assert_eq!(faults(&[3], "330 +- 003 001 002\n"), ["3 H1: 1 and 2 have met"]);
    let doubts = check::report(&report(&[], ""), ColourLaw::Balance).expect("a verdict").doubts;
    assert!(!doubts.iter().any(|it| ["teams", "no_board_colours"].contains(&it.name())), "{doubts:?}");
}

/// H3 of teams: two that both had the first colour twice meet in the third of nine rounds.
#[test]
fn two_teams_that_must_both_have_one_colour_do_not_meet() {
    // One board: teams 1 and 2 have white against 3 and 4 in two rounds, and meet in the third.
    let rounds = [
        "     3 w 1     4 w 1     2 w 1",
        "     4 w 1     3 w 1     1 b 0",
        "     1 b 0     2 b 0     4 w 1",
        "     2 b 0     1 b 0     3 b 0",
    ];
    let players = (1..)
        .zip(rounds)
        .map(|(number, slots)| line(&format!("001 {number:4}      P{number}"), &format!("{:9}{slots}", "")));
    let teams = (1..=4).map(|number| format!("{:<73}{number:4}\n", format!("310 {number:3} Team {number}")));
    let text: String = players.chain(teams).collect::<String>() + "352 W\n";
    let rules = |rounds: &str| {
        let verdict = check::report(&read(&(text.clone() + rounds)), ColourLaw::Balance).expect("a verdict");
        let faults = verdict.teams[2].faults.iter();
        faults.flat_map(|it| it.players().into_iter().map(|it| it.0)).collect::<Vec<u32>>()
    };
    assert_eq!(rules("142 9\n"), [1, 2, 3, 4]);
    // In the last round those may who have all their points.
    assert_eq!(rules("142 3\n"), [3, 4]);
    // With the colours of boards turned round they are black who were white, and need white.
    assert_eq!(rules("142 9\n").len(), 4);
}

/// Record 802 follows from the others: a match won, a forfeit, and byes.
#[test]
fn results_of_teams_follow_from_games_and_byes() {
    use pairing::trf::{Against, TeamRound, Tenths};
    let text = line("001    1      A", &format!("{:9}{}", "", "     4 w 1"))
        + &line("001    2      B", &format!("{:9}{}", "", "  0000 - +"))
        + &line("001    3      C", &format!("{:9}{}", "", "  0000 - -"))
        + &line("001    4      D", &format!("{:9}{}", "", "     1 b 0"))
        + &format!("{:<73}{:4} {:4}\n", "310   1 One", 1, 2)
        + &format!("{:<73}{:4} {:4}\n", "310   2 Two", 4, 3)
        + "352 WB\n320  2.0  1.0 000 000 001\n330 -+ 002 001 002\n240 H 003    2\n";
    let results = read(&text).results_of_teams();
    let team = |opponent, colour, points, forfeited| TeamRound {
        against: Against::Team { opponent, colour: Some(colour) },
        points: Some(Tenths(points)),
        forfeited,
    };
    let bye = |mark, points| TeamRound {
        against: Against::Bye(mark),
        points: Some(Tenths(points)),
        forfeited: false,
    };
    assert_eq!(
        results[0].rounds,
        [team(2, Side::White, 20, false), team(2, Side::White, 0, true), bye(ByeMark::Pab, 10)]
    );
    assert_eq!(
        results[1].rounds,
        [team(1, Side::Black, 0, false), team(1, Side::Black, 20, true), bye(ByeMark::Half, 10)]
    );
}

#[test]
fn acceleration_is_told_round_by_round_and_number_by_number() {
    use pairing::{Acceleration, Player, Status, swiss::Input, trf::Tenths};
    let mut input = Input::new(1, 9, (1..=10).map(Player::new).collect());
    let told = |input: &Input| {
        let report = Report::of(input, |number| format!("Player {number}"));
        let text = report.write(Form::Trf26).unwrap();
        assert_eq!(read(&text), report);
        let records = text.split('\r').filter(|it| it.starts_with("250")).map(str::to_owned);
        assert!(report.accelerations.iter().all(|it| it.points.is_some_and(|it| it > Tenths(0))));
        records.collect::<Vec<String>>()
    };
    assert_eq!(told(&input), [""; 0]);
    input.settings.acceleration = Acceleration::Baku;
    // Of ten the upper half are six; of nine rounds five are accelerated, three of them with the points of a win.
    assert_eq!(told(&input), ["250       2.0 001 003    1    6", "250       1.0 004 005    1    6"]);
    // Who comes late has none: of nine who began, six, 4 not among them.
    input.players[3].states = vec![Status::Active { from_round: 2 }];
    assert_eq!(
        told(&input),
        [
            "250       2.0 001 003    1    3",
            "250       2.0 001 003    5    7",
            "250       1.0 004 005    1    3",
            "250       1.0 004 005    5    7",
        ]
    );
}

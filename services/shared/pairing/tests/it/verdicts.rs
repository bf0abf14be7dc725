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

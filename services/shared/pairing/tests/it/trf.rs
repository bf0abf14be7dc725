//! Tournament reports: what is read, what is refused, and what is written.

use pairing::{
    ColourLaw, Number,
    trf::{
        self, ByeMark, Event, Form, GameMark, LineEnd, National, PlayerRecord, Report, Side, Slot, Tenths,
        TrfError, TrfFault, WriteError,
    },
};

use crate::{events::Chance, reports::Maker, shared};

/// A line whose first 80 columns are the head.
fn line(head: &str, rest: &str) -> String {
    format!("{head:<80}{rest}\n")
}

fn read(text: &str) -> Report {
    Report::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn refused(text: &str) -> (u32, u32, TrfFault) {
    let TrfError { line, column, fault } = Report::read(text.as_bytes()).expect_err(text);
    (line, column, fault)
}

/// A player alone, with these rounds.
fn rounds(rounds: &str) -> String {
    line("001    1      A", &format!(" 0.0    1{rounds}"))
}

#[test]
fn every_report_is_read_back_as_it_was_written() {
    for seed in 0..2_000 {
        let report = Maker { chance: Chance::new(seed), ascii: false }.report();
        for end in [LineEnd::Cr, LineEnd::Lf, LineEnd::CrLf] {
            let text = report.write_lines(Form::Trf26, end).unwrap_or_else(|error| panic!("{seed}: {error}"));
            assert_eq!(read(&text), report, "report {seed}: {text}");
        }
    }
}

#[test]
fn trf16_keeps_players_and_what_results_are_worth() {
    for seed in 0..2_000 {
        let report = Maker { chance: Chance::new(seed), ascii: true }.report();
        let text = report.write(Form::Trf16).unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert!(text.is_ascii());
        let again = read(&text);
        assert_eq!((&again.players, again.rounds), (&report.players, report.rounds), "report {seed}");
        assert_eq!((again.initial_colour, again.by_rank), (report.initial_colour, report.by_rank));
        assert!(again.national.is_empty());
        let has_bb = report.point_codes.iter().any(|(code, _)| code.name().starts_with("BB"));
        assert!(has_bb || again.scoring() == report.scoring(), "report {seed}: {text}");
    }
}

#[test]
fn any_bytes_give_a_report_that_is_written_and_read_or_a_fault() {
    let (mut reports, mut faults) = (0, 0);
    for seed in 0..3_000 {
        let mut chance = Chance::new(seed);
        let report = Maker { chance: Chance::new(seed), ascii: false }.report();
        let mut bytes = report.write_lines(Form::Trf26, LineEnd::Lf).expect("it is written").into_bytes();
        for _ in 0..=chance.below(4) {
            let at = chance.below(u32::try_from(bytes.len()).expect("it is small")) as usize;
            match chance.below(4) {
                0 => bytes[at] = u8::try_from(chance.below(256)).expect("it is small"),
                1 => drop(bytes.drain(at..(at + chance.below(40) as usize).min(bytes.len()))),
                2 => bytes.insert(at, b"0 -wbZ+9\n\r\t"[chance.below(11) as usize]),
                _ => bytes.truncate(at.max(1)),
            }
            if bytes.is_empty() {
                break;
            }
        }
        if let Ok(read) = Report::read(&bytes) {
            reports += 1;
            let text = read.write(Form::Trf26).unwrap_or_else(|error| panic!("{seed}: {error}"));
            assert_eq!(Report::read(text.as_bytes()).as_ref(), Ok(&read), "report {seed}");
            // Whatever it says, it is an event or none.
            let _ = Event::of(&read, ColourLaw::Balance);
        } else {
            faults += 1;
        }
    }
    assert!(reports > 300 && faults > 300, "{reports} reports, {faults} faults");
}

#[test]
fn the_files_of_other_engines_are_read_or_refused_by_name() {
    let Some(files) = shared::reports() else { return };
    let mut read = 0;
    for (name, bytes) in &files {
        let is_report = !name.ends_with(".expected");
        match Report::read(bytes) {
            Ok(report) => {
                assert!(is_report, "{name} is no report");
                let text = report.write(Form::Trf26).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(Report::read(text.as_bytes()).as_ref(), Ok(&report), "{name}");
                read += 1;
            }
            Err(error) => assert!(!is_report, "{name}: {error}"),
        }
    }
    assert!(read >= 35, "only {read} of {} files", files.len());
}

#[test]
fn points_two_one_and_nought_stand_in_their_columns() {
    let text = rounds("") + "162  W 2.0    D 1.0    L 0.0    P 1.0    Z 0.0    X 0.0\n";
    let report = read(&text);
    let points = &report.points;
    let stated = [points.win, points.draw, points.loss, points.pab, points.absence, points.unknown];
    assert_eq!(stated, [20, 10, 0, 10, 0, 0].map(|it| Some(Tenths(it))));
    let game = |result| Slot::Game { opponent: Number(2), colour: Some(Side::Black), result };
    let worth = |slot: Slot| report.scoring().points(slot).0;
    assert_eq!([Some(GameMark::Win), Some(GameMark::Draw), None].map(|it| worth(game(it))), [20, 10, 0]);
    assert_eq!(
        [ByeMark::Full, ByeMark::Half, ByeMark::Pab, ByeMark::Zero].map(|it| worth(Slot::Bye(it))),
        [20, 10, 10, 0]
    );
    let written = report.write(Form::Trf26).expect("it is written");
    assert!(written.contains("162  W 2.0    D 1.0    L 0.0    P 1.0    A 0.0    X 0.0\r"), "{written}");
    assert_eq!(refused("162  Q 2.0\n"), (1, 6, TrfFault::Code));
    assert_eq!(refused("162  W  x\n"), (1, 9, TrfFault::Points));
    assert_eq!(refused("162  W\n"), (1, 7, TrfFault::Missing));
    assert_eq!(refused("162  W 2.0    W 1.0\n"), (1, 15, TrfFault::Repeated));
}

#[test]
fn a_pairing_bye_without_a_win_s_points_is_told_from_it() {
    let half = Event::of(&read(&(rounds("  0000 - U") + "162  P 0.5\n")), ColourLaw::Balance).unwrap();
    assert_eq!(half.settings.pab_points, 1);
    let odd = Event::of(&read(&(rounds("  0000 - U") + "XXS PAB=.3\n")), ColourLaw::Balance).unwrap();
    assert!(odd.doubts.iter().any(|it| it.name() == "pab_points"));
}

#[test]
fn a_lower_case_initial_colour_is_a_colour() {
    for (text, colour) in [("152 w", Side::White), ("152 B", Side::Black), ("XXC rank black1", Side::Black)] {
        assert_eq!(read(&(rounds("") + text)).initial_colour, Some(colour), "{text}");
    }
    assert_eq!(refused("152 x\n"), (1, 5, TrfFault::Code));
    assert_eq!(refused("XXC rank first\n"), (1, 10, TrfFault::Code));
}

#[test]
fn lines_end_in_three_ways_and_are_counted_alike() {
    for end in ["\r", "\n", "\r\n"] {
        let text = (rounds("") + "142 9\n\n### a remark\n152 x\n").replace('\n', end);
        assert_eq!(refused(&text), (5, 5, TrfFault::Code), "{end:?}");
        assert_eq!(read(&text.replace("152 x", "152 W")).rounds, Some(9));
    }
    assert_eq!(read(&format!("\u{feff}{}", rounds(""))).players.len(), 1);
}

#[test]
fn every_result_is_read() {
    let game = |colour, result| Slot::Game { opponent: Number(2), colour, result: Some(result) };
    let (white, black) = (Some(Side::White), Some(Side::Black));
    for (text, slot) in [
        ("     2 w 1", game(white, GameMark::Win)),
        ("     2 W =", game(white, GameMark::Draw)),
        ("     2 b 0", game(black, GameMark::Loss)),
        ("  0002 b w", game(black, GameMark::UnratedWin)),
        ("     2 b D", game(black, GameMark::UnratedDraw)),
        ("     2 w l", game(white, GameMark::UnratedLoss)),
        ("     2 w +", game(white, GameMark::ForfeitWin)),
        ("     2 - -", game(None, GameMark::ForfeitLoss)),
        ("     2 w", Slot::Game { opponent: Number(2), colour: white, result: None }),
        ("     2", Slot::Game { opponent: Number(2), colour: None, result: None }),
        ("  0000 - F", Slot::Bye(ByeMark::Full)),
        ("  0000 - h", Slot::Bye(ByeMark::Half)),
        ("       - U", Slot::Bye(ByeMark::Pab)),
        ("         Z", Slot::Bye(ByeMark::Zero)),
        ("  0000", Slot::Bye(ByeMark::Zero)),
        ("  0000 - =", Slot::Bye(ByeMark::Half)),
        ("  0000 - +", Slot::Walkover { won: true }),
        ("  0000 - -", Slot::Walkover { won: false }),
    ] {
        assert_eq!(read(&rounds(text)).players[0].rounds, [slot], "{text:?}");
    }
}

#[test]
fn a_round_that_makes_no_sense_is_named_with_its_column() {
    for (text, column, fault) in [
        // A colour beside an absence once kept an event from its next round for ever.
        ("  0000 b Z", 97, TrfFault::Colour),
        ("     2 w Z", 99, TrfFault::Opponent),
        ("  0000 - 1", 92, TrfFault::Opponent),
        ("     2 - 1", 97, TrfFault::Colour),
        ("     1 w 1", 92, TrfFault::Himself),
        ("     2 w ?", 99, TrfFault::Code),
        ("     2 x 1", 97, TrfFault::Code),
        ("    2  w 1", 95, TrfFault::Range),
        ("     2xw 1", 96, TrfFault::Between),
        ("     2 w 1 ", 0, TrfFault::Tag),
        ("     2 w 1x", 100, TrfFault::Between),
        ("   2 2 w 1", 93, TrfFault::Number),
    ] {
        if column == 0 || text == "    2  w 1" {
            // Numbers may stand anywhere in their field, and lines may end with blanks.
            assert_eq!(read(&rounds(text)).players[0].rounds.len(), 1, "{text:?}");
        } else {
            assert_eq!(refused(&rounds(text)), (1, column, fault), "{text:?}");
        }
    }
}

#[test]
fn a_line_that_makes_no_sense_is_named() {
    let ok = rounds("");
    for (text, line, column, fault) in [
        ("x\n".to_owned(), 1, 1, TrfFault::Tag),
        ("### nobody\n".to_owned(), 1, 1, TrfFault::NoPlayers),
        (String::new(), 1, 1, TrfFault::NoPlayers),
        (ok.clone() + &ok, 2, 5, TrfFault::Repeated),
        (ok.clone() + "142 9\nXXR 8\n", 3, 1, TrfFault::Repeated),
        (ok.clone() + "142 251\n", 2, 5, TrfFault::Range),
        (ok.clone() + "012 a\u{7}b\n", 2, 6, TrfFault::Control),
        (ok.clone() + "222 90 min\n", 2, 5, TrfFault::TimeControl),
        (ok.clone() + "240 F 001\n", 2, 10, TrfFault::Missing),
        (ok.clone() + "240 Q 001    1\n", 2, 5, TrfFault::Code),
        (ok.clone() + "250      01.0 003 001 0001 0002\n", 2, 19, TrfFault::Range),
        (ok.clone() + "250           001 001 0001 0002\n", 2, 10, TrfFault::Missing),
        (ok.clone() + "260 001 002    1\n", 2, 17, TrfFault::Missing),
        (ok.clone() + "XXP 1\n", 2, 6, TrfFault::Missing),
        (ok.clone() + "XXZ 1 x\n", 2, 7, TrfFault::Number),
        (ok.clone() + "XXS W:3\n", 2, 5, TrfFault::Code),
        (ok.clone() + "330 ++ 001 001 002\n", 2, 5, TrfFault::Code),
        (ok.clone() + "352 WX\n", 2, 6, TrfFault::Code),
        (ok.clone() + "362 TX 1.0\n", 2, 5, TrfFault::Code),
        ("001    0      A\n".to_owned(), 1, 8, TrfFault::Range),
        ("001           A\n".to_owned(), 1, 5, TrfFault::Missing),
        ("001   12x     A\n".to_owned(), 1, 9, TrfFault::Between),
    ] {
        assert_eq!(refused(&text), (line, column, fault), "{text:?}");
    }
    let mut bytes = (ok + "012 a").into_bytes();
    bytes.push(0xff);
    let error = Report::read(&bytes).unwrap_err();
    assert_eq!((error.line, error.column, error.fault), (2, 6, TrfFault::NotUtf8));
    for fault in TrfFault::ALL {
        assert!(!fault.meaning().is_empty() && TrfFault::named(fault.name()) == Some(*fault));
    }
}

#[test]
fn there_is_a_limit_to_everything() {
    let long = "9".repeat(trf::LINE_CHARS_MAX + 1);
    assert_eq!(refused(&long).2, TrfFault::LineTooLong);
    assert_eq!(refused(&"\n".repeat(trf::LINES_MAX + 1)).2, TrfFault::TooManyLines);
    let error = Report::read(&vec![b'\n'; trf::FILE_BYTES_MAX + 1]).unwrap_err();
    assert_eq!(error.fault, TrfFault::FileTooLarge);
    let most = rounds(&"     2 w 1".repeat(trf::ROUNDS_MAX.into()));
    assert_eq!(read(&most).players[0].rounds.len(), usize::from(trf::ROUNDS_MAX));
    let everybody = format!("XXP {}", (1..=450).map(|it| it.to_string()).collect::<Vec<_>>().join(" "));
    let report = read(&(rounds("") + &everybody));
    assert_eq!(Event::of(&report, ColourLaw::Balance).unwrap_err().reason(), "too_many_prohibitions");
}

#[test]
fn a_bye_of_the_round_to_come_is_no_round_that_was_played() {
    let text = line("142 5", "")
        + &line("001    1      A", " 1.0    1     2 w 1            0000 - F")
        + &line("001    2      B", " 0.0    2     1 b 0  0000 - H")
        + &line("001    3      C", " 1.0    1  0000 - U            0000 - Z")
        + "240 H 002    1\nXXZ 3\n";
    let report = read(&text);
    assert_eq!(report.paired_rounds(), 1);
    let event = Event::of(&report, ColourLaw::Balance).unwrap();
    let next = event.before(2);
    let there: Vec<u32> = next.players.iter().filter(|it| it.plays_in(2)).map(|it| it.number.0).collect();
    assert_eq!((event.paired, there), (1, vec![]));
    assert!(event.before(4).players.iter().all(|it| it.plays_in(4)));
}

#[test]
fn records_that_contradict_each_other_make_no_event() {
    let pair = |one: &str, other: &str| {
        let text = line("001    1      A", one) + &line("001    2      B", other);
        Event::of(&read(&text), ColourLaw::Balance)
            .map(|it| it.games(1).len())
            .map_err(pairing::trf::EventError::reason)
    };
    assert_eq!(pair(" 1.0    1     2 w 1", " 0.0    1     1 b 0"), Ok(1));
    assert_eq!(pair(" 1.0    1     2 w 1", " 0.0    1     1 w 0"), Err("contradiction"));
    assert_eq!(pair(" 1.0    1     2 w 1", " 0.0    1     1 b -"), Err("contradiction"));
    assert_eq!(pair(" 1.0    1     2 w 1", " 0.0    1     1 b"), Err("contradiction"));
    assert_eq!(pair(" 1.0    1     2 w 1", " 0.0    1"), Err("contradiction"));
    assert_eq!(pair(" 1.0    1     2 w 1", " 0.0    1     3 b 0"), Err("contradiction"));
    assert_eq!(pair(" 1.0    1     3 w 1", " 0.0    1     1 b 0"), Err("unknown_opponent"));
    assert_eq!(pair(" 1.0    1     2 w +", " 0.0    1     1 b -"), Ok(1));
    // The opponent had left: nobody was met.
    assert_eq!(pair(" 1.0    1     2 w +", " 0.0    1  0000 - Z"), Ok(0));
}

#[test]
fn points_that_are_not_those_of_the_results_are_doubted() {
    let doubts = |points: &str, more: &str| {
        let report =
            read(&(rounds("").replace(" 0.0    1", &format!(" {points}    1  0000 - U  0000 - H")) + more));
        Event::of(&report, ColourLaw::Balance).unwrap().doubts.iter().map(|it| it.name()).collect::<Vec<_>>()
    };
    // The half-point bye of the round to come may be counted or not.
    for right in ["1.0", "1.5"] {
        assert!(!doubts(right, "").contains(&"points_differ"), "{right}");
    }
    assert!(doubts("2.0", "").contains(&"points_differ"));
    let odd = doubts("2.0", "299           1.0  000    1\n");
    assert!(odd.contains(&"odd_points") && !odd.contains(&"points_differ"), "{odd:?}");
}

#[test]
fn names_in_any_script_come_back_natively_or_by_id() {
    let mut report = Report::default();
    let people = [("Tashi Dorje", "བཀྲ་ཤིས་རྡོ་རྗེ།"), ("Batu-Erdene", "ᠪᠠᠲᠤ ᠡᠷᠳᠡᠨᠢ"), ("Wang, Wei", "王伟")];
    for (number, (latin, native)) in (1..).zip(people) {
        let number = Number(number);
        let (name, id) = (latin.to_owned(), format!("90{number}"));
        report.players.push(PlayerRecord { number, name, id, ..PlayerRecord::default() });
        let (federation, name) = ("CHN".to_owned(), native.to_owned());
        report.national.push(National { federation, number, name, ..National::default() });
    }
    let native = read(&report.write(Form::Trf26).unwrap());
    let names =
        |it: &Report| (1..=3).map(|at| it.native_name(Number(at)).unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&native), people.map(|it| it.1));
    let ascii = report.write(Form::Trf16).unwrap();
    assert!(ascii.is_ascii() && !ascii.contains('?'));
    // Another program has numbered the players anew.
    let mut theirs = read(&ascii.replace("001    1", "001    9"));
    theirs.recall_names(&report);
    assert_eq!(theirs.native_name(Number(9)), Some(people[0].1));
    report.players[1].id.clear();
    assert_eq!(report.write(Form::Trf16), Err(WriteError::NoId(Number(2))));
    report.players[1].name = people[1].1.to_owned();
    assert!(matches!(report.write(Form::Trf16), Err(WriteError::NotAscii { .. })));
    assert_eq!(read(&report.write(Form::Trf26).unwrap()), report);
}

#[test]
fn what_has_no_place_is_not_written() {
    let report = || read(&rounds(""));
    let mut long = report();
    long.players[0].name = "a".repeat(34);
    assert!(matches!(long.write(Form::Trf26), Err(WriteError::TooLong { width: 33, .. })));
    let mut control = report();
    control.header.name = "a\rb".to_owned();
    assert!(matches!(control.write(Form::Trf26), Err(WriteError::Text { .. })));
    let mut injected = report();
    injected.other.push("142 7".to_owned());
    assert!(matches!(injected.write(Form::Trf26), Err(WriteError::Ambiguous(_))));
    assert!(matches!(Report::default().write(Form::Trf26), Err(WriteError::Unreadable(_))));
    let mut huge = report();
    huge.players[0].number = Number(10_000);
    assert!(huge.write(Form::Trf26).is_err());
}

/// The two records that repeat others, as they stand in the example of the format's authors.
#[test]
fn what_repeats_others_for_people_is_read_in_its_columns() {
    let boards = "801  3 GEO   19   32.5       FFFF       16 w 11=0 1254  18 w ==0+ 1504  24 b ----";
    let results = "802   3 GEO     19     32.5 FPB    4.0    16 w  2.5    11 b  2.5F         0.5";
    let report = read(&(rounds("") + boards + "\n" + results + "\n"));
    assert_eq!(report.other, [""; 0]);
    let [boards] = report.team_boards.as_slice() else { panic!("{report:?}") };
    assert_eq!((boards.number, boards.nickname.as_str()), (3, "GEO"));
    assert_eq!((boards.match_points, boards.game_points), (Some(Tenths(190)), Some(Tenths(325))));
    let against: Vec<_> = boards.rounds.iter().map(|it| it.against).collect();
    let (white, black) = (Some(Side::White), Some(Side::Black));
    assert_eq!(against, [None, Some((16, white)), Some((18, white)), Some((24, black))]);
    let marks = |at: usize| boards.rounds[at].marks.iter().map(|it| it.name()).collect::<String>();
    assert_eq!([0, 1, 2, 3].map(marks), ["FFFF", "11=0", "==0+", "----"]);
    assert_eq!(boards.rounds[2].seats, [Some(1), Some(5), None, Some(4)]);
    assert!(boards.rounds[0].seats.is_empty());
    let [results] = report.team_results.as_slice() else { panic!("{report:?}") };
    assert_eq!((results.number, results.match_points), (3, Some(Tenths(190))));
    let team = |opponent, colour| trf::Against::Team { opponent, colour };
    let nobody = trf::Against::Nobody;
    assert_eq!(
        results
            .rounds
            .iter()
            .map(|it| (it.against, it.points.map(|it| it.0), it.forfeited))
            .collect::<Vec<_>>(),
        [
            (trf::Against::Bye(ByeMark::Full), Some(40), false),
            (team(16, white), Some(25), false),
            (team(11, black), Some(25), true),
            (nobody, Some(5), false),
        ]
    );
    let text = report.write(Form::Trf26).expect("it is written");
    assert!(text.contains("801  3 GEO   19.0 32.5       FFFF       16 w 11=0 1254"), "{text}");
    assert_eq!(read(&text), report);
    // Of another shape they are words, and no fault.
    for other in [
        "801 a sentence",
        "802   3 GEO  x",
        "802   3 GEO     19     32.5 FPB w  4.0",
        "801  3 GEO                   11x0",
    ] {
        assert_eq!(read(&(rounds("") + other)).other, [other]);
    }
}

//! Reading, writing and refereeing records.

use proptest::prelude::*;
use rules::{
    Act, Outcome, Reason, Record, RuleSet, Side, Verdict,
    engine::{self, Engine},
    jiu::{Board, Point, RECORD_BYTES_MAX, VARIANT, label, lacks_placement, parse_record, print_record},
};

use crate::play::faults;

fn texts(record: &Record) -> Vec<(Side, &str)> {
    record.acts.iter().map(|act| (act.side().expect("a player's act"), act.text.as_str())).collect()
}

#[test]
fn headings_rules_result_and_remarks() {
    let text = "\u{FEFF}# first: Awang\r\n#second:Renqing  \r\n\r\n#\n# A game, played: somewhere\n\
                # rules: aba draw_repetitions=5 draw_quiet_plies=50\n# result: W+ fourteen\n\
                W1: h8 # the centre\nB2:G7 #! odd\n";
    let record = parse_record(text).expect("readable");
    assert_eq!(record.heading("first"), Some("Awang"));
    assert_eq!(record.heading("second"), Some("Renqing"));
    let comments: Vec<_> = record.headings.iter().filter(|(name, _)| name == "comment").collect();
    let comments: Vec<_> = comments.into_iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(comments, ["A game, played: somewhere", "W1: the centre", "B2: ! odd"]);
    assert_eq!(
        record.rule_set,
        RuleSet::named("aba").with("draw_repetitions", "5").with("draw_quiet_plies", "50")
    );
    let outcome = Outcome { verdict: Verdict::Win(Side::First), reason: Reason::Fourteen, score: None };
    assert_eq!(record.outcome, Some(outcome));
    assert_eq!(texts(&record), [(Side::First, "H8"), (Side::Second, "G7")]);
    assert_eq!(parse_record(&print_record(&record)), Ok(record));
}

#[test]
fn several_acts_a_line_and_lists_that_look_like_labels() {
    let text = "B1: G7 W2: H8\nB3: H7→H8: TC-B3, B4: FC-L1 W4: G6→G7\n5:A1→A2 B6: what is this\n";
    let record = parse_record(text).expect("readable");
    assert!(lacks_placement(&record));
    assert_eq!(
        texts(&record),
        [
            (Side::Second, "G7"),
            (Side::First, "H8"),
            (Side::Second, "H7→H8 TC-B3,B4 FC-L1"),
            (Side::First, "G6→G7"),
            (Side::Second, "A1→A2"),
            (Side::Second, "what is this"),
        ]
    );
    assert_eq!(label(&record.acts, 5), "B6");
}

#[test]
fn broken_files_are_refused_with_their_line() {
    for (text, line) in [
        ("W1: H8\nW3: A1\n", 2),
        ("W1:W3:A1\n", 1),
        ("W2: H8\n", 1),
        ("W1: H8 B1: G7\n", 1),
        ("H8\n", 1),
        ("W1: H8\nG7\n", 2),
        ("# rules: shogi\n", 1),
        ("# rules: aba komi=7\n", 1),
        ("# rules: aba draw_repetitions=1\n", 1),
        ("# rules: aba aba\n", 1),
        ("#\n# result: nobody knows\n", 2),
        ("# result: B+R\n# result: B+R\n", 2),
        ("# rules: aba\n# rules: aba\n", 2),
        ("W99999999999: H8\n", 1),
    ] {
        assert_eq!(parse_record(text).map_err(|error| error.line), Err(line), "{text:?}");
    }
    let long = " ".repeat(RECORD_BYTES_MAX + 1);
    assert_eq!(parse_record(&long).map_err(|error| error.line), Err(0));
}

#[test]
fn a_check_reports_every_fault_and_goes_on() {
    assert_eq!(faults("W1: H8\nB2: G7\n"), []);
    let expected = [("W1", "OPENING_POINT"), ("B2", "BAD_NOTATION"), ("B3", "NOT_YOUR_TURN")];
    let found = faults("W1: A1\nB2: G77\nB3: H8\n");
    assert_eq!(found, expected.map(|(label, reason)| (label.to_owned(), reason)));
    let found = faults("# result: B+ fourteen\nW1: H8\n");
    assert_eq!(found, [("record".to_owned(), "WRONG_RESULT")]);
    assert_eq!(faults("# result: B+T\nW1: H8\n"), []);
}

#[test]
fn what_cannot_stand_in_a_file_is_written_as_blanks() {
    let mut record = parse_record("W1: H8\n").expect("readable");
    record.headings.push(("date".into(), "2011\n# result: B+R\nB2: G7".into()));
    record.headings.push(("result".into(), "W+R".into()));
    record.headings.push(("No Name\n".into(), "x".into()));
    record.acts.push(Act::by(Side::Second, "G7\n# result: W+R"));
    let again = parse_record(&print_record(&record)).expect("readable");
    assert_eq!(again.outcome, None);
    assert_eq!(again.acts.len(), 2);
    assert_eq!(again.heading("date"), Some("2011 # result: B+R B2: G7"));
    assert_eq!(parse_record(&print_record(&again)), Ok(again));
}

#[test]
fn the_largest_files_are_read_in_linear_time() {
    // A quadratic reader would take minutes over each.
    let mut acts = String::from("B1: G7\n");
    for number in 2.. {
        if acts.len() + 16 > RECORD_BYTES_MAX {
            break;
        }
        acts.extend([if number % 2 == 0 { "W" } else { "B" }, &number.to_string(), ": A1\n"]);
    }
    let files = [
        acts,
        "#".repeat(RECORD_BYTES_MAX),
        "#a\n".repeat(RECORD_BYTES_MAX / 3),
        String::from("B1: ") + &"B4: FC- ".repeat(RECORD_BYTES_MAX / 8 - 1),
        String::from("B1: ") + &"A1→".repeat(RECORD_BYTES_MAX / 5 - 1),
        "B".repeat(RECORD_BYTES_MAX),
    ];
    for file in files {
        if let Ok(record) = parse_record(&file) {
            let printed = print_record(&record);
            assert!(parse_record(&printed).is_ok() || printed.len() > RECORD_BYTES_MAX);
        }
    }
}

fn lines() -> impl Strategy<Value = String> {
    prop_oneof![
        "# ?(first|comment|rules|result|x-[a-z]{1,4}|[A-Z ]{1,5})? ?:? ?\\PC{0,12}",
        "# (rules|result): (aba|aba-competitive|draw_repetitions=[0-9]|B\\+R|draw|void replay| ){1,3}",
        "[WB]?[0-9]{1,3}: ?([A-P][0-9]{1,2}|→|->| TC-| FC-|,|\\+|:| |B4:|#){0,8}",
        "\\PC{0,20}",
    ]
}

/// Acts with the numbers they should have, whatever they say.
fn numbered() -> impl Strategy<Value = String> {
    let act = "(\\PC{0,6}|[A-N][0-9]{1,2}(→[A-N][0-9])?( ?[TF]C-[A-N][0-9])?( #\\PC{0,4})?)";
    prop::collection::vec((act, any::<bool>()), 0..230).prop_map(|acts| {
        let label = |(n, (act, white)): (usize, (String, bool))| {
            format!("{}{}: {act}\n", if white && n > 0 { 'W' } else { 'B' }, n + 1)
        };
        acts.into_iter().enumerate().map(label).collect()
    })
}

proptest! {
    #[test]
    fn reading_never_panics_and_printing_what_was_read_keeps_it(
        text in prop_oneof![prop::collection::vec(lines(), 0..12).prop_map(|it| it.join("\n")), numbered(), "\\PC*"],
    ) {
        if let Ok(record) = parse_record(&text) {
            let printed = print_record(&record);
            // Whatever it says, it can be refereed.
            faults(&printed);
            prop_assert_eq!(parse_record(&printed), Ok(record.clone()));
            prop_assert_eq!(print_record(&parse_record(&printed).expect("readable")), printed);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(record) = (VARIANT.parse_record)(&text) {
            prop_assert_eq!(parse_record(&(VARIANT.print_record)(&record)), Ok(record));
        }
    }
}

/// A movement with Black to move, these white stones and black ones on A2, A14 and N14, and what a check finds in acts
/// that go on from there.
fn refereed(white: &[&str], acts: &str) -> Vec<(String, &'static str)> {
    let mut board = Board::default();
    let at = |name: &str| name.parse::<Point>().expect("a point");
    for name in white {
        board.put(at(name), Side::First);
    }
    for name in ["A2", "A14", "N14"] {
        board.put(at(name), Side::Second);
    }
    faults(&format!("to-move: B\nphase: move\nboard:\n{board}{acts}"))
}

#[test]
fn a_printed_flight_over_a_stone_takes_nothing() {
    let few = ["A1"];
    assert_eq!(refereed(&few, "B1: N14→N13\nW2: A1→A3\nB3: A2→A1\n"), []);
    assert_eq!(refereed(&few, "B1: N14→N13\nW2: A1→A3 TC-none\nB3: A2→A1\n"), []);
    let taken = "B1: N14→N13\nW2: A1→A3 TC-A2\nB3: A2→A1\n";
    assert_eq!(refereed(&few, taken), [("B3".to_owned(), "NOT_YOUR_STONE")]);
}

#[test]
fn a_printed_jump_must_name_what_it_took() {
    let columns = ["A", "C", "E", "G", "I", "K", "M"];
    let names: Vec<String> =
        columns.iter().flat_map(|column| [6, 8].map(|row| format!("{column}{row}"))).collect();
    let white: Vec<&str> = names.iter().map(String::as_str).chain(["A1", "N1"]).collect();
    // The jump stands, so what follows from it is no fault.
    let unsaid = "B1: N14→N13\nW2: A1→A3\nB3: N13→N12\n";
    assert_eq!(refereed(&white, unsaid), [("W2".to_owned(), "JUMP_UNSAID")]);
    assert_eq!(refereed(&white, "B1: N14→N13\nW2: A1→A3 TC-A2\nB3: N13→N12\n"), []);
}

#[test]
fn a_record_is_checked_from_a_position_that_no_game_could_have() {
    let mut rows = vec!["o".repeat(14); 7];
    rows.push(format!("o{}", ".".repeat(13)));
    rows.extend(vec![".".repeat(14); 4]);
    rows.extend(vec![format!("x{}x", ".".repeat(12)); 2]);
    let stated = format!("to-move: B\nphase: move\nboard:\n{}\n", rows.join("\n"));
    let game =
        (VARIANT.position)(&RuleSet::named(""), &format!("{}{stated}", rules::AS_STATED)).expect("as stated");
    let hints = game.hints(Side::Second);
    let act = &hints.iter().find(|hint| hint.choices_left == 0).expect("a step").text;
    let file = format!("{stated}B1: {act}\nW2: A1→A1\n");
    let report = engine::check(&VARIANT, &RuleSet::named(""), file.as_bytes());
    let reasons: Vec<_> = report.faults.iter().map(|fault| (&*fault.about, fault.reason)).collect();
    assert_eq!(report.acts, 2, "{report}");
    assert_eq!(reasons[0], ("position", "BAD_POSITION"), "{report}");
    assert!(report.faults[0].detail.contains("too many white stones"), "{report}");
    assert!(reasons.len() == 2 && reasons[1].0.starts_with("W2"), "{report}");
}

#[test]
fn a_position_that_is_decided_before_anybody_acts_passes_its_own_check() {
    let rows = [vec!["x".repeat(14); 2], vec!["o".repeat(14); 3], vec![".".repeat(14); 9]].concat();
    let setup = format!("to-move: B; phase: move; board: {}", rows.join("/"));
    let mut engine = Engine::new(&VARIANT).expect("a game");
    engine.start(RuleSet::named(""), Some(setup)).expect("a position");
    assert_eq!(engine.game().outcome().map(|outcome| outcome.reason), Some(Reason::NoMoves));
    let record = engine.record();
    let report = engine::check(&VARIANT, &RuleSet::named(""), record.as_bytes());
    assert!(report.is_clean() && report.segments == 1, "{report}\n{record}");
}

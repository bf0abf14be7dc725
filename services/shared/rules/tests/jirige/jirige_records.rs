//! Records: what is printed is read again, and replays.

use proptest::prelude::*;
use rules::{
    Act, Outcome, Reason, Record, RuleSet, Side, Verdict,
    jirige::{Options, Position, RECORD_BYTES_MAX, VARIANT, parse_record, print_record},
};

use crate::{dice::Dice, play::dice};

/// A game played behind the frame, and its record.
fn recorded(dice: &mut Dice, rule_set: RuleSet, turns: usize) -> Record {
    let mut game = (VARIANT.start)(&rule_set).expect("the rules");
    let options = Options::from_rule_set(&rule_set).expect("the rules");
    let setup = rules::jirige::Setup::from_rule_set(&rule_set).expect("the rules");
    let mut position = match setup {
        Some(setup) => Position::from_setup(&setup, options).expect("a position"),
        None => Position::new(options),
    };
    let mut acts = Vec::new();
    for _ in 0..turns {
        let Some(side) = game.on_clock() else { break };
        let turn = dice.turn(&position, 60);
        position.play(&turn).expect("listed");
        let played = game.play(side, &turn.to_string()).expect("listed");
        acts.push(Act::by(side, played.text));
    }
    let headings =
        vec![("first".to_owned(), "巴特尔".to_owned()), ("comment".to_owned(), "a game".to_owned())];
    Record { variant: VARIANT.id, rule_set, headings, acts, outcome: game.outcome().cloned() }
}

fn assert_replays(record: &Record) {
    let mut game = (VARIANT.start)(&record.rule_set).expect("the rules");
    for act in &record.acts {
        game.act(act.author, &act.text).expect("legal");
    }
    assert_eq!(game.outcome(), record.outcome.as_ref());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn records_round_trip_and_replay(mut dice in dice(), turns in 0_usize..900, split: bool, complete: bool) {
        let mut rule_set = RuleSet::named("2020").with("quiet_auto", "40");
        if split {
            rule_set = rule_set.with("opening_order", "split");
        }
        if complete {
            rule_set = (VARIANT.start)(&rule_set).expect("the rules").rule_set().clone();
        }
        let record = recorded(&mut dice, rule_set.clone(), turns);
        prop_assert_eq!(parse_record(&print_record(&record)), Ok(record.clone()));
        assert_replays(&record);
        // The rest of the game, from where it stood.
        let mut position = Position::new(Options::from_rule_set(&rule_set).expect("the rules"));
        let half = record.acts.len() / 2;
        for act in &record.acts[..half] {
            position.play(&act.text.parse().expect("canonical")).expect("legal");
        }
        if let Some(setup) = position.setup() {
            let rest = recorded(&mut dice, rule_set.with("setup", &setup.to_string()), 50);
            let text = print_record(&rest);
            prop_assert!(text.contains("# position: "));
            prop_assert_eq!(parse_record(&text), Ok(rest.clone()));
            assert_replays(&rest);
        }
    }

    #[test]
    fn any_text_is_read_or_refused_without_panic(
        text in "(# [a-z]{1,9}: |# rules: |# position: |# result: |2020 |[0-9]{1,3}\\. |\\.\\. |[A-I][1-9]|-|x|\\*| |\n|\\PC){0,60}"
    ) {
        if let Ok(record) = parse_record(&text) {
            prop_assert_eq!(parse_record(&print_record(&record)), Ok(record));
        }
    }

    #[test]
    fn any_record_is_printed_as_one(name in "\\PC{0,8}", value in "(\\PC|\n){0,20}", acts in prop::collection::vec((any::<bool>(), "[A-I][1-9](x[A-I][1-9]){0,3}"), 0..20)) {
        let side = |first| if first { Side::First } else { Side::Second };
        let acts = acts.into_iter().map(|(first, text)| Act::by(side(first), text)).collect();
        let headings = vec![(name, value)];
        let record = Record { variant: VARIANT.id, rule_set: RuleSet::named(""), headings, acts, outcome: None };
        let read = parse_record(&print_record(&record)).expect("readable");
        prop_assert_eq!(&read.acts, &record.acts);
        // What was no heading has become a comment, and stays one.
        prop_assert_eq!(parse_record(&print_record(&read)), Ok(read));
    }
}

#[test]
fn every_spelling_reads_as_the_canonical_one() {
    let text = "\u{FEFF}# a word first\n# first: A\n#\n# result: W+ too-few-stones\n1. d4 E6 2. A1\n# between\n\
                I9 # far away\n3. ..  nonsense\n";
    let record = parse_record(text).expect("readable");
    let acts: Vec<_> =
        record.acts.iter().map(|act| (act.side().expect("a player"), act.text.as_str())).collect();
    let (dark, light) = (Side::First, Side::Second);
    assert_eq!(acts, [(dark, "D4"), (light, "E6"), (dark, "A1"), (light, "I9"), (light, "nonsense")]);
    let comments: Vec<_> = record.headings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(
        comments,
        ["comment=a word first", "first=A", "comment=between", "comment=2. .. I9: far away"]
    );
    let won = Outcome { verdict: Verdict::Win(light), reason: Reason::TooFewStones, score: None };
    assert_eq!(record.outcome, Some(won));
}

#[test]
fn faults_are_told_with_their_line() {
    let board = "........./........./........./........./........./........./........./........./.........";
    for (text, line) in [
        ("D4".to_owned(), 1),
        ("2. D4".to_owned(), 1),
        ("1. D4\n3. A1".to_owned(), 2),
        ("1. D4 E6 A1".to_owned(), 1),
        ("1. ..\n2. D4".to_owned(), 2),
        ("1. .. ..".to_owned(), 0),
        ("\n# result: X+R".to_owned(), 2),
        ("# rules: 2020\n# rules: 2020".to_owned(), 2),
        ("# rules: a b".to_owned(), 1),
        ("# rules: halma".to_owned(), 0),
        ("# rules: lose_at=7".to_owned(), 0),
        ("# position: x".to_owned(), 0),
        (format!("# position: {board} move dark"), 0),
        (format!("# rules: setup=\n# position: {board} place dark"), 0),
        ("1. D4\n".repeat(3), 2),
        ("#".repeat(RECORD_BYTES_MAX + 1), 0),
    ] {
        let error = parse_record(&text).expect_err("refused");
        assert_eq!(error.line, line, "{}: {error}", text.chars().take(40).collect::<String>());
    }
}

/// Half a million words take no more than a moment each: the reader is linear.
#[test]
fn a_long_record_is_read_in_one_go() {
    use std::fmt::Write as _;
    let mut text = String::new();
    for n in 1..=50_000 {
        writeln!(text, "{n}. A1-A2 # back and forth").expect("written");
    }
    let record = parse_record(&text).expect("readable");
    assert_eq!((record.acts.len(), record.headings.len()), (50_000, 50_000));
}

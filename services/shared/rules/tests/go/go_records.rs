//! Recorded games: every move legal, every count the recorded one.

use std::path::Path;

use rules::{
    Outcome, Reason, Record,
    go::{Act, Phase, Position, Start, sgf},
    goban::{Colour, Illegal, Point, Score as _, Size},
};

use crate::{
    index::{points, table},
    shared,
};

/// Plays a record. Games that went on after two passes, as other rules allow, are resumed by a dispute;
/// passes beyond the second are left out.
pub(crate) fn replay(record: &Record) -> Result<Position, (usize, Illegal)> {
    let mut rule_set = record.rule_set.clone();
    rule_set.options.insert("disputes".into(), "9".into());
    let start = Start::read(&rule_set).expect("the rules of a record that was read");
    let size = start.setup.board().rows();
    let mut position = Position::from_setup(&start.setup, start.rules);
    for (nth, act) in (1..).zip(&record.acts) {
        let act_read = Act::parse(&act.text, size, size).expect("the acts of a record that was read");
        if matches!(position.phase(), Phase::Agreement(_)) {
            if act_read == Act::Pass {
                continue;
            }
            position.act(Colour::Black, &Act::Reject).expect("a dispute");
        }
        let player = act.side().expect("the house does not play Go");
        if Colour::of(player) != position.to_move() {
            // Some files leave out a pass.
            position.act(position.to_move(), &Act::Pass).map_err(|fault| (nth, fault))?;
        }
        position.act(Colour::of(player), &act_read).map_err(|fault| (nth, fault))?;
    }
    Ok(position)
}

pub(crate) fn read(file: &Path) -> Record {
    let bytes = std::fs::read(file).expect("the file can be read");
    sgf::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The count of a finished record, from its moves and these dead stones, is the count it states.
fn check_count(record: &Record, dead: &[Point], name: &str) {
    let position = replay(record).unwrap_or_else(|(turn, fault)| panic!("{name}, turn {turn}: {fault}"));
    let stated = record.outcome.as_ref().expect("a result");
    let score = position.score(dead);
    assert_eq!(Some(score.frame()), stated.score, "{name}");
    assert_eq!(stated.reason, Reason::Score, "{name}");
}

#[test]
fn go_golden_games_count_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/go");
    let mut games = 0;
    for entry in std::fs::read_dir(folder).expect("the golden files are there") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "sgf") {
            check_count(&read(&path), &[], &path.display().to_string());
            games += 1;
        }
    }
    assert_eq!(games, 4);
}

#[test]
fn go_indexed_games_count_as_recorded() {
    let Some(folder) = shared::folder() else { return };
    let folder = folder.join("records/go");
    let index = std::fs::read_to_string(folder.join("index.csv")).expect("the index can be read");
    let mut counted = 0;
    for row in table(&index) {
        let name = &row["file"];
        let record = read(&folder.join(name));
        let moves = record.acts.len();
        assert_eq!(moves.to_string(), row["moves"], "{name}");
        let passes = record.acts.iter().filter(|act| act.text == "pass").count();
        assert_eq!(passes.to_string(), row["passes"], "{name}");
        let again = sgf::parse(sgf::print(&record).as_bytes());
        assert_eq!(again.as_ref(), Ok(&record), "{name}");
        if row["score_verified"].starts_with("yes") {
            check_count(&record, &points(&row["dead_stones"]), name);
            counted += 1;
        } else if row["superko_repetitions"].is_empty() {
            let position =
                replay(&record).unwrap_or_else(|(turn, fault)| panic!("{name}, turn {turn}: {fault}"));
            let captured = position.captures(Colour::Black) + position.captures(Colour::White);
            assert_eq!(captured.to_string(), row["stones_captured"], "{name}");
        }
    }
    assert_eq!(counted, 40);
}

#[test]
fn go_selfplay_games_count_as_recorded() {
    let Some(folder) = shared::folder() else { return };
    let folder = folder.join("records/go/gnugo_selfplay");
    let index = std::fs::read_to_string(folder.join("index.csv")).expect("the index can be read");
    let mut counted = 0;
    for row in table(&index) {
        let path = folder.join(row["file"].trim_start_matches("gnugo_selfplay/"));
        if path.is_file() && row["agree"] == "True" {
            check_count(&read(&path), &[], &row["file"]);
            counted += 1;
        }
    }
    assert_eq!(counted, 16);
}

/// What each rule says of the three recorded games with repetitions.
#[test]
fn go_recorded_repetitions() {
    let Some(folder) = shared::folder() else { return };
    let folder = folder.join("records/go/repetition");
    let check = |name: &str, rule_set: &str, wanted: Result<Option<u32>, (usize, Illegal)>| {
        let mut record = read(&folder.join(name));
        record.rule_set.id = rule_set.into();
        let result = replay(&record).map(|position| position.notice().map(|notice| notice.occurrence));
        assert_eq!(result, wanted, "{name} under {rule_set}");
    };
    // Double-capture cycle: the fourth move brings back the position before the first.
    check("fuego_long_life.sgf", "cn1988", Ok(Some(2)));
    check("fuego_long_life.sgf", "simple", Ok(Some(2)));
    check("fuego_long_life.sgf", "psk", Err((4, Illegal::Repetition)));
    check("fuego_long_life.sgf", "cn2002", Err((4, Illegal::Repetition)));
    check("fuego_triple_ko.sgf", "cn1988", Ok(Some(2)));
    check("fuego_triple_ko.sgf", "psk", Err((6, Illegal::Repetition)));
    check("fuego_triple_ko.sgf", "cn2002", Err((6, Illegal::Repetition)));
    // Sending two, returning one: three turns, the other side to move.
    let sent = "yenw_6_QuinoaIgo_Kugutsu.sgf";
    check(sent, "cn1988", Err((317, Illegal::Repetition)));
    check(sent, "psk", Err((317, Illegal::Repetition)));
    check(sent, "simple", Ok(None));
}

#[test]
fn go_records_tell_their_headings_and_rules() {
    let text = "(;GM[1]FF[3]SZ[13:13]KM[375]RU[Chinese]PB[古力]PW[A \\] B]DT[2004-01-02]EV[Cup]RO[1]RE[W+R]\
                GC[two\nlines];B[dd];W[jj](;B[tt];W[])(;B[cc]))";
    let record = sgf::parse(text.as_bytes()).unwrap();
    let heading = |name| record.heading(name);
    assert_eq!((heading("first"), heading("second")), (Some("古力"), Some("A ] B")));
    assert_eq!(
        (heading("date"), heading("event"), heading("round")),
        (Some("2004-01-02"), Some("Cup"), Some("1"))
    );
    assert_eq!((heading("comment"), heading("rules")), (Some("two\nlines"), None));
    let start = Start::read(&record.rule_set).unwrap();
    assert_eq!((start.rules.komi.points(), start.setup.board().rows()), ("7.5".to_owned(), Size::THIRTEEN));
    let acts: Vec<_> = record.acts.iter().map(|act| act.text.as_str()).collect();
    assert_eq!(acts, ["D10", "K4", "pass", "pass"]);
    assert!(matches!(record.outcome, Some(Outcome { reason: Reason::Resignation, .. })));
}

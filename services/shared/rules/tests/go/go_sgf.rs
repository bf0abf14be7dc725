//! The reader and writer of records: whatever comes in, nothing breaks and nothing is lost.

use proptest::prelude::*;
use rules::{
    Act, Game, Record, RuleSet, Side, StoneColour,
    go::{GoGame, VARIANT, sgf},
    goban::sgf::{MAX_BYTES, MAX_NODES},
};

use crate::dice::Dice;

/// Pieces from which files are put together that are often right and seldom sensible.
const PIECES: [&str; 38] = [
    "(",
    ")",
    ";",
    "(;",
    "B[dd]",
    "W[]",
    "B[tt]",
    "W[aa]",
    "SZ[9]",
    "SZ[5:5]",
    "SZ[26]",
    "KM[7.5]",
    "KM[2.75]",
    "KM[x]",
    "HA[2]",
    "HA[3]",
    "AB[aa][bb]",
    "AW[cc:dd]",
    "AE[aa:ee]",
    "PL[W]",
    "PB[a\\]b]",
    "RU[Japanese]",
    "RE[B+3.5]",
    "RE[0]",
    "RE[W+R]",
    "RE[x]",
    "SHA[B dead -]",
    "SHA[W accept]",
    "SHA[x]",
    "SHR[psk][size=9][a=b]",
    "SHO[repetition]",
    "SHH[x=y]",
    "SHH[first=z]",
    "SHR[simple][size=5][handicap=2][setup=...../...../...../...../..... w]",
    "SHR[][size=9][handicap=3]",
    "B[ab]",
    "C[(;]",
    "GC[one\ntwo]",
];

fn stays(record: &Record) {
    let printed = sgf::print(record);
    let again = sgf::parse(printed.as_bytes());
    assert_eq!(again.as_ref(), Ok(record), "{printed}");
    assert_eq!(sgf::print(record), printed);
}

fn act(side: Side, text: &str) -> Act {
    Act::by(side, text)
}

proptest! {
    #[test]
    fn go_any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(record) = sgf::parse(&bytes) {
            stays(&record);
        }
    }

    #[test]
    fn go_any_pieces_are_read_or_refused(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24)) {
        for file in [pieces.concat(), format!("(;{})", pieces.concat())] {
            if let Ok(record) = sgf::parse(file.as_bytes()) {
                stays(&record);
            }
        }
    }

    #[test]
    fn go_broken_files_are_read_or_refused(cut in 0usize..2000, at in 0usize..2000, byte: u8) {
        let file = include_bytes!("../golden/go/gnugo_19x19_00.sgf");
        let mut bytes = file[..file.len().min(cut)].to_vec();
        if let Some(place) = bytes.get_mut(at) {
            *place = byte;
        }
        if let Ok(record) = sgf::parse(&bytes) {
            stays(&record);
        }
    }

    /// Whatever is played, the record of it is read back the same and leads to the same position.
    #[test]
    fn go_played_games_read_back(seed: u64, turns in 1usize..120, void: bool, handicap in 0u8..4, named in 0usize..4) {
        let rule_set = RuleSet::named(VARIANT.rule_sets[named].id)
            .with("size", "5")
            .with("handicap", &handicap.to_string())
            .with("long_cycle", "arbiter")
            .with("illegal_move", if void { "void_pass" } else { "reject" });
        let mut game = GoGame::new(&rule_set).expect("the rule set is right");
        let mut dice = Dice(seed);
        let mut acts = Vec::new();
        for _ in 0..turns {
            let Some(side) = game.on_clock() else { break };
            let mut texts: Vec<String> = game.hints(side).into_iter().map(|hint| hint.text).collect();
            if void || game.position().agreement().is_some() {
                texts.extend(["A1", "C3", "E5", "dead C3", "dead A1,B2"].map(String::from));
            }
            let text = texts[dice.below(texts.len())].clone();
            if let Ok(played) = game.play(side, &text) {
                acts.push(act(side, &played.text));
            }
        }
        let record = Record {
            variant: "go",
            rule_set,
            headings: vec![("first".into(), "甲".into()), ("app".into(), "a=b\n]".into())],
            acts,
            outcome: game.outcome().cloned(),
        };
        stays(&record);
        let mut again = GoGame::new(&record.rule_set).expect("the rule set is right");
        for act in &record.acts {
            let played = again.act(act.author, &act.text).expect("it was played before");
            prop_assert_eq!(&played.text, &act.text);
        }
        prop_assert_eq!((again.hash(), again.ply(), again.outcome()), (game.hash(), game.ply(), game.outcome()));
        prop_assert_eq!(again.view(rules::Viewer::Spectator), game.view(rules::Viewer::Spectator));
    }
}

#[test]
fn go_handicap_stones_are_placements() {
    let file = b"(;SZ[9]HA[2]KM[0.5]AB[gc][cg];W[ee])";
    let record = sgf::parse(file).unwrap();
    let wanted = [act(Side::First, "G7"), act(Side::First, "C3"), act(Side::Second, "E5")];
    assert_eq!(record.acts, wanted);
    assert_eq!(record.rule_set.options["handicap"], "2");
    stays(&record);
    assert!(sgf::print(&record).contains("KM[0.5]HA[2]RU[Chinese]AB[gc][cg]\n;W[ee])"));
}

#[test]
fn go_stones_set_up_are_a_position() {
    let record = sgf::parse(b"(;SZ[5]AB[aa][bb]AW[cc];AE[bb]AB[dd:ee];W[ba])").unwrap();
    assert_eq!(record.rule_set.options["setup"], "x..../...../..o../...xx/...xx w");
    stays(&record);
    assert!(sgf::parse(b"(;SZ[5];B[aa];AW[bb])").is_err());
    assert!(sgf::parse(b"(;SZ[5]AB[aa]AW[ab][ba])").is_err());
}

#[test]
fn go_what_sgf_has_no_word_for_is_kept_privately() {
    let mut record = sgf::parse(b"(;SZ[9];B[ee];W[];B[])").unwrap();
    record.acts.extend([
        act(Side::Second, "dead -"),
        act(Side::First, "reject"),
        act(Side::Second, "void E5"),
        act(Side::First, "claim"),
        act(Side::First, "accept E5"),
        act(Side::First, "nonsense ]"),
    ]);
    let printed = sgf::print(&record);
    assert!(printed.contains(";SHA[W dead -];SHA[B reject];W[]SHA[W void E5];SHA[B claim];SHA[B accept E5]"));
    stays(&record);
}

#[test]
fn go_other_programs_read_the_usual_properties() {
    let record = sgf::parse(b"(;SZ[9]KM[5.5]RE[W+0.5]PB[a];B[ee];W[ce])").unwrap();
    let printed = sgf::print(&record);
    let wanted = "(;GM[1]FF[4]CA[UTF-8]AP[Shoutan]SZ[9]KM[5.5]RU[Chinese]PB[a]RE[W+0.5]\n;B[ee];W[ce])\n";
    assert_eq!(printed.replace("RE[W+0.5]PB[a]", "PB[a]RE[W+0.5]"), wanted);
}

#[test]
fn go_hostile_files_are_bounded() {
    assert!(sgf::parse("(;".repeat(MAX_BYTES).as_bytes()).is_err());
    assert!(sgf::parse(format!("(;{})", ";".repeat(MAX_NODES)).as_bytes()).is_err());
    assert!(sgf::parse(format!("(;AB{})", "[aa:ss]".repeat(1000)).as_bytes()).is_err());
    assert!(sgf::parse(format!("(;C[{}])", "\\".repeat(1001)).as_bytes()).is_err());
    let long = format!("(;C{};B[aa])", "[x]".repeat(100_000));
    assert_eq!(sgf::parse(long.as_bytes()).map(|record| record.acts.len()), Ok(1));
    for file in
        ["(;SZ[4])", "(;SZ[9:13])", "(;GM[2])", "(;B[zz])", "(;B[t\u{e9}])", "(;KM[7.3])", "(;SZ[9];B[jj])"]
    {
        assert!(sgf::parse(file.as_bytes()).is_err(), "{file}");
    }
    assert_eq!(VARIANT.side_of(StoneColour::Black), Side::First);
}

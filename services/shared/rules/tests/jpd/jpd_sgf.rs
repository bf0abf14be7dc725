//! Records: whatever comes in, nothing breaks and nothing is lost.

use proptest::prelude::*;
use rules::{
    Act, Game, Record, RuleSet,
    jpd::{JpdGame, VARIANT, sgf},
};

use crate::dice::Dice;

/// Pieces from which files are put together that are often right and seldom sensible.
const PIECES: [&str; 32] = [
    "(",
    ")",
    ";",
    "(;",
    "B[dd]",
    "W[]",
    "B[tt]",
    "W[]SHA[W virtual]",
    ";B[]SHA[B virtual]",
    "SHA[B virtual]",
    "SHA[W Virtual]",
    "SZ[9]",
    "SZ[5:5]",
    "SZ[26]",
    "KM[7.5]",
    "KM[2.75]",
    "KM[650]",
    "HA[2]",
    "AB[aa][bb]",
    "AW[cc:dd]",
    "PL[W]",
    "RU[Ji Ping Dian]",
    "RU[Chinese]",
    "RE[B+3.5]",
    "RE[0]",
    "RE[W+R]",
    "SHA[B dead - black C3]",
    "SHA[W accept dead -]",
    "SHR[literal][size=9][a=b]",
    "SHR[][size=7]",
    "SHO[repetition]",
    "SHH[x=y]",
];

fn stays(record: &Record) {
    let printed = sgf::print(record);
    let again = sgf::parse(printed.as_bytes());
    assert_eq!(again.as_ref(), Ok(record), "{printed}");
    assert_eq!(sgf::print(record), printed);
}

proptest! {
    #[test]
    fn jpd_any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(record) = sgf::parse(&bytes) {
            stays(&record);
        }
    }

    #[test]
    fn jpd_any_pieces_are_read_or_refused(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24)) {
        for file in [pieces.concat(), format!("(;{})", pieces.concat())] {
            if let Ok(record) = sgf::parse(file.as_bytes()) {
                prop_assert_eq!(record.variant, "jpd");
                stays(&record);
            }
        }
    }

    /// Whatever is played, the record of it is read back the same and leads to the same position.
    #[test]
    fn jpd_played_games_read_back(seed: u64, turns in 1usize..120, named in 0usize..2) {
        let rule_set = RuleSet::named(VARIANT.rule_sets[named].id).with("size", "5");
        let mut game = JpdGame::new(&rule_set).expect("the rule set is right");
        let mut dice = Dice(seed);
        let mut acts = Vec::new();
        for _ in 0..turns {
            let Some(side) = game.on_clock() else { break };
            let mut texts: Vec<String> = game.hints(side).into_iter().map(|hint| hint.text).collect();
            texts.extend(["virtual", "pass"].map(String::from));
            if game.position().agreement().is_some() {
                texts.extend(["dead C3 black A1", "dead - shared A1,E5 white B2"].map(String::from));
            }
            let text = texts[dice.below(texts.len())].clone();
            if let Ok(played) = game.play(side, &text) {
                acts.push(Act::by(side, played.text));
            }
        }
        let record = Record {
            variant: "jpd",
            rule_set,
            headings: vec![("first".into(), "甲".into()), ("app".into(), "a=b\n]".into())],
            acts,
            outcome: game.outcome().cloned(),
        };
        stays(&record);
        stays(&Record { rule_set: game.rule_set().clone(), ..record.clone() });
        let read = sgf::parse(sgf::print(&record).as_bytes()).expect("what was written can be read");
        let mut again = JpdGame::new(&read.rule_set).expect("the rule set is right");
        for act in &read.acts {
            prop_assert_eq!(&again.act(act.author, &act.text).expect("it was legal").text, &act.text);
        }
        prop_assert_eq!(again.hash(), game.hash());
    }
}

#[test]
fn jpd_a_virtual_move_is_an_empty_move_to_others() {
    let text = "(;GM[1]FF[4]CA[UTF-8]AP[Shoutan]SZ[9]KM[0]RU[Ji Ping Dian]\n;B[ee];W[]SHA[W virtual];B[];W[];SHA[W dead -];SHA[B accept dead -])\n";
    let record = sgf::parse(text.as_bytes()).unwrap();
    let acts: Vec<_> = record.acts.iter().map(|act| &*act.text).collect();
    assert_eq!(acts, ["E5", "virtual", "pass", "pass", "dead -", "accept dead -"]);
    assert_eq!(record.rule_set.id, "jipingdian");
    assert_eq!(record.rule_set.options["komi"], "0");
    assert_eq!(record.heading("rules"), None);
    assert_eq!(sgf::print(&record), text);
    // To Go itself the same file is a game with an act it does not know.
    let go = rules::go::sgf::parse(text.as_bytes()).unwrap();
    assert_eq!(
        (go.variant, go.acts[1].text.as_str(), go.heading("rules")),
        ("go", "virtual", Some("Ji Ping Dian"))
    );
}

#[test]
fn jpd_komi_and_stones_are_read_from_the_root() {
    let record = sgf::parse(b"(;SZ[5]KM[-6.5]HA[2]AB[aa][bb]AW[cc];W[dd])").unwrap();
    assert_eq!(record.rule_set.options["komi"], "-6.5");
    assert_eq!(record.rule_set.options["setup"], "x..../.x.../..o../...../..... w");
    assert!(!record.rule_set.options.contains_key("handicap"));
    assert!(JpdGame::new(&record.rule_set).is_ok());
}

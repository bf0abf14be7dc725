//! Records: nothing is lost, nothing breaks, and nothing can be changed unseen.

use proptest::prelude::*;
use rules::{
    Act, Author, Game as _, Record, RuleSet, Side,
    tianyi::{TianyiGame, VARIANT, VerifyError, sgf, verify},
};

use crate::{dice::Dice, play::Table};

/// Pieces from which files are put together that are often right and seldom sensible.
const PIECES: [&str; 30] = [
    "(",
    ")",
    ";",
    "(;",
    "B[dd]",
    "W[]",
    "W[aa]",
    "SZ[9]",
    "SZ[5]",
    "KM[0]",
    "KM[-2]",
    "AB[dd]",
    "AW[bb]",
    "PL[W]",
    "PB[a\\]b]",
    "PW[c]",
    "BR[9d]",
    "RU[Japanese]",
    "RE[W+]",
    "RE[B+3]",
    "RE[0]",
    "SHO[score]",
    "SHA[1 propose B B2 W D4]",
    "SHA[1 propose B B2 W D4][2 accept][1 bid 1][2 bid 0]",
    "SHA[H expire]",
    "SHA[x]",
    "SHR[design][size=5]",
    "SHR[tianyi2014][size=5]",
    "SHH[x=y]",
    "SHB[first 1][second 0]",
];

fn stays(record: &Record) {
    let printed = sgf::print(record);
    let again = sgf::parse(printed.as_bytes());
    assert_eq!(again.as_ref(), Ok(record), "{printed}");
    assert_eq!(sgf::print(record), printed);
}

proptest! {
    #[test]
    fn tianyi_any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(record) = sgf::parse(&bytes) {
            stays(&record);
        }
    }

    #[test]
    fn tianyi_any_pieces_are_read_or_refused(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24)) {
        for file in [pieces.concat(), format!("(;SHR[design][size=5]{})", pieces.concat())] {
            if let Ok(record) = sgf::parse(file.as_bytes()) {
                stays(&record);
            }
        }
    }

    #[test]
    fn tianyi_played_games_stay_whole(seed: u64, rules in 0usize..4, acts in 0usize..300, stage in 0usize..3) {
        let rule_set = RuleSet::named(VARIANT.rule_sets[rules].id)
            .with("size", "5")
            .with("stage", ["league", "knockout", "final"][stage]);
        let mut table = Table::new(&rule_set);
        let mut dice = Dice(seed);
        for _ in 0..acts {
            if !table.step(&mut dice) {
                break;
            }
        }
        let record = table.record();
        stays(&record);
        let read = sgf::parse(sgf::print(&record).as_bytes()).expect("readable");
        let draws = verify(&read).expect("it was played");
        let position = {
            let mut game = TianyiGame::new(&record.rule_set).expect("right");
            for act in &record.acts {
                game.act(act.author, &act.text).expect("legal");
            }
            game.position().clone()
        };
        prop_assert_eq!(&draws[..], position.proofs());
        stays(&record.without_sealed(&table.game.sealed()));
    }

    /// One act changed, dropped or doubled in what leads to the first move is found, by the reader or by
    /// [`verify`], unless it is still a game that follows from its own acts in every stone.
    #[test]
    fn tianyi_a_changed_draw_is_found(seed: u64, place in 0usize..1000, letter in 0u8..16) {
        let mut table = Table::new(&RuleSet::named("tianyi2014").with("size", "9"));
        let mut dice = Dice(seed);
        while table.game.phase() == "placement" {
            table.step(&mut dice);
        }
        let printed = sgf::print(&table.record());
        let start = printed.find("SHD").expect("a draw");
        let digits: Vec<usize> = printed
            .char_indices()
            .filter(|(at, char)| *at > start && char.is_ascii_hexdigit() && char.is_ascii_lowercase() | char.is_ascii_digit())
            .map(|(at, _)| at)
            .collect();
        let at = digits[place % digits.len()];
        let new = char::from_digit(u32::from(letter), 16).expect("a digit");
        let mut changed = printed.clone();
        changed.replace_range(at..=at, new.encode_utf8(&mut [0; 4]));
        prop_assume!(changed != printed);
        let found = sgf::parse(changed.as_bytes()).map_err(|_| ()).and_then(|record| verify(&record).map_err(|_| ()));
        prop_assert!(found.is_err(), "{}", changed);
    }
}

#[test]
fn tianyi_a_record_says_everything_in_the_colours_of_the_board() {
    let acts = [
        (Side::First, "propose B E5 W C3"),
        (Side::Second, "accept B E5 W C3"),
        (Side::First, "bid 2.5"),
        (Side::Second, "bid -2"),
        (Side::First, "G7"),
        (Side::Second, "pass"),
        (Side::First, "pass"),
        (Side::Second, "dead E5"),
        (Side::First, "accept E5"),
    ];
    let acts: Vec<Act> = acts.into_iter().map(|(side, text)| Act::by(side, text)).collect();
    let rule_set = RuleSet::named("design").with("size", "9");
    let mut game = TianyiGame::new(&rule_set).expect("right");
    for act in &acts {
        game.act(act.author, &act.text).expect("legal");
    }
    let headings = [("first", "Yi"), ("second", "Qiu"), ("second-rank", "3d"), ("event", "spring")];
    let headings = headings.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let outcome = game.outcome().cloned();
    let record = Record { variant: "tianyi", rule_set, headings, acts, outcome };
    let file = sgf::print(&record);
    let wanted = "(;GM[1]FF[4]CA[UTF-8]AP[Shoutan]SZ[9]RU[Tianyi 2014]PW[Yi]PB[Qiu]BR[3d]EV[spring]RE[W+74]\
        SHR[design][size=9]SHB[first 2.5][second -2]KM[-5]AB[ee]AW[cg]PL[W]\n\
        SHA[1 propose B E5 W C3][2 accept B E5 W C3][1 bid 2.5][2 bid -2]\n\
        ;W[gc];B[];W[];SHA[2 dead E5];SHA[1 accept E5])\n";
    assert_eq!(file, wanted);
    stays(&record);
    assert_eq!(verify(&record), Ok(vec![]));
    for (from, to) in [
        ("KM[-5]", "KM[-6]"),
        ("KM[-5]", "KM[-5]KM[-5]"),
        ("AB[ee]", "AB[ef]"),
        ("AB[ee]", "AB[ee][aa]"),
        ("AB[ee]", "AW[ee]"),
        ("PL[W]", "PL[B]"),
        ("first 2.5", "first 3"),
        ("1 bid 2.5", "1 bid 3"),
        ("SZ[9]", "SZ[13]"),
    ] {
        assert!(file.contains(from));
        assert!(sgf::parse(file.replacen(from, to, 1).as_bytes()).is_err(), "{to}");
    }
    // What other programs may do to a file.
    for (from, to) in [
        ("KM[-5]", "KM[-5.0]"),
        ("KM[-5]", ""),
        ("PL[W]", ""),
        ("AB[ee]", ""),
        ("SHB[first 2.5][second -2]", ""),
    ] {
        assert_eq!(sgf::parse(file.replacen(from, to, 1).as_bytes()).as_ref(), Ok(&record), "{to}");
    }
    let mut other = record.clone();
    other.outcome = None;
    assert_eq!(verify(&other), Ok(vec![]));
    other.acts[4].text = "E5".into();
    assert!(matches!(verify(&other), Err(VerifyError::Act(5, refusal)) if refusal.reason == "OCCUPIED"));
    other = record.clone();
    other.outcome =
        record.outcome.clone().map(|outcome| rules::Outcome { verdict: rules::Verdict::Draw, ..outcome });
    assert_eq!(verify(&other), Err(VerifyError::Outcome));
    other.acts.insert(0, Act::by(Author::System, "expire"));
    assert!(matches!(verify(&other), Err(VerifyError::Act(1, refusal)) if refusal.reason == "NOTHING_DUE"));
}

#[test]
fn tianyi_moves_need_colours() {
    let fault = sgf::parse(b"(;GM[1]FF[4]SZ[9]\n;B[ee])").expect_err("no colours");
    assert_eq!((fault.line, &*fault.detail), (2, "a move before the colours are settled"));
    assert!(sgf::parse(b"(;SZ[9]AB[ee])").is_err(), "stones that no draw explains");
}

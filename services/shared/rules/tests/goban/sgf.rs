//! Records of the games on a Go board: whatever comes in, nothing breaks, nothing is lost, and nothing can be changed
//! unseen.

use proptest::prelude::*;
use rules::{
    Act, Author, Game, Record, RecordError, RuleSet, Side, StoneColour, Variant, Viewer, go,
    goban::sgf::{MAX_BYTES, MAX_NODES},
    jpd,
    tianyi::{self, TianyiGame, VerifyError, verify},
};

use crate::{dice::Dice, play::Table};

/// A variant as its records go.
struct Dialect {
    variant: &'static Variant,
    parse: fn(&[u8]) -> Result<Record, RecordError>,
    print: fn(&Record) -> String,
    /// What a file of pieces begins with, so that games begin at all.
    root: &'static str,
    /// Pieces from which files are put together that are often right and seldom sensible, beside [`PIECES`].
    pieces: &'static [&'static str],
    /// Acts that are tried besides those that are listed: always, and where the players talk.
    acts: [&'static [&'static str]; 2],
}

/// Pieces that mean something in every game.
const PIECES: [&str; 10] = ["(", ")", ";", "(;", "B[dd]", "W[]", "SZ[9]", "PL[W]", "RE[0]", "SHH[x=y]"];

const GO: Dialect = Dialect {
    variant: &go::VARIANT,
    parse: go::sgf::parse,
    print: go::sgf::print,
    root: "(;",
    pieces: &[
        "B[tt]",
        "W[aa]",
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
        "PB[a\\]b]",
        "RU[Japanese]",
        "RE[B+3.5]",
        "RE[W+R]",
        "RE[x]",
        "SHA[B dead -]",
        "SHA[W accept]",
        "SHA[x]",
        "SHR[psk][size=9][a=b]",
        "SHO[repetition]",
        "SHH[first=z]",
        "SHR[simple][size=5][handicap=2][setup=...../...../...../...../..... w]",
        "SHR[][size=9][handicap=3]",
        "B[ab]",
        "C[(;]",
        "GC[one\ntwo]",
    ],
    acts: [&[], &["A1", "C3", "E5", "dead C3", "dead A1,B2"]],
};

const JPD: Dialect = Dialect {
    variant: &jpd::VARIANT,
    parse: jpd::sgf::parse,
    print: jpd::sgf::print,
    root: "(;",
    pieces: &[
        "B[tt]",
        "W[]SHA[W virtual]",
        ";B[]SHA[B virtual]",
        "SHA[B virtual]",
        "SHA[W Virtual]",
        "SZ[5:5]",
        "SZ[26]",
        "KM[7.5]",
        "KM[2.75]",
        "KM[650]",
        "HA[2]",
        "AB[aa][bb]",
        "AW[cc:dd]",
        "RU[Ji Ping Dian]",
        "RU[Chinese]",
        "RE[B+3.5]",
        "RE[W+R]",
        "SHA[B dead - black C3]",
        "SHA[W accept dead -]",
        "SHR[literal][size=9][a=b]",
        "SHR[][size=7]",
        "SHO[repetition]",
    ],
    acts: [&["virtual", "pass"], &["dead C3 black A1", "dead - shared A1,E5 white B2"]],
};

const TIANYI: Dialect = Dialect {
    variant: &tianyi::VARIANT,
    parse: tianyi::sgf::parse,
    print: tianyi::sgf::print,
    root: "(;SHR[design][size=5]",
    pieces: &[
        "W[aa]",
        "SZ[5]",
        "KM[0]",
        "KM[-2]",
        "AB[dd]",
        "AW[bb]",
        "PB[a\\]b]",
        "PW[c]",
        "BR[9d]",
        "RU[Japanese]",
        "RE[W+]",
        "RE[B+3]",
        "SHO[score]",
        "SHA[1 propose B B2 W D4]",
        "SHA[1 propose B B2 W D4][2 accept][1 bid 1][2 bid 0]",
        "SHA[H expire]",
        "SHA[x]",
        "SHR[design][size=5]",
        "SHR[tianyi2014][size=5]",
        "SHB[first 1][second 0]",
    ],
    acts: [&[]; 2],
};

const DIALECTS: [Dialect; 3] = [GO, JPD, TIANYI];

impl Dialect {
    fn stays(&self, record: &Record) {
        let printed = (self.print)(record);
        let again = (self.parse)(printed.as_bytes());
        assert_eq!(again.as_ref(), Ok(record), "{printed}");
        assert_eq!((self.print)(record), printed);
    }

    /// A file is refused, or its record stays as it is.
    fn reads_or_refuses(&self, file: &[u8]) {
        if let Ok(record) = (self.parse)(file) {
            assert_eq!(record.variant, self.variant.id);
            self.stays(&record);
        }
    }

    /// Whatever is played, the record of it is read back the same and leads to the same position.
    fn played_games_read_back(&self, rule_set: RuleSet, mut dice: Dice, turns: u32) {
        let start = |rule_set: &RuleSet| (self.variant.start)(rule_set).expect("the rule set is right");
        let mut game = start(&rule_set);
        let void = rule_set.options.get("illegal_move").is_some_and(|value| value == "void_pass");
        let mut acts = Vec::new();
        for _ in 0..turns {
            let Some(side) = game.on_clock() else { break };
            let mut texts: Vec<String> = game.hints(side).into_iter().map(|hint| hint.text).collect();
            let [always, talking] = self.acts;
            let talking = if void || game.phase() == "agreement" { talking } else { &[] };
            texts.extend(always.iter().chain(talking).copied().map(String::from));
            let text = texts[dice.below(texts.len())].clone();
            if let Ok(played) = game.play(side, &text) {
                acts.push(Act::by(side, played.text));
            }
        }
        let headings = vec![("first".into(), "甲".into()), ("app".into(), "a=b\n]".into())];
        let outcome = game.outcome().cloned();
        let record = Record { variant: self.variant.id, rule_set, headings, acts, outcome };
        self.stays(&record);
        self.stays(&Record { rule_set: game.rule_set().clone(), ..record.clone() });
        let read = (self.parse)((self.print)(&record).as_bytes()).expect("what was written can be read");
        let mut again = start(&read.rule_set);
        for act in &read.acts {
            let played = again.act(act.author, &act.text).expect("it was played before");
            assert_eq!(played.text, act.text);
        }
        assert_eq!((again.hash(), again.ply(), again.outcome()), (game.hash(), game.ply(), game.outcome()));
        assert_eq!(again.view(Viewer::Spectator), game.view(Viewer::Spectator));
    }
}

fn act(side: Side, text: &str) -> Act {
    Act::by(side, text)
}

/// The record of a game played by dice, as it stands.
fn record_of(table: &Table) -> Record {
    let (outcome, rule_set) = (table.game.outcome().cloned(), table.game.rule_set().clone());
    let headings = vec![("first".to_owned(), "Yi".to_owned()), ("second".to_owned(), "Qiu".to_owned())];
    Record { variant: tianyi::VARIANT.id, rule_set, headings, acts: table.acts.clone(), outcome }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for dialect in &DIALECTS {
            dialect.reads_or_refuses(&bytes);
        }
    }

    #[test]
    fn any_pieces_are_read_or_refused(chosen in prop::collection::vec(any::<prop::sample::Index>(), 0..24)) {
        for dialect in &DIALECTS {
            let all = [&PIECES, dialect.pieces].concat();
            let file: String = chosen.iter().map(|index| *index.get(&all)).collect();
            dialect.reads_or_refuses(file.as_bytes());
            dialect.reads_or_refuses(format!("{}{file})", dialect.root).as_bytes());
        }
    }

    #[test]
    fn broken_files_are_read_or_refused(cut in 0usize..2000, at in 0usize..2000, byte: u8) {
        let file = include_bytes!("../golden/go/gnugo_19x19_00.sgf");
        let mut bytes = file[..file.len().min(cut)].to_vec();
        if let Some(place) = bytes.get_mut(at) {
            *place = byte;
        }
        for dialect in &DIALECTS {
            dialect.reads_or_refuses(&bytes);
        }
    }

    #[test]
    fn go_played_games_read_back(seed: u64, turns in 1u32..120, void: bool, handicap in 0u8..4, named in 0usize..4) {
        let rule_set = RuleSet::named(go::VARIANT.rule_sets[named].id)
            .with("size", "5")
            .with("handicap", &handicap.to_string())
            .with("long_cycle", "arbiter")
            .with("illegal_move", if void { "void_pass" } else { "reject" });
        GO.played_games_read_back(rule_set, Dice(seed), turns);
    }

    #[test]
    fn jpd_played_games_read_back(seed: u64, turns in 1u32..120, named in 0usize..2) {
        let rule_set = RuleSet::named(jpd::VARIANT.rule_sets[named].id).with("size", "5");
        JPD.played_games_read_back(rule_set, Dice(seed), turns);
    }

    #[test]
    fn tianyi_played_games_stay_whole(seed: u64, rules in 0usize..4, acts in 0usize..300, stage in 0usize..3) {
        let rule_set = RuleSet::named(tianyi::VARIANT.rule_sets[rules].id)
            .with("size", "5")
            .with("stage", ["league", "knockout", "final"][stage]);
        let mut table = Table::new(&rule_set);
        let mut dice = Dice(seed);
        for _ in 0..acts {
            if !table.step(&mut dice) {
                break;
            }
        }
        let record = record_of(&table);
        TIANYI.stays(&record);
        let read = tianyi::sgf::parse(tianyi::sgf::print(&record).as_bytes()).expect("readable");
        let draws = verify(&read).expect("it was played");
        let position = {
            let mut game = TianyiGame::new(&record.rule_set).expect("right");
            for act in &record.acts {
                game.act(act.author, &act.text).expect("legal");
            }
            game.position().clone()
        };
        prop_assert_eq!(&draws[..], position.proofs());
        TIANYI.stays(&record.without_sealed(&table.game.sealed()));
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
        let printed = tianyi::sgf::print(&record_of(&table));
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
        let found = tianyi::sgf::parse(changed.as_bytes()).map_err(|_| ()).and_then(|record| verify(&record).map_err(|_| ()));
        prop_assert!(found.is_err(), "{}", changed);
    }
}

#[test]
fn go_handicap_stones_are_placements() {
    let file = b"(;SZ[9]HA[2]KM[0.5]AB[gc][cg];W[ee])";
    let record = go::sgf::parse(file).unwrap();
    let wanted = [act(Side::First, "G7"), act(Side::First, "C3"), act(Side::Second, "E5")];
    assert_eq!(record.acts, wanted);
    assert_eq!(record.rule_set.options["handicap"], "2");
    GO.stays(&record);
    assert!(go::sgf::print(&record).contains("KM[0.5]HA[2]RU[Chinese]AB[gc][cg]\n;W[ee])"));
}

#[test]
fn go_stones_set_up_are_a_position() {
    let record = go::sgf::parse(b"(;SZ[5]AB[aa][bb]AW[cc];AE[bb]AB[dd:ee];W[ba])").unwrap();
    assert_eq!(record.rule_set.options["setup"], "x..../...../..o../...xx/...xx w");
    GO.stays(&record);
    assert!(go::sgf::parse(b"(;SZ[5];B[aa];AW[bb])").is_err());
    assert!(go::sgf::parse(b"(;SZ[5]AB[aa]AW[ab][ba])").is_err());
}

#[test]
fn go_what_sgf_has_no_word_for_is_kept_privately() {
    let mut record = go::sgf::parse(b"(;SZ[9];B[ee];W[];B[])").unwrap();
    record.acts.extend([
        act(Side::Second, "dead -"),
        act(Side::First, "reject"),
        act(Side::Second, "void E5"),
        act(Side::First, "claim"),
        act(Side::First, "accept E5"),
        act(Side::First, "nonsense ]"),
    ]);
    let printed = go::sgf::print(&record);
    assert!(printed.contains(";SHA[W dead -];SHA[B reject];W[]SHA[W void E5];SHA[B claim];SHA[B accept E5]"));
    GO.stays(&record);
}

#[test]
fn go_other_programs_read_the_usual_properties() {
    let record = go::sgf::parse(b"(;SZ[9]KM[5.5]RE[W+0.5]PB[a];B[ee];W[ce])").unwrap();
    let printed = go::sgf::print(&record);
    let wanted = "(;GM[1]FF[4]CA[UTF-8]AP[Shoutan]SZ[9]KM[5.5]RU[Chinese]PB[a]RE[W+0.5]\n;B[ee];W[ce])\n";
    assert_eq!(printed.replace("RE[W+0.5]PB[a]", "PB[a]RE[W+0.5]"), wanted);
}

#[test]
fn go_hostile_files_are_bounded() {
    assert!(go::sgf::parse("(;".repeat(MAX_BYTES).as_bytes()).is_err());
    assert!(go::sgf::parse(format!("(;{})", ";".repeat(MAX_NODES)).as_bytes()).is_err());
    assert!(go::sgf::parse(format!("(;AB{})", "[aa:ss]".repeat(1000)).as_bytes()).is_err());
    assert!(go::sgf::parse(format!("(;C[{}])", "\\".repeat(1001)).as_bytes()).is_err());
    let long = format!("(;C{};B[aa])", "[x]".repeat(100_000));
    assert_eq!(go::sgf::parse(long.as_bytes()).map(|record| record.acts.len()), Ok(1));
    for file in
        ["(;SZ[4])", "(;SZ[9:13])", "(;GM[2])", "(;B[zz])", "(;B[t\u{e9}])", "(;KM[7.3])", "(;SZ[9];B[jj])"]
    {
        assert!(go::sgf::parse(file.as_bytes()).is_err(), "{file}");
    }
    assert_eq!(go::VARIANT.side_of(StoneColour::Black), Side::First);
}

#[test]
fn jpd_a_virtual_move_is_an_empty_move_to_others() {
    let text = "(;GM[1]FF[4]CA[UTF-8]AP[Shoutan]SZ[9]KM[0]RU[Ji Ping Dian]\n;B[ee];W[]SHA[W virtual];B[];W[];SHA[W dead -];SHA[B accept dead -])\n";
    let record = jpd::sgf::parse(text.as_bytes()).unwrap();
    let acts: Vec<_> = record.acts.iter().map(|act| &*act.text).collect();
    assert_eq!(acts, ["E5", "virtual", "pass", "pass", "dead -", "accept dead -"]);
    assert_eq!(record.rule_set.id, "jipingdian");
    assert_eq!(record.rule_set.options["komi"], "0");
    assert_eq!(record.heading("rules"), None);
    assert_eq!(jpd::sgf::print(&record), text);
    // To Go itself the same file is a game with an act it does not know.
    let go = go::sgf::parse(text.as_bytes()).unwrap();
    assert_eq!(
        (go.variant, go.acts[1].text.as_str(), go.heading("rules")),
        ("go", "virtual", Some("Ji Ping Dian"))
    );
}

#[test]
fn jpd_komi_and_stones_are_read_from_the_root() {
    let record = jpd::sgf::parse(b"(;SZ[5]KM[-6.5]HA[2]AB[aa][bb]AW[cc];W[dd])").unwrap();
    assert_eq!(record.rule_set.options["komi"], "-6.5");
    assert_eq!(record.rule_set.options["setup"], "x..../.x.../..o../...../..... w");
    assert!(!record.rule_set.options.contains_key("handicap"));
    assert!((jpd::VARIANT.start)(&record.rule_set).is_ok());
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
    let file = tianyi::sgf::print(&record);
    let wanted = "(;GM[1]FF[4]CA[UTF-8]AP[Shoutan]SZ[9]RU[Tianyi 2014]PW[Yi]PB[Qiu]BR[3d]EV[spring]RE[W+74]\
        SHR[design][size=9]SHB[first 2.5][second -2]KM[-5]AB[ee]AW[cg]PL[W]\n\
        SHA[1 propose B E5 W C3][2 accept B E5 W C3][1 bid 2.5][2 bid -2]\n\
        ;W[gc];B[];W[];SHA[2 dead E5];SHA[1 accept E5])\n";
    assert_eq!(file, wanted);
    TIANYI.stays(&record);
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
        assert!(tianyi::sgf::parse(file.replacen(from, to, 1).as_bytes()).is_err(), "{to}");
    }
    // What other programs may do to a file.
    for (from, to) in [
        ("KM[-5]", "KM[-5.0]"),
        ("KM[-5]", ""),
        ("PL[W]", ""),
        ("AB[ee]", ""),
        ("SHB[first 2.5][second -2]", ""),
    ] {
        assert_eq!(tianyi::sgf::parse(file.replacen(from, to, 1).as_bytes()).as_ref(), Ok(&record), "{to}");
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
    let fault = tianyi::sgf::parse(b"(;GM[1]FF[4]SZ[9]\n;B[ee])").expect_err("no colours");
    assert_eq!((fault.line, &*fault.detail), (2, "a move before the colours are settled"));
    assert!(tianyi::sgf::parse(b"(;SZ[9]AB[ee])").is_err(), "stones that no draw explains");
}

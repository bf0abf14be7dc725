//! The laws of the fuzz targets, on stable: over their committed corpora, and over what proptest makes up.

#[path = "../../fuzz/src/laws.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets reach them from a crate of their own")]
mod laws;

use std::path::Path;

use proptest::prelude::*;

#[test]
fn the_corpora_break_no_law() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, law) in laws::LAWS {
        let entries = std::fs::read_dir(folder.join(name)).expect("every law has a corpus");
        let mut count = 0;
        for entry in entries {
            law(&std::fs::read(entry.expect("an entry").path()).expect("it can be read"));
            count += 1;
        }
        assert!(count > 0, "the corpus of {name} is empty");
    }
}

#[test]
fn every_law_has_a_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    for (name, _) in laws::LAWS {
        let target = folder.join("fuzz_targets").join(name).with_extension("rs");
        let text = std::fs::read_to_string(&target).expect("a target");
        assert!(text.contains(&format!("laws::{name}(bytes)")), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
    let targets = std::fs::read_dir(folder.join("fuzz_targets")).expect("targets").count();
    assert_eq!(targets, laws::LAWS.len(), "a target without a law");
}

/// Files as long as they may be, of the shapes that cost a careless reader time or stack, are read or refused. A
/// reader whose time grew with the square of the length would not come back from them.
#[test]
fn the_longest_files_of_every_shape_are_read() {
    const BYTES: usize = 1 << 20;
    for shape in
        ["(", "(;", "(;B[aa]", ";", "[", "\\", "(;C[", "A1:", "1:", "B1: ", "W1: G7\n", "#", "# a: b\n"]
    {
        laws::record_takes_any_bytes(shape.repeat(BYTES / shape.len()).as_bytes());
        let closed = format!("(;{})", shape.repeat(BYTES / shape.len()));
        laws::record_takes_any_bytes(closed.as_bytes());
    }
    for shape in ["to-move: B\n", "board:\n", "(;B[aa])\n", "===\n", "board: ./\n", "pass\n"] {
        laws::record_takes_any_bytes(shape.repeat(BYTES / shape.len()).as_bytes());
    }
    for shape in ["\n", "#", "1 ", "play pass\n", "show\n", "moves all\n"] {
        laws::engine_takes_any_bytes(shape.repeat(2000).as_bytes());
    }
}

/// Words of all the languages at once.
fn scrambled() -> impl Strategy<Value = Vec<u8>> {
    let word = prop::sample::select(vec![
        "play ",
        "new ",
        "undo\n",
        "moves all\n",
        "moves\n",
        "perft 2\n",
        "show\n",
        "status\n",
        "score\n",
        "record\n",
        "position ",
        "to-move: B",
        "to-move: W",
        ";",
        " board: ",
        ".x.o./",
        "...../",
        "\n",
        "size=5",
        " rules=psk",
        "B ",
        "W ",
        "A1",
        "C3",
        "H8",
        "G7",
        "G7→H8",
        "->",
        " FC-",
        " TC-",
        "pass",
        "dead -",
        "accept",
        "reject",
        "# ",
        "B1: ",
        "W2: ",
        "=",
        "(;",
        ")",
        "B[aa]",
        "W[]",
        "SZ[5]",
        "AB[aa:cc]",
        "RE[B+R]",
        "KM[7.5]",
        "HA[2]",
        "SHA[B ",
        "]",
        "genmove b\n",
        "boardsize 5\n",
        "fixed_handicap 2\n",
        "play b C3\n",
        "undo\n",
        "komi 5\n",
        "final_score\n",
        "loadsgf ",
        "check ",
        "\u{0}",
        "\t",
        "9999999999",
        "-1",
    ]);
    prop::collection::vec(word, 0..60).prop_map(|words| words.concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_law_is_broken_by_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        for (_, law) in laws::LAWS {
            law(&bytes);
        }
    }

    #[test]
    fn no_law_is_broken_by_scrambled_words(first in any::<u8>(), words in scrambled()) {
        let bytes: Vec<u8> = [first].into_iter().chain(words).collect();
        for (_, law) in laws::LAWS {
            law(&bytes);
            law(&bytes[1..]);
        }
    }
}

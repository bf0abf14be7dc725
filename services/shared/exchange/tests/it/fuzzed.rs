//! The laws of the fuzz targets, on stable: over their committed corpus, over what proptest makes of it, and over anything.

#[path = "../../fuzz/src/laws.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets reach them from a crate of their own")]
mod laws;

use exchange::{Format, LineUp, Player, Round, Team, Tournament};
pub(crate) use laws::classless;
use pairing::Number;
use proptest::prelude::*;

fn corpus() -> Vec<Vec<u8>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/read");
    let files = std::fs::read_dir(folder).expect("the corpus is there");
    files.map(|file| std::fs::read(file.expect("a file").path()).expect("it can be read")).collect()
}

#[test]
fn the_corpus_keeps_the_laws_of_formats() {
    let corpus = corpus();
    for format in Format::ALL {
        let read = corpus.iter().filter(|bytes| format.read(bytes).is_ok()).count();
        assert!(read > 0, "{} has a file", format.name());
    }
    for bytes in &corpus {
        laws::read(bytes);
    }
}

#[test]
fn what_made_the_laws_fail_once_keeps_them() {
    // A walkover, a bye of a round to come, and a colour without a game.
    let head = "001    1      A                                                                  0.0    1  ";
    for tail in ["0000 - +", "0000 - F", "   2 - +", "   2 w  "] {
        laws::read(format!("{head}{tail}\n001    2      B\n").as_bytes());
    }
    laws::read(b"number,native_name\n1,''=x\n");
    laws::read("number,last_name\n1,王\n".as_bytes());
    // A team that has nobody, but for whom it had in one round.
    let mut event = Tournament { players: [1, 2].map(Player::new).to_vec(), ..Tournament::default() };
    event.header.white_boards = vec![true, false];
    event.teams = vec![Team { number: 1, name: "One".to_owned(), players: Vec::new() }];
    let line_ups = vec![LineUp { team: 1, players: vec![Some(Number(2)), None] }];
    event.rounds = vec![Round { line_ups, ..Round::default() }, Round::default()];
    laws::comes_back(&event);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// A file of the corpus in which something stands at another place, or is cut out.
    #[test]
    fn what_is_made_of_the_corpus_keeps_them(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_usize..30), 0..6),
    ) {
        let mut bytes = file.get(&corpus()).clone();
        for (at, byte, cut) in changes {
            let at = at.index(bytes.len());
            bytes.drain(at..(at + cut).min(bytes.len()));
            bytes.insert(at, byte);
        }
        laws::read(&bytes);
    }

    /// Fields and lines exchanged, as an editor or a script would.
    #[test]
    fn lines_in_another_order_keep_them(
        file in any::<prop::sample::Index>(),
        swaps in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..5),
    ) {
        let bytes = file.get(&corpus()).clone();
        let mut lines: Vec<&[u8]> = bytes.split(|it| *it == b'\n').collect();
        for (one, other) in swaps {
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            lines.swap(one, other);
        }
        laws::read(&lines.join(&b'\n'));
    }

    #[test]
    fn any_bytes_keep_them(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        laws::read(&bytes);
    }

    #[test]
    fn any_text_keeps_them(text in "(001|142|number,last_name|<Tournament>|;EV\\[|1 A B 3d X Y)?\\PC{0,80}\n?\\PC{0,80}") {
        laws::read(text.as_bytes());
    }
}

//! The laws of the fuzz targets, on stable: over their committed corpus, and over what proptest makes of it.

#[path = "../../fuzz/src/laws.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets reach them from a crate of their own")]
mod laws;

use proptest::prelude::*;

fn corpus() -> Vec<Vec<u8>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/trf");
    let files = std::fs::read_dir(folder).expect("the corpus is there");
    files.map(|file| std::fs::read(file.expect("a file").path()).expect("it can be read")).collect()
}

#[test]
fn the_corpus_keeps_the_law_of_reports() {
    let corpus = corpus();
    assert!(corpus.len() > 5, "the corpus has files");
    let read = corpus.iter().filter(|bytes| pairing::trf::Report::read(bytes).is_ok()).count();
    assert!(read > 5, "most of them are reports");
    for bytes in &corpus {
        laws::trf(bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A file of the corpus in which something stands at another place, or is cut out.
    #[test]
    fn what_is_made_of_the_corpus_keeps_it(
        file: prop::sample::Index,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0usize..30), 0..6),
    ) {
        let mut bytes = file.get(&corpus()).clone();
        for (at, byte, cut) in changes {
            let at = at.index(bytes.len());
            bytes.drain(at..(at + cut).min(bytes.len()));
            bytes.insert(at, byte);
        }
        laws::trf(&bytes);
    }
}

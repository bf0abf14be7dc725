//! Records in files.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail, ensure};
use rules::{Record, Variant};

use crate::commands::{regular_file, variants};

/// No record of any variant is longer.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// Which file, and how to read it.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct RecordFile {
    #[arg(help = variants::record_help())]
    file: PathBuf,
    #[arg(long, help = variants::help("The variant, if the file does not tell"))]
    variant: Option<String>,
    /// The placement of a Jiu record that holds only the movement. Without it, STEM-placement.txt beside the
    /// record is taken.
    #[arg(long)]
    placement: Option<PathBuf>,
}

/// A record that was read.
#[derive(Debug)]
pub(super) struct Loaded {
    /// Its variant.
    pub variant: &'static Variant,
    /// The record, its placement included.
    pub record: Record,
    /// Its text in the variant's own form.
    pub text: String,
    /// The file that the placement came from, if it was another.
    pub placement: Option<PathBuf>,
}

impl RecordFile {
    /// The name of the file, for messages.
    pub(super) fn name(&self) -> String {
        self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy().into_owned()
    }

    /// Reads it.
    ///
    /// # Errors
    /// When a file or its variant cannot be read, or a placement is missing.
    pub(super) fn load(&self) -> anyhow::Result<Loaded> {
        // Without a fitting name the file need not be read.
        self.variant("")?;
        let text = read(&self.file)?;
        let variant = self.variant(&text)?;
        let record = parse(variant, &text, &self.file)?;
        let Some(halves) = variant.record_halves.filter(|halves| (halves.lacks_opening)(&record)) else {
            ensure!(self.placement.is_none(), "{} needs no placement", self.file.display());
            return Ok(Loaded { variant, record, text, placement: None });
        };
        let beside = placement_beside(&self.file);
        let file = self.placement.clone().or_else(|| beside.clone().filter(|file| file.is_file()));
        let Some(file) = file else {
            let place = beside.map_or(String::new(), |file| format!(", or put it at {}", file.display()));
            bail!(
                "{} holds only the movement: name its placement with --placement{place}",
                self.file.display()
            );
        };
        let placement = parse(variant, &read(&file)?, &file)?;
        let record = (halves.join)(&placement, &record)
            .with_context(|| format!("joining {} and {}", file.display(), self.file.display()))?;
        let text = (variant.print_record)(&record);
        Ok(Loaded { variant, record, text, placement: Some(file) })
    }

    fn variant(&self, text: &str) -> anyhow::Result<&'static Variant> {
        if let Some(id) = &self.variant {
            return variants::named(id);
        }
        guess_variant(&self.file, text).with_context(|| {
            format!("{} has no ending that tells its game: name it with --variant", self.file.display())
        })
    }
}

/// The variant of a record, by its ending and what it says of its rules.
fn guess_variant(file: &Path, text: &str) -> Option<&'static Variant> {
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    rules::variant_of_record(&ending, text)
}

/// Where the placement of a record stands that has only the movement.
fn placement_beside(file: &Path) -> Option<PathBuf> {
    Some(file.with_file_name(format!("{}-placement.txt", file.file_stem()?.to_str()?)))
}

/// The text of a file; bytes that are not UTF-8, as in headings of old files, are replaced.
fn read(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    regular_file::open(file)
        .and_then(|opened| opened.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes))
        .with_context(|| format!("reading {}", file.display()))?;
    ensure!(bytes.len() as u64 <= FILE_BYTES_MAX, "{} is longer than any record", file.display());
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn parse(variant: &Variant, text: &str, file: &Path) -> anyhow::Result<Record> {
    (variant.parse_record)(text)
        .with_context(|| format!("{} is no record of {}", file.display(), variant.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/rules/tests/golden");

    fn record(name: &str) -> RecordFile {
        RecordFile { file: Path::new(GOLDEN).join(name), variant: None, placement: None }
    }

    #[test]
    fn endings_tell_the_variant() {
        let guess = |name: &str| guess_variant(Path::new(name), "(;FF[4])").map(|variant| variant.id);
        assert_eq!(guess("a/b.sgf"), Some("go"));
        assert_eq!(guess("b.jirige"), Some("jirige"));
        assert_eq!(guess("B.SGF"), Some("go"));
        assert_eq!(guess("b.txt"), Some("jiu"));
        assert_eq!(guess("b.jiu"), Some("jiu"));
        for unknown in ["b", "b.pgn", ".sgf", "sgf"] {
            assert_eq!(guess(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn a_movement_gets_the_placement_beside_it() {
        let loaded = record("jiu/jiu-awang-renqing.txt").load().expect("both halves are there");
        let placement = loaded.placement.expect("another file");
        assert!(placement.ends_with("jiu-awang-renqing-placement.txt"));
        assert!(loaded.record.acts.len() > 196);
        assert_eq!((loaded.variant.parse_record)(&loaded.text).as_ref(), Ok(&loaded.record));
    }

    #[test]
    fn a_whole_record_takes_no_placement() {
        let whole = record("jiu/awang-renqing.txt");
        assert_eq!(whole.load().expect("a whole record").placement, None);
        let too_much = RecordFile { placement: Some(whole.file.clone()), ..whole };
        assert!(too_much.load().is_err());
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let error = |file: RecordFile| format!("{:#}", file.load().expect_err("it cannot be read"));
        assert!(error(record("jiu/none.txt")).contains("reading"));
        assert!(error(record("jiu")).contains("--variant"));
        let wrong = RecordFile { variant: Some("halma".to_owned()), ..record("jiu/awang-renqing.txt") };
        assert!(error(wrong).starts_with("there is no variant halma"));
        let wrong = RecordFile { variant: Some("jiu".to_owned()), ..record("go/gnugo_19x19_00.sgf") };
        assert!(error(wrong).contains("is no record of Tibetan Jiu: line 1"));
    }
}

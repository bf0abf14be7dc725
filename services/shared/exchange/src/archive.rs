//! Archives of the games of a round or a season, as zip: the same games make the same bytes on every machine.
//!
//! Archives are written only. Who sends one is asked to unpack it ([`crate::Fault::Packed`]), so that no file can swell.

use std::{
    collections::BTreeMap,
    io::{Cursor, Write as _},
};

use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

use crate::{
    Place, Refusal, WriteError,
    limits::{ARCHIVE_BYTES_MAX, ARCHIVE_FILES_MAX, ARCHIVE_NAME_BYTES_MAX},
};

/// How hard it is tried to make files small: as most programs do.
const LEVEL: i64 = 6;

/// Who may read and write the files when they are unpacked.
const PERMISSIONS: u32 = 0o644;

/// An archive of files, in the order of their names and with the oldest time that archives have.
///
/// Names are parts joined by `/`, in any script; none may lead out of the folder in which the archive is unpacked.
///
/// ```
/// let games = || [("round-1/2.sgf", b"(;GM[1])".as_slice()), ("round-1/1.sgf", b"(;GM[1]B[aa])")];
/// let archive = exchange::archive::archive(games())?;
/// assert_eq!(archive, exchange::archive::archive(games().into_iter().rev())?);
/// assert!(exchange::archive::archive([("../1.sgf", b"".as_slice())]).is_err());
/// # Ok::<(), exchange::WriteError>(())
/// ```
pub fn archive<N: AsRef<str>, B: AsRef<[u8]>>(
    files: impl IntoIterator<Item = (N, B)>,
) -> Result<Vec<u8>, WriteError> {
    let refused = |refusal, what: &str| WriteError::new(refusal, Place::Event, what);
    let (mut sorted, mut bytes) = (BTreeMap::new(), 0);
    for (name, content) in files {
        let name = name.as_ref().to_owned();
        bytes += content.as_ref().len();
        if bytes > ARCHIVE_BYTES_MAX || sorted.len() == ARCHIVE_FILES_MAX {
            return Err(refused(Refusal::TooMuch, &name));
        }
        if !is_name(&name) || sorted.contains_key(&name) {
            return Err(refused(Refusal::FileName, &name));
        }
        sorted.insert(name, content);
    }
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(LEVEL))
        .last_modified_time(DateTime::default())
        .unix_permissions(PERMISSIONS);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in &sorted {
        let written = writer.start_file(name.as_str(), options).map_err(std::io::Error::other);
        let written = written.and_then(|()| writer.write_all(content.as_ref()));
        written.map_err(|it| refused(Refusal::Format, &it.to_string()))?;
    }
    let finished = writer.finish().map_err(|it| refused(Refusal::Format, &it.to_string()))?;
    Ok(finished.into_inner())
}

/// Whether a file can have this name wherever it is unpacked.
fn is_name(name: &str) -> bool {
    let part = |it: &str| !it.is_empty() && it != "." && it != ".." && it.trim() == it && !it.ends_with('.');
    let sign = |it: char| it.is_control() || matches!(it, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    name.len() <= ARCHIVE_NAME_BYTES_MAX && !name.contains(sign) && name.split('/').all(part)
}

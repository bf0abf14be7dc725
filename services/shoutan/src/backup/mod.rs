//! Backups: one file with all that a platform keeps, as it was at one moment.
//!
//! A first line says what it is; then comes, sealed where that was asked for and compressed in any case, a tar archive: what is in it
//! (`manifest.json`), then the files of each database, in the order in which they are named there.

mod sealed;

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    path::Path,
};

use anyhow::{Context as _, bail, ensure};
use chassis::database::cut::{Part, digest};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde::{Deserialize, Serialize};

use sealed::{Opening, Sealing};

pub(crate) use sealed::HEAD_BYTES;

/// How a backup begins that anybody can read, and how one that takes a password.
const BEGINS: [&str; 2] = ["shoutan backup 1 plain\n", "shoutan backup 1 sealed\n"];
/// The first file of the archive.
const MANIFEST: &str = "manifest.json";
/// No manifest is longer: some hundred bytes for each of a hundred tables.
const MANIFEST_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// What is in a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The version of the platform that made it.
    pub version: String,
    /// The moment of which it is (RFC 3339).
    pub taken: String,
    /// The databases.
    pub databases: Vec<Copied>,
}

/// A database in a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Copied {
    /// The services that keep in it, with the steps of their schemas that were taken.
    pub services: Vec<Kept>,
    /// Its files.
    pub parts: Vec<Part>,
}

/// What of a service was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The service.
    pub service: String,
    /// The steps of its schema.
    pub steps: Vec<String>,
}

impl Manifest {
    /// All files, each with the number of its database.
    fn parts(&self) -> impl Iterator<Item = (usize, &Part)> {
        self.databases
            .iter()
            .enumerate()
            .flat_map(|(number, database)| database.parts.iter().map(move |part| (number, part)))
    }

    /// How many bytes all files have.
    pub(crate) fn bytes(&self) -> u64 {
        self.parts().map(|(_, part)| part.bytes).sum()
    }
}

/// The folder of a database among the files of a backup.
pub(crate) fn folder_of(folder: &Path, number: usize) -> std::path::PathBuf {
    folder.join(number.to_string())
}

/// Whether a name can be that of a file: nobody leaves the folder by it.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_plain) && name.len() <= 128
}

/// Writes the files of a folder and what they are as a backup; with a password it is sealed, with chance from `head`. `written` is told
/// how many bytes more are in it.
///
/// # Errors
/// When something cannot be read or written.
pub(crate) fn pack(
    to: impl Write,
    folder: &Path,
    manifest: &Manifest,
    sealed: Option<(&str, &[u8; HEAD_BYTES])>,
    written: impl Fn(u64),
) -> anyhow::Result<()> {
    let mut to = BufWriter::new(to);
    to.write_all(BEGINS[usize::from(sealed.is_some())].as_bytes())?;
    let mut to = match sealed {
        None => pack_into(to, folder, manifest, written)?,
        Some((password, head)) => {
            pack_into(Sealing::new(to, password, head)?, folder, manifest, written)?.finish()?
        }
    };
    Ok(to.flush()?)
}

fn pack_into<W: Write>(
    to: W,
    folder: &Path,
    manifest: &Manifest,
    written: impl Fn(u64),
) -> anyhow::Result<W> {
    let mut archive = tar::Builder::new(GzEncoder::new(to, Compression::fast()));
    let text = serde_json::to_vec_pretty(manifest)?;
    append(&mut archive, MANIFEST, text.len() as u64, &*text)?;
    for (number, part) in manifest.parts() {
        let file = File::open(folder_of(folder, number).join(&part.file))?;
        append(&mut archive, &format!("{number}/{}", part.file), part.bytes, file)?;
        written(part.bytes);
    }
    Ok(archive.into_inner()?.finish()?)
}

fn append(archive: &mut tar::Builder<impl Write>, name: &str, bytes: u64, from: impl Read) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes);
    header.set_mode(0o600);
    archive.append_data(&mut header, name, from)
}

/// Whether a backup takes a password.
///
/// # Errors
/// When it is none.
fn is_sealed(from: &mut impl BufRead) -> anyhow::Result<bool> {
    let mut line = Vec::new();
    from.take(BEGINS[1].len() as u64).read_until(b'\n', &mut line)?;
    let known = BEGINS.iter().position(|begins| begins.as_bytes() == line);
    known.map(|known| known == 1).context("this is no backup of a platform, or one of a later version")
}

/// Reads a backup into an empty folder, and holds every file to what the backup says of it. `read` is told how many bytes more are there.
///
/// # Errors
/// When it is no backup, is damaged, or takes another password.
pub(crate) fn unpack(
    from: impl Read,
    folder: &Path,
    password: impl FnOnce() -> anyhow::Result<String>,
    read: impl Fn(u64),
) -> anyhow::Result<Manifest> {
    let mut from = BufReader::new(from);
    if is_sealed(&mut from)? {
        let password = password()?;
        unpack_from(Opening::new(from, &password)?, folder, read)
    } else {
        unpack_from(from, folder, read)
    }
}

fn unpack_from(from: impl Read, folder: &Path, read: impl Fn(u64)) -> anyhow::Result<Manifest> {
    let mut archive = tar::Archive::new(GzDecoder::new(from));
    let mut entries = archive.entries()?;
    let first = entries.next().context("the backup is empty")?.context("reading the backup")?;
    ensure!(first.path_bytes() == MANIFEST.as_bytes(), "the backup does not begin with what is in it");
    let mut text = Vec::new();
    first.take(MANIFEST_BYTES_MAX).read_to_end(&mut text).context("reading the backup")?;
    let manifest: Manifest = serde_json::from_slice(&text).context("what is in the backup cannot be read")?;
    for (number, part) in manifest.parts() {
        ensure!(is_name(&part.file), "the backup has a file whose name is none");
        let entry = entries.next().context("the backup is cut short")?.context("reading the backup")?;
        let name = format!("{number}/{}", part.file);
        ensure!(entry.path_bytes() == name.as_bytes(), "the backup has other files than it says");
        let target = folder_of(folder, number);
        fs::create_dir_all(&target)?;
        let path = target.join(&part.file);
        let mut file = File::create_new(&path)?;
        io::copy(&mut entry.take(part.bytes.saturating_add(1)), &mut file).context("reading the backup")?;
        file.sync_all()?;
        if digest(File::open(&path)?)? != (part.sha256.clone(), part.bytes) {
            bail!("{name} of the backup is not as it was written");
        }
        read(part.bytes);
    }
    // Also what stands behind the last file is read: there the seal of the whole is.
    ensure!(entries.next().is_none(), "the backup has other files than it says");
    let mut rest = archive.into_inner();
    io::copy(&mut rest, &mut io::sink()).context("reading the backup")?;
    io::copy(&mut rest.into_inner(), &mut io::sink()).context("reading the backup")?;
    Ok(manifest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: [u8; HEAD_BYTES] = [1; HEAD_BYTES];

    /// A folder with files, and what they are.
    fn scene() -> (tempfile::TempDir, Manifest) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut databases = Vec::new();
        for (number, files) in
            [vec![("database.sqlite", vec![1_u8; 200_000])], vec![("a.rows", vec![]), ("b.rows", vec![2])]]
                .into_iter()
                .enumerate()
        {
            fs::create_dir(folder_of(folder.path(), number)).expect("made");
            let part = |(file, bytes): (&str, Vec<u8>)| {
                fs::write(folder_of(folder.path(), number).join(file), &bytes).expect("written");
                let (sha256, bytes) = digest(&*bytes).expect("read");
                Part { file: file.to_owned(), bytes, sha256, table: None }
            };
            let services = vec![Kept { service: "game".to_owned(), steps: vec!["m1".to_owned()] }];
            databases.push(Copied { services, parts: files.into_iter().map(part).collect() });
        }
        let taken = "2026-11-28T00:00:00Z".to_owned();
        (folder, Manifest { version: "1".to_owned(), taken, databases })
    }

    fn packed(folder: &Path, manifest: &Manifest, password: Option<&str>) -> Vec<u8> {
        let mut backup = Vec::new();
        let sealed = password.map(|password| (password, &HEAD));
        pack(&mut backup, folder, manifest, sealed, |_| {}).expect("it is written");
        backup
    }

    fn unpacked(backup: &[u8], password: &str) -> anyhow::Result<Manifest> {
        let folder = tempfile::tempdir().expect("a folder");
        let manifest = unpack(backup, folder.path(), || Ok(password.to_owned()), |_| {})?;
        for (number, part) in manifest.parts() {
            let bytes = fs::read(folder_of(folder.path(), number).join(&part.file))?;
            assert_eq!(bytes.len() as u64, part.bytes);
        }
        Ok(manifest)
    }

    #[test]
    fn what_was_packed_is_unpacked_as_it_was() {
        let (folder, manifest) = scene();
        for password in [None, Some("secret")] {
            let backup = packed(folder.path(), &manifest, password);
            assert_eq!(unpacked(&backup, "secret").expect("it is read"), manifest);
        }
        let sealed = packed(folder.path(), &manifest, Some("secret"));
        let refused = unpacked(&sealed, "another").expect_err("it is another");
        assert!(format!("{refused:#}").contains("the password is another one"), "{refused:#}");
    }

    #[test]
    fn a_damaged_backup_is_refused_wherever_it_is_damaged() {
        let (folder, manifest) = scene();
        for password in [None, Some("secret")] {
            let whole = packed(folder.path(), &manifest, password);
            // A try at a password is dear by design.
            let step = if password.is_some() { whole.len() / 12 } else { 7 };
            for at in (0..whole.len()).step_by(step) {
                let mut bad = whole.clone();
                bad[at] ^= 0x10;
                // Some bits of what is compressed say nothing; whatever they are, what is read is what was written.
                if let Ok(read) = unpacked(&bad, "secret") {
                    assert!(password.is_none() && read == manifest, "{at}");
                }
                assert!(unpacked(&whole[..at], "secret").is_err(), "cut at {at}");
            }
        }
    }

    #[test]
    fn nobody_leaves_the_folder_by_a_name() {
        for name in ["", ".", "..", "../x", "a/b", "/etc/passwd", "a\0", "\u{e9}"] {
            assert!(!is_name(name), "{name:?}");
            let (folder, mut manifest) = scene();
            manifest.databases[0].parts[0].file = name.to_owned();
            let text = serde_json::to_vec(&manifest).expect("it is written");
            let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
            append(&mut archive, MANIFEST, text.len() as u64, &*text).expect("it is written");
            let backup =
                [BEGINS[0].as_bytes(), &archive.into_inner().and_then(GzEncoder::finish).expect("whole")]
                    .concat();
            let refused = unpacked(&backup, "").expect_err("it is no name");
            assert!(refused.to_string().contains("whose name is none"), "{refused:#}");
            drop(folder);
        }
    }
}

//! The file of a database: whose it is, and who else may look at it.

use std::{
    collections::BTreeMap,
    fs::{self, File, Permissions, TryLockError},
    io::{self, Read as _, Seek as _, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::{Arc, Weak},
};

use parking_lot::Mutex;
/// For the owner alone.
const OWN_FILE: u32 = 0o600;

/// The claim of a serving process to a file; it ends with the process, however that ends.
#[derive(Debug)]
pub(super) struct Hold {
    /// Locked as long as it is open.
    _lock: File,
}

/// Why a file is not held.
#[derive(Debug, thiserror::Error)]
pub(super) enum HoldError {
    #[error(
        "{file} is served by {holder} already, and a SQLite file belongs to one process: stop that one first"
    )]
    Held { file: String, holder: String },
    #[error("{file} cannot be held: {error}")]
    Io { file: String, error: io::Error },
}

impl HoldError {
    pub(super) fn of(file: &Path, error: io::Error) -> Self {
        HoldError::Io { file: file.display().to_string(), error }
    }
}

/// What this process holds: all services in one may share a file.
static HELD: Mutex<BTreeMap<PathBuf, Weak<Hold>>> = Mutex::new(BTreeMap::new());

/// Makes the file if it is missing, and sees to it that nobody but its owner may read it, nor what SQLite keeps beside
/// it: that has passwords' hashes and signing keys in it.
pub(super) fn make_private(file: &Path) -> io::Result<()> {
    fs::OpenOptions::new().append(true).create(true).mode(OWN_FILE).open(file)?;
    for suffix in ["", "-wal", "-shm"] {
        let mut path = file.as_os_str().to_owned();
        path.push(suffix);
        match fs::metadata(&path) {
            Ok(there) if there.permissions().mode() & 0o077 != 0 => {
                fs::set_permissions(&path, Permissions::from_mode(OWN_FILE))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Holds a file for this process. The lock is on a file beside it, for SQLite has locks of its own on this one.
pub(super) fn hold(file: &Path) -> Result<Arc<Hold>, HoldError> {
    let failed = |error| HoldError::of(file, error);
    // Whatever way leads to it, it is one file.
    let file_itself = file.canonicalize().map_err(failed)?;
    let mut ours = HELD.lock();
    if let Some(hold) = ours.get(&file_itself).and_then(Weak::upgrade) {
        return Ok(hold);
    }
    let mut beside = file_itself.clone().into_os_string();
    beside.push(".lock");
    let mut lock = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(OWN_FILE)
        .open(&beside)
        .map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            // Whoever has only just taken it may not have written his id yet.
            let known = lock.read_to_string(&mut holder).is_ok() && !holder.trim().is_empty();
            let holder =
                if known { format!("process {}", holder.trim()) } else { "another process".to_owned() };
            return Err(HoldError::Held { file: file.display().to_string(), holder });
        }
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    let write_id = |lock: &mut File| {
        lock.set_len(0)?;
        lock.rewind()?;
        writeln!(lock, "{}", std::process::id())
    };
    write_id(&mut lock).map_err(failed)?;
    let hold = Arc::new(Hold { _lock: lock });
    ours.insert(file_itself, Arc::downgrade(&hold));
    Ok(hold)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::{hold, make_private};

    #[test]
    fn a_file_and_what_is_beside_it_are_its_owners_alone() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("game.db");
        std::fs::write(&file, "").expect("it can be written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("it can be changed");
        make_private(&file).expect("it is made private");
        let new = folder.path().join("new.db");
        make_private(&new).expect("it is made");
        for file in [file, new] {
            let mode = std::fs::metadata(&file).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn one_process_holds_a_file_as_often_as_it_likes() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("all.db");
        make_private(&file).expect("it is made");
        let first = hold(&file).expect("it is free");
        let second = hold(&folder.path().join(".").join("all.db")).expect("it is held by us");
        assert!(std::sync::Arc::ptr_eq(&first, &second));
    }
}

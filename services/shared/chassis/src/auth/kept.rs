//! The keys of tokens as a process keeps them on disk: so that it knows its players after a restart during which
//! identity is silent.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::jwt::VerifyingKeys;

/// The largest file that is read: a key has some hundred bytes, and identity lists a handful.
const BYTES_MAX: u64 = 64 * 1024;

/// Keys as they were fetched. They are public; what matters is that nobody else writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeySet {
    /// When they were fetched, in seconds since the epoch.
    pub(super) fetched_s: i64,
    /// The id of each key, and the key as it is listed.
    pub(super) keys: Vec<(String, String)>,
}

/// Where keys are kept.
#[derive(Clone, Debug)]
pub(super) struct Shelf(PathBuf);

impl KeySet {
    /// The keys with which to verify. A malformed one is left out.
    pub(super) fn verifying(&self) -> VerifyingKeys {
        let mut keys = VerifyingKeys::new();
        for (kid, x) in &self.keys {
            if keys.insert_encoded(kid, x).is_err() {
                tracing::warn!(kid, "a malformed key of tokens is ignored");
            }
        }
        keys
    }
}

impl Shelf {
    /// A shelf that is this file.
    pub(super) fn new(path: &Path) -> Self {
        Shelf(path.to_owned())
    }

    /// What lies there; nothing when there is nothing, or nothing that can be read.
    pub(super) fn load(&self) -> Option<KeySet> {
        let read = || -> io::Result<KeySet> {
            if fs::metadata(&self.0)?.len() > BYTES_MAX {
                return Err(io::Error::other("the file is too large"));
            }
            serde_json::from_slice(&fs::read(&self.0)?).map_err(io::Error::other)
        };
        match read() {
            Ok(keys) => Some(keys),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!(%error, "the keys of tokens that were kept cannot be read");
                None
            }
        }
    }

    /// Puts keys there, in place of what lay there before: whole or not at all.
    pub(super) fn save(&self, keys: &KeySet) -> io::Result<()> {
        if let Some(folder) = self.0.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        let draft = self.0.with_extension("new");
        let mut file: File =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
        file.write_all(&serde_json::to_vec(keys)?)?;
        file.sync_all()?;
        fs::rename(draft, &self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn keys_are_found_again_and_rubbish_is_not_taken_for_keys() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data").join("keys.json");
        let shelf = Shelf::new(&path);
        assert_eq!(shelf.load(), None);
        let keys = KeySet { fetched_s: 7, keys: vec![("a".to_owned(), "b".to_owned())] };
        shelf.save(&keys).expect("it can be written");
        assert_eq!(shelf.load(), Some(keys));
        let rights =
            fs::metadata(path.parent().expect("a folder")).expect("it is there").permissions().mode();
        assert_eq!(rights & 0o777, 0o700, "what else is put there is its owner's, too");
        fs::write(&path, "{\"fetched_s\": 7, \"keys\"").expect("it can be written");
        assert_eq!(shelf.load(), None);
    }
}

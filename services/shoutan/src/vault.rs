//! The key with which secrets are sealed in the databases: given in a file or in the environment, or made in the data
//! folder.

use std::{
    fs,
    io::{ErrorKind, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};
use chassis::{
    Env, Vault,
    vault::{KEY_BYTES, key_text},
};
use clap::Args;

/// The file of the key in the data folder, when no other is named.
const FILE: &str = "key";
/// What stands above the keys of a file that is made.
const HEAD: &str = "# Seals what is secret in the databases; the first key seals, the others still open. Keep it apart from\n\
                    # the databases' backups. Without it the platform does not start: put it back from where it is kept.\n";

/// Where the key is that seals secrets in the databases.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Secrets")]
pub struct KeyArgs {
    /// A file with the key that seals what is secret in the databases: one key a line, the first seals, the others
    /// still open. Every process of a platform has the same. Made as `key` in the data folder when neither this nor
    /// SHOUTAN_KEY is given.
    #[arg(long, global = true, env = "SHOUTAN_KEY_FILE")]
    pub key_file: Option<PathBuf>,
    /// The key itself, or several with commas between them. Not on the command line, where others could read it.
    #[arg(long = "key", global = true, env = "SHOUTAN_KEY", hide_env_values = true, hide = true)]
    pub key: Option<String>,
}

impl KeyArgs {
    /// The vault of these keys; a key is made in the data folder if none is named.
    ///
    /// # Errors
    /// When a key is malformed, or the file can be read by others or not at all.
    pub fn vault(&self, data: &Path, env: &Env) -> anyhow::Result<Vault> {
        if let (None, Some(keys)) = (&self.key_file, &self.key) {
            return Vault::of_text(keys).context("reading SHOUTAN_KEY");
        }
        let file = self.file(data);
        if self.key_file.is_none() {
            make(&file, env).with_context(|| format!("making {}", file.display()))?;
        }
        guard(&file)?;
        Vault::of_file(file.clone()).with_context(|| format!("reading the keys of {}", file.display()))
    }

    /// The vault of these keys as it is, for who only looks; none when a key is still to be made in the data folder.
    ///
    /// # Errors
    /// As [`KeyArgs::vault`].
    pub fn known(&self, data: &Path, env: &Env) -> anyhow::Result<Option<Vault>> {
        let is_to_be_made = self.key_file.is_none() && self.key.is_none() && !fs::exists(self.file(data))?;
        if is_to_be_made { Ok(None) } else { self.vault(data, env).map(Some) }
    }

    /// The file of the keys, unless they are in the environment.
    pub fn file(&self, data: &Path) -> PathBuf {
        self.key_file.clone().unwrap_or_else(|| data.join(FILE))
    }

    /// Puts a new key before those of the file.
    ///
    /// # Errors
    /// When the keys are in the environment, or the file cannot be written.
    pub fn renew(&self, data: &Path, env: &Env) -> anyhow::Result<PathBuf> {
        ensure!(
            self.key.is_none() || self.key_file.is_some(),
            "the keys are in SHOUTAN_KEY: put a new one before them, start every process with it, then `keys reseal`"
        );
        let file = self.file(data);
        guard(&file)?;
        let known = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
        let known: String =
            known.lines().filter(|line| !line.starts_with('#')).flat_map(|line| [line, "\n"]).collect();
        let text = format!("{HEAD}{}\n{known}", key_text(&env.bytes::<KEY_BYTES>()));
        Vault::of_text(&text).with_context(|| {
            format!(
                "{} is left as it is: take out keys of whose time there is no backup, after `keys reseal`",
                file.display()
            )
        })?;
        // Whole or not at all, whoever reads it meanwhile and whatever happens.
        let next = file.with_extension("next");
        write(&next, &text)?;
        fs::rename(&next, &file).with_context(|| format!("replacing {}", file.display()))?;
        Ok(file)
    }
}

/// Makes a file with a key, unless there is one; of several processes that do it at once, one does.
fn make(file: &Path, env: &Env) -> anyhow::Result<()> {
    if fs::exists(file)? {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let own = file.with_extension(env.uuid().simple().to_string());
    write(&own, &format!("{HEAD}{}\n", key_text(&env.bytes::<KEY_BYTES>())))?;
    let linked = fs::hard_link(&own, file);
    fs::remove_file(&own)?;
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    let mut options = fs::OpenOptions::new();
    let opened = options.write(true).create(true).truncate(true).mode(0o600).open(file);
    let mut opened = opened.with_context(|| format!("making {}", file.display()))?;
    opened.write_all(text.as_bytes())?;
    opened.sync_all()?;
    Ok(())
}

/// Refuses a file that others can read.
fn guard(file: &Path) -> anyhow::Result<()> {
    let mode =
        fs::metadata(file).with_context(|| format!("looking at {}", file.display()))?.permissions().mode();
    let others = mode & 0o077;
    ensure!(others == 0, "{} can be read by others; `chmod 600` it", file.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> KeyArgs {
        KeyArgs { key_file: None, key: None }
    }

    #[test]
    fn a_key_is_made_once_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let (data, env) = (folder.path().join("data"), Env::system());
        assert!(none().known(&data, &env).expect("is looked for").is_none() && !data.exists(), "only looked");
        let made = none().vault(&data, &env).expect("is made");
        let file = data.join(FILE);
        let rights = |path: &Path| fs::metadata(path).expect("is there").permissions().mode() & 0o777;
        assert_eq!((rights(&file), rights(&data)), (0o600, 0o700));
        let known = none().known(&data, &env).expect("is read").expect("is there");
        assert_eq!(known.key_id(), made.key_id());
        assert_eq!(none().vault(&data, &env).expect("is read").key_id(), made.key_id());
        assert_eq!(fs::read_dir(&data).expect("lists").count(), 1, "nothing else is left");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("is changed");
        let error = none().vault(&data, &env).expect_err("others can read it");
        assert!(error.to_string().contains("chmod 600"), "{error}");
    }

    #[test]
    fn a_new_key_seals_and_the_old_one_still_opens() {
        let folder = tempfile::tempdir().expect("a folder");
        let env = Env::system();
        let running = none().vault(folder.path(), &env).expect("is made");
        let old = running.seal("here", b"secret");
        none().renew(folder.path(), &env).expect("renews");
        let renewed = none().vault(folder.path(), &env).expect("is read");
        assert_ne!(renewed.key_id(), running.key_id());
        assert!(renewed.open("here", &old).is_ok());
        assert!(running.open("here", &renewed.seal("here", b"secret")).is_ok(), "a running process follows");
    }

    #[test]
    fn a_key_that_is_one_too_many_leaves_the_file_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let env = Env::system();
        none().vault(folder.path(), &env).expect("is made");
        let refused = std::iter::repeat_with(|| none().renew(folder.path(), &env)).take(20);
        let refused = refused.filter_map(Result::err).map(|error| format!("{error:#}")).collect::<Vec<_>>();
        assert!(!refused.is_empty() && refused.iter().all(|why| why.contains("1 to 16 keys")), "{refused:?}");
        let vault = none().vault(folder.path(), &env).expect("what was there can still be read");
        assert!(vault.is_current(&vault.seal("here", b"secret")));
    }

    #[test]
    fn keys_of_the_environment_need_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let key = Some(key_text(&[7; KEY_BYTES]));
        let given = KeyArgs { key_file: None, key };
        given.vault(folder.path(), &Env::system()).expect("is read");
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 0);
        assert!(given.renew(folder.path(), &Env::system()).is_err());
    }
}

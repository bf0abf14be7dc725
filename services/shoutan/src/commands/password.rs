//! Passwords that do not stand on the command line, where other users of the machine could read them.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

/// The variable of the environment that may hold the password.
pub(super) const VARIABLE: &str = "SHOUTAN_PASSWORD";

/// Longer files hold something else.
const FILE_BYTES_MAX: u64 = 4096;

/// Where the password is.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PasswordArg {
    /// A file with the password in its first line. Without it the password is taken from the environment
    /// variable SHOUTAN_PASSWORD.
    #[arg(long, global = true)]
    password_file: Option<PathBuf>,
}

impl PasswordArg {
    /// The password, if there is one.
    ///
    /// # Errors
    /// When the file cannot be read or holds none.
    pub(super) fn get(&self) -> anyhow::Result<Option<String>> {
        match &self.password_file {
            Some(file) => Ok(Some(first_line(file)?)),
            None => Ok(std::env::var(VARIABLE).ok().filter(|password| !password.is_empty())),
        }
    }
}

fn first_line(file: &Path) -> anyhow::Result<String> {
    let size = std::fs::metadata(file).with_context(|| format!("reading {}", file.display()))?.len();
    ensure!(size <= FILE_BYTES_MAX, "{} is too long to hold a password", file.display());
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let password = text.lines().next().unwrap_or_default().to_owned();
    ensure!(!password.is_empty(), "the first line of {} is empty", file.display());
    Ok(password)
}

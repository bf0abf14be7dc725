//! `shoutan reasons`: every reason for which a call is refused or fails.

use std::io::Write as _;

/// Prints the table.
pub(crate) fn run() -> anyhow::Result<()> {
    std::io::stdout().lock().write_all(crate::reasons::table().as_bytes())?;
    Ok(())
}

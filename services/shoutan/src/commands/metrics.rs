//! `shoutan metrics`: everything that is measured.

use std::io::Write as _;

/// Prints the table.
pub(crate) fn run() -> anyhow::Result<()> {
    std::io::stdout().lock().write_all(crate::measured::table().as_bytes())?;
    Ok(())
}

//! `shoutan limits`: every limit of the platform.

use std::io::Write as _;

/// Prints the table.
pub(crate) fn run() -> anyhow::Result<()> {
    std::io::stdout().lock().write_all(crate::limits::table().as_bytes())?;
    Ok(())
}

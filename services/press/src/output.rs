//! Where the PDF goes.

use std::{
    fs::File,
    io::{self, ErrorKind, IsTerminal as _, Write as _},
    path::Path,
};

use anyhow::Context as _;

/// Writes it to a file, or to standard output. A file that is there is kept, but by force.
pub(crate) fn write(pdf: &[u8], path: Option<&Path>, force: bool) -> anyhow::Result<()> {
    let Some(path) = path else {
        let mut out = io::stdout().lock();
        anyhow::ensure!(!out.is_terminal(), "a PDF is nothing to read: name an --output");
        out.write_all(pdf)?;
        return Ok(out.flush()?);
    };
    let file = if force { File::create(path) } else { File::create_new(path) };
    let mut file = match file {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            anyhow::bail!("{} is there; --force writes over it", path.display())
        }
        file => file.with_context(|| format!("writing {}", path.display()))?,
    };
    file.write_all(pdf).with_context(|| format!("writing {}", path.display()))?;
    Ok(file.sync_all()?)
}

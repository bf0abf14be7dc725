//! Files that end.

use std::{fs::File, io, path::Path};

/// Opens a file to read it to its end. A pipe is refused: nobody knows when it ends, or whether anybody writes to it
/// at all.
///
/// # Errors
/// It cannot be read, or is no regular file.
pub(crate) fn open(file: &Path) -> io::Result<File> {
    // Opening a pipe that nobody writes to waits for ever, so it is looked at first.
    if std::fs::metadata(file)?.is_file() {
        File::open(file)
    } else {
        Err(io::Error::other("this is no regular file"))
    }
}

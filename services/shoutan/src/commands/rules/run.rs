//! The loop over standard input and output. A reader who goes away ends it, which is no error.

use std::io::{ErrorKind, Read as _, Write as _};

use anyhow::Context as _;
use rules::engine::{Host, Line, Lines, Session};

use super::json::Talk;

/// How much is read at once.
const CHUNK_BYTES: usize = 1 << 16;

/// Runs a session of text.
///
/// # Errors
/// When standard input cannot be read, or standard output cannot be written for another reason than that nobody
/// reads it.
pub(super) fn text(mut session: Session, host: &mut dyn Host) -> anyhow::Result<()> {
    let mut out = String::new();
    over_input(|bytes| {
        out.clear();
        match bytes {
            Some(bytes) => session.feed(bytes, host, &mut out),
            None => session.finish(host, &mut out),
        }
        Ok((write(&out)?, session.has_ended()))
    })
}

/// Runs a session of JSON lines.
///
/// # Errors
/// As [`text`].
pub(super) fn json(mut talk: Talk, host: &mut dyn Host) -> anyhow::Result<()> {
    let mut lines = Lines::default();
    over_input(|bytes| {
        let mut out = String::new();
        let answer = |line: Line| {
            talk.line(&line, host, &mut out);
            !talk.has_ended()
        };
        match bytes {
            Some(bytes) => lines.feed(bytes, answer),
            None => drop(lines.finish().map(answer)),
        }
        Ok((write(&out)?, talk.has_ended()))
    })
}

/// Gives every chunk of standard input to `step`, and `None` at its end, until it says that nobody reads or that
/// all is said.
fn over_input(mut step: impl FnMut(Option<&[u8]>) -> anyhow::Result<(bool, bool)>) -> anyhow::Result<()> {
    let mut input = std::io::stdin().lock();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let count = match input.read(&mut chunk) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error).context("reading standard input"),
        };
        let (heard, ended) = step((count > 0).then(|| &chunk[..count]))?;
        if !heard || ended || count == 0 {
            return Ok(());
        }
    }
}

/// Writes and flushes; `false` when nobody reads any more.
fn write(text: &str) -> anyhow::Result<bool> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).context("writing standard output"),
    }
}

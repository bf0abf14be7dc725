//! Standard output: lines, and drawings that replace each other.

use std::{
    borrow::Cow,
    fmt::Display,
    io::{IsTerminal as _, Write as _},
};

use anstream::{AutoStream, ColorChoice, adapter::strip_str};
use crossterm::{
    QueueableCommand as _,
    cursor::{MoveToColumn, MoveUp},
    terminal::{Clear, ClearType},
};

/// Writes a line.
///
/// # Errors
/// When nobody reads it.
pub(super) fn say(line: impl Display) -> anyhow::Result<()> {
    Ok(writeln!(anstream::stdout().lock(), "{line}")?)
}

/// The line in the colours that standard output takes: none for files, pipes and whoever set `NO_COLOR`. For who writes
/// beside it what is no colour.
pub(super) fn as_shown(line: &str) -> Cow<'_, str> {
    match AutoStream::choice(&std::io::stdout()) {
        ColorChoice::Never => Cow::Owned(strip_str(line).to_string()),
        _ => Cow::Borrowed(line),
    }
}

/// Columns and rows of the terminal; nothing when standard output is none.
pub(crate) fn size() -> Option<(u16, u16)> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    crossterm::terminal::size().ok().filter(|(columns, rows)| *columns > 0 && *rows > 0)
}

/// A drawing of some lines that is drawn anew in its place, at the end of the output.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    drawn: u16,
}

impl Canvas {
    /// Draws the lines over those drawn before, if the terminal has room for them; otherwise nothing happens.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn draw(&mut self, lines: &[String]) -> anyhow::Result<()> {
        let Some((_, rows)) = size() else { return Ok(()) };
        let Some(count) = u16::try_from(lines.len()).ok().filter(|count| *count < rows) else {
            return Ok(());
        };
        let mut out = std::io::stdout().lock();
        if self.drawn > 0 {
            out.queue(MoveUp(self.drawn))?.queue(MoveToColumn(0))?;
            out.queue(Clear(ClearType::FromCursorDown))?;
        }
        for line in lines {
            writeln!(out, "{}", as_shown(line))?;
        }
        out.flush()?;
        self.drawn = count;
        Ok(())
    }

    /// Whether anything is drawn.
    pub(super) const fn is_drawn(&self) -> bool {
        self.drawn > 0
    }
}

//! Standard output: lines, and drawings that replace each other.

use std::{
    fmt::Display,
    io::{IsTerminal as _, Write as _},
};

use crossterm::{
    QueueableCommand as _,
    cursor::{MoveToColumn, MoveUp},
    terminal::{Clear, ClearType},
};

/// Writes a line.
///
/// # Errors
/// When nobody reads it.
pub fn say(line: impl Display) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout().lock(), "{line}")?)
}

/// Columns and rows of the terminal; nothing when standard output is none.
pub fn size() -> Option<(u16, u16)> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    crossterm::terminal::size().ok().filter(|(columns, rows)| *columns > 0 && *rows > 0)
}

/// A drawing of some lines that is drawn anew in its place, at the end of the output.
#[derive(Debug, Default)]
pub struct Canvas {
    drawn: u16,
}

impl Canvas {
    /// Draws the lines over those drawn before, if the terminal has room for them; otherwise nothing happens.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn draw(&mut self, lines: &[String]) -> anyhow::Result<()> {
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
            writeln!(out, "{line}")?;
        }
        out.flush()?;
        self.drawn = count;
        Ok(())
    }

    /// Whether anything is drawn.
    pub const fn is_drawn(&self) -> bool {
        self.drawn > 0
    }
}

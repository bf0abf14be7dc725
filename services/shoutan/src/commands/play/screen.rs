//! Where the game is drawn: in place on a terminal with room for it, otherwise one after the other.

use std::io::Write as _;

use crossterm::{
    QueueableCommand as _,
    cursor::{MoveTo, RestorePosition, SavePosition},
    terminal::{Clear, ClearType},
};

use crate::commands::terminal;

/// Lines that the prompt needs, and one in reserve for a long answer.
const ROWS_FOR_PROMPT: usize = 2;
/// Columns of an output that has none.
const COLUMNS_USUAL: usize = 100;

/// The screen. The prompt stands below the drawing, and what is being typed there is never touched: only the
/// lines above it are drawn anew.
#[derive(Debug, Default)]
pub(super) struct Screen {
    /// How many lines stand above the prompt; nothing unless they are drawn in place.
    drawn: Option<usize>,
}

impl Screen {
    /// How many columns a line may have.
    pub(super) fn columns() -> usize {
        terminal::size().map_or(COLUMNS_USUAL, |(columns, _)| usize::from(columns))
    }

    /// Draws everything, with an empty prompt.
    ///
    /// # Errors
    /// When the output is gone.
    pub(super) fn draw(&mut self, lines: &[String], prompt: &str) -> anyhow::Result<()> {
        let size = terminal::size();
        let in_place = size.is_some_and(|(_, rows)| lines.len() + ROWS_FOR_PROMPT <= usize::from(rows));
        self.drawn = in_place.then_some(lines.len());
        let mut out = std::io::stdout().lock();
        if in_place {
            out.queue(Clear(ClearType::All))?.queue(MoveTo(0, 0))?;
        }
        for line in lines {
            writeln!(out, "{}", terminal::as_shown(line))?;
        }
        if size.is_some() {
            write!(out, "{prompt}")?;
        }
        Ok(out.flush()?)
    }

    /// Draws what has changed above the prompt.
    ///
    /// # Errors
    /// When the output is gone.
    pub(super) fn redraw(&mut self, lines: &[String], prompt: &str) -> anyhow::Result<()> {
        if self.drawn == Some(lines.len()) {
            return Self::over(lines);
        }
        if self.drawn.is_none() && terminal::size().is_some() {
            // The prompt stands at the end of the output.
            terminal::say("")?;
        }
        self.draw(lines, prompt)
    }

    /// Draws the clocks as they are by now; an output that is not drawn in place is left alone.
    ///
    /// # Errors
    /// When the output is gone.
    pub(super) fn tick(&self, lines: &[String]) -> anyhow::Result<()> {
        if self.drawn == Some(lines.len()) { Self::over(lines) } else { Ok(()) }
    }

    fn over(lines: &[String]) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        out.queue(SavePosition)?;
        for (row, line) in (0..).zip(lines) {
            out.queue(MoveTo(0, row))?;
            write!(out, "{}", terminal::as_shown(line))?;
            out.queue(Clear(ClearType::UntilNewLine))?;
        }
        out.queue(RestorePosition)?;
        Ok(out.flush()?)
    }
}

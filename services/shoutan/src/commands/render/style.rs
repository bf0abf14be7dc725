//! Colours. Whoever writes to a file, or to a terminal without colours, leaves them out.

use anstyle::{AnsiColor, Style};

/// Text that matters.
pub(crate) const STRONG: Style = Style::new().bold();
/// Text that matters less.
pub(crate) const FAINT: Style = AnsiColor::BrightBlack.on_default();
/// Text that is bad news.
pub(crate) const ALARM: Style = AnsiColor::Red.on_default().bold();

/// The text in a style.
pub(crate) fn paint(style: Style, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
}

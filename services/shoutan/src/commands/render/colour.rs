//! Colours, or none.

use std::io::IsTerminal as _;

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Text as it is, for files, pipes and whoever set `NO_COLOR`.
    Plain,
    /// The sixteen colours of every terminal.
    Colour,
}

/// How text is drawn: the parameters of an SGR escape sequence, `1;31`; empty for plain text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style(pub &'static str);

impl Style {
    /// Text that matters.
    pub const STRONG: Style = Style("1");
    /// Text that matters less.
    pub const FAINT: Style = Style("90");
    /// Text that is bad news.
    pub const ALARM: Style = Style("1;31");
}

impl Ink {
    /// What standard output takes: colours on a terminal, unless `NO_COLOR` is set to anything.
    pub fn of_stdout() -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if std::io::stdout().is_terminal() && !refused { Ink::Colour } else { Ink::Plain }
    }

    /// The text in a style.
    pub fn paint(self, style: Style, text: &str) -> String {
        if self == Ink::Plain || style == Style::default() || text.is_empty() {
            return text.to_owned();
        }
        format!("\u{1b}[{}m{text}\u{1b}[0m", style.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_ink_writes_no_escape_codes() {
        assert_eq!(Ink::Plain.paint(Style::ALARM, "x"), "x");
        assert_eq!(Ink::Colour.paint(Style::default(), "x"), "x");
        assert_eq!(Ink::Colour.paint(Style::ALARM, "x"), "\u{1b}[1;31mx\u{1b}[0m");
    }
}

//! Lines as GTP has them, and the frame of an answer.

use crate::prelude::*;
use core::fmt::Write as _;

/// The longest line: the longest act has 4 kB and the longest position in one line 2 kB.
///
/// ```
/// use rules::engine::{LINE_BYTES_MAX, Line, Lines};
///
/// let mut lines = Lines::default();
/// lines.feed(&[b'x'; LINE_BYTES_MAX + 1], |_| true);
/// assert_eq!(lines.finish(), Some(Line::TooLong));
/// lines.feed(&[b'x'; LINE_BYTES_MAX], |_| true);
/// assert!(matches!(lines.finish(), Some(Line::Text(_))));
/// ```
pub const LINE_BYTES_MAX: usize = 1 << 14;

/// Gathers bytes into lines of at most [`LINE_BYTES_MAX`]; what is longer costs no memory.
///
/// ```
/// use rules::engine::{Line, Lines};
///
/// let (mut lines, mut found) = (Lines::default(), Vec::new());
/// for bytes in [&b"sho"[..], b"w\nundo\nha"] {
///     lines.feed(bytes, |line| { found.push(line); true });
/// }
/// assert_eq!(found, ["show", "undo"].map(|text| Line::Text(text.into())));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lines {
    open: Vec<u8>,
    too_long: bool,
}

/// A line without its end.
///
/// ```
/// use rules::engine::{Line, Lines};
///
/// let mut lines = Lines::default();
/// lines.feed(b"ab\xff", |_| true);
/// assert_eq!(lines.finish(), Some(Line::Text("ab\u{fffd}".into())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Its text; bytes that are not UTF-8 are replaced.
    Text(String),
    /// It had more than [`LINE_BYTES_MAX`] bytes and is lost.
    TooLong,
}

/// A line that holds a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// The number before the command, digit for digit; empty if there is none.
    pub id: String,
    /// The command and its arguments, single blanks between them.
    pub words: String,
}

impl Lines {
    /// Takes some bytes and gives every line that ends in them to `each`, which says whether to go on; what
    /// comes after the line where it stops is dropped.
    ///
    /// ```
    /// use rules::engine::{Line, Lines};
    ///
    /// let (mut lines, mut found) = (Lines::default(), Vec::new());
    /// lines.feed(b"one\ntwo\nquit\nthree\n", |line| {
    ///     found.push(line.clone());
    ///     line != Line::Text("quit".into())
    /// });
    /// assert_eq!((found.len(), lines.finish()), (3, None));
    /// ```
    pub fn feed(&mut self, mut bytes: &[u8], mut each: impl FnMut(Line) -> bool) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.gather(&bytes[..end]);
            bytes = &bytes[end + 1..];
            if !each(self.take()) {
                return;
            }
        }
        self.gather(bytes);
    }

    /// The line that the input ends with, if it does not end with a line's end.
    ///
    /// ```
    /// use rules::engine::{Line, Lines};
    ///
    /// let mut lines = Lines::default();
    /// lines.feed(b"show\nquit", |line| line == Line::Text("show".into()));
    /// assert_eq!(lines.finish(), Some(Line::Text("quit".into())));
    /// assert_eq!(lines.finish(), None);
    /// ```
    pub fn finish(&mut self) -> Option<Line> {
        (self.too_long || !self.open.is_empty()).then(|| self.take())
    }

    fn gather(&mut self, bytes: &[u8]) {
        if self.open.len() + bytes.len() > LINE_BYTES_MAX {
            self.too_long = true;
            self.open.clear();
        }
        if !self.too_long {
            self.open.extend_from_slice(bytes);
        }
    }

    fn take(&mut self) -> Line {
        let too_long = core::mem::take(&mut self.too_long);
        let line = core::mem::take(&mut self.open);
        if too_long { Line::TooLong } else { Line::Text(String::from_utf8_lossy(&line).into_owned()) }
    }
}

impl Request {
    /// Reads a line as GTP 2 says: a tab is a blank, other control characters are dropped, what follows a `#`
    /// is a comment. `None` if nothing is left.
    pub(super) fn read(line: &str) -> Option<Request> {
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        let line: String = line
            .chars()
            .filter(|char| *char == '\t' || !char.is_control())
            .map(|char| if char == '\t' { ' ' } else { char })
            .collect();
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let numbered = words.first()?.bytes().all(|byte| byte.is_ascii_digit());
        let id = if numbered { words.remove(0) } else { "" };
        Some(Request { id: id.into(), words: words.join(" ") })
    }
}

/// Writes an answer, with its sign and number before it and an empty line behind it. Within it no line is
/// empty: such a line gets a blank.
pub(super) fn answer(out: &mut String, sign: char, id: &str, text: &str) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{sign}{id}");
    for (n, line) in text.lines().enumerate() {
        out.push_str(match (n, line) {
            (0, "") => "",
            (0, _) => " ",
            (_, "") => "\n ",
            _ => "\n",
        });
        out.push_str(line.trim_end_matches('\r'));
    }
    out.push_str("\n\n");
}

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, vec};

    use super::*;

    fn fed(chunks: &[&[u8]]) -> Vec<Line> {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        for chunk in chunks {
            lines.feed(chunk, |line| {
                found.push(line);
                true
            });
        }
        found.extend(lines.finish());
        found
    }

    #[test]
    fn lines_are_the_same_however_the_bytes_come() {
        let text = |text: &str| Line::Text(text.to_owned());
        let wanted = vec![text("ab"), text(""), text("c\u{fffd}d"), text("end")];
        let bytes = b"ab\n\nc\xffd\nend";
        assert_eq!(fed(&[bytes]), wanted);
        assert_eq!(fed(&bytes.iter().map(core::slice::from_ref).collect::<Vec<_>>()), wanted);
    }

    #[test]
    fn a_line_that_is_too_long_is_lost_alone() {
        let long = vec![b'x'; LINE_BYTES_MAX];
        assert!(matches!(&fed(&[&long])[..], [Line::Text(_)]));
        let found = fed(&[&long, b"y", &long, b"\nz\n"]);
        assert_eq!(found, [Line::TooLong, Line::Text("z".to_owned())]);
    }

    #[test]
    fn requests_are_read_as_gtp_says() {
        let read = |line| Request::read(line).map(|it| (it.id, it.words));
        let some = |id: &str, words: &str| Some((id.to_owned(), words.to_owned()));
        assert_eq!(read("12 play\tB  D4 # hello"), some("12", "play B D4"));
        assert_eq!(read("\u{7}na\u{0}me\r"), some("", "name"));
        assert_eq!(read("5"), some("5", ""));
        assert_eq!((read(""), read("   # 7"), read("\r")), (None, None, None));
    }

    #[test]
    fn no_line_of_an_answer_is_empty() {
        let mut out = String::new();
        answer(&mut out, '=', "3", "a\n\nb\n");
        answer(&mut out, '=', "", "\nboard");
        answer(&mut out, '?', "", "");
        assert_eq!(out, "=3 a\n \nb\n\n=\nboard\n\n?\n\n");
    }
}

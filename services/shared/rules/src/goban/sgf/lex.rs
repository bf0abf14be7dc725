//! The grammar of SGF, as far as one line of play needs it: nodes, properties and values.

use super::{MAX_BYTES, MAX_NODES};
use crate::{RecordError, prelude::*};

/// The properties of a node of the main line, in the order of the file.
pub(crate) type Node<'a> = Vec<Property<'a>>;

/// A property with its values, at least one.
pub(crate) struct Property<'a> {
    /// Its name without the small letters that old files put in.
    pub name: String,
    /// The bytes between the brackets, escapes and all.
    pub values: Vec<&'a [u8]>,
    /// The line it begins in, from 1.
    pub line: u32,
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

/// The main line of the first game: it descends at every `(` and so ends at the first `)`.
pub(crate) fn main_line(bytes: &[u8]) -> Result<Vec<Node<'_>>, RecordError> {
    if bytes.len() > MAX_BYTES {
        return Err(fault(0, "the file is too long"));
    }
    let mut lexer = Lexer { bytes, at: 0, line: 1 };
    lexer.find_start()?;
    let mut nodes: Vec<Node<'_>> = Vec::new();
    while let Some(byte) = lexer.skip_space() {
        match byte {
            b')' => return Ok(nodes),
            b'(' => lexer.advance(),
            b';' if nodes.len() >= MAX_NODES => return Err(fault(lexer.line, "the game has too many nodes")),
            b';' => {
                lexer.advance();
                nodes.push(Node::new());
            }
            byte if byte.is_ascii_alphabetic() => {
                let property = lexer.property()?;
                match nodes.last_mut() {
                    Some(node) => node.push(property),
                    None => return Err(fault(property.line, "a property stands outside of a node")),
                }
            }
            _ => return Err(fault(lexer.line, "a node, a property or a bracket is wanted")),
        }
    }
    Err(fault(lexer.line, "the game is not closed"))
}

/// The properties of all nodes but the moves that private acts stand for.
pub(crate) fn told<'n, 'a>(nodes: &'n [Node<'a>]) -> impl Iterator<Item = &'n Property<'a>> {
    nodes.iter().flat_map(|node| {
        let private = node.iter().any(|property| property.name == "SHA");
        node.iter().filter(move |property| !private || !["B", "W"].contains(&&*property.name))
    })
}

/// A fault in a line.
pub(crate) fn fault(line: u32, detail: &'static str) -> RecordError {
    RecordError { line, detail: detail.into() }
}

/// A value as text: escapes resolved, line breaks as `\n` or, if they are not to be kept, as spaces.
pub(crate) fn text(value: &[u8], keep_lines: bool) -> String {
    let decoded = String::from_utf8_lossy(value);
    let mut text = String::with_capacity(decoded.len());
    let mut chars = decoded.chars().peekable();
    while let Some(char) = chars.next() {
        let escaped = char == '\\';
        let Some(char) = (if escaped { chars.next() } else { Some(char) }) else { break };
        if matches!(char, '\n' | '\r') {
            let pair = if char == '\n' { '\r' } else { '\n' };
            chars.next_if_eq(&pair);
            if !escaped {
                text.push(if keep_lines { '\n' } else { ' ' });
            }
        } else {
            text.push(if char.is_ascii_control() { ' ' } else { char });
        }
    }
    text
}

impl<'a> Lexer<'a> {
    /// Moves behind the first `(` that a `;` follows; anything may stand before it.
    fn find_start(&mut self) -> Result<(), RecordError> {
        while let Some(byte) = self.peek() {
            self.advance();
            if byte == b'(' && self.skip_space() == Some(b';') {
                return Ok(());
            }
        }
        Err(fault(0, "there is no game in the file"))
    }

    fn property(&mut self) -> Result<Property<'a>, RecordError> {
        let line = self.line;
        let mut name = String::new();
        while let Some(byte) = self.peek().filter(u8::is_ascii_alphanumeric) {
            if !byte.is_ascii_lowercase() {
                name.push(char::from(byte));
            }
            self.advance();
        }
        let mut values = Vec::new();
        while self.skip_space() == Some(b'[') {
            values.push(self.value()?);
        }
        if values.is_empty() {
            return Err(fault(line, "a property has no value"));
        }
        Ok(Property { name, values, line })
    }

    fn value(&mut self) -> Result<&'a [u8], RecordError> {
        let line = self.line;
        self.advance();
        let start = self.at;
        while let Some(byte) = self.peek() {
            match byte {
                b']' => {
                    let value = &self.bytes[start..self.at];
                    self.advance();
                    return Ok(value);
                }
                b'\\' => {
                    self.advance();
                    self.advance();
                }
                _ => self.advance(),
            }
        }
        Err(fault(line, "a value is not closed"))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn advance(&mut self) {
        if self.peek() == Some(b'\n') {
            self.line += 1;
        }
        self.at = self.bytes.len().min(self.at + 1);
    }

    /// Skips white space and returns the byte behind it.
    fn skip_space(&mut self) -> Option<u8> {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace() || byte == 0x0b) {
            self.advance();
        }
        self.peek()
    }
}

#[cfg(test)]
mod tests {
    use alloc::{string::String, vec, vec::Vec};

    use super::{main_line, text};

    #[test]
    fn the_first_variation_is_followed() {
        let nodes = main_line(b"junk (x) (;A[1](;B[2][3];C[4](;D[5])(;E[6]))(;F[7]))").unwrap();
        let names: Vec<_> = nodes.iter().flatten().map(|p| p.name.clone()).collect();
        assert_eq!(names, ["A", "B", "C", "D"]);
    }

    #[test]
    fn small_letters_of_old_names_are_dropped() {
        let nodes = main_line(b"(;Black [dd]\n GaMe[1])").unwrap();
        let names: Vec<_> = nodes[0].iter().map(|p| (p.name.clone(), p.line)).collect();
        assert_eq!(names, vec![(String::from("B"), 1), (String::from("GM"), 2)]);
    }

    #[test]
    fn faults_name_their_line() {
        let check =
            |file: &str, line| assert_eq!(main_line(file.as_bytes()).err().map(|e| e.line), Some(line));
        check("", 0);
        check("no game", 0);
        check("(;\n\nB[aa", 3);
        check("(;\nB", 2);
        check("(;B[aa]", 1);
        check("(;\n5)", 2);
    }

    #[test]
    fn escapes_and_line_breaks() {
        let check = |raw: &str, lines, wanted: &str| assert_eq!(text(raw.as_bytes(), lines), wanted);
        check(r"a\]b\\c\:d", true, r"a]b\c:d");
        check("a\\\r\nb\r\nc\td", true, "ab\nc d");
        check("a\nb", false, "a b");
        check("end\\", true, "end");
        assert_eq!(text(b"\xff", true), "\u{fffd}");
    }

    #[test]
    fn a_deep_tree_takes_no_stack() {
        let mut file = "(;B[aa]".repeat(10_000);
        file.push_str(&")".repeat(10_000));
        assert_eq!(main_line(file.as_bytes()).map(|nodes| nodes.len()).ok(), Some(10_000));
        assert!(main_line("(;".repeat(500_000).as_bytes()).is_err());
    }
}

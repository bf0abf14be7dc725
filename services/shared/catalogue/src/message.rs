//! One word or sentence: its text with named places, and how it is said of one.

use std::borrow::Cow;

use crate::Language;

/// How long a text may be: a sentence of two lines on paper. Whatever is printed many times a page is kept from filling it.
pub const TEXT_CHARS_MAX: usize = 400;

/// How long a text may be that is read at a terminal: what the help of a command says, in a few paragraphs.
pub const TERMINAL_CHARS_MAX: usize = 2_000;

/// The placeholder whose number chooses the form.
const COUNT: &str = "count";

/// A text with places for what it is about, in curly brackets: `round {round}`. Of one thing it may be said otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    one: Option<Vec<Piece>>,
    other: Vec<Piece>,
}

/// What stands in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg<'a> {
    /// A text, such as a name.
    Text(Cow<'a, str>),
    /// A number.
    Number(u64),
}

/// Why a text is no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMessage {
    /// It is empty or too long.
    #[error("1 to {0} characters")]
    Length(usize),
    /// It has what would be markup in a page, or what cannot be seen.
    #[error("no <, > and &, no control characters, and none that turn the direction of writing")]
    Characters,
    /// A bracket has no other one, or no name between them.
    #[error("placeholders are names in curly brackets, such as {{round}}")]
    Brackets,
    /// What is said of one has other placeholders than what is said of several.
    #[error("one and other have the same placeholders, of which count is one")]
    Forms,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Place(String),
}

impl Message {
    /// Reads what is said of several, which is all there is in most cases, and of one.
    ///
    /// # Errors
    /// See [`InvalidMessage`].
    pub fn parse(other: &str, one: Option<&str>) -> Result<Message, InvalidMessage> {
        Message::read(other, one, TEXT_CHARS_MAX, is_refused)
    }

    /// Reads what is said at a terminal and nowhere else: it may have paragraphs, and signs that are markup in a page.
    ///
    /// # Errors
    /// See [`InvalidMessage`].
    pub fn for_terminal(other: &str, one: Option<&str>) -> Result<Message, InvalidMessage> {
        let refused = |c| is_refused(c) && !matches!(c, '\n' | '<' | '>' | '&');
        Message::read(other, one, TERMINAL_CHARS_MAX, refused)
    }

    fn read(
        other: &str,
        one: Option<&str>,
        chars_max: usize,
        is_refused: impl Fn(char) -> bool,
    ) -> Result<Message, InvalidMessage> {
        let pieces = |text: &str| {
            if text.trim().is_empty() || text.chars().count() > chars_max {
                return Err(InvalidMessage::Length(chars_max));
            }
            if text.chars().any(&is_refused) {
                return Err(InvalidMessage::Characters);
            }
            pieces(text)
        };
        let message = Message { one: one.map(pieces).transpose()?, other: pieces(other)? };
        if let Some(one) = &message.one {
            // What is said of one may leave the number out: "a round".
            let whole = places(&message.other);
            let rest: Vec<&str> = whole.iter().copied().filter(|place| *place != COUNT).collect();
            let said: Vec<&str> = places(one).into_iter().filter(|place| *place != COUNT).collect();
            if said != rest || !whole.contains(&COUNT) {
                return Err(InvalidMessage::Forms);
            }
        }
        Ok(message)
    }

    /// The text as it is read, and what is said of one where that differs.
    #[must_use]
    pub fn written(&self) -> (String, Option<String>) {
        (written(&self.other), self.one.as_deref().map(written))
    }

    /// The names of its placeholders, in their order by letters, each once.
    #[must_use]
    pub fn placeholders(&self) -> Vec<&str> {
        places(&self.other)
    }

    /// The text with something in each place. A place of which nothing is known stays as it is written.
    #[must_use]
    pub fn say(&self, language: &Language, args: &[(&str, Arg<'_>)]) -> String {
        let find = |name: &str| args.iter().find(|(place, _)| *place == name).map(|(_, arg)| arg);
        let is_one = language.has_plural() && find(COUNT) == Some(&Arg::Number(1));
        let pieces = self.one.as_ref().filter(|_| is_one).unwrap_or(&self.other);
        let mut said = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => said.push_str(text),
                Piece::Place(name) => match find(name) {
                    Some(Arg::Text(text)) => said.push_str(text),
                    Some(Arg::Number(number)) => said.push_str(&number.to_string()),
                    None => said.extend(["{", name.as_str(), "}"]),
                },
            }
        }
        said
    }

    /// What stands in its places if it was said of something, each with its name; nothing if a text was never said so. Where
    /// a text could be divided in several ways, the first places are as short as can be.
    pub(crate) fn places_in<'a>(&'a self, text: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
        let (mut places, mut rest, mut open) = (Vec::new(), text, None);
        for (at, piece) in self.other.iter().enumerate() {
            match piece {
                Piece::Place(name) if open.is_none() => open = Some(name.as_str()),
                // Of two places that touch nobody knows where one ends.
                Piece::Place(_) => return None,
                Piece::Text(known) => {
                    let is_last = at + 1 == self.other.len();
                    let found = match open {
                        None => rest.starts_with(known.as_str()).then_some(0),
                        Some(_) if is_last => {
                            rest.ends_with(known.as_str()).then(|| rest.len() - known.len())
                        }
                        Some(_) => rest.find(known.as_str()),
                    }?;
                    places.extend(open.take().map(|name| (name, &rest[..found])));
                    rest = &rest[found + known.len()..];
                }
            }
        }
        match open {
            Some(name) => places.push((name, rest)),
            None if !rest.is_empty() => return None,
            None => {}
        }
        places.iter().all(|(_, part)| !part.is_empty()).then_some(places)
    }

    /// Whether it has letters outside of places.
    pub(crate) fn has_text(&self) -> bool {
        self.other
            .iter()
            .any(|piece| matches!(piece, Piece::Text(text) if text.contains(char::is_alphabetic)))
    }
}

impl From<u64> for Arg<'_> {
    fn from(number: u64) -> Self {
        Arg::Number(number)
    }
}

impl From<u32> for Arg<'_> {
    fn from(number: u32) -> Self {
        Arg::Number(number.into())
    }
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(text: &'a str) -> Self {
        Arg::Text(text.into())
    }
}

impl From<String> for Arg<'_> {
    fn from(text: String) -> Self {
        Arg::Text(text.into())
    }
}

fn places(pieces: &[Piece]) -> Vec<&str> {
    let mut places: Vec<&str> = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Place(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Pieces as they were read.
fn written(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Place(name) => text.extend(["{", name.as_str(), "}"]),
        }
    }
    text
}

fn pieces(text: &str) -> Result<Vec<Piece>, InvalidMessage> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, next) = after.split_once('}').ok_or(InvalidMessage::Brackets)?;
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') {
            return Err(InvalidMessage::Brackets);
        }
        push_text(&mut pieces, before)?;
        pieces.push(Piece::Place(name.to_owned()));
        rest = next;
    }
    push_text(&mut pieces, rest)?;
    Ok(pieces)
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) -> Result<(), InvalidMessage> {
    if text.contains('}') {
        return Err(InvalidMessage::Brackets);
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text.to_owned()));
    }
    Ok(())
}

/// Markup, and what turns or breaks a line. The signs that choose the form of a Mongolian letter are not among it.
fn is_refused(c: char) -> bool {
    c.is_control()
        || matches!(c, '<' | '>' | '&' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF0}'..='\u{FFFF}' | '\u{E000}'..='\u{F8FF}'
            | '\u{E0000}'..='\u{10FFFF}')
}

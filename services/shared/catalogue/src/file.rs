//! Files of words: TOML, in which a name has a text, or a text for one and a text for others, and tables make longer names.

use std::{collections::BTreeMap, fmt::Write as _};

use toml::de::{DeTable, DeValue};

use crate::{Area, InvalidMessage, Message, Word};

/// How deep tables stand in each other: `title.standings` is two, an argument of a command's command six, and a language and
/// an area stand above it in a federation's file.
const DEPTH_MAX: usize = 8;

/// Why a file is none of words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// It is no TOML.
    #[error("{0}")]
    Syntax(String),
    /// Something stands where a text is expected, or a name has other signs than letters, digits and underscores.
    #[error(
        "{0}: a text, a table with the texts one and other, or a table of these; names have letters, digits and _"
    )]
    Shape(String),
    /// A text is no message.
    #[error("{0}: {1}")]
    Message(String, InvalidMessage),
}

/// Reads a file of words that stand in pages: each name with its message.
///
/// # Errors
/// The first fault, with the name at which it is.
pub fn read(text: &str) -> Result<BTreeMap<String, Message>, FileFault> {
    read_as(Area::Papers, text)
}

/// The same, of words of an area.
pub(crate) fn read_as(area: Area, text: &str) -> Result<BTreeMap<String, Message>, FileFault> {
    let mut words = BTreeMap::new();
    for Text { path, other, one } in texts(text, is_name)? {
        let message = area.message(&other, one.as_deref());
        let message = message.map_err(|fault| FileFault::Message(path.clone(), fault))?;
        words.insert(path, message);
    }
    Ok(words)
}

/// Reads a federation's own words, each of which an [`Extension`](crate::Extension) looks at: a table for each language by its
/// tag, and in it the keys, such as `[bo.papers]` and `round = "…"` below it.
///
/// # Errors
/// The first fault, with the name at which it is.
pub fn read_own(text: &str) -> Result<Vec<Word>, FileFault> {
    let is_tag_or_name = |name: &str| is_name(&name.replace('-', "_"));
    let words = texts(text, is_tag_or_name)?.into_iter().map(|Text { path, other: text, one }| {
        let (language, key) = path.split_once('.').ok_or_else(|| FileFault::Shape(path.clone()))?;
        Ok(Word { language: language.to_owned(), key: key.to_owned(), text, one })
    });
    words.collect()
}

/// Writes words as [`read_own`] reads them, in the order of languages and keys.
#[must_use]
pub fn write_own(words: &[Word]) -> String {
    let mut words: Vec<&Word> = words.iter().collect();
    let place = |word: &Word| {
        let (section, name) = word.key.rsplit_once('.').unwrap_or(("", &word.key));
        (format!("{}.{section}", word.language), name.to_owned())
    };
    words.sort_by_cached_key(|word| place(word));
    let (mut text, mut open) = (String::new(), String::new());
    for word in words {
        let (section, name) = place(word);
        if section != open {
            let gap = if open.is_empty() { "" } else { "\n" };
            text.extend([gap, "[", &section, "]\n"]);
            open = section;
        }
        let other = quoted(&word.text);
        let said = match &word.one {
            None => other,
            Some(one) => format!("{{ one = {}, other = {other} }}", quoted(one)),
        };
        text.extend([&name, " = ", &said, "\n"]);
    }
    text
}

/// A text as a basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => {
                // Writing to a string never fails.
                let _infallible = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// A text of a file, by the names of the tables in which it stands and its own.
struct Text {
    path: String,
    other: String,
    one: Option<String>,
}

/// Every text of a file; `is_top` says what its outermost tables may be called.
fn texts(text: &str, is_top: impl Fn(&str) -> bool) -> Result<Vec<Text>, FileFault> {
    let table = DeTable::parse(text).map_err(|error| FileFault::Syntax(error.to_string()))?;
    let top = table.get_ref();
    if let Some((name, _)) = top.iter().find(|(name, _)| !is_top(name.get_ref())) {
        return Err(FileFault::Shape(name.get_ref().to_string()));
    }
    let mut texts = Vec::new();
    walk(top, "", 1, &mut texts)?;
    Ok(texts)
}

fn walk(table: &DeTable<'_>, above: &str, depth: usize, texts: &mut Vec<Text>) -> Result<(), FileFault> {
    for (name, value) in table {
        let name = name.get_ref();
        let path = if above.is_empty() { name.to_string() } else { format!("{above}.{name}") };
        if !(above.is_empty() || is_name(name)) || depth > DEPTH_MAX {
            return Err(FileFault::Shape(path));
        }
        let (other, one) = match value.get_ref() {
            DeValue::String(text) => (text.as_ref(), None),
            DeValue::Table(inner) => {
                let Some(forms) = forms(inner) else {
                    walk(inner, &path, depth + 1, texts)?;
                    continue;
                };
                forms
            }
            _ => return Err(FileFault::Shape(path)),
        };
        texts.push(Text { path, other: other.to_owned(), one: one.map(str::to_owned) });
    }
    Ok(())
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The texts of a table that has those for one and for others, and nothing else.
fn forms<'a>(table: &'a DeTable<'_>) -> Option<(&'a str, Option<&'a str>)> {
    let text = |name: &str| table.get(name)?.get_ref().as_str();
    (table.len() == 2).then(|| Some((text("other")?, Some(text("one")?))))?
}

//! Files of words: TOML, in which a name has a text, or a text for one and a text for others, and tables make longer names.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use crate::{InvalidMessage, Message};

/// How deep tables stand in each other: `title.standings` is two.
const DEPTH_MAX: usize = 4;

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

/// Reads a file: each name with its message.
///
/// # Errors
/// The first fault, with the name at which it is.
pub fn read(text: &str) -> Result<BTreeMap<String, Message>, FileFault> {
    let table = DeTable::parse(text).map_err(|error| FileFault::Syntax(error.to_string()))?;
    let mut words = BTreeMap::new();
    walk(table.get_ref(), "", 1, &mut words)?;
    Ok(words)
}

fn walk(
    table: &DeTable<'_>,
    above: &str,
    depth: usize,
    words: &mut BTreeMap<String, Message>,
) -> Result<(), FileFault> {
    for (name, value) in table {
        let name = name.get_ref();
        let path = if above.is_empty() { name.to_string() } else { format!("{above}.{name}") };
        let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !is_name || name.is_empty() || depth > DEPTH_MAX {
            return Err(FileFault::Shape(path));
        }
        let (other, one) = match value.get_ref() {
            DeValue::String(text) => (text.as_ref(), None),
            DeValue::Table(inner) => {
                let Some(forms) = forms(inner) else {
                    walk(inner, &path, depth + 1, words)?;
                    continue;
                };
                forms
            }
            _ => return Err(FileFault::Shape(path)),
        };
        let message = Message::parse(other, one).map_err(|fault| FileFault::Message(path.clone(), fault))?;
        words.insert(path, message);
    }
    Ok(())
}

/// The texts of a table that has those for one and for others, and nothing else.
fn forms<'a>(table: &'a DeTable<'_>) -> Option<(&'a str, Option<&'a str>)> {
    let text = |name: &str| table.get(name)?.get_ref().as_str();
    (table.len() == 2).then(|| Some((text("other")?, Some(text("one")?))))?
}

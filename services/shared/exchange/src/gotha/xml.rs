//! Elements of XML with their attributes, within limits, and without anything that a document could declare.

use std::collections::BTreeMap;

use quick_xml::{
    XmlVersion,
    events::{BytesStart, Event},
    reader::Reader,
};

use crate::{
    Fault, ReadError,
    limits::{TEXT_CHARS_MAX, XML_ATTRIBUTES_MAX, XML_DEPTH_MAX, XML_VALUE_BYTES_MAX},
    text::place_of,
};

/// The attributes that anybody asks for. Others are held to the limits and then let go, for a file could have little else.
const ATTRIBUTES: [&str; 45] = [
    "agaId",
    "basicTime",
    "beginDate",
    "blackPlayer",
    "boardNumber",
    "canByoYomiTime",
    "club",
    "complementaryTimeSystem",
    "country",
    "director",
    "egfPin",
    "endDate",
    "firstName",
    "fischerTime",
    "genMMBar",
    "genMMFloor",
    "genMMZero",
    "genNBW2ValueBye",
    "grade",
    "handicap",
    "hdBasedOnMMS",
    "hdCeiling",
    "hdCorrection",
    "hdNoHdRankThreshold",
    "knownColor",
    "komi",
    "location",
    "name",
    "nativeName",
    "nbMovesCanTime",
    "numberOfRounds",
    "participating",
    "player",
    "rank",
    "rating",
    "ratingOrigin",
    "result",
    "roundNumber",
    "size",
    "stdByoYomiTime",
    "tableNumber",
    "teamName",
    "teamNumber",
    "teamSize",
    "whitePlayer",
];

/// An element, of which nothing but its attributes counts.
#[derive(Debug)]
pub(super) struct Element<'t> {
    text: &'t str,
    at: usize,
    pub(super) name: String,
    attributes: BTreeMap<&'static str, String>,
}

impl Element<'_> {
    /// An attribute without blanks at its ends; empty where there is none.
    pub(super) fn get(&self, name: &str) -> &str {
        debug_assert!(ATTRIBUTES.contains(&name), "{name} is kept");
        self.attributes.get(name).map_or("", |it| it.trim())
    }

    /// Whether there is such an attribute.
    pub(super) fn has(&self, name: &str) -> bool {
        self.attributes.contains_key(name)
    }

    /// An attribute that must be there and say something.
    pub(super) fn must(&self, name: &str) -> Result<&str, ReadError> {
        match self.get(name) {
            "" => Err(self.error(Fault::Missing, name)),
            value => Ok(value),
        }
    }

    /// A whole number that must be there.
    pub(super) fn number(&self, name: &str, most: u32) -> Result<u32, ReadError> {
        let value = self.must(name)?;
        let number: u32 = value.parse().map_err(|_| self.error(Fault::Number, value))?;
        if number <= most { Ok(number) } else { Err(self.error(Fault::Range, value)) }
    }

    /// An error about it.
    pub(super) fn error(&self, fault: Fault, what: &str) -> ReadError {
        ReadError::new(fault, place_of(self.text, self.at), what)
    }
}

/// Calls with every element in the order in which they begin.
pub(super) fn each<'t>(
    text: &'t str,
    mut take: impl FnMut(Element<'t>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let mut reader = Reader::from_str(text);
    let (mut depth, mut seen) = (0_usize, false);
    loop {
        let at = offset(reader.buffer_position());
        let error = |fault, what: &str| Err(ReadError::new(fault, place_of(text, at), what));
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(wrong) => {
                let at = place_of(text, offset(reader.error_position()));
                return Err(ReadError::new(Fault::Xml, at, &wrong.to_string()));
            }
        };
        match event {
            Event::Start(tag) => {
                depth += 1;
                if depth > XML_DEPTH_MAX {
                    return error(Fault::TooDeep, "");
                }
                seen = true;
                take(element(text, at, &tag)?)?;
            }
            Event::Empty(tag) => {
                seen = true;
                take(element(text, at, &tag)?)?;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::DocType(_) => return error(Fault::Doctype, ""),
            Event::GeneralRef(name) if !name.is_char_ref() && !is_predefined(&name) => {
                return error(Fault::Entity, &name);
            }
            Event::Eof if depth > 0 || !seen => return error(Fault::Xml, "an element is not closed"),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// The five entities that every document has.
fn is_predefined(name: &str) -> bool {
    matches!(name, "lt" | "gt" | "amp" | "apos" | "quot")
}

fn element<'t>(text: &'t str, at: usize, tag: &BytesStart<'_>) -> Result<Element<'t>, ReadError> {
    let error = |fault, what: &str| ReadError::new(fault, place_of(text, at), what);
    let mut attributes = BTreeMap::new();
    for (number, attribute) in tag.attributes().enumerate() {
        let attribute = attribute.map_err(|it| error(Fault::Xml, &it.to_string()))?;
        let name = attribute.key.as_ref();
        if number == XML_ATTRIBUTES_MAX {
            return Err(error(Fault::TooManyAttributes, name));
        }
        if attribute.value.len() > XML_VALUE_BYTES_MAX || name.len() > XML_VALUE_BYTES_MAX {
            return Err(error(Fault::TextTooLong, name));
        }
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|it| error(Fault::Entity, &it.to_string()))?;
        if value.chars().count() > TEXT_CHARS_MAX {
            return Err(error(Fault::TextTooLong, name));
        }
        if value.contains(char::is_control) {
            return Err(error(Fault::Control, name));
        }
        if let Ok(at) = ATTRIBUTES.binary_search(&name) {
            attributes.insert(ATTRIBUTES[at], value.into_owned());
        }
    }
    Ok(Element { text, at, name: tag.name().as_ref().to_owned(), attributes })
}

#[cfg(test)]
mod tests {
    #[test]
    fn attributes_are_found_by_halving() {
        assert!(super::ATTRIBUTES.is_sorted_by(|a, b| a < b));
    }
}

//! Texts that people write for people to read.

use std::ops::RangeInclusive;

use api::reason;

/// The longest text that is written in one line, in characters: a few sentences.
pub const CHARS_MAX: usize = 500;

/// Characters of which a reader sees nothing, beside white space (Unicode's `Default_Ignorable_Code_Point`, and the
/// blank braille pattern).
const UNSEEN: &[RangeInclusive<char>] = &[
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fff8}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

/// Whether a text can be shown in one line as it is: it says something that can be seen, is not too long, and holds
/// nothing that moves the cursor or turns the direction of what stands around it.
pub fn is_plain(text: &str) -> bool {
    let moves = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let is_seen = |c: char| !c.is_whitespace() && !UNSEEN.iter().any(|unseen| unseen.contains(&c));
    text.chars().any(is_seen) && text.chars().count() <= CHARS_MAX && !text.chars().any(moves)
}

/// A text that can be shown in one line as it is.
///
/// # Errors
/// INVALID_ARGUMENT with BAD_TEXT, about a field.
pub fn plain(field: &str, text: String) -> Result<String, api::Error> {
    if is_plain(&text) {
        return Ok(text);
    }
    let message = format!("1 to {CHARS_MAX} characters that can be seen, none of which controls");
    Err(api::Error::invalid(reason::BAD_TEXT, field, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_plain_or_refused() {
        for text in ["好棋", "a", "ཨེ་མ་", "\u{1f600}", &"棋".repeat(500)] {
            assert!(is_plain(text), "{text}");
        }
        for text in ["", " ", "a\nb", "\u{1b}[2J", "a\u{0}", "a\u{85}", "\u{202e}abc", &"棋".repeat(501)] {
            assert!(!is_plain(text), "{text:?}");
        }
    }
}

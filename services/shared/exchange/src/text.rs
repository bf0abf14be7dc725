//! Scripts, and what of a text is left in ASCII.

use unicode_normalization::UnicodeNormalization as _;

/// Whether a text is in Latin letters: no letter of it is of another script. Signs and digits are of every script.
///
/// ```
/// use exchange::is_latin;
/// assert!(is_latin("Łukasz Müller-Đỗ 3") && !is_latin("བཀྲ་ཤིས་") && !is_latin("Бат") && !is_latin("王 Wei"));
/// ```
pub fn is_latin(text: &str) -> bool {
    let latin = |it: char| matches!(it, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{2000}'..='\u{206f}' | '\u{300}'..='\u{36f}');
    text.chars().all(|it| latin(it) || !it.is_alphabetic() && !is_of_a_script(it))
}

/// Marks and signs that only one script has, though they are no letters.
fn is_of_a_script(it: char) -> bool {
    matches!(it, '\u{f00}'..='\u{fff}' | '\u{1800}'..='\u{18af}' | '\u{11660}'..='\u{1167f}' | '\u{2e80}'..='\u{9fff}')
}

/// Letters of Latin script that are no letter with a mark, and how they are written without it.
const LETTERS: [(char, &str); 22] = [
    ('ß', "ss"),
    ('ẞ', "SS"),
    ('æ', "ae"),
    ('Æ', "AE"),
    ('œ', "oe"),
    ('Œ', "OE"),
    ('ø', "o"),
    ('Ø', "O"),
    ('đ', "d"),
    ('Đ', "D"),
    ('ð', "d"),
    ('Ð', "D"),
    ('þ', "th"),
    ('Þ', "Th"),
    ('ł', "l"),
    ('Ł', "L"),
    ('ı', "i"),
    ('ħ', "h"),
    ('Ħ', "H"),
    ('’', "'"),
    ('–', "-"),
    ('—', "-"),
];

/// A text in ASCII: marks are taken from letters. None where it is in another script, or of it nothing is left that could be
/// read; nothing is transliterated by guess.
///
/// ```
/// use exchange::ascii;
/// assert_eq!(ascii("Łukasz Müller").as_deref(), Some("Lukasz Muller"));
/// assert_eq!((ascii("王伟"), ascii("བཀྲ་ཤིས་"), ascii("").as_deref()), (None, None, Some("")));
/// ```
pub fn ascii(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    for it in text.nfkd().filter(|it| !matches!(it, '\u{300}'..='\u{36f}')) {
        match LETTERS.iter().find(|(letter, _)| *letter == it) {
            Some((_, written)) => plain.push_str(written),
            None if it.is_ascii() => plain.push(it),
            None => return None,
        }
    }
    Some(plain)
}

/// Where a byte of a text is: line and column from 1, in characters. Lines end with LF, CR, or both.
pub(crate) fn place_of(text: &str, byte: usize) -> (u32, u32) {
    let mut end = byte.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = text[..end].replace("\r\n", "\n");
    let lines = before.matches(['\n', '\r']).count();
    let column = before.rsplit(['\n', '\r']).next().unwrap_or_default().chars().count();
    let count = |it: usize| u32::try_from(it + 1).unwrap_or(u32::MAX);
    (count(lines), count(column))
}

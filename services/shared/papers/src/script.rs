//! In which script a text is, for those that are set otherwise than Latin letters.

/// How a text is marked in a page, so that a font for its script is taken, and it runs as it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Script {
    /// What stands in `lang`: a language that is written so, since it is not known which one it is.
    pub(crate) tag: &'static str,
    /// Whether its lines are columns.
    pub(crate) vertical: bool,
    /// `ltr` or `rtl`.
    pub(crate) direction: &'static str,
}

const fn across(tag: &'static str) -> Script {
    Script { tag, vertical: false, direction: "ltr" }
}

/// The script of the first letter that tells.
pub(crate) fn of(text: &str) -> Script {
    text.chars().find_map(of_letter).unwrap_or(across("und"))
}

fn of_letter(c: char) -> Option<Script> {
    match c {
        '\u{0041}'..='\u{005A}' | '\u{0061}'..='\u{007A}' | '\u{00C0}'..='\u{024F}' => {
            Some(across("und-Latn"))
        }
        '\u{0400}'..='\u{052F}' => Some(across("und-Cyrl")),
        '\u{0590}'..='\u{05FF}' => Some(Script { direction: "rtl", ..across("und-Hebr") }),
        '\u{0600}'..='\u{06FF}' | '\u{0750}'..='\u{077F}' | '\u{08A0}'..='\u{08FF}' => {
            Some(Script { direction: "rtl", ..across("und-Arab") })
        }
        '\u{0F00}'..='\u{0FFF}' => Some(across("bo")),
        '\u{1800}'..='\u{18AF}' => Some(Script { vertical: true, ..across("mn-Mong") }),
        '\u{3040}'..='\u{30FF}' => Some(across("ja")),
        '\u{AC00}'..='\u{D7AF}' => Some(across("ko")),
        '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}' => Some(across("zh")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_letter_that_tells_decides() {
        assert_eq!(of("བཀྲ་ཤིས").tag, "bo");
        assert_eq!(of("聂卫平").tag, "zh");
        assert_eq!(of("5 – Tashi").tag, "und-Latn");
        assert_eq!(of("ᠪᠠᠲᠤ"), Script { tag: "mn-Mong", vertical: true, direction: "ltr" });
        assert_eq!(of("ئابدۇللا").direction, "rtl");
        assert_eq!(of("12").tag, "und");
        assert_eq!(of("").tag, "und");
    }
}

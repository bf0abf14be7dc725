//! Text of others on the own terminal.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The text without control characters: names and records come from anybody, and a terminal obeys escape codes.
pub(crate) fn sanitize(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// The text cut to a number of columns, so that it takes one line.
pub(crate) fn clip(text: &str, columns: usize) -> String {
    let mut used = 0;
    text.chars()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= columns
        })
        .collect()
}

/// What stands between two items of a list, which may have blanks themselves.
const GAP: &str = "  ";

/// Items on lines of at most so many columns, but at most so many lines; what is left out shows as dots.
pub(crate) fn wrap<'a>(
    items: impl IntoIterator<Item = &'a str>,
    columns: usize,
    lines_max: usize,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        let full = lines.len() >= lines_max;
        match lines.last_mut() {
            Some(line) if line.width() + GAP.len() + item.width() <= columns => {
                line.push_str(GAP);
                line.push_str(item);
            }
            Some(line) if full => {
                line.push_str(" …");
                break;
            }
            _ => lines.push(item.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_codes_lose_their_power() {
        assert_eq!(sanitize("a\u{1b}[2Jb\n阿旺"), "a\u{fffd}[2Jb\u{fffd}阿旺");
    }

    #[test]
    fn lines_are_cut_by_columns() {
        assert_eq!(clip("abc", 2), "ab");
        assert_eq!(clip("围棋x", 3), "围");
        assert_eq!(clip("围棋x", 5), "围棋x");
        assert_eq!(clip("abc", 0), "");
    }

    #[test]
    fn items_are_wrapped() {
        assert_eq!(wrap(["A1", "B2", "C3", "D4"], 6, 9), ["A1  B2", "C3  D4"]);
        assert_eq!(wrap(["A1", "B2", "C3", "D4"], 6, 1), ["A1  B2 …"]);
        assert_eq!(wrap(["longer-than-a-line"], 5, 9), ["longer-than-a-line"]);
        assert_eq!(wrap([], 5, 9), Vec::<String>::new());
    }
}

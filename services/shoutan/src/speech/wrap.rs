//! Long lines of a help, where words are not set apart by blanks.
//!
//! The reader of the command line breaks lines at blanks alone, and Chinese has none. So it is told to break none, and its lines
//! are broken here: at blanks, and beside signs that are two columns wide, but not before what closes or after what opens.

use anstream::adapter::strip_str;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// How wide a help is at most, and where nobody says how wide it may be; as wide as an English one.
pub(super) const COLUMNS: usize = 100;

/// Where the text stands that would have too little room behind its flag.
const BELOW: usize = 10;

/// Signs that no line begins with.
const CLOSING: &str = "，。；：、？！）》〉】”’」』…,.;:)]%";

/// Signs that no line ends with.
const OPENING: &str = "（《〈【“‘「『([";

/// The text with no line wider than so many columns, if it can be.
pub(super) fn wrapped(text: &str, columns: usize) -> String {
    text.split('\n').map(|line| broken(line, columns)).collect::<Vec<_>>().join("\n")
}

fn broken(line: &str, columns: usize) -> String {
    let plain = strip_str(line).to_string();
    if plain.width() <= columns {
        return line.to_owned();
    }
    let indent = plain.len() - plain.trim_start().len();
    // What stands behind a flag is set apart by two blanks, and goes on below itself.
    match line
        .rfind("  ")
        .map(|at| at + 2)
        .filter(|at| !strip_str(&line[..*at]).to_string().trim().is_empty())
    {
        None => put("", line, indent, columns),
        Some(at) => {
            let (flag, text) = line.split_at(at);
            let taken = strip_str(flag).to_string().width();
            if taken * 5 <= columns * 2 {
                return put(flag, text, taken, columns);
            }
            let flag = flag.trim_end();
            put(&format!("{flag}\n{:BELOW$}", ""), text, BELOW, columns)
        }
    }
}

/// The text behind what stands before it in its line, broken; each line but the first begins with so many blanks.
fn put(before: &str, text: &str, indent: usize, columns: usize) -> String {
    let mut lines = before.to_owned();
    let (mut taken, mut last, mut is_escape) = (if before.is_empty() { 0 } else { indent }, None, false);
    // What does not yet stand in a line for good: from the last place where it could be broken.
    let (mut open, mut open_width) = (String::new(), 0);
    for sign in text.chars() {
        is_escape = is_escape || sign == '\u{1b}';
        let width = if is_escape { 0 } else { sign.width().unwrap_or_default() };
        if !is_escape && can_break(last, sign) {
            lines.push_str(&open);
            taken += open_width;
            (open, open_width) = (String::new(), 0);
        }
        if taken + open_width + width > columns && taken > indent {
            lines.truncate(lines.trim_end_matches(' ').len());
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            taken = indent;
            if open.trim().is_empty() && sign == ' ' {
                continue;
            }
        }
        open.push(sign);
        open_width += width;
        if is_escape {
            is_escape = sign != 'm';
        } else {
            last = Some(sign);
        }
    }
    lines + &open
}

/// Whether a line may end after one sign and the next begin with the other.
fn can_break(before: Option<char>, after: char) -> bool {
    let Some(before) = before else { return false };
    let is_wide = |sign: char| sign.width() == Some(2);
    let apart = before == ' ' || is_wide(before) || is_wide(after);
    apart && after != ' ' && !CLOSING.contains(after) && !OPENING.contains(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_goes_on_below_itself() {
        let line = "  --dead <点>  双方认作死子的棋子，每块写一个：D4,Q16。默认没有死子";
        let said = wrapped(line, 44);
        assert_eq!(
            said,
            "  --dead <点>  双方认作死子的棋子，每块写一\n               个：D4,Q16。默认没有死子"
        );
        let said = wrapped("  --connections-per-address <CONNECTIONS>  一个地址的连接数，网段亦然", 40);
        assert_eq!(said, "  --connections-per-address <CONNECTIONS>\n          一个地址的连接数，网段亦然");
        assert_eq!(wrapped("赛事的步骤：甲乙丙丁", 12), "赛事的步骤：\n甲乙丙丁");
        assert_eq!(wrapped("甲乙丙丁，戊己", 8), "甲乙丙\n丁，戊己");
        assert_eq!(wrapped("a line that is long", 10), "a line\nthat is\nlong");
        assert_eq!(wrapped("\u{1b}[1m甲乙\u{1b}[0m丙丁", 4), "\u{1b}[1m甲乙\u{1b}[0m\n丙丁");
    }
}

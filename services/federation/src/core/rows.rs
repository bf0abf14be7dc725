//! Files of CSV as rows with the lines on which they begin, none of which swallows what follows it unseen.

use std::fmt;

use csv::{ByteRecord, ReaderBuilder, StringRecord};

/// A row, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line on which it begins, from 1, as an editor counts them: empty lines count, and so do those within quotes.
    pub line: u32,
    /// Its fields, or what is wrong with it.
    pub fields: Result<StringRecord, Unreadable>,
}

/// Why a row cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is no UTF-8.
    NotText,
    /// A quote is not closed, or stands where no quote can (RFC 4180, 2.5 to 2.7).
    Quotes,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unreadable::NotText => "it is no UTF-8, but GB18030 (GBK) or the like: save the file as UTF-8",
            Unreadable::Quotes => {
                "a quote is not closed, or stands within a field: a field with a quote is put in quotes, and its own are doubled"
            }
        })
    }
}

/// Why a file is no text at all, as its first bytes tell.
pub fn foreign(file: &[u8]) -> Option<&'static str> {
    exchange::foreign(file).map(exchange::Fault::meaning)
}

/// The rows of a file, with or without a byte order mark; empty lines are none.
pub fn rows(file: &[u8]) -> impl Iterator<Item = Row> {
    let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(file);
    let (mut line, mut end) = (1, 0);
    std::iter::from_fn(move || {
        let mut record = ByteRecord::new();
        // Nothing is read but memory, and rows may differ in length, so that there is no error.
        if !reader.read_byte_record(&mut record).unwrap_or(false) {
            return None;
        }
        let from = end;
        end = usize::try_from(reader.position().byte()).map_or(file.len(), |end| end.min(file.len()));
        let read = &file[from..end];
        // The end of the row before, and empty lines, are read with the row that follows them.
        let blank = read.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let begins = line + newlines(&read[..blank]);
        line += newlines(read);
        let fields = if is_well_quoted(&read[blank..]) {
            StringRecord::from_byte_record(record).map_err(|_| Unreadable::NotText)
        } else {
            Err(Unreadable::Quotes)
        };
        Some(Row { line: begins, fields })
    })
}

fn newlines(bytes: &[u8]) -> u32 {
    let lines = bytes.split(|byte| *byte == b'\n').count();
    u32::try_from(lines - 1).unwrap_or(u32::MAX)
}

/// Whether each quote of a row opens a field, closes one, or is doubled within one.
fn is_well_quoted(row: &[u8]) -> bool {
    let mut bytes = row.iter().copied().peekable();
    let (mut at_start, mut quoted) = (true, false);
    while let Some(byte) = bytes.next() {
        match (byte, quoted) {
            (b'"', true) if bytes.peek() == Some(&b'"') => _ = bytes.next(),
            (b'"', true) => {
                if !matches!(bytes.peek(), None | Some(b',' | b'\r' | b'\n')) {
                    return false;
                }
                quoted = false;
            }
            (b'"', false) if at_start => quoted = true,
            (b'"', false) => return false,
            _ => {}
        }
        at_start = !quoted && matches!(byte, b',' | b'\r' | b'\n');
    }
    !quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, expected: &[(u32, Result<&[&str], Unreadable>)]) {
        let found: Vec<Row> = rows(file.as_bytes()).collect();
        let expected: Vec<Row> = expected
            .iter()
            .map(|(line, fields)| Row { line: *line, fields: fields.map(|it| it.to_vec().into()) })
            .collect();
        assert_eq!(found, expected, "{file:?}");
    }

    #[test]
    fn a_row_has_the_line_on_which_it_begins() {
        for end in ["\n", "\r\n"] {
            let file = "a,b\n\n\nc,\"d\ne\"\nf\n\n".replace('\n', end);
            let within = format!("d{end}e");
            check(&file, &[(1, Ok(&["a", "b"])), (4, Ok(&["c", &within])), (6, Ok(&["f"]))]);
        }
        check("\u{feff}\na", &[(2, Ok(&["a"]))]);
        check("", &[]);
    }

    #[test]
    fn quotes_that_do_not_match_spoil_their_row_and_no_other() {
        let bad = Err(Unreadable::Quotes);
        check("a\nA\"B,m\nb", &[(1, Ok(&["a"])), (2, bad), (3, Ok(&["b"]))]);
        check("a\n\"A\"B,m\nb", &[(1, Ok(&["a"])), (2, bad), (3, Ok(&["b"]))]);
        check("a\n\"unclosed,m\n", &[(1, Ok(&["a"])), (2, bad)]);
        check("\"A \"\"B\"\"\",\"\"\n\"\",b", &[(1, Ok(&["A \"B\"", ""])), (2, Ok(&["", "b"]))]);
    }

    #[test]
    fn bytes_that_are_no_text_spoil_their_row() {
        let found: Vec<Row> = rows(b"a\n\xFF\xFE\nb").collect();
        assert_eq!(found.len(), 3);
        assert_eq!((found[1].line, &found[1].fields), (2, &Err(Unreadable::NotText)));
    }
}

//! Files of members: CSV, read line by line into what each says of a person.

use std::{collections::BTreeMap, fmt};

use api::reason::{self, Reason};
use chassis::id::MemberId;
use csv::StringRecord;
use exchange::csv::restored;
use time::Date;
use uuid::Uuid;

use super::{
    day,
    limits::{
        GRADE_CHARS_MAX, IMPORT_COLUMNS_MAX, IMPORT_LINES_MAX, NOTE_CHARS_MAX, NUMBERS_MAX, ROSTER_BYTES_MAX,
    },
    member::{Sex, is_list, is_number},
    name::{InvalidName, Name, text},
    rows::{Row, Unreadable, foreign, rows},
};

/// The columns that there are, beside those of numbers.
const COLUMNS: [&str; 8] = ["id", "name", "latin", "sex", "birth_date", "grade", "club", "note"];
/// How the columns of numbers begin.
const NUMBER: &str = "number:";

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line on which it begins, from 1, as an editor counts them.
    pub line: u32,
    /// The column; empty where it is the whole line.
    pub column: String,
    /// The stable reason.
    pub reason: Reason,
    /// The same for a person.
    pub message: String,
}

/// A line: what it does not say is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The line on which it begins, from 1, as an editor counts them.
    pub number: u32,
    /// Our id.
    pub id: Option<MemberId>,
    /// The name.
    pub name: Option<Name>,
    /// The sex.
    pub sex: Option<Sex>,
    /// The day of birth.
    pub born: Option<Date>,
    /// The grade.
    pub grade: Option<String>,
    /// The club, by its id or one of its names.
    pub club: Option<String>,
    /// The note.
    pub note: Option<String>,
    /// Numbers in other lists.
    pub numbers: BTreeMap<String, String>,
}

impl Problem {
    /// What is wrong with a column of a line.
    pub fn new(line: u32, column: impl Into<String>, reason: Reason, message: impl Into<String>) -> Problem {
        Problem { line, column: column.into(), reason, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem { line, column, message, .. } = self;
        if column.is_empty() {
            write!(f, "line {line}: {message}")
        } else {
            write!(f, "line {line}, {column}: {message}")
        }
    }
}

/// Reads a file. Lines with problems are left out of the lines.
pub fn read(file: &[u8], today: Date) -> (Vec<Line>, Vec<Problem>) {
    if file.len() > ROSTER_BYTES_MAX {
        let message = "the file is larger than 16 MiB";
        return (Vec::new(), vec![Problem::new(1, "", reason::BAD_LINE, message)]);
    }
    if let Some(why) = foreign(file) {
        return (Vec::new(), vec![Problem::new(1, "", reason::BAD_ENCODING, why)]);
    }
    let mut rows = rows(file);
    let Some(Row { line: top, fields }) = rows.next() else {
        return (Vec::new(), vec![Problem::new(1, "", reason::BAD_HEADING, "the file is empty")]);
    };
    let heading = match fields {
        Ok(heading) => heading,
        Err(why) => {
            let reason = unreadable(why, reason::BAD_HEADING);
            return (Vec::new(), vec![Problem::new(top, "", reason, why.to_string())]);
        }
    };
    if heading.len() > IMPORT_COLUMNS_MAX {
        let message = "more than 1,000 columns";
        return (Vec::new(), vec![Problem::new(top, "", reason::BAD_HEADING, message)]);
    }
    let columns: Vec<String> = heading.iter().map(|column| column.trim().to_ascii_lowercase()).collect();
    let mut problems = check_heading(top, &columns);
    if !problems.is_empty() {
        return (Vec::new(), problems);
    }
    let mut lines = Vec::new();
    for (at, Row { line: number, fields }) in rows.enumerate() {
        if at >= IMPORT_LINES_MAX {
            problems.push(Problem::new(number, "", reason::BAD_LINE, "more than 20,000 lines"));
            break;
        }
        match fields.map(|record| line(number, &columns, &record, today)) {
            Ok(Ok(line)) => lines.push(line),
            Ok(Err(found)) => problems.extend(found),
            Err(why) => {
                let reason = unreadable(why, reason::BAD_LINE);
                problems.push(Problem::new(number, "", reason, why.to_string()));
            }
        }
    }
    (lines, problems)
}

/// The reason for which a row cannot be read: its encoding, or what its quotes spoil.
pub(super) const fn unreadable(why: Unreadable, spoiled: Reason) -> Reason {
    match why {
        Unreadable::NotText => reason::BAD_ENCODING,
        Unreadable::Quotes => spoiled,
    }
}

fn check_heading(line: u32, columns: &[String]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let known = COLUMNS.contains(&column.as_str()) || column.strip_prefix(NUMBER).is_some_and(is_list);
        if !known {
            problems.push(Problem::new(line, column, reason::BAD_HEADING, "there is no such column"));
        } else if columns[..at].contains(column) {
            problems.push(Problem::new(line, column, reason::BAD_HEADING, "the column is there twice"));
        }
    }
    if !columns.iter().any(|column| column == "name" || column == "id") {
        problems.push(Problem::new(
            line,
            "name",
            reason::BAD_HEADING,
            "there is no column of names, nor of ids",
        ));
    }
    problems
}

fn line(number: u32, columns: &[String], record: &StringRecord, today: Date) -> Result<Line, Vec<Problem>> {
    if record.len() > columns.len() {
        return Err(vec![Problem::new(number, "", reason::BAD_LINE, "it has more fields than the heading")]);
    }
    let cell = |at: usize| record.get(at).map(|cell| restored(cell).trim()).filter(|field| !field.is_empty());
    let field = |column: &str| cell(columns.iter().position(|known| known == column)?);
    let mut problems = Vec::new();
    let mut bad =
        |column: &str, reason, message: &str| problems.push(Problem::new(number, column, reason, message));
    let mut read = Line { number, club: field("club").map(str::to_owned), ..Line::default() };
    if let Some(id) = field("id") {
        read.id = Uuid::try_parse(id).ok().filter(|id| !id.is_nil()).map(MemberId::from);
        if read.id.is_none() {
            bad("id", reason::BAD_ID, "not a UUID");
        }
    }
    if let Some(native) = field("name") {
        match Name::parse(native, field("latin").unwrap_or_default()) {
            Ok(name) => read.name = Some(name),
            Err(InvalidName::Native(fault)) => bad("name", reason::BAD_ORGANISATION_NAME, &fault.to_string()),
            Err(InvalidName::Latin(fault)) => bad("latin", reason::BAD_ORGANISATION_NAME, &fault.to_string()),
        }
    }
    match field("sex").map(str::to_ascii_lowercase).as_deref() {
        None => {}
        Some("f") => read.sex = Some(Sex::Female),
        Some("m") => read.sex = Some(Sex::Male),
        Some(_) => bad("sex", reason::BAD_MEMBER, "f or m"),
    }
    if let Some(born) = field("birth_date") {
        read.born = day::parse(born).filter(|born| *born <= today);
        if read.born.is_none() {
            bad("birth_date", reason::BAD_DATE, "a day that has been, as 2001-12-31");
        }
    }
    for (column, chars, place) in
        [("grade", GRADE_CHARS_MAX, &mut read.grade), ("note", NOTE_CHARS_MAX, &mut read.note)]
    {
        if let Some(found) = field(column) {
            *place = text(found, chars);
            if place.is_none() {
                bad(column, reason::BAD_TEXT, "too long, or with characters that cannot be seen");
            }
        }
    }
    for (at, column) in columns.iter().enumerate() {
        let Some((list, found)) = column.strip_prefix(NUMBER).zip(cell(at)) else { continue };
        if is_number(found) && read.numbers.len() < NUMBERS_MAX {
            read.numbers.insert(list.to_owned(), found.to_owned());
        } else {
            bad(column, reason::BAD_MEMBER, "1 to 32 letters, digits and \"-\", in 8 lists at most");
        }
    }
    if problems.is_empty() { Ok(read) } else { Err(problems) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn today() -> Date {
        day::parse("2026-11-23").expect("a day")
    }

    #[test]
    fn a_file_is_read_with_or_without_a_mark_and_in_any_order_of_columns() {
        for mark in ["", "\u{FEFF}"] {
            let file = format!(
                "{mark}Latin,name,number:fide,sex,birth_date\nTashi,བཀྲ་ཤིས,123-4,F,2001-12-31\n,Anna,,,\n"
            );
            let (lines, problems) = read(file.as_bytes(), today());
            assert_eq!(problems, []);
            let first = Line {
                number: 2,
                name: Name::parse("བཀྲ་ཤིས", "Tashi").ok(),
                sex: Some(Sex::Female),
                born: day::parse("2001-12-31"),
                numbers: BTreeMap::from([("fide".to_owned(), "123-4".to_owned())]),
                ..Line::default()
            };
            assert_eq!(
                lines,
                [first, Line { number: 3, name: Name::parse("Anna", "").ok(), ..Line::default() }]
            );
        }
    }

    #[test]
    fn each_bad_field_is_named() {
        let file = "id,name,latin,sex,birth_date,number:egd\nx,Anna,,w,2030-01-01,#\n,棋手,,,,\n,Anna,,,,,\n";
        let (lines, problems) = read(file.as_bytes(), today());
        let found: Vec<(u32, &str, Reason)> =
            problems.iter().map(|problem| (problem.line, problem.column.as_str(), problem.reason)).collect();
        let expected = [
            (2, "id", reason::BAD_ID),
            (2, "sex", reason::BAD_MEMBER),
            (2, "birth_date", reason::BAD_DATE),
            (2, "number:egd", reason::BAD_MEMBER),
            (3, "latin", reason::BAD_ORGANISATION_NAME),
            (4, "", reason::BAD_LINE),
        ];
        assert_eq!((found.as_slice(), lines), (&expected[..], vec![]));
        for (bad, why) in
            [("", "empty"), ("name,colour\n", "unknown"), ("name,name\n", "twice"), ("grade\n", "no name")]
        {
            let (_, problems) = read(bad.as_bytes(), today());
            assert!(problems.iter().any(|problem| problem.reason == reason::BAD_HEADING), "{why}");
        }
        let (_, problems) = read(b"name\n\xFF\xFE\n", today());
        assert_eq!((problems[0].line, problems[0].reason), (2, reason::BAD_ENCODING));
        for foreign in [&b"\xFF\xFEn\0a\0"[..], b"\xFE\xFF\0n", b"n\0a\0m\0e\0\n\0"] {
            let (_, problems) = read(foreign, today());
            assert_eq!((problems.len(), problems[0].reason), (1, reason::BAD_ENCODING));
            assert!(problems[0].message.contains("UTF-16"));
        }
        let (_, problems) = read(b"PK\x03\x04 a workbook", today());
        assert_eq!((problems.len(), problems[0].reason), (1, reason::BAD_ENCODING));
        let wide = (0..=IMPORT_COLUMNS_MAX).map(|it| format!("number:{it}")).collect::<Vec<_>>().join(",");
        let (_, problems) = read(wide.as_bytes(), today());
        assert_eq!((problems.len(), problems[0].reason), (1, reason::BAD_HEADING));
        let chinese = b"name\n\xC4\xF4\xCE\xC0\xC6\xBD\n";
        let (_, problems) = read(chinese, today());
        assert!(problems[0].message.contains("GB18030"), "{}", problems[0].message);
    }

    #[test]
    fn a_bad_line_has_its_own_number_and_makes_no_member() {
        let file = "name,note\n\nAnna,\"two\nlines\"\nBo,x,y\nA\"B,m\n\"unclosed,m\n";
        let (lines, problems) = read(file.as_bytes(), today());
        let bad: Vec<(u32, Reason)> = problems.iter().map(|it| (it.line, it.reason)).collect();
        assert_eq!(bad, [5, 6, 7].map(|line| (line, reason::BAD_LINE)));
        assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), [3]);
    }
}

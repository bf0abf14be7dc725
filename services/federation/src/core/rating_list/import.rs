//! Files of ratings that somebody vouches for: CSV, read line by line.

use std::collections::{BTreeMap, BTreeSet};

use api::reason::{self, Reason};
use chassis::id::MemberId;
use csv::StringRecord;
use strength::Points;
use time::Date;
use uuid::Uuid;

use super::limits::IMPORTED_GAMES_MAX;
use crate::core::{
    day,
    import::{Problem, unreadable},
    limits::{IMPORT_BYTES_MAX, IMPORT_COLUMNS_MAX, IMPORT_LINES_MAX},
    member::{is_list, is_number},
    rows::{Row, foreign, rows},
};

/// The columns that there are, beside that of a number.
const COLUMNS: [&str; 4] = ["id", "rating", "games", "date"];
/// How a column of numbers begins.
const NUMBER: &str = "number:";

/// A rating that somebody vouches for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vouched {
    /// Whose.
    pub member: MemberId,
    /// The rating.
    pub rating: Points,
    /// By how many games.
    pub games: u32,
    /// Of which day.
    pub day: Date,
    /// Who vouches for it.
    pub by: String,
    /// The first list that knows it.
    pub known_by: Option<u32>,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line on which it begins, from 1.
    pub number: u32,
    /// Whose rating it is.
    pub whose: Whose,
    /// The rating.
    pub rating: Points,
    /// By how many games.
    pub games: u32,
    /// Of which day.
    pub day: Date,
}

/// How a line names a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// By our id.
    Id(MemberId),
    /// By his number in a list.
    Number(String, String),
}

/// What is known of the members of whom a file may speak.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Members of the federation by their ids; a double is the one into whom he was merged.
    pub ids: BTreeMap<MemberId, MemberId>,
    /// Members by their lists and numbers.
    pub numbers: BTreeMap<(String, String), MemberId>,
    /// Who is rated by the last list.
    pub rated: BTreeSet<MemberId>,
    /// The ratings that were taken in before.
    pub vouched: BTreeMap<MemberId, Vouched>,
}

/// What a file does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// New ratings.
    pub new: Vec<Vouched>,
    /// Those that take the place of one that no list knows yet.
    pub changed: Vec<Vouched>,
    /// How many are known as the file has them.
    pub unchanged: u32,
}

/// Reads a file. Lines with problems are left out of the lines.
pub fn read(file: &[u8], today: Date) -> (Vec<Line>, Vec<Problem>) {
    let whole = |reason, message: String| (Vec::new(), vec![Problem::new(1, "", reason, message)]);
    if file.len() > IMPORT_BYTES_MAX {
        return whole(reason::BAD_LINE, "the file is larger than 2 MiB".to_owned());
    }
    if let Some(why) = foreign(file) {
        return whole(reason::BAD_ENCODING, why.to_owned());
    }
    let mut rows = rows(file);
    let heading = match rows.next() {
        None => return whole(reason::BAD_HEADING, "the file is empty".to_owned()),
        Some(Row { fields: Err(why), .. }) => {
            return whole(unreadable(why, reason::BAD_HEADING), why.to_string());
        }
        Some(Row { fields: Ok(heading), .. }) if heading.len() > IMPORT_COLUMNS_MAX => {
            return whole(reason::BAD_HEADING, "more than 1,000 columns".to_owned());
        }
        Some(Row { fields: Ok(heading), .. }) => heading,
    };
    let columns: Vec<String> = heading.iter().map(|column| column.trim().to_ascii_lowercase()).collect();
    let mut problems = check_heading(&columns);
    if !problems.is_empty() {
        return (Vec::new(), problems);
    }
    let mut lines = Vec::new();
    for (at, Row { line: number, fields }) in rows.enumerate() {
        if at >= IMPORT_LINES_MAX {
            problems.push(Problem::new(number, "", reason::BAD_LINE, "more than 5,000 lines"));
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

fn check_heading(columns: &[String]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut bad = |column: &str, message: &str| {
        problems.push(Problem::new(1, column, reason::BAD_HEADING, message));
    };
    let is_number = |column: &str| column.strip_prefix(NUMBER).is_some_and(is_list);
    for (at, column) in columns.iter().enumerate() {
        if !COLUMNS.contains(&column.as_str()) && !is_number(column) {
            bad(column, "there is no such column");
        } else if columns[..at].contains(column) {
            bad(column, "the column is there twice");
        }
    }
    for needed in ["rating", "games", "date"] {
        if !columns.iter().any(|column| column == needed) {
            bad(needed, "there is no such column, and it is needed");
        }
    }
    let names = columns.iter().filter(|column| *column == "id" || is_number(column)).count();
    if names != 1 {
        bad("id", "one column says whose the ratings are: id, or number:LIST");
    }
    problems
}

fn line(number: u32, columns: &[String], record: &StringRecord, today: Date) -> Result<Line, Vec<Problem>> {
    if record.len() > columns.len() {
        return Err(vec![Problem::new(number, "", reason::BAD_LINE, "it has more fields than the heading")]);
    }
    let mut read = Reading { number, problems: Vec::new() };
    let field = |wanted: &dyn Fn(&str) -> bool| {
        let at = columns.iter().position(|column| wanted(column)).unwrap_or(usize::MAX);
        (columns.get(at).map_or("", String::as_str), record.get(at).unwrap_or_default().trim())
    };
    let (column, text) = field(&|column| column == "id" || column.starts_with(NUMBER));
    let whose = match column.strip_prefix(NUMBER) {
        None => {
            let id = Uuid::try_parse(text).ok().filter(|id| !id.is_nil());
            read.or(id.map(|id| Whose::Id(id.into())), column, reason::BAD_ID, "not a UUID")
        }
        Some(list) => {
            let known = is_number(text).then(|| Whose::Number(list.to_owned(), text.to_owned()));
            read.or(known, column, reason::BAD_MEMBER, "1 to 32 letters, digits and \"-\"")
        }
    };
    let (column, text) = field(&|column| column == "rating");
    let rating = read.or(Points::parse(text), column, reason::BAD_LINE, "a rating as 1613.25");
    let (column, text) = field(&|column| column == "games");
    let games = text.parse().ok().filter(|games| *games <= IMPORTED_GAMES_MAX);
    let games = read.or(games, column, reason::BAD_LINE, "0 to 100,000 games");
    let (column, text) = field(&|column| column == "date");
    let of = day::parse(text).filter(|of| *of <= today);
    let of = read.or(of, column, reason::BAD_DATE, "a day that has been, as 2001-12-31");
    match (whose, rating, games, of) {
        (Some(whose), Some(rating), Some(games), Some(day)) => Ok(Line { number, whose, rating, games, day }),
        _ => Err(read.problems),
    }
}

/// A line that is read, with what is wrong with it.
struct Reading {
    number: u32,
    problems: Vec<Problem>,
}

impl Reading {
    fn or<T>(&mut self, read: Option<T>, column: &str, reason: Reason, message: &str) -> Option<T> {
        if read.is_none() {
            self.problems.push(Problem::new(self.number, column, reason, message));
        }
        read
    }
}

impl Known {
    /// What lines do that somebody vouches for, and what is wrong with them.
    pub fn plan(&self, lines: &[Line], by: &str) -> (Plan, Vec<Problem>) {
        let (mut plan, mut problems, mut seen) = (Plan::default(), Vec::new(), BTreeSet::new());
        for line in lines {
            let (column, found) = match &line.whose {
                Whose::Id(id) => ("id".to_owned(), self.ids.get(id)),
                Whose::Number(list, number) => {
                    (format!("{NUMBER}{list}"), self.numbers.get(&(list.clone(), number.clone())))
                }
            };
            let mut bad = |reason, message: &str| {
                problems.push(Problem::new(line.number, column.as_str(), reason, message));
            };
            let Some(member) = found.copied() else {
                bad(reason::UNKNOWN_MEMBER, "the federation has no such member");
                continue;
            };
            if !seen.insert(member) {
                bad(reason::BAD_LINE, "the member is in the file twice");
                continue;
            }
            let Line { rating, games, day, .. } = *line;
            let new = Vouched { member, rating, games, day, by: by.to_owned(), known_by: None };
            match self.vouched.get(&member) {
                Some(known) if same(known, &new) => plan.unchanged += 1,
                Some(known) if known.known_by.is_some() => {
                    bad(reason::RATING_KNOWN, "a list knows another imported rating of him");
                }
                _ if self.rated.contains(&member) => bad(reason::RATING_KNOWN, "a list rates him already"),
                Some(_) => plan.changed.push(new),
                None => plan.new.push(new),
            }
        }
        (plan, problems)
    }
}

/// Whether two say the same, whatever list knows them.
fn same(known: &Vouched, new: &Vouched) -> bool {
    *known == Vouched { known_by: known.known_by, ..new.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn today() -> Date {
        day::parse("2026-11-24").expect("a day")
    }

    fn member(number: u128) -> MemberId {
        Uuid::from_u128(number).into()
    }

    #[test]
    fn each_bad_field_is_named_with_its_line() {
        let id = member(7);
        let file =
            format!("rating,id,games,date\n1613.25,{id},12,2026-01-31\n1e3,x,-1,2027-01-01\n\n1500,{id},3\n");
        let (lines, problems) = read(file.as_bytes(), today());
        let day = day::parse("2026-01-31").expect("a day");
        let whose = Whose::Id(id);
        assert_eq!(lines, [Line { number: 2, whose, rating: Points(161_325), games: 12, day }]);
        let found: Vec<(u32, &str)> = problems.iter().map(|it| (it.line, it.column.as_str())).collect();
        assert_eq!(found, [(3, "id"), (3, "rating"), (3, "games"), (3, "date"), (5, "date")]);
        for bad in [
            "",
            "id,rating,games\n",
            "id,number:fide,rating,games,date\n",
            "rating,games,date\n",
            "id,id,rating,games,date\n",
        ] {
            let (_, problems) = read(bad.as_bytes(), today());
            assert!(problems.iter().any(|it| it.reason == reason::BAD_HEADING), "{bad:?}");
        }
        let heading = b"rating,id,games,date\n";
        let latin = [&heading[..], b"1500,\xFC,1,2026-01-31\n"].concat();
        for (foreign, line) in [(&b"\xFF\xFEr\0"[..], 1), (b"r\0a\0", 1), (b"PK\x03\x04", 1), (&latin, 2)] {
            let (_, problems) = read(foreign, today());
            let found: Vec<_> = problems.iter().map(|it| (it.line, it.reason)).collect();
            assert_eq!(found, [(line, reason::BAD_ENCODING)], "{foreign:?}");
        }
        let wide = (0..=IMPORT_COLUMNS_MAX).map(|it| format!("number:{it}")).collect::<Vec<_>>().join(",");
        let (_, problems) = read(wide.as_bytes(), today());
        assert_eq!((problems.len(), problems[0].reason), (1, reason::BAD_HEADING));
    }

    #[test]
    fn what_a_list_knows_is_not_taken_again_and_the_same_changes_nothing() {
        let day = today();
        let vouched = |number, rating, known_by| Vouched {
            member: member(number),
            rating: Points::whole(rating),
            games: 10,
            day,
            by: "the old list".to_owned(),
            known_by,
        };
        let known = Known {
            ids: (1..=5)
                .map(|number| (member(number), member(number)))
                .chain([(member(6), member(1))])
                .collect(),
            numbers: [(("fide".to_owned(), "12".to_owned()), member(5))].into(),
            rated: [member(4)].into(),
            vouched: [vouched(1, 1500, None), vouched(2, 1500, Some(3)), vouched(3, 1500, Some(3))]
                .map(|it| (it.member, it))
                .into(),
        };
        let line = |number: u128, rating| Line {
            number: u32::try_from(number).expect("small"),
            whose: Whose::Id(member(number)),
            rating: Points::whole(rating),
            games: 10,
            day,
        };
        let by_number = Line { whose: Whose::Number("fide".to_owned(), "12".to_owned()), ..line(5, 1700) };
        let lines = [
            line(1, 1600),
            line(2, 1500),
            line(3, 1600),
            line(4, 1600),
            by_number,
            line(6, 1600),
            line(9, 1600),
        ];
        let (plan, problems) = known.plan(&lines, "the old list");
        let found: Vec<(u32, Reason)> = problems.iter().map(|it| (it.line, it.reason)).collect();
        let expected = [
            (3, reason::RATING_KNOWN),
            (4, reason::RATING_KNOWN),
            (6, reason::BAD_LINE),
            (9, reason::UNKNOWN_MEMBER),
        ];
        assert_eq!(found, expected);
        assert_eq!(
            plan,
            Plan { new: vec![vouched(5, 1700, None)], changed: vec![vouched(1, 1600, None)], unchanged: 1 }
        );
    }
}

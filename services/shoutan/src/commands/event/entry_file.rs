//! Files of entries, and members found by their names.

use std::{collections::BTreeMap, io::Read as _, path::Path, process::ExitCode};

use anyhow::{Context as _, anyhow, ensure};
use api::{
    error::reason,
    federation::v1::{Event, ListMembersRequest, Member},
};
use federation::core::rows::rows;
use serde_json::{Value, json};
use tonic::Status;

use super::{
    change::{Target, change},
    print,
    session::{Session, all},
    shown,
};
use crate::commands::regular_file;

/// Longer files hold something else: a line of the most that can enter has 64 bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The columns that a file can have.
const COLUMNS: [&str; 4] = ["member", "rating", "grade", "affiliations"];

/// An entry of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Line {
    number: u32,
    member: String,
    rating: Option<i32>,
    grade: Option<i32>,
    affiliations: Vec<u32>,
}

/// What is wrong with a line of a file.
#[derive(Debug)]
struct Problem {
    line: u32,
    member: String,
    why: anyhow::Error,
}

impl Problem {
    /// What is wrong with the file itself; it is told as the server's refusals are, which have reasons of their own.
    fn of_file(line: u32, why: anyhow::Error) -> Problem {
        Problem { line, member: String::new(), why }
    }

    fn record(&self) -> print::Record {
        let refusal = refusal(&self.why);
        let reason = if refusal.is_empty() { api::reason::BAD_LINE.name() } else { &refusal };
        vec![
            ("line", json!(self.line)),
            ("member", json!(self.member)),
            ("reason", json!(reason)),
            ("message", json!(crate::commands::sentence(&self.why))),
        ]
    }
}

/// The members of a federation by what they are called.
pub(super) struct Roster(BTreeMap<String, Vec<String>>);

impl Roster {
    /// The active members of the federation whose event it is.
    pub(super) async fn of(session: &Session, event: &Event) -> anyhow::Result<Roster> {
        let request = ListMembersRequest { federation_id: event.federation_id.clone(), ..Default::default() };
        let members: Vec<Member> = all!(session.federations(), list_members, request, members);
        let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for member in members {
            let name = member.name.unwrap_or_default();
            let is_other = name.latin != name.native && !name.latin.is_empty();
            for called in [Some(name.native), is_other.then_some(name.latin)].into_iter().flatten() {
                by_name.entry(called).or_default().push(member.member_id.clone());
            }
        }
        Ok(Roster(by_name))
    }

    /// The id of a member who is named by it or by one of his names.
    ///
    /// # Errors
    /// When nobody is called that, or several are.
    pub(super) fn find(&self, named: &str) -> anyhow::Result<String> {
        if uuid::Uuid::try_parse(named).is_ok() {
            return Ok(named.to_owned());
        }
        match self.0.get(named).map(Vec::as_slice) {
            None | Some([]) => Err(anyhow!("no member is called {named}")),
            Some([member]) => Ok(member.clone()),
            Some(several) => Err(anyhow!("{} members are called {named}: name one by his id", several.len())),
        }
    }

    /// The ids of several.
    ///
    /// # Errors
    /// As [`Roster::find`] of each.
    pub(super) fn find_all(&self, named: &[String]) -> anyhow::Result<Vec<String>> {
        named.iter().map(|it| self.find(it)).collect()
    }
}

/// Enters everybody of a file, and says of each line that was refused why. While a line is bad or names nobody, nobody is
/// entered.
pub(super) async fn enter(
    session: &Session,
    target: &Target,
    event: &Event,
    path: &Path,
    supplement_version: u32,
) -> anyhow::Result<ExitCode> {
    let file = read(path).with_context(|| format!("reading {}", path.display()))?;
    let (lines, mut problems) = parse(&file);
    let roster = Roster::of(session, event).await?;
    let mut found = Vec::new();
    for line in lines {
        match roster.find(&line.member) {
            Ok(member_id) => found.push((line, member_id)),
            Err(why) => problems.push(Problem { line: line.number, member: line.member, why }),
        }
    }
    problems.sort_by_key(|problem| problem.line);
    let (mut entered, mut known) = (0, 0);
    if problems.is_empty() {
        for (Line { number, member, rating, grade, affiliations }, member_id) in found {
            let request = async {
                change!(
                    session,
                    target,
                    enter_event(EnterEventRequest {
                        member_id,
                        supplement_version,
                        rating,
                        grade,
                        affiliations
                    })
                )
            };
            match request.await {
                Ok(_) => entered += 1,
                Err(error) if refusal(&error) == api::reason::ALREADY_ENTERED => known += 1,
                Err(why) => problems.push(Problem { line: number, member, why }),
            }
        }
    }
    let counts = vec![
        ("event", json!(shown::name(event))),
        ("entered", json!(entered)),
        ("already", json!(known)),
        ("refused", json!(problems.len())),
        ("only_checked", json!(target.dry_run)),
    ];
    tell(session.json, counts, &problems)
}

/// A file that is no longer than it may be.
fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut file = Vec::new();
    regular_file::open(path)?.take(FILE_BYTES_MAX + 1).read_to_end(&mut file)?;
    ensure!(file.len() as u64 <= FILE_BYTES_MAX, "it is longer than {FILE_BYTES_MAX} bytes");
    Ok(file)
}

/// Prints what came of a file.
fn tell(json: bool, counts: print::Record, problems: &[Problem]) -> anyhow::Result<ExitCode> {
    let records: Vec<print::Record> = problems.iter().map(Problem::record).collect();
    if json {
        let mut whole = counts;
        whole.push(("problems", Value::Array(records.iter().map(print::object).collect())));
        print::one(true, &whole)?;
    } else {
        print::one(false, &counts)?;
        if !records.is_empty() {
            print::list(false, &records)?;
        }
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The server's reason; empty where it is none of the server's.
fn refusal(error: &anyhow::Error) -> String {
    error.downcast_ref::<Status>().map(reason).unwrap_or_default()
}

/// The lines of a file that can be read, and what is wrong with the others.
fn parse(file: &[u8]) -> (Vec<Line>, Vec<Problem>) {
    let mut rows = rows(file).map(|row| (row.line, row.fields.map_err(|why| anyhow!("{why}"))));
    let (line, heading) = rows.next().unwrap_or_else(|| (1, Err(anyhow!("the file is empty"))));
    let columns = match heading.and_then(|heading| columns(heading.iter())) {
        Ok(columns) => columns,
        Err(why) => return (Vec::new(), vec![Problem::of_file(line, why)]),
    };
    let (mut lines, mut problems) = (Vec::new(), Vec::new());
    for (line, fields) in rows {
        let cells = fields.map(|fields| fields.iter().map(|cell| cell.trim().to_owned()).collect());
        match cells.and_then(|cells: Vec<String>| entry(&columns, &cells, line)) {
            Ok(entry) => lines.push(entry),
            Err(why) => problems.push(Problem::of_file(line, why)),
        }
    }
    (lines, problems)
}

fn columns<'a>(heading: impl Iterator<Item = &'a str>) -> anyhow::Result<Vec<String>> {
    let columns: Vec<String> = heading.map(|column| column.trim().to_owned()).collect();
    for column in &columns {
        let is_known = COLUMNS.contains(&column.as_str());
        ensure!(is_known, "{column:?} is no column; there are {}", COLUMNS.join(", "));
    }
    ensure!(columns.iter().any(|column| column == "member"), "there is no column member");
    Ok(columns)
}

fn entry(columns: &[String], cells: &[String], number: u32) -> anyhow::Result<Line> {
    ensure!(cells.len() == columns.len(), "{} cells, and {} columns", cells.len(), columns.len());
    let mut entry = Line { number, ..Line::default() };
    for (column, cell) in columns.iter().zip(cells) {
        let whole = || cell.parse::<i32>().with_context(|| format!("{column}: {cell:?} is no whole number"));
        match column.as_str() {
            "member" => cell.clone_into(&mut entry.member),
            _ if cell.is_empty() => {}
            "rating" => entry.rating = Some(whole()?),
            "grade" => entry.grade = Some(whole()?),
            _ => {
                let numbers = cell.split_whitespace().map(str::parse);
                entry.affiliations = numbers
                    .collect::<Result<_, _>>()
                    .with_context(|| format!("affiliations: {cell:?} are no numbers"))?;
            }
        }
    }
    ensure!(!entry.member.is_empty(), "nobody is named");
    Ok(entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_in_any_order_and_names_may_have_commas() {
        let file = "\u{feff}rating, member,affiliations\n1900,聂卫平,1 7\n\n,\"Anna, the younger\",\n";
        let (lines, problems) = parse(file.as_bytes());
        assert!(problems.is_empty(), "{problems:?}");
        let first = Line {
            number: 2,
            member: "聂卫平".to_owned(),
            rating: Some(1900),
            affiliations: vec![1, 7],
            ..Line::default()
        };
        let second = Line { number: 4, member: "Anna, the younger".to_owned(), ..Line::default() };
        assert_eq!(lines, [first, second]);
    }

    #[test]
    fn all_bad_lines_are_named_at_once() {
        for (text, bad) in [
            ("name\nAnna", &[1][..]),
            ("rating\n1", &[1]),
            ("", &[1]),
            ("member,rating\nAnna", &[2]),
            ("member,rating\nAnna,1\n\nBo,many\nA\"B,2\nCao,\n,1", &[4, 5, 7]),
        ] {
            let (_, problems) = parse(text.as_bytes());
            assert_eq!(problems.iter().map(|it| it.line).collect::<Vec<_>>(), bad, "{text}: {problems:?}");
            assert!(problems.iter().all(|it| it.record()[2].1 == "BAD_LINE"), "{problems:?}");
        }
    }
}

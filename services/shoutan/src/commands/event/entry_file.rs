//! Files of entries, and members found by their names.

use std::{collections::BTreeMap, io::Read as _, path::Path, process::ExitCode};

use anyhow::{Context as _, anyhow, bail, ensure};
use api::{
    error::reason,
    federation::v1::{Event, ListMembersRequest, Member},
};
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
    number: usize,
    member: String,
    rating: Option<i32>,
    grade: Option<i32>,
    affiliations: Vec<u32>,
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
}

/// Enters everybody of a file, and says of each line that was refused why.
pub(super) async fn enter(
    session: &Session,
    target: &Target,
    event: &Event,
    path: &Path,
    supplement_version: u32,
) -> anyhow::Result<ExitCode> {
    let reading = || format!("reading {}", path.display());
    let mut text = String::new();
    let file = regular_file::open(path).with_context(reading)?;
    file.take(FILE_BYTES_MAX).read_to_string(&mut text).with_context(reading)?;
    let lines = parse(&text).with_context(|| path.display().to_string())?;
    let roster = Roster::of(session, event).await?;
    let (mut entered, mut known, mut problems) = (0, 0, Vec::new());
    for Line { number, member, rating, grade, affiliations } in lines {
        let tried = async {
            let member_id = roster.find(&member)?;
            change!(
                session,
                target,
                enter_event(EnterEventRequest { member_id, supplement_version, rating, grade, affiliations })
            )
        };
        match tried.await {
            Ok(_) => entered += 1,
            Err(error) if refusal(&error) == api::reason::ALREADY_ENTERED => known += 1,
            Err(error) => problems.push(vec![
                ("line", json!(number)),
                ("member", json!(member)),
                ("reason", json!(refusal(&error))),
                ("message", json!(crate::commands::sentence(&error))),
            ]),
        }
    }
    let counts = vec![
        ("event", json!(shown::name(event))),
        ("entered", json!(entered)),
        ("already", json!(known)),
        ("refused", json!(problems.len())),
        ("only_checked", json!(target.dry_run)),
    ];
    if session.json {
        let mut whole = counts;
        let problems = problems.iter().map(print::object).collect();
        whole.push(("problems", Value::Array(problems)));
        print::one(true, &whole)?;
    } else {
        print::one(false, &counts)?;
        if !problems.is_empty() {
            print::list(false, &problems)?;
        }
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The server's reason; empty where it is none of the server's.
fn refusal(error: &anyhow::Error) -> String {
    error.downcast_ref::<Status>().map(reason).unwrap_or_default()
}

fn parse(text: &str) -> anyhow::Result<Vec<Line>> {
    let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let heading = lines.next().map(|(_, line)| line).unwrap_or_default();
    let columns: Vec<&str> = heading.split(',').map(str::trim).collect();
    for column in &columns {
        ensure!(
            COLUMNS.contains(column),
            "line 1: {column:?} is no column; there are {}",
            COLUMNS.join(", ")
        );
    }
    ensure!(columns.contains(&"member"), "line 1: there is no column member");
    let filled = lines.filter(|(_, line)| !line.trim().is_empty());
    filled
        .map(|(at, line)| entry(&columns, line, at + 1).with_context(|| format!("line {}", at + 1)))
        .collect()
}

fn entry(columns: &[&str], line: &str, number: usize) -> anyhow::Result<Line> {
    let cells: Vec<&str> = line.split(',').map(|cell| cell.trim().trim_matches('"')).collect();
    if cells.len() != columns.len() {
        bail!("{} cells, and {} columns", cells.len(), columns.len());
    }
    let mut entry = Line { number, ..Line::default() };
    for (column, cell) in columns.iter().zip(cells) {
        let whole = || cell.parse::<i32>().with_context(|| format!("{column}: {cell:?} is no whole number"));
        match *column {
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
    fn columns_stand_in_any_order() {
        let lines =
            parse("\u{feff}rating, member,affiliations\n1900,聂卫平,1 7\n\n,Anna,\n").expect("a file");
        let first = Line {
            number: 2,
            member: "聂卫平".to_owned(),
            rating: Some(1900),
            affiliations: vec![1, 7],
            ..Line::default()
        };
        assert_eq!(lines, [first, Line { number: 4, member: "Anna".to_owned(), ..Line::default() }]);
    }

    #[test]
    fn a_bad_line_is_named() {
        for (text, line) in [
            ("name\nAnna", "line 1"),
            ("rating\n1", "line 1"),
            ("member,rating\nAnna", "line 2"),
            ("member,rating\nAnna,1\nBo,many", "line 3"),
            ("member,rating\n,1", "line 2"),
        ] {
            let error = format!("{:#}", parse(text).expect_err(text));
            assert!(error.starts_with(line), "{error}");
        }
    }
}

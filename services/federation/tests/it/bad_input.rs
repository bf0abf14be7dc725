//! Files that are wrong, or want to do harm, through the API: each is refused for a stable reason, at its line and column, and
//! changes nothing. What is no file (a proposal, a line-up, a season, a list) is refused where it is asked for.

use api::{
    error::reason,
    federation::v1::{self as pb, export_event_request::Content},
};
use exchange::limits::ARCHIVE_BYTES_MAX;
use tonic_types::StatusExt as _;

use crate::{
    exchanges::{export, import, of, request, sent},
    files,
    fixture::{Fixture, Founded, fixtures},
    held::{begin, drawn, held, run, settings},
    imports,
};

/// Files of events at a time: an account has no more that wait.
const AT_ONCE: usize = 7;

/// What there is of a federation that a file could change.
async fn picture(federation: &Founded) -> (Vec<pb::Member>, Vec<pb::Event>, Vec<pb::Club>) {
    let (founder, id) = (&federation.founder, &federation.id);
    let events = pb::ListEventsRequest { federation_id: id.clone(), ..Default::default() };
    let events = founder.events.clone().list_events(events).await.expect("a list").into_inner().events;
    let clubs = pb::ListClubsRequest { federation_id: id.clone(), ..Default::default() };
    let clubs = founder.federations.clone().list_clubs(clubs).await.expect("a list").into_inner().clubs;
    (imports::all(founder, id).await, events, clubs)
}

/// Files of events, what is wrong with them, and at which line and column.
fn events() -> Vec<(&'static str, Vec<u8>, &'static str, u32, u32)> {
    let xml = |inside: &str| format!("<?xml version=\"1.0\"?>\n{inside}\n").into_bytes();
    let nine = (0..9).map(|it| format!("<!ENTITY l{} \"{}\">", it + 1, format!("&l{it};").repeat(10)));
    let laughs = format!("<!DOCTYPE T [<!ENTITY l0 \"ha\">{}]>", nine.collect::<String>());
    let zeros = vec![0; ARCHIVE_BYTES_MAX / 2];
    let bomb = exchange::archive::archive([("event.xml", zeros)]).expect("it is packed");
    assert!(bomb.len() < 200_000, "{} bytes for {}", bomb.len(), ARCHIVE_BYTES_MAX / 2);
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let player = |number: &str, name: &str, rounds: &str| {
        format!("001 {number}      {name:<33}{:>42}{rounds}\n", "").into_bytes()
    };
    let two = |one: &str, other: &str| [player("   1", "A", one), player("   2", "B", other)].concat();
    vec![
        ("entities of entities", xml(&format!("{laughs}<Tournament>&l9;</Tournament>")), "doctype", 2, 1),
        (
            "a file of the server's",
            xml("<!DOCTYPE T SYSTEM \"file:///etc/passwd\"><Tournament/>"),
            "doctype",
            2,
            1,
        ),
        (
            "another server",
            xml("<!DOCTYPE T SYSTEM \"http://10.0.0.1/x.dtd\"><Tournament/>"),
            "doctype",
            2,
            1,
        ),
        ("an entity that is not declared", xml("<Tournament>&x;</Tournament>"), "entity", 2, 13),
        (
            "elements within elements",
            xml(&"<a>".repeat(100_000).replacen("<a>", "<Tournament>", 1)),
            "too_deep",
            2,
            58,
        ),
        ("XML that is not closed", xml("<Tournament><Players></Tournament>"), "xml", 2, 22),
        ("a bomb", bomb, "packed", 1, 1),
        ("a packed file", b"\x1f\x8b\x08\x00rest".to_vec(), "packed", 1, 1),
        ("UTF-16 with a mark", wide("\u{feff}number,last_name\n1,A\n"), "utf16", 1, 1),
        ("UTF-16 without a mark", wide("number,last_name\n1,A\n"), "utf16", 1, 1),
        ("GB18030", b"number,last_name\n1,\xcd\xf5\xce\xb0\n".to_vec(), "not_utf8", 2, 3),
        ("Latin-1", b"number,last_name\n1,A\n2,M\xfcller\n".to_vec(), "not_utf8", 3, 4),
        ("a table with one cell less", b"number,last_name,club\n1,A,X\n2,B\n".to_vec(), "cells", 3, 1),
        ("a table with an unknown column", b"number,last_name,shoe\n1,A,42\n".to_vec(), "column", 1, 3),
        ("a report one column to the right", player("    1", "A", ""), "between_fields", 1, 9),
        ("a report one column to the left", player("  1", "A", ""), "between_fields", 1, 14),
        ("a number that is none", two("  000x w 1", ""), "number", 1, 92),
        ("a result that is none", two("     2 w 7", ""), "code", 1, 99),
        ("an opponent who is not there", two("     3 w 1", ""), "unknown_player", 1, 92),
        ("two records of one game", two("     2 w 1", "     1 w 0"), "contradiction", 1, 92),
        ("a report of nobody", b"012 Spring\n".to_vec(), "unknown_format", 1, 1),
        ("nothing", b" \n\n".to_vec(), "empty", 1, 1),
        ("a letter", b"Dear Sir,\n".to_vec(), "unknown_format", 1, 1),
    ]
}

#[tokio::test]
async fn a_bad_file_of_an_event_is_refused_at_its_line_and_column_and_changes_nothing() {
    let files = events();
    let mut wrong = Vec::new();
    for fixture in fixtures().await {
        for some in files.chunks(AT_ONCE) {
            let federation = fixture.federation().await;
            let (founder, id) = (&federation.founder, &federation.id);
            founder.club(id, "Aba").await.expect("a club");
            founder.member(id, "A").await;
            let before = picture(&federation).await;
            for (name, bytes, what, line, column) in some {
                let file = sent(&fixture, founder, id, bytes).await;
                let asked = request(&fixture, id, file);
                for validate_only in [true, false] {
                    let asked = pb::ImportEventRequest { validate_only, ..asked.clone() };
                    let status = import(founder, asked).await.expect_err(name);
                    assert_eq!(reason(&status), "BAD_EVENT_FILE", "{name}: {status:?}");
                    let details = status.get_details_error_info().expect("details").metadata;
                    let told = ["what", "line", "column"].map(|it| details[it].as_str());
                    let expected = [(*what).to_owned(), line.to_string(), column.to_string()];
                    if told != expected.each_ref().map(String::as_str) {
                        wrong.push(format!("{name}: {told:?} instead of {expected:?}"));
                    }
                    assert_eq!(picture(&federation).await, before, "{name} on {}", fixture.kind);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Where a line of a file has which problem: line, column, reason.
type At = (u32, &'static str, &'static str);

/// Files of members, and the problem that each has.
fn rosters() -> Vec<(&'static str, Vec<u8>, At)> {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let columns = (0..5_000).map(|it| format!("number:l{it}")).collect::<Vec<_>>().join(",");
    vec![
        ("GB18030", b"name\nAnna\n\xcd\xf5\xce\xb0\n".to_vec(), (3, "", "BAD_ENCODING")),
        ("Latin-1", b"name,club\nM\xfcller,\n".to_vec(), (2, "", "BAD_ENCODING")),
        ("UTF-16 with a mark", wide("\u{feff}name\nAnna\n"), (1, "", "BAD_ENCODING")),
        ("UTF-16 without a mark", wide("name\nAnna\n"), (1, "", "BAD_ENCODING")),
        ("a workbook", b"PK\x03\x04\x14\0\x06\0".to_vec(), (1, "", "BAD_ENCODING")),
        ("one name in two clubs", b"name,club\nAnna,Aba\nAnna,Lhasa\n".to_vec(), (3, "name", "BAD_LINE")),
        ("a club that is not there", b"name,club\nAnna,Nowhere\n".to_vec(), (2, "club", "UNKNOWN_CLUB")),
        ("a quote that is not closed", b"name\n\"Anna\nBo\n".to_vec(), (2, "", "BAD_LINE")),
        ("a column twice", b"name,name\nAnna,Bo\n".to_vec(), (1, "name", "BAD_HEADING")),
        ("more columns than anybody has", columns.into_bytes(), (1, "", "BAD_HEADING")),
        ("nothing", Vec::new(), (1, "", "BAD_HEADING")),
    ]
}

#[tokio::test]
async fn a_bad_file_of_members_is_refused_at_its_line_and_column_and_changes_nothing() {
    let files = rosters();
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        for club in ["Aba", "Lhasa"] {
            founder.club(id, club).await.expect("a club");
        }
        let before = picture(&federation).await;
        for (name, file, (line, column, why)) in &files {
            let preview = imports::import(founder, id, file, true).await.expect("a preview");
            let found: Vec<(u32, &str, &str)> =
                preview.problems.iter().map(|it| (it.line, it.column.as_str(), it.reason.as_str())).collect();
            assert_eq!(found, [(*line, *column, *why)], "{name} on {}", fixture.kind);
            let refused = imports::import(founder, id, file, false).await.expect_err(name);
            assert_eq!(reason(&refused), "BAD_IMPORT", "{name}");
            let fields = refused.get_details_bad_request().expect("fields").field_violations;
            let field = format!("csv[{line}].{column}");
            assert_eq!(fields[0].field, field.trim_end_matches('.'), "{name}");
            assert_eq!(picture(&federation).await, before, "{name}");
        }
    }
}

/// Whoever is named by a line with a club that is not his moves there: he is in one club at a time.
#[tokio::test]
async fn nobody_is_in_two_clubs() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        for club in ["Aba", "Lhasa"] {
            founder.club(id, club).await.expect("a club");
        }
        imports::import(founder, id, "name,club\nAnna,Aba\n", false).await.expect("taken");
        let before = picture(&federation).await;
        // On one day he cannot have been in two clubs.
        let moved = imports::import(founder, id, "name,club\nAnna,Lhasa\n", true).await.expect("a preview");
        let found: Vec<(u32, &str)> = moved.problems.iter().map(|it| (it.line, it.column.as_str())).collect();
        assert!(found.is_empty() || found == [(2, "club")], "{found:?} on {}", fixture.kind);
        assert_eq!(picture(&federation).await, before);
        let open = |member: &pb::Member| member.stays.iter().filter(|it| it.to_date.is_empty()).count();
        if found.is_empty() {
            imports::import(founder, id, "name,club\nAnna,Lhasa\n", false).await.expect("taken");
        }
        assert!(imports::all(founder, id).await.iter().all(|it| open(it) == 1));
    }
}

const FORMULAS: [&str; 10] =
    ["=1+1", "+86 10", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠A", "'=1", "=cmd|' /C calc'!A0"];

/// A cell of a file that a spreadsheet would work out.
fn is_formula(cell: &str) -> bool {
    let number = cell.trim_matches('"');
    let is_number = number.parse::<f64>().is_ok();
    !is_number && number.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])
}

fn hold_no_formula(file: &[u8]) {
    let text = std::str::from_utf8(file).expect("UTF-8").trim_start_matches('\u{feff}');
    for cell in text.lines().flat_map(|line| line.split(',')) {
        assert!(!is_formula(cell), "{cell} in {text}");
    }
}

#[tokio::test]
async fn no_cell_that_is_given_out_is_a_formula() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let lines: String = (0..)
            .zip(FORMULAS)
            .map(|(at, note)| format!("Player {at},\"{note}\"\n"))
            .collect::<Vec<_>>()
            .concat();
        let lines = lines + "=Anna,\n＝Bo,\n";
        founder.club(id, "@Aba").await.expect("a club");
        let taken = imports::import(founder, id, format!("name,note\n{lines}"), false).await;
        assert_eq!(taken.expect("taken").created, 12, "{}", fixture.kind);
        let (_, roster) = files::export(founder, id, 0, Vec::new()).await.expect("a file");
        hold_no_formula(&roster);
        let again = imports::import(founder, id, &roster, false).await.expect("taken");
        assert_eq!((again.unchanged, again.changed, again.created), (12, 0, 0), "and says what it said");
        event(&fixture, &federation).await;
    }
}

/// The same of the tables of an event, whose players are called so.
async fn event(fixture: &Fixture, federation: &Founded) {
    let held = held(fixture, settings(1)).await;
    for native in ["=Anna", "＝Bo"] {
        let member = held.federation.founder.member(&held.federation.id, native).await;
        let member_id = member.member_id;
        let entered = crate::held::change!(
            held,
            held.chief,
            enter_event,
            EnterEventRequest { member_id, supplement_version: 1 }
        );
        entered.expect("entered");
    }
    run(&held).await;
    begin(&held, 1).await;
    drawn(&held, &held.chief, 1).await.expect("drawn");
    for content in [Content::Players, Content::Results, Content::Standings, Content::Event] {
        let wanted = pb::ExportEventRequest { content: content.into(), ..of(&held.id, "csv") };
        let (bytes, _) = export(&federation.founder, wanted).await.expect("a table");
        hold_no_formula(&bytes);
        let text = String::from_utf8(bytes).expect("text");
        assert!(["'=Anna", "'＝Bo"].iter().all(|it| text.contains(it)), "{content:?}: {text}");
    }
}

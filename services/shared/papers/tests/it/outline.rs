//! What stands on papers, for whoever sets them otherwise than as HTML: the same as on their pages.

use papers::{Block, Cell, Code, CrossLine, Crosstable, Form, Outline, Row, Sheet, Table, Text, outline};

use crate::{
    escaping::{is_left_out, numbered, shown},
    samples,
};

const LANGUAGES: [&str; 3] = ["zh", "en", "bo"];

fn outlined(sheet: Sheet) -> Outline {
    outline(&samples::paper(&LANGUAGES, sheet), &samples::catalogue()).expect("it is a paper")
}

/// All that stands on a paper, a line for each text.
fn whole(outline: &Outline) -> String {
    let line = |text: &Text| text.0.iter().map(|run| run.text.replace('\u{200B}', "")).collect::<String>();
    outline.texts().map(line).collect::<Vec<_>>().join("\n")
}

fn tables(outline: &Outline) -> Vec<&Table> {
    let blocks = outline.blocks.iter();
    blocks.filter_map(|block| if let Block::Table(table) = block { Some(table) } else { None }).collect()
}

#[test]
fn every_text_that_is_given_is_in_the_outline() {
    for (kind, sheet) in samples::sheets() {
        let (paper, given) = numbered(&samples::paper(&LANGUAGES, sheet), "");
        let whole = whole(&outline(&paper, &samples::catalogue()).expect("it is a paper"));
        for (path, text) in given {
            // Slips are cut apart, and have neither head nor foot.
            let cut = [".head.venue", ".head.as_of", ".head.organiser.native", ".head.organiser.latin"];
            let is_cut = kind == "slips" && cut.contains(&path.as_str());
            assert_eq!(whole.contains(&text), !is_left_out(kind, &path) && !is_cut, "{kind}{path}");
        }
    }
}

#[test]
fn what_stands_on_the_page_is_in_the_outline() {
    for (kind, sheet) in samples::sheets() {
        let paper = samples::paper(&LANGUAGES, sheet.clone());
        let page = papers::html(&paper, &samples::catalogue()).expect("it is a paper");
        let (_, body) = page.split_once("<main>").expect("a page has a body");
        let (body, _) = body.split_once("</main>").expect("it ends");
        let whole = whole(&outlined(sheet)).replace('\u{00A0}', " ");
        for text in shown(&format!("{body}<")).split('\u{1}') {
            let text = text.trim_matches([' ', '\n', ':', ',', ';', '·', '–']);
            // A wide table is parted otherwise on a page that is turned, and what is circled on a slip is drawn.
            let differs = text.contains("列,共") || text.starts_with("Columns ") || text.starts_with("2 – 0");
            let parts = text.split(" · ").flat_map(|part| part.split(" *"));
            for part in parts.filter(|_| !differs) {
                assert!(whole.contains(part), "{kind}: {part:?} is not in\n{whole}");
            }
        }
    }
}

#[test]
fn a_wide_table_turns_the_page_and_one_that_is_wider_is_parted() {
    let cell = |round: u32| Cell { opponent: Some(1000 + round), colour: None, code: Some(Code::Win) };
    let of = |rounds: u32| {
        let line = CrossLine { cells: (0..rounds).map(cell).collect(), ..CrossLine::default() };
        outlined(Sheet::Crosstable(Crosstable { round: 25, form: Form::Rounds, lines: vec![line] }))
    };
    let check = |rounds, landscape, parts| {
        let outline = of(rounds);
        assert_eq!((outline.landscape, tables(&outline).len()), (landscape, parts), "{rounds} rounds");
        let whole = whole(&outline);
        for round in 0..rounds {
            assert_eq!(whole.matches(&format!("{}+", 1000 + round)).count(), 1, "round {round}");
        }
        for table in tables(&outline) {
            assert_eq!(table.head.len(), table.narrow.len());
            let cells =
                |row: &Row| if let Row::Cells(cells) = row { cells.len() } else { table.narrow.len() };
            assert!(table.rows.iter().all(|row| cells(row) == table.narrow.len()));
        }
    };
    check(9, false, 1);
    check(10, true, 1);
    check(25, true, 2);
}

#[test]
fn every_row_has_every_column() {
    for (kind, sheet) in samples::sheets() {
        for table in tables(&outlined(sheet)) {
            assert!(table.head.is_empty() || table.head.len() == table.narrow.len(), "{kind}");
            for row in &table.rows {
                if let Row::Cells(cells) = row {
                    assert_eq!(cells.len(), table.narrow.len(), "{kind}");
                }
            }
        }
    }
}

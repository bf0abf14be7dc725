//! How tables that are wider than a page are laid out, and which languages a paper may have.

use papers::{Cell, Code, Column, CrossLine, Crosstable, Form, InvalidPaper, Sheet, Standings, html};

use crate::samples;

fn page(languages: &[&str], sheet: Sheet) -> String {
    html(&samples::paper(languages, sheet), &samples::catalogue()).expect("it is a paper")
}

#[test]
fn a_wide_table_breaks_into_pages_of_columns_that_lose_none() {
    let cell = |round: u32| Cell { opponent: Some(1000 + round), colour: None, code: Some(Code::Win) };
    let line = CrossLine { cells: (0..25).map(cell).collect(), ..CrossLine::default() };
    let page =
        page(&["en"], Sheet::Crosstable(Crosstable { round: 25, form: Form::Rounds, lines: vec![line] }));
    assert_eq!(page.matches("<table>").count(), 3);
    for round in 0..25 {
        assert_eq!(page.matches(&format!(">{}+<", 1000 + round)).count(), 1, "round {round}");
    }
    assert!(page.contains("Columns 19 to 25 of 25"));
}

#[test]
fn every_line_of_a_table_has_every_column() {
    let crosstable = samples::crosstable(Form::Rounds);
    let standings = Standings { columns: (1..=9).map(Column::BoardPoints).collect(), ..samples::standings() };
    for sheet in [Sheet::Crosstable(crosstable), Sheet::Standings(standings)] {
        for table in page(&["en"], sheet).split("<table>").skip(1) {
            let table = table.split("</table>").next().expect("it ends");
            let heads = table.matches("<th ").count() + table.matches("<th>").count();
            for row in table.split("<tr>").skip(2) {
                assert_eq!(row.matches("<td").count(), heads, "{row}");
            }
        }
    }
}

#[test]
fn each_result_of_an_all_play_all_stands_where_the_two_meet() {
    let line =
        |number, cells| CrossLine { who: samples::person(number, "A", ""), cells, ..CrossLine::default() };
    let met = |opponent, code| Cell { opponent: Some(opponent), colour: None, code: Some(code) };
    let lines = vec![
        line(1, vec![met(2, Code::Win), met(2, Code::ForfeitLoss)]),
        line(2, vec![met(1, Code::Loss), met(1, Code::ForfeitWin)]),
    ];
    let page = page(&["en"], Sheet::Crosstable(Crosstable { round: 2, form: Form::AllPlayAll, lines }));
    assert!(page.contains(r#"<td class="self"></td><td class="n cell">2 (0)</td>"#), "{page}");
    assert!(page.contains(r#"<td class="n cell">0 (2)</td><td class="self"></td>"#));
}

#[test]
fn mongolian_stands_in_columns() {
    let sheet = Sheet::Standings(samples::standings());
    let vertical = page(&["mn-Mong"], sheet.clone());
    assert!(vertical.contains(r#"<html lang="mn-Mong" dir="ltr" class="vertical">"#));
    let horizontal = page(&["zh"], sheet);
    assert!(horizontal.contains(r#"<html lang="zh" dir="ltr">"#));
    assert!(horizontal.contains(r#"<bdi class="native mong" lang="mn-Mong" dir="ltr">ᠪᠠᠲᠤᠮᠥᠩᠬᠡ</bdi>"#));
    let uighur = page(&["ug"], Sheet::Standings(samples::standings()));
    assert!(uighur.contains(r#"<html lang="ug" dir="rtl">"#));
}

#[test]
fn a_word_that_falls_back_stands_there_once() {
    let page = page(&["bo", "zh"], Sheet::Standings(samples::standings()));
    assert_eq!(page.matches("T = P + ΣO").count(), 1);
    assert!(
        page.contains(r#"<span class="word" lang="bo">མིང་</span><span class="word" lang="zh">姓名</span>"#)
    );
}

#[test]
fn a_paper_has_one_to_three_languages() {
    let refused = |languages: &[&str]| {
        html(&samples::paper(languages, Sheet::Standings(Standings::default())), &samples::catalogue())
    };
    assert!(matches!(refused(&[]), Err(InvalidPaper::Languages)));
    assert!(matches!(refused(&["zh", "en", "bo", "ug"]), Err(InvalidPaper::Languages)));
    assert!(matches!(refused(&["<b>"]), Err(InvalidPaper::Language(_))));
    assert!(refused(&["zh"]).is_ok(), "an empty table is a paper");
}

//! Each kind of paper: everything that stands on it is read back, in fonts that are in the file, inside of A4.

use std::collections::BTreeSet;

use papers::{Cell, Form, Outline, Sheet};
use press::{Fault, Fonts, PAGES_MAX};

use crate::{
    back,
    samples::{self, Sample},
};

/// What printers leave white around a page, in points.
const WHITE: f64 = 12.0;
/// The shorter and the longer side of A4, in points.
const A4: (f64, f64) = (595.28, 841.89);

/// Everything that stands on a paper is in the text of its PDF.
pub(crate) fn reads_back(name: &str, outline: &Outline, pdf: &[u8]) {
    let (set, read) = (back::text(pdf), back::read(pdf));
    for run in outline.texts().flat_map(|text| &text.0) {
        let expected = back::seen(&run.text);
        let is_there = set.contains(&expected) || read.contains(&expected);
        assert!(is_there, "{name}: {expected:?} is not read back in\n{set}\n{read}");
    }
}

/// Every word of every page is inside of it, with what printers leave white.
pub(crate) fn nothing_is_cut(name: &str, pdf: &[u8]) {
    let words = back::words(pdf);
    assert!(!words.is_empty(), "{name} has no words");
    for word in words {
        let (short, long) = (word.page_width.min(word.page_height), word.page_width.max(word.page_height));
        assert!((short - A4.0).abs() < 0.1 && (long - A4.1).abs() < 0.1, "{name} is no A4: {word:?}");
        let is_inside = word.left >= WHITE
            && word.top >= WHITE
            && word.right <= word.page_width - WHITE
            && word.bottom <= word.page_height - WHITE;
        assert!(is_inside, "{name}: on page {} something is cut: {word:?}", word.page);
    }
}

#[test]
fn every_golden_paper_reads_back_and_is_inside_of_a4() {
    for sample in samples::all() {
        let printed = sample.print();
        reads_back(&sample.name, &sample.outline(), &printed.pdf);
        nothing_is_cut(&sample.name, &printed.pdf);
        assert_eq!(back::info(&printed.pdf, "Pages"), printed.pages.to_string(), "{}", sample.name);
    }
}

#[test]
fn every_font_is_in_the_file() {
    let mut used = BTreeSet::new();
    for sample in samples::all() {
        for font in back::fonts(&sample.print().pdf) {
            // name, type (of several words), encoding, emb, sub, uni, object, generation
            let fields: Vec<&str> = font.split_whitespace().rev().collect();
            assert_eq!(&fields[2..5], ["yes", "yes", "yes"], "{}: {font}", sample.name);
            used.insert(fields.last().expect("a name").split('+').next_back().expect("it ends").to_owned());
        }
    }
    for script in ["NotoSansCJK", "NotoSerifTibetan", "NotoSansMongolian", "NotoNaskhArabic", "NotoSans-"] {
        assert!(used.iter().any(|name| name.starts_with(script)), "no letters of {script}: {used:?}");
    }
}

#[test]
fn the_same_paper_is_the_same_file_and_says_of_when_it_is() {
    let sample = samples::one("standings");
    let (first, second) = (sample.print(), sample.print());
    assert!(first.pdf == second.pdf, "the same paper is another file");
    assert!(
        back::info(&first.pdf, "CreationDate").contains("Nov 24"),
        "{}",
        back::info(&first.pdf, "CreationDate")
    );
    assert_eq!(back::info(&first.pdf, "Creator"), "shoutan-press");
    assert_eq!(back::info(&first.pdf, "Title"), "名次表 – 2026年藏棋公开赛");
    // A moment that is no day is no date, and no fault.
    let mut odd = samples::one("standings");
    odd.paper.head.as_of = "2026-02-31, afternoon".to_owned();
    odd.print();
    odd.paper.head.as_of = "9999-99-99".to_owned();
    assert_eq!(back::info(&odd.print().pdf, "CreationDate"), "");
}

#[test]
fn letters_that_no_font_has_are_named() {
    let mut sample = samples::one("notice");
    let Sheet::Notice(notice) = &mut sample.paper.sheet else { panic!("it is a notice") };
    notice.text = "a private letter: \u{E123}, and again \u{E123}".to_owned();
    let Err(Fault::Lacking(lacking)) = sample.try_print() else { panic!("it is printed") };
    assert_eq!(lacking.letters().collect::<Vec<_>>(), ['\u{E123}']);

    // Where there are Latin letters alone, every other one is named, with the packages that have them.
    let folder = tempfile::tempdir().expect("a folder");
    let latin = files_of("NotoSans-Regular.ttf");
    std::fs::copy(&latin, folder.path().join("latin.ttf")).expect("copied");
    let fonts = Fonts::of(&[folder.path().to_owned()]).expect("a font");
    let sample = samples::one("pairings");
    let fault = press::pdf(&sample.paper, catalogue::Catalogue::shipped(), fonts).expect_err("letters lack");
    let message = fault.to_string();
    assert!(message.contains("U+") && message.contains("fonts-noto-cjk fonts-noto-core"), "{message}");
}

/// Where a file with fonts is.
fn files_of(name: &str) -> std::path::PathBuf {
    let mut folders = samples::font_folders();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|file| file == name) {
                return path;
            }
        }
    }
    panic!("there is no {name}; on Debian: apt-get install {}", press::PACKAGES.join(" "))
}

/// The golden crosstable with more players and rounds.
fn crosstable(form: Form, players: u32, rounds: u32) -> Sample {
    let mut sample = samples::one("crosstable");
    let Sheet::Crosstable(sheet) = &mut sample.paper.sheet else { panic!("it is a crosstable") };
    let mut line = sheet.lines[0].clone();
    let cell = line.cells[0];
    sheet.form = form;
    sheet.lines.clear();
    for number in 1..=players {
        line.place = Some(number);
        line.who.number = number;
        line.cells = (1..=rounds)
            .map(|round| Cell { opponent: Some((number + round - 1) % players + 1), ..cell })
            .collect();
        sheet.lines.push(line.clone());
    }
    sample.name = format!("{form:?} of {players}");
    sample
}

#[test]
fn wide_and_long_tables_lose_nothing() {
    for (form, players, rounds) in
        [(Form::Rounds, 300, 11), (Form::Rounds, 40, 39), (Form::AllPlayAll, 60, 59)]
    {
        let sample = crosstable(form, players, rounds);
        let printed = sample.print();
        nothing_is_cut(&sample.name, &printed.pdf);
        reads_back(&sample.name, &sample.outline(), &printed.pdf);
        let text = back::text(&printed.pdf);
        // On a page that is turned there are 15 rounds, or 24 opponents.
        let parts = if rounds > 24 { 3 } else { 1 };
        let names = text.matches("TenzinGyatso").count();
        assert_eq!(names, players as usize * parts, "{}", sample.name);
        // The heads of columns, and of whom it is, stand on every page.
        assert_eq!(text.matches("姓名").count(), printed.pages, "{}", sample.name);
        assert!(text.matches("ZangqiOpen2026").count() >= printed.pages, "{}", sample.name);
    }
}

#[test]
fn what_is_too_large_is_refused_before_it_is_set() {
    let Err(Fault::TooLarge(why)) = crosstable(Form::AllPlayAll, 400, 1).try_print() else {
        panic!("it is printed")
    };
    assert!(why.contains("cells"), "{why}");
    let mut sample = samples::one("notice");
    let Sheet::Notice(notice) = &mut sample.paper.sheet else { panic!("it is a notice") };
    notice.text = "long ".repeat(500_000);
    assert!(matches!(sample.try_print(), Err(Fault::TooLarge(_))));
    const { assert!(PAGES_MAX > 300, "the roster of ten thousand has as many") };
}

#[test]
fn slips_are_four_on_a_page_and_never_parted() {
    let mut sample = samples::one("slips");
    let Sheet::Slips(slips) = &mut sample.paper.sheet else { panic!("they are slips") };
    let board = slips.boards[0].clone();
    slips.boards =
        (1..=9).map(|table| papers::PairedBoard { table: table.to_string(), ..board.clone() }).collect();
    assert_eq!(sample.print().pages, 3);
}

#[test]
fn every_language_of_the_catalogue_can_be_that_of_the_page() {
    for tag in ["zh", "en", "bo", "mn-Mong", "ug", "de", "ja", "zh-Hant-HK"] {
        let mut sample = samples::one("league");
        sample.paper.languages = vec![tag.to_owned()];
        let printed = sample.print();
        nothing_is_cut(tag, &printed.pdf);
        reads_back(tag, &sample.outline(), &printed.pdf);
    }
}

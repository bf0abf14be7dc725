//! The small papers as they were looked at, each as a page and as a file of JSON, which the tests of PDF take.
//! `SHOUTAN_BLESS=1` writes them anew.

use catalogue::{Catalogue, Word};
use papers::{Sheet, html, json, read};
use serde_json::Value;

use crate::samples;

fn check(name: &str, languages: &[&str], sheet: Sheet) {
    let paper = samples::paper(languages, sheet);
    let page = html(&paper, &samples::catalogue()).expect("it is a paper");
    compare(&format!("{name}.html"), &page);
    let is_read = |word: &Word| languages.contains(&word.language.as_str());
    let words: Vec<Word> = samples::own_words().into_iter().filter(is_read).collect();
    let file = json(&paper, &words);
    assert_eq!(read(file.as_bytes()).expect("a paper"), (paper, words), "{name}");
    let lines: Value = serde_json::from_str(&file).expect("it is JSON");
    compare(&format!("{name}.json"), &format!("{lines:#}\n"));
}

fn compare(name: &str, made: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("SHOUTAN_BLESS").is_some() {
        std::fs::write(&path, made).expect("it can be written");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(made == golden, "{name} is other than {path}; look at it, and renew it with SHOUTAN_BLESS=1");
}

#[test]
fn each_paper_is_as_it_was_looked_at() {
    for (name, sheet) in samples::sheets() {
        check(name, &["zh", "en"], sheet);
    }
}

#[test]
fn a_paper_in_tibetan_and_chinese_is_as_it_was_looked_at() {
    check("pairings_bo_zh", &["bo", "zh"], Sheet::Pairings(samples::pairings()));
}

#[test]
fn a_paper_in_mongolian_script_is_as_it_was_looked_at() {
    check("standings_mn", &["mn-Mong", "zh"], Sheet::Standings(samples::standings()));
    check("pairings_zh_mn", &["zh", "mn-Mong"], Sheet::Pairings(samples::pairings()));
}

#[test]
fn every_paper_is_there_in_every_language() {
    for tag in ["zh", "en", "bo", "mn-Mong", "ug", "de"] {
        for (name, sheet) in samples::sheets() {
            for catalogue in [&samples::catalogue(), Catalogue::shipped()] {
                let page = html(&samples::paper(&[tag], sheet.clone()), catalogue).expect("it is a paper");
                assert!(
                    page.starts_with(&format!("<!DOCTYPE html>\n<html lang=\"{tag}\"")),
                    "{name} in {tag}"
                );
                assert!(!page.contains("papers."), "{name} in {tag} has a key instead of a word");
                assert!(
                    !page.contains(['{', '}']) || !style_free(&page).contains(['{', '}']),
                    "{name} in {tag}"
                );
            }
        }
    }
}

/// A page without its style, which has brackets of its own.
fn style_free(page: &str) -> String {
    let (before, rest) = page.split_once("<style>").expect("a page has a style");
    let (_, after) = rest.split_once("</style>").expect("it ends");
    format!("{before}{after}")
}

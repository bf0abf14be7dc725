//! The small papers as they were looked at. `SHOUTAN_BLESS=1` writes them anew.

use catalogue::Catalogue;
use papers::{Sheet, html};

use crate::samples;

fn check(name: &str, languages: &[&str], sheet: Sheet) {
    let page = html(&samples::paper(languages, sheet), &samples::catalogue()).expect("it is a paper");
    let path = format!("{}/tests/golden/{name}.html", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("SHOUTAN_BLESS").is_some() {
        std::fs::write(&path, &page).expect("it can be written");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        page == golden,
        "{name} is another page than {path}; look at it, and renew it with SHOUTAN_BLESS=1"
    );
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

//! What is given is text: whatever it looks like, no page has a tag more or fewer for it.

use papers::{Paper, html};
use proptest::prelude::*;

use crate::{samples, texts::with_texts};

/// The tags of a page, in their order.
fn tags(page: &str) -> Vec<&str> {
    page.split('<').skip(1).map(|part| part.split('>').next().unwrap_or_default()).collect()
}

/// What stands between the tags of a page, as its reader sees it.
pub(crate) fn shown(page: &str) -> String {
    let texts = page.split('<').skip(1).filter_map(|part| part.split_once('>').map(|(_, text)| text));
    let text: String = texts.collect::<Vec<_>>().join("\u{1}");
    [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")]
        .iter()
        .fold(text, |text, (entity, sign)| text.replace(entity, sign))
}

/// Each text of a paper replaced by another that is there once, with its path.
pub(crate) fn numbered(paper: &Paper, ending: &str) -> (Paper, Vec<(String, String)>) {
    let mut given = Vec::new();
    let paper = with_texts(paper, &mut |path, _| {
        let text = format!("t{}t{ending}", given.len());
        given.push((path.to_owned(), text.clone()));
        text
    });
    (paper, given)
}

/// Whether a kind of paper leaves something out on purpose: grades stand in lists alone, and where there is little room, clubs
/// don't stand either.
pub(crate) fn is_left_out(kind: &str, path: &str) -> bool {
    let narrow = ["crosstable", "all_play_all", "matches"].contains(&kind);
    let list = ["roster", "rating_list"].contains(&kind);
    (path.contains(".grade") && !list) || (path.contains(".club.") && narrow)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn whatever_a_text_looks_like_it_is_text(hostile in "[a-z<>&\"'/={}%;#!-]{1,24}") {
        for (name, sheet) in samples::sheets() {
            let paper = samples::paper(&["zh", "en"], sheet);
            let catalogue = samples::catalogue();
            let tame = html(&numbered(&paper, "").0, &catalogue).expect("it is a paper");
            let (paper, given) = numbered(&paper, &hostile);
            let page = html(&paper, &catalogue).expect("it is a paper");
            prop_assert_eq!(tags(&page), tags(&tame), "{}", name);
            // Everywhere the tame text stood, the other stands as it was given, and nowhere else.
            let expected = given.iter().fold(shown(&tame), |shown, (_, text)| {
                let plain = text.strip_suffix(hostile.as_str()).expect("it ends so");
                shown.replace(plain, text.as_str())
            });
            prop_assert_eq!(shown(&page), expected, "{}", name);
        }
    }
}

#[test]
fn every_text_that_is_given_stands_on_the_paper() {
    for (kind, sheet) in samples::sheets() {
        let (paper, given) = numbered(&samples::paper(&["zh", "en"], sheet), "");
        let page = shown(&html(&paper, &samples::catalogue()).expect("it is a paper"));
        for (path, text) in given {
            assert_eq!(page.contains(&text), !is_left_out(kind, &path), "{kind}{path}");
        }
    }
}

#[test]
fn a_page_loads_nothing_and_runs_nothing() {
    for (kind, sheet) in samples::sheets() {
        let page = html(&samples::paper(&["zh", "en", "bo"], sheet), &samples::catalogue()).expect("a paper");
        assert!(page.contains(r#"content="default-src 'none'; style-src 'unsafe-inline'">"#));
        for bad in [
            "<script",
            "<link",
            "<img",
            "<iframe",
            "http:",
            "https:",
            "url(",
            "@import",
            "javascript:",
            "src=",
        ] {
            assert!(!page.contains(bad), "{kind} has {bad}");
        }
    }
}

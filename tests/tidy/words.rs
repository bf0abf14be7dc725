//! Words in languages: every key that a source or a template asks for is there, and nothing is there that nobody asks for.

use std::collections::BTreeSet;

use api::reason::{self, Reason};
use catalogue::{Area, Catalogue};

use crate::files::tracked;

/// The keys of an area in a text, wherever they stand between quotation marks.
fn keys_in(area: Area, text: &str) -> BTreeSet<String> {
    let start = format!("{}.", area.name());
    let is_key = |word: &&str| {
        word.strip_prefix(start.as_str()).is_some_and(|name| {
            !name.is_empty()
                && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_.".contains(&b))
        })
    };
    text.split('"').filter(is_key).map(str::to_owned).collect()
}

#[test]
fn every_word_that_is_asked_for_is_there() {
    let catalogue = Catalogue::shipped();
    let mut faults = Vec::new();
    for (name, text) in tracked(&[".rs", ".html"]) {
        // Tests ask for words that are not there, too; what the command says is held to its words by tests of its own.
        let elsewhere = ["/tests", "/catalogue/", "/shoutan/src/speech/"];
        if !name.starts_with("services/") || elsewhere.iter().any(|it| name.contains(it)) {
            continue;
        }
        for area in Area::ALL {
            let unknown = keys_in(area, &text).into_iter().filter(|key| !catalogue.knows(key));
            faults.extend(unknown.map(|key| format!("{name}: {key}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_word_of_papers_is_left_over() {
    let asked: BTreeSet<String> = tracked(&[".rs", ".html"])
        .into_iter()
        .filter(|(name, _)| name.starts_with("services/") && !name.contains("/tests"))
        .flat_map(|(_, text)| keys_in(Area::Papers, &text))
        .collect();
    let keys = Catalogue::shipped().keys(Area::Papers);
    let left: Vec<&&str> = keys.keys().filter(|key| !asked.contains(**key)).collect();
    assert!(left.is_empty(), "nobody says {left:?}");
}

#[test]
fn refusals_are_said_of_reasons_that_there_are() {
    let keys = Catalogue::shipped().keys(Area::Refusals);
    let faults: Vec<&str> = keys
        .keys()
        .filter_map(|key| key.strip_prefix("refusals."))
        .filter(|name| Reason::named(name).is_none())
        .collect();
    assert!(faults.is_empty(), "no reasons: {faults:?}");
    assert!(keys.values().all(Vec::is_empty), "a reason is said without placeholders");
}

#[test]
fn every_reason_is_said_in_chinese() {
    let catalogue = Catalogue::shipped();
    let reasons = reason::ALL.iter().flat_map(|(_, reasons)| *reasons);
    let missing: Vec<String> = reasons
        .filter(|reason| !catalogue.knows(&format!("refusals.{reason}")))
        .map(|reason| format!("{reason} = {:?}", reason.meaning()))
        .collect();
    assert!(
        missing.is_empty(),
        "missing in services/shared/catalogue/catalogues/zh/refusals*.toml:\n{}",
        missing.join("\n")
    );
}

#[test]
fn a_key_is_found_wherever_it_is_quoted() {
    let text = r#"{{ words.say("papers.round") }} let x = "papers.title.roster"; "papers.toml!" papers.none"#;
    let found: Vec<String> = keys_in(Area::Papers, text).into_iter().collect();
    assert_eq!(found, ["papers.round", "papers.title.roster"]);
}

//! What files look like: their size, and words that must not stand in them.

use std::process::Command;

/// Longer files are split by what they know.
const LINES_MAX: usize = 600;

/// Files that may be longer, each with its reason.
const LONGER: &[(&str, &str)] = &[
    ("proto/shoutan/game/v1/game_service.proto", "the notation of the five games stands where acts are sent"),
    ("proto/shoutan/federation/v1/event.proto", "what clients have of it cannot move to another file"),
];

/// Words that are left over from work that is not finished, built at run time so that this file may have them.
fn leftovers() -> Vec<String> {
    ["todo!", "unimplemented!", "FIX"]
        .into_iter()
        .zip(["(", "(", "ME"])
        .map(|(start, end)| format!("{start}{end}"))
        .collect()
}

/// Every file that git tracks with one of these endings, with its text.
pub(crate) fn tracked(endings: &[&str]) -> Vec<(String, String)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let listed = Command::new("git").args(["-C", root, "ls-files"]).output().expect("git is there");
    let names = String::from_utf8(listed.stdout).expect("names are UTF-8");
    names
        .lines()
        .filter(|name| endings.iter().any(|ending| name.ends_with(ending)))
        .filter_map(|name| Some((name.to_owned(), std::fs::read_to_string(format!("{root}/{name}")).ok()?)))
        .collect()
}

#[test]
fn no_file_is_too_long() {
    let faults: Vec<String> = tracked(&[".rs", ".ts", ".proto"])
        .into_iter()
        .filter(|(name, _)| !LONGER.iter().any(|(longer, _)| longer == name))
        .map(|(name, text)| (name, text.lines().count()))
        .filter(|(_, lines)| *lines > LINES_MAX)
        .map(|(name, lines)| format!("{name} has {lines} lines"))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn nothing_is_left_open() {
    let leftovers = leftovers();
    let mut faults = Vec::new();
    for (name, text) in tracked(&[".rs", ".ts", ".proto", ".sh"]) {
        for (number, line) in text.lines().enumerate() {
            if let Some(word) = leftovers.iter().find(|word| line.contains(word.as_str())) {
                faults.push(format!("{name}:{}: {word}", number + 1));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_crate_says_what_it_is() {
    let faults: Vec<String> = tracked(&["src/lib.rs", "src/main.rs"])
        .into_iter()
        .filter(|(_, text)| !text.starts_with("//! "))
        .map(|(name, _)| name)
        .collect();
    assert!(faults.is_empty(), "without a heading: {}", faults.join(", "));
}

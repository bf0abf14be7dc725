//! Examples in the documentation: where they must be, and that each is run.
//!
//! The rules are a library for others too: wherever a stranger enters, they show how.

use crate::files::tracked;

/// The module heads of the rules: the crate's own, and one a folder.
fn is_head(name: &str) -> bool {
    name.strip_prefix("services/shared/rules/src/")
        .is_some_and(|name| name == "lib.rs" || (name.ends_with("/mod.rs") && name.matches('/').count() == 1))
}

/// What kinds of blocks are opened in the documentation of a file; `comment` says what of it is looked at.
fn blocks<'a>(text: &'a str, comment: impl Fn(&'a str) -> Option<&'a str>) -> Vec<&'a str> {
    let fences = text.lines().filter_map(|line| comment(line)?.trim().strip_prefix("```"));
    // Every second one closes the block before.
    fences.step_by(2).collect()
}

/// Whether the documentation of a module has an example that is run.
fn shows_how(text: &str) -> bool {
    blocks(text, |line| line.strip_prefix("//!")).iter().any(|kind| kind.is_empty())
}

/// Whether a file has an example in its documentation that could be run.
fn has_example(text: &str) -> bool {
    blocks(text, documentation).iter().any(|kind| *kind != "text")
}

/// What a line says as documentation of a module, or of anything in it.
fn documentation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("//!").or_else(|| line.strip_prefix("///"))
}

#[test]
fn modules_without_example_are_found() {
    assert!(shows_how("//! A.\n//! ```text\n//! ```\n//!\n//! ```\n//! a();\n//! ```\nfn a() {}\n"));
    assert!(!shows_how("//! B.\n//! ```text\n//! ```\nfn b() {}\n"));
}

#[test]
fn every_module_of_the_rules_shows_how_it_is_entered() {
    let heads: Vec<_> = tracked(&[".rs"]).into_iter().filter(|(name, _)| is_head(name)).collect();
    assert!(heads.len() > 5, "the rules are somewhere else");
    let faults: Vec<&str> =
        heads.iter().filter(|(_, text)| !shows_how(text)).map(|(name, _)| name.as_str()).collect();
    assert!(faults.is_empty(), "without an example at their heads:\n{}", faults.join("\n"));
}

#[test]
fn no_example_stands_where_none_is_run() {
    let manifests = tracked(&["Cargo.toml"]);
    let silent = manifests.iter().filter(|(_, text)| text.contains("doctest = false"));
    let folders: Vec<&str> = silent.filter_map(|(name, _)| name.strip_suffix("Cargo.toml")).collect();
    assert!(folders.contains(&"services/game/"), "{folders:?}");
    let is_silent = |name: &str| {
        folders.iter().any(|folder| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with("src/")))
    };
    let faults: Vec<String> = tracked(&[".rs"])
        .into_iter()
        .filter(|(name, text)| is_silent(name) && has_example(text))
        .map(|(name, _)| name)
        .collect();
    assert!(faults.is_empty(), "examples of a crate that runs none:\n{}", faults.join("\n"));
}

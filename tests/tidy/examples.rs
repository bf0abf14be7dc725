//! The rules are a library for others too: wherever a stranger enters, they show how.

use crate::files::tracked;

/// The module heads of the rules: the crate's own, and one a folder.
fn is_head(name: &str) -> bool {
    name.strip_prefix("services/shared/rules/src/")
        .is_some_and(|name| name == "lib.rs" || (name.ends_with("/mod.rs") && name.matches('/').count() == 1))
}

/// Whether the documentation of a module has an example that is run.
fn shows_how(text: &str) -> bool {
    let mut blocks = text.lines().filter_map(|line| line.strip_prefix("//!")?.trim().strip_prefix("```"));
    // Every second one closes the block before.
    let mut opened = std::iter::from_fn(|| {
        let kind = blocks.next()?;
        blocks.next();
        Some(kind)
    });
    opened.any(str::is_empty)
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

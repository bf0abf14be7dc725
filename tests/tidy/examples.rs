//! The rules are a library for others too: every public item of it shows how it is used.

use crate::files::tracked;

/// What can follow `pub` in an item.
const KINDS: [&str; 7] = ["fn", "struct", "enum", "trait", "const", "static", "type"];

/// The name of the public item that begins on a line.
fn public_item(line: &str) -> Option<&str> {
    let mut words = line.trim_start().strip_prefix("pub ")?.split_whitespace();
    let mut kind = words.next()?;
    let mut name = words.next()?;
    if kind == "const" && name == "fn" {
        (kind, name) = ("fn", words.next()?);
    }
    KINDS.contains(&kind).then(|| name.split(['(', '<', ':', '{', ';']).next().unwrap_or(name))
}

/// The public items of a file whose documentation has no example.
fn without_example(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    // Whether there has been an example, and whether a block of any kind is open.
    let (mut example, mut open) = (false, false);
    for (number, line) in text.lines().take_while(|line| *line != "#[cfg(test)]").enumerate() {
        let line = line.trim_start();
        if let Some(doc) = line.strip_prefix("///") {
            if let Some(kind) = doc.trim_start().strip_prefix("```") {
                example |= !open && kind.is_empty();
                open = !open;
            }
            continue;
        }
        if let Some(name) = public_item(line).filter(|_| !example) {
            found.push(format!("{}: {name}", number + 1));
        }
        // Attributes stand between an item and its documentation.
        example &= line.starts_with("#[");
    }
    found
}

#[test]
fn items_without_example_are_found() {
    let shown = "/// A.\n///\n/// ```\n/// ```\n#[must_use]\npub const fn a() {}\n";
    let drawn = "/// B.\n///\n/// ```text\n/// ```\npub struct B;\npub(crate) fn c() {}\n";
    assert_eq!(without_example(&format!("{shown}{drawn}")), ["11: B"]);
}

#[test]
fn every_public_item_of_the_rules_has_an_example() {
    let faults: Vec<String> = tracked(&[".rs"])
        .into_iter()
        .filter(|(name, _)| name.starts_with("services/shared/rules/src/"))
        .flat_map(|(name, text)| without_example(&text).into_iter().map(move |item| format!("{name}:{item}")))
        .collect();
    assert!(faults.is_empty(), "{} items without example:\n{}", faults.len(), faults.join("\n"));
}

//! Who may do what in an event, and when.

use federation::core::event::{Stage, role::ROWS};
use serde_json::json;

use super::{print, words};

/// Prints the table.
pub(super) fn print(json: bool) -> anyhow::Result<()> {
    let rows: Vec<print::Record> = ROWS
        .iter()
        .map(|(act, roles, stages)| {
            let roles: Vec<String> = roles.iter().map(|role| words::plain(role.name())).collect();
            let stages: Vec<&str> = if stages.len() == Stage::ALL.len() && !json {
                vec!["always"]
            } else {
                stages.iter().map(|stage| stage.name()).collect()
            };
            vec![
                ("act", json!(separated(&format!("{act:?}")))),
                ("who", json!(roles)),
                ("stages", json!(stages)),
            ]
        })
        .collect();
    print::list(json, &rows)
}

/// `EnterOthers` as `enter-others`.
pub(super) fn separated(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    for (at, letter) in name.char_indices() {
        if letter.is_uppercase() && at > 0 {
            text.push('-');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_are_named_as_words() {
        assert_eq!(separated("EnterOthers"), "enter-others");
        assert_eq!(separated("Pair"), "pair");
    }
}

//! Papers whose texts are replaced by others. The tests of PDF use it, too.

use papers::Paper;
use serde_json::Value;

/// Fields that are no text of anybody's: tags of languages, and what is chosen from a list.
const CHOSEN: [&str; 10] =
    ["languages", "state", "fate", "colours", "colour", "form", "code", "result", "bye", "columns"];

/// Replaces every text of a paper, by way of its JSON: so none is forgotten. Each is asked for with its path, and as it is.
pub(crate) fn with_texts(paper: &Paper, texts: &mut impl FnMut(&str, &str) -> String) -> Paper {
    fn walk(path: &str, value: &mut Value, texts: &mut impl FnMut(&str, &str) -> String) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields.iter_mut().filter(|(key, _)| !CHOSEN.contains(&key.as_str())) {
                    walk(&format!("{path}.{key}"), value, texts);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| walk(path, item, texts)),
            Value::String(text) if !text.is_empty() => *text = texts(path, text),
            _ => {}
        }
    }
    let mut json = serde_json::to_value(paper).expect("a paper is JSON");
    walk("", &mut json, texts);
    serde_json::from_value(json).expect("and JSON is a paper")
}

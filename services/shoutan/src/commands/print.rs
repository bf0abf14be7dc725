//! What is printed: a thing as lines, a list as a table, and either as JSON.

use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr as _;

use crate::commands::{render::sanitize, terminal::say};

/// A thing as it is printed: its fields, in order.
pub(super) type Record = Vec<(&'static str, Value)>;

/// Prints one thing.
pub(super) fn one(json: bool, record: &Record) -> anyhow::Result<()> {
    if json {
        return say(serde_json::to_string_pretty(&object(record))?);
    }
    let width = record.iter().map(|(field, _)| field.len()).max().unwrap_or_default();
    for (field, value) in record {
        let value = text(value);
        if !value.is_empty() {
            say(format_args!("{field:width$}  {value}"))?;
        }
    }
    Ok(())
}

/// Prints a list.
pub(super) fn list(json: bool, records: &[Record]) -> anyhow::Result<()> {
    if json {
        let objects: Vec<Value> = records.iter().map(object).collect();
        return say(serde_json::to_string_pretty(&objects)?);
    }
    for line in table(records) {
        say(line)?;
    }
    Ok(())
}

/// The lines of a table. Columns in which nothing stands are left out.
pub(super) fn table(records: &[Record]) -> Vec<String> {
    let Some(first) = records.first() else { return vec!["none".to_owned()] };
    let heading: Vec<String> = first.iter().map(|(field, _)| field.to_uppercase()).collect();
    let rows: Vec<Vec<String>> =
        records.iter().map(|record| record.iter().map(|(_, value)| text(value)).collect()).collect();
    columns(&heading, &rows)
}

/// The lines of a table with a heading of its own; each row has as many cells, of text that can be printed.
pub(super) fn columns(heading: &[String], rows: &[Vec<String>]) -> Vec<String> {
    let columns: Vec<usize> =
        (0..heading.len()).filter(|at| rows.iter().any(|row| !row[*at].is_empty())).collect();
    let widths: Vec<usize> = (0..heading.len())
        .map(|at| {
            rows.iter()
                .map(|row| &row[at])
                .chain([&heading[at]])
                .map(|cell| cell.width())
                .max()
                .unwrap_or_default()
        })
        .collect();
    let line = |row: &[String]| {
        let cells = columns.iter().map(|at| {
            let blanks = widths[*at].saturating_sub(row[*at].width());
            format!("{}{}", row[*at], " ".repeat(blanks))
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    std::iter::once(heading).chain(rows.iter().map(Vec::as_slice)).map(line).collect()
}

/// A thing on one line: the fields that say something, each after its name.
pub(super) fn line(record: &Record) -> String {
    let fields = record.iter().map(|(field, value)| (field, text(value)));
    let told = fields.filter(|(_, value)| !value.is_empty());
    told.map(|(field, value)| format!("{field} {value}")).collect::<Vec<_>>().join("  ")
}

/// A thing as JSON.
pub(super) fn object(record: &Record) -> Value {
    Value::Object(
        record.iter().map(|(field, value)| ((*field).to_owned(), value.clone())).collect::<Map<_, _>>(),
    )
}

/// A value as people read it.
fn text(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(false) => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::String(text) => sanitize(text),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(field, value)| (field, text(value)));
            let told = fields.filter(|(_, value)| !value.is_empty());
            told.map(|(field, value)| format!("{} {value}", sanitize(field))).collect::<Vec<_>>().join(" ")
        }
        Value::Number(number) => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_table_keeps_its_columns_whatever_the_script() {
        let record = |name: &str, latin: &str| -> Record {
            vec![("name", json!(name)), ("latin", json!(latin)), ("left", json!("")), ("open", json!(false))]
        };
        let lines = table(&[record("聂卫平", "Nie Weiping"), record("Anna\u{1b}[2J", "Anna")]);
        assert_eq!(lines[0], "NAME      LATIN");
        assert_eq!(lines[1], "聂卫平    Nie Weiping");
        assert_eq!(lines[2].find("Anna\u{fffd}"), Some(0), "no escape code reaches the terminal");
        assert_eq!(table(&[]), ["none"]);
    }

    #[test]
    fn what_is_nested_is_read_on_one_line() {
        let stays =
            json!([{"club": "a", "from": "2026-01-01", "to": ""}, {"club": "b", "from": "2026-07-01"}]);
        assert_eq!(text(&stays), "club a from 2026-01-01, club b from 2026-07-01");
    }
}

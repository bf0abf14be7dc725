//! The variants, as arguments name them.

use anyhow::Context as _;
use rules::{VARIANTS, Variant};

/// The help of an argument that names a variant.
pub(super) fn help(what: &str) -> String {
    format!("{what}: {}", listed(|variant| variant.id.to_owned(), "or"))
}

/// The help of an argument that names the file of a record.
pub(super) fn record_help() -> String {
    let endings = |variant: &Variant| {
        let endings: Vec<String> = variant.record_extensions.iter().map(|it| format!(".{it}")).collect();
        format!("{} for {}", endings.join(" or "), variant.name())
    };
    format!("The record: {}", listed(endings, "and"))
}

/// The variants with a sign between them, for help in other languages.
pub(crate) fn ids(between: &str) -> String {
    VARIANTS.iter().map(|variant| variant.id).collect::<Vec<_>>().join(between)
}

/// The files of records in the same way: `.sgf (围棋)`.
pub(crate) fn records(between: &str) -> String {
    let of = |variant: &Variant| {
        let endings: Vec<String> = variant.record_extensions.iter().map(|it| format!(".{it}")).collect();
        format!("{} ({})", endings.join("/"), variant.native_name())
    };
    VARIANTS.iter().map(|variant| of(variant)).collect::<Vec<_>>().join(between)
}

/// The variant with this name.
///
/// # Errors
/// Says which there are, if this is none.
pub(super) fn named(id: &str) -> anyhow::Result<&'static Variant> {
    rules::variant(id)
        .with_context(|| format!("known are {}", listed(|variant| variant.id.to_owned(), "and")))
        .with_context(|| format!("there is no variant {id}"))
}

/// What is said of each variant, with a word before the last.
fn listed(of: impl Fn(&Variant) -> String, before_last: &str) -> String {
    let all: Vec<String> = VARIANTS.iter().map(|variant| of(variant)).collect();
    match all.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} {before_last} {last}", others.join(", ")),
        _ => all.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_every_variant() {
        let (help, records) = (help("The variant"), record_help());
        for variant in VARIANTS {
            assert!(help.contains(variant.id), "{help}");
            assert!(records.contains(variant.name()), "{records}");
            assert!(variant.record_extensions.iter().all(|ending| records.contains(ending)), "{records}");
            assert_eq!(named(variant.id).map(|known| known.id).ok(), Some(variant.id));
        }
        let error = format!("{:#}", named("halma").expect_err("there is none"));
        assert!(
            error.starts_with("there is no variant halma: known are ") && error.contains(" and "),
            "{error}"
        );
    }
}

//! Every reason of the platform, in one table that the documentation prints.

use std::fmt::Write as _;

use api::reason;

/// The table, in Markdown.
pub fn table() -> String {
    let mut text = String::from(
        "# Reasons\nWhy a call is refused or fails: the `reason` of `google.rpc.ErrorInfo`, in the details of the status. A\n\
         reason never changes its name or its meaning. This page is printed by `shoutan reasons`; a test holds it to\n\
         what is built.\n",
    );
    for (part, reasons) in reason::ALL {
        let _infallible = write!(text, "\n## {part}\n| reason | meaning | remedy |\n| --- | --- | --- |\n");
        for reason in *reasons {
            let _infallible = writeln!(text, "| `{reason}` | {} | {} |", reason.meaning(), reason.remedy());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// `SHOUTAN_BLESS=1` writes the page anew.
    #[test]
    fn the_documentation_has_every_reason_as_it_is_built() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../REASONS.md");
        if std::env::var_os("SHOUTAN_BLESS").is_some() {
            std::fs::write(&page, super::table()).expect("the page can be written");
        }
        let written = std::fs::read_to_string(&page).expect("services/REASONS.md is there");
        assert_eq!(written, super::table(), "SHOUTAN_BLESS=1 writes services/REASONS.md anew");
    }
}

//! What poppler reads in a PDF.

use std::{io::Write as _, process::Command};

/// A box around a word on its page, in points.
#[derive(Debug)]
pub(crate) struct Word {
    pub(crate) page: usize,
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
    pub(crate) page_width: f64,
    pub(crate) page_height: f64,
}

/// What a tool says of a PDF.
fn ask(tool: &str, options: &[&str], pdf: &[u8], to: &[&str]) -> String {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(pdf).expect("written");
    let output = Command::new(tool).args(options).arg(file.path()).args(to).output();
    let output = output.unwrap_or_else(|error| panic!("{tool} of poppler-utils: {error}"));
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is UTF-8")
}

/// The text, in the order in which it is set, without spaces and what else cannot be seen.
pub(crate) fn text(pdf: &[u8]) -> String {
    seen(&ask("pdftotext", &["-raw", "-enc", "UTF-8"], pdf, &["-"]))
}

/// The text in the order in which a reader finds it on the page, where what is written from the right is turned back.
pub(crate) fn read(pdf: &[u8]) -> String {
    seen(&ask("pdftotext", &["-enc", "UTF-8"], pdf, &["-"]))
}

/// A text without spaces and what else cannot be seen.
pub(crate) fn seen(text: &str) -> String {
    let is_seen = |c: &char| {
        !c.is_whitespace()
            && !c.is_control()
            && !matches!(c, '\u{200B}' | '\u{200D}'..='\u{200F}' | '\u{202A}'..='\u{202E}')
    };
    text.chars().filter(is_seen).collect()
}

/// The fonts: a line for each, without the heads of columns.
pub(crate) fn fonts(pdf: &[u8]) -> Vec<String> {
    ask("pdffonts", &[], pdf, &[]).lines().skip(2).map(str::to_owned).collect()
}

/// A field of what is said about the file.
pub(crate) fn info(pdf: &[u8], field: &str) -> String {
    let told = ask("pdfinfo", &[], pdf, &[]);
    let found = told.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    found.unwrap_or_default().trim().to_owned()
}

/// Where each word stands.
pub(crate) fn words(pdf: &[u8]) -> Vec<Word> {
    let told = ask("pdftotext", &["-bbox"], pdf, &["-"]);
    let field = |line: &str, name: &str| -> f64 {
        let (_, rest) = line.split_once(&format!(" {name}=\"")).expect("it has the field");
        rest.split('"').next().expect("it ends").parse().expect("a number")
    };
    let mut words = Vec::new();
    let (mut page, mut page_width, mut page_height) = (0, 0.0, 0.0);
    for line in told.lines().map(str::trim_start) {
        if line.starts_with("<page ") {
            page += 1;
            (page_width, page_height) = (field(line, "width"), field(line, "height"));
        } else if line.starts_with("<word ") {
            let [left, top, right, bottom] = ["xMin", "yMin", "xMax", "yMax"].map(|name| field(line, name));
            words.push(Word { page, left, top, right, bottom, page_width, page_height });
        }
    }
    words
}

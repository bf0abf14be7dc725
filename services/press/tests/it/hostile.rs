//! What is given is text: whatever it looks like to typst, it is printed as it is.

use crate::{
    back,
    pages::{nothing_is_cut, reads_back},
    samples,
    texts::with_texts,
};

/// What would be markup, code or a file, if it were source.
const HOSTILE: [&str; 12] = [
    "#panic(\"no\")",
    "#read(\"/etc/passwd\")",
    "#import \"@preview/cetz:0.3.0\": *",
    "$ x^2 $ *bold* _slanted_ `raw`",
    "= Heading <label> @reference",
    "- list / term: text + number",
    "\\ \\u{41} // comment /* another */",
    "[content] #[x] {1} #{2} ~ -- --- ...",
    "https://example.org/#eval(\"1\")",
    "\"quoted\" 'single' #sys.inputs",
    "%PDF-1.7 <</Type /Page>> endobj",
    "paper.json ../../paper.typ",
];

#[test]
fn whatever_a_text_looks_like_it_is_text() {
    for mut sample in samples::all() {
        let mut at = 0;
        sample.paper = with_texts(&sample.paper, &mut |_, _| {
            at += 1;
            HOSTILE[at % HOSTILE.len()].to_owned()
        });
        let printed = sample.print();
        reads_back(&sample.name, &sample.outline(), &printed.pdf);
        nothing_is_cut(&sample.name, &printed.pdf);
        for font in back::fonts(&printed.pdf) {
            assert!(!font.contains("Mono") && !font.contains("NewCM"), "{}: {font}", sample.name);
        }
    }
}

#[test]
fn texts_without_end_or_space_are_not_cut() {
    let long = ["W".repeat(80), "ᠪᠠᠲᠤ".repeat(15), "藏".repeat(80), "བསྟན་".repeat(15), "A-b".repeat(25)];
    for mut sample in samples::all() {
        let mut at = 0;
        sample.paper = with_texts(&sample.paper, &mut |_, text| {
            at += 1;
            // Cells of tables and grades have numbers and signs, and never names.
            if text.chars().count() < 5 { text.to_owned() } else { long[at % long.len()].clone() }
        });
        let printed = sample.print();
        nothing_is_cut(&sample.name, &printed.pdf);
        reads_back(&sample.name, &sample.outline(), &printed.pdf);
    }
}

#[test]
fn what_turns_or_stacks_letters_is_printed_or_refused_and_breaks_nothing() {
    let odd =
        ["\u{202E}abc", "a\u{0301}\u{0301}\u{0301}\u{0301}", "ئابدۇللا 12 abc", "\u{200D}\u{200D}", "a\nb\tc"];
    for text in odd {
        for mut sample in samples::all() {
            sample.paper = with_texts(&sample.paper, &mut |_, _| text.to_owned());
            if let Ok(printed) = sample.try_print() {
                nothing_is_cut(&sample.name, &printed.pdf);
            }
        }
    }
}

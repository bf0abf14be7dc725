//! The shared material, read where it lies: worked positions and recorded games.

use std::{collections::BTreeMap, io::Write, path::PathBuf, sync::Once};

use rules::go::Point;

/// Several tests ask; one line says it.
static SAID: Once = Once::new();

/// The folder of the shared material, or `None`, said aloud, where it is not at hand. It is `SHOUTAN_SHARED`
/// or `shared` beside the workspace; continuous integration must have it.
pub fn folder() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared");
    let folder = std::env::var_os("SHOUTAN_SHARED").map_or_else(beside, PathBuf::from);
    if folder.join("records/go/index.csv").is_file() {
        return Some(folder);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "no shared material in {}", folder.display());
    SAID.call_once(|| {
        // Past the capture of test output: a check that is left out must be seen.
        let line = format!("NOT CHECKED: no shared material in {}; set SHOUTAN_SHARED", folder.display());
        writeln!(std::io::stderr(), "{line}").expect("standard error can be written");
    });
    None
}

/// The lines of a CSV file as columns by name. Quotes hold commas together, no more is needed here.
pub fn table(text: &str) -> Vec<BTreeMap<String, String>> {
    let cells = |line: &str| {
        let mut cells = vec![String::new()];
        let mut quoted = false;
        for char in line.chars() {
            match char {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                _ => cells.last_mut().expect("never empty").push(char),
            }
        }
        cells
    };
    let mut lines = text.lines();
    let names = cells(lines.next().expect("a heading"));
    lines.map(|line| names.iter().cloned().zip(cells(line)).collect()).collect()
}

/// Points as SGF writes them, with spaces between.
pub fn points(letters: &str) -> Vec<Point> {
    let point = |pair: &str| {
        let [column, row] = pair.as_bytes() else { panic!("{pair} is no point") };
        Point::new(column - b'a', row - b'a').expect("a point")
    };
    letters.split_whitespace().map(point).collect()
}

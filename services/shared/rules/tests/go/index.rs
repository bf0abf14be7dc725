//! The index of the recorded games, and how it writes points.

use std::collections::BTreeMap;

use rules::goban::Point;

/// The lines of a CSV file as columns by name. Quotes hold commas together, no more is needed here.
pub(crate) fn table(text: &str) -> Vec<BTreeMap<String, String>> {
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
pub(crate) fn points(letters: &str) -> Vec<Point> {
    let point = |pair: &str| {
        let [column, row] = pair.as_bytes() else { panic!("{pair} is no point") };
        Point::new(column - b'a', row - b'a').expect("a point")
    };
    letters.split_whitespace().map(point).collect()
}

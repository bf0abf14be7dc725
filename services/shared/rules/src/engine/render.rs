use core::fmt::Write as _;

use crate::{Game, Point, StoneColour, View, Viewer, prelude::*, rows};

/// The position for a person, in the text that `position` and `check` read where there is one: blanks between the
/// signs, and the names of rows and columns as remarks.
///
/// ```
/// use rules::RuleSet;
/// let game = (rules::go::VARIANT.start)(&RuleSet::named("cn1988").with("size", "5"))?;
/// assert!(rules::engine::render(&*game).ends_with("board:\n  . . . . . # 5\n  . . . . . # 4\n  . . . . . # 3\n  . . . . . # 2\n  . . . . . # 1\n# A B C D E"));
/// # Ok::<(), rules::OptionError>(())
/// ```
pub fn render(game: &dyn Game) -> String {
    let view = game.view(Viewer::Spectator);
    let names = Names::of(game, &view);
    let mut text = String::new();
    let setup = game.setup_text();
    let setup = setup.as_deref().and_then(|setup| setup.split_once("board:\n"));
    let rows: Vec<String> = if let Some((keys, rows)) = setup {
        text.push_str(keys);
        rows.lines().map(String::from).collect()
    } else {
        text.push_str("# no text sets this position up\n");
        rows(game, StoneColour::letter)
    };
    text.push_str("board:\n");
    for (row, signs) in rows.iter().enumerate() {
        text.push(' ');
        for sign in signs.chars().filter(|sign| !sign.is_whitespace()) {
            // Writing to a string cannot fail.
            let _ = write!(text, "{sign:>width$}", width = names.width + 1);
        }
        let _ = writeln!(text, " # {}", names.rows.get(row).map_or("", |name| name));
    }
    text.push('#');
    for name in &names.columns {
        let _ = write!(text, "{name:>width$}", width = names.width + 1);
    }
    text
}

/// What stands beside the board.
struct Names {
    columns: Vec<String>,
    rows: Vec<String>,
    width: usize,
}

impl Names {
    fn of(game: &dyn Game, view: &View) -> Names {
        let name = |column, row| game.point_name(Point { column, row });
        // A name is a letter and a number: the one that stays the same along a row is the row's.
        let letter_is_row = split(&name(0, 0)).0 == split(&name(1, 0)).0;
        let pick = |name: String, letter: bool| {
            let (front, back) = split(&name);
            String::from(if letter { front } else { back })
        };
        let columns: Vec<String> =
            (0..view.columns).map(|column| pick(name(column, 0), !letter_is_row)).collect();
        let rows = (0..view.rows).map(|row| pick(name(0, row), letter_is_row)).collect();
        let width = columns.iter().map(String::len).max().unwrap_or(1);
        Names { columns, rows, width }
    }
}

fn split(name: &str) -> (&str, &str) {
    name.split_at(name.find(|char: char| char.is_ascii_digit()).unwrap_or(name.len()))
}

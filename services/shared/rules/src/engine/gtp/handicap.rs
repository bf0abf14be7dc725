//! Handicap stones: where GTP puts them, where the engine likes them, where the controller says.

use super::{Answered, Gtp, syntax};
use crate::{Point, Side, prelude::*};

pub(super) fn fixed(gtp: &mut Gtp, words: &[&str]) -> Answered {
    let count = number(words)?;
    let points = fixed_points(gtp.size(), count).ok_or("invalid number of stones")?;
    place_points(gtp, &points)
}

/// The fixed points as far as there are any, then the first others in reading order off the edge.
pub(super) fn place_free(gtp: &mut Gtp, words: &[&str]) -> Answered {
    let count = number(words)?;
    let (size, most) = (gtp.size(), fixed_most(gtp.size()));
    let mut points = fixed_points(size, count.min(most)).unwrap_or_default();
    let inner = (1..size - 1).flat_map(|row| (1..size - 1).map(move |column| Point { column, row }));
    for point in inner {
        if points.len() < count && !points.contains(&point) {
            points.push(point);
        }
    }
    place_points(gtp, &points)
}

pub(super) fn set_free(gtp: &mut Gtp, words: &[&str]) -> Answered {
    if words.len() < 2 {
        return Err(syntax("a list of two vertices or more"));
    }
    let names: Vec<String> = words.iter().map(ToString::to_string).collect();
    place(gtp, &names)?;
    Ok(String::new())
}

fn number(words: &[&str]) -> Result<usize, String> {
    match words {
        [count] => count.parse().ok().filter(|count| *count >= 2).ok_or_else(|| syntax("a number of stones")),
        _ => Err(syntax("a number of stones")),
    }
}

/// How many fixed points a board has: nine with a middle, four without.
const fn fixed_most(size: u8) -> usize {
    match size {
        0..=6 => 0,
        7 => 4,
        size if size % 2 == 0 => 4,
        _ => 9,
    }
}

/// The points of the table in GTP's definition, on the fourth line from 13 x 13 on and on the third below.
fn fixed_points(size: u8, count: usize) -> Option<Vec<Point>> {
    if !(2..=fixed_most(size)).contains(&count) {
        return None;
    }
    let low = if size >= 13 { 3 } else { 2 };
    let (high, middle) = (size - 1 - low, size / 2);
    let point = |column, row| Point { column, row };
    // Rows count from the top, so the lower left corner comes first.
    let corners = [point(low, high), point(high, low), point(low, low), point(high, high)];
    let sides = [point(low, middle), point(high, middle), point(middle, high), point(middle, low)];
    let mut points: Vec<Point> = corners.into_iter().take(count).collect();
    if count > 4 {
        points.extend(&sides[..(count - 4) / 2 * 2]);
        if count % 2 == 1 {
            points.push(point(middle, middle));
        }
    }
    Some(points)
}

fn place_points(gtp: &mut Gtp, points: &[Point]) -> Answered {
    let names: Vec<String> = points.iter().map(|point| gtp.engine.game().point_name(*point)).collect();
    place(gtp, &names)
}

/// Starts the game anew with these stones of Black's.
fn place(gtp: &mut Gtp, names: &[String]) -> Answered {
    if !gtp.engine.acts().is_empty() || !gtp.points(Some(Side::First)).is_empty() {
        return Err("board not empty".into());
    }
    let mut engine = gtp.engine.clone();
    let rule_set = engine.rule_set().clone().with("handicap", &names.len().to_string());
    engine.start(rule_set, None).map_err(|_| String::from("invalid number of stones"))?;
    for name in names {
        let placed = engine.play_any(Side::First, name);
        placed.map_err(|failure| alloc::format!("bad vertex list: {failure}"))?;
    }
    gtp.engine = engine;
    Ok(names.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::NoHost;

    fn placed(size: u8, command: &str) -> Answered {
        let mut gtp = Gtp::new(&crate::go::VARIANT).expect("Go");
        gtp.run(&["boardsize", &size.to_string()], &mut NoHost).expect("a size");
        gtp.run(&command.split(' ').collect::<Vec<_>>(), &mut NoHost)
    }

    #[test]
    fn fixed_points_are_those_of_the_table() {
        let ok = |text: &str| Ok(String::from(text));
        assert_eq!(placed(19, "fixed_handicap 2"), ok("D4 Q16"));
        assert_eq!(placed(19, "fixed_handicap 5"), ok("D4 Q16 D16 Q4 K10"));
        assert_eq!(placed(19, "fixed_handicap 6"), ok("D4 Q16 D16 Q4 D10 Q10"));
        assert_eq!(placed(19, "fixed_handicap 9"), ok("D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"));
        assert_eq!(placed(9, "fixed_handicap 3"), ok("C3 G7 C7"));
        for (size, count) in [(19, 1), (19, 10), (8, 5), (7, 5), (5, 2)] {
            assert!(placed(size, &alloc::format!("fixed_handicap {count}")).is_err(), "{count} on {size}");
        }
    }

    #[test]
    fn free_stones_are_placed_or_refused_as_a_whole() {
        assert_eq!(placed(5, "place_free_handicap 2"), Ok("B4 C4".into()));
        assert_eq!(placed(9, "set_free_handicap A1 B1"), Ok(String::new()));
        for bad in ["set_free_handicap A1", "set_free_handicap A1 A1", "set_free_handicap A1 pass"] {
            assert!(placed(9, bad).is_err(), "{bad}");
        }
    }
}

//! What stands beside a board: letters and numbers.

use api::board::v1::Point;
use rules::Axes;

/// Every way of naming points, the one that is usual for a variant first.
pub fn ways(variant: &str) -> Vec<Axes> {
    let usual = rules::variant(variant).map(|variant| variant.axes);
    usual.into_iter().chain(Axes::ALL.into_iter().filter(|axes| Some(*axes) != usual)).collect()
}

/// Whether points are named so by whoever gave this point its name.
pub fn fits(axes: Axes, point: &Point, rows: u32) -> bool {
    let small = |number: u32| u8::try_from(number).ok();
    let (Some(column), Some(row), Some(rows)) = (small(point.column), small(point.row), small(rows)) else {
        return false;
    };
    axes.name(rules::Point { column, row }, rows) == point.name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(column: u32, row: u32, name: &str) -> Point {
        Point { column, row, name: name.to_owned() }
    }

    #[test]
    fn points_have_the_names_their_players_use() {
        assert!(fits(Axes::AcrossWithoutI, &point(15, 3, "Q16"), 19));
        assert!(!fits(Axes::Across, &point(15, 3, "Q16"), 19));
        assert!(fits(Axes::Down, &point(6, 7, "H7"), 14));
        assert!(!fits(Axes::AcrossWithoutI, &point(6, 7, "H7"), 14));
        assert!(fits(Axes::Across, &point(8, 0, "I8"), 8));
        assert!(!fits(Axes::Across, &point(300, 0, "A1"), 300));
    }

    #[test]
    fn what_is_usual_for_a_variant_is_tried_first_and_then_all_others() {
        for variant in rules::VARIANTS {
            let ways = ways(variant.id);
            assert_eq!((ways[0], ways.len()), (variant.axes, Axes::ALL.len()), "{}", variant.id);
        }
        assert_eq!(ways("halma"), Axes::ALL);
    }
}

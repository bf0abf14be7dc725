//! The grade that a rating is about worth.

use super::{category::Variant, glicko2::Rating};

/// The variants whose players are graded by dan and kyu.
const GRADED: [&str; 3] = ["go", "tianyi", "jpd"];
/// The scale of OGS: the rating of the weakest grade, and how many grades there are to an e-fold of the rating.
const WEAKEST_AT: f64 = 525.0;
const GRADES_AN_E_FOLD: f64 = 23.15;
/// The weakest grade, 30 kyu, and the strongest, 9 dan.
const WEAKEST: i32 = -29;
const STRONGEST: i32 = 9;

/// An estimate of a grade: 3 dan is 3, 1 kyu is 0, 20 kyu is -19. None where players are not graded so, and of who is provisional.
pub fn estimate(variant: &Variant, rating: Rating) -> Option<i32> {
    if rating.is_provisional() { None } else { worth(variant, rating.value()) }
}

/// The grade that so many points are about worth; none where players are not graded so.
pub fn worth(variant: &Variant, points: f64) -> Option<i32> {
    if !GRADED.contains(&variant.base()) {
        return None;
    }
    // libm's logarithm is the same on every machine.
    let above = (libm::log(points.max(1.0) / WEAKEST_AT) * GRADES_AN_E_FOLD).floor();
    #[expect(clippy::cast_possible_truncation, reason = "it is far within, and cut if it were not")]
    let grade = WEAKEST.saturating_add(above as i32);
    Some(grade.clamp(WEAKEST, STRONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_of_ratings() {
        let of = |variant: &str, value: f64, deviation: f64| {
            let rating = Rating::new(value, deviation, 0.06).expect("a rating");
            estimate(&Variant::parse(variant).expect("a name"), rating)
        };
        // 525 * e^(n / 23.15) is where the grade n above 30 kyu begins.
        for (value, grade) in [
            (100.0, -29),
            (525.0, -29),
            (548.0, -29),
            (549.0, -28),
            (1150.0, -11),
            (1500.0, -5),
            (1918.0, 0),
            (1919.0, 1),
            (2710.0, 8),
            (2712.0, 9),
            (4000.0, 9),
        ] {
            assert_eq!(of("go", value, 60.0), Some(grade), "{value}");
        }
        assert_eq!((of("tianyi", 1919.0, 60.0), of("jpd", 1919.0, 110.0)), (Some(1), Some(1)));
        assert_eq!(
            (of("go", 1919.0, 110.1), of("jiu", 1919.0, 60.0), of("jirige", 1919.0, 60.0)),
            (None, None, None)
        );
    }
}

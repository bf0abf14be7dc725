//! Performance in rating points (FIDE B.02, table 8.1.1).

/// Rating differences for scores of 50 to 100 per cent; below 50 they are mirrored.
const DIFFERENCES: [i32; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175,
    184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444,
    470, 501, 538, 589, 677, 800,
];

/// The rating at which a score would have been expected: the opponents' average and the difference of the table, both
/// rounded half up. None without a rated opponent.
pub(crate) fn performance(ratings: &[i32], points: u32, possible: u32) -> Option<i128> {
    let games = i128::try_from(ratings.len()).ok().filter(|games| *games > 0 && possible > 0)?;
    let sum: i128 = ratings.iter().copied().map(i128::from).sum();
    let average = (2 * sum + games).div_euclid(2 * games);
    let percent = (200 * points + possible) / (2 * possible);
    let table = |percent: u32| DIFFERENCES.get(percent as usize).copied().map_or(800, i128::from);
    Some(if percent >= 50 { average + table(percent - 50) } else { average - table(50 - percent) })
}

#[cfg(test)]
mod tests {
    use super::performance;

    #[test]
    fn half_of_the_points_is_the_average() {
        assert_eq!(performance(&[2400, 2500, 2601], 3, 6), Some(2500));
        assert_eq!(performance(&[2400, 2400], 4, 4), Some(3200));
        assert_eq!(performance(&[2400, 2400], 0, 4), Some(1600));
        assert_eq!(performance(&[2000, 2000, 2000, 2000], 6, 8), Some(2193));
        assert_eq!(performance(&[], 0, 0), None);
    }
}

//! Grades as members have them, as numbers.

/// The number of a grade that is written as "3d", "5k", "3 dan", "5 kyu", "3段" or "5级": 3 dan is 3, 1 kyu is 0. None of any
/// other text: titles, and grades of professionals, are on scales of their own.
pub fn grade(text: &str) -> Option<i32> {
    let text = text.trim().to_lowercase();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: i32 = number.parse().ok().filter(|number| (1..=50).contains(number))?;
    match unit.trim() {
        "d" | "dan" | "段" => Some(number),
        "k" | "kyu" | "级" | "級" => Some(1 - number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::grade;

    #[test]
    fn dans_are_above_kyus() {
        for (text, number) in
            [("3d", 3), ("1 dan", 1), ("1K", 0), ("20 kyu", -19), ("5段", 5), ("5级", -4), (" 2級 ", -1)]
        {
            assert_eq!(grade(text), Some(number), "{text}");
        }
        for other in ["", "3p", "d3", "0k", "51k", "GM", "3", "99999999999d", "3dd", "-1d"] {
            assert_eq!(grade(other), None, "{other}");
        }
    }
}

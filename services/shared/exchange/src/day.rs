//! Days as formats write them.

use crate::model::Date;

/// `YYYY-MM-DD`, with any sign between the parts, and one digit where two are not needed.
///
/// The year comes first: of a date that begins with a day nobody knows which of two numbers is the month.
pub(crate) fn parse(text: &str) -> Option<Date> {
    let mut parts = text.trim().split(['-', '/', '.']);
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let number = |it: &str, digits: usize| {
        let is_number = !it.is_empty() && it.len() <= digits && it.bytes().all(|it| it.is_ascii_digit());
        it.parse::<i16>().ok().filter(|_| is_number)
    };
    let small = |it: &str| number(it, 2).and_then(|it| i8::try_from(it).ok());
    let date = Date::new(number(year, 4)?, small(month)?, small(day)?).ok()?;
    (parts.next().is_none() && date.year() >= 1_000).then_some(date)
}

/// The parts of a day with a sign between them.
pub(crate) fn text(date: Date, between: char) -> String {
    format!("{:04}{between}{:02}{between}{:02}", date.year(), date.month(), date.day())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_begin_with_the_year() {
        let day = Date::new(2026, 2, 3).ok();
        assert_eq!(["2026-02-03", "2026/2/3", "2026.02.03"].map(parse), [day; 3]);
        assert_eq!(
            ["03.02.2026", "2026-02-30", "2026", "2026-02-03-1", "26/02/03", ""].map(parse),
            [None; 6]
        );
        assert_eq!(day.map(|it| text(it, '/')).as_deref(), Some("2026/02/03"));
    }
}

//! Days, as they are written: 2026-12-31.

use time::{Date, Month};

/// The day of a text of this form; none of any other, and none before 1900.
pub fn parse(text: &str) -> Option<Date> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = |part: &str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    if parts.next().is_some() || !digits(year, 4) || !digits(month, 2) || !digits(day, 2) {
        return None;
    }
    let month = Month::try_from(month.parse::<u8>().ok()?).ok()?;
    let date = Date::from_calendar_date(year.parse().ok()?, month, day.parse().ok()?).ok()?;
    (date.year() >= 1900).then_some(date)
}

/// How a day is written.
pub fn text(date: Date) -> String {
    format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_one_form() {
        for good in ["2026-12-31", "1900-01-01", "2024-02-29"] {
            assert_eq!(parse(good).map(text).as_deref(), Some(good));
        }
        for bad in [
            "2026-02-29",
            "26-12-31",
            "2026-1-01",
            "2026-12-31 ",
            "31.12.2026",
            "",
            "2026-12-31-1",
            "1899-12-31",
            "+026-12-31",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}

//! Months, of whose ends leaderboards are kept.

use std::fmt;

use chassis::id::AccountId;
use time::{Date, Duration, Month, OffsetDateTime};

use super::player_rating::PlayerRating;

/// How long after its end a month is kept: most results that come late have come by then.
pub const GRACE: Duration = Duration::DAY;
/// How many players are kept of a leaderboard.
pub const KEPT_MAX: usize = 1_000;
/// Months that nobody has kept are made up for as long as they are not older than so many.
pub const MADE_UP_MAX: u16 = 24;

/// A month, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Period {
    /// Months since the beginning of the year 0.
    months: u16,
}

/// A month of a category that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Which.
    pub period: Period,
    /// How many were ranked.
    pub ranked: u32,
    /// When it was kept.
    pub at: OffsetDateTime,
}

/// A place of a leaderboard that was kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Led {
    /// From 1 on, without gaps: also those who stand level have one each.
    pub position: u32,
    /// One more than there were players with a higher rating.
    pub rank: u32,
    /// Who stood there.
    pub account: AccountId,
    /// His rating as it was then.
    pub player: PlayerRating,
}

impl Period {
    /// The month of a moment; `None` before the year 0.
    pub fn of(moment: OffsetDateTime) -> Option<Period> {
        Period::new(moment.year(), moment.month())
    }

    fn new(year: i32, month: Month) -> Option<Period> {
        let months = year.checked_mul(12)?.checked_add(i32::from(u8::from(month)) - 1)?;
        Some(Period { months: u16::try_from(months).ok()? })
    }

    /// A month as it is written, `2026-11`; `None` of anything else.
    pub fn parse(text: &str) -> Option<Period> {
        let (year, month) = text.split_once('-')?;
        let is_number =
            |part: &str, length| part.len() == length && part.bytes().all(|it| it.is_ascii_digit());
        if !is_number(year, 4) || !is_number(month, 2) {
            return None;
        }
        Period::new(year.parse().ok()?, Month::try_from(month.parse::<u8>().ok()?).ok()?)
    }

    /// The month of a number, as [`Period::number`] has it.
    pub fn numbered(number: i16) -> Option<Period> {
        Some(Period { months: u16::try_from(number).ok()? })
    }

    /// Its number: each month has one more than the one before.
    pub fn number(self) -> i16 {
        self.months.cast_signed()
    }

    /// The newest month that is to be kept at a moment.
    pub fn newest(now: OffsetDateTime) -> Option<Period> {
        Period::of(now.checked_sub(GRACE)?)?.earlier(1)
    }

    /// So many months before.
    pub fn earlier(self, months: u16) -> Option<Period> {
        Some(Period { months: self.months.checked_sub(months)? })
    }

    /// The moment at which it ends, which is no part of it.
    pub fn end(self) -> Option<OffsetDateTime> {
        let next = self.months.checked_add(1)?;
        let month = Month::try_from(u8::try_from(next % 12 + 1).ok()?).ok()?;
        Some(Date::from_calendar_date((next / 12).into(), month, 1).ok()?.midnight().assume_utc())
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.months / 12, self.months % 12 + 1)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn months_are_written_as_they_are_read() {
        for text in ["0000-01", "2026-11", "2026-12", "2099-02", "2730-07"] {
            let period = Period::parse(text).expect(text);
            assert_eq!(period.to_string(), text);
            assert_eq!(Period::numbered(period.number()), Some(period));
        }
        for text in
            ["", "2026", "2026-13", "2026-00", "2026-1", "+026-01", "2026-011", "9999-12", "二零26-01"]
        {
            assert_eq!(Period::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_month_ends_where_the_next_begins() {
        let of = |text: &str| Period::parse(text).expect(text);
        assert_eq!(of("2026-11").end(), Some(datetime!(2026-12-01 00:00 UTC)));
        assert_eq!(of("2026-12").end(), Some(datetime!(2027-01-01 00:00 UTC)));
        assert_eq!(of("2024-02").end(), Some(datetime!(2024-03-01 00:00 UTC)));
        assert_eq!((of("2027-01").earlier(1), of("0000-01").earlier(1)), (Some(of("2026-12")), None));
    }

    #[test]
    fn a_month_is_kept_a_day_after_its_end() {
        let newest = |now| Period::newest(now).expect("a month").to_string();
        assert_eq!(newest(datetime!(2026-12-01 23:59:59 UTC)), "2026-10");
        assert_eq!(newest(datetime!(2026-12-02 00:00 UTC)), "2026-11");
        assert_eq!(newest(datetime!(2027-01-15 00:00 UTC)), "2026-12");
    }
}

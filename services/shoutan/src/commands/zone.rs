//! The zone in which a person reads times.

use jiff::{Timestamp, tz::TimeZone};
use time::{
    OffsetDateTime, UtcOffset,
    format_description::{BorrowedFormatItem, well_known::Rfc3339},
    macros::format_description,
};

/// How moments are written for people: with seconds, and with the offset of the zone, so that nobody has to guess.
const WRITTEN: &[BorrowedFormatItem<'_>] = format_description!(
    "[year]-[month]-[day] [hour]:[minute]:[second] [offset_hour sign:mandatory]:[offset_minute]"
);

/// In which zone times are shown.
#[derive(Debug, clap::Args)]
pub(super) struct ZoneArg {
    /// The zone in which times are shown, by its name, such as Asia/Shanghai; when it is not said the one of the variable
    /// TZ or of the system, and UTC where neither says it. JSON has all times in UTC.
    #[arg(long, value_name = "ZONE", global = true, value_parser = Zone::named)]
    zone: Option<Zone>,
}

impl ZoneArg {
    /// The zone that was asked for, or the system's.
    pub(super) fn get(&self) -> Zone {
        self.zone.clone().unwrap_or_else(Zone::here)
    }
}

/// A zone of the database of zones.
#[derive(Clone, Debug)]
pub(super) struct Zone(TimeZone);

impl Zone {
    /// A zone by its name.
    fn named(name: &str) -> Result<Zone, String> {
        let zone = TimeZone::get(name).map_err(|_| format!("there is no zone {name}; say Asia/Shanghai"))?;
        Ok(Zone(zone))
    }

    /// The zone of a name, if there is one.
    pub(super) fn find(name: &str) -> Option<Zone> {
        Zone::named(name).ok()
    }

    /// The zone of this place.
    pub(super) fn here() -> Zone {
        Zone(TimeZone::try_system().unwrap_or(TimeZone::UTC))
    }

    /// A moment as people of this zone write it: `2026-11-21 09:00:00 +08:00`.
    pub(super) fn told(&self, moment: OffsetDateTime) -> String {
        let there = moment.to_offset(self.offset(moment));
        // It is written into memory, with every part that the format asks for.
        there.format(WRITTEN).unwrap_or_else(|_| there.format(&Rfc3339).unwrap_or_default())
    }

    /// How far the zone is from UTC at a moment; outside the years of the calendar it is UTC.
    pub(super) fn offset(&self, moment: OffsetDateTime) -> UtcOffset {
        let at = Timestamp::from_second(moment.unix_timestamp()).ok();
        let seconds = at.map_or(0, |at| self.0.to_offset(at).seconds());
        UtcOffset::from_whole_seconds(seconds).unwrap_or(UtcOffset::UTC)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_moment_is_told_with_the_offset_that_holds_then() {
        let winter = datetime!(2026-11-21 1:00:00 UTC);
        let summer = datetime!(2026-07-01 23:30:05 UTC);
        for (zone, in_winter, in_summer) in [
            ("Asia/Shanghai", "2026-11-21 09:00:00 +08:00", "2026-07-02 07:30:05 +08:00"),
            ("Europe/Berlin", "2026-11-21 02:00:00 +01:00", "2026-07-02 01:30:05 +02:00"),
            ("America/St_Johns", "2026-11-20 21:30:00 -03:30", "2026-07-01 21:00:05 -02:30"),
            ("UTC", "2026-11-21 01:00:00 +00:00", "2026-07-01 23:30:05 +00:00"),
        ] {
            let zone = Zone::named(zone).expect("it is known");
            assert_eq!((&*zone.told(winter), &*zone.told(summer)), (in_winter, in_summer));
        }
    }

    #[test]
    fn a_zone_that_is_none_is_refused() {
        for bad in ["", "Asia", "Asia/Nowhere", "+08:00"] {
            assert!(Zone::named(bad).is_err(), "{bad}");
        }
    }
}

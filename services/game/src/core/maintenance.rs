//! When the platform is worked on: what an operator plans, moves and calls off.

use std::time::Duration;

use time::OffsetDateTime;

/// How long a maintenance is at least: what is shorter is an outage, and given back as one.
pub const MAINTENANCE_MIN: Duration = Duration::from_mins(1);
/// How long it is at most.
pub const MAINTENANCE_MAX: Duration = Duration::from_hours(7 * 24);
/// How far ahead it is planned at most.
pub const MAINTENANCE_AHEAD_MAX: Duration = Duration::from_hours(366 * 24);
/// How long its reason is at most, in characters.
pub const MAINTENANCE_REASON_MAX: usize = 200;

/// A time in which the platform is worked on, and the clocks of all games stand still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maintenance {
    /// From when on the clocks stand.
    pub begin: OffsetDateTime,
    /// From when on they run again.
    pub end: OffsetDateTime,
    /// Why, in the operator's words; empty when nothing was said.
    pub reason: String,
}

/// What an operator wants of the next maintenance, or of the one that is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MaintenanceChange {
    /// To have one, in the place of one that has not begun.
    Plan(Maintenance),
    /// To have its end moved.
    MoveEnd(OffsetDateTime),
    /// Not to have it, or no longer.
    Cancel,
}

/// Why a maintenance is not planned, moved or called off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaintenanceError {
    /// It would begin before now.
    #[error("a maintenance begins now or later")]
    InThePast,
    /// It would begin too late.
    #[error("a maintenance is planned a year ahead at most")]
    TooFarAhead,
    /// It would be too short or too long.
    #[error("a maintenance takes a minute at least and seven days at most")]
    BadLength,
    /// Its reason is too long, or has other characters than those that are printed.
    #[error("a reason has 200 characters at most, on one line")]
    BadReason,
    /// One is under way.
    #[error("a maintenance is under way: move its end, or call it off first")]
    UnderWay,
    /// None is planned.
    #[error("no maintenance is planned")]
    NonePlanned,
}

impl Maintenance {
    /// Whether the clocks stand at this time.
    pub fn holds(&self, now: OffsetDateTime) -> bool {
        self.begin <= now && now < self.end
    }

    fn checked(self) -> Result<Self, MaintenanceError> {
        let length = Duration::try_from(self.end - self.begin).unwrap_or(Duration::ZERO);
        if !(MAINTENANCE_MIN..=MAINTENANCE_MAX).contains(&length) {
            return Err(MaintenanceError::BadLength);
        }
        if self.reason.chars().count() > MAINTENANCE_REASON_MAX || self.reason.chars().any(char::is_control) {
            return Err(MaintenanceError::BadReason);
        }
        Ok(self)
    }
}

impl MaintenanceChange {
    /// What is planned after it; also one that is over from now on stays known, as games have yet to learn of its end.
    ///
    /// # Errors
    /// When it cannot be; nothing changes then.
    pub fn after(
        self,
        planned: Option<Maintenance>,
        now: OffsetDateTime,
    ) -> Result<Option<Maintenance>, MaintenanceError> {
        let next = planned.filter(|planned| now < planned.end);
        match (self, next) {
            (MaintenanceChange::Plan(_), Some(next)) if next.holds(now) => Err(MaintenanceError::UnderWay),
            (MaintenanceChange::Plan(plan), _) if plan.begin < now => Err(MaintenanceError::InThePast),
            (MaintenanceChange::Plan(plan), _) if plan.begin - now > MAINTENANCE_AHEAD_MAX => {
                Err(MaintenanceError::TooFarAhead)
            }
            (MaintenanceChange::Plan(plan), _) => plan.checked().map(Some),
            (_, None) => Err(MaintenanceError::NonePlanned),
            (MaintenanceChange::MoveEnd(end), Some(_)) if end < now => Err(MaintenanceError::InThePast),
            (MaintenanceChange::MoveEnd(end), Some(next)) => Maintenance { end, ..next }.checked().map(Some),
            (MaintenanceChange::Cancel, Some(next)) if next.holds(now) => {
                Ok(Some(Maintenance { end: now, ..next }))
            }
            (MaintenanceChange::Cancel, Some(_)) => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(minutes: i64) -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + time::Duration::minutes(minutes)
    }

    fn between(begin: i64, end: i64) -> Maintenance {
        Maintenance { begin: at(begin), end: at(end), reason: String::new() }
    }

    fn changes() -> impl Strategy<Value = MaintenanceChange> {
        prop_oneof![
            (-9_i64..20_000, -9_i64..20_000)
                .prop_map(|(begin, length)| MaintenanceChange::Plan(between(begin, begin + length))),
            (-9_i64..20_000).prop_map(|end| MaintenanceChange::MoveEnd(at(end))),
            Just(MaintenanceChange::Cancel),
        ]
    }

    proptest! {
        /// Whatever operators do: what is planned is of a length that is allowed, and what is under way goes on from its begin
        /// until it ends or is called off.
        #[test]
        fn what_is_planned_is_sound_and_what_has_begun_stays_begun(
            steps in prop::collection::vec((0_i64..3_000, changes()), 1..12)
        ) {
            let (mut planned, mut now) = (None::<Maintenance>, 0);
            for (pass, change) in steps {
                now += pass;
                let under_way = planned.clone().filter(|it| it.holds(at(now)));
                let cancels = change == MaintenanceChange::Cancel;
                let Ok(after) = change.after(planned.clone(), at(now)) else { continue };
                if let Some(under_way) = under_way {
                    let after = after.clone().expect("it was under way");
                    prop_assert_eq!(after.begin, under_way.begin);
                    prop_assert!(after.holds(at(now)) != cancels || after.end == at(now));
                }
                if let Some(it) = after.as_ref().filter(|_| !cancels) {
                    prop_assert!(it.end - it.begin >= MAINTENANCE_MIN && it.end - it.begin <= MAINTENANCE_MAX);
                    prop_assert!(it.end >= at(now));
                }
                planned = after;
            }
        }
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_reason() {
        let (now, noon) = (at(100), between(720, 780));
        let plan = |plan: Maintenance| MaintenanceChange::Plan(plan).after(None, now);
        assert_eq!(plan(between(99, 200)), Err(MaintenanceError::InThePast));
        assert_eq!(plan(between(600_000, 600_060)), Err(MaintenanceError::TooFarAhead));
        for (begin, end) in [(200, 200), (200, 100), (200, 200 + 7 * 24 * 60 + 1)] {
            assert_eq!(plan(between(begin, end)), Err(MaintenanceError::BadLength));
        }
        for reason in ["x".repeat(MAINTENANCE_REASON_MAX + 1), "two\nlines".to_owned()] {
            assert_eq!(plan(Maintenance { reason, ..noon.clone() }), Err(MaintenanceError::BadReason));
        }
        for change in [MaintenanceChange::Cancel, MaintenanceChange::MoveEnd(at(900))] {
            assert_eq!(change.clone().after(None, now), Err(MaintenanceError::NonePlanned));
            assert_eq!(change.after(Some(noon.clone()), noon.end), Err(MaintenanceError::NonePlanned));
        }
        let other = MaintenanceChange::Plan(between(800, 900));
        assert_eq!(other.after(Some(noon.clone()), noon.begin), Err(MaintenanceError::UnderWay));
        assert_eq!(MaintenanceChange::Cancel.after(Some(noon), now), Ok(None));
    }
}

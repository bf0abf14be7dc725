//! Who is in which club when: one at a time, from a first day to the first day elsewhere.

use chassis::id::ClubId;
use time::Date;

use super::{limits::STAYS_MAX, refusal::Refusal};

/// The time that a member is in a club.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    /// The club.
    pub club: ClubId,
    /// The first day.
    pub from: Date,
    /// The first day on which he is there no more, if one is set.
    pub to: Option<Date>,
}

impl Stay {
    /// Whether it has this day.
    pub fn has(&self, day: Date) -> bool {
        self.from <= day && self.to.is_none_or(|to| day < to)
    }

    fn meets(&self, other: &Stay) -> bool {
        self.to.is_none_or(|to| other.from < to) && other.to.is_none_or(|to| self.from < to)
    }
}

/// The stays after a transfer to `club` (none: to no club) on `day`. The last stay ends that day; one that begins that
/// day gives way.
///
/// # Errors
/// [`Refusal::AlreadyInClub`], [`Refusal::TooEarly`], [`Refusal::Full`].
pub fn transfer(stays: &[Stay], club: Option<ClubId>, day: Date) -> Result<Vec<Stay>, Refusal> {
    let mut after = stays.to_vec();
    let open = after.last().copied().filter(|last| last.to.is_none());
    match (open, club) {
        (Some(open), Some(club)) if open.club == club => return Err(Refusal::AlreadyInClub),
        (None, None) => return Err(Refusal::AlreadyInClub),
        _ => {}
    }
    match after.last_mut() {
        Some(last) if last.to.is_none() && last.from < day => last.to = Some(day),
        Some(last) if last.to.is_none() && last.from == day => drop(after.pop()),
        Some(last) if last.to.is_some_and(|to| to <= day) => {}
        Some(_) => return Err(Refusal::TooEarly),
        None => {}
    }
    if let Some(club) = club {
        match after.last_mut() {
            // He comes back on the day on which he would have left.
            Some(last) if last.club == club && last.to == Some(day) => last.to = None,
            _ => after.push(Stay { club, from: day, to: None }),
        }
    }
    if after.len() > STAYS_MAX {
        Err(Refusal::Full(STAYS_MAX as u64, "clubs that a member was in"))
    } else {
        Ok(after)
    }
}

/// The stays of somebody who leaves on a day: none goes on, and none begins.
pub fn leave(stays: &[Stay], day: Date) -> Vec<Stay> {
    let stays = stays.iter().filter(|stay| stay.from < day);
    stays.map(|stay| Stay { to: Some(stay.to.map_or(day, |to| to.min(day))), ..*stay }).collect()
}

/// The stays of two who are one: those of the first, and those of the second that meet none of them.
pub fn unite(first: &[Stay], second: &[Stay]) -> Vec<Stay> {
    let more = second.iter().filter(|stay| !first.iter().any(|known| known.meets(stay)));
    let mut all: Vec<Stay> = first.iter().chain(more).copied().collect();
    all.sort_by_key(|stay| stay.from);
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn club(number: u128) -> ClubId {
        Uuid::from_u128(number).into()
    }

    fn day(number: i32) -> Date {
        Date::from_julian_day(2_460_000 + number).expect("a day")
    }

    #[test]
    fn a_transfer_ends_one_stay_and_begins_another() {
        let first = transfer(&[], Some(club(1)), day(10)).expect("into the first");
        let second = transfer(&first, Some(club(2)), day(20)).expect("into the second");
        let stay =
            |number, from, to: Option<i32>| Stay { club: club(number), from: day(from), to: to.map(day) };
        assert_eq!(second, [stay(1, 10, Some(20)), stay(2, 20, None)]);
        assert_eq!(transfer(&second, Some(club(2)), day(30)), Err(Refusal::AlreadyInClub));
        assert_eq!(transfer(&second, Some(club(3)), day(19)), Err(Refusal::TooEarly));
        assert_eq!(
            transfer(&second, Some(club(3)), day(20)),
            Ok(vec![stay(1, 10, Some(20)), stay(3, 20, None)])
        );
        assert_eq!(transfer(&second, Some(club(1)), day(20)), Ok(vec![stay(1, 10, None)]));
        let none = transfer(&second, None, day(25)).expect("into none");
        assert_eq!(none.last().and_then(|last| last.to), Some(day(25)));
        assert_eq!(transfer(&none, None, day(26)), Err(Refusal::AlreadyInClub));
        assert_eq!(leave(&second, day(15)), [stay(1, 10, Some(15))]);
    }

    proptest! {
        /// Whatever is done, nobody is in two clubs on one day.
        #[test]
        fn nobody_is_in_two_clubs(moves in prop::collection::vec((0..4_u128, 0..60_i32), 0..20), others in prop::collection::vec((1..4_u128, 0..60_i32), 0..20)) {
            let play = |moves: &[(u128, i32)]| {
                let mut stays = Vec::new();
                for (number, on) in moves {
                    let to = (*number > 0).then(|| club(*number));
                    if let Ok(after) = transfer(&stays, to, day(*on)) {
                        stays = after;
                    }
                }
                stays
            };
            let (one, other) = (play(&moves), play(&others));
            let united = unite(&one, &other);
            for on in 0..60 {
                for stays in [&one, &united] {
                    prop_assert!(stays.iter().filter(|stay| stay.has(day(on))).count() <= 1);
                }
                prop_assert!(!one.iter().any(|stay| stay.has(day(on))) || united.iter().any(|stay| stay.has(day(on))));
                prop_assert!(on < 30 || !leave(&one, day(30)).iter().any(|stay| stay.has(day(on))));
            }
        }
    }
}

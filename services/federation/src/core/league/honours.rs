//! What many seasons come to: who was first, and the table of all of them.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{EntrantId, Outcome};

/// A line of the table of all seasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllTime {
    /// The rank, from 1.
    pub rank: u32,
    /// Who.
    pub entrant: EntrantId,
    /// How often he was first of the first division.
    pub titles: u32,
    /// Points of all his seasons in it.
    pub points: u32,
    /// His seasons in it.
    pub top_seasons: u32,
    /// His seasons in any division.
    pub seasons: u32,
}

/// The first of each division of a season, from the top. Who has withdrawn is none.
pub fn firsts(outcome: &Outcome) -> Vec<EntrantId> {
    let first = |table: &super::FinalTable| table.lines.first().map(|line| line.entrant);
    outcome.tables.iter().filter_map(first).collect()
}

/// The table of these seasons.
pub fn all_time<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Vec<AllTime> {
    let mut lines: BTreeMap<EntrantId, AllTime> = BTreeMap::new();
    for outcome in outcomes {
        for (at, table) in outcome.tables.iter().enumerate() {
            for (place, line) in table.lines.iter().enumerate() {
                let blank = AllTime {
                    rank: 0,
                    entrant: line.entrant,
                    titles: 0,
                    points: 0,
                    top_seasons: 0,
                    seasons: 0,
                };
                let own = lines.entry(line.entrant).or_insert(blank);
                own.seasons += 1;
                if at == 0 {
                    own.top_seasons += 1;
                    own.points = own.points.saturating_add(line.points);
                    own.titles += u32::from(place == 0 && !line.withdrawn);
                }
            }
        }
    }
    let mut lines: Vec<AllTime> = lines.into_values().collect();
    lines.sort_by_key(|it| (Reverse((it.titles, it.points, it.top_seasons, it.seasons)), it.entrant));
    (1..).zip(lines).map(|(rank, line)| AllTime { rank, ..line }).collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::core::league::{FinalLine, FinalTable};

    fn table(lines: &[(u128, u32)]) -> FinalTable {
        let line = |(entrant, points): &(u128, u32)| FinalLine {
            entrant: EntrantId(Uuid::from_u128(*entrant)),
            place: 1,
            points: *points,
            withdrawn: false,
            games: BTreeMap::new(),
        };
        let event = Uuid::from_u128(1).into();
        FinalTable { event, sequence: 1, hash: [0; 32], lines: lines.iter().map(line).collect() }
    }

    #[test]
    fn titles_come_first_and_points_of_lower_divisions_do_not_count() {
        let seasons = [
            Outcome { tables: vec![table(&[(1, 6), (2, 4)]), table(&[(3, 9)])], ..Outcome::default() },
            Outcome { tables: vec![table(&[(3, 5), (2, 5)]), table(&[(1, 8)])], ..Outcome::default() },
        ];
        let lines = all_time(seasons.iter());
        let told: Vec<_> = lines
            .iter()
            .map(|it| (it.rank, it.entrant.0.as_u128(), it.titles, it.points, it.top_seasons, it.seasons))
            .collect();
        assert_eq!(told, [(1, 1, 1, 6, 1, 2), (2, 3, 1, 5, 1, 2), (3, 2, 0, 9, 2, 2)]);
        assert_eq!(firsts(&seasons[1]).iter().map(|it| it.0.as_u128()).collect::<Vec<_>>(), [3, 1]);
    }
}

//! What those who play are called in a league, and the ids of its events, which follow from what they are for.

use std::fmt;

use chassis::id::{EventId, MemberId, SeasonId, TeamId, of_digest};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// Who plays in a league: a team, or a member where players enter for themselves. Which of the two, its rules say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntrantId(pub Uuid);

impl EntrantId {
    /// As a team.
    pub fn team(self) -> TeamId {
        self.0.into()
    }

    /// As a member.
    pub fn member(self) -> MemberId {
        self.0.into()
    }
}

impl fmt::Display for EntrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The event of a division (from 1): the first 16 bytes of the SHA-256 of a label, the season's id and the number of the
/// division in 4 bytes, most significant first, as a UUID of version 8 (RFC 9562).
pub fn division_event(season: SeasonId, division: u32) -> EventId {
    follows(b"shoutan/season-division\0", season, &[division])
}

/// The event of a play-off: the same of another label, the season's id, the upper of the two divisions, and the number of the
/// play-off (from 1) between these two.
pub fn play_off_event(season: SeasonId, upper_division: u32, number: u32) -> EventId {
    follows(b"shoutan/season-play-off\0", season, &[upper_division, number])
}

fn follows(label: &[u8], season: SeasonId, numbers: &[u32]) -> EventId {
    let mut hash = Sha256::new_with_prefix(label);
    hash.update(season.uuid().as_bytes());
    for number in numbers {
        hash.update(number.to_be_bytes());
    }
    of_digest(hash.finalize().into()).into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_event_of_every_season_has_an_id_of_its_own() {
        let mut seen = BTreeSet::new();
        for season in [1, 2].map(|id| SeasonId::from(Uuid::from_u128(id))) {
            for division in 1..=12 {
                assert!(seen.insert(division_event(season, division).uuid()));
                for number in 1..=8 {
                    assert!(seen.insert(play_off_event(season, division, number).uuid()));
                }
            }
        }
        assert!(seen.iter().all(|id| id.get_version_num() == 8));
    }
}

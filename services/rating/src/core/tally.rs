//! What games of two players came to.

use rules::{Side, Verdict};
use time::OffsetDateTime;

use super::{game::scores, glicko2::Score};

/// What rated games came to, as one of the two sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games lost, also those that both have lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
    /// When the last of them ended.
    pub last: Option<OffsetDateTime>,
}

impl Tally {
    /// Adds so many games of a side with this verdict, the last of which ended then. Void ones count for nothing.
    pub fn add(&mut self, (side, verdict): (Side, Verdict), games: u32, last: OffsetDateTime) {
        let Some(scores) = scores(verdict) else { return };
        let of = match scores[side.index()] {
            Score::Win => &mut self.wins,
            Score::Loss => &mut self.losses,
            Score::Draw => &mut self.draws,
        };
        *of = of.saturating_add(games);
        self.last = self.last.max(Some(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_count_as_they_ended() {
        let at = |second| OffsetDateTime::UNIX_EPOCH + time::Duration::seconds(second);
        let mut tally = Tally::default();
        tally.add((Side::First, Verdict::Win(Side::First)), 3, at(5));
        tally.add((Side::Second, Verdict::Win(Side::First)), 2, at(9));
        tally.add((Side::Second, Verdict::BothLose), 1, at(1));
        tally.add((Side::First, Verdict::Draw), 4, at(2));
        tally.add((Side::First, Verdict::Void), 7, at(99));
        assert_eq!(tally, Tally { wins: 3, losses: 3, draws: 4, last: Some(at(9)) });
    }
}

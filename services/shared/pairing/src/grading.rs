//! Competitions for grades (`GRADING`; Art. 26.3 names them only): who reaches the threshold of his grade is promoted.
//! There are no places over all grades.

use crate::{Number, Player, WIN_POINTS};

named! {
    /// What is counted.
    pub enum GradeBy {
        /// Games won, forfeits included.
        Wins = "wins",
        /// Points.
        Points = "points",
    }
}

/// A grade that is played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// What is counted.
    pub by: GradeBy,
    /// How much of it is enough.
    pub needed: u32,
}

/// Who of one grade's players has reached the threshold within so many rounds, in the order in which they are given.
/// Byes give their points and are no wins; whose results are annulled is not promoted.
///
/// ```
/// use pairing::{Entry, Player, ResultCode, grading::{GradeBy, Threshold, promoted}};
/// let mut player = Player::new(1);
/// player.history.push(Entry::bye(1, ResultCode::Pab));
/// let threshold = |by| Threshold { by, needed: 1 };
/// assert_eq!(promoted(&[player.clone()], 1, 2, threshold(GradeBy::Points)).len(), 1);
/// assert!(promoted(&[player], 1, 2, threshold(GradeBy::Wins)).is_empty());
/// ```
pub fn promoted(players: &[Player], rounds: u16, pab_points: u32, threshold: Threshold) -> Vec<Number> {
    let reached = |player: &&Player| {
        let so_far = player.history.iter().filter(|entry| entry.round <= rounds);
        let count = match threshold.by {
            GradeBy::Points => so_far.map(|entry| entry.code.points(pab_points)).sum(),
            GradeBy::Wins => {
                let won = so_far.filter(|it| it.code.is_decided_game() && it.code.points(0) == WIN_POINTS);
                crate::count(won.count())
            }
        };
        count >= threshold.needed && !player.is_annulled()
    };
    players.iter().filter(reached).map(|player| player.number).collect()
}

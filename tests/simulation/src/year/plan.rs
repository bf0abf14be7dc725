//! What is done about the time of a match or a board, and what comes of it.

use std::time::Duration;

use super::league::{ANSWER, BOARDS};
use crate::rng::Rng;

const HOUR: Duration = Duration::from_hours(1);
/// How long after the round has begun it would be played what nobody agrees to.
pub(super) const VAIN: Duration = Duration::from_hours(24 * 12);

/// What becomes of a match, or of a board where each is arranged by itself.
#[derive(Clone, Copy, Debug)]
pub(super) enum Course {
    /// The first side proposes so long after the round has begun, and the other accepts so long after that.
    Agreed {
        proposed: Duration,
        answered: Duration,
        /// How long after the round has begun it is played.
        played: Duration,
        /// What the first side has of each board: 2 for a win, 1 for a draw.
        points: [u32; BOARDS],
    },
    /// The first side proposes, and the other declines.
    Declined { proposed: Duration, answered: Duration },
    /// The first side proposes, and nobody answers.
    Unanswered { proposed: Duration },
    /// Nobody proposes anything.
    Silent,
}

impl Course {
    /// One by chance.
    pub(super) fn of_chance(rng: &Rng) -> Course {
        let hours = |least: u32, most: u32| rng.between(HOUR * least, HOUR * most);
        let proposed = hours(1, 24 * 6);
        let answered = rng.between(Duration::from_mins(5), ANSWER.saturating_sub(Duration::from_mins(5)));
        match rng.below(10) {
            0 => Course::Declined { proposed, answered },
            1 => Course::Unanswered { proposed },
            2 => Course::Silent,
            _ => {
                let played = proposed + answered + hours(25, 24 * 5);
                let points = [(); BOARDS].map(|()| *rng.pick(&[0, 1, 2, 2]));
                Course::Agreed { proposed, answered, played, points }
            }
        }
    }

    /// When times are proposed, if they are.
    pub(super) const fn proposed(&self) -> Option<Duration> {
        match self {
            Course::Agreed { proposed, .. }
            | Course::Declined { proposed, .. }
            | Course::Unanswered { proposed } => Some(*proposed),
            Course::Silent => None,
        }
    }

    /// When it is answered, if it is.
    pub(super) fn answered(&self) -> Option<Duration> {
        match self {
            Course::Agreed { proposed, answered, .. } | Course::Declined { proposed, answered } => {
                Some(*proposed + *answered)
            }
            Course::Unanswered { .. } | Course::Silent => None,
        }
    }

    /// When it is played, if it is.
    pub(super) const fn played(&self) -> Option<Duration> {
        match self {
            Course::Agreed { played, .. } => Some(*played),
            _ => None,
        }
    }
}

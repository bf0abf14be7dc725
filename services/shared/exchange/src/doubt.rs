//! What a file leaves open or says twice, so that somebody should look.

use core::fmt;

use crate::{Place, error::WHAT_CHARS_MAX, limits::DOUBTS_MAX};

sayings! {
    /// What is doubtful, by a name that stays.
    pub enum DoubtKind {
        /// No number of rounds: as many are taken as were paired.
        NoRounds = "no_rounds": "the number of rounds is not stated; as many are taken as were paired",
        /// More rounds have games than were declared.
        MoreRounds = "more_rounds": "there are games in more rounds than were declared",
        /// A date in no form that is known; it is left out.
        Date = "date": "this is no date of the form YYYY-MM-DD, and is left out",
        /// A time control that is not one time with one kind of overtime; it is left out.
        TimeControl = "time_control": "this time control is not understood, and is left out",
        /// A komi that is not in halves; it is left out.
        Komi = "komi": "this komi is not understood, and is left out",
        /// A grade that is neither kyu nor dan; it is left out.
        Grade = "grade": "this grade is not understood, and is left out",
        /// A number that makes no sense; it is left out.
        Number = "number": "this number is not understood, and is left out",
        /// Points that are not in the proportion of 2, 1 and 0; results are taken, and points are not.
        PointSystem = "point_system": "points are not in the proportion of 2, 1 and 0; the results count",
        /// The pairing bye is worth neither a win nor a draw nor a loss, and counts as a win.
        PabPoints = "pab_points": "the pairing bye is worth no result, and counts as a win",
        /// The points that are stated are not those of the results, which count.
        PointsDiffer = "points_differ": "the points that are stated are not those of the results, which count",
        /// Points that follow from no result; they are left out.
        OddPoints = "odd_points": "points that follow from no result are left out",
        /// Records that have no place in an event as it is taken over.
        LeftOut = "left_out": "this record is left out",
        /// A forfeit is claimed against somebody who was not paired; it stands without an opponent.
        NoOpponent = "no_opponent": "the opponent of this forfeit was not paired; it stands without one",
        /// A bye was asked for a round in which the player had something else, which counts.
        ByeAndGame = "bye_and_game": "a bye was asked for this round; what was paired counts",
        /// A game that is said not to be rated counts as any other.
        Unrated = "unrated": "this game is marked as not rated; its result counts",
        /// A draw by default, of which each side is given a half-point bye.
        DefaultDraw = "default_draw": "a draw without a game is taken for a half-point bye of each",
        /// Players in no team.
        NoTeam = "no_team": "players who were paired are in no team",
        /// Somebody is in two teams; the first counts.
        TwoTeams = "two_teams": "this player is in two teams; the first counts",
    }
}

/// Something that should be looked at before the event is believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// What.
    pub kind: DoubtKind,
    /// Where.
    pub place: Place,
    /// What stands there; empty where nothing is to be added.
    pub what: String,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind.meaning())?;
        if self.what.is_empty() { Ok(()) } else { write!(f, ": {}", self.what) }
    }
}

/// The doubts so far, of which no more than [`DOUBTS_MAX`] are kept.
#[derive(Debug, Default)]
pub(crate) struct Doubts(Vec<Doubt>);

impl Doubts {
    /// One more doubt, with the beginning of what stands there.
    pub(crate) fn add(&mut self, kind: DoubtKind, place: Place, what: impl Into<String>) {
        if self.0.len() < DOUBTS_MAX {
            let what = what.into().chars().take(WHAT_CHARS_MAX).collect();
            self.0.push(Doubt { kind, place, what });
        }
    }

    pub(crate) fn into_inner(self) -> Vec<Doubt> {
        self.0
    }
}

//! How often a side has asked something of the other. Whatever is asked takes the other's attention, and often its
//! thinking time, so nobody may ask for ever; an answer is never limited.

use chassis::limit::{Amount, Limit};
use rules::Side;

use super::{CommandError, EventKind, Proposal};

/// The most that a side asks for the same between two acts.
const A_MOVE_MAX: u16 = 3;
/// The most that a side proposes when an adjourned game goes on: that takes some bargaining, and no acts are between.
const TIMES_MAX: u16 = 20;
/// The most that a side asks for the same in one game.
const A_GAME_MAX: u16 = 20;

/// What a player may ask of the other.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "proposals, draw offers and gifts of a kind, of a side between two acts",
        amount: Amount::Count(A_MOVE_MAX as u64),
        setting: None,
        reason: "each takes some of the other's thinking time",
    },
    Limit {
        name: "proposals, draw offers and gifts of a kind, of a side in a game",
        amount: Amount::Count(A_GAME_MAX as u64),
        setting: None,
        reason: "who has declined so often does not want it",
    },
];

/// What is asked; each matter is counted for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matter {
    /// To take something back.
    Undo,
    /// To rest.
    Pause,
    /// To go on.
    Resume,
    /// To play once more.
    Rematch,
    /// To adjourn.
    Adjourn,
    /// To go on with an adjourned game at a time.
    ResumeAt,
    /// A draw.
    Draw,
    /// To take time as a gift.
    Gift,
}

/// How many matters there are.
const MATTERS: usize = 8;

/// How often each side has asked for what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProposalCounts([[Asked; MATTERS]; 2]);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Asked {
    /// Since the last act.
    lately: u16,
    /// In the whole game.
    ever: u16,
}

impl Matter {
    /// What an event asks of the other side, if it does.
    fn of(kind: &EventKind) -> Option<Matter> {
        match kind {
            EventKind::Proposed(proposal) => Some((*proposal).into()),
            EventKind::DrawOffered => Some(Matter::Draw),
            EventKind::TimeGiven(_) => Some(Matter::Gift),
            _ => None,
        }
    }
}

impl From<Proposal> for Matter {
    fn from(proposal: Proposal) -> Matter {
        match proposal {
            Proposal::Undo(_) => Matter::Undo,
            Proposal::Pause => Matter::Pause,
            Proposal::Resume => Matter::Resume,
            Proposal::Rematch => Matter::Rematch,
            Proposal::Adjourn => Matter::Adjourn,
            Proposal::ResumeAt(_) => Matter::ResumeAt,
        }
    }
}

impl ProposalCounts {
    /// Makes sure that a side may ask once more.
    ///
    /// # Errors
    /// When it has asked as often as it may, since the last act or in the game.
    pub fn check(&self, side: Side, matter: Matter) -> Result<(), CommandError> {
        let asked = self.0[side.index()][matter as usize];
        let lately_max = if matter == Matter::ResumeAt { TIMES_MAX } else { A_MOVE_MAX };
        match () {
            () if asked.ever >= A_GAME_MAX => {
                Err(CommandError::AskedTooOften { most: A_GAME_MAX, of: "in one game" })
            }
            () if asked.lately >= lately_max => {
                Err(CommandError::AskedTooOften { most: lately_max, of: "before the next act" })
            }
            () => Ok(()),
        }
    }

    /// The same after something that this side has brought about.
    #[must_use]
    pub fn after(mut self, kind: &EventKind, author: Option<Side>) -> Self {
        if kind.played().is_some() {
            for asked in self.0.iter_mut().flatten() {
                asked.lately = 0;
            }
        }
        if let (Some(side), Some(matter)) = (author, Matter::of(kind)) {
            let asked = &mut self.0[side.index()][matter as usize];
            *asked = Asked { lately: asked.lately.saturating_add(1), ever: asked.ever.saturating_add(1) };
        }
        self
    }
}

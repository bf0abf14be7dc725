//! How a game is adjourned with a sealed move and goes on again: competition.md 1.8.
//!
//! The side whose turn it is seals its move on its own clock (stage Sealing); then no clock runs (Adjourned). At
//! the resumption the move is opened for everybody, and only then judged by the rules: it is played, or is a pass
//! if its point is occupied, or an arbiter decides.

use std::time::Duration;

use rules::Side;
use time::OffsetDateTime;

use super::{Due, PauseReason, Progress, Proposal, Regulations, Sealed, Stage, Task};

/// How long before it the resumption is announced.
pub const RESUMPTION_NOTICE: Duration = Duration::from_mins(10);
/// How far ahead a resumption can be set: no game is adjourned for more than a year.
pub const RESUMPTION_MAX: Duration = Duration::from_hours(366 * 24);

/// Bytes of a commitment: SHA-256.
pub(super) const COMMITMENT_BYTES: usize = 32;
/// Bytes of the salt of a sealed move.
pub(super) const SALT_BYTES: usize = 32;

/// What was under seal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The salt.
    pub salt: [u8; SALT_BYTES],
    /// The move, not judged by any rules.
    pub act: String,
}

/// How an adjournment stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjournment {
    /// When the game is to be adjourned, unless it has been.
    pub sealing: Option<OffsetDateTime>,
    /// Who is to seal its move, or has sealed it.
    pub sealer: Option<Side>,
    /// What the sealed move is committed to.
    pub commitment: Option<[u8; COMMITMENT_BYTES]>,
    /// When the sealed move is opened.
    pub resumption: Option<OffsetDateTime>,
    /// Whether that has been announced.
    pub announced: bool,
    /// Whether the opened move cannot be played, and an arbiter has to decide.
    pub undecided: bool,
    /// What is played for the sealer at once.
    pub act: Option<String>,
}

/// What happens about an adjournment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdjournmentStep {
    /// The side whose turn it is has to seal its move.
    SealingBegun,
    /// The author has sealed its move.
    Sealed(SealedMove),
    /// An arbiter has set the resumption.
    ResumptionSet(OffsetDateTime),
    /// The resumption is near.
    ResumptionAnnounced(OffsetDateTime),
    /// The sealed move is open.
    Opened {
        /// The salt.
        salt: [u8; SALT_BYTES],
        /// The move, as it was sealed.
        act: String,
    },
    /// It cannot be played.
    Held {
        /// The rule that forbids it, or `UNREADABLE`.
        reason: String,
    },
    /// An arbiter has decided what happens in its place.
    Ruled {
        /// What.
        ruling: SealRuling,
        /// Why.
        reason: String,
    },
}

/// A move under seal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedMove {
    /// What it is committed to.
    pub commitment: [u8; COMMITMENT_BYTES],
    /// The move itself, encrypted, with the key's id. It is kept beside the event and never sent.
    pub sealed: Option<Sealed>,
}

/// What an arbiter decides about a sealed move that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SealRuling {
    /// This act is played in its place; `pass` for a pass.
    Act(String),
    /// The sealer has the turn again.
    TurnBack,
}

impl Adjournment {
    /// No adjournment.
    pub const NONE: Adjournment = Adjournment {
        sealing: None,
        sealer: None,
        commitment: None,
        resumption: None,
        announced: false,
        undecided: false,
        act: None,
    };

    /// What is regulated about the adjournment of a game.
    pub const fn of(regulations: &Regulations) -> Self {
        Adjournment { sealing: regulations.sealing, resumption: regulations.resumption, ..Adjournment::NONE }
    }

    /// Whether a move is under seal.
    pub const fn is_sealed(&self) -> bool {
        self.commitment.is_some() && self.act.is_none() && !self.undecided
    }

    /// What of an adjourned game happens by itself.
    pub(super) fn due(&self) -> Option<Due> {
        let at = self.resumption?;
        match self {
            _ if self.undecided => None,
            Adjournment { act: Some(_), .. } => Some(Due { at, task: Task::PlaySealed }),
            _ if self.announced => Some(Due { at, task: Task::OpenSealed }),
            _ => Some(Due { at: at - RESUMPTION_NOTICE, task: Task::AnnounceResumption }),
        }
    }

    /// Nobody could get ready for a while. What of it falls into the time of the notice puts the resumption off.
    fn credit(&mut self, from: OffsetDateTime, until: OffsetDateTime) {
        if let Some(at) = self.resumption.filter(|_| self.is_sealed()) {
            let lost = until - from.max(at - RESUMPTION_NOTICE);
            self.resumption = Some(at + Duration::try_from(lost).unwrap_or(Duration::ZERO));
        }
    }

    fn resume_at(&mut self, at: OffsetDateTime) {
        self.resumption = Some(at);
        self.announced = false;
    }
}

impl Progress {
    /// A step of an adjournment.
    pub(super) fn adjourn(&mut self, step: &AdjournmentStep, time: OffsetDateTime) {
        match step {
            AdjournmentStep::SealingBegun => self.begin_sealing(),
            AdjournmentStep::Sealed(sealed) => {
                self.stage = Stage::Adjourned;
                self.adjournment.commitment = Some(sealed.commitment);
                self.adjournment.resumption = self.adjournment.resumption.map(|at| at.max(time));
            }
            AdjournmentStep::ResumptionSet(at) => self.resume_at(*at),
            AdjournmentStep::ResumptionAnnounced(_) => self.adjournment.announced = true,
            AdjournmentStep::Opened { act, .. } => self.adjournment.act = Some(act.clone()),
            AdjournmentStep::Held { .. } => {
                self.adjournment.act = None;
                self.adjournment.undecided = true;
                self.pause(PauseReason::Arbiter, time);
            }
            AdjournmentStep::Ruled { ruling, .. } => {
                self.resume(PauseReason::Arbiter);
                match ruling {
                    SealRuling::Act(act) => {
                        self.adjournment.undecided = false;
                        self.adjournment.act = Some(act.clone());
                    }
                    SealRuling::TurnBack => self.end_adjournment(),
                }
            }
        }
    }

    /// Now a move is sealed. What was wished of the game in play is past.
    pub(super) fn begin_sealing(&mut self) {
        self.stage = Stage::Sealing;
        self.adjournment.sealing = None;
        for matter in [Proposal::Undo(0), Proposal::Pause, Proposal::Adjourn] {
            self.drop_about(matter);
        }
    }

    /// The time of the resumption is another.
    pub(super) fn resume_at(&mut self, at: OffsetDateTime) {
        self.drop_about(Proposal::ResumeAt(at));
        self.adjournment.resume_at(at);
    }

    /// The game goes on.
    pub(super) fn end_adjournment(&mut self) {
        self.stage = Stage::Playing;
        self.drop_about(Proposal::ResumeAt(OffsetDateTime::UNIX_EPOCH));
        self.adjournment = Adjournment::NONE;
    }

    /// Nobody could act for a while.
    pub(super) fn credit_meeting(&mut self, from: OffsetDateTime, until: OffsetDateTime) {
        // While it rests nobody is waited for; that time is given back when it ends.
        if let Some(check_in) = self.check_in.as_mut().filter(|_| self.pauses.is_empty()) {
            check_in.credit(from, until);
        }
        if self.stage == Stage::Adjourned {
            self.adjournment.credit(from, until);
        }
    }
}

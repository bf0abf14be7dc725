//! Why an act of an official, or a petition of a player, is refused.

use api::reason::{self, Reason};

/// An act that is refused; the game is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulingError {
    /// The game has no officials.
    #[error("the game belongs to no event and no federation")]
    NotAnEventGame,
    /// The caller holds no office there.
    #[error("the caller holds no office in this event or federation")]
    NoRole,
    /// None of his offices allows it.
    #[error("none of the caller's offices allows this")]
    RoleMayNot,
    /// He plays in the game.
    #[error("nobody rules on his own game")]
    IsPlayer,
    /// It is not said what to do, or not clearly.
    #[error("the act of an official is missing or incomplete")]
    BadRuling,
    /// There is no reason, or too long a one.
    #[error("a reason has 1 to 1,000 characters")]
    BadReason,
    /// It is not said what is asked for, or not clearly.
    #[error("the petition is missing or incomplete")]
    BadPetition,
    /// There is no text, or too long a one.
    #[error("a text has 1 to 1,000 characters")]
    BadText,
    /// It is not a SHA-256.
    #[error("evidence is named by its SHA-256, which has 32 bytes")]
    BadEvidence,
    /// The game is paused for this already.
    #[error("the game is paused for this reason already")]
    AlreadyPaused,
    /// Nothing has been played since that ply.
    #[error("nothing has been played since that ply")]
    BadPly,
    /// No call of this number is open.
    #[error("no call of this number is open")]
    NoSuchCall,
    /// There is no such claim, or not one that fits.
    #[error("there is no such claim, or it cannot be meant")]
    NoSuchClaim,
    /// The claim is decided already.
    #[error("the claim is not open")]
    ClaimNotOpen,
    /// The claim is not decided, or settled.
    #[error("the claim is not decided, or its decision is final")]
    ClaimNotDecided,
    /// Nobody has appealed.
    #[error("no appeal is open in this claim")]
    ClaimNotAppealed,
    /// The table does not know the decision.
    #[error("the rules do not allow this decision here")]
    DecisionNotAllowed,
    /// The rules of this variant know nothing of the kind.
    #[error("the rules of this variant know nothing of the kind")]
    NotInThisVariant,
    /// The tenth move is over.
    #[error("colours are corrected up to the tenth move only")]
    TooLateForColours,
    /// The tenth move is not over.
    #[error("up to the tenth move colours are corrected, not noted")]
    TooEarlyToNote,
    /// It has been noted, or corrected.
    #[error("the colours have been corrected or noted already")]
    ColoursNoted,
    /// The game goes on.
    #[error("the game has not ended")]
    NotEnded,
    /// The result is confirmed.
    #[error("you have confirmed the result")]
    Confirmed,
    /// The result is final.
    #[error("the result is final")]
    ResultFinal,
    /// The claim undoes what ended the game.
    #[error("what is decided undoes the result, so say what the result is")]
    ResultNeeded,
    /// The game is annulled.
    #[error("the game has been annulled")]
    Annulled,
    /// One call at a time.
    #[error("your call is open already")]
    CallOpen,
    /// Enough calls.
    #[error("you have called as often as you may")]
    TooManyCalls,
    /// Enough claims.
    #[error("you have filed as many claims as you may")]
    TooManyClaims,
    /// It had to be claimed earlier.
    #[error("that had to be claimed before your next move, or before the result was out of reach")]
    ClaimLate,
    /// It can wait.
    #[error("a claim that is not urgent waits for your own thinking time")]
    NotYourTime,
    /// There is no such incident.
    #[error("there is no such incident")]
    NoSuchIncident,
    /// Nothing has been called in this turn.
    #[error("nothing has been called in this turn")]
    NothingCalled,
}

impl RulingError {
    /// The stable reason.
    pub const fn reason(self) -> Reason {
        match self {
            RulingError::NotAnEventGame => reason::NOT_AN_EVENT_GAME,
            RulingError::NoRole => reason::NO_ROLE,
            RulingError::RoleMayNot => reason::ROLE_MAY_NOT,
            RulingError::IsPlayer => reason::IS_PLAYER,
            RulingError::BadRuling => reason::BAD_RULING,
            RulingError::BadReason => reason::BAD_REASON,
            RulingError::BadPetition => reason::BAD_PETITION,
            RulingError::BadText => reason::BAD_TEXT,
            RulingError::BadEvidence => reason::BAD_EVIDENCE,
            RulingError::AlreadyPaused => reason::ALREADY_PAUSED,
            RulingError::BadPly => reason::BAD_PLY,
            RulingError::NoSuchCall => reason::NO_SUCH_CALL,
            RulingError::NoSuchClaim => reason::NO_SUCH_CLAIM,
            RulingError::ClaimNotOpen => reason::CLAIM_NOT_OPEN,
            RulingError::ClaimNotDecided => reason::CLAIM_NOT_DECIDED,
            RulingError::ClaimNotAppealed => reason::CLAIM_NOT_APPEALED,
            RulingError::DecisionNotAllowed => reason::DECISION_NOT_ALLOWED,
            RulingError::NotInThisVariant => reason::NOT_IN_THIS_VARIANT,
            RulingError::TooLateForColours => reason::TOO_LATE_FOR_COLOURS,
            RulingError::TooEarlyToNote => reason::TOO_EARLY_TO_NOTE,
            RulingError::ColoursNoted => reason::COLOURS_NOTED,
            RulingError::NotEnded => reason::NOT_ENDED,
            RulingError::Confirmed => reason::CONFIRMED,
            RulingError::ResultFinal => reason::RESULT_FINAL,
            RulingError::ResultNeeded => reason::RESULT_NEEDED,
            RulingError::Annulled => reason::ANNULLED,
            RulingError::CallOpen => reason::CALL_OPEN,
            RulingError::TooManyCalls => reason::TOO_MANY_ARBITER_CALLS,
            RulingError::TooManyClaims => reason::TOO_MANY_CLAIMS,
            RulingError::ClaimLate => reason::CLAIM_LATE,
            RulingError::NotYourTime => reason::NOT_YOUR_TIME,
            RulingError::NoSuchIncident => reason::NO_SUCH_INCIDENT,
            RulingError::NothingCalled => reason::NOTHING_CALLED,
        }
    }

    /// The field that is at fault, if the request is wrong whatever the state of the game.
    pub const fn field(self) -> Option<&'static str> {
        match self {
            RulingError::BadRuling => Some("ruling"),
            RulingError::BadReason => Some("ruling.reason"),
            RulingError::BadPetition => Some("petition"),
            RulingError::BadText => Some("petition.text"),
            RulingError::BadEvidence => Some("evidence_sha256"),
            _ => None,
        }
    }

    /// Whether it is about who the caller is.
    pub const fn is_permission_denied(self) -> bool {
        matches!(self, RulingError::NoRole | RulingError::RoleMayNot | RulingError::IsPlayer)
    }
}

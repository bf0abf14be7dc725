//! Why an act of an official, or a petition of a player, is refused.

/// An act that is refused; the game is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Objection {
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
    /// It is not paused for this.
    #[error("the game is not paused for this reason")]
    NotPaused,
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

impl Objection {
    /// The stable reason.
    pub const fn reason(self) -> &'static str {
        match self {
            Objection::NotAnEventGame => "NOT_AN_EVENT_GAME",
            Objection::NoRole => "NO_ROLE",
            Objection::RoleMayNot => "ROLE_MAY_NOT",
            Objection::IsPlayer => "IS_PLAYER",
            Objection::BadRuling => "BAD_RULING",
            Objection::BadReason => "BAD_REASON",
            Objection::BadPetition => "BAD_PETITION",
            Objection::BadText => "BAD_TEXT",
            Objection::BadEvidence => "BAD_EVIDENCE",
            Objection::AlreadyPaused => "ALREADY_PAUSED",
            Objection::NotPaused => "NOT_PAUSED",
            Objection::BadPly => "BAD_PLY",
            Objection::NoSuchCall => "NO_SUCH_CALL",
            Objection::NoSuchClaim => "NO_SUCH_CLAIM",
            Objection::ClaimNotOpen => "CLAIM_NOT_OPEN",
            Objection::ClaimNotDecided => "CLAIM_NOT_DECIDED",
            Objection::ClaimNotAppealed => "CLAIM_NOT_APPEALED",
            Objection::DecisionNotAllowed => "DECISION_NOT_ALLOWED",
            Objection::NotInThisVariant => "NOT_IN_THIS_VARIANT",
            Objection::TooLateForColours => "TOO_LATE_FOR_COLOURS",
            Objection::TooEarlyToNote => "TOO_EARLY_TO_NOTE",
            Objection::ColoursNoted => "COLOURS_NOTED",
            Objection::NotEnded => "NOT_ENDED",
            Objection::Confirmed => "CONFIRMED",
            Objection::ResultFinal => "RESULT_FINAL",
            Objection::ResultNeeded => "RESULT_NEEDED",
            Objection::Annulled => "ANNULLED",
            Objection::CallOpen => "CALL_OPEN",
            Objection::TooManyCalls => "TOO_MANY_CALLS",
            Objection::TooManyClaims => "TOO_MANY_CLAIMS",
            Objection::ClaimLate => "CLAIM_LATE",
            Objection::NotYourTime => "NOT_YOUR_TIME",
            Objection::NoSuchIncident => "NO_SUCH_INCIDENT",
            Objection::NothingCalled => "NOTHING_CALLED",
        }
    }

    /// The field that is at fault, if the request is wrong whatever the state of the game.
    pub const fn field(self) -> Option<&'static str> {
        match self {
            Objection::BadRuling => Some("ruling"),
            Objection::BadReason => Some("ruling.reason"),
            Objection::BadPetition => Some("petition"),
            Objection::BadText => Some("petition.text"),
            Objection::BadEvidence => Some("evidence_sha256"),
            _ => None,
        }
    }

    /// Whether it is about who the caller is.
    pub const fn is_denial(self) -> bool {
        matches!(self, Objection::NoRole | Objection::RoleMayNot | Objection::IsPlayer)
    }
}

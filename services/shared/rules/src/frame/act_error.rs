use alloc::borrow::Cow;
/// Why the rules refuse an act. The position is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}: {detail}")]
pub struct ActError {
    /// What kind of fault it is.
    pub kind: ActErrorKind,
    /// The stable name of the rule that was broken, in upper case: `OCCUPIED`, `SUICIDE`, `KO`.
    pub reason: &'static str,
    /// One sentence for a person, lower case and without a full stop.
    pub detail: Cow<'static, str>,
}

/// The kinds of fault, which callers answer differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActErrorKind {
    /// The text is not an act of this variant.
    Syntax,
    /// It is not this side's turn, or the game is over.
    Turn,
    /// The act is well formed but the rules forbid it here.
    Illegal,
    /// A move that the rules forbid and a board would take: what rules of conduct speak of.
    Forbidden,
    /// A stone would be put where one stands, in a game in which such a move counts as a pass when it was sealed.
    Occupied,
}

impl ActErrorKind {
    /// Whether a rule of the game forbids the act, which may be made elsewhere or later.
    pub const fn is_against_a_rule(self) -> bool {
        matches!(self, ActErrorKind::Illegal | ActErrorKind::Forbidden | ActErrorKind::Occupied)
    }
}

impl ActError {
    /// The text cannot be read as an act.
    pub fn syntax(detail: impl Into<Cow<'static, str>>) -> Self {
        ActError { kind: ActErrorKind::Syntax, reason: "BAD_NOTATION", detail: detail.into() }
    }

    /// The other side is to act.
    pub fn not_your_turn() -> Self {
        ActError {
            kind: ActErrorKind::Turn,
            ..ActError::illegal("NOT_YOUR_TURN", "the other side is to act")
        }
    }

    /// The game has ended.
    pub fn game_over() -> Self {
        ActError { kind: ActErrorKind::Turn, ..ActError::illegal("GAME_OVER", "the game has ended") }
    }

    /// The game waits for no act of the system, or for another one.
    pub fn nothing_due() -> Self {
        ActError {
            kind: ActErrorKind::Turn,
            ..ActError::illegal("NOTHING_DUE", "nothing waits for the house")
        }
    }

    /// A rule forbids the act.
    pub fn illegal(reason: &'static str, detail: impl Into<Cow<'static, str>>) -> Self {
        ActError { kind: ActErrorKind::Illegal, reason, detail: detail.into() }
    }
}

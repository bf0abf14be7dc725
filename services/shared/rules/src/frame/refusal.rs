use alloc::{borrow::Cow, string::String};
use core::fmt;

/// Why the rules refuse an act. The position is as it was.
///
/// ```
/// use rules::{RuleSet, Side, go};
/// let mut game = (go::VARIANT.start)(&RuleSet::named("").with("size", "5"))?;
/// game.play(Side::First, "C3").unwrap();
/// let refusal = game.play(Side::Second, "C3").unwrap_err();
/// assert_eq!((refusal.reason, game.ply()), ("OCCUPIED", 1));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of fault it is.
    pub kind: RefusalKind,
    /// The stable name of the rule that was broken, in upper case: `OCCUPIED`, `SUICIDE`, `KO`.
    pub reason: &'static str,
    /// One sentence for a person, lower case and without a full stop.
    pub detail: Cow<'static, str>,
}

/// The kinds of fault, which callers answer differently.
///
/// ```
/// use rules::{RefusalKind, RuleSet, Side, go};
/// let mut game = (go::VARIANT.start)(&RuleSet::named("").with("size", "5"))?;
/// let mut kind = |side, act| game.play(side, act).unwrap_err().kind;
/// assert_eq!(kind(Side::First, "?"), RefusalKind::Syntax);
/// assert_eq!(kind(Side::Second, "C3"), RefusalKind::Turn);
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefusalKind {
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

impl RefusalKind {
    /// Whether a rule of the game forbids the act, which may be made elsewhere or later.
    ///
    /// ```
    /// use rules::RefusalKind;
    /// assert!(RefusalKind::Forbidden.is_against_a_rule() && !RefusalKind::Turn.is_against_a_rule());
    /// ```
    pub const fn is_against_a_rule(self) -> bool {
        matches!(self, RefusalKind::Illegal | RefusalKind::Forbidden | RefusalKind::Occupied)
    }
}

impl Refusal {
    /// The text cannot be read as an act.
    ///
    /// ```
    /// use rules::{Refusal, RefusalKind};
    /// let refusal = Refusal::syntax("a point is wanted");
    /// assert_eq!(refusal.kind, RefusalKind::Syntax);
    /// assert_eq!(refusal.to_string(), "BAD_NOTATION: a point is wanted");
    /// ```
    pub fn syntax(detail: impl Into<Cow<'static, str>>) -> Self {
        Refusal { kind: RefusalKind::Syntax, reason: "BAD_NOTATION", detail: detail.into() }
    }

    /// The other side is to act.
    ///
    /// ```
    /// use rules::{Refusal, RuleSet, Side, jiu};
    /// let mut game = (jiu::VARIANT.start)(&RuleSet::named(""))?;
    /// assert_eq!(game.play(Side::Second, "G7"), Err(Refusal::not_your_turn()));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub fn not_your_turn() -> Self {
        Refusal {
            kind: RefusalKind::Turn,
            reason: "NOT_YOUR_TURN",
            detail: Cow::Borrowed("the other side is to act"),
        }
    }

    /// The game has ended.
    ///
    /// ```
    /// use rules::{Refusal, RefusalKind};
    /// let refusal = Refusal::game_over();
    /// assert_eq!((refusal.kind, refusal.reason), (RefusalKind::Turn, "GAME_OVER"));
    /// ```
    pub fn game_over() -> Self {
        Refusal { kind: RefusalKind::Turn, reason: "GAME_OVER", detail: Cow::Borrowed("the game has ended") }
    }

    /// The game waits for no act of the house, or for another one.
    ///
    /// ```
    /// use rules::{Refusal, RuleSet, jiu};
    /// let mut game = (jiu::VARIANT.start)(&RuleSet::named(""))?;
    /// assert_eq!(game.house("expire"), Err(Refusal::nothing_due()));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub fn nothing_due() -> Self {
        Refusal {
            kind: RefusalKind::Turn,
            reason: "NOTHING_DUE",
            detail: Cow::Borrowed("nothing waits for the house"),
        }
    }

    /// A rule forbids the act.
    ///
    /// ```
    /// use rules::{Refusal, RefusalKind};
    /// let refusal = Refusal::illegal("KO", "the ko may not be retaken yet");
    /// assert_eq!((refusal.kind, refusal.reason), (RefusalKind::Illegal, "KO"));
    /// ```
    pub fn illegal(reason: &'static str, detail: impl Into<Cow<'static, str>>) -> Self {
        Refusal { kind: RefusalKind::Illegal, reason, detail: detail.into() }
    }

    /// The same refusal, of this kind.
    pub(crate) fn of_kind(self, kind: RefusalKind) -> Self {
        Refusal { kind, ..self }
    }

    /// The sentence as an owned string.
    ///
    /// ```
    /// assert_eq!(rules::Refusal::syntax("a point is wanted").into_detail(), "a point is wanted");
    /// ```
    pub fn into_detail(self) -> String {
        self.detail.into_owned()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.detail)
    }
}

impl core::error::Error for Refusal {}

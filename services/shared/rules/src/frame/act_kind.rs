/// What an act is, as far as others than its game want to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActKind {
    /// Stones are put, moved or taken off.
    Move,
    /// The turn is used and the board stays as it is.
    Pass,
    /// A forbidden move, which is void and uses the turn.
    Void,
    /// Everything else: bids, proposals, claims.
    Other,
}

impl ActKind {
    /// A move if it begins with the name of a point, or with that of a stone that is taken off (`*C3`).
    pub(crate) fn by_point(text: &str) -> Self {
        let mut letters = text.trim_start().trim_start_matches('*').chars();
        let named = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
            && letters.next().is_some_and(|digit| digit.is_ascii_digit());
        if named { ActKind::Move } else { ActKind::Other }
    }
}

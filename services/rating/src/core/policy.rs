//! What is rated, and how: said once, for everybody who asks.
//!
//! Whether a game is rated is agreed on when it is made, and enforced where that is: by matchmaking, and by the game service,
//! which tells the ratings of those games alone that were played. What is said here is what both do.

/// Which version of the policy this is. It grows when a rule or a parameter changes; what was rated before stays as it was.
pub const VERSION: u32 = 2;

/// What may become of a game, or be agreed on in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Case {
    /// It was played to an end.
    Finished,
    /// Somebody forfeited it.
    Forfeited,
    /// It was not played.
    Unplayed,
    /// It was adjourned.
    Adjourned,
    /// An arbiter has corrected its result.
    Corrected,
    /// An arbiter has annulled it.
    Annulled,
    /// Both have lost it.
    BothLost,
    /// It has a handicap.
    Handicap,
    /// Its rules are not those of a rule set.
    ChangedRules,
    /// Its sides have different time.
    UnequalTime,
    /// It has too little time, or no limit.
    Time,
    /// Who made it has chosen his side.
    ChosenSide,
    /// Somebody in it is a guest.
    Guest,
    /// The two meet again.
    RepeatedOpponent,
    /// It belongs to an event.
    Event,
    /// It was played by a program.
    Bot,
}

/// What holds of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The case.
    pub case: Case,
    /// Whether such a game is rated.
    pub rated: bool,
    /// How, or why not.
    pub text: &'static str,
}

const fn rule(case: Case, rated: bool, text: &'static str) -> Rule {
    Rule { case, rated, text }
}

/// Every case.
pub const POLICY: [Rule; 16] = [
    rule(
        Case::Finished,
        true,
        "As it ended, whether by the rules, by resignation, by agreement or by the clock.",
    ),
    rule(Case::Forfeited, true, "As a loss of who forfeited it, once both had come to it."),
    rule(Case::Unplayed, false, "Somebody did not come in time, or it was aborted before the second act."),
    rule(Case::Adjourned, true, "When it is over, in the place of its end."),
    rule(
        Case::Corrected,
        true,
        "As it was corrected; every later game of those whom it concerns is rated anew.",
    ),
    rule(
        Case::Annulled,
        false,
        "As if it had not been played; every later game of those whom it concerns is rated anew.",
    ),
    rule(Case::BothLost, true, "As a loss of each against the other."),
    rule(
        Case::Handicap,
        true,
        "In events that give handicaps, on the usual board: the stones count in the expectation. Elsewhere it is casual.",
    ),
    rule(
        Case::ChangedRules,
        false,
        "But for the board, which is rated apart, and a komi of the printed rules.",
    ),
    rule(Case::UnequalTime, false, "It compares two who do not begin alike."),
    rule(Case::Time, false, "A side is to have a minute at least, and a limit."),
    rule(Case::ChosenSide, false, "In rated games sides follow from the games that both have played."),
    rule(Case::Guest, false, "Nobody can say who he is the next day."),
    rule(
        Case::RepeatedOpponent,
        true,
        "Like any other; who meets another too often is looked at, not left out.",
    ),
    rule(Case::Event, true, "If the settings of the event say so."),
    rule(Case::Bot, true, "Like any other account: nobody plays a bot who does not want to."),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_case_has_one_rule() {
        let cases: HashSet<Case> = POLICY.iter().map(|rule| rule.case).collect();
        assert_eq!(cases.len(), POLICY.len());
        assert!(POLICY.iter().all(|rule| rule.text.ends_with('.')));
    }
}

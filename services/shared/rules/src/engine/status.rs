use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use crate::{Actors, Author, Game, HouseDue, Outcome, RuleSet, Side, StoneColour, Verdict, Viewer};

/// What is known of a game besides its stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The variant.
    pub variant: &'static str,
    /// The rule set, complete.
    pub rule_set: RuleSet,
    /// The name of the phase.
    pub phase: &'static str,
    /// How many acts have been accepted.
    pub ply: u32,
    /// The letters of the colours that may act.
    pub to_act: Vec<char>,
    /// What the house has to do now, if anything.
    pub house_due: Option<HouseDue>,
    /// How the game ended, in [`outcome_text`]; `None` while it goes on.
    pub outcome: Option<String>,
    /// What else is worth showing, as name and value.
    pub facts: Vec<(&'static str, String)>,
}

impl Status {
    /// The status of a game as everybody may know it.
    pub fn of(game: &dyn Game) -> Status {
        let may_act = Side::BOTH.into_iter().filter(|side| game.actors().include(*side));
        Status {
            variant: game.variant().id,
            rule_set: game.rule_set().clone(),
            phase: game.phase(),
            ply: game.ply(),
            to_act: may_act.map(|side| game.colour_drawn(side).letter()).collect(),
            house_due: game.house_due(),
            outcome: game.outcome().map(|outcome| outcome_text(outcome, game)),
            facts: game.view(Viewer::Spectator).facts,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "variant: {}", self.variant)?;
        writeln!(f, "rules: {}", rules_text(&self.rule_set))?;
        writeln!(f, "phase: {}", self.phase)?;
        writeln!(f, "ply: {}", self.ply)?;
        let to_act: Vec<String> = self.to_act.iter().map(char::to_string).collect();
        writeln!(f, "to-act: {}", if to_act.is_empty() { "nobody".into() } else { to_act.join(" ") })?;
        if let Some(due) = &self.house_due {
            writeln!(f, "house-due: {}", house_text(due))?;
        }
        write!(f, "outcome: {}", self.outcome.as_deref().unwrap_or("none"))?;
        self.facts.iter().try_for_each(|(name, value)| write!(f, "\n{name}: {value}"))
    }
}

/// How a game ended, in the colours of the game: `B wins by score: B+3/4 zi`, `draw by quiet`.
pub fn outcome_text(outcome: &Outcome, game: &dyn Game) -> String {
    let reason = outcome.reason.name();
    let text = match outcome.verdict {
        Verdict::Win(side) => format!("{} wins by {reason}", game.colour_drawn(side).letter()),
        Verdict::Draw => format!("draw by {reason}"),
        Verdict::BothLose => format!("both lose by {reason}"),
        Verdict::Void => format!("void by {reason}"),
    };
    outcome.score.as_ref().map_or(text.clone(), |score| format!("{text}: {}", score.printed))
}

/// A rule set as its name and its options: `cn1988 komi=2.75 size=19`. Options without a value are left out, and
/// blanks in values are written as underscores.
pub fn rules_text(rule_set: &RuleSet) -> String {
    let options = rule_set.options.iter().filter(|(_, value)| !value.is_empty());
    let options = options.map(|(name, value)| format!(" {name}={}", value.replace(char::is_whitespace, "_")));
    rule_set.id.chars().chain(options.collect::<String>().chars()).collect()
}

/// What the house has to do: `seed`, or `expire 60000 ms after 3`.
pub fn house_text(due: &HouseDue) -> String {
    match due {
        HouseDue::Seed => String::from("seed"),
        HouseDue::Expire { since, after_ms } => format!("expire {after_ms} ms after {since}"),
    }
}

/// The colours in which the sides' stones are drawn, first side first.
pub(super) fn colours_drawn(game: &dyn Game) -> [StoneColour; 2] {
    Side::BOTH.map(|side| game.colour_drawn(side))
}

/// Who acts when nobody is named: the side that may, or whose clock runs when both may; the house if no side may
/// and something waits for it.
pub(super) fn whose_act(game: &dyn Game) -> Option<Author> {
    match game.actors() {
        Actors::One(side) => Some(side.into()),
        Actors::Both => game.on_clock().map(Author::Side),
        Actors::Nobody => game.house_due().map(|_| Author::House),
    }
}

use core::fmt;

use crate::{
    Actors, Author, Game, Outcome, RuleSet, Side, StoneColour, SystemAct, Verdict, Viewer, prelude::*,
};

/// What is known of a game besides its stones.
///
/// ```
/// use rules::engine::{Answer, Command, Engine, NoHost};
///
/// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
/// let Ok(Answer::Status(status)) = engine.run(&Command::Status, &mut NoHost) else { panic!("no status") };
/// assert_eq!((status.phase, status.to_act, status.outcome), ("place", vec!['W'], None));
/// # Ok::<(), rules::OptionError>(())
/// ```
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
    /// What the system has to do now, if anything.
    pub system_due: Option<SystemAct>,
    /// How the game ended, in [`outcome_text`]; `None` while it goes on.
    pub outcome: Option<String>,
    /// What else is worth showing, as name and value.
    pub facts: Vec<(&'static str, String)>,
}

impl Status {
    /// The status of a game as everybody may know it.
    ///
    /// ```
    /// use rules::{RuleSet, Side, engine::Status};
    ///
    /// let mut game = (rules::jiu::VARIANT.start)(&RuleSet::named("aba"))?;
    /// game.play(Side::First, "H8").unwrap();
    /// let text = Status::of(&*game).to_string();
    /// assert!(text.contains("\nphase: place\nply: 1\nto-act: B\noutcome: none\n"));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub fn of(game: &dyn Game) -> Status {
        let may_act = Side::BOTH.into_iter().filter(|side| game.actors().include(*side));
        Status {
            variant: game.variant().id,
            rule_set: game.rule_set().clone(),
            phase: game.phase(),
            ply: game.ply(),
            to_act: may_act.map(|side| game.colour_drawn(side).letter()).collect(),
            system_due: game.system_due(),
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
        if let Some(due) = &self.system_due {
            writeln!(f, "house-due: {}", system_text(due))?;
        }
        write!(f, "outcome: {}", self.outcome.as_deref().unwrap_or("none"))?;
        self.facts.iter().try_for_each(|(name, value)| write!(f, "\n{name}: {value}"))
    }
}

/// How a game ended, in the colours of the game: `B wins by score: B+3/4 zi`, `draw by quiet`.
///
/// ```
/// use rules::{Outcome, Reason, RuleSet, Side, Verdict, engine::outcome_text, jiu};
///
/// let game = (jiu::VARIANT.start)(&RuleSet::named("aba"))?;
/// let outcome = Outcome { verdict: Verdict::Win(Side::First), reason: Reason::Fourteen, score: None };
/// assert_eq!(outcome_text(&outcome, &*game), "W wins by fourteen");
/// # Ok::<(), rules::OptionError>(())
/// ```
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
///
/// ```
/// use rules::{RuleSet, engine::rules_text};
///
/// let rule_set = RuleSet::named("cn1988").with("size", "9").with("komi", "");
/// assert_eq!(rules_text(&rule_set), "cn1988 size=9");
/// ```
pub fn rules_text(rule_set: &RuleSet) -> String {
    let options = rule_set.options.iter().filter(|(_, value)| !value.is_empty());
    let options = options.map(|(name, value)| format!(" {name}={}", value.replace(char::is_whitespace, "_")));
    rule_set.id.chars().chain(options.collect::<String>().chars()).collect()
}

/// What the system has to do: `seed`, or `expire 60000 ms after 3`.
///
/// ```
/// use rules::{SystemAct, engine::system_text};
///
/// let due = SystemAct::Expire { since: 3, after_ms: 60_000 };
/// assert_eq!(system_text(&due), "expire 60000 ms after 3");
/// ```
pub fn system_text(due: &SystemAct) -> String {
    match due {
        SystemAct::Seed => String::from("seed"),
        SystemAct::Expire { since, after_ms } => format!("expire {after_ms} ms after {since}"),
    }
}

/// The colours in which the sides' stones are drawn, first side first.
pub(super) fn colours_drawn(game: &dyn Game) -> [StoneColour; 2] {
    Side::BOTH.map(|side| game.colour_drawn(side))
}

/// Who acts when nobody is named: the side that may, or whose clock runs when both may; the system if no side may
/// and something waits for it.
pub(super) fn whose_act(game: &dyn Game) -> Option<Author> {
    match game.actors() {
        Actors::One(side) => Some(side.into()),
        Actors::Both => game.on_clock().map(Author::Side),
        Actors::Nobody => game.system_due().map(|_| Author::System),
    }
}

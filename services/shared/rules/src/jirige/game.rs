use super::{
    Action, Nine, Options, Phase, Position, Setup, Spears, Turn, VARIANT,
    effects::{changes, marks},
    setup_text,
};
use crate::{
    ActError, Effects, Game, Hint, Mark, OptionError, Played, RuleSet, Running, SetupError, SetupText, Side,
    Stone, Viewer,
    grid::{Grid as _, flying},
    options::{complete, fault},
    prelude::*,
};

/// A game of Jirige behind the frame: a [`Position`] and what is drawn besides it.
#[derive(Clone, Debug)]
struct JirigeGame {
    running: Running,
    position: Position,
    marks: Vec<Mark>,
}

/// Starts a game, from its option `setup` where there is one.
pub(super) fn start(rule_set: &RuleSet) -> Result<Box<dyn Game>, OptionError> {
    let options = Options::from_rule_set(rule_set)?;
    let setup = Setup::from_rule_set(rule_set)?;
    let position = match &setup {
        None => Position::new(options),
        Some(setup) => {
            Position::from_setup(setup, options).map_err(|error| fault("setup", format!("{error}")))?
        }
    };
    let text = setup.map(|setup| setup.to_string()).unwrap_or_default();
    let mut running = Running::new(&VARIANT, complete(&VARIANT, rule_set, [("setup", text)])?);
    running.outcome = position.outcome().cloned();
    Ok(Box::new(JirigeGame { running, position, marks: Vec::new() }))
}

/// Starts a game from a position: its words as keys, and the board. Without a phase stones are placed.
pub(super) fn position(rule_set: &RuleSet, text: &str) -> Result<Box<dyn Game>, SetupError> {
    let setup = setup_text::of(&SetupText::read(text)?)?;
    start(&rule_set.clone().with("setup", &setup.to_string())).map_err(|error| SetupError::new(error.detail))
}

impl Game for JirigeGame {
    fn running(&self) -> &Running {
        &self.running
    }

    fn phase(&self) -> &'static str {
        self.position.phase().name()
    }

    fn on_clock(&self) -> Option<Side> {
        self.position.outcome().is_none().then(|| self.position.to_move())
    }

    fn play(&mut self, side: Side, text: &str) -> Result<Played, ActError> {
        self.running.check()?;
        if side != self.position.to_move() {
            return Err(ActError::not_your_turn());
        }
        let turn: Turn = text.parse()?;
        let legal = self.position.play(&turn)?;
        self.running.ply += 1;
        self.running.outcome = self.position.outcome().cloned();
        self.marks = marks(&legal, &self.position);
        let effects = Effects { changes: changes(&legal), marks: self.marks(), ..Effects::default() };
        Ok(Played { text: legal.turn().to_string(), public: None, effects })
    }

    /// Of the opening's removals each hint names the first one. A claim stands last where there is one; to
    /// resign is always possible and never listed.
    fn hints_in_turn(&self, _side: Side) -> Vec<Hint> {
        let hint = |action: Action| {
            let owed = self.position.owed_after(action);
            Hint { text: Turn::from(action).to_string(), choices_left: owed }
        };
        let mut hints: Vec<Hint> = self.position.actions().into_iter().map(hint).collect();
        if self.position.claimable().is_ok() {
            hints.push(Hint::complete(Turn::Claim.to_string()));
        }
        hints
    }

    /// Stones are removed one after the other and each removal changes which are protected (rules 21 and 22), so
    /// every order is a choice of its own.
    fn choices(&self, side: Side, hint: &Hint) -> Vec<Hint> {
        if !self.actors().include(side) || hint.choices_left == 0 {
            return Vec::new();
        }
        let Ok(turn) = hint.text.parse::<Turn>() else { return Vec::new() };
        let Some(position) = self.position.begun(&turn) else { return Vec::new() };
        let removals = position.actions().into_iter().filter_map(|action| match action {
            Action::Remove(at) => Some((at, position.owed_after(action))),
            _ => None,
        });
        let removed = turn.removed();
        let with = |(at, owed)| {
            let turn = turn.clone().removing(removed.iter().copied().chain([at]));
            Hint { text: turn.to_string(), choices_left: owed }
        };
        removals.map(with).collect()
    }

    fn size(&self) -> (u8, u8) {
        (Nine::SIDE, Nine::SIDE)
    }

    fn stones(&self) -> Vec<Stone> {
        self.position.board().drawn()
    }

    fn marks(&self) -> Vec<Mark> {
        self.marks.clone()
    }

    fn facts(&self, _viewer: Viewer) -> Vec<(&'static str, String)> {
        let position = &self.position;
        let mut facts = Vec::from([
            ("stones-first", position.board().count(Side::First).to_string()),
            ("stones-second", position.board().count(Side::Second).to_string()),
        ]);
        for (side, name) in Side::BOTH.into_iter().zip(["spears-first", "spears-second"]) {
            let spears = position.spears(side);
            facts.extend((spears != Spears::NONE).then(|| (name, spears.to_string())));
        }
        match position.phase() {
            Phase::Place => {}
            Phase::Open => facts.push(("owed", position.pending().to_string())),
            Phase::Move => facts.extend(self.movement_facts()),
        }
        facts
    }
    fn hash(&self) -> u64 {
        self.position.hash()
    }

    fn setup_text(&self) -> Option<String> {
        self.position.setup().map(|setup| setup.to_block().trim_end().to_owned())
    }

    fn score_text(&self) -> Option<String> {
        let [dark, light] = Side::BOTH.map(|side| self.position.board().count(side));
        Some(format!("stones: B {dark}, W {light}"))
    }

    fn give_turn(&mut self, side: Side) -> bool {
        self.position.give_turn(side)
    }
}

impl JirigeGame {
    fn movement_facts(&self) -> Vec<(&'static str, String)> {
        let (position, options) = (&self.position, self.position.options());
        let mut facts = Vec::from([
            ("quiet-plies", format!("{}/{}", position.quiet_plies(), options.quiet_auto)),
            ("occurrences", format!("{}/{}", position.occurrences(), options.repetition_auto)),
        ]);
        facts.extend(flying(Side::BOTH.map(|side| position.flies(side))));
        facts
    }
}

impl Position {
    /// The position in the middle of a turn: after its displacement or its first removals, with more to be made.
    fn begun(&self, turn: &Turn) -> Option<Position> {
        let mut position = self.clone();
        let first = match turn {
            Turn::Place { at, line } => Some(Action::Place { at: *at, line: *line }),
            Turn::Move { way, line, .. } => Some(Action::Move { way: *way, line: *line }),
            Turn::Remove(_) => None,
            Turn::Claim | Turn::Resign => return None,
        };
        let removals = turn.removed().iter().map(|at| Action::Remove(*at));
        for action in first.into_iter().chain(removals) {
            let _ = position.act(action).ok()?;
        }
        (position.ply() == self.ply() && position.pending() > 0).then_some(position)
    }

    /// Lets a side act next out of turn; not in the opening, where the script of removals says whose turn it is.
    fn give_turn(&mut self, side: Side) -> bool {
        let can = self.outcome.is_none() && self.state.phase != Phase::Open && self.state.pending == 0;
        if can {
            self.state.to_move = side;
        }
        can
    }

    /// How many stones have to be removed besides in the turn that begins with an action; 0 where it is illegal.
    pub fn owed_after(&self, action: Action) -> u8 {
        self.advance(action).map_or(0, |advance| advance.state.pending)
    }
}

use alloc::{
    boxed::Box,
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use super::{
    Action, Options, Phase, Point, Position, Setup, Spears, Turn, VARIANT,
    effects::{changes, marks},
    options::fault,
};
use crate::{
    Actors, Effects, Game, Hint, Mark, OptionError, Outcome, Played, Refusal, RuleSet, Side, Stone, Variant,
    View, Viewer,
};

/// A running game of Jirige behind the frame's trait. It adds to [`Position`] only what is drawn.
#[derive(Clone, Debug)]
struct Running {
    position: Position,
    rule_set: RuleSet,
    /// The turns played here; a position that was set up counts those before as well.
    ply: u32,
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
    let rule_set = options.complete(rule_set, setup.as_ref());
    Ok(Box::new(Running { position, rule_set, ply: 0, marks: Vec::new() }))
}

impl Game for Running {
    fn variant(&self) -> &'static Variant {
        &VARIANT
    }

    fn rule_set(&self) -> &RuleSet {
        &self.rule_set
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn phase(&self) -> &'static str {
        self.position.phase().name()
    }

    fn actors(&self) -> Actors {
        match self.position.outcome() {
            Some(_) => Actors::Nobody,
            None => Actors::One(self.position.to_move()),
        }
    }

    fn on_clock(&self) -> Option<Side> {
        self.position.outcome().is_none().then(|| self.position.to_move())
    }

    fn play(&mut self, side: Side, text: &str) -> Result<Played, Refusal> {
        if self.position.outcome().is_some() {
            return Err(Refusal::game_over());
        }
        if side != self.position.to_move() {
            return Err(Refusal::not_your_turn());
        }
        let turn: Turn = text.parse()?;
        let legal = self.position.play(&turn)?;
        self.ply += 1;
        self.marks = marks(&legal, &self.position);
        let effects = Effects { changes: changes(&legal), marks: self.marks.clone(), ..Effects::default() };
        Ok(Played { text: legal.turn().to_string(), public: None, effects })
    }

    /// Of the opening's removals each hint names the first one. A claim stands last where there is one; to
    /// resign is always possible and never listed.
    fn hints(&self, side: Side) -> Vec<Hint> {
        if !self.actors().include(side) {
            return Vec::new();
        }
        let hint = |action: Action| {
            let owed = self.position.owed_after(action);
            Hint { text: Turn::from(action).to_string(), owed }
        };
        let mut hints: Vec<Hint> = self.position.actions().into_iter().map(hint).collect();
        if self.position.claimable().is_ok() {
            hints.push(Hint { text: Turn::Claim.to_string(), owed: 0 });
        }
        hints
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.position.outcome()
    }

    fn view(&self, _viewer: Viewer) -> View {
        let board = self.position.board();
        let mut stones: Vec<Stone> = Point::all()
            .filter_map(|at| board.owner(at).map(|owner| Stone { at: at.into(), owner }))
            .collect();
        stones.sort_unstable_by_key(|stone| (stone.at.row, stone.at.column));
        View {
            columns: super::SIZE,
            rows: super::SIZE,
            stones,
            marks: self.marks.clone(),
            phase: self.phase(),
            actors: self.actors(),
            ply: self.ply(),
            facts: self.facts(),
        }
    }

    fn point_name(&self, point: crate::Point) -> String {
        Point::try_from(point).map_or_else(|_| String::new(), |point| point.to_string())
    }

    fn hash(&self) -> u64 {
        self.position.hash()
    }

    fn boxed_clone(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }
}

impl Running {
    fn facts(&self) -> Vec<(&'static str, String)> {
        let position = &self.position;
        let mut facts = Vec::from([
            ("stones-first", position.board().count(Side::First).to_string()),
            ("stones-second", position.board().count(Side::Second).to_string()),
        ]);
        for (side, name) in Side::BOTH.into_iter().zip(["spears-first", "spears-second"]) {
            let spears = position.spears(side);
            if spears != Spears::NONE {
                facts.push((name, spears.to_string()));
            }
        }
        match position.phase() {
            Phase::Place => {}
            Phase::Open => facts.push(("owed", position.pending().to_string())),
            Phase::Move => facts.extend(self.movement_facts()),
        }
        facts
    }

    fn movement_facts(&self) -> Vec<(&'static str, String)> {
        let (position, options) = (&self.position, self.position.options());
        let mut facts = Vec::from([
            ("quiet-plies", format!("{}/{}", position.quiet_plies(), options.quiet_auto)),
            ("occurrences", format!("{}/{}", position.occurrences(), options.repetition_auto)),
        ]);
        match Side::BOTH.map(|side| position.flies(side)) {
            [false, false] => {}
            [true, false] => facts.push(("flying", String::from("first"))),
            [false, true] => facts.push(("flying", String::from("second"))),
            [true, true] => facts.push(("flying", String::from("both"))),
        }
        facts
    }
}

impl Position {
    /// How many stones have to be removed besides in the turn that begins with an action; 0 where it is illegal.
    pub fn owed_after(&self, action: Action) -> u8 {
        self.advance(action).map_or(0, |advance| advance.state.pending)
    }
}

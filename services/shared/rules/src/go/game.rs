use super::{Act, Dead, Ending, Phase, Position, Start, VARIANT, counts};
use crate::{
    ActError, Actors, Count, Effects, Game, Hint, Mark, OptionError, Played, RuleSet, Running, Score,
    SetupError, Side, Stone, Viewer,
    goban::{Colour, Score as _, Seats, Terms as _, effects, setup::rules_of_text, suggest_dead},
    prelude::*,
    write_setup,
};

/// A game of Go behind the frame: a [`Position`] with the rule set it was started under.
#[derive(Clone, Debug)]
pub struct GoGame {
    running: Running,
    position: Position,
}

impl GoGame {
    /// Starts a game.
    ///
    /// # Errors
    /// The option that cannot be used.
    pub fn new(rule_set: &RuleSet) -> Result<GoGame, OptionError> {
        let start = Start::read(rule_set)?;
        let running = Running::new(&VARIANT, start.complete(&VARIANT, rule_set, start.rules.komi.decimal())?);
        Ok(GoGame { running, position: Position::from_setup(&start.setup, start.rules) })
    }

    /// Starts a game from a position given as text, with the board's size and stones in place of the rule set's.
    ///
    /// The one key besides `to-move` is `phase`, which can only be `play`.
    ///
    /// # Errors
    /// The text is no position, a chain on it has no liberty, or an option cannot be used.
    pub fn from_text(rule_set: &RuleSet, text: &str) -> Result<GoGame, SetupError> {
        Ok(GoGame::new(&rules_of_text(rule_set, text, Phase::Play.name())?)?)
    }

    /// The position, with the exact types of Go.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    fn write(&self, act: &Act) -> String {
        act.write(self.position.board().rows())
    }

    fn is_possible(&self, colour: Colour, act: &Act) -> bool {
        self.position.clone().act(colour, act).is_ok()
    }
}

impl Game for GoGame {
    fn running(&self) -> &Running {
        &self.running
    }

    fn phase(&self) -> &'static str {
        self.position.phase().name()
    }

    fn actors(&self) -> Actors {
        effects::actors(&self.position, Seats::USUAL)
    }

    fn on_clock(&self) -> Option<Side> {
        self.position.awaited().map(Colour::side)
    }

    fn play(&mut self, side: Side, text: &str) -> Result<Played, ActError> {
        self.running.check()?;
        let board = self.position.board();
        let act = Act::parse(text, board.columns(), board.rows())
            .map_err(|error| error.refusal("a point (Q16), pass, claim, dead, accept or reject is wanted"))?;
        let done = self.position.act(Colour::of(side), &act)?;
        self.running.ply += 1;
        self.running.outcome = self.position.ending().map(|ending| ending.outcome(Seats::USUAL));
        let placed = done.placed().map(|at| (at, side));
        let changes = effects::changes(placed, self.position.removed(), Seats::USUAL);
        let effects = Effects { changes, marks: self.marks(), ..Effects::default() };
        Ok(Played { text: self.write(&done), public: None, effects })
    }

    fn hints_in_turn(&self, side: Side) -> Vec<Hint> {
        let hint = |act: Act| Hint::complete(self.write(&act));
        let Some(agreement) = self.position.agreement() else {
            return self.position.choices().map(hint).collect();
        };
        let colour = Colour::of(side);
        let accept = agreement.offered_to(colour).map(|dead| Act::Accept(Some(dead.clone())));
        let acts = accept.into_iter().chain([Act::Propose(Dead::default()), Act::Reject]);
        acts.filter(|act| self.is_possible(colour, act)).map(hint).collect()
    }

    fn counts(&self) -> Vec<Count> {
        counts::counts(&self.position)
    }

    /// In the agreement, the chains that seem dead.
    fn suggestion(&self) -> Option<String> {
        self.position.agreement()?;
        let act = Act::Propose(Dead(suggest_dead(self.position.board(), false)));
        Colour::BOTH.into_iter().all(|colour| self.is_possible(colour, &act)).then(|| self.write(&act))
    }

    fn size(&self) -> (u8, u8) {
        self.position.board().size()
    }

    fn stones(&self) -> Vec<Stone> {
        effects::stones(self.position.board(), Seats::USUAL)
    }

    fn marks(&self) -> Vec<Mark> {
        effects::marks(&self.position, Seats::USUAL)
    }

    /// How the game stands; when they hold: `handicap-left`; `proposal` and `proposed-by`;
    /// `area-first` and `area-second` in zi, and `result`.
    fn facts(&self, _viewer: Viewer) -> Vec<(&'static str, String)> {
        let mut facts = effects::course(&self.position, Seats::USUAL);
        match self.position.phase() {
            Phase::Handicap { left } => facts.push(("handicap-left", left.to_string())),
            Phase::Agreement(agreement) => {
                let write = |dead: &Dead| dead.write_bare(self.position.board().rows());
                facts.extend(effects::proposal(agreement, Colour::side, write));
            }
            Phase::Ended(Ending::Scored(score)) => {
                facts.push(("area-first", score.black.to_string()));
                facts.push(("area-second", score.white.to_string()));
                facts.push(("result", score.frame().printed));
            }
            Phase::Play | Phase::Resolution | Phase::Ended(_) => {}
        }
        facts
    }

    fn hash(&self) -> u64 {
        self.position.hash()
    }

    /// Only a position of the play can be written: what has been confirmed, proposed or placed is not on the
    /// board.
    fn setup_text(&self) -> Option<String> {
        if *self.position.phase() == Phase::Play { write_setup(self, ['x', 'o']) } else { None }
    }

    /// Before the end, what the board counts without the stones that stand proposed as dead.
    fn score(&self) -> Option<Score> {
        Some(self.position.standing().frame())
    }

    fn score_text(&self) -> Option<String> {
        let score = self.position.standing();
        let (written, komi) = (score.frame(), self.position.rules().compensation());
        let areas = format!("B {} zi, W {} zi, komi {komi} zi", score.black, score.white);
        Some(format!("{} ({}, {})\n{areas}", written.printed, written.points, written.printed_zh))
    }

    fn give_turn(&mut self, side: Side) -> bool {
        self.position.give_turn(Colour::of(side))
    }
}

use super::{Act, Method, Phase, Position, Start, Terms, VARIANT};
use crate::{
    ActError, Actors, Count, Effects, Game, Hint, Mark, OptionError, Played, RuleSet, Running, SetupError,
    Side, Stone, Viewer,
    goban::{
        Colour, Score as _, Seats, Terms as _,
        effects::{changes, mark, proposal, stones},
        score::scored,
        setup::rules_of_text,
        suggest_dead,
    },
    prelude::*,
    write_setup,
};

/// A game of Ji Ping Dian Go behind the frame: a [`Position`] with the rule set it was started under.
#[derive(Clone, Debug)]
pub struct JpdGame {
    running: Running,
    position: Position,
}

impl JpdGame {
    /// Starts a game.
    ///
    /// # Errors
    /// The option that cannot be used.
    pub fn new(rule_set: &RuleSet) -> Result<JpdGame, OptionError> {
        let start = Start::read(rule_set)?;
        let running = Running::new(&VARIANT, start.complete(&VARIANT, rule_set, start.komi_written())?);
        Ok(JpdGame { running, position: Position::from_setup(&start.setup, start.rules) })
    }

    /// Starts a game from a position given as text, with the board's size and stones in place of the rule set's.
    ///
    /// The one key besides `to-move` is `phase`, which can only be `contest`.
    ///
    /// # Errors
    /// The text is no position, a chain on it has no liberty, or an option cannot be used.
    pub fn from_text(rule_set: &RuleSet, text: &str) -> Result<JpdGame, SetupError> {
        Ok(JpdGame::new(&rules_of_text(rule_set, text, Phase::Contest.name())?)?)
    }

    /// The position, with the exact types of the game.
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

impl Game for JpdGame {
    fn running(&self) -> &Running {
        &self.running
    }

    fn phase(&self) -> &'static str {
        self.position.phase().name()
    }

    fn actors(&self) -> Actors {
        match self.position.agreement() {
            Some(_) => Actors::Both,
            None => self.on_clock().map_or(Actors::Nobody, Actors::One),
        }
    }

    fn on_clock(&self) -> Option<Side> {
        self.position.awaited().map(Colour::side)
    }

    fn play(&mut self, side: Side, text: &str) -> Result<Played, ActError> {
        self.running.check()?;
        let board = self.position.board();
        let act = Act::parse(text, board.columns(), board.rows()).map_err(|error| {
            error.refusal("a point (Q16), virtual, pass, dead, accept, reject or fill is wanted")
        })?;
        let done = self.position.act(Colour::of(side), &act)?;
        self.running.ply += 1;
        self.running.outcome = self.position.ending().map(|ending| scored(&ending.score, Seats::USUAL));
        let placed = if let Act::Play(at) = done { Some((at, side)) } else { None };
        let changes = changes(placed, self.position.removed(), Seats::USUAL);
        let effects = Effects { changes, marks: self.marks(), ..Effects::default() };
        Ok(Played { text: self.write(&done), public: None, effects })
    }

    fn hints_in_turn(&self, side: Side) -> Vec<Hint> {
        let hint = |act: Act| Hint::complete(self.write(&act));
        let Some(agreement) = self.position.agreement() else {
            return self.position.legal_moves().map(Act::from).map(hint).collect();
        };
        let colour = Colour::of(side);
        let accept = agreement.offered_to(colour).map(|terms| Act::Accept(Some(terms.clone())));
        let acts = accept.into_iter().chain([Act::Propose(Terms::default()), Act::Fill, Act::Reject]);
        acts.filter(|act| self.is_possible(colour, act)).map(hint).collect()
    }

    fn counts(&self) -> Vec<Count> {
        let settlement = self.position.settlement();
        let counts = settlement.iter().flat_map(|end| Method::ALL.map(|method| end.count(method).frame()));
        counts.collect()
    }

    /// In the agreement, the chains that seem dead, and nothing else: whose the points are follows from them.
    fn suggestion(&self) -> Option<String> {
        self.position.agreement()?;
        let dead = suggest_dead(self.position.board(), true);
        let act = Act::Propose(Terms { dead, ..Terms::default() });
        Colour::BOTH.into_iter().all(|colour| self.is_possible(colour, &act)).then(|| self.write(&act))
    }

    fn size(&self) -> (u8, u8) {
        self.position.board().size()
    }

    fn stones(&self) -> Vec<Stone> {
        stones(self.position.board(), Seats::USUAL)
    }

    /// In this order: `last` (the last stone), `ko` (where a ko may not be taken back), `dead` (stones proposed as
    /// dead), and once something can be counted `territory-first`, `territory-second` and `shared` (empty points).
    fn marks(&self) -> Vec<Mark> {
        let position = &self.position;
        let mut marks: Vec<Mark> = position.last().map(|at| mark(at, "last")).into_iter().collect();
        marks.extend(position.ko().map(|at| mark(at, "ko")));
        let dead = position.agreement().into_iter().flat_map(|it| it.dead_stones(position.board()));
        marks.extend(dead.map(|at| mark(at, "dead")));
        marks.extend(position.settlement().into_iter().flat_map(|end| end.layout.picture(&[]).marks));
        marks
    }

    /// `prisoners-first`, `prisoners-second`: stones of each side that play took off the board;
    /// `virtual-first`, `virtual-second`: stones of each side beside the board; `extra`: how many more moves
    /// the first side pays for, the second if it is negative; `komi`, in points. When they hold: `passed`, the
    /// side that has passed; `disputes`; `demands-first`, `demands-second`; `proposal` and `proposed-by`;
    /// `land-first`, `land-second` and `result`, in points, by the standing proposal or the end.
    fn facts(&self, _viewer: Viewer) -> Vec<(&'static str, String)> {
        let position = &self.position;
        let mut facts = Vec::from([
            ("prisoners-first", position.prisoners(Colour::Black).to_string()),
            ("prisoners-second", position.prisoners(Colour::White).to_string()),
            ("virtual-first", position.virtuals(Colour::Black).to_string()),
            ("virtual-second", position.virtuals(Colour::White).to_string()),
            ("extra", position.extra().to_string()),
            ("komi", position.rules().komi.to_string()),
        ]);
        let passed = || position.to_move().other().side().name().to_owned();
        facts.extend(position.is_passed().then(|| ("passed", passed())));
        facts.extend((position.disputes() > 0).then(|| ("disputes", position.disputes().to_string())));
        for (name, colour) in [("demands-first", Colour::Black), ("demands-second", Colour::White)] {
            let demands = position.demands(colour);
            facts.extend((demands > 0).then(|| (name, demands.to_string())));
        }
        if let Some(agreement) = position.agreement() {
            let write = |terms: &Terms| terms.write(position.board().rows());
            facts.extend(proposal(agreement, Colour::side, write));
        }
        if let Some(settlement) = position.settlement() {
            let score = settlement.score();
            facts.push(("land-first", score.black.to_string()));
            facts.push(("land-second", score.white.to_string()));
            facts.push(("result", score.frame().printed));
        }
        facts
    }

    fn hash(&self) -> u64 {
        self.position.hash()
    }

    /// Only a position of the contest can be written.
    fn setup_text(&self) -> Option<String> {
        if *self.position.phase() == Phase::Contest { write_setup(self, ['x', 'o']) } else { None }
    }

    fn give_turn(&mut self, side: Side) -> bool {
        self.position.give_turn(Colour::of(side))
    }
}

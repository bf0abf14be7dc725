use alloc::{
    boxed::Box,
    string::{String, ToString as _},
    vec::Vec,
};

use super::{
    Act, Ending, Illegal, Method, Phase, Position, Start, Terms, VARIANT, effects, options::complete,
};
use crate::{
    Actors, Count, Game, Hint, OptionError, Outcome, Played, Reason, Refusal, RuleSet, SetupError, SetupText,
    Side, Variant, Verdict, View, Viewer,
    go::{self, ActError, Colour, Size},
    write_setup,
};

/// A game of Ji Ping Dian Go behind the frame: a [`Position`] with the rule set it was started under.
#[derive(Clone, Debug)]
pub struct JpdGame {
    rule_set: RuleSet,
    position: Position,
    outcome: Option<Outcome>,
    ply: u32,
}

impl JpdGame {
    /// Starts a game.
    ///
    /// # Errors
    /// The option that cannot be used.
    pub fn new(rule_set: &RuleSet) -> Result<JpdGame, OptionError> {
        let start = Start::read(rule_set)?;
        let position = Position::from_setup(&start.setup, start.rules);
        Ok(JpdGame { rule_set: complete(rule_set, &start)?, position, outcome: None, ply: 0 })
    }

    /// Starts a game from a position given as text, with the board's size and stones in place of the rule set's.
    ///
    /// The one key besides `to-move` is `phase`, which can only be `contest`.
    ///
    /// # Errors
    /// The text is no position, a chain on it has no liberty, or an option cannot be used.
    pub fn from_text(rule_set: &RuleSet, text: &str) -> Result<JpdGame, SetupError> {
        let text = SetupText::read(text)?;
        text.only(&["phase"])?;
        let setup = go::setup::read(&text, effects::phase_name(&Phase::Contest))?;
        let size = setup.board().rows().get().to_string();
        let rule_set = rule_set.clone().with("size", &size).with("setup", &setup.to_string());
        JpdGame::new(&rule_set).map_err(|error| SetupError::new(error.to_string()))
    }

    /// The position, with the exact types of the game.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    fn height(&self) -> Size {
        self.position.board().rows()
    }

    fn hint(&self, act: &Act) -> Hint {
        Hint { text: act.write(self.height()), owed: 0 }
    }

    fn hints_in_agreement(&self, colour: Colour) -> Vec<Hint> {
        let standing = self.position.agreement().and_then(|agreement| agreement.proposal.as_ref());
        let theirs = standing.filter(|proposal| proposal.by != colour);
        let accept = theirs.map(|proposal| Act::Accept(Some(proposal.terms.clone())));
        let mut acts: Vec<_> = accept.into_iter().collect();
        acts.extend([Act::Propose(Terms::default()), Act::Fill, Act::Reject]);
        acts.retain(|act| self.position.clone().act(colour, act).is_ok());
        acts.iter().map(|act| self.hint(act)).collect()
    }
}

impl Game for JpdGame {
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
        effects::phase_name(self.position.phase())
    }

    fn actors(&self) -> Actors {
        effects::actors(&self.position)
    }

    /// The side to move; in the agreement whoever is to answer: the opponent of the standing proposal's
    /// maker, or without one the side that passed first.
    fn on_clock(&self) -> Option<Side> {
        match self.position.phase() {
            Phase::Ended(_) => None,
            Phase::Agreement(agreement) => Some(match &agreement.proposal {
                Some(proposal) => proposal.by.other().side(),
                None => self.position.to_move().side(),
            }),
            Phase::Contest | Phase::Filling | Phase::Resolution => Some(self.position.to_move().side()),
        }
    }

    fn play(&mut self, side: Side, text: &str) -> Result<Played, Refusal> {
        if self.outcome.is_some() {
            return Err(Refusal::game_over());
        }
        let act = Act::parse_on(text, self.position.board()).map_err(|error| match error {
            ActError::Syntax => {
                Refusal::syntax("a point (Q16), virtual, pass, dead, accept, reject or fill is wanted")
            }
            ActError::OffBoard => Illegal::Go(go::Illegal::OffBoard).into(),
        })?;
        let done = self.position.act(Colour::of(side), &act)?;
        self.ply += 1;
        self.outcome = self.position.ending().map(outcome);
        let effects = effects::effects(&self.position, side, &done);
        Ok(Played { text: done.write(self.height()), public: None, effects })
    }

    fn hints(&self, side: Side) -> Vec<Hint> {
        if !self.actors().include(side) {
            return Vec::new();
        }
        if self.position.agreement().is_some() {
            return self.hints_in_agreement(Colour::of(side));
        }
        self.position.legal_moves().map(|mv| self.hint(&mv.into())).collect()
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    fn counts(&self) -> Vec<Count> {
        let settlement = self.position.settlement();
        let counts = settlement.iter().flat_map(|end| Method::ALL.map(|method| end.count(method).frame()));
        counts.collect()
    }

    /// In the agreement, the chains that seem dead, and nothing else: whose the points are follows from them.
    fn suggestion(&self) -> Option<String> {
        self.position.agreement()?;
        let dead = go::suggest_dead(self.position.board(), true);
        let act = Act::Propose(Terms { dead, ..Terms::default() });
        let may_propose = |colour: Colour| self.position.clone().act(colour, &act).is_ok();
        Colour::BOTH.into_iter().all(may_propose).then(|| act.write(self.height()))
    }

    fn view(&self, _viewer: Viewer) -> View {
        effects::view(&self.position, self.ply)
    }

    fn point_name(&self, point: crate::Point) -> String {
        self.position.board().point_name(point)
    }

    fn hash(&self) -> u64 {
        self.position.hash()
    }

    /// Only a position of the contest can be written.
    fn setup_text(&self) -> Option<String> {
        match self.position.phase() {
            Phase::Contest => write_setup(self, ['x', 'o']),
            _ => None,
        }
    }

    fn give_turn(&mut self, side: Side) -> bool {
        self.position.give_turn(Colour::of(side))
    }

    fn boxed_clone(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }
}

fn outcome(ending: &Ending) -> Outcome {
    Outcome {
        verdict: ending.score.winner().map_or(Verdict::Draw, |colour| Verdict::Win(colour.side())),
        reason: Reason::Score,
        score: Some(ending.score.frame()),
    }
}

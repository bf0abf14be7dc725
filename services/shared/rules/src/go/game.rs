use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Act, ActError, Colour, Ending, Illegal, Move, Notice, Phase, Position, Seats, Size, Start, VARIANT,
    counts, effects, options::complete, setup, suggest_dead,
};
use crate::{
    Actors, Count, Game, Hint, OptionError, Outcome, Played, Reason, Refusal, RuleSet, Score, SetupError,
    SetupText, Side, Variant, Verdict, View, Viewer, write_setup,
};

/// A game of Go behind the frame: a [`Position`] with the rule set it was started under.
#[derive(Clone, Debug)]
pub struct GoGame {
    rule_set: RuleSet,
    position: Position,
    outcome: Option<Outcome>,
    ply: u32,
}

impl GoGame {
    /// Starts a game.
    ///
    /// # Errors
    /// The option that cannot be used.
    pub fn new(rule_set: &RuleSet) -> Result<GoGame, OptionError> {
        let start = Start::read(rule_set)?;
        let position = Position::from_setup(&start.setup, start.rules);
        Ok(GoGame { rule_set: complete(rule_set, &start)?, position, outcome: None, ply: 0 })
    }

    /// Starts a game from a position given as text, with the board's size and stones in place of the rule set's.
    ///
    /// The one key besides `to-move` is `phase`, which can only be `play`.
    ///
    /// # Errors
    /// The text is no position, a chain on it has no liberty, or an option cannot be used.
    pub fn from_text(rule_set: &RuleSet, text: &str) -> Result<GoGame, SetupError> {
        let rule_set = rule_set.clone();
        let text = SetupText::read(text)?;
        text.only(&["phase"])?;
        let setup = setup::read(&text, "play")?;
        let size = setup.board().rows().get().to_string();
        let rule_set = rule_set.with("size", &size).with("setup", &setup.to_string());
        GoGame::new(&rule_set).map_err(|error| SetupError::new(error.to_string()))
    }

    /// The position, with the exact types of Go.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    fn height(&self) -> Size {
        self.position.board().rows()
    }

    fn standing(&self) -> super::Score {
        let agreement = self.position.agreement();
        let proposal = agreement.and_then(|agreement| agreement.proposal.as_ref());
        self.position.score(proposal.map_or(&[], |proposal| &proposal.dead))
    }

    fn hint(&self, act: &Act) -> Hint {
        Hint { text: act.write(self.height()), owed: 0 }
    }

    fn hints_in_agreement(&self, colour: Colour) -> Vec<Hint> {
        let standing = self.position.agreement().and_then(|agreement| agreement.proposal.as_ref());
        let theirs = standing.filter(|proposal| proposal.by != colour);
        let accept = theirs.map(|proposal| self.hint(&Act::Accept(Some(proposal.dead.clone()))));
        let none_dead = Act::Dead(Vec::new());
        let may_propose = self.position.clone().act(colour, &none_dead).is_ok();
        let propose = may_propose.then(|| self.hint(&none_dead));
        accept.into_iter().chain(propose).chain([self.hint(&Act::Reject)]).collect()
    }
}

impl Game for GoGame {
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
        effects::actors(&self.position, Seats::USUAL)
    }

    /// The side to move; in the agreement whoever is to answer: the opponent of the standing proposal's
    /// maker, or without one the side that confirmed first.
    fn on_clock(&self) -> Option<Side> {
        match self.position.phase() {
            Phase::Ended(_) => None,
            Phase::Agreement(agreement) => Some(match &agreement.proposal {
                Some(proposal) => proposal.by.other().side(),
                None => self.position.to_move().side(),
            }),
            Phase::Handicap { .. } | Phase::Play | Phase::Resolution => Some(self.position.to_move().side()),
        }
    }

    fn play(&mut self, side: Side, text: &str) -> Result<Played, Refusal> {
        if self.outcome.is_some() {
            return Err(Refusal::game_over());
        }
        let act = Act::parse_on(text, self.position.board()).map_err(|error| match error {
            ActError::Syntax => {
                Refusal::syntax("a point (Q16), pass, claim, dead, accept or reject is wanted")
            }
            ActError::OffBoard => Illegal::OffBoard.into(),
        })?;
        let done = self.position.act(Colour::of(side), &act)?;
        self.ply += 1;
        self.outcome = self.position.ending().map(outcome);
        let effects = effects::effects(&self.position, Seats::USUAL, &done, side);
        Ok(Played { text: done.write(self.height()), public: None, effects })
    }

    fn hints(&self, side: Side) -> Vec<Hint> {
        if !self.actors().include(side) {
            return Vec::new();
        }
        if self.position.agreement().is_some() {
            return self.hints_in_agreement(Colour::of(side));
        }
        let claim = matches!(self.position.notice(), Some(Notice { arbiter_asked: false, .. }));
        let moves = self.position.legal_moves().map(|mv: Move| self.hint(&mv.into()));
        moves.chain(claim.then(|| self.hint(&Act::Claim))).collect()
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    fn counts(&self) -> Vec<Count> {
        counts::counts(&self.position)
    }

    /// In the agreement, the chains that seem dead.
    fn suggestion(&self) -> Option<String> {
        self.position.agreement()?;
        let act = Act::Dead(suggest_dead(self.position.board(), false));
        let may_propose = |colour: Colour| self.position.clone().act(colour, &act).is_ok();
        Colour::BOTH.into_iter().all(may_propose).then(|| act.write(self.height()))
    }

    fn view(&self, _viewer: Viewer) -> View {
        effects::view(&self.position, Seats::USUAL, self.ply)
    }

    fn point_name(&self, point: crate::Point) -> String {
        self.position.board().point_name(point)
    }

    fn hash(&self) -> u64 {
        self.position.hash()
    }

    /// Only a position of the play can be written: what has been confirmed, proposed or placed is not on the
    /// board.
    fn setup_text(&self) -> Option<String> {
        match self.position.phase() {
            Phase::Play => write_setup(self, ['x', 'o']),
            _ => None,
        }
    }

    /// Before the end, what the board counts without the stones that stand proposed as dead.
    fn score(&self) -> Option<Score> {
        Some(self.standing().frame())
    }

    fn score_text(&self) -> Option<String> {
        let score = self.standing();
        let (written, komi) = (score.frame(), self.position.rules().compensation());
        let areas = format!("B {} zi, W {} zi, komi {komi} zi", score.black, score.white);
        Some(format!("{} ({}, {})\n{areas}", written.printed, written.points, written.printed_zh))
    }

    fn give_turn(&mut self, side: Side) -> bool {
        self.position.give_turn(Colour::of(side))
    }

    fn boxed_clone(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }
}

fn outcome(ending: &Ending) -> Outcome {
    match ending {
        Ending::Scored(score) => Outcome {
            verdict: score.winner().map_or(Verdict::Draw, |colour| Verdict::Win(colour.side())),
            reason: Reason::Score,
            score: Some(score.frame()),
        },
        Ending::CycleDraw => Outcome { verdict: Verdict::Draw, reason: Reason::Repetition, score: None },
        Ending::CycleReplay => Outcome { verdict: Verdict::Void, reason: Reason::Replay, score: None },
    }
}

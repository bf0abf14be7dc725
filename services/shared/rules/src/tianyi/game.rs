use alloc::{
    borrow::ToOwned,
    boxed::Box,
    format,
    string::{String, ToString as _},
    vec,
    vec::Vec,
};

use super::{
    Act, Bid, Ending, Offer, Phase, Play, Position, Rules, Settlement, Terms, VARIANT, design::Design,
    options::complete, show,
};
use crate::{
    Actors, Author, DrawStage, Effects, Game, Hint, HouseDue, OptionError, Outcome, Played, Reason, Refusal,
    RuleSet, Score, SetupError, SetupText, Side, StoneColour, Variant, Verdict, View, Viewer,
    go::{self, ActError, Colour, Notice, Seats, score::written},
    write_setup,
};

/// A game of Tianyi Go behind the frame: a [`Position`] with the rule set it was started under.
#[derive(Clone, Debug)]
pub struct TianyiGame {
    rule_set: RuleSet,
    position: Position,
    outcome: Option<Outcome>,
}

impl TianyiGame {
    /// Starts a game.
    ///
    /// # Errors
    /// The option that cannot be used.
    pub fn new(rule_set: &RuleSet) -> Result<TianyiGame, OptionError> {
        let rules = Rules::read(rule_set)?;
        let rule_set = complete(rule_set, &rules)?;
        Ok(TianyiGame { rule_set, position: Position::new(rules), outcome: None })
    }

    /// Starts a game from a position of its play, with the board's size in place of the rule set's.
    ///
    /// The keys besides `to-move` are `phase`, which can only be `play`, `white` (`first` or `second`, who is the
    /// default) and `komi` (what White pays Black, in zi; 0 by default).
    ///
    /// # Errors
    /// The text is no position, a chain on it has no liberty, or an option cannot be used.
    pub fn from_text(rule_set: &RuleSet, text: &str) -> Result<TianyiGame, SetupError> {
        let text = SetupText::read(text)?;
        text.only(&["phase", "white", "komi"])?;
        let setup = go::setup::read(&text, "play")?;
        let rule_set = rule_set.clone().with("size", &setup.board().rows().get().to_string());
        let rules = Rules::read(&rule_set).map_err(|error| SetupError::new(error.to_string()))?;
        let rule_set = complete(&rule_set, &rules).map_err(|error| SetupError::new(error.to_string()))?;
        let white = text.key("white").unwrap_or(Side::Second.name());
        let white = Side::BOTH.into_iter().find(|side| side.name() == white);
        let white = white.ok_or_else(|| SetupError::new("white is the first or the second"))?;
        let komi = text.key("komi").map_or(Some(Bid::default()), Bid::parse);
        let komi = komi.filter(|komi| komi.is_allowed(setup.board().point_count()));
        let komi = komi
            .ok_or_else(|| SetupError::new("the komi is halves of a zi, and no more than half the board"))?;
        let terms = Terms { seats: Seats::with_white(white), komi };
        let position = Position::in_play(&setup, rules, terms);
        let position =
            position.ok_or_else(|| SetupError::new("the board is not of the size the rules name"))?;
        Ok(TianyiGame { rule_set, position, outcome: None })
    }

    /// The position, with the exact types of Tianyi.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    fn act_as(&mut self, author: Author, text: &str) -> Result<Played, Refusal> {
        if self.outcome.is_some() {
            return Err(Refusal::game_over());
        }
        let height = self.position.rules().size;
        let act = Act::parse(text, height).map_err(|error| match error {
            ActError::Syntax => Refusal::syntax(
                "commit, reveal, bid, choose, propose, a point (Q16), pass, claim, dead, accept or reject is wanted",
            ),
            ActError::OffBoard => go::Illegal::OffBoard.into(),
        })?;
        let before = show::stones(&self.position);
        let playing = self.position.play().is_some();
        let done = self.position.act(author, &act)?;
        let changes = match (self.position.play(), author) {
            (Some(play), Author::Side(side)) if playing => show::turn(play, side, &done.act),
            _ => show::difference(&before, &self.position),
        };
        self.outcome = self.position.play().and_then(|play| outcome(play, self.position.rules()));
        let marks = show::marks(&self.position);
        let revealed = done.revealed.iter().map(|(ply, act)| (*ply, act.write(height))).collect();
        let effects = Effects { changes, marks, revealed };
        Ok(Played { text: done.act.write(height), public: done.public, effects })
    }

    fn hint(&self, act: &Act) -> Hint {
        Hint { text: act.write(self.position.rules().size), owed: 0 }
    }

    fn hints_in_design(&self, design: &Design, side: Side) -> Vec<Hint> {
        let theirs = design.standing().filter(|(by, _)| *by != side);
        let accept = theirs.map(|(_, layout)| Act::Accept(Some(Offer::Layout(layout.clone()))));
        let empty = Act::Propose(super::Layout::default());
        self.possible(side, accept.into_iter().chain([empty]))
    }

    fn hints_in_play(&self, play: &Play, side: Side) -> Vec<Hint> {
        if !play.is_in_agreement() {
            let claim = matches!(play.position().notice(), Some(Notice { arbiter_asked: false, .. }));
            let claim = claim.then_some(go::Act::Claim);
            let moves = play.position().legal_moves().map(go::Act::from).chain(claim);
            return moves.map(|turn| self.hint(&Act::Turn(turn))).collect();
        }
        let colour = play.terms().seats.colour(side);
        let theirs = play.standing().filter(|(by, _)| *by != colour);
        let accept = theirs.map(|(_, end)| Act::Accept(Some(Offer::Settlement(end.clone()))));
        let mut ends = vec![play.proposal(), Settlement::default()];
        ends.dedup();
        let acts = accept.into_iter().chain(ends.into_iter().map(Act::Settle)).chain([Act::Reject]);
        self.possible(side, acts)
    }

    /// Those of some acts that the rules allow.
    fn possible(&self, side: Side, acts: impl Iterator<Item = Act>) -> Vec<Hint> {
        let allowed = |act: &Act| self.position.clone().act(Author::Side(side), act).is_ok();
        acts.filter(allowed).map(|act| self.hint(&act)).collect()
    }
}

impl Game for TianyiGame {
    fn variant(&self) -> &'static Variant {
        &VARIANT
    }

    fn rule_set(&self) -> &RuleSet {
        &self.rule_set
    }

    fn ply(&self) -> u32 {
        self.position.ply()
    }

    fn phase(&self) -> &'static str {
        show::phase_name(&self.position)
    }

    fn actors(&self) -> Actors {
        show::actors(&self.position)
    }

    /// In the play as in Go. Before it, only in a design: whoever is to answer. Draws, bids and the choice have
    /// three minutes of their own, which the house ends.
    fn on_clock(&self) -> Option<Side> {
        match self.position.phase() {
            Phase::Play(play) => play.on_clock(),
            Phase::Design(design) => Some(design.on_turn()),
            _ => None,
        }
    }

    fn play(&mut self, side: Side, text: &str) -> Result<Played, Refusal> {
        self.act_as(Author::Side(side), text)
    }

    /// Every act, but of `commit`, `reveal` and of proposals only the word with what it wants, or the plainest.
    fn hints(&self, side: Side) -> Vec<Hint> {
        if !self.position.awaits(side) {
            return Vec::new();
        }
        let wants = |word: &str, owed| vec![Hint { text: word.to_owned(), owed }];
        match self.position.phase() {
            Phase::Placement(_) | Phase::Nigiri(..) => match self.position.draw().map(crate::Draw::stage) {
                Some(DrawStage::Commit) => wants("commit", 1),
                _ => wants("reveal", 2),
            },
            Phase::Design(design) => self.hints_in_design(design, side),
            Phase::Bidding(_) => {
                Bid::all(self.position.board().point_count()).map(|bid| self.hint(&Act::Bid(bid))).collect()
            }
            Phase::Choice(..) => {
                Colour::BOTH.into_iter().rev().map(|colour| self.hint(&Act::Choose(colour))).collect()
            }
            Phase::Play(play) => self.hints_in_play(play, side),
        }
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// In the agreement, the chains that seem dead, and without them the blocks that seem to be in seki.
    fn suggestion(&self) -> Option<String> {
        let play = self.position.play().filter(|play| play.is_in_agreement())?;
        let board = play.position().board();
        let act = Act::Settle(Settlement::proposed(board, &go::suggest_dead(board, false)));
        let may_propose = |side: Side| self.position.clone().act(Author::Side(side), &act).is_ok();
        Side::BOTH.into_iter().all(may_propose).then(|| act.write(self.position.rules().size))
    }

    fn view(&self, viewer: Viewer) -> View {
        show::view(&self.position, viewer)
    }

    fn point_name(&self, point: crate::Point) -> String {
        self.position.board().point_name(point)
    }

    fn hash(&self) -> u64 {
        self.position.hash()
    }

    fn house(&mut self, text: &str) -> Result<Played, Refusal> {
        self.act_as(Author::House, text)
    }

    fn house_due(&self) -> Option<HouseDue> {
        self.position.house_due()
    }

    fn sealed(&self) -> Vec<(u32, String)> {
        self.position.sealed()
    }

    fn colour(&self, side: Side) -> Option<StoneColour> {
        self.position.terms().map(|terms| match terms.seats.colour(side) {
            Colour::Black => StoneColour::Black,
            Colour::White => StoneColour::White,
        })
    }

    /// Only a position of the play can be written.
    fn setup_text(&self) -> Option<String> {
        let play = self.position.play().filter(|_| self.phase() == "play")?;
        let Terms { seats, komi } = play.terms();
        let text = write_setup(self, ['x', 'o'])?;
        let terms = format!("white: {}\nkomi: {komi}\nboard:", seats.side(Colour::White).name());
        Some(text.replacen("board:", &terms, 1))
    }

    fn give_turn(&mut self, side: Side) -> bool {
        self.position.give_turn(side)
    }

    fn boxed_clone(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }
}

/// What a draw is printed as where it is a win for White (article 三.4: 和棋胜).
pub(super) fn drawn_win() -> Score {
    Score {
        printed: "draw, White wins".to_owned(),
        printed_zh: "白和棋胜".to_owned(),
        ..written(go::QuarterZi(0))
    }
}

fn outcome(play: &Play, rules: &Rules) -> Option<Outcome> {
    let seats = play.terms().seats;
    let (verdict, reason, score) = match play.ending()? {
        Ending::Scored(score) => {
            let verdict = score.winner().map_or(Verdict::Draw, |colour| Verdict::Win(seats.side(colour)));
            (verdict, Reason::Score, Some(score.frame()))
        }
        Ending::CycleDraw => (Verdict::Draw, Reason::Repetition, None),
        Ending::CycleReplay => (Verdict::Void, Reason::Replay, None),
    };
    Some(settle_draw(Outcome { verdict, reason, score }, seats, rules))
}

/// Gives a draw to White where the event needs a winner.
fn settle_draw(outcome: Outcome, seats: Seats, rules: &Rules) -> Outcome {
    if outcome.verdict != Verdict::Draw || !rules.white_wins_draws() {
        return outcome;
    }
    let score = outcome.score.map(|_| drawn_win());
    Outcome { verdict: Verdict::Win(seats.side(Colour::White)), score, ..outcome }
}

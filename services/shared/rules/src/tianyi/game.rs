use super::{Act, Bid, Phase, Play, Position, Rules, Settlement, Terms, VARIANT, design::Design, show};
use crate::{
    ActError, Actors, Author, Effects, Game, Hint, LotteryStage, Mark, OptionError, Outcome, Played, RuleSet,
    Running, Score, SetupError, SetupText, Side, Stone, StoneColour, SystemAct, Verdict, Viewer,
    goban::{Act as Turn, Colour, QuarterZi, Seats, score::written, setup, suggest_dead},
    options::complete,
    prelude::*,
    write_setup,
};

/// A game of Tianyi Go behind the frame: a [`Position`] with the rule set it was started under.
#[derive(Clone, Debug)]
pub struct TianyiGame {
    running: Running,
    position: Position,
}

impl TianyiGame {
    /// Starts a game.
    ///
    /// # Errors
    /// The option that cannot be used.
    pub fn new(rule_set: &RuleSet) -> Result<TianyiGame, OptionError> {
        let rules = Rules::read(rule_set)?;
        let running = Running::new(&VARIANT, complete(&VARIANT, rule_set, [])?);
        Ok(TianyiGame { running, position: Position::new(rules) })
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
        let setup = setup::read(&text, "play")?;
        let rule_set = rule_set.clone().with("size", &setup.board().rows().get().to_string());
        let rules = Rules::read(&rule_set)?;
        let running = Running::new(&VARIANT, complete(&VARIANT, &rule_set, [])?);
        let white = text.key("white").map_or(Some(Side::Second), Side::named);
        let white = white.ok_or_else(|| SetupError::new("white is the first or the second"))?;
        let komi = text.key("komi").map_or(Some(Bid::default()), Bid::parse);
        let komi = komi.filter(|komi| komi.is_allowed(setup.board().point_count()));
        let komi = komi
            .ok_or_else(|| SetupError::new("the komi is halves of a zi, and no more than half the board"))?;
        let terms = Terms { seats: Seats::with_white(white), komi };
        let position = Position::in_play(&setup, rules, terms);
        let position =
            position.ok_or_else(|| SetupError::new("the board is not of the size the rules name"))?;
        Ok(TianyiGame { running, position })
    }

    /// The position, with the exact types of Tianyi.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    fn act_as(&mut self, author: Author, text: &str) -> Result<Played, ActError> {
        self.running.check()?;
        let height = self.position.rules().size;
        let act = Act::parse(text, height).map_err(|error| {
            error.refusal(
                "commit, reveal, bid, choose, propose, a point (Q16), pass, claim, dead, accept or reject is wanted",
            )
        })?;
        let before = show::stones(&self.position);
        let playing = self.position.play().is_some();
        let done = self.position.act(author, &act)?;
        let changes = match (self.position.play(), author) {
            (Some(play), Author::Side(side)) if playing => show::turn(play, side, &done.act),
            _ => show::difference(&before, &self.position),
        };
        self.running.ply = self.position.ply();
        self.running.outcome = self.position.play().and_then(|play| outcome(play, self.position.rules()));
        let revealed = done.revealed.iter().map(|(ply, act)| (*ply, act.write(height))).collect();
        let effects = Effects { changes, marks: self.marks(), revealed };
        Ok(Played { text: done.act.write(height), public: done.public, effects })
    }

    fn hint(&self, act: &Act) -> Hint {
        Hint::complete(act.write(self.position.rules().size))
    }

    fn hints_in_design(&self, design: &Design, side: Side) -> Vec<Hint> {
        let accept = design.offered_to(side).map(|layout| Act::Accept(layout.clone()));
        self.possible(side, accept.into_iter().chain([Act::Propose(super::Layout::default())]))
    }

    fn hints_in_play(&self, play: &Play, side: Side) -> Vec<Hint> {
        let position = play.position();
        let Some(agreement) = position.agreement() else {
            return position.choices().map(|turn| self.hint(&Act::Turn(turn))).collect();
        };
        let theirs = agreement.offered_to(play.terms().seats.colour(side));
        let accept = theirs.map(|end| Turn::Accept(Some(end.clone())));
        let mut ends = vec![play.proposal(), Settlement::default()];
        ends.dedup();
        let acts = accept.into_iter().chain(ends.into_iter().map(Turn::Propose)).chain([Turn::Reject]);
        self.possible(side, acts.map(Act::Turn))
    }

    /// Those of some acts that the rules allow.
    fn possible(&self, side: Side, acts: impl Iterator<Item = Act>) -> Vec<Hint> {
        let allowed = |act: &Act| self.position.clone().act(Author::Side(side), act).is_ok();
        acts.filter(allowed).map(|act| self.hint(&act)).collect()
    }
}

impl Game for TianyiGame {
    fn running(&self) -> &Running {
        &self.running
    }

    fn phase(&self) -> &'static str {
        show::phase_name(&self.position)
    }

    fn actors(&self) -> Actors {
        show::actors(&self.position)
    }

    /// In the play as in Go. Before it, only in a design: whoever is to answer. Draws, bids and the choice have
    /// three minutes of their own, which the system ends.
    fn on_clock(&self) -> Option<Side> {
        match self.position.phase() {
            Phase::Play(play) => play.on_clock(),
            Phase::Design(design) => Some(design.on_turn()),
            _ => None,
        }
    }

    fn play(&mut self, side: Side, text: &str) -> Result<Played, ActError> {
        self.act_as(Author::Side(side), text)
    }

    /// Every act, but of `commit`, `reveal` and of proposals only the word with what it wants, or the plainest.
    fn hints_in_turn(&self, side: Side) -> Vec<Hint> {
        let wants = |word: &str, owed| vec![Hint { text: word.to_owned(), choices_left: owed }];
        match self.position.phase() {
            Phase::Placement(_) | Phase::Nigiri(..) => {
                match self.position.lottery().map(crate::Lottery::stage) {
                    Some(LotteryStage::Commit) => wants("commit", 1),
                    _ => wants("reveal", 2),
                }
            }
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

    /// In the agreement, the chains that seem dead, and without them the blocks that seem to be in seki.
    fn suggestion(&self) -> Option<String> {
        let board =
            self.position.play().filter(|play| play.position().agreement().is_some())?.position().board();
        let act = Act::Turn(Turn::Propose(Settlement::proposed(board, &suggest_dead(board, false))));
        let may_propose = |side: Side| self.position.clone().act(Author::Side(side), &act).is_ok();
        Side::BOTH.into_iter().all(may_propose).then(|| act.write(self.position.rules().size))
    }

    fn agreed_draw(&self) -> Verdict {
        let white = self.position.terms().map(|terms| terms.seats.side(Colour::White));
        white.filter(|_| self.position.rules().white_wins_draws()).map_or(Verdict::Draw, Verdict::Win)
    }

    fn size(&self) -> (u8, u8) {
        self.position.board().size()
    }

    fn stones(&self) -> Vec<Stone> {
        show::stones(&self.position)
    }

    fn marks(&self) -> Vec<Mark> {
        show::marks(&self.position)
    }

    fn facts(&self, viewer: Viewer) -> Vec<(&'static str, String)> {
        show::facts(&self.position, viewer)
    }

    fn hash(&self) -> u64 {
        self.position.hash()
    }

    fn system(&mut self, text: &str) -> Result<Played, ActError> {
        self.act_as(Author::System, text)
    }

    fn system_due(&self) -> Option<SystemAct> {
        self.position.system_due()
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
}

/// What a draw is printed as where it is a win for White (article 三.4: 和棋胜).
pub(super) fn drawn_win() -> Score {
    Score {
        printed: "draw, White wins".to_owned(),
        printed_zh: "白和棋胜".to_owned(),
        ..written(QuarterZi(0))
    }
}

fn outcome(play: &Play, rules: &Rules) -> Option<Outcome> {
    let seats = play.terms().seats;
    Some(settle_draw(play.ending()?.outcome(seats), seats, rules))
}

/// Gives a draw to White where the event needs a winner.
fn settle_draw(outcome: Outcome, seats: Seats, rules: &Rules) -> Outcome {
    if outcome.verdict != Verdict::Draw || !rules.white_wins_draws() {
        return outcome;
    }
    let score = outcome.score.map(|_| drawn_win());
    Outcome { verdict: Verdict::Win(seats.side(Colour::White)), score, ..outcome }
}

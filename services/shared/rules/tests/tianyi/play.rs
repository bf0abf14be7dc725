//! Games for the tests: parts of a draw that are known, and players who choose by dice.

use rules::{Act, Author, Game, Lottery, Opening, Played, RuleSet, Side, SystemAct, tianyi::VARIANT};

use crate::dice::Dice;

impl Dice {
    /// Salt and seed.
    pub(crate) fn opening(&mut self) -> Opening {
        let mut bytes = || [(); 32].map(|()| u8::try_from(self.below(256)).expect("a byte"));
        Opening::new(bytes(), bytes())
    }
}

pub(crate) fn start(rule_set: &RuleSet) -> Box<dyn Game> {
    (VARIANT.start)(rule_set).expect("the rule set is right")
}

/// A game on a small board after a design with one stone each, where both are to bid.
pub(crate) fn bidding(options: &[(&str, &str)]) -> Box<dyn Game> {
    let small = RuleSet::named("design").with("size", "5");
    let rule_set = options.iter().fold(small, |set, (name, value)| set.with(name, value));
    let mut game = start(&rule_set);
    play(&mut game, Side::First, "propose B B2 W D4");
    play(&mut game, Side::Second, "accept");
    game
}

pub(crate) fn play(game: &mut Box<dyn Game>, side: Side, text: &str) -> Played {
    game.play(side, text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

pub(crate) fn system(game: &mut Box<dyn Game>, text: &str) -> Played {
    game.system(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

pub(crate) fn refused(game: &mut Box<dyn Game>, author: impl Into<Author>, text: &str) -> &'static str {
    let before = format!("{game:?}");
    let refusal = game.act(author.into(), text).expect_err(text);
    assert_eq!(format!("{game:?}"), before, "{text}");
    refusal.reason
}

/// Parts of a draw by [`Author::index`].
pub(crate) fn parts(start: u8) -> [Opening; 3] {
    [start, start + 1, start + 2].map(|byte| Opening::new([byte; 32], [byte ^ 0xff; 32]))
}

/// Goes through the draw that is due with all three taking part.
pub(crate) fn draw(game: &mut Box<dyn Game>, parts: [Opening; 3]) -> Played {
    system(game, &format!("seed {}", parts[0].text()));
    play(game, Side::First, &format!("commit {}", parts[1].commitment()));
    play(game, Side::Second, &format!("commit {}", parts[2].commitment()));
    play(game, Side::Second, &format!("reveal {}", parts[2].text()));
    play(game, Side::First, &format!("reveal {}", parts[1].text()))
}

/// A game that is played by dice, with everything that was done in it.
pub(crate) struct Table {
    pub game: Box<dyn Game>,
    pub acts: Vec<Act>,
    pub played: Vec<Played>,
    /// What the sides have committed to.
    promised: [Opening; 2],
}

impl Table {
    pub(crate) fn new(rule_set: &RuleSet) -> Table {
        let nothing = Opening::new([0; 32], [0; 32]);
        Table { game: start(rule_set), acts: Vec::new(), played: Vec::new(), promised: [nothing; 2] }
    }

    /// Does something that is possible; `false` when the game is over.
    pub(crate) fn step(&mut self, dice: &mut Dice) -> bool {
        if self.game.outcome().is_some() {
            return false;
        }
        let (author, text) = self.choose(dice);
        let played = self.game.act(author, &text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        self.acts.push(Act::by(author, played.text.clone()));
        self.played.push(played);
        true
    }

    /// An act of the house, if it has to act or the dice say that time is up, or of a player.
    pub(crate) fn choose(&mut self, dice: &mut Dice) -> (Author, String) {
        match self.game.system_due() {
            Some(SystemAct::Seed) => return (Author::System, format!("seed {}", dice.opening().text())),
            Some(SystemAct::Expire { after_ms, .. }) if dice.below(6) == 0 => {
                assert_eq!(after_ms, Lottery::STEP_MS);
                return (Author::System, "expire".to_owned());
            }
            _ => {}
        }
        let first = Side::BOTH[dice.below(2)];
        let side = if self.game.actors().include(first) { first } else { first.other() };
        assert!(self.game.actors().include(side), "somebody may act");
        let hints = self.game.hints(side);
        let mut text = hints[dice.below(hints.len())].text.clone();
        let promised = &mut self.promised[side.index()];
        match text.as_str() {
            "commit" => {
                *promised = dice.opening();
                text = format!("commit {}", promised.commitment());
            }
            "reveal" => text = format!("reveal {}", promised.text()),
            _ if text.starts_with("bid") => text = format!("bid {}", dice.below(3)),
            // Ends come soon enough, and disputes need not.
            "reject" | "pass" if dice.below(3) > 0 => text.clone_from(&hints[0].text),
            _ => {}
        }
        (Author::Side(side), text)
    }
}

//! Short ways to set up, play and ask.

use rules::{
    RuleSet,
    goban::{Colour, Point, Setup, Size},
    jpd::{Act, Illegal, Position, Start},
};

use crate::reference::Slow;

/// A game from rows of a board and options.
pub(crate) fn start(setup: &str, options: &[(&str, &str)]) -> Position {
    let rule_set = options.iter().fold(RuleSet::named(""), |set, (name, value)| set.with(name, value));
    let size = setup.split('/').next().expect("a row").len();
    let rule_set = rule_set.with("size", &size.to_string()).with("setup", setup);
    let start = Start::read(&rule_set).expect("the rule set is right");
    Position::from_setup(&start.setup, start.rules)
}

/// Does what the side to move asks for; in the agreement, the side that passed first.
pub(crate) fn act(position: &mut Position, text: &str) -> Result<String, Illegal> {
    by(position, position.to_move(), text)
}

/// Does what a side asks for.
pub(crate) fn by(position: &mut Position, colour: Colour, text: &str) -> Result<String, Illegal> {
    let (width, height) = (position.board().columns(), position.board().rows());
    let act = Act::parse(text, width, height).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    position.act(colour, &act).map(|done| done.write(height))
}

/// Does one thing after the other, each by the side to move.
pub(crate) fn acts(position: &mut Position, texts: &str) {
    for text in texts.split_whitespace() {
        act(position, text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    }
}

/// Both agree on these terms.
pub(crate) fn agree(position: &mut Position, terms: &str) {
    by(position, Colour::Black, terms).expect("terms");
    by(position, Colour::White, "accept").expect("an acceptance");
}

pub(crate) fn at(name: &str, size: u8) -> Point {
    Point::parse(name, Size::new(size).expect("a size")).expect("a point")
}

/// The slow board with the same stones.
pub(crate) fn slow_board(setup: &Setup) -> Slow {
    let board = setup.board();
    let mut slow = Slow::new(board.columns().get(), board.rows().get());
    for at in slow.points() {
        slow.set(at, board.stone(crate::reference::point(at)));
    }
    slow
}

//! The methods of chapter 8, each as the steps of its article.

use super::{Counting, HalfPoints, Layout, Ledger, Method, Settlement, Step, counting::name, score::written};
use crate::{goban::Colour, prelude::*};

/// A count on its way: the figures, which always hold, and the board as long as it can be laid out.
struct Work {
    ledger: Ledger,
    layout: Option<Layout>,
    steps: Vec<Step>,
}

/// Counts by a method.
pub(super) fn count(settlement: &Settlement, method: Method) -> Counting {
    let mut work = Work::begin(settlement);
    match method {
        Method::Sum => {}
        Method::EqualSpaces => work.equal_spaces(),
        Method::EqualStones => work.equal_stones(settlement.stock()),
        Method::Returned => work.returned(settlement),
        Method::Fill => work.fill_board(),
    }
    let difference = work.compare(method);
    let margin = difference - settlement.komi;
    if settlement.komi != HalfPoints(0) {
        work.note(format!("Black gives {} for the first move: {}", settlement.komi, written(margin).printed));
    }
    Counting { method, steps: work.steps, margin }
}

impl Work {
    /// What every method begins with: the dead stones off, and the compensation for more moves given in
    /// class A negative moves (articles 34 and 38).
    fn begin(settlement: &Settlement) -> Work {
        let layout = settlement.layout.clone();
        let mut work = Work { ledger: layout.ledger(), layout: Some(layout), steps: Vec::with_capacity(8) };
        if !settlement.dead.is_empty() {
            work.step("both agree on the dead stones".to_owned());
            if let Some(step) = work.steps.last_mut() {
                step.dead.clone_from(&settlement.dead);
            }
            let [black, white] = Colour::BOTH.map(|colour| settlement.dead_of(colour));
            work.step(format!("the dead stones are taken off: {black} black, {white} white"));
        }
        if settlement.extra != 0 {
            let colour = if settlement.extra > 0 { Colour::Black } else { Colour::White };
            let stones = settlement.extra.abs();
            work.ledger.take_border(colour, stones);
            work.layout = work.layout.take().and_then(|layout| layout.take_border(colour, stones));
            work.step(format!(
                "{} made more moves before the first stop and takes {} off the border, whose points are shared",
                name(colour),
                stones_of(stones),
            ));
        }
        work
    }

    /// Article 41. How many spaces the players choose freely; here it is the first even number that neither
    /// has to fill up to, so that the spaces can lie in two rows, as far as the land of both allows.
    fn equal_spaces(&mut self) {
        let Ledger { spaces: [black, white], .. } = self.ledger;
        let most = black.max(white);
        let [black, white] = Colour::BOTH.map(|colour| self.ledger.own(colour));
        let spaces = (most + most.rem_euclid(2)).min(black).min(white);
        for colour in Colour::BOTH {
            self.fill(colour, self.ledger.spaces[colour.index()] - spaces);
        }
        self.step(format!("stones and spaces are exchanged until each side has {spaces} spaces"));
        self.gather();
    }

    /// Article 42 A. How many stones stay in the bowls the players choose freely; here as many as leave the
    /// side with more stones on the board what it has there, as far as stock and land of both allow.
    fn equal_stones(&mut self, stock: i32) {
        let Ledger { stones: [black, white], .. } = self.ledger;
        let most = black.max(white);
        let [black, white] = Colour::BOTH.map(|colour| self.ledger.own(colour));
        let stones = most.min(stock).min(black).min(white);
        for colour in Colour::BOTH {
            self.fill(colour, stones - self.ledger.stones[colour.index()]);
        }
        let kept = stock - stones;
        self.step(format!(
            "of {stock} stones each bowl keeps {kept}, so that {stones} of each side are on the board"
        ));
        self.gather();
    }

    /// Article 42 B. Prisoners, dead stones and virtual stones go back into the own land; who then has more
    /// stones, having made more moves after the first stop, makes as many class B negative moves.
    fn returned(&mut self, settlement: &Settlement) {
        let returned =
            Colour::BOTH.map(|colour| settlement.beside[colour.index()] + settlement.dead_of(colour));
        for colour in Colour::BOTH {
            self.fill(colour, returned[colour.index()]);
        }
        let [black, white] = returned;
        self.step(format!(
            "stones from beside the board and dead ones are put back: {black} black, {white} white"
        ));
        let Ledger { stones: [black, white], .. } = self.ledger;
        if black != white {
            let colour = if black > white { Colour::Black } else { Colour::White };
            let more = black.abs_diff(white).cast_signed();
            self.fill(colour, -more);
            self.step(format!(
                "{} made more moves that are not paid for and takes {} off its own land",
                name(colour),
                stones_of(more)
            ));
        }
        self.gather();
    }

    /// Article 43.
    fn fill_board(&mut self) {
        for colour in Colour::BOTH {
            self.fill(colour, self.ledger.spaces[colour.index()]);
        }
        self.step("each side fills its own points, and nothing is taken off".to_owned());
        if self.ledger.shared > 0 {
            let each = self.ledger.fill_shared();
            self.layout = self.layout.take().map(Layout::fill_shared);
            let left = if self.ledger.shared == 1 { ", and one is left, half a point for each" } else { "" };
            self.step(format!("each side fills {each} of the shared points{left}"));
        }
    }

    /// The last step of every method, and what it comes to before komi.
    fn compare(&mut self, method: Method) -> HalfPoints {
        let (what, [black, white]) = match method {
            Method::Sum => ("points of land", Colour::BOTH.map(|colour| self.ledger.land(colour))),
            Method::EqualSpaces | Method::Fill => ("stones", self.ledger.stones.map(HalfPoints::whole)),
            Method::EqualStones | Method::Returned => ("spaces", self.ledger.spaces.map(HalfPoints::whole)),
        };
        let result = written(black - white).printed;
        let text = if method == Method::Sum {
            let [black, white] = Colour::BOTH.map(|colour| self.sum(colour));
            format!("stones, spaces and half of the shared points: Black {black}, White {white}: {result}")
        } else {
            format!("Black has {black} {what}, White has {white}: {result}")
        };
        if method == Method::Sum {
            self.step(text);
        } else {
            self.note(text);
        }
        black - white
    }

    /// The sum of article 40 as it is written there: `19 + 5 = 24`.
    fn sum(&self, colour: Colour) -> String {
        let Ledger { stones, spaces, shared } = &self.ledger;
        let (stones, spaces) = (stones[colour.index()], spaces[colour.index()]);
        let half = match shared {
            0 => String::new(),
            shared => format!(" + {}", HalfPoints(*shared)),
        };
        format!("{stones} + {spaces}{half} = {}", self.ledger.land(colour))
    }

    fn fill(&mut self, colour: Colour, stones: i32) {
        self.ledger.fill(colour, stones);
        self.layout = self.layout.take().and_then(|layout| layout.fill(colour, stones));
    }

    fn gather(&mut self) {
        if let Some(layout) = self.layout.take() {
            let gathered = layout.clone().gathered();
            let moved = gathered != layout;
            self.layout = Some(gathered);
            if moved {
                self.step("the spaces of each side are brought together".to_owned());
            }
        }
    }

    /// A step with its board.
    fn step(&mut self, text: String) {
        self.steps.push(Step { text, ledger: self.ledger, layout: self.layout.clone(), dead: Vec::new() });
    }

    /// A step of arithmetic.
    fn note(&mut self, text: String) {
        self.steps.push(Step { text, ledger: self.ledger, layout: None, dead: Vec::new() });
    }
}

fn stones_of(count: i32) -> String {
    match count {
        1 => "one stone".to_owned(),
        count => count.to_string() + " stones",
    }
}

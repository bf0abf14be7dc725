use super::{HalfPoints, Layout, Ledger, score::written};
use crate::{
    Count, CountStep,
    goban::{Colour, Stone},
    prelude::*,
};

/// A way of counting (chapter 8 of the text).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Article 40, 子空合計法: stones and spaces together.
    Sum,
    /// Article 41, 等空比子法: spaces made equal, stones compared.
    EqualSpaces,
    /// Article 42 A, 廣義等子比空法: stones made equal from bowls of equal stock, spaces compared.
    EqualStones,
    /// Article 42 B, 狹義等子比空法: prisoners, dead and virtual stones put back, spaces compared.
    Returned,
    /// Article 43, 填滿計點法: the whole board filled, stones compared.
    Fill,
}

/// One way of counting one game, step by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counting {
    /// The method.
    pub method: Method,
    /// Its steps, in order.
    pub steps: Vec<Step>,
    /// By how much Black has more, compensation and komi taken off.
    pub margin: HalfPoints,
}

/// One step of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is done, as a sentence without a capital and a full stop.
    pub text: String,
    /// What each has after it.
    pub ledger: Ledger,
    /// The board after it; `None` in a step of arithmetic alone, and where more stones would have to be put
    /// down or taken up than there is room or there are stones for.
    pub layout: Option<Layout>,
    /// The dead stones, as long as they lie on the board.
    pub dead: Vec<Stone>,
}

impl Method {
    /// Every method, in the order of the articles.
    pub const ALL: [Method; 5] =
        [Method::Sum, Method::EqualSpaces, Method::EqualStones, Method::Returned, Method::Fill];

    /// Its identifier, its name in English with its article, and its name in the text.
    pub const fn names(self) -> [&'static str; 3] {
        match self {
            Method::Sum => ["sum", "stones and spaces together (article 40)", "子空合計法"],
            Method::EqualSpaces => {
                ["equal-spaces", "equal spaces, stones compared (article 41)", "等空比子法"]
            }
            Method::EqualStones => {
                ["equal-stones", "equal stones, spaces compared (article 42 A)", "廣義等子比空法"]
            }
            Method::Returned => {
                ["returned", "stones returned, spaces compared (article 42 B)", "狹義等子比空法"]
            }
            Method::Fill => ["fill", "the board filled (article 43)", "填滿計點法"],
        }
    }
}

impl Counting {
    /// What each has after the last step.
    pub fn ledger(&self) -> Ledger {
        self.steps.last().map(|step| step.ledger).unwrap_or_default()
    }

    /// As the frame shows it.
    pub fn frame(&self) -> Count {
        let step = |step: &Step| CountStep {
            text: step.text.clone(),
            board: step.layout.as_ref().map(|layout| layout.picture(&step.dead)),
        };
        let [method, name, native_name] = self.method.names();
        let steps = self.steps.iter().map(step).collect();
        Count { method, name, native_name, steps, result: written(self.margin) }
    }
}

/// The name of a colour in a sentence.
pub(super) const fn name(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "Black",
        Colour::White => "White",
    }
}

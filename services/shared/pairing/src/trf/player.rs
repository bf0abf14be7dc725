//! The records of players.

use super::Tenths;
use crate::{Colour, Number};

named! {
    /// The colour of a player as reports write it.
    pub enum Side {
        /// `w`.
        White = "w",
        /// `b`.
        Black = "b",
    }
}

impl Side {
    /// The colour by who moves first. In reports, which come from chess, white does; whoever reports a game in which black
    /// does exchanges the two, and nothing that is checked depends on it.
    pub const fn colour(self) -> Colour {
        match self {
            Side::White => Colour::First,
            Side::Black => Colour::Second,
        }
    }

    /// The side of a colour, likewise.
    pub const fn of(colour: Colour) -> Side {
        match colour {
            Colour::First => Side::White,
            Colour::Second => Side::Black,
        }
    }
}

named! {
    /// A round without an opponent.
    pub enum ByeMark {
        /// Asked for, without points; absence is the same.
        Zero = "Z",
        /// Asked for, with the points of a draw.
        Half = "H",
        /// Asked for, with the points of a win.
        Full = "F",
        /// Given by the pairing.
        Pab = "U",
    }
}

named! {
    /// What came of a game, for the player in whose record it stands.
    pub enum GameMark {
        /// Won.
        Win = "1",
        /// Drawn.
        Draw = "=",
        /// Lost.
        Loss = "0",
        /// Won by forfeit.
        ForfeitWin = "+",
        /// Lost by forfeit.
        ForfeitLoss = "-",
        /// Won in less than a move: not rated.
        UnratedWin = "W",
        /// Drawn likewise.
        UnratedDraw = "D",
        /// Lost likewise.
        UnratedLoss = "L",
    }
}

impl GameMark {
    /// Whether somebody did not play.
    pub const fn is_forfeit(self) -> bool {
        matches!(self, GameMark::ForfeitWin | GameMark::ForfeitLoss)
    }
}

/// A round in a player's record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Slot {
    /// Nothing: an absence in a round that was played, and silence about one that was not.
    #[default]
    Blank,
    /// No game.
    Bye(ByeMark),
    /// A forfeit that names no opponent.
    Walkover {
        /// Whether it was won.
        won: bool,
    },
    /// A game.
    Game {
        /// Against whom.
        opponent: Number,
        /// With which colour; none where a forfeited game, or one that is not over, says none.
        colour: Option<Side>,
        /// What came of it; none in a round that is not over.
        result: Option<GameMark>,
    },
}

impl Slot {
    /// Whether the pairing had the player: a game, a forfeit, or the pairing bye. Byes that were asked for are known before
    /// a round and say nothing about whether it was played.
    pub const fn is_paired(&self) -> bool {
        matches!(self, Slot::Bye(ByeMark::Pab) | Slot::Walkover { .. } | Slot::Game { .. })
    }
}

/// A player, record 001. Texts are empty where the record says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerRecord {
    /// Columns 5–8: the starting rank, 1 to 9,999.
    pub number: Number,
    /// Column 10: `m` or `w`.
    pub sex: Option<char>,
    /// Columns 11–13: a title such as `WGM`.
    pub title: String,
    /// Columns 15–47: last name, first name, in a transliteration where the name has another script.
    pub name: String,
    /// Columns 49–52.
    pub rating: Option<u32>,
    /// Columns 54–56: the code of a federation.
    pub federation: String,
    /// Columns 58–68: the number of the person in a list of players, which names cannot replace.
    pub id: String,
    /// Columns 70–79: `YYYY/MM/DD`; years alone, and other forms that are met with, are kept as they stand.
    pub birth: String,
    /// Columns 81–84.
    pub points: Option<Tenths>,
    /// Columns 86–89: the place; several players may share it.
    pub rank: Option<u32>,
    /// From column 92 on, ten columns each; the last of them is not blank.
    pub rounds: Vec<Slot>,
}

/// What a federation other than the world's has of a player: the record that begins with the federation's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct National {
    /// Columns 1–3: three capital letters.
    pub federation: String,
    /// Columns 5–8: whose record it is.
    pub number: Number,
    /// Column 10.
    pub sex: Option<char>,
    /// Columns 11–13: a grade or class.
    pub class: String,
    /// Columns 15–47: the native name.
    pub name: String,
    /// Columns 49–52.
    pub rating: Option<u32>,
    /// Columns 54–56: state, region or the like.
    pub origin: String,
    /// Columns 58–68: the number in the federation's list.
    pub id: String,
    /// Columns 70–79.
    pub birth: String,
}

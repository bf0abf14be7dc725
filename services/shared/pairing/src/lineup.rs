//! Who sits at which board of a team's match (Art. 26.2; the readings of section 1.2).
//!
//! ```
//! use pairing::{Number, lineup::{LineupError, LineupLaw, Roster}};
//! let team = Roster::new([1, 2, 3].map(Number).to_vec(), vec![Number(4)])?;
//! let sits = |law, players: [u32; 3]| team.check(law, &players.map(Number));
//! // Number 4 comes in for 2, and all keep their order.
//! assert_eq!(sits(LineupLaw::FixedBoardsSubs, [1, 3, 4]), Ok(()));
//! assert_eq!(sits(LineupLaw::FixedBoardsSubs, [3, 1, 4]), Err(LineupError::Order(Number(1))));
//! assert_eq!(sits(LineupLaw::FixedBoards, [1, 3, 4]), Err(LineupError::NotFixed { board: 2 }));
//! # Ok::<(), LineupError>(())
//! ```

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use crate::Number;

named! {
    /// How a team's players come to their boards.
    pub enum LineupLaw {
        /// 分台定人制: ordered by strength before the event, and not changed (the only one that the source defines).
        FixedBoards = "fixed_boards",
        /// 分台换人制: a registered reserve may come in, and all keep their relative order.
        FixedBoardsSubs = "fixed_boards_subs",
        /// 临时定台制: any order of those registered, handed in before each match and secret until both are in.
        DeclaredBoards = "declared_boards",
        /// 全队轮赛制: everybody meets everybody of the other team, see [`crate::berger::scheveningen`]; no reserves.
        WholeTeam = "whole_team",
        /// 队员总分制: members play an event of their own, see [`crate::standings::team::sum_of_members`]; no boards.
        SumOfMembers = "sum_of_members",
    }
}

/// The most reserves of a team where the event says nothing else.
pub const RESERVES_MAX: usize = 2;

/// Why a team or its line-up is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineupError {
    /// A team without a player.
    #[error("a team has players")]
    Empty,
    /// More than [`RESERVES_MAX`].
    #[error("a team has at most {RESERVES_MAX} reserves")]
    Reserves,
    /// Teams have equal numbers of members (Art. 26.2).
    #[error("a line-up has {boards} boards")]
    Boards {
        /// How many there must be.
        boards: usize,
    },
    /// In two places.
    #[error("{0} is there twice")]
    Twice(Number),
    /// Not of the team.
    #[error("{0} is not registered for the team")]
    Stranger(Number),
    /// Somebody else sits at this board, from 1.
    #[error("board {board} is fixed")]
    NotFixed {
        /// Which.
        board: usize,
    },
    /// Sits below somebody who comes after him in the team.
    #[error("{0} would change the order of the team")]
    Order(Number),
    /// The law has no boards.
    #[error("members play an event of their own")]
    NoBoards,
    /// What was opened is not what was handed in.
    #[error("this is not the line-up that was handed in")]
    Opened,
}

impl LineupError {
    /// The stable name of what is wrong.
    pub const fn reason(self) -> &'static str {
        match self {
            LineupError::Empty => "empty",
            LineupError::Reserves => "reserves",
            LineupError::Boards { .. } => "boards",
            LineupError::Twice(_) => "twice",
            LineupError::Stranger(_) => "stranger",
            LineupError::NotFixed { .. } => "not_fixed",
            LineupError::Order(_) => "order",
            LineupError::NoBoards => "no_boards",
            LineupError::Opened => "opened",
        }
    }
}

/// A team as it was registered: its players in the order of strength, those of the boards first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roster {
    players: Vec<Number>,
    boards: usize,
}

impl Roster {
    /// Players from the first board on, and reserves in the order of their strength behind them.
    pub fn new(players: Vec<Number>, reserves: Vec<Number>) -> Result<Roster, LineupError> {
        if players.is_empty() {
            return Err(LineupError::Empty);
        }
        if reserves.len() > RESERVES_MAX {
            return Err(LineupError::Reserves);
        }
        let boards = players.len();
        let players: Vec<Number> = players.into_iter().chain(reserves).collect();
        once(&players)?;
        Ok(Roster { players, boards })
    }

    /// How many boards the team fills.
    pub const fn boards(&self) -> usize {
        self.boards
    }

    /// Whether these players may sit so, from the first board on.
    pub fn check(&self, law: LineupLaw, lineup: &[Number]) -> Result<(), LineupError> {
        if law == LineupLaw::SumOfMembers {
            return Err(LineupError::NoBoards);
        }
        if lineup.len() != self.boards {
            return Err(LineupError::Boards { boards: self.boards });
        }
        once(lineup)?;
        let places = lineup.iter().map(|it| self.place(*it)).collect::<Result<Vec<usize>, _>>()?;
        match law {
            LineupLaw::FixedBoards | LineupLaw::WholeTeam => {
                let moved = places.iter().enumerate().position(|(board, place)| board != *place);
                moved.map_or(Ok(()), |at| Err(LineupError::NotFixed { board: at + 1 }))
            }
            LineupLaw::FixedBoardsSubs => {
                let wrong = places.windows(2).position(|pair| pair[0] > pair[1]);
                wrong.map_or(Ok(()), |at| Err(LineupError::Order(lineup[at + 1])))
            }
            LineupLaw::DeclaredBoards | LineupLaw::SumOfMembers => Ok(()),
        }
    }

    /// The line-up without those who are away, reserves moving in behind in the order of the team. None where too few
    /// are left.
    ///
    /// ```
    /// use pairing::{Number, lineup::Roster};
    /// let team = Roster::new([1, 2, 3].map(Number).to_vec(), vec![Number(4)])?;
    /// assert_eq!(team.without(&[Number(2)]), Some([1, 3, 4].map(Number).to_vec()));
    /// assert_eq!(team.without(&[Number(2), Number(3)]), None);
    /// # Ok::<(), pairing::lineup::LineupError>(())
    /// ```
    pub fn without(&self, away: &[Number]) -> Option<Vec<Number>> {
        let there = self.players.iter().filter(|it| !away.contains(it)).take(self.boards);
        Some(there.copied().collect::<Vec<Number>>()).filter(|it| it.len() == self.boards)
    }

    /// Whether the team may go on as another roster: as many boards, and whoever stays keeps his place. Who is new is a
    /// reserve, and sits on a board only where too few others are left for all of them. Under [`LineupLaw::FixedBoardsSubs`]
    /// those who stay keep their order, and who is new comes behind them; under [`LineupLaw::DeclaredBoards`] a team has no
    /// order that a match would be held to. Under the other laws nothing of a team changes.
    ///
    /// ```
    /// use pairing::{Number, lineup::{LineupError, LineupLaw, Roster}};
    /// let roster = |players: [u32; 2], reserve| Roster::new(players.map(Number).to_vec(), vec![Number(reserve)]);
    /// let (team, law) = (roster([1, 2], 3)?, LineupLaw::FixedBoardsSubs);
    /// assert_eq!(team.may_become(law, &roster([1, 3], 9)?), Ok(()), "2 leaves, 3 moves up, 9 is new");
    /// assert_eq!(team.may_become(law, &roster([1, 9], 3)?), Err(LineupError::Order(Number(3))));
    /// assert_eq!(team.may_become(LineupLaw::FixedBoards, &roster([1, 3], 9)?), Err(LineupError::NotFixed { board: 2 }));
    /// # Ok::<(), LineupError>(())
    /// ```
    pub fn may_become(&self, law: LineupLaw, next: &Roster) -> Result<(), LineupError> {
        if next.boards != self.boards {
            return Err(LineupError::Boards { boards: self.boards });
        }
        let (boards, reserves) = next.players.split_at(next.boards);
        let is_new = |it: &&Number| self.place(**it).is_err();
        match law {
            LineupLaw::FixedBoards | LineupLaw::WholeTeam | LineupLaw::SumOfMembers => {
                let moved = (0..self.players.len().max(next.players.len()))
                    .find(|at| self.players.get(*at) != next.players.get(*at));
                moved.map_or(Ok(()), |at| Err(LineupError::NotFixed { board: at + 1 }))
            }
            LineupLaw::FixedBoardsSubs => {
                let place = |it: &Number| self.place(*it).unwrap_or(usize::MAX);
                let wrong = next.players.windows(2).position(|pair| place(&pair[0]) > place(&pair[1]));
                wrong.map_or(Ok(()), |at| Err(LineupError::Order(next.players[at + 1])))
            }
            LineupLaw::DeclaredBoards => {
                let waits = reserves.iter().any(|it| !is_new(&it));
                let in_place = boards.iter().find(is_new).filter(|_| waits);
                in_place.map_or(Ok(()), |it| Err(LineupError::Order(*it)))
            }
        }
    }

    fn place(&self, number: Number) -> Result<usize, LineupError> {
        self.players.iter().position(|it| *it == number).ok_or(LineupError::Stranger(number))
    }
}

fn once(players: &[Number]) -> Result<(), LineupError> {
    let mut seen = BTreeSet::new();
    let twice = players.iter().find(|it| !seen.insert(**it));
    twice.map_or(Ok(()), |it| Err(LineupError::Twice(*it)))
}

/// What a captain hands in before the other's line-up is known: SHA-256 of a salt of 32 bytes and the numbers of the
/// players from the first board on, 32 bits little-endian each.
pub fn commitment(salt: &[u8; 32], lineup: &[Number]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(salt);
    for number in lineup {
        hash.update(number.0.to_le_bytes());
    }
    hash.finalize().into()
}

/// Opens a declared line-up: it is the one that was handed in, and the team may sit so.
///
/// ```
/// use pairing::{Number, lineup::{LineupError, Roster, commitment, open}};
/// let team = Roster::new([1, 2, 3].map(Number).to_vec(), Vec::new())?;
/// let (salt, lineup) = ([7; 32], [3, 1, 2].map(Number));
/// let handed_in = commitment(&salt, &lineup);
/// assert_eq!(open(&team, &handed_in, &salt, &lineup), Ok(()));
/// assert_eq!(open(&team, &handed_in, &salt, &[1, 2, 3].map(Number)), Err(LineupError::Opened));
/// # Ok::<(), LineupError>(())
/// ```
pub fn open(
    team: &Roster,
    handed_in: &[u8; 32],
    salt: &[u8; 32],
    lineup: &[Number],
) -> Result<(), LineupError> {
    if commitment(salt, lineup) != *handed_in {
        return Err(LineupError::Opened);
    }
    team.check(LineupLaw::DeclaredBoards, lineup)
}

use alloc::vec::Vec;

use super::{Colour, Point, Score};

/// How far a game has come.
///
/// ```
/// use rules::go::{Act, Colour, Phase, Position, Rules, Size};
/// let mut position = Position::new(Size::NINE, Rules::default());
/// assert_eq!(position.phase(), &Phase::Play);
/// for colour in Colour::BOTH {
///     position.act(colour, &Act::Pass)?;
/// }
/// assert!(matches!(position.phase(), Phase::Agreement(_)));
/// position.act(Colour::White, &Act::Reject)?;
/// assert_eq!(position.phase(), &Phase::Resolution);
/// # Ok::<(), rules::go::Illegal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Black places handicap stones.
    Handicap {
        /// How many are still to be placed.
        left: u8,
    },
    /// The players take turns.
    Play,
    /// Both have confirmed the end and are to agree on the dead stones (articles 8 and 21.3).
    Agreement(Agreement),
    /// They did not agree and play on, no board being allowed twice (articles 20.2 and 21.3).
    Resolution,
    /// The game is over.
    Ended(Ending),
}

/// The state of the talk about dead stones.
///
/// ```
/// use rules::go::{Act, Agreement, Colour, Position, Rules, Size};
/// let mut position = Position::new(Size::NINE, Rules::default());
/// for act in [Act::Pass, Act::Pass] {
///     position.act(position.to_move(), &act)?;
/// }
/// assert_eq!(position.agreement(), Some(&Agreement { proposal: None, proposals: 0 }));
/// position.act(Colour::White, &Act::Dead(Vec::new()))?;
/// assert_eq!(position.agreement().unwrap().proposals, 1);
/// # Ok::<(), rules::go::Illegal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The proposal that stands, if any.
    pub proposal: Option<Proposal>,
    /// How many proposals have been made in this phase.
    pub proposals: u16,
}

/// A proposal which chains are dead, to which its proposer has agreed.
///
/// ```
/// use rules::go::{Act, Colour, Point, Position, Proposal, Rules, Setup};
/// let setup: Setup = "oo.../..x../...../...../.....".parse().unwrap();
/// let mut position = Position::from_setup(&setup, Rules::default());
/// let [first, second] = [0, 1].map(|column| Point::new(column, 0).unwrap());
/// for act in [Act::Pass, Act::Pass, Act::Dead(vec![second])] {
///     position.act(position.to_move(), &act)?;
/// }
/// let standing = position.agreement().unwrap().proposal.clone();
/// assert_eq!(standing, Some(Proposal { by: Colour::Black, dead: vec![first] }));
/// # Ok::<(), rules::go::Illegal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Who made it.
    pub by: Colour,
    /// The first stone, in reading order, of each dead chain, in reading order.
    pub dead: Vec<Point>,
}

/// How a game ended by its rules.
///
/// ```
/// use rules::go::{Ending, Move, Position, Rules, Setup};
/// let setup: Setup = ".x.o./.x.o./.x.o./.x.o./.x.o.".parse().unwrap();
/// let mut position = Position::from_setup(&setup, Rules { disputes: 0, ..Rules::default() });
/// position.play(Move::Pass)?;
/// position.play(Move::Pass)?;
/// match position.ending() {
///     Some(Ending::Scored(score)) => assert_eq!(score.frame().printed, "W+2 3/4 zi"),
///     Some(Ending::CycleDraw | Ending::CycleReplay) | None => panic!("the play was ended by two passes"),
/// }
/// # Ok::<(), rules::go::Illegal>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the count.
    Scored(Score),
    /// By a long cycle, as a draw.
    CycleDraw,
    /// By a long cycle, to be played again.
    CycleReplay,
}

/// The last move brought back a board in a long cycle (article 20.3).
///
/// ```
/// use rules::go::{Move, Notice, Point, Position, Rules, Setup};
/// // Eternal life: after four moves the first board is there again.
/// let setup: Setup = "......../oooooo../xxxxxo../xoooxxoo/.o.x.ox.".parse().unwrap();
/// let mut position = Position::from_setup(&setup, Rules::default());
/// for column in [2, 4, 3, 5] {
///     position.play(Move::Play(Point::new(column, 4).unwrap()))?;
/// }
/// assert_eq!(position.notice(), Some(Notice { occurrence: 2, arbiter_asked: false }));
/// # Ok::<(), rules::go::Illegal>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How many times the board has been there since the last pass; 2 for the first recurrence.
    pub occurrence: u32,
    /// Whether an arbiter has been asked.
    pub arbiter_asked: bool,
}

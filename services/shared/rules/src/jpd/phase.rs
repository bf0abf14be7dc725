use super::{Score, Terms};
use crate::go::Colour;

/// How far a game has come.
///
/// ```
/// use rules::{go::{Colour, Size}, jpd::{Act, Move, Phase, Position, Rules}};
/// let mut position = Position::new(Size::NINE, Rules::default());
/// assert_eq!(*position.phase(), Phase::Contest);
/// position.play(Move::Pass)?;
/// position.play(Move::Pass)?;
/// assert!(matches!(position.phase(), Phase::Agreement(_)));
/// position.act(Colour::White, &Act::Reject)?;
/// assert_eq!(*position.phase(), Phase::Resolution);
/// # Ok::<(), rules::jpd::Illegal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// From the start to the first two passes in a row (爭棋階段, article 27).
    Contest,
    /// Both have passed and are to agree on the end (articles 28 and 29).
    Agreement(Agreement),
    /// One side has demanded that the neutral points be filled, and play goes on (article 39).
    Filling,
    /// They did not agree, and play decides (實戰解決, article 28).
    Resolution,
    /// The game is over.
    Ended(Ending),
}

/// The state of the talk about the end.
///
/// ```
/// use rules::{go::{Colour, Size}, jpd::{Act, Agreement, Move, Position, Rules, Terms}};
/// let mut position = Position::new(Size::NINE, Rules::default());
/// position.play(Move::Pass)?;
/// position.play(Move::Pass)?;
/// assert_eq!(position.agreement(), Some(&Agreement { proposal: None, proposals: 0 }));
/// position.act(Colour::White, &Act::Propose(Terms::default()))?;
/// assert_eq!(position.agreement().unwrap().proposals, 1);
/// # Ok::<(), rules::jpd::Illegal>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The proposal that stands, if any.
    pub proposal: Option<Proposal>,
    /// How many proposals have been made in this phase.
    pub proposals: u16,
}

/// Proposed terms, to which their proposer has agreed.
///
/// ```
/// use rules::{go::{Colour, Size}, jpd::{Act, Move, Position, Proposal, Rules, Terms}};
/// let mut position = Position::new(Size::NINE, Rules::default());
/// position.play(Move::Pass)?;
/// position.play(Move::Pass)?;
/// position.act(Colour::White, &Act::Propose(Terms::default()))?;
/// let standing = position.agreement().and_then(|agreement| agreement.proposal.as_ref());
/// assert_eq!(standing, Some(&Proposal { by: Colour::White, terms: Terms::default() }));
/// # Ok::<(), rules::jpd::Illegal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Who made it.
    pub by: Colour,
    /// What it says, in canonical form.
    pub terms: Terms,
}

/// How a game ended by its rules.
///
/// ```
/// use rules::{go::{Colour, Size}, jpd::{Move, Position, Rules}};
/// // Without disputes there is nothing to agree on, and the second pass ends the game.
/// let mut position = Position::new(Size::NINE, Rules { disputes: 0, ..Rules::default() });
/// position.play(Move::Pass)?;
/// position.play(Move::Pass)?;
/// let ending = position.ending().unwrap();
/// assert_eq!((&ending.terms, ending.score.winner()), (&None, Some(Colour::White)));
/// # Ok::<(), rules::jpd::Illegal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The count.
    pub score: Score,
    /// What was agreed on; `None` if nothing was, so that every stone is alive (articles 4 and 30.2).
    pub terms: Option<Terms>,
}

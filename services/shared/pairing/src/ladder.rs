//! A challenge ladder for open leagues (`LADDER`, section 1.2): who wins against somebody above him takes his place.

use crate::Number;

/// Why a challenge is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LadderError {
    /// One of the two is not on the ladder.
    #[error("{0} is not on the ladder")]
    NotThere(Number),
    /// The holder of the place is not above the challenger.
    #[error("a challenge goes upwards")]
    NotAbove,
    /// He is too far above.
    #[error("a challenge reaches {0} places upwards")]
    OutOfReach(usize),
}

impl LadderError {
    /// The stable name of what is wrong.
    pub const fn reason(self) -> &'static str {
        match self {
            LadderError::NotThere(_) => "not_there",
            LadderError::NotAbove => "not_above",
            LadderError::OutOfReach(_) => "out_of_reach",
        }
    }
}

/// The places of two players, from 0 at the top, where the first may challenge the second; `reach` is how many places
/// upwards a challenge may go.
pub fn challenge(
    ladder: &[Number],
    challenger: Number,
    holder: Number,
    reach: usize,
) -> Result<(usize, usize), LadderError> {
    let place = |number| ladder.iter().position(|it| *it == number).ok_or(LadderError::NotThere(number));
    let (from, to) = (place(challenger)?, place(holder)?);
    match from.checked_sub(to) {
        None | Some(0) => Err(LadderError::NotAbove),
        Some(distance) if distance > reach => Err(LadderError::OutOfReach(reach)),
        Some(_) => Ok((from, to)),
    }
}

/// The ladder after a challenge: a challenger who has won takes the place, and all from there down to his own move down
/// by one. A draw or a loss changes nothing.
///
/// ```
/// use pairing::{Number, ladder};
/// let before = [1, 2, 3, 4].map(Number);
/// let after = ladder::settle(&before, Number(4), Number(2), 2, true)?;
/// assert_eq!(after, [1, 4, 2, 3].map(Number));
/// # Ok::<(), ladder::LadderError>(())
/// ```
pub fn settle(
    ladder: &[Number],
    challenger: Number,
    holder: Number,
    reach: usize,
    won: bool,
) -> Result<Vec<Number>, LadderError> {
    let (from, to) = challenge(ladder, challenger, holder, reach)?;
    let mut after = ladder.to_vec();
    if won {
        after[to..=from].rotate_right(1);
    }
    Ok(after)
}

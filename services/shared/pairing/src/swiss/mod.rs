//! Pairing a round of a Swiss (sections 1.3, 1.4 and 2).
//!
//! The procedure is the rule: legality (H1 to H5) is exact over the whole round, so that a legal pairing is made
//! whenever there is one; the wishes (S2 to S7) are judged pool by pool from the top.
//!
//! 1. Of an odd number one has the pairing bye: the first in the order of S1 without whom all others can be paired.
//! 2. A *pool* is a score group with those who were left over above it. As many of it as possible are paired (S2), and of
//!    all ways to do so the one with the least [`Tiers`], compared from the first to the last.
//! 3. Who is left over goes to the next pool. Where the last pool cannot be paired, it is joined with the one above, and
//!    so upwards.
//! 4. Tables are in the order of the sums of the scores; then the colours are given.
//!
//! ```
//! use pairing::{Player, swiss};
//! let players = (1..=8).map(Player::new).collect();
//! let mut round = swiss::Input::new(1, 3, players);
//! round.settings.first_round = pairing::FirstRound::Fold;
//! let made = swiss::pair(&round)?;
//! let pairs: Vec<_> = made.pairs.iter().map(|pair| pair.players.map(|it| it.0)).collect();
//! assert_eq!(pairs, [[1, 5], [2, 6], [3, 7], [4, 8]]);
//! # Ok::<(), swiss::PairingError>(())
//! ```

mod bye;
mod cardinality;
mod colours;
mod cost;
mod error;
mod explain;
mod field;
mod freeze;
mod legal;
pub(crate) mod lives;
mod matching;
mod need;
mod pool;
mod round;
mod thaw;

pub use error::{Blocking, PairingError};
pub use explain::{PairReason, Why};
pub use pool::Problem;
pub use round::{Input, Out, PLAYERS_MAX, Pair, PoolReport, Prohibited, Round, START_MAX, Tiers};
pub use thaw::{INPUT_BYTES_MAX, InputError, InputFault};

use core::ops::ControlFlow;

use field::Field;
pub(crate) use field::{accelerated_rounds, is_accelerated};

/// How far a pairing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Players whose pool has been solved; it falls back where pools are joined.
    pub placed: u32,
    /// Players to be paired in this round.
    pub players: u32,
}

/// Pairs a round. The same input gives the same round on every machine.
pub fn pair(input: &Input) -> Result<Round, PairingError> {
    pair_watched(input, &mut |_| ControlFlow::Continue(()))
}

/// The matchings that pairing a round comes to, pool by pool as they were solved in the end, with their answers: so that
/// another library can be asked the same.
///
/// ```
/// use pairing::{Player, swiss};
/// let input = swiss::Input::new(1, 3, (1..=8).map(Player::new).collect());
/// let problems = swiss::problems(&input)?;
/// assert_eq!((problems[0].vertices, problems[0].edges.len(), problems[0].pairs.len()), (8, 28, 4));
/// # Ok::<(), swiss::PairingError>(())
/// ```
pub fn problems(input: &Input) -> Result<Vec<Problem>, PairingError> {
    input.validate()?;
    let mut field = Field::of(input);
    if let Some(free) = bye::choose(&field)? {
        field.candidates.remove(free);
    }
    let pools = pool::solve(&field, &mut |_| ControlFlow::Continue(()))?;
    pools.iter().map(|solved| Problem::of(&field, solved)).collect()
}

/// Pairs a round that may take long: `watch` is told before every pool, and may break it off.
pub fn pair_watched(
    input: &Input,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Round, PairingError> {
    input.validate()?;
    let mut field = Field::of(input);
    let mut out: Vec<Out> = input.without_game().collect();
    if let Some(free) = bye::choose(&field)? {
        out.push(Out { number: field.candidates[free].number, code: crate::ResultCode::Pab });
        field.candidates.remove(free);
    }
    let pools = pool::solve(&field, watch)?;
    Ok(round::assemble(input, &field, &pools, out))
}

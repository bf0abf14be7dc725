use core::fmt;

use super::TianyiGame;
use crate::{Game as _, OptionError, Proof, ProofError, Record, Refusal};

/// Why a record does not tell of a game that was played by the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyError {
    /// It was played under no such rules.
    Rules(OptionError),
    /// This act, from 1, is against the rules; a seed that is not the promised one is among them.
    Act(usize, Refusal),
    /// A draw does not fit its commitments.
    Draw(ProofError),
    /// The game did not end as the record says.
    Outcome,
}

/// Checks a record by itself: every draw against its commitments, the stones and colours that follow from it,
/// every act, and the outcome if the rules decided it. Returns the finished draws.
///
/// What the file says of stones, colours, komi, draws and bids besides the acts has been compared with them
/// when the record was read ([`super::sgf`]).
///
/// # Errors
/// The first thing that is wrong.
pub fn verify(record: &Record) -> Result<alloc::vec::Vec<Proof>, VerifyError> {
    let mut game = TianyiGame::new(&record.rule_set).map_err(VerifyError::Rules)?;
    for (nth, act) in (1..).zip(&record.acts) {
        game.act(act.author, &act.text).map_err(|refusal| VerifyError::Act(nth, refusal))?;
    }
    let proofs = game.position().proofs();
    for proof in proofs {
        proof.verify().map_err(VerifyError::Draw)?;
    }
    match (game.outcome(), &record.outcome) {
        (Some(wanted), Some(stated)) if wanted != stated => Err(VerifyError::Outcome),
        _ => Ok(proofs.to_vec()),
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::Rules(error) => error.fmt(f),
            VerifyError::Act(nth, refusal) => write!(f, "act {nth}: {refusal}"),
            VerifyError::Draw(error) => error.fmt(f),
            VerifyError::Outcome => f.write_str("the game did not end as the record says"),
        }
    }
}

impl core::error::Error for VerifyError {}

use super::TianyiGame;
use crate::{ActError, Game as _, OptionError, Proof, ProofError, Record};

/// Why a record does not tell of a game that was played by the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// It was played under no such rules.
    #[error(transparent)]
    Rules(OptionError),
    /// This act, from 1, is against the rules; a seed that is not the promised one is among them.
    #[error("act {0}: {1}")]
    Act(usize, ActError),
    /// A lottery does not fit its commitments.
    #[error(transparent)]
    Lottery(ProofError),
    /// The game did not end as the record says.
    #[error("the game did not end as the record says")]
    Outcome,
}

/// Checks a record by itself: every lottery against its commitments, the stones and colours that follow from it,
/// every act, and the outcome if the rules decided it. Returns the finished lotteries.
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
        proof.verify().map_err(VerifyError::Lottery)?;
    }
    match (game.outcome(), &record.outcome) {
        (Some(wanted), Some(stated)) if wanted != stated => Err(VerifyError::Outcome),
        _ => Ok(proofs.to_vec()),
    }
}

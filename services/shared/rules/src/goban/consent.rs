//! How two players come to say the same: proposals, each its maker's consent, and their acceptance.

use super::{Colour, Illegal, MAX_PROPOSALS};

/// What a new proposal does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offer {
    /// The opponent has proposed just this: both have now consented to it.
    Agreed,
    /// It stands in place of the one that stood, with which the consent to that is gone.
    Stands,
}

/// What it means that `by` proposes `terms`, written canonically, where `standing` stands and `proposals`
/// were made.
pub(crate) fn offer<T: PartialEq>(
    standing: Option<(Colour, &T)>,
    proposals: u16,
    by: Colour,
    terms: &T,
) -> Result<Offer, Illegal> {
    match standing {
        Some((maker, same)) if maker != by && same == terms => Ok(Offer::Agreed),
        _ if proposals >= MAX_PROPOSALS => Err(Illegal::TooManyProposals),
        _ => Ok(Offer::Stands),
    }
}

/// What `by` accepts: the opponent's standing proposal, and only if it is the one named, if one is.
pub(crate) fn accepted<'a, T: PartialEq, E>(
    standing: Option<(Colour, &'a T)>,
    by: Colour,
    named: Option<&Result<T, E>>,
) -> Result<&'a T, Illegal> {
    let terms = match standing {
        Some((maker, terms)) if maker != by => terms,
        _ => return Err(Illegal::NoProposal),
    };
    match named {
        None => Ok(terms),
        Some(Ok(named)) if named == terms => Ok(terms),
        Some(_) => Err(Illegal::ProposalChanged),
    }
}

//! Who has a part in a game or a case himself, and so decides nothing in it.

use std::collections::BTreeSet;

use chassis::id::{AccountId, MemberId};
use pairing::Number;

use super::{Event, Refusal, fact::Board};

/// An official who decides something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Official {
    /// His account.
    pub account: AccountId,
    /// The members for whom he acts as a proxy.
    pub represents: BTreeSet<MemberId>,
}

impl Event {
    /// Whether somebody is one of these entrants, the proxy of one, or the captain of the team of one.
    pub fn has_part(&self, official: &Official, entrants: impl IntoIterator<Item = Number>) -> bool {
        let led = self.captained_by(official.account).map(super::EnteredTeam::number);
        let mut entrants = entrants.into_iter().filter_map(|number| self.participant(number));
        entrants.any(|it| {
            it.entrant.account == Some(official.account)
                || official.represents.contains(&it.entrant.member)
                || (led.is_some() && it.team == led)
        })
    }

    pub(super) fn not_own_game(&self, seat: &Board, official: &Official) -> Result<(), Refusal> {
        if self.has_part(official, seat.players) { Err(Refusal::OwnGame) } else { Ok(()) }
    }
}

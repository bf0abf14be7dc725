//! Long games are offered first: nobody is bound to an hour who has gone for tea.

use std::time::Duration;

use chassis::id::TicketId;
use time::OffsetDateTime;

use super::{Pair, Settings};

/// From how long a game is offered first, as both clocks together are expected to run.
const LONG: Duration = Duration::from_hours(1);
/// How long the two have to accept it.
pub const OFFER_TIME: time::Duration = time::Duration::seconds(30);

/// A game that is offered to two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The two, and what they are to play.
    pub pair: Pair,
    /// Until when they may answer.
    pub until: OffsetDateTime,
    /// Which of them has accepted, in the order of the pair.
    pub accepted: [bool; 2],
    /// What has become of it.
    pub state: OfferState,
}

/// What has become of an offer. It never goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OfferState {
    /// Somebody has yet to answer.
    Open,
    /// Both have accepted: there will be a match.
    Accepted,
    /// There is a match, or never will be one: it was declined, or not accepted in time, or one of them has another game.
    Closed,
}

/// Whether a game with these settings is offered before it is made.
pub fn is_offered(settings: &Settings) -> bool {
    settings.time_control().expected().is_none_or(|of_each| of_each.saturating_mul(2) >= LONG)
}

impl Offer {
    /// Those who have not accepted it, and go out of the queue if it comes to nothing.
    pub fn unwilling(&self) -> Vec<TicketId> {
        let players = self.pair.players.iter().zip(self.accepted);
        players.filter(|(_, accepted)| !accepted).map(|(player, _)| player.ticket).collect()
    }

    /// Whether the owner of a ticket has accepted it; nothing of a ticket that it is not made to.
    pub fn has_accepted(&self, ticket: TicketId) -> Option<bool> {
        let players = self.pair.players.iter().zip(self.accepted);
        players.into_iter().find(|(player, _)| player.ticket == ticket).map(|(_, accepted)| accepted)
    }
}

#[cfg(test)]
mod tests {
    use rules::RuleSet;

    use super::*;

    #[test]
    fn what_lasts_an_hour_or_has_no_end_is_offered() {
        let is_offered = |control: &str| {
            let control = control.parse().expect("a time control");
            is_offered(&Settings::new("go", &RuleSet::named(""), control, false).expect("settings"))
        };
        for long in ["30m", "29m+1s", "1h", "20m+3x30s", "3d/move", "none", "45m:20m"] {
            assert!(is_offered(long), "{long}");
        }
        for short in ["29m", "10m+5s", "5m+3s", "30m:29m"] {
            assert!(!is_offered(short), "{short}");
        }
    }
}

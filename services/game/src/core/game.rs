//! A game as the fold of its log.

use rules::{Offers, RuleSet, Side};
use time::OffsetDateTime;

use super::{After, Event, Info, Kind, Reading};

/// A game at some point of its log: everything that the next decision needs.
#[derive(Clone, Debug)]
pub struct Game {
    /// What does not change.
    pub info: Info,
    /// The position with as much history as the rules look back.
    pub position: Box<dyn rules::Game>,
    /// The number of the last event.
    pub sequence: u64,
    /// When it happened.
    pub updated: OffsetDateTime,
    /// Where the game stands.
    pub after: After,
    /// The draw offers, as far as the variant's rules look back.
    pub offers: Offers,
    /// Outages up to this moment have been credited.
    pub credited_until: OffsetDateTime,
}

/// A log that does not replay: the database holds something that this service never wrote.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {sequence} of the log does not replay: {detail}")]
pub struct Corrupt {
    /// The number of the event.
    pub sequence: u64,
    /// What is wrong with it.
    pub detail: String,
}

impl Game {
    /// The game after its first event.
    ///
    /// # Errors
    /// When that is not the event that made it.
    pub fn begin(event: &Event) -> Result<Self, Corrupt> {
        let corrupt = |detail: String| Corrupt { sequence: event.sequence, detail };
        let Kind::Created(info) = &event.kind else {
            return Err(corrupt("a log begins with the creation of its game".to_owned()));
        };
        let variant = rules::variant(info.variant).ok_or_else(|| corrupt("unknown variant".to_owned()))?;
        let rule_set = RuleSet { id: info.rule_set.clone(), options: info.options.clone() };
        let position = (variant.start)(&rule_set).map_err(|error| corrupt(error.to_string()))?;
        Ok(Game {
            info: info.clone(),
            position,
            sequence: event.sequence,
            updated: event.time,
            after: event.after.clone(),
            offers: Offers::new(variant.offers),
            credited_until: info.created,
        })
    }

    /// The game after a whole log.
    ///
    /// # Errors
    /// When the log is empty, has gaps or breaks the rules.
    pub fn replay(log: &[Event]) -> Result<Self, Corrupt> {
        let first = log.first().ok_or(Corrupt { sequence: 0, detail: "the log is empty".to_owned() })?;
        let mut game = Game::begin(first)?;
        for event in &log[1..] {
            game.apply(event)?;
        }
        Ok(game)
    }

    /// Takes the next event of the log.
    ///
    /// # Errors
    /// When it is not the next one, or its act breaks the rules.
    pub fn apply(&mut self, event: &Event) -> Result<(), Corrupt> {
        let corrupt = |detail: String| Corrupt { sequence: event.sequence, detail };
        if event.sequence != self.sequence + 1 {
            return Err(corrupt(format!("it does not follow event {}", self.sequence)));
        }
        match &event.kind {
            Kind::Played(played) => {
                self.position
                    .act(played.author, played.whole())
                    .map_err(|refusal| corrupt(refusal.to_string()))?;
            }
            Kind::Created(_) => return Err(corrupt("a game is made once".to_owned())),
            Kind::OutageCredited { .. } | Kind::DrawOffered | Kind::DrawDeclined | Kind::Ended => {}
        }
        self.advance(event);
        Ok(())
    }

    /// Takes an event whose position has been worked out already.
    pub(crate) fn adopt(&mut self, event: &Event, position: Option<Box<dyn rules::Game>>) {
        if let Some(position) = position {
            self.position = position;
        }
        self.advance(event);
    }

    /// The variant.
    pub fn variant(&self) -> &'static rules::Variant {
        self.position.variant()
    }

    /// The draw offers after something that this side has brought about. What cannot be, changes nothing.
    pub(super) fn offers_after(&self, kind: &Kind, author: Option<Side>) -> Offers {
        let mut offers = self.offers;
        let Some(side) = author else { return offers };
        let _refused = match kind {
            Kind::DrawOffered => offers.offer(side, self.position.actors().include(side)),
            Kind::DrawDeclined => offers.decline(side),
            Kind::Played(_) => {
                offers.turn_completed(side);
                Ok(())
            }
            Kind::Created(_) | Kind::OutageCredited { .. } | Kind::Ended => Ok(()),
        };
        offers
    }

    /// Whether the game has ended.
    pub const fn is_over(&self) -> bool {
        self.after.outcome.is_some()
    }

    /// The clocks, unless it is an imported record.
    pub const fn clock(&self) -> Option<&Reading> {
        self.after.clock.as_ref()
    }

    /// The side of an account.
    pub fn side_of(&self, account: chassis::id::AccountId) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.info.seats[side.index()].account == Some(account))
    }

    fn advance(&mut self, event: &Event) {
        if let Kind::OutageCredited { until, .. } = event.kind {
            self.credited_until = until;
        }
        self.offers = self.offers_after(&event.kind, event.author);
        self.sequence = event.sequence;
        self.updated = event.time;
        self.after = event.after.clone();
    }
}

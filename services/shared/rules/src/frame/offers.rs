use crate::Side;

/// The draw offers of a game: which one is open, and which side may make one.
///
/// At most one offer is open. It ends when the other side accepts, declines or completes a turn; the last two
/// refuse it.
///
/// ```
/// use rules::{DrawOfferError, OfferRule, Offers, Side};
///
/// let mut offers = Offers::new(OfferRule::Alternate);
/// offers.offer(Side::First, true)?;
/// offers.decline(Side::Second)?;
/// assert_eq!(offers.offer(Side::First, true), Err(DrawOfferError::Repeated));
/// offers.offer(Side::Second, true)?;
/// offers.decline(Side::First)?;
/// offers.offer(Side::First, true)?;
/// offers.accept(Side::Second)?;
/// # Ok::<(), DrawOfferError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offers {
    rule: OfferRule,
    open: Option<Side>,
    /// Whether the last offer of a side was refused and the other side has not offered since.
    refused: [bool; 2],
}

/// When a side may offer a draw.
///
/// ```
/// use rules::{OfferRule, jirige, jiu};
/// assert_eq!(jirige::VARIANT.offers, OfferRule::Alternate);
/// assert_eq!(jiu::VARIANT.offers, OfferRule::Free);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OfferRule {
    /// Whenever no offer is open.
    Free,
    /// On its own turn, and after a refusal only when the other side has offered (Jirige, general rules 3.5).
    Alternate,
}

reasons! {
    /// Why an offer, or the answer to one, is refused. Nothing has changed.
    ///
    /// ```
    /// use rules::{DrawOfferError, OfferRule, Offers, Side};
    /// let mut offers = Offers::new(OfferRule::Free);
    /// assert_eq!(offers.accept(Side::First), Err(DrawOfferError::None));
    /// offers.offer(Side::First, true)?;
    /// assert_eq!(offers.offer(Side::Second, true), Err(DrawOfferError::Open));
    /// # Ok::<(), DrawOfferError>(())
    /// ```
    #[derive(Copy, Hash)]
    pub enum DrawOfferError {
        /// An offer is open already.
        Open => "OFFER_OPEN" ("a draw offer is open already"),
        /// The side's last offer was refused, and the other side has not offered since. Jirige counts this as a
        /// violation.
        Repeated => "OFFER_REPEATED" ("a refused offer may not be repeated until the other side has offered"),
        /// There is no offer of the other side to answer.
        None => "NO_OFFER" ("there is no draw offer to answer"),
        /// The other side is to move.
        NotYourTurn => "NOT_YOUR_TURN" as Turn ("a draw is offered on one's own turn"),
    }
}

impl Offers {
    /// No offer yet.
    ///
    /// ```
    /// use rules::{OfferRule, Offers};
    /// assert_eq!(Offers::new(OfferRule::Free).open(), None);
    /// ```
    pub const fn new(rule: OfferRule) -> Offers {
        Offers { rule, open: None, refused: [false; 2] }
    }

    /// The side whose offer is open.
    ///
    /// ```
    /// use rules::{OfferRule, Offers, Side};
    /// let mut offers = Offers::new(OfferRule::Free);
    /// offers.offer(Side::Second, false)?;
    /// assert_eq!(offers.open(), Some(Side::Second));
    /// # Ok::<(), rules::DrawOfferError>(())
    /// ```
    pub const fn open(&self) -> Option<Side> {
        self.open
    }

    /// A side offers a draw; `to_move` says whether it is its turn.
    ///
    /// ```
    /// use rules::{DrawOfferError, OfferRule, Offers, Side};
    /// assert_eq!(Offers::new(OfferRule::Free).offer(Side::Second, false), Ok(()));
    /// let out_of_turn = Offers::new(OfferRule::Alternate).offer(Side::Second, false);
    /// assert_eq!(out_of_turn, Err(DrawOfferError::NotYourTurn));
    /// ```
    ///
    /// # Errors
    /// An offer is open, or the rule does not allow one now.
    pub fn offer(&mut self, side: Side, to_move: bool) -> Result<(), DrawOfferError> {
        if self.open.is_some() {
            return Err(DrawOfferError::Open);
        }
        if self.rule == OfferRule::Alternate {
            if !to_move {
                return Err(DrawOfferError::NotYourTurn);
            }
            if self.refused[side.index()] {
                return Err(DrawOfferError::Repeated);
            }
        }
        self.open = Some(side);
        self.refused[side.other().index()] = false;
        Ok(())
    }

    /// A side accepts the offer of the other: the game is drawn.
    ///
    /// ```
    /// use rules::{DrawOfferError, OfferRule, Offers, Side};
    /// let mut offers = Offers::new(OfferRule::Free);
    /// offers.offer(Side::First, true)?;
    /// assert_eq!(offers.accept(Side::First), Err(DrawOfferError::None), "nobody answers himself");
    /// assert_eq!(offers.accept(Side::Second), Ok(()));
    /// # Ok::<(), DrawOfferError>(())
    /// ```
    ///
    /// # Errors
    /// The other side has no open offer.
    pub fn accept(&mut self, side: Side) -> Result<(), DrawOfferError> {
        self.answered(side).map(|_| self.open = None)
    }

    /// A side declines the offer of the other.
    ///
    /// ```
    /// use rules::{OfferRule, Offers, Side};
    /// let mut offers = Offers::new(OfferRule::Free);
    /// offers.offer(Side::First, true)?;
    /// offers.decline(Side::Second)?;
    /// assert_eq!(offers.open(), None);
    /// # Ok::<(), rules::DrawOfferError>(())
    /// ```
    ///
    /// # Errors
    /// The other side has no open offer.
    pub fn decline(&mut self, side: Side) -> Result<(), DrawOfferError> {
        let offerer = self.answered(side)?;
        self.refuse(offerer);
        Ok(())
    }

    /// A side has completed a turn, which refuses an open offer of the other.
    ///
    /// ```
    /// use rules::{OfferRule, Offers, Side};
    /// let mut offers = Offers::new(OfferRule::Alternate);
    /// offers.offer(Side::First, true)?;
    /// offers.turn_completed(Side::First);
    /// assert_eq!(offers.open(), Some(Side::First));
    /// offers.turn_completed(Side::Second);
    /// assert_eq!(offers.open(), None);
    /// # Ok::<(), rules::DrawOfferError>(())
    /// ```
    pub fn turn_completed(&mut self, side: Side) {
        if let Ok(offerer) = self.answered(side) {
            self.refuse(offerer);
        }
    }

    fn answered(self, side: Side) -> Result<Side, DrawOfferError> {
        self.open.filter(|offerer| *offerer == side.other()).ok_or(DrawOfferError::None)
    }

    fn refuse(&mut self, offerer: Side) {
        self.open = None;
        self.refused[offerer.index()] = true;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    use Side::{First, Second};

    #[test]
    fn an_offer_outlives_the_turn_of_its_maker_and_ends_with_that_of_the_other() {
        let mut offers = Offers::new(OfferRule::Alternate);
        assert_eq!(offers.offer(First, true), Ok(()));
        offers.turn_completed(First);
        assert_eq!(offers.open(), Some(First));
        offers.turn_completed(Second);
        assert_eq!(offers.open(), None);
        assert_eq!(offers.accept(Second), Err(DrawOfferError::None));
        assert_eq!(offers.offer(First, true), Err(DrawOfferError::Repeated), "played on is refused");
        assert_eq!(offers.offer(Second, false), Err(DrawOfferError::NotYourTurn));
    }

    #[test]
    fn nobody_answers_his_own_offer() {
        for rule in [OfferRule::Free, OfferRule::Alternate] {
            let mut offers = Offers::new(rule);
            assert_eq!(offers.offer(Second, true), Ok(()));
            assert_eq!(offers.accept(Second), Err(DrawOfferError::None));
            assert_eq!(offers.decline(Second), Err(DrawOfferError::None));
            assert_eq!(offers.offer(First, true), Err(DrawOfferError::Open));
            assert_eq!(offers.accept(First), Ok(()));
        }
    }

    #[test]
    fn the_free_rule_allows_repeating() {
        let mut offers = Offers::new(OfferRule::Free);
        for _ in 0..3 {
            assert_eq!(offers.offer(First, false), Ok(()));
            assert_eq!(offers.decline(Second), Ok(()));
        }
    }

    proptest! {
        /// Under the rule of Jirige no side makes two refused offers without one of the other between.
        #[test]
        fn refused_offers_alternate(steps in prop::collection::vec((0_u8..4, any::<bool>()), 0..60)) {
            let mut offers = Offers::new(OfferRule::Alternate);
            let mut last_refused = None;
            for (what, first) in steps {
                let side = if first { First } else { Second };
                let open = offers.open();
                let done = match what {
                    0 => offers.offer(side, true),
                    1 => offers.accept(side),
                    2 => offers.decline(side),
                    _ => { offers.turn_completed(side); Ok(()) }
                };
                if what == 0 && done.is_ok() {
                    prop_assert_ne!(last_refused, Some(side));
                    prop_assert_eq!((open, offers.open()), (None, Some(side)));
                }
                if open.is_some() && offers.open().is_none() {
                    prop_assert_eq!(open, Some(side.other()));
                    last_refused = if what == 1 { None } else { open };
                    if what == 1 { break; }
                }
                prop_assert!(done.is_ok() || offers.open() == open);
            }
        }
    }
}

use super::{Bid, Illegal};
use crate::{Secret, Side, goban::Seats};

/// The two sealed bids (article 二): each side makes one and cannot change it. Everybody may know only who has made one.
#[derive(Clone, Debug, Default)]
pub struct Bidding {
    /// By side: the ply of the bid, and the bid.
    bids: [Option<(u32, Secret<Bid>)>; 2],
}

/// What the bids have settled: who plays which colour, and what White pays Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms {
    /// Who plays which colour.
    pub seats: Seats,
    /// What White pays Black.
    pub komi: Bid,
}

/// What comes of the bidding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    /// One bid more and has White (article 二.4).
    Terms(Terms),
    /// Both bid the same, or neither did and the bid is 0 (T11): the lot decides.
    Nigiri(Bid),
    /// Only this side has bid, and it chooses its colour (T11).
    Choice(Side, Bid),
}

impl Bidding {
    /// Whether a side has bid.
    pub fn has_bid(&self, side: Side) -> bool {
        self.bids[side.index()].is_some()
    }

    /// A side's bid, for its own eyes.
    pub fn own(&self, side: Side) -> Option<Bid> {
        self.bids[side.index()].map(|(_, bid)| *bid.open())
    }

    /// The plies of the bids that are sealed.
    pub(super) fn sealed(&self) -> impl Iterator<Item = u32> + '_ {
        self.bids.iter().flatten().map(|(ply, _)| *ply)
    }

    /// Takes a bid; when it is the second, says what comes of them.
    pub(super) fn bid(&mut self, side: Side, bid: Bid, ply: u32) -> Result<Option<Settled>, Illegal> {
        if self.has_bid(side) {
            return Err(Illegal::AlreadyBid);
        }
        self.bids[side.index()] = Some((ply, Secret::new(bid)));
        Ok(self.has_bid(side.other()).then(|| self.result()))
    }

    /// What comes of the bids that have been made.
    pub(super) fn result(&self) -> Settled {
        match self.opened() {
            [None, None] => Settled::Nigiri(Bid::default()),
            [Some(bid), None] => Settled::Choice(Side::First, bid),
            [None, Some(bid)] => Settled::Choice(Side::Second, bid),
            [Some(first), Some(second)] if first == second => Settled::Nigiri(first),
            [Some(first), Some(second)] => {
                let white = if first > second { Side::First } else { Side::Second };
                Settled::Terms(Terms { seats: Seats::with_white(white), komi: first.max(second) })
            }
        }
    }

    /// Both bids, by side. Only for when the bidding is over.
    pub(super) fn opened(&self) -> [Option<Bid>; 2] {
        Side::BOTH.map(|side| self.own(side))
    }

    /// The earlier bids with their plies, for when they are opened with act number `ply`.
    pub(super) fn revealed(&self, ply: u32) -> impl Iterator<Item = (u32, Bid)> + '_ {
        self.bids.iter().flatten().map(|(at, bid)| (*at, *bid.open())).filter(move |(at, _)| *at != ply)
    }
}

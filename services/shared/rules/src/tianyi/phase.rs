use super::{Bid, Play, bidding::Bidding, design::Design, digest::Digest};
use crate::{Author, Lottery, Side, prelude::*};

/// How far a game has come.
#[derive(Clone, Debug)]
pub enum Phase {
    /// The stones of the placement are drawn.
    Placement(Lots),
    /// The players make the position themselves.
    Design(Design),
    /// Both make their sealed bids.
    Bidding(Bidding),
    /// The colours are drawn, White paying this.
    Nigiri(Lots, Bid),
    /// This side alone has bid, and chooses its colour.
    Choice(Side, Bid),
    /// Colours and komi are settled, and the game is played or over.
    Play(alloc::boxed::Box<Play>),
}

/// A lottery within a game.
#[derive(Clone, Debug)]
pub struct Lots {
    pub(super) lottery: Lottery,
    /// The ply of the system's seed; 0 before it is in.
    pub(super) system_ply: u32,
}

impl Lots {
    pub(super) const fn new(purpose: &'static str) -> Lots {
        Lots { lottery: Lottery::new(purpose), system_ply: 0 }
    }

    pub(super) fn sealed(&self) -> Option<(u32, String)> {
        let commitment = self.lottery.commitment(Author::System)?;
        Some((self.system_ply, format!("commit {commitment}")))
    }

    pub(super) fn digest(&self, start: Digest) -> Digest {
        let empty = [0; 32];
        Author::ALL.into_iter().fold(start.add(self.lottery.stage() as u64), |digest, author| {
            let commitment = self.lottery.commitment(author).map_or(&empty, crate::Commitment::bytes);
            digest.bytes(commitment).add(u64::from(self.lottery.opening(author).is_some()))
        })
    }
}

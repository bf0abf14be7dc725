use alloc::{format, string::String};

use super::{Bid, Play, bidding::Bidding, design::Design, digest::Digest};
use crate::{Author, Draw, Side};

/// How far a game has come.
///
/// ```
/// use rules::{Game, RuleSet, Side, tianyi::{Bid, Phase, TianyiGame}};
/// let mut game = TianyiGame::new(&RuleSet::named("design"))?;
/// assert!(matches!(game.position().phase(), Phase::Design(_)));
/// game.play(Side::First, "propose B D4 W C3").unwrap();
/// game.play(Side::Second, "accept").unwrap();
/// game.play(Side::Second, "bid 1.5").unwrap();
/// game.house("expire").unwrap();
/// let Phase::Choice(chooser, bid) = game.position().phase() else { panic!("the first has not bid") };
/// assert_eq!((*chooser, *bid), (Side::Second, Bid::of_halves(3)));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug)]
pub enum Phase {
    /// The stones of the placement are drawn.
    Placement(Drawing),
    /// The players make the position themselves.
    Design(Design),
    /// Both make their sealed bids.
    Bidding(Sealed),
    /// The colours are drawn, White paying this.
    Nigiri(Drawing, Bid),
    /// This side alone has bid, and chooses its colour.
    Choice(Side, Bid),
    /// Colours and komi are settled, and the game is played or over.
    Play(alloc::boxed::Box<Play>),
}

/// A draw within a game.
///
/// ```
/// use rules::{DrawStage, tianyi::{Phase, Position, Rules}};
/// let position = Position::new(Rules::default());
/// assert!(matches!(position.phase(), Phase::Placement(_)));
/// assert_eq!(position.draw().unwrap().stage(), DrawStage::House);
/// ```
#[derive(Clone, Debug)]
pub struct Drawing {
    pub(super) draw: Draw,
    /// The ply of the house's seed; 0 before it is in.
    pub(super) house_ply: u32,
}

/// The bids, of which everybody may know only who has made one.
///
/// ```
/// use rules::{Game, RuleSet, Side, tianyi::{Phase, TianyiGame}};
/// let mut game = TianyiGame::new(&RuleSet::named("design"))?;
/// game.play(Side::First, "propose B D4 W C3").unwrap();
/// game.play(Side::Second, "accept").unwrap();
/// let [low, high] = ["bid 1.5", "bid 80"].map(|bid| {
///     let mut game = game.clone();
///     game.play(Side::Second, bid).unwrap();
///     let Phase::Bidding(sealed) = game.position().phase() else { panic!("the first has not bid") };
///     format!("{sealed:?}")
/// });
/// // Not even those who look for faults can tell them apart.
/// assert_eq!(low, high);
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sealed(pub(super) Bidding);

impl Sealed {
    /// Whether a side has bid.
    ///
    /// ```
    /// use rules::{Game, RuleSet, Side, tianyi::{Phase, TianyiGame}};
    /// let mut game = TianyiGame::new(&RuleSet::named("design"))?;
    /// game.play(Side::First, "propose B D4 W C3").unwrap();
    /// game.play(Side::Second, "accept").unwrap();
    /// game.play(Side::Second, "bid 1.5").unwrap();
    /// let Phase::Bidding(sealed) = game.position().phase() else { panic!("the first has not bid") };
    /// assert!(sealed.has_bid(Side::Second) && !sealed.has_bid(Side::First));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub fn has_bid(&self, side: Side) -> bool {
        self.0.has_bid(side)
    }

    /// A side's bid, for its own eyes.
    ///
    /// ```
    /// use rules::{Game, RuleSet, Side, tianyi::{Bid, Phase, TianyiGame}};
    /// let mut game = TianyiGame::new(&RuleSet::named("design"))?;
    /// game.play(Side::First, "propose B D4 W C3").unwrap();
    /// game.play(Side::Second, "accept").unwrap();
    /// game.play(Side::Second, "bid 1.5").unwrap();
    /// let Phase::Bidding(sealed) = game.position().phase() else { panic!("the first has not bid") };
    /// assert_eq!(Side::BOTH.map(|side| sealed.own(side)), [None, Some(Bid::of_halves(3))]);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub fn own(&self, side: Side) -> Option<Bid> {
        self.0.own(side)
    }
}

impl Drawing {
    pub(super) const fn new(purpose: &'static str) -> Drawing {
        Drawing { draw: Draw::new(purpose), house_ply: 0 }
    }

    pub(super) fn sealed(&self) -> Option<(u32, String)> {
        let commitment = self.draw.commitment(Author::House)?;
        Some((self.house_ply, format!("commit {commitment}")))
    }

    pub(super) fn digest(&self, start: Digest) -> Digest {
        let empty = [0; 32];
        Author::ALL.into_iter().fold(start.add(self.draw.stage() as u64), |digest, author| {
            let commitment = self.draw.commitment(author).map_or(&empty, crate::Commitment::bytes);
            digest.bytes(commitment).add(u64::from(self.draw.opening(author).is_some()))
        })
    }
}

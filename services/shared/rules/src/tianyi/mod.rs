//! Tianyi Go (天弈), after the trial rules of 2014: drawn stones, a bid for White, and stones of living blocks
//! counted instead of points.
//!
//! ```text
//! placement ──> bidding ──> play ──> agreement ──> ended
//!                 │  └─> nigiri ──┘      └─> resolution ──> agreement
//!                 └────> choice ──┘
//! ```
//!
//! * **Placement** ([`Method`]): by default each of four stones, White, Black, White, Black, stands where three
//!   grabbed handfuls say, a quadrant and two distances from the centre ([`Grabs`]). The handfuls come from a
//!   lottery that everybody can check ([`crate::Lottery`]). The players may instead design the position.
//! * **Bidding** ([`Bid`]): each side once bids, sealed, what White is to pay Black, in half zi. Who bids more
//!   has White at his own bid. Equal bids are settled by nigiri, which is another lottery; who bids nothing within
//!   three minutes leaves the colour to the opponent, who chooses.
//! * **Play** is Go ([`crate::goban::Position`]) from that position, White first.
//! * **The count** ([`Score`]): a living block counts its points but two, which can never be filled; a block in
//!   seki counts its stones. Equal counts are a draw.
//!
//! "Article" followed by a Chinese numeral is one of the detailed rules (规则细则), `T1` to `T16` are decisions
//! where the text is silent or says two things; each is an option or is explained where it is made.
//!
//! What it is not: it makes no randomness and reads no clock. The system, which is whoever runs the game,
//! brings its seed and says when the time is over ([`crate::Game::system_due`]).
//!
//! ```
//! use rules::{Game, RuleSet, Side, tianyi::TianyiGame};
//! let mut game = TianyiGame::new(&RuleSet::named("design").with("size", "9"))?;
//! game.play(Side::First, "propose B E5 W C3").unwrap();
//! game.play(Side::Second, "accept").unwrap();
//! let sealed = game.play(Side::First, "bid 1.5").unwrap();
//! assert_eq!(sealed.public.as_deref(), Some("bid"));
//! let last = game.play(Side::Second, "bid 0.5").unwrap();
//! assert_eq!(last.effects.revealed, [(3, "bid 1.5".to_owned())]);
//! assert_eq!(game.colour(Side::First), Some(rules::StoneColour::White));
//! assert_eq!(game.on_clock(), Some(Side::First));
//! # Ok::<(), rules::OptionError>(())
//! ```

mod act;
mod bid;
mod bidding;
mod blocks;
mod design;
mod digest;
mod done;
mod game;
mod illegal;
mod options;
mod phase;
mod placement;
mod play;
mod position;
mod quadrants;
mod rules;
mod score;
mod settlement;
pub mod sgf;
mod sgf_read;
mod sgf_write;
mod show;
mod variant;
mod verify;

pub use act::Act;
pub use bid::Bid;
pub use bidding::{Bidding, Terms};
pub use blocks::{Block, Blocks};
pub use design::{Design, Layout};
pub use done::Done;
pub use game::TianyiGame;
pub use illegal::Illegal;
pub use phase::{Lots, Phase};
pub use placement::{Drawn, Grabs, Method};
pub use play::{Ending, Play};
pub use position::Position;
pub use quadrants::Quadrants;
pub use rules::{Rules, Stage};
pub use score::{Score, Tally};
pub use settlement::Settlement;
pub use variant::VARIANT;
pub use verify::{VerifyError, verify};

/// How long the players have for their bids, and the chooser for the colour: three minutes (article 二.1).
pub const STEP_MS: u64 = 3 * 60 * 1000;

/// The most proposals of a position in the placement, and of a settlement in one agreement.
pub const MAX_PROPOSALS: u16 = crate::goban::MAX_PROPOSALS;

//! The frame in which every game fits: what a server, a client and a record need to know of any of them.
//!
//! ```
//! use rules::{Actors, RuleSet, Side};
//!
//! // The same few calls run any game: who has to act, what he may do, what has become of it.
//! for variant in rules::VARIANTS {
//!     let mut game = (variant.start)(&RuleSet::named("")).unwrap();
//!     if let Actors::One(side) = game.actors() {
//!         let hint = game.hints(side).remove(0);
//!         game.play(side, &hint.text).unwrap();
//!         assert_eq!(game.ply(), 1);
//!     }
//!     assert_eq!(game.variant().id, variant.id);
//! }
//! ```

#[macro_use]
mod named;
#[macro_use]
mod reasons;

mod act_error;
mod act_kind;
mod author;
mod axes;
mod board;
mod conduct;
mod counting;
mod effects;
mod game;
pub(crate) mod headings;
mod lot;
mod lottery;
mod offers;
#[macro_use]
pub(crate) mod options;
mod outcome;
pub(crate) mod outcome_text;
mod perft;
mod record;

mod secret;
mod setup;
mod side;
mod variant;
mod violations;

pub use act_error::{ActError, ActErrorKind};
pub use act_kind::ActKind;
pub use author::{Author, SystemAct};
pub use axes::Axes;
pub use board::{Mark, Point, Stone, View, Viewer};
pub(crate) use conduct::decision;
pub use conduct::{
    AllowedDecision, Circumstance, ClaimRules, ConductRules, Decision, IncidentKind, Remedy, Sanction,
};
pub use counting::{Count, CountBoard, CountStep};
pub use effects::{Change, Effects, RemovalCause};
pub use game::{Actors, CloneGame, Game, Hint, Played, Running};
pub use lot::{Commitment, HexError, Lot, Opening};
pub use lottery::{Lottery, LotteryError, LotteryStage, Proof, ProofError};
pub use offers::{DrawOfferError, OfferRule, Offers};
pub use outcome::{Outcome, Reason, Score, Verdict};
pub use perft::{PERFT_DEPTH_MAX, PerftError, divide, perft};
pub use record::{Act, Record, RecordError};
pub use secret::Secret;
pub use setup::{AS_STATED, SETUP_BYTES_MAX, SetupError, SetupText};
pub(crate) use setup::{is_setup_line, rows, write_setup};
pub use side::Side;
pub use variant::{
    AgreementInfo, GtpInfo, LocalName, MarkInfo, OptionError, OptionInfo, RatedRule, RecordHalves, RuleSet,
    RuleSetInfo, StartFrom, StoneColour, Variant,
};
pub use violations::Violations;

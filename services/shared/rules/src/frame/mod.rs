//! The frame in which every game fits: what a server, a client and a record need to know of any of them.

mod board;
mod effects;
mod game;
pub(crate) mod headings;
mod offers;
mod outcome;
pub(crate) mod outcome_text;
mod record;
mod refusal;
mod side;
mod variant;
mod violations;

pub use board::{Mark, Point, Stone, View, Viewer};
pub use effects::{Change, Effects, RemovalCause};
pub use game::{Actors, Game, Hint, Played};
pub use offers::{OfferFault, OfferRule, Offers};
pub use outcome::{Outcome, Reason, Score, Verdict};
pub use record::{Act, Record, RecordError};
pub use refusal::{Refusal, RefusalKind};
pub use side::Side;
pub use variant::{OptionError, OptionInfo, RuleSet, RuleSetInfo, StoneColour, Variant};
pub use violations::Violations;

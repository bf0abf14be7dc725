//! The frame in which every game fits: what a server, a client and a record need to know of any of them.

mod board;
mod effects;
mod game;
mod outcome;
mod perft;
mod record;
mod refusal;
mod setup;
mod side;
mod variant;

pub use board::{Mark, Point, Stone, View, Viewer};
pub use effects::{Change, Effects, RemovalCause};
pub use game::{Actors, Game, Hint, Played};
pub use outcome::{Outcome, Reason, Score, Verdict};
pub use perft::{PERFT_DEPTH_MAX, PerftError, divide, perft};
pub use record::{Act, Record, RecordError};
pub use refusal::{Refusal, RefusalKind};
pub use setup::{SETUP_BYTES_MAX, SetupError, SetupText};
pub(crate) use setup::{is_setup_line, write_setup};
pub use side::Side;
pub use variant::{OptionError, OptionInfo, RuleSet, RuleSetInfo, StartFrom, StoneColour, Variant};

//! Leagues: what lies above events. A season of a league is played in events, one for each division and one for each
//! play-off; when they are final, a pure function of their tables says who goes up and who goes down.

pub mod act;
pub mod final_table;
pub mod founding;
pub mod honours;
mod ids;
pub mod limits;
pub mod movement;
pub mod paper;
mod refusal;
pub mod request;
pub mod rules;
pub mod season;
pub mod squad;

pub use act::{Entry, What};
pub use final_table::{FinalLine, FinalTable, entrant_of, final_table, play_off_entry, upper_holds};
pub use ids::{EntrantId, division_event, play_off_event};
pub use movement::{Border, Move, Ranked, Tables, Tie};
pub use refusal::Refusal;
pub use rules::{Division, League, Rules, SquadRules};
pub use season::{Outcome, PlayOffEnd, Season, State};
pub use squad::Squad;

//! What matchmaking decides: who plays whom, who is first, how long it will take, and who does not queue for a while.
//!
//! Everything here is a function of its arguments. It knows no network, no database and no live state;
//! time and chance are passed in.

mod arranged;
mod block;
mod challenge;
mod conduct;
mod lobby;
mod matched;
mod mirror;
mod offer;
mod own;
mod peers;
mod rateable;
mod settings;
mod sides;
mod status;
mod ticket;

pub use arranged::{
    Appointment, Appointments, Arranged, ArrangedPlace, ArrangedState, COMING_MAX, Occasion, SAME_HOUR,
    START_MAX, START_MIN, Soon,
};
pub use block::{BLOCKED_MAX, Blocked, who};
pub use challenge::{
    Addressee, Challenge, ChallengePlace, ChallengeState, DeclineReason, KEPT, LIFE, LIFE_MAX, LIFE_MIN,
    MESSAGE_MAX, OPEN_MAX, Party, USES_MAX,
};
pub use conduct::{Cause, Conduct, Finished, Pause, PauseAct};
pub use lobby::{LOBBY_MAX, Lobby, LobbyNews, Sought};
pub use matched::{Match, MatchState, Pair, Player};
pub use mirror::{Mirror, Moved, Outlook, PoolSize, Waiting};
pub use offer::{OFFER_TIME, Offer, OfferState, is_offered};
pub use own::{OwnQueue, OwnTicket, OwnTicketState};
pub use peers::Peers;
pub use settings::{BadSettings, Settings};
pub use sides::{History, side_of_one};
pub use status::Status;
pub use ticket::{
    CHOICES_MAX, Choice, LastGame, Met, Standing, Ticket, WINDOW_DEFAULT, WINDOW_MAX, WINDOW_MIN, dislike,
};

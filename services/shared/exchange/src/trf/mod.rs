//! TRF16 and TRF26, which [`pairing::trf`] reads and writes: here is what of a report is an event, and which report an event
//! makes.
//!
//! | event | record |
//! | --- | --- |
//! | name, place, country, days, arbiter | 012, 022, 032, 042 and 052, 102; days of rounds in 132 |
//! | basic time alone, or with Fischer time | 222 |
//! | rounds, pairing bye | 142 (`XXR`), 162 (`XXS`) |
//! | players: number, name in Latin letters, title, rating, country, FIDE's id | 001 |
//! | native name beside a Latin one, grade, our own id | the record of the player's federation, TRF26 alone |
//! | games and byes | 001, from column 92 on |
//! | teams, line-ups, their byes, forfeited matches, colours of boards | 310 (013 is read), 300, 240 and 320, 330, 352 |
//! | prohibitions | 260, `XXP` |
//!
//! A name in 001 is `Last, First` in Latin letters, and else a native name. Boards have no numbers in reports: they are
//! numbered from 1 in the order of the lower number at each. A game that was struck out is written as one that both have lost
//! and that is not rated, and read as such. Dates of birth and the sex of players are not taken over: nobody needs them to
//! know an event.

mod read;
mod write;

pub use read::event;
pub(crate) use read::read;
pub use write::report;
pub(crate) use write::write;

//! Who plays whom: a pure function of who waits.
//!
//! There are no ticks. A pair is made at the moment from which waiting would cost its two more than their gap does:
//! `α · (wᵢ + wⱼ) ≥ dᵢⱼ`, where `w` is how long somebody has waited and `d` how far the two are apart. Such a rule pays at most a
//! constant times what somebody would pay who knew all arrivals beforehand (arXiv 2210.07018). Windows are hard: whoever is
//! beyond what a player accepts is never his opponent, however long both wait; and who has just met somebody does not meet him
//! again before it is said that he may.
//!
//! Where many are due at once, as after an outage, the best pairs of all of them are made: by a matching of the greatest weight where
//! they are at most 300.
//!
//! What it is not: it knows no accounts, no settings and no clock. A caller says what is between two ([`Between`]): that they
//! must not meet, or what it costs beside their ratings. A [`Pool`] keeps who waits; an [`Order`] leaves that to its caller, who may
//! have one place for those who wait in several pools.
//!
//! ```
//! use matching::{Pool, Seeker};
//!
//! let mut pool = Pool::new(10.0, |_: &Seeker, _: &Seeker| Some(0));
//! let seeker = |rating| Seeker { rating, window: 400, since: 0, ..Seeker::default() };
//! pool.insert(1, seeker(1500));
//! pool.insert(2, seeker(1540));
//! // Forty points are worth two seconds of both at ten points a second.
//! assert_eq!(pool.next_due(), Some(2_000_000));
//! assert_eq!(pool.due(2_000_000).len(), 1);
//! ```
#![forbid(unsafe_code)]

mod backlog;
mod forecast;
mod order;
mod patience;
mod pool;
mod seeker;

pub use forecast::{Estimate, Forecast, Promise};
pub use order::{Crowd, Order};
pub use patience::{Arrivals, POINTS_MIN, points_a_second};
pub use pool::{Between, Pair, Pool};
pub use seeker::{Meeting, Seeker, short};

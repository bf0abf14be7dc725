//! How fast games are, as arguments name it and as it is told.

use api::clock::v1::SpeedClass;
use clap::ValueEnum;

/// How fast a game is.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Speed {
    /// Under ten minutes a side.
    Blitz,
    /// Under an hour.
    Rapid,
    /// An hour or more.
    Classical,
    /// Days a move.
    Correspondence,
}

impl From<Speed> for SpeedClass {
    fn from(speed: Speed) -> Self {
        match speed {
            Speed::Blitz => SpeedClass::Blitz,
            Speed::Rapid => SpeedClass::Rapid,
            Speed::Classical => SpeedClass::Classical,
            Speed::Correspondence => SpeedClass::Correspondence,
        }
    }
}

/// A speed class as it is told: `blitz`.
pub(super) fn told(class: i32) -> String {
    let class = SpeedClass::try_from(class).unwrap_or_default();
    class.as_str_name().trim_start_matches("SPEED_CLASS_").to_lowercase()
}

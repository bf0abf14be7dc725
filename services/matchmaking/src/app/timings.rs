//! How often things happen.

use std::time::Duration;

/// How often things happen. The default is what the API promises; tests hurry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timings {
    /// How often a stream holds its ticket and says that it waits.
    pub look: Duration,
    /// How long a ticket waits after its last look.
    pub hold: Duration,
    /// How often who waits is looked at when nobody is heard of.
    pub pass: Duration,
    /// How soon after a pass the next may follow: those who arrive meanwhile are paired together.
    pub pause: Duration,
    /// How often tickets that nobody holds are swept out.
    pub sweep: Duration,
    /// How often matches without a game are looked for.
    pub retry: Duration,
    /// How old such a match is at least: until then whoever made it is still at it.
    pub grace: Duration,
}

impl Default for Timings {
    fn default() -> Self {
        Timings {
            look: Duration::from_secs(3),
            hold: Duration::from_secs(30),
            pass: Duration::from_millis(250),
            pause: Duration::from_millis(10),
            sweep: Duration::from_secs(2),
            retry: Duration::from_secs(1),
            grace: Duration::from_secs(6),
        }
    }
}

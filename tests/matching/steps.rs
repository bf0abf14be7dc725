//! Where pairs stood when all processes of matchmaking were killed.

use std::fmt;

/// How many kills of all processes at once meet every step: the shortest of them is met by about every second.
const KILLS_ENOUGH: usize = 12;

/// The step that a pair had come to, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Both are out of the queue; nothing is written down.
    Taken,
    /// The match is written down, and the game does not exist.
    Recorded,
    /// The game exists, and the match is not known to have it.
    Made,
    /// The game is noted; live state has yet to be told.
    Noted,
}

impl Step {
    /// All of them.
    pub(crate) const ALL: [Step; 4] = [Step::Taken, Step::Recorded, Step::Made, Step::Noted];

    const fn name(self) -> &'static str {
        match self {
            Step::Taken => "taken, not written down",
            Step::Recorded => "written down, no game",
            Step::Made => "game made, not noted",
            Step::Noted => "noted, not settled in live state",
        }
    }
}

/// How many pairs stood where.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    /// Pairs at each step, and kills that met some there.
    met: [(usize, usize); Step::ALL.len()],
    kills: usize,
}

impl Steps {
    /// Adds what one kill has met.
    pub(crate) fn add(&mut self, pairs: &[Step]) {
        self.kills += 1;
        for (step, (all, kills)) in Step::ALL.iter().zip(&mut self.met) {
            let here = pairs.iter().filter(|pair| *pair == step).count();
            *all += here;
            *kills += usize::from(here > 0);
        }
    }

    /// Every step must have been met, where there were enough kills for that.
    pub(crate) fn verdict(&self) -> anyhow::Result<()> {
        if self.kills < KILLS_ENOUGH {
            return Ok(());
        }
        for (step, (all, _)) in Step::ALL.iter().zip(&self.met) {
            anyhow::ensure!(*all > 0, "no kill has met a pair at: {}", step.name());
        }
        Ok(())
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "of {} kills of all processes at once:", self.kills)?;
        writeln!(f, "{:<34}{:>8}{:>8}", "step of a pair", "kills", "pairs")?;
        for (step, (all, kills)) in Step::ALL.iter().zip(&self.met) {
            writeln!(f, "{:<34}{kills:>8}{all:>8}", step.name())?;
        }
        Ok(())
    }
}

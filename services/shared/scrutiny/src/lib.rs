//! What results say of play that is hardly honest: of who loses on purpose to be rated lower, and of who lets others win.
//!
//! Nothing here punishes anybody. What is found is a statistic with the games it rests on, for a person who looks at them. Three
//! things are looked at, each of the last months of a pool:
//!
//! - [`Suspicion::Alone`]: who loses early far more often than others do, without having lost just before;
//! - [`Suspicion::Streaks`]: who loses early many times in a row;
//! - [`Suspicion::Company`]: with whom games end early far more often than his games with others do.
//!
//! A game is lost early that is given up within a quarter of a usual game: it costs little to lose so, and whoever loses on purpose
//! does it often. (Who leaves instead is paused for it.) Some do it from impatience, and when they have just lost; so everybody is
//! compared with the pool around him. How many are found, and how many of the honest, is played out by the example `judged`.
//!
//! The crate is pure: it does no I/O, reads no clock and draws no lots.
#![forbid(unsafe_code)]

mod game;
mod ledger;
mod tail;

use std::collections::BTreeMap;

pub use game::{Ending, Game, Player};
use ledger::Ledger;
use tail::{BetaBinomial, binomial_tail};

/// Whoever has played fewer games is not judged.
pub const GAMES_MIN: usize = 30;
/// A run of lost games is looked at from so many on that are lost early.
const RUN_EARLY_MIN: usize = 3;
/// How many times as often somebody may lose early when he has just lost: from temper, which is nothing to report.
const TEMPER: f64 = 3.0;
/// By how much a run, or the games with one other, are to surprise, in nats, before they count at all: there are many of both.
const SURPRISE_MIN: f64 = 3.0;

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Suspicion {
    /// He loses early, when he has not just lost.
    Alone,
    /// He loses early many times in a row.
    Streaks,
    /// His games with some others end early.
    Company,
}

/// What is found of somebody.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What.
    pub suspicion: Suspicion,
    /// How much of it, on the scale of [`Suspicion::limit`].
    pub score: f64,
    /// The games that it rests on, as places among those that were looked at, in their order.
    pub games: Vec<usize>,
}

impl Finding {
    /// Whether it is to be reported.
    pub fn is_suspicious(&self) -> bool {
        self.score > self.suspicion.limit()
    }
}

impl Suspicion {
    /// Every one.
    pub const ALL: [Suspicion; 3] = [Suspicion::Alone, Suspicion::Streaks, Suspicion::Company];

    /// Beyond which score it is reported. They were set so that about three of a thousand honest players are beyond each, in pools
    /// that the example `judged` plays out with other seeds than those by which it judges.
    pub const fn limit(self) -> f64 {
        match self {
            Suspicion::Alone => 5.8,
            Suspicion::Streaks => 4.3,
            Suspicion::Company => 6.8,
        }
    }
}

/// What somebody has played, and what is found of it, suspicious or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Scrutinised {
    /// How many games he has played.
    pub games: usize,
    /// How many of them he has lost early.
    pub lost_early: usize,
    /// What he has scored in the others, and was expected to. Whoever loses on purpose scores more in them, and so does whoever has
    /// become stronger, or is impatient; so nobody is reported by it.
    pub others: (f64, f64),
    /// What is found, one of each [`Suspicion`].
    pub findings: [Finding; 3],
}

/// What is found of every player who has played enough. The games are those of one pool, in the order of their ends.
pub fn scrutinise(games: &[Game]) -> BTreeMap<Player, Scrutinised> {
    let ledgers = ledger::of(games);
    let usual = BetaBinomial::fit(ledgers.values().map(Ledger::cold));
    let judged = ledgers.iter().filter(|(_, ledger)| ledger.seats.len() >= GAMES_MIN);
    let scrutinised = |(player, ledger): (&Player, &Ledger)| {
        let scrutinised = Scrutinised {
            games: ledger.seats.len(),
            lost_early: ledger.early,
            others: others(games, *player, ledger),
            findings: [alone(ledger, usual), streaks(ledger, usual), company(&ledgers, *player, usual)],
        };
        (*player, scrutinised)
    };
    judged.map(scrutinised).collect()
}

/// What somebody has scored in the games that he has not lost early, and was expected to.
fn others(games: &[Game], player: Player, ledger: &Ledger) -> (f64, f64) {
    let of = |seat: &ledger::Seat| {
        let game = &games[seat.game];
        let place = usize::from(game.players[0] != player);
        (game.score(place), game.expected(place))
    };
    let others = ledger.seats.iter().filter(|seat| !seat.early).map(of);
    others.fold((0.0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1))
}

/// How much more often he loses early than others do when he has not just lost, in nats.
fn alone(ledger: &Ledger, usual: BetaBinomial) -> Finding {
    let (count, early) = ledger.cold();
    let rests_on = ledger.seats.iter().filter(|seat| seat.early && !seat.hot).map(|seat| seat.game);
    Finding { suspicion: Suspicion::Alone, score: -usual.tail(count, early).ln(), games: rests_on.collect() }
}

/// How much more often he loses early in runs of lost games than he would from temper, in nats.
fn streaks(ledger: &Ledger, usual: BetaBinomial) -> Finding {
    let mut finding = Finding { suspicion: Suspicion::Streaks, score: 0.0, games: Vec::new() };
    for run in ledger.seats.chunk_by(|one, other| one.lost == other.lost) {
        let early = run.iter().filter(|seat| seat.early).count();
        if early < RUN_EARLY_MIN {
            continue;
        }
        let calm = usual.mean_after(ledger.seats.len() - run.len(), ledger.early - early);
        let surprise = -binomial_tail(run.len(), early, (TEMPER * calm).min(0.5)).ln();
        if surprise > SURPRISE_MIN {
            finding.score += surprise - SURPRISE_MIN;
            finding.games.extend(run.iter().filter(|seat| seat.early).map(|seat| seat.game));
        }
    }
    finding
}

/// How much more often games with some others end early than both players' games with everybody else do, in nats.
fn company(ledgers: &BTreeMap<Player, Ledger>, player: Player, usual: BetaBinomial) -> Finding {
    let mut finding = Finding { suspicion: Suspicion::Company, score: 0.0, games: Vec::new() };
    let ledger = &ledgers[&player];
    for (other, met) in &ledger.met {
        let early = met.early();
        if early < 2 {
            continue;
        }
        let rate = |own: &Ledger, lost: usize| {
            usual.mean_after(own.seats.len() - met.games.len(), own.early.saturating_sub(lost))
        };
        let expected = rate(ledger, met.lost_early) + rate(&ledgers[other], met.won_early);
        let surprise = -binomial_tail(met.games.len(), early, expected.min(1.0)).ln();
        if surprise > SURPRISE_MIN {
            finding.score += surprise - SURPRISE_MIN;
            finding.games.extend(&met.games);
        }
    }
    finding.games.sort_unstable();
    finding
}

#[cfg(test)]
mod tests;

//! Games that are over, and what follows for who has spoiled one.

use chassis::id::{AccountId, GameId};
use rules::Side;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::Match;

/// The first pause.
const FIRST: Duration = Duration::minutes(10);
/// By how much each is longer than the one before.
const GROWTH: i32 = 3;
/// The longest pause.
const LONGEST: Duration = Duration::days(3);
/// The steps after which none is longer.
const STEPS_MAX: u32 = 7;
/// The time without a pause in which one step is forgotten.
const FORGIVEN: Duration = Duration::days(3);

/// How somebody has spoiled a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Conduct {
    /// He aborted it.
    #[error("you aborted it")]
    Aborted,
    /// He did not come to it.
    #[error("you did not come to it")]
    NoShow,
    /// He left it and did not come back.
    #[error("you left it")]
    Left,
    /// He let his time pass.
    #[error("you let your time pass")]
    Stalled,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Which.
    pub game: GameId,
    /// The variant.
    pub variant: &'static str,
    /// Its players, first side first, each with how he has spoiled it.
    pub parties: [(AccountId, Option<Conduct>); 2],
    /// Whether it came to a result that counts.
    pub counted: bool,
    /// When it ended; nothing if it never was, though two were matched for it.
    pub ended: Option<OffsetDateTime>,
}

/// A time in which somebody does not queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pause {
    /// Why.
    pub cause: Cause,
    /// From this moment on: the end of the game, or what a moderator said.
    pub begins: OffsetDateTime,
    /// Until this moment.
    pub ends: OffsetDateTime,
}

/// Why somebody does not queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// For a game that he has spoiled.
    Game {
        /// Which.
        game: GameId,
        /// How.
        conduct: Conduct,
        /// How many steps it has come to, from 1.
        step: u32,
    },
    /// A moderator has said so.
    Moderator {
        /// By which act.
        act: Uuid,
        /// Why, in his words.
        reason: String,
    },
}

/// What a moderator has done about somebody's pauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PauseAct {
    /// Its id.
    pub id: Uuid,
    /// When.
    pub at: OffsetDateTime,
    /// Who, and what he was called.
    pub by: (AccountId, String),
    /// Whose pauses.
    pub account: AccountId,
    /// Until when the account was to pause; nothing when its pauses were ended.
    pub until: Option<OffsetDateTime>,
    /// Why.
    pub reason: String,
}

impl Finished {
    /// The game of a match that there will never be.
    pub fn never(matched: &Match) -> Finished {
        Finished {
            game: matched.game,
            variant: matched.settings.variant(),
            parties: [(matched.first.account, None), (matched.second.account, None)],
            counted: false,
            ended: None,
        }
    }

    /// The sides with their players and how these have spoiled it.
    pub fn sides(&self) -> [(Side, AccountId, Option<Conduct>); 2] {
        let [(first, of_first), (second, of_second)] = self.parties;
        [(Side::First, first, of_first), (Side::Second, second, of_second)]
    }
}

impl Pause {
    /// What follows for who has spoiled a game that ended at a moment. `before` is his last pause for a game, if he had one.
    pub fn following(game: GameId, conduct: Conduct, ended: OffsetDateTime, before: Option<&Pause>) -> Pause {
        let steps = before.map_or(0, |before| {
            let forgiven = ((ended - before.ends).whole_seconds() / FORGIVEN.whole_seconds()).max(0);
            before.step().saturating_sub(u32::try_from(forgiven).unwrap_or(u32::MAX))
        });
        let step = (steps + 1).min(STEPS_MAX);
        let length = (FIRST * GROWTH.pow(step - 1)).min(LONGEST);
        Pause { cause: Cause::Game { game, conduct, step }, begins: ended, ends: ended + length }
    }

    /// What tells it apart from others that begin at once: its game, or the act.
    pub fn key(&self) -> Uuid {
        match &self.cause {
            Cause::Game { game, .. } => game.uuid(),
            Cause::Moderator { act, .. } => *act,
        }
    }

    const fn step(&self) -> u32 {
        match self.cause {
            Cause::Game { step, .. } => step,
            Cause::Moderator { .. } => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn game() -> GameId {
        Uuid::nil().into()
    }

    fn at(minutes: i64) -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + Duration::minutes(minutes)
    }

    fn after(before: Option<&Pause>, minutes: i64) -> Pause {
        Pause::following(game(), Conduct::Aborted, at(minutes), before)
    }

    #[test]
    fn pauses_grow_to_three_days_and_are_forgotten() {
        let mut pause = after(None, 0);
        let mut lengths = Vec::new();
        for _ in 0..9 {
            lengths.push((pause.ends - pause.begins).whole_minutes());
            pause = Pause::following(game(), Conduct::Left, pause.ends, Some(&pause));
        }
        assert_eq!(lengths, [10, 30, 90, 270, 810, 2430, 4320, 4320, 4320]);
        let cause = Cause::Game { game: game(), conduct: Conduct::Left, step: 3 };
        let third = Pause { cause, ..after(None, 0) };
        let steps = |days: i64| after(Some(&third), 10 + days * 24 * 60).step();
        assert_eq!([0, 2, 3, 5, 6, 9, 400].map(steps), [4, 4, 3, 3, 2, 1, 1]);
    }

    proptest! {
        /// Whatever somebody does, a pause has a length between the first and the longest, and no two games in a row make it
        /// shorter without days between them.
        #[test]
        fn pauses_are_bounded(gaps in prop::collection::vec(0..20_000_i64, 1..40)) {
            let (mut now, mut before) = (0, None::<Pause>);
            for gap in gaps {
                now += gap;
                let pause = after(before.as_ref(), now);
                let length = pause.ends - pause.begins;
                prop_assert!((FIRST..=LONGEST).contains(&length) && pause.begins == at(now));
                if let Some(before) = &before {
                    let soon = at(now) - before.ends < FORGIVEN;
                    prop_assert!(!soon || length >= before.ends - before.begins);
                }
                before = Some(pause);
            }
        }
    }
}

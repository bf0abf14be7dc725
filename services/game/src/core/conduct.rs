//! How players have spoiled a game that is over, and what matchmaking is told of it.

use std::time::Duration;

use chassis::id::{AccountId, GameId};
use rules::{Reason, Side, Verdict};
use time::OffsetDateTime;

use super::{Event, Game, Origin, Stage, obligations::was_played, presence::requires_presence};

/// The shortest time that somebody lets pass who is said to stall.
const STALL_MIN: Duration = Duration::from_mins(1);

/// How somebody has spoiled a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conduct {
    /// He aborted it.
    Aborted,
    /// He did not come to it, and his opponent did.
    NoShow,
    /// He left it and did not come back.
    Left,
    /// He let half of his time pass on one move, and then lost on time or resigned.
    Stalled,
}

/// A game that is over, as matchmaking is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// The game.
    pub game: GameId,
    /// The variant.
    pub variant: &'static str,
    /// The players, first side first, each with how he has spoiled it.
    pub parties: [(AccountId, Option<Conduct>); 2],
    /// Whether it came to a result that counts.
    pub counted: bool,
    /// When it ended.
    pub time: OffsetDateTime,
}

/// The game that this event has ended, for matchmaking; none of an event's, which gives colours by rules of its own and has
/// arbiters for who spoils games, and none of a record.
pub(super) fn finished_game(game: &Game, event: &Event) -> Option<FinishedGame> {
    let progress = &event.state.progress;
    let has_ended = game.progress().stage < Stage::Final && progress.stage == Stage::Final;
    if !has_ended || game.info.origin != Origin::Match || game.info.regulations.event.is_some() {
        return None;
    }
    let outcome = event.state.outcome.as_ref()?;
    let [first, second] = game.info.seats_in(progress);
    let of = |side: Side, account| (account, conduct(game, event, side));
    Some(FinishedGame {
        game: game.info.id,
        variant: game.info.variant.id,
        parties: [of(Side::First, first.account?), of(Side::Second, second.account?)],
        counted: was_played(outcome),
        time: event.time,
    })
}

/// How a side has spoiled the game that this event has ended. Nobody is blamed for a game during which the platform was down:
/// what he did may have come of that.
fn conduct(game: &Game, event: &Event, side: Side) -> Option<Conduct> {
    if game.credited_until > game.info.created {
        return None;
    }
    let outcome = event.state.outcome.as_ref()?;
    let lost = matches!(outcome.verdict, Verdict::Win(winner) if winner != side)
        || outcome.verdict == Verdict::BothLose;
    match outcome.reason {
        Reason::Aborted => (event.by.side() == Some(side)).then_some(Conduct::Aborted),
        Reason::NotAppeared => {
            let is_there = |side| game.progress().check_in.as_ref().is_some_and(|it| it.is_there(side));
            // Where neither has come nobody has waited in vain.
            (!is_there(side) && is_there(side.other())).then_some(Conduct::NoShow)
        }
        Reason::Abandoned => (event.by.side() == Some(side.other())).then_some(Conduct::Left),
        Reason::Time if lost && game.progress().presence.absence(side).is_some() => Some(Conduct::Left),
        Reason::Time | Reason::Resignation if lost && has_stalled(game, event, side) => {
            Some(Conduct::Stalled)
        }
        _ => None,
    }
}

/// Whether a side on whose clock the game ended has let half of its main time pass since its turn began, in a game at which
/// people sit.
fn has_stalled(game: &Game, event: &Event, side: Side) -> bool {
    let runs = game.clock().and_then(|clock| clock.running).is_some_and(|(running, _)| running == side);
    let Some(control) = game.info.time_control.filter(|_| runs && requires_presence(&game.info)) else {
        return false;
    };
    let turn = Duration::try_from(event.time - game.turn_began).unwrap_or(Duration::ZERO);
    let control = if side == Side::First { control.first } else { control.second };
    control.main().is_some_and(|main| turn >= STALL_MIN.max(main / 2))
}

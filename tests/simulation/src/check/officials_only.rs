//! In a game of an event the players decide on nothing but their moves, draws, resignation and adjournment: who could
//! abort a game, rest in it, give time or take a move back could help another to a place.

use api::{
    board::v1::Reason,
    game::v1::{GameEvent, Proposal, game_event::Event, proposal::Proposal as Wish},
};

use super::Log;

/// Holds the log of a game that has officials to what is theirs alone.
pub(crate) fn check(log: &Log) -> Vec<String> {
    if log.table.officials.is_none() {
        return Vec::new();
    }
    let taken = log.rows.iter().filter(|row| is_for_officials(&row.event));
    taken
        .map(|row| {
            format!(
                "event {} of {} was its officials' to decide: {:?}",
                row.sequence, log.table.id, row.event
            )
        })
        .collect()
}

/// Whether players have brought about what only officials may. No official does it by such an event: he rules.
fn is_for_officials(event: &GameEvent) -> bool {
    match &event.event {
        Some(Event::TimeGiven(_)) => true,
        Some(Event::Ended(_)) => {
            let outcome = event.state.as_ref().and_then(|state| state.outcome.as_ref());
            outcome.is_some_and(|outcome| outcome.reason() == Reason::Aborted)
        }
        Some(Event::Proposed(proposed)) => proposed.proposal.as_ref().is_some_and(is_no_adjournment),
        Some(Event::Agreed(agreed)) => agreed.proposal.as_ref().is_some_and(is_no_adjournment),
        _ => false,
    }
}

fn is_no_adjournment(proposal: &Proposal) -> bool {
    !matches!(proposal.proposal, Some(Wish::Adjourn(_) | Wish::ResumeAt(_)))
}

#[cfg(test)]
mod tests {
    use api::{
        board::v1::Outcome,
        game::v1::{
            GameState,
            game_event::{Agreed, DrawOffered, Ended, Proposed, TimeGiven},
            proposal::{Adjourn, Pause, Undo},
        },
    };

    use super::*;

    fn ended(reason: Reason) -> GameEvent {
        let outcome = Some(Outcome { reason: reason as i32, ..Outcome::default() });
        let state = Some(GameState { outcome, ..GameState::default() });
        GameEvent { state, ..of(Event::Ended(Ended {})) }
    }

    fn of(event: Event) -> GameEvent {
        GameEvent { event: Some(event), ..GameEvent::default() }
    }

    fn proposed(wish: Wish) -> GameEvent {
        of(Event::Proposed(Proposed { proposal: Some(Proposal { proposal: Some(wish) }) }))
    }

    fn agreed(wish: Wish) -> GameEvent {
        of(Event::Agreed(Agreed { proposal: Some(Proposal { proposal: Some(wish) }) }))
    }

    #[test]
    fn what_players_take_upon_themselves_is_found() {
        for taken in [
            of(Event::TimeGiven(TimeGiven::default())),
            ended(Reason::Aborted),
            proposed(Wish::Undo(Undo { ply: 1 })),
            agreed(Wish::Pause(Pause {})),
        ] {
            assert!(is_for_officials(&taken), "{taken:?}");
        }
        for theirs in [
            of(Event::DrawOffered(DrawOffered {})),
            ended(Reason::Resignation),
            agreed(Wish::Adjourn(Adjourn {})),
        ] {
            assert!(!is_for_officials(&theirs), "{theirs:?}");
        }
    }
}

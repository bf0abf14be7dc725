//! Another game with the same opponent.

use std::time::Duration;

use api::{
    client::{GameUpdate, Player, RetryPolicy, with_retry},
    game::v1::{
        GameEvent, GetGameRequest,
        game_event::Event,
        proposal::{Proposal, Rematch},
    },
};
use tokio::signal::unix::Signal;
use tonic::Code;

use super::{account::is_yes, input::Input, table::Ended};
use crate::commands::terminal::say;

/// How long the opponent is waited for.
const WAIT: Duration = Duration::from_mins(1);
/// How often it is looked whether the next game is there.
const LOOK: Duration = Duration::from_millis(100);
const RETRY: RetryPolicy = RetryPolicy(Duration::from_secs(10));

/// Asks the person whether to play once more, and then the opponent; the next game, if there is one.
pub(super) async fn ask(
    player: &Player,
    ended: &Ended,
    input: &mut Input,
    interrupts: &mut Signal,
) -> anyhow::Result<Option<String>> {
    say("play once more with the sides changed? (y/n)")?;
    let answer = tokio::select! {
        biased;
        _ = interrupts.recv() => None,
        line = input.line() => line,
    };
    if !answer.is_some_and(|line| is_yes(&line)) {
        return Ok(None);
    }
    let rematch = Proposal::Rematch(Rematch {});
    match player.propose(&ended.game_id, rematch, RETRY).await {
        Ok(event) => match next_game(&event) {
            Some(next) => return made(player, next).await.map(Some),
            None => say("waiting for the opponent (Ctrl-C leaves)")?,
        },
        Err(status) => {
            say(format_args!("there is no other game: {}", status.message()))?;
            return Ok(None);
        }
    }
    let next = tokio::select! {
        biased;
        _ = interrupts.recv() => return Ok(None),
        next = tokio::time::timeout(WAIT, agreed(player, ended)) => next,
    };
    if let Ok(next) = next {
        return match next? {
            Some(next) => made(player, next).await.map(Some),
            None => Ok(None),
        };
    }
    say("the opponent has not answered")?;
    player.drop_proposal(&ended.game_id, rematch, RETRY).await?;
    Ok(None)
}

/// The next game, as soon as it is there: it is agreed on first and made then.
pub(super) async fn made(player: &Player, next: String) -> anyhow::Result<String> {
    let deadline = tokio::time::Instant::now() + WAIT;
    loop {
        let request = GetGameRequest { game_id: next.clone() };
        let games = player.games();
        match with_retry(RETRY, || async { games.clone().get_game(request.clone()).await }).await {
            Ok(_) => return Ok(next),
            Err(status) if status.code() != Code::NotFound => return Err(status.into()),
            Err(status) if tokio::time::Instant::now() > deadline => return Err(status.into()),
            Err(_) => tokio::time::sleep(LOOK).await,
        }
    }
}

/// Waits until the opponent has answered; the next game, if he agrees.
async fn agreed(player: &Player, ended: &Ended) -> anyhow::Result<Option<String>> {
    let mut watched = player.watch(&ended.game_id).after(ended.sequence).beyond_end();
    while let Some(seen) = watched.next().await? {
        let GameUpdate::Event(event) = seen else { continue };
        match &event.event {
            Some(Event::Agreed(_)) => return Ok(next_game(&event)),
            Some(Event::ProposalDropped(_)) => {
                say("the opponent does not wish to")?;
                return Ok(None);
            }
            _ => {}
        }
    }
    Ok(None)
}

/// The game that follows, if an event has made one.
fn next_game(event: &GameEvent) -> Option<String> {
    let progress = event.state.as_ref()?.progress.as_ref()?;
    Some(progress.rematch_id.clone()).filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use api::game::v1::{GameState, Progress};

    use super::*;

    #[test]
    fn the_next_game_is_told_once_it_is_agreed_on() {
        let event = |rematch_id: &str| {
            let progress = Progress { rematch_id: rematch_id.to_owned(), ..Progress::default() };
            let state = GameState { progress: Some(progress), ..GameState::default() };
            GameEvent { state: Some(state), ..GameEvent::default() }
        };
        assert_eq!(next_game(&event("")), None);
        assert_eq!(next_game(&event("ID")), Some("ID".to_owned()));
        assert_eq!(next_game(&GameEvent::default()), None);
    }
}

//! Waiting for an opponent.

use std::{io::Write as _, pin::pin, time::Duration};

use anyhow::Context as _;
use api::{
    client::Player,
    error::reason,
    matchmaking::v1::{
        EnqueueRequest,
        enqueue_response::{Offered, State, Waiting},
    },
    time_control::TimeControl,
};
use crossterm::{
    QueueableCommand as _,
    cursor::MoveToColumn,
    terminal::{Clear, ClearType},
};
use tokio::signal::unix::Signal;

use super::{account::is_yes, input::Input};
use crate::commands::{render::sanitize, server::Server, terminal, terminal::say};

/// How often to look whether the tokens are about to expire.
const TOKENS_LOOKED_AT: Duration = Duration::from_mins(1);

/// Waits with a new ticket like this one until a game is found and gives its id; nothing when the person gave up, and the
/// ticket is cancelled. A long game that is offered is the person's to accept.
///
/// # Errors
/// What the server says.
pub(super) async fn find(
    server: &Server,
    player: &Player,
    wanted: &EnqueueRequest,
    input: &mut Input,
    interrupts: &mut Signal,
) -> anyhow::Result<Option<String>> {
    let ticket = EnqueueRequest { ticket_id: server.new_id(), ..wanted.clone() };
    say("looking for an opponent; Ctrl-C gives up")?;
    {
        let decide = async |offered: &Offered| accepts(offered, input).await;
        let mut held = pin!(player.hold_ticket_and_decide(&ticket, show, decide));
        let mut tokens = tokio::time::interval(TOKENS_LOOKED_AT);
        loop {
            tokio::select! {
                biased;
                _ = interrupts.recv() => break,
                matched = &mut held => {
                    let matched = matched.context("looking for an opponent")?;
                    end_line()?;
                    return Ok(Some(matched.game_id));
                }
                // Tokens that cannot be had now are asked for again; the queue itself says when it matters.
                _ = tokens.tick() => drop(player.stay_signed_in(server.now()).await),
            }
        }
    }
    end_line()?;
    match player.cancel_ticket(&ticket.ticket_id).await {
        Ok(()) => {
            say("you have left the queue")?;
            Ok(None)
        }
        Err(status) if reason(&status) == api::reason::TICKET_MATCHED => {
            say("an opponent was found just now")?;
            let matched = player.hold_ticket(&ticket, |_| ()).await;
            Ok(Some(matched.context("looking for an opponent")?.game_id))
        }
        Err(status) => Err(status).context("leaving the queue"),
    }
}

/// Asks the person whether to play a long game.
async fn accepts(offered: &Offered, input: &mut Input) -> bool {
    let said = say(offer_line(offered));
    said.is_ok() && input.line().await.is_some_and(|line| is_yes(&line))
}

fn offer_line(offered: &Offered) -> String {
    let settings = offered.settings.clone().unwrap_or_default();
    let control = settings.time_control.as_ref().and_then(|control| TimeControl::try_from(control).ok());
    let control = control.map_or_else(String::new, |control| format!(", {control}"));
    let rated = if settings.rated { "rated" } else { "casual" };
    format!("\nan opponent for {}{control}, {rated}: play? You have 30 s (y/n)", sanitize(&settings.variant))
}

/// Shows how the wait goes on, in one line of a terminal. A terminal that is gone shows nothing.
fn show(state: &State) {
    let State::Waiting(waiting) = state else { return };
    if terminal::size().is_none() {
        return;
    }
    let mut out = std::io::stdout().lock();
    let _shown = (|| -> std::io::Result<()> {
        out.queue(MoveToColumn(0))?.queue(Clear(ClearType::CurrentLine))?;
        write!(out, "{}", waiting_line(waiting))?;
        out.flush()
    })();
}

fn end_line() -> anyhow::Result<()> {
    if terminal::size().is_some() { say("") } else { Ok(()) }
}

fn waiting_line(waiting: &Waiting) -> String {
    let span = |of: &Option<prost_types::Duration>| of.as_ref().and_then(api::time::span);
    let estimate = match (span(&waiting.estimate_duration), span(&waiting.estimate_most_duration)) {
        (Some(half), Some(most)) => {
            format!(", about {} s to go (at most {} s for nine of ten)", half.as_secs(), most.as_secs())
        }
        (Some(half), None) => format!(", about {} s to go", half.as_secs()),
        (None, _) => String::new(),
    };
    let others: u32 = waiting.other_pools.iter().map(|pool| pool.waiting).sum();
    let elsewhere =
        if others > 0 { format!(", {others} for another game of this kind") } else { String::new() };
    format!(
        "waiting: {} in this pool, ratings within {}{estimate}{elsewhere}",
        waiting.pool_size, waiting.rating_difference
    )
}

#[cfg(test)]
mod tests {
    use api::matchmaking::v1::{GameSettings, Pool};

    use super::*;

    #[test]
    fn an_offer_is_described() {
        let control: TimeControl = "45m+10s".parse().expect("a time control");
        let (variant, time_control) = ("go".to_owned(), Some(control.into()));
        let settings = GameSettings { variant, time_control, rated: true, ..GameSettings::default() };
        let line = offer_line(&Offered { settings: Some(settings), ..Offered::default() });
        assert_eq!(line, "\nan opponent for go, 45m+10s, rated: play? You have 30 s (y/n)");
    }

    #[test]
    fn a_wait_is_described() {
        let mut waiting = Waiting { rating_difference: 150, pool_size: 2, ..Waiting::default() };
        assert_eq!(waiting_line(&waiting), "waiting: 2 in this pool, ratings within 150");
        waiting.estimate_duration = Some(api::time::duration(Duration::from_secs(12)));
        assert_eq!(waiting_line(&waiting), "waiting: 2 in this pool, ratings within 150, about 12 s to go");
        waiting.estimate_most_duration = Some(api::time::duration(Duration::from_secs(40)));
        let line =
            "waiting: 2 in this pool, ratings within 150, about 12 s to go (at most 40 s for nine of ten)";
        assert_eq!(waiting_line(&waiting), line);
        waiting.other_pools =
            vec![Pool { waiting: 3, ..Pool::default() }, Pool { waiting: 2, ..Pool::default() }];
        assert_eq!(waiting_line(&waiting), format!("{line}, 5 for another game of this kind"));
    }
}

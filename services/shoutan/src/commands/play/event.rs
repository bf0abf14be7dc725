//! Waiting for one's next game of an event.

use api::{
    client::{Player, RetryPolicy, with_retry},
    federation::v1::{WatchEventRequest, WatchEventResponse},
};
use tokio::signal::unix::Signal;

use super::again::made;
use crate::commands::{
    event::next::{Awaited, awaited},
    server::Server,
    session::Session,
    terminal::say,
};

/// The next game of an event in which the player has an entry, as soon as it has begun; none when there is no more to come,
/// or the person leaves.
///
/// # Errors
/// What the server says; that the player has no entry in the event.
pub(super) async fn next_game(
    server: &Server,
    player: &Player,
    event: &str,
    interrupts: &mut Signal,
) -> anyhow::Result<Option<String>> {
    let session = Session::of(server, player.clone());
    let mut said = String::new();
    loop {
        let sequence = match awaited(&session, event).await? {
            Awaited::Begun(game) => return made(player, game).await.map(Some),
            Awaited::Over => {
                say("no more games of the event are to come")?;
                return Ok(None);
            }
            Awaited::ToCome(told, sequence) => {
                if told != said {
                    say(format_args!("{told} (Ctrl-C leaves)"))?;
                    said = told;
                }
                sequence
            }
        };
        // Tokens are renewed as long as somebody waits; failing to is told by the call that needs them.
        drop(player.stay_signed_in(server.now()).await);
        tokio::select! {
            biased;
            _ = interrupts.recv() => return Ok(None),
            gone_on = gone_on(&session, event, sequence) => gone_on?,
        }
    }
}

/// Waits until the log of an event goes on, or the stream of it ends.
async fn gone_on(session: &Session, event: &str, after_sequence: u64) -> anyhow::Result<()> {
    let request = WatchEventRequest { event_id: event.to_owned(), after_sequence };
    let events = session.events();
    let call = || async { events.clone().watch_event(request.clone()).await };
    let mut stream = with_retry(RetryPolicy::default(), call).await?;
    // What broke is asked for again by whoever waits.
    while let Ok(Some(WatchEventResponse { entry: None, .. })) = stream.message().await {}
    Ok(())
}

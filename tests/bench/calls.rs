//! How late the calls of the byo-yomi are heard.

use std::time::Duration;

use api::clock::v1::{
    WatchAnnouncementsRequest, clock_service_client::ClockServiceClient, watch_announcements_response::Step,
};
use chassis::Env;
use futures::future::try_join_all;
use tests::{Platform, game_settings, pair_up};
use tokio::time::Instant;

use crate::{moves::guests, stats::Summary};

/// All of it is the last minute, which is called at 30, 40, 50 s, then every second to its end.
const CONTROL: &str = "1m-keep1m";

/// Lets the flags of so many games fall, and listens: how much later than it was due each call was heard by a client
/// on the same machine, whose time is the platform's.
pub(crate) async fn lateness(platform: &Platform, games: usize) -> anyhow::Result<Summary> {
    let players = guests(platform, 2 * games).await?;
    let pairings = pair_up(players, &game_settings("go", &[], CONTROL, false)).await?;
    let began = Instant::now();
    let listening = pairings.into_iter().map(|pairing| {
        let clocks = ClockServiceClient::new(pairing.players[0].transport());
        tokio::spawn(heard(clocks, pairing.game_id))
    });
    let late = try_join_all(listening).await?.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    Ok(Summary::new(late.concat(), began.elapsed()))
}

async fn heard(
    mut clocks: ClockServiceClient<api::transport::Transport>,
    game_id: String,
) -> anyhow::Result<Vec<Duration>> {
    let env = Env::system();
    let mut stream = clocks.watch_announcements(WatchAnnouncementsRequest { game_id }).await?.into_inner();
    let mut late = Vec::new();
    while let Some(answer) = stream.message().await? {
        let now = env.now();
        if let Some(Step::Announcement(call)) = answer.step
            && let Some(due) = call.announce_time.as_ref().and_then(api::time::moment)
        {
            // Early would be a fault, not a measurement.
            late.push(Duration::try_from(now - due)?);
        }
    }
    anyhow::ensure!(!late.is_empty(), "nothing was called");
    Ok(late)
}

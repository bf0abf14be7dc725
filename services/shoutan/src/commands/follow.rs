//! `shoutan follow`: all that concerns an account, as it happens.

use std::{collections::BTreeSet, time::Duration};

use api::{
    client::RetryPolicy,
    clock::v1::{Maintenance, MaintenanceNotice, SpeedClass},
    game::v1::OwnGame,
    matchmaking::v1::{
        FollowPart, FollowRequest, FollowResponse, OwnQueue, follow_response::Told,
        follow_service_client::FollowServiceClient,
    },
    rating::v1::GameChange,
};
use serde_json::json;

use super::{
    challenge,
    event::words,
    notices::{self, Places},
    pauses,
    print::{self, Record},
    session::{Session, Who},
    terminal::say,
};

/// How long to wait before asking again for a stream that broke.
const PAUSE: Duration = Duration::from_millis(200);

/// Games that are named when a stream is taken up again: as many as the server takes.
const NAMED_MAX: usize = 200;

/// Shows all that concerns an account as it happens: queue, challenges, pauses, games and whose move it is, ratings, notices.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Goes on after this cursor; without it all notices that are kept come first.
    #[arg(long, value_name = "CURSOR", default_value = "", hide_default_value = true)]
    after: String,
    /// Ends after so many lines.
    #[arg(long, value_name = "COUNT")]
    count: Option<usize>,
    #[command(flatten)]
    who: Who,
}

impl Args {
    /// Whether a script reads what is printed.
    pub(crate) const fn prints_json(&self) -> bool {
        self.who.json
    }
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let session = Session::open(&args.who).await?;
    let done = follow(&session, args.after, args.count.unwrap_or(usize::MAX)).await;
    session.close().await;
    done
}

async fn follow(session: &Session, after: String, mut left: usize) -> anyhow::Result<()> {
    let client = FollowServiceClient::new(session.transport());
    let (mut cursor, mut under_way, mut places) = (after, BTreeSet::new(), Places::default());
    while left > 0 {
        let request = FollowRequest {
            cursor: cursor.clone(),
            known_game_ids: under_way.iter().take(NAMED_MAX).cloned().collect(),
        };
        let call = || async { client.clone().follow(request.clone()).await };
        let mut stream = api::client::with_retry(RetryPolicy::default(), call).await?;
        // What broke is asked for again; what is refused for good is refused by that call.
        while let Ok(Some(answer)) = stream.message().await {
            cursor.clone_from(&answer.cursor);
            note(&mut under_way, &answer);
            for line in lines(session, &answer, &mut places).await {
                say(line)?;
                left -= 1;
                if left == 0 {
                    return Ok(());
                }
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// Takes note of which games are under way.
fn note(under_way: &mut BTreeSet<String>, answer: &FollowResponse) {
    let Some(Told::Games(told)) = &answer.told else { return };
    for game in &told.games {
        if has_ended(game) {
            under_way.remove(&game.game_id);
        } else {
            under_way.insert(game.game_id.clone());
        }
    }
}

fn has_ended(game: &OwnGame) -> bool {
    game.state.as_ref().is_some_and(|state| state.outcome.is_some())
}

/// What was told, a line each; for scripts an object each, which says what it is and where to go on after it.
async fn lines(session: &Session, answer: &FollowResponse, places: &mut Places) -> Vec<String> {
    let records: Vec<(&str, Record)> = match &answer.told {
        Some(Told::Queue(queue)) => of_queue(session, queue),
        Some(Told::Games(told)) => told.games.iter().map(|game| ("game", of_game(game))).collect(),
        Some(Told::Rated(change)) => vec![("rated", of_change(change))],
        Some(Told::Missing(missing)) => {
            let parts: Vec<String> = missing.parts().map(part).collect();
            vec![("missing", vec![("parts", json!(parts.join(" ")))])]
        }
        Some(Told::Notice(notice)) if session.json => {
            let place = places.of(session, notice).await;
            vec![("notice", notices::record(session, notice, &place))]
        }
        Some(Told::Notice(notice)) => {
            let place = places.of(session, notice).await;
            return vec![format!("notice: {}", notices::line(session, notice, &place).trim_start())];
        }
        None => of_maintenance(session, answer.maintenance_notice.as_ref()),
    };
    let line = |(told, mut record): (&'static str, Record)| {
        if session.json {
            record.splice(0..0, [("told", json!(told)), ("cursor", json!(answer.cursor))]);
            return print::object(&record).to_string();
        }
        format!("{told}: {}", print::line(&record))
    };
    records.into_iter().map(line).collect()
}

/// The queue, and behind it each challenge and each arranged game.
fn of_queue(session: &Session, queue: &OwnQueue) -> Vec<(&'static str, Record)> {
    let time = |time: Option<&prost_types::Timestamp>| session.time(time);
    let ticket = queue.ticket.clone().unwrap_or_default();
    let plays: Vec<String> = ticket.settings.iter().map(|it| it.variant.clone()).collect();
    let offered = ticket.offered.as_ref().and_then(|offered| offered.until_time.as_ref());
    let paused = queue.pause.as_ref().map(|pause| pauses::record(pause, time)).unwrap_or_default();
    let of_pause =
        |field: &str| paused.iter().find(|(name, _)| *name == field).map(|(_, value)| value.clone());
    let state = vec![
        ("ticket", json!(ticket.ticket_id)),
        ("waits_for", json!(plays.join(" "))),
        ("since", time(ticket.since_time.as_ref())),
        ("offered_until", time(offered)),
        ("paused_until", of_pause("until").unwrap_or_else(|| json!(""))),
        ("because", of_pause("because").unwrap_or_else(|| json!(""))),
    ];
    let challenges = queue.challenges.iter().map(|it| ("challenge", challenge::record(it, time)));
    let arranged = queue.arranged_games.iter().map(|it| ("arranged", challenge::arranged(it, time)));
    std::iter::once(("queue", state)).chain(challenges).chain(arranged).collect()
}

fn of_maintenance(session: &Session, notice: Option<&MaintenanceNotice>) -> Vec<(&'static str, Record)> {
    let planned = notice.map(|notice| notice.maintenance.clone().unwrap_or_default());
    let record = |it: Maintenance| {
        let time = |time: Option<prost_types::Timestamp>| session.time(time.as_ref());
        let (begin, end) = (time(it.begin_time), time(it.end_time));
        ("maintenance", vec![("begin", begin), ("end", end), ("reason", json!(it.reason))])
    };
    planned.map(record).into_iter().collect()
}

fn of_game(game: &OwnGame) -> Record {
    let (info, state) = (game.info.clone().unwrap_or_default(), game.state.clone().unwrap_or_default());
    vec![
        ("game", json!(game.game_id)),
        ("variant", json!(info.variant)),
        ("side", json!(words::side(game.side))),
        ("ply", json!(state.ply)),
        ("waits", json!(game.waits)),
        ("result", json!(state.outcome.map(|outcome| outcome.short).unwrap_or_default())),
    ]
}

fn of_change(it: &GameChange) -> Record {
    let change = it.change.clone().unwrap_or_default();
    let speed = it.speed_class();
    let speed = if speed == SpeedClass::Unspecified { "" } else { speed.as_str_name() };
    vec![
        ("game", json!(change.game_id)),
        ("variant", json!(it.variant)),
        ("speed", json!(speed.trim_start_matches("SPEED_CLASS_").to_lowercase())),
        ("before", json!(change.rating_before.round())),
        ("after", json!(change.rating_after.round())),
    ]
}

fn part(part: FollowPart) -> String {
    part.as_str_name().trim_start_matches("FOLLOW_PART_").to_lowercase()
}

#[cfg(test)]
mod tests {
    use api::{board::v1::Outcome, game::v1::GameState, matchmaking::v1::OwnGames};

    use super::*;

    #[test]
    fn games_are_under_way_until_they_are_told_to_have_ended() {
        let mut under_way = BTreeSet::new();
        let game = |id: &str, outcome: Option<Outcome>| OwnGame {
            game_id: id.to_owned(),
            state: Some(GameState { outcome, ..GameState::default() }),
            ..OwnGame::default()
        };
        let mut told = |games: Vec<OwnGame>| {
            let told = Some(Told::Games(OwnGames { games, caught_up: true }));
            note(&mut under_way, &FollowResponse { told, ..FollowResponse::default() });
            under_way.iter().cloned().collect::<Vec<_>>()
        };
        assert_eq!(told(vec![game("a", None), game("b", None)]), ["a", "b"]);
        assert_eq!(told(vec![game("a", Some(Outcome::default())), game("b", None)]), ["b"]);
    }

    #[test]
    fn parts_are_named_as_they_are_written() {
        assert_eq!([FollowPart::Games, FollowPart::Notices].map(part), ["games", "notices"]);
    }
}

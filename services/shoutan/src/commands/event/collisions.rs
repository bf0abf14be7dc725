//! What somebody plays less than an hour before or after what he enters.

use api::{
    federation::v1::{Event, EventTime},
    matchmaking::v1::ArrangedGame,
};
use prost_types::Timestamp;
use serde_json::{Value, json};

use super::session::Session;
use crate::commands::challenge;

/// Two that begin within so many seconds of each other are warned of.
const SAME_HOUR: i64 = 3600;

/// A game at about the same time.
pub(super) enum Collision {
    /// In another event.
    InEvent(EventTime),
    /// One that was arranged without an event.
    Arranged(Box<ArrangedGame>),
}

impl Collision {
    /// What of that an account has arranged collides with the rounds of an event.
    ///
    /// # Errors
    /// What the server says.
    pub(super) async fn arranged(session: &Session, event: &Event) -> anyhow::Result<Vec<Collision>> {
        let settings = event.settings.as_ref();
        // Where boards are arranged, rounds have no time.
        let schedule = settings.filter(|it| it.arranging.is_none()).and_then(|it| it.schedule.as_ref());
        let rounds = schedule.map(|it| it.round_times.as_slice()).unwrap_or_default();
        if rounds.is_empty() {
            return Ok(Vec::new());
        }
        let is_near =
            |game: &ArrangedGame| rounds.iter().any(|round| are_near(game.start_time.as_ref(), round));
        let games = challenge::arranged_games(session, true).await?;
        Ok(games.into_iter().filter(is_near).map(|game| Collision::Arranged(Box::new(game))).collect())
    }

    /// As programs read it.
    pub(super) fn value(&self, session: &Session) -> Value {
        match self {
            Collision::InEvent(EventTime { event_id, round, table, start_time }) => {
                let table = (*table != 0).then_some(table);
                let begins = session.time(start_time.as_ref());
                json!({ "event": event_id, "round": round, "table": table, "begins": begins })
            }
            Collision::Arranged(game) => {
                json!({ "game": game.game_id, "begins": session.time(game.start_time.as_ref()) })
            }
        }
    }

    /// As people do.
    pub(super) fn line(&self, session: &Session) -> String {
        match self {
            Collision::InEvent(EventTime { event_id, round, start_time, .. }) => {
                let begins = session.told(start_time.as_ref());
                format!("at the same hour: round {round} of event {event_id}, {begins}")
            }
            Collision::Arranged(game) => {
                let begins = session.told(game.start_time.as_ref());
                format!("at the same hour: game {} that was arranged, {begins}", game.game_id)
            }
        }
    }
}

fn are_near(one: Option<&Timestamp>, other: &Timestamp) -> bool {
    one.is_some_and(|one| one.seconds.abs_diff(other.seconds) < SAME_HOUR.unsigned_abs())
}

//! What a game did to a rating.

use std::time::Duration;

use anyhow::Context as _;
use api::{
    client::{RetryPolicy, with_retry},
    clock::v1::SpeedClass,
    game::v1::GameInfo,
    rating::v1::{
        GetRatingRequest, ListHistoryRequest, Rating, RatingChange,
        rating_service_client::RatingServiceClient,
    },
};

use super::server::Server;

/// Results reach the ratings within moments; a platform that was down in between has this long.
const WAIT_MAX: Duration = Duration::from_mins(1);
/// The pause between two looks, at first and at most.
const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(2);
/// A change is among a player's last ones.
const CHANGES_LOOKED_AT: u32 = 20;

/// Whose rating, for which variant and speed.
#[derive(Clone, Debug)]
pub(super) struct Rated {
    /// The account.
    pub account_id: String,
    /// The variant.
    pub variant: String,
    /// The speed class.
    pub speed_class: SpeedClass,
}

impl Rated {
    /// The rating of an account that a game counts for.
    pub(super) fn of(account_id: &str, info: &GameInfo) -> Self {
        let value_of = |option: &str| info.options.get(option).map(String::as_str);
        let variant = rules::variant(&info.variant).map(|variant| variant.rated_as(value_of).into_owned());
        Rated {
            account_id: account_id.to_owned(),
            variant: variant.unwrap_or_else(|| info.variant.clone()),
            speed_class: info.speed_class(),
        }
    }

    /// The rating now.
    ///
    /// # Errors
    /// What the server says.
    pub(super) async fn now(&self, server: &Server) -> anyhow::Result<Rating> {
        let request = GetRatingRequest {
            account_id: self.account_id.clone(),
            variant: self.variant.clone(),
            speed_class: self.speed_class as i32,
            without_standing: false,
        };
        let ratings = RatingServiceClient::new(server.transport());
        let call = || async { ratings.clone().get_rating(request.clone()).await };
        let answer = with_retry(RetryPolicy::default(), call).await.context("asking for a rating")?;
        answer.rating.context("the server's answer lacks the rating")
    }

    /// What a game did to the rating, once it has.
    ///
    /// # Errors
    /// What the server says, or that the rating has not changed for a minute.
    pub(super) async fn changed_by(&self, server: &Server, game_id: &str) -> anyhow::Result<RatingChange> {
        let deadline = tokio::time::Instant::now() + WAIT_MAX;
        let mut pause = PAUSE_MIN;
        loop {
            if let Some(change) =
                self.last_changes(server).await?.into_iter().find(|it| it.game_id == game_id)
            {
                return Ok(change);
            }
            anyhow::ensure!(
                tokio::time::Instant::now() + pause < deadline,
                "the game has not reached the ratings within a minute"
            );
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSE_MAX);
        }
    }

    async fn last_changes(&self, server: &Server) -> anyhow::Result<Vec<RatingChange>> {
        let request = ListHistoryRequest {
            account_id: self.account_id.clone(),
            variant: self.variant.clone(),
            speed_class: self.speed_class as i32,
            page_size: CHANGES_LOOKED_AT,
            page_token: String::new(),
        };
        let ratings = RatingServiceClient::new(server.transport());
        let call = || async { ratings.clone().list_history(request.clone()).await };
        Ok(with_retry(RetryPolicy::default(), call).await.context("asking how a rating moved")?.changes)
    }
}

/// `1500 ± 350 → 1662 ± 290 (+162)`.
pub(super) fn change_line(deviation_before: f64, change: &RatingChange) -> String {
    let (before, after) = (change.rating_before.round(), change.rating_after.round());
    format!(
        "{before:.0} ± {deviation_before:.0} → {after:.0} ± {:.0} ({:+.0})",
        change.deviation_after,
        after - before
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_written_in_whole_points() {
        let change = RatingChange {
            rating_before: 1500.4,
            rating_after: 1661.7,
            deviation_after: 290.32,
            ..RatingChange::default()
        };
        assert_eq!(change_line(350.0, &change), "1500 ± 350 → 1662 ± 290 (+162)");
        let back = RatingChange { rating_before: 1662.0, rating_after: 1500.0, ..change };
        assert_eq!(change_line(349.6, &back), "1662 ± 350 → 1500 ± 290 (-162)");
    }
}

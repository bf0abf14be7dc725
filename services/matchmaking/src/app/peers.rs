//! The services that matchmaking asks, and tells: games, ratings, accounts and notices.

use std::time::Duration;

use api::{
    client::{RetryPolicy, with_retry},
    clock::v1::SpeedClass,
    federation::v1::{
        EventTime, FollowNoticesRequest, FollowNoticesResponse, ListComingGamesRequest,
        ListEventTimesRequest, federation_internal_service_client::FederationInternalServiceClient,
    },
    game::v1::{
        CreateGamesRequest, FollowGamesRequest, FollowGamesResponse, GameRefusal,
        game_internal_service_client::GameInternalServiceClient,
    },
    identity::v1::{LookUpAccountsRequest, PublicAccount, identity_service_client::IdentityServiceClient},
    rating::v1::{
        GameChange, ListGameChangesRequest, LookUpRatingsRequest, Rating, RatingKey,
        rating_internal_service_client::RatingInternalServiceClient,
        rating_service_client::RatingServiceClient,
    },
    transport::Transport,
};
use chassis::{
    Lifecycle, Throttle,
    batch::{self, Batcher},
    id::AccountId,
    lifecycle::Aborted,
    maintenance::PlannedMaintenance,
    outbox::{Delivery, Entry},
};
use futures::future::join_all;
use time::OffsetDateTime;
use tonic::{Code, Status, Streaming};

use crate::{
    core::{Appointment, Match, Player},
    wire::{commission, of_event, owed},
};

/// How long to wait for a game to be made before asking again; the id makes that harmless.
const GAME_PATIENCE: Duration = Duration::from_secs(5);
/// Ratings that are asked for in one call: as many as the service tells at once.
const RATINGS_MAX: usize = 256;
/// Those that may wait to be; whoever asks then waits for a place, and no longer than for his rating.
const RATINGS_WAITING_MAX: usize = 16 * RATINGS_MAX;
/// How long a player is kept waiting for his rating before his call is refused.
const RATING_PATIENCE: Duration = Duration::from_secs(3);

/// How long a caller is kept waiting for what is known of an account before his call is refused.
const ACCOUNT_PATIENCE: Duration = Duration::from_secs(1);

/// How long to wait for the federations before asking again, or sending notices again, whose keys make that harmless.
const FEDERATION_PATIENCE: Duration = Duration::from_secs(5);

/// How long a caller waits for what he might be warned of, and is answered all the same.
const WARNING_PATIENCE: Duration = Duration::from_secs(1);

/// The game service.
#[derive(Clone)]
pub(crate) struct Games {
    games: GameInternalServiceClient<Transport>,
    /// How long the players of a match are waited for.
    arrival: Duration,
}

/// The rating service.
#[derive(Clone)]
pub(crate) struct Ratings {
    asked: Batcher<RatingKey, Result<(u32, u32), Status>>,
    public: RatingServiceClient<Transport>,
}

/// The identity service.
#[derive(Clone)]
pub(crate) struct Accounts(IdentityServiceClient<Transport>);

/// The federation service, which keeps what accounts are told, and knows what they play in events.
#[derive(Clone)]
pub(crate) struct Federations(FederationInternalServiceClient<Transport>);

/// What came of asking for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Creation {
    /// The game exists.
    Created,
    /// The game service will never make it.
    Refused,
    /// It is not known; ask again.
    Unknown,
}

/// Games that are asked for in one call: half of what may be asked for at once, so that what was made is noted while others are.
pub(super) const CREATIONS: usize = 32;

impl Games {
    /// The game service behind a transport, which waits so long for the players of a match.
    pub(crate) fn new(transport: Transport, arrival: Duration) -> Self {
        Games { games: GameInternalServiceClient::new(transport), arrival }
    }

    /// Asks once for the games of matches, of [`CREATIONS`] at most, and says what came of each. Asking again is harmless.
    pub(crate) async fn create(&self, matches: &[Match]) -> Vec<Creation> {
        let games = matches.iter().map(|matched| commission(matched, self.arrival)).collect();
        let mut client = self.games.clone();
        let asked = client.create_games(CreateGamesRequest { games });
        let status = match tokio::time::timeout(GAME_PATIENCE, asked).await {
            Ok(Ok(answer)) => return creations(matches, answer.into_inner().refusals),
            Ok(Err(status)) if status.code() == Code::Unimplemented => {
                // A replica of before this was known.
                return join_all(matches.iter().map(|matched| self.create_one(matched))).await;
            }
            Ok(Err(status)) => status,
            Err(_) => Status::deadline_exceeded("no answer"),
        };
        let count = matches.len();
        tracing::warn!(%status, count, "games could not be made, or are not known to be; they are asked for again");
        vec![Creation::Unknown; count]
    }

    /// Follows how the games of an account stand; of those that are named it is told how they ended, if they are over.
    ///
    /// # Errors
    /// When the game service does not tell.
    pub(crate) async fn follow(
        &self,
        account: AccountId,
        known_game_ids: Vec<String>,
    ) -> Result<Streaming<FollowGamesResponse>, Status> {
        let request = FollowGamesRequest { account_id: account.to_string(), known_game_ids };
        Ok(self.games.clone().follow_games(request).await?.into_inner())
    }

    async fn create_one(&self, matched: &Match) -> Creation {
        let request = commission(matched, self.arrival);
        match tokio::time::timeout(GAME_PATIENCE, self.games.clone().create_game(request)).await {
            Ok(Ok(_)) => Creation::Created,
            Ok(Err(status)) => creation_refused(matched, &status),
            Err(_) => creation_refused(matched, &Status::deadline_exceeded("no answer")),
        }
    }

    /// Asks when the platform is worked on.
    pub(crate) async fn look_at_maintenance(self, planned: &PlannedMaintenance) {
        planned.look(self.games).await;
    }
}

/// What came of each match whose game was asked for, by what was refused.
fn creations(matches: &[Match], refusals: Vec<GameRefusal>) -> Vec<Creation> {
    let mut creations = vec![Creation::Created; matches.len()];
    for GameRefusal { index, code, reason, message } in refusals {
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        if let Some((creation, matched)) = creations.get_mut(at).zip(matches.get(at)) {
            let status = Status::new(Code::from_i32(code), format!("{reason}: {message}"));
            *creation = creation_refused(matched, &status);
        }
    }
    creations
}

fn creation_refused(matched: &Match, status: &Status) -> Creation {
    let game = matched.game;
    if is_final(status) {
        tracing::error!(game.id = %game, %status, "the game of a match was refused for good");
        Creation::Refused
    } else {
        tracing::warn!(game.id = %game, %status, "a game could not be made; it is asked for again");
        Creation::Unknown
    }
}

impl Ratings {
    /// The rating service behind a transport, calling as a service of the platform. What is asked while others are being answered
    /// shares the next call.
    pub(crate) fn start(transport: Transport, lifecycle: &Lifecycle) -> Self {
        let (asked, batches) = batch::channel(RATINGS_WAITING_MAX, RATINGS_MAX);
        let public = RatingServiceClient::new(transport.clone());
        let ratings = RatingInternalServiceClient::new(transport);
        lifecycle.supervise_last(("matchmaking", "ratings"), move || {
            let ratings = ratings.clone();
            batches.clone().run(move |keys: Vec<RatingKey>| look_up(ratings.clone(), keys))
        });
        Ratings { asked, public }
    }

    /// A player's rating and its deviation, rounded.
    ///
    /// # Errors
    /// When the rating service does not tell.
    pub(crate) async fn get(
        &self,
        account: AccountId,
        variant: &str,
        speed_class: SpeedClass,
    ) -> Result<(u32, u32), Status> {
        let key = RatingKey {
            account_id: account.to_string(),
            variant: variant.to_owned(),
            speed_class: speed_class.into(),
        };
        tokio::time::timeout(RATING_PATIENCE, self.asked.ask(key))
            .await
            .map_err(|_| Status::deadline_exceeded("no answer"))?
            .map_err(|Aborted| Status::unavailable("this server is stopping"))?
    }

    /// Games of which one may ask in one call what they did.
    pub(crate) const CHANGES_MAX: usize = 100;

    /// What games did to ratings, of [`Self::CHANGES_MAX`] at most; those that are not rated, or not yet, are left out.
    ///
    /// # Errors
    /// When the rating service does not tell.
    pub(crate) async fn changes(&self, game_ids: Vec<String>) -> Result<Vec<GameChange>, Status> {
        let mut ratings = self.public.clone();
        let asked = ratings.list_game_changes(ListGameChangesRequest { game_ids });
        let answer = tokio::time::timeout(RATING_PATIENCE, asked).await;
        Ok(answer.map_err(|_| Status::deadline_exceeded("no answer"))??.into_inner().changes)
    }
}

/// The ratings that these keys name, in their order. What cannot be told of one keeps nobody else from being told of his.
async fn look_up(
    ratings: RatingInternalServiceClient<Transport>,
    keys: Vec<RatingKey>,
) -> Vec<Result<(u32, u32), Status>> {
    let count = keys.len();
    match told(ratings.clone(), keys.clone()).await {
        Ok(told) => told,
        Err(status) if count > 1 && !is_down(&status) => {
            let mut all = Vec::with_capacity(count);
            for key in keys {
                match told(ratings.clone(), vec![key]).await {
                    Ok(told) => all.extend(told),
                    // Nobody else waits for as long again.
                    Err(status) if is_down(&status) => {
                        all.resize(count, Err(status));
                        break;
                    }
                    Err(status) => all.push(Err(status)),
                }
            }
            all
        }
        Err(status) => vec![Err(status); count],
    }
}

/// The same in one call.
async fn told(
    mut ratings: RatingInternalServiceClient<Transport>,
    keys: Vec<RatingKey>,
) -> Result<Vec<Result<(u32, u32), Status>>, Status> {
    let count = keys.len();
    let asked = ratings.look_up_ratings(LookUpRatingsRequest { keys });
    let answer = tokio::time::timeout(RATING_PATIENCE, asked).await;
    let told = answer.map_err(|_| Status::deadline_exceeded("no answer"))??.into_inner().ratings;
    if told.len() != count {
        return Err(Status::unavailable("other ratings than those that were asked for"));
    }
    let rounded = |rating: Rating| {
        Option::zip(Player::round(rating.rating), Player::round(rating.deviation))
            .ok_or_else(|| Status::data_loss("a rating that is no number"))
    };
    Ok(told.into_iter().map(rounded).collect())
}

/// Whether a service does not answer at all, whatever it is asked.
fn is_down(status: &Status) -> bool {
    matches!(
        status.code(),
        Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled | Code::Unimplemented
    )
}

impl Accounts {
    /// The identity service behind a transport.
    pub(crate) fn new(transport: Transport) -> Self {
        Accounts(IdentityServiceClient::new(transport))
    }

    /// An account as everybody sees it; `None` if there is none.
    ///
    /// # Errors
    /// When the identity service does not tell.
    pub(crate) async fn find(&self, account: AccountId) -> Result<Option<PublicAccount>, Status> {
        let request = LookUpAccountsRequest { ids: vec![account.to_string()], names: Vec::new() };
        let ask = || async { self.0.clone().look_up_accounts(request.clone()).await };
        Ok(with_retry(RetryPolicy(ACCOUNT_PATIENCE), ask).await?.accounts.pop())
    }
}

impl Federations {
    /// The federation service behind a transport.
    pub(crate) fn new(transport: Transport) -> Self {
        Federations(FederationInternalServiceClient::new(transport))
    }

    /// Follows the notices of an account after a number.
    ///
    /// # Errors
    /// When the federation service does not tell.
    pub(crate) async fn follow_notices(
        &self,
        account: AccountId,
        after_number: u64,
    ) -> Result<Streaming<FollowNoticesResponse>, Status> {
        let request = FollowNoticesRequest { account_id: account.to_string(), after_number };
        Ok(self.0.clone().follow_notices(request).await?.into_inner())
    }

    /// Who is to play in an event until a moment.
    ///
    /// # Errors
    /// When the federation service does not tell.
    pub(crate) async fn coming(
        mut self,
        until: OffsetDateTime,
    ) -> Result<Vec<(AccountId, Appointment)>, Status> {
        let request = ListComingGamesRequest { until_time: Some(api::time::timestamp(until)) };
        let answer = tokio::time::timeout(FEDERATION_PATIENCE, self.0.list_coming_games(request)).await;
        let answer = answer.unwrap_or_else(|_| Err(Status::deadline_exceeded("no answer")))?;
        Ok(answer.into_inner().games.iter().filter_map(of_event).collect())
    }

    /// When an account plays in events between two moments, a day apart at most. None while the federation service does not tell.
    pub(crate) async fn times_of(
        &self,
        account: AccountId,
        [from, until]: [OffsetDateTime; 2],
    ) -> Vec<EventTime> {
        let request = ListEventTimesRequest {
            account_id: account.to_string(),
            from_time: Some(api::time::timestamp(from)),
            until_time: Some(api::time::timestamp(until)),
        };
        let mut client = self.0.clone();
        let answer = tokio::time::timeout(WARNING_PATIENCE, client.list_event_times(request)).await;
        match answer.unwrap_or_else(|_| Err(Status::deadline_exceeded("no answer"))) {
            Ok(answer) => answer.into_inner().times,
            Err(status) => {
                static COMPLAINTS: Throttle = Throttle::new();
                if let Some(held_back) = COMPLAINTS.admit() {
                    tracing::warn!(%status, held_back, "it is not known what a player plays in events");
                }
                Vec::new()
            }
        }
    }

    /// Has accounts be told what is owed to them. Telling it again changes nothing.
    pub(crate) async fn put(mut self, entries: Vec<Entry>) -> Vec<Delivery> {
        let request = owed(entries.iter().map(|entry| &*entry.payload));
        let answer = tokio::time::timeout(FEDERATION_PATIENCE, self.0.put_notices(request)).await;
        let delivery = match answer.unwrap_or_else(|_| Err(Status::deadline_exceeded("no answer"))) {
            Ok(_) => Delivery::Done,
            Err(status) if status.code() == Code::InvalidArgument => {
                Delivery::Never(status.message().to_owned())
            }
            Err(status) => {
                static COMPLAINTS: Throttle = Throttle::new();
                if let Some(held_back) = COMPLAINTS.admit() {
                    tracing::warn!(%status, held_back, "notices are not taken; they are sent again");
                }
                Delivery::Later
            }
        };
        vec![delivery; entries.len()]
    }
}

/// Whether asking again cannot help.
fn is_final(status: &Status) -> bool {
    matches!(status.code(), Code::InvalidArgument | Code::AlreadyExists)
}

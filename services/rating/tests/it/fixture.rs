//! The service put together for a test, and its clients.

use std::time::Duration;

use api::{
    board::v1::Verdict,
    clock::v1::SpeedClass,
    rating::v1::{
        ApplyResultRequest, ApplyResultResponse, ApplyResultsRequest, GetRatingRequest, LookUpRatingsRequest,
        Rating, RatingKey, ResultRefusal, moderation_service_client::ModerationServiceClient,
        rating_internal_service_client::RatingInternalServiceClient,
        rating_service_client::RatingServiceClient,
    },
    time::timestamp,
    transport::{Transport, over},
};
use chassis::{
    Database, Env, Lifecycle, MockClock,
    auth::Caller,
    testing::{TestDatabase, as_account, as_service, databases},
};
use tonic::Status;
use uuid::Uuid;

use crate::members::Members;

/// One replica of the service.
#[derive(Clone)]
pub(crate) struct Replica {
    pub public: RatingServiceClient<Transport>,
    pub internal: RatingInternalServiceClient<Transport>,
    /// The internal service without any credential.
    pub bare: Transport,
    /// The public ones without any.
    pub public_transport: Transport,
    pub lifecycle: Lifecycle,
}

/// A database, a time, and one replica; more can be started.
pub(crate) struct Fixture {
    pub env: Env,
    pub time: MockClock,
    pub replica: Replica,
    pub members: Members,
    database: TestDatabase,
}

/// A fixture on each kind of database.
pub(crate) async fn fixtures() -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for database in databases().await {
        let start = time::OffsetDateTime::UNIX_EPOCH + Duration::from_hours(500_000);
        let (env, time) = Env::mock(start, 1);
        let members = Members::default();
        let replica = bind(&env, database.database.clone(), &members).await;
        fixtures.push(Fixture { env, time, replica, members, database });
    }
    fixtures
}

impl Fixture {
    /// One more replica on the same database, with connections of its own.
    pub(crate) async fn another(&self) -> Replica {
        let database = Database::open(&self.database.url).await.expect("the database opens again");
        bind(&self.env, database, &self.members).await
    }

    /// Takes the first replica's database away.
    pub(crate) async fn lose_database(&self) {
        self.database.database.clone().close().await;
    }

    /// The database.
    pub(crate) fn database(&self) -> &Database {
        &self.database.database
    }

    /// The name of the database, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        self.database.kind
    }

    /// A game of Go on a blitz clock that has just ended.
    pub(crate) fn game(&self, first: Uuid, second: Uuid, verdict: Verdict) -> ApplyResultRequest {
        ApplyResultRequest {
            game_id: self.env.uuid().to_string(),
            variant: "go".to_owned(),
            speed_class: SpeedClass::Blitz.into(),
            first_id: first.to_string(),
            first_name: "Shusaku".to_owned(),
            second_id: second.to_string(),
            second_name: "Gennan".to_owned(),
            verdict: verdict.into(),
            end_time: Some(timestamp(self.env.now())),
            sequence: 0,
            ..ApplyResultRequest::default()
        }
    }

    /// So many games between two players, won in turn, an hour apart.
    pub(crate) async fn series(&self, first: Uuid, second: Uuid, games: usize) {
        for number in 0..games {
            let verdict = if number % 2 == 0 { Verdict::FirstWins } else { Verdict::SecondWins };
            self.time.advance(Duration::from_hours(1));
            self.replica.apply(self.game(first, second, verdict)).await.expect("applied");
        }
    }
}

impl Replica {
    /// The moderation as somebody calls it.
    pub(crate) fn moderation(&self, caller: &Caller) -> ModerationServiceClient<Transport> {
        ModerationServiceClient::new(as_account(self.public_transport.clone(), caller.clone()))
    }

    /// Applies a result.
    pub(crate) async fn apply(&self, request: ApplyResultRequest) -> Result<ApplyResultResponse, Status> {
        self.internal.clone().apply_result(request).await.map(tonic::Response::into_inner)
    }

    /// Applies results, all in one call; those that were refused.
    pub(crate) async fn apply_all(
        &self,
        results: Vec<ApplyResultRequest>,
    ) -> Result<Vec<ResultRefusal>, Status> {
        let request = ApplyResultsRequest { results };
        self.internal.clone().apply_results(request).await.map(|answer| answer.into_inner().refusals)
    }

    /// Ratings of many, in their order.
    pub(crate) async fn look_up(&self, keys: &[(Uuid, &str, SpeedClass)]) -> Result<Vec<Rating>, Status> {
        let key = |(account, variant, speed): &(Uuid, &str, SpeedClass)| RatingKey {
            account_id: account.to_string(),
            variant: (*variant).to_owned(),
            speed_class: (*speed).into(),
        };
        let request = LookUpRatingsRequest { keys: keys.iter().map(key).collect() };
        self.internal.clone().look_up_ratings(request).await.map(|answer| answer.into_inner().ratings)
    }

    /// A player's rating for blitz Go, without [what a worker adds](without_history).
    pub(crate) async fn rating(&self, account: Uuid) -> Rating {
        let request = GetRatingRequest {
            account_id: account.to_string(),
            variant: "go".to_owned(),
            speed_class: SpeedClass::Blitz.into(),
            without_standing: false,
        };
        let answer = self.public.clone().get_rating(request).await.expect("everybody has a rating");
        without_history(answer.into_inner().rating.expect("present"))
    }
}

/// A rating without what the whole history says, which a worker adds between any two readings.
pub(crate) fn without_history(rating: Rating) -> Rating {
    Rating { by_history: None, ..rating }
}

async fn bind(env: &Env, database: Database, members: &Members) -> Replica {
    let lifecycle = Lifecycle::new();
    let (env, federation) = (env.clone(), members.transport());
    let deps = rating::Deps { env, database, lifecycle: lifecycle.clone(), federation };
    let routes = rating::bind(deps).await.expect("the service binds");
    let (bare, public_transport) = (over(routes.internal.prepare()), over(routes.public.prepare()));
    Replica {
        public: RatingServiceClient::new(public_transport.clone()),
        internal: RatingInternalServiceClient::new(as_service(bare.clone())),
        bare,
        public_transport,
        lifecycle,
    }
}

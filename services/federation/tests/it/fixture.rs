//! A fixture with one database, one live state, a double of identity, and a replica of the service.

use std::{sync::Arc, time::Duration};

use api::{
    federation::v1::{
        self as pb, document_service_client::DocumentServiceClient, event_service_client::EventServiceClient,
        exchange_service_client::ExchangeServiceClient,
        federation_internal_service_client::FederationInternalServiceClient,
        federation_service_client::FederationServiceClient, league_service_client::LeagueServiceClient,
        membership_service_client::MembershipServiceClient, notice_service_client::NoticeServiceClient,
        pairing_service_client::PairingServiceClient, rating_list_service_client::RatingListServiceClient,
        title_service_client::TitleServiceClient,
    },
    transport::{Transport, over},
};
use chassis::{
    Env, Lifecycle, MockClock,
    auth::Caller,
    testing::{self, TestDatabase, identity::Identity},
};
use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use time::OffsetDateTime;
use tonic::Status;

use crate::games::Games;

/// The service put together for a test.
pub(crate) struct Fixture {
    /// Which database and live state, for messages.
    pub kind: String,
    pub env: Env,
    pub time: MockClock,
    pub identity: Identity,
    pub games: Games,
    pub lifecycle: Lifecycle,
    transport: Transport,
    pub deps: federation::Deps,
    /// As a service of the platform.
    pub internal: FederationInternalServiceClient<Transport>,
    database: TestDatabase,
}

/// An account at the service.
#[derive(Clone)]
pub(crate) struct Person {
    pub caller: Caller,
    pub federations: FederationServiceClient<Transport>,
    pub membership: MembershipServiceClient<Transport>,
    pub events: EventServiceClient<Transport>,
    transport: Transport,
    env: Env,
}

/// A federation with its founder.
#[derive(Clone)]
pub(crate) struct Founded {
    pub id: String,
    pub founder: Person,
}

/// A fixture for each database, with each live state in turn.
pub(crate) async fn fixtures() -> Vec<Fixture> {
    // Chance of its own, so that nothing rests on a seed that happens to suit it.
    fixtures_of(u64::from_le_bytes(Env::system().bytes())).await
}

/// The same, all with the chance of one seed: ids are the same on each.
pub(crate) async fn fixtures_of(seed: u64) -> Vec<Fixture> {
    let mut places = vec!["memory".to_owned()];
    match std::env::var("SHOUTAN_TEST_REDIS") {
        Ok(url) => places.push(url),
        Err(_) => assert!(std::env::var("CI").is_err(), "in CI the tests must run on Redis"),
    }
    let mut fixtures = Vec::new();
    for (number, database) in testing::databases().await.into_iter().enumerate() {
        fixtures.push(Fixture::on(database, &places[number % places.len()], seed).await);
    }
    fixtures
}

impl Fixture {
    async fn on(database: TestDatabase, place: &str, seed: u64) -> Fixture {
        let start = OffsetDateTime::from_unix_timestamp(1_800_000_000).expect("in range");
        let (env, time) = Env::mock(start, seed);
        let live = live::Config::new(place).expect("a live state");
        // A place of its own in a Redis that others use, too.
        let prefix = format!("test-{}", Env::system().uuid().simple());
        let live = live.with_prefix(&prefix).expect("a prefix");
        let live = live::connect(&live).await.expect("the live state answers");
        let (identity, games, lifecycle) = (Identity::default(), Games::default(), Lifecycle::new());
        let deps = federation::Deps {
            env: env.clone(),
            database: database.database.clone(),
            vault: chassis::Vault::open_to_all(),
            live: Arc::clone(&live),
            lifecycle: lifecycle.clone(),
            game: games.transport(),
            identity: identity.transport(),
        };
        let routes = federation::bind(deps.clone()).await.expect("the service binds");
        let kind = format!("{} and {}", database.kind, place.split(':').next().unwrap_or_default());
        let transport = over(routes.public.prepare());
        let internal = FederationInternalServiceClient::new(testing::as_service(over(routes.internal)));
        Fixture { kind, env, time, identity, games, lifecycle, transport, deps, internal, database }
    }

    /// The service started anew on the same database, with nothing in its memory.
    pub(crate) async fn restart(&mut self) {
        self.lifecycle = Lifecycle::new();
        self.deps.lifecycle = self.lifecycle.clone();
        let routes = federation::bind(self.deps.clone()).await.expect("the service binds");
        self.transport = over(routes.public.prepare());
        self.internal = FederationInternalServiceClient::new(testing::as_service(over(routes.internal)));
    }

    /// Another replica on the same database, as somebody calls it.
    pub(crate) async fn replica(&self, person: &Person) -> RatingListServiceClient<Transport> {
        let routes = federation::bind(self.deps.clone()).await.expect("the service binds");
        let transport = over(routes.public.prepare());
        RatingListServiceClient::new(testing::as_account(transport, person.caller.clone()))
    }

    /// The database itself, for who spoils what is stored.
    pub(crate) const fn database(&self) -> &chassis::Database {
        &self.database.database
    }

    /// Whether any row of the database, or any byte of its file, has a text. A row of PostgreSQL is read as it prints it.
    pub(crate) async fn has_stored(&self, text: &str) -> bool {
        if let Some(file) = self.database.url.strip_prefix("sqlite://") {
            let files = ["", "-wal"].map(|end| std::fs::read(format!("{file}{end}")).unwrap_or_default());
            assert!(files.iter().map(Vec::len).sum::<usize>() > 4096, "the file is read");
            return files.iter().any(|it| it.windows(text.len()).any(|part| part == text.as_bytes()));
        }
        let all = "SELECT string_agg(format('SELECT %I::text AS it FROM %I', table_name, table_name), ' UNION ALL ') \
                   AS it FROM information_schema.tables WHERE table_schema = 'public'";
        let on = self.database().read();
        let query = |sql: String| Statement::from_string(DbBackend::Postgres, sql);
        let tables = on.query_one_raw(query(all.to_owned())).await.expect("asked").expect("a row");
        let tables: String = tables.try_get("", "it").expect("a text");
        let rows = on.query_all_raw(query(tables)).await.expect("every row");
        let bytes = hex::encode(text);
        let has = |row: String| row.contains(text) || row.contains(&bytes);
        rows.iter().any(|row| has(row.try_get("", "it").expect("a text")))
    }

    /// Somebody as he calls the service since it was started anew.
    pub(crate) fn again(&self, person: &Person) -> Person {
        self.enter(person.caller.clone())
    }

    /// An account that identity knows.
    pub(crate) fn person(&self, name: &str) -> Person {
        self.enter(testing::player(&self.env, name))
    }

    /// A guest that identity knows.
    pub(crate) fn guest(&self) -> Person {
        self.enter(Caller { guest: true, ..testing::player(&self.env, "guest-1") })
    }

    fn enter(&self, caller: Caller) -> Person {
        self.identity.know(&caller);
        let transport = testing::as_account(self.transport.clone(), caller.clone());
        Person {
            caller,
            federations: FederationServiceClient::new(transport.clone()),
            membership: MembershipServiceClient::new(transport.clone()),
            events: EventServiceClient::new(transport.clone()),
            transport,
            env: self.env.clone(),
        }
    }

    /// Somebody without an account.
    pub(crate) fn stranger(&self) -> FederationServiceClient<Transport> {
        FederationServiceClient::new(self.transport.clone())
    }

    /// Whoever tells accounts what concerns them, as somebody without one calls him.
    pub(crate) fn notices(&self) -> NoticeServiceClient<Transport> {
        NoticeServiceClient::new(self.transport.clone())
    }

    /// Whoever judges reports, as somebody without an account calls him.
    pub(crate) fn reports(&self) -> PairingServiceClient<Transport> {
        PairingServiceClient::new(self.transport.clone())
    }

    /// The way to the service for whoever has no account.
    pub(crate) fn public(&self) -> Transport {
        self.transport.clone()
    }

    /// A federation that is open.
    pub(crate) async fn federation(&self) -> Founded {
        let founder = self.person("founder");
        let federation = pb::Federation {
            name: name(&format!("Federation {}", self.env.uuid()), ""),
            open: true,
            ..pb::Federation::default()
        };
        let federation = founder.found(federation).await.expect("founded");
        Founded { id: federation.federation_id, founder }
    }
}

impl Person {
    /// His way to the service.
    pub(crate) fn transport(&self) -> Transport {
        self.transport.clone()
    }

    /// Where he reads and publishes rating lists.
    pub(crate) fn ratings(&self) -> RatingListServiceClient<Transport> {
        RatingListServiceClient::new(self.transport.clone())
    }

    /// Where he proposes and awards titles.
    pub(crate) fn titles(&self) -> TitleServiceClient<Transport> {
        TitleServiceClient::new(self.transport.clone())
    }

    /// Where he runs leagues.
    pub(crate) fn leagues(&self) -> LeagueServiceClient<Transport> {
        LeagueServiceClient::new(self.transport.clone())
    }

    /// Where he has papers made, and posts them.
    pub(crate) fn documents(&self) -> DocumentServiceClient<Transport> {
        DocumentServiceClient::new(self.transport.clone())
    }

    /// Where he sends files and fetches them.
    pub(crate) fn exchange(&self) -> ExchangeServiceClient<Transport> {
        ExchangeServiceClient::new(self.transport.clone())
    }

    /// Where he reads his notices.
    pub(crate) fn notices(&self) -> NoticeServiceClient<Transport> {
        NoticeServiceClient::new(self.transport.clone())
    }

    pub(crate) fn id(&self) -> String {
        self.caller.id.to_string()
    }

    /// A new id of a request.
    pub(crate) fn request(&self) -> String {
        self.env.uuid().to_string()
    }

    pub(crate) async fn found(&self, federation: pb::Federation) -> Result<pb::Federation, Status> {
        let request = pb::CreateFederationRequest {
            federation: Some(federation),
            request_id: self.request(),
            validate_only: false,
        };
        let answer = self.federations.clone().create_federation(request).await?;
        Ok(answer.into_inner().federation.expect("present"))
    }

    pub(crate) async fn club(&self, federation: &str, native: &str) -> Result<pb::Club, Status> {
        let club = pb::Club {
            federation_id: federation.to_owned(),
            name: name(native, "Club"),
            ..pb::Club::default()
        };
        let request =
            pb::CreateClubRequest { club: Some(club), request_id: self.request(), validate_only: false };
        let answer = self.federations.clone().create_club(request).await?;
        Ok(answer.into_inner().club.expect("present"))
    }

    pub(crate) async fn enrol(&self, request: pb::CreateMemberRequest) -> Result<pb::Member, Status> {
        let request = pb::CreateMemberRequest { request_id: self.request(), ..request };
        let answer = self.federations.clone().create_member(request).await?;
        Ok(answer.into_inner().member.expect("present"))
    }

    /// Makes somebody of this name a member.
    pub(crate) async fn member(&self, federation: &str, native: &str) -> pb::Member {
        self.enrol(enrolment(federation, native)).await.expect("a member")
    }

    /// Moves a member to a club, from today on.
    pub(crate) async fn transfer(&self, member_id: &str, club_id: &str) -> Result<pb::Member, Status> {
        let request = pb::TransferMemberRequest {
            member_id: member_id.to_owned(),
            club_id: club_id.to_owned(),
            request_id: self.request(),
            ..pb::TransferMemberRequest::default()
        };
        let answer = self.federations.clone().transfer_member(request).await?;
        Ok(answer.into_inner().member.expect("present"))
    }

    pub(crate) async fn get(&self, member_id: &str) -> pb::Member {
        let request = pb::GetMemberRequest { member_id: member_id.to_owned() };
        let answer = self.federations.clone().get_member(request).await.expect("a member");
        answer.into_inner().member.expect("present")
    }

    pub(crate) async fn bind(&self, member_id: &str, account_id: &str) -> Result<pb::Member, Status> {
        let request = pb::BindAccountRequest {
            member_id: member_id.to_owned(),
            account_id: account_id.to_owned(),
            request_id: self.request(),
            ..pb::BindAccountRequest::default()
        };
        let answer = self.federations.clone().bind_account(request).await?;
        Ok(answer.into_inner().member.expect("present"))
    }

    pub(crate) async fn appoint(
        &self,
        federation: &str,
        account_id: &str,
        role: pb::OfficialRole,
    ) -> Result<pb::Official, Status> {
        let request = pb::GrantOfficialRequest {
            federation_id: federation.to_owned(),
            account_id: account_id.to_owned(),
            role: role.into(),
            request_id: self.request(),
            validate_only: false,
        };
        let answer = self.membership.clone().grant_official(request).await?;
        Ok(answer.into_inner().official.expect("present"))
    }

    pub(crate) async fn dismiss(
        &self,
        federation: &str,
        account_id: &str,
        role: pb::OfficialRole,
    ) -> Result<pb::Official, Status> {
        let request = pb::RevokeOfficialRequest {
            federation_id: federation.to_owned(),
            account_id: account_id.to_owned(),
            role: role.into(),
            request_id: self.request(),
            validate_only: false,
        };
        let answer = self.membership.clone().revoke_official(request).await?;
        Ok(answer.into_inner().official.expect("present"))
    }

    /// The members of a federation, as a list says that asks for this.
    pub(crate) async fn members(&self, request: pb::ListMembersRequest) -> Vec<pb::Member> {
        let answer = self.federations.clone().list_members(request).await.expect("a list");
        answer.into_inner().members
    }
}

/// A name, as messages have it.
#[expect(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
pub(crate) fn name(native: &str, latin: &str) -> Option<pb::Name> {
    Some(pb::Name { native: native.to_owned(), latin: latin.to_owned() })
}

/// What makes somebody of this name a member.
pub(crate) fn enrolment(federation: &str, native: &str) -> pb::CreateMemberRequest {
    let latin = if native.is_ascii() { "" } else { "Somebody" };
    let member = pb::Member {
        federation_id: federation.to_owned(),
        name: name(native, latin),
        ..pb::Member::default()
    };
    pb::CreateMemberRequest { member: Some(member), ..pb::CreateMemberRequest::default() }
}

/// The reason of a refusal.
pub(crate) fn reason<T: std::fmt::Debug>(answer: Result<T, Status>) -> String {
    api::error::reason(&answer.expect_err("it is refused"))
}

/// Waits for what is done in the background.
pub(crate) async fn soon<T>(waited: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), waited).await.expect("it happens soon")
}

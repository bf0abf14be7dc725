//! A federation service that knows who is a member of what.

use std::sync::{Arc, Mutex, MutexGuard};

use api::{
    federation::v1::{
        FollowNoticesRequest, FollowNoticesResponse, ListComingGamesRequest, ListComingGamesResponse,
        ListEventTimesRequest, ListEventTimesResponse, ListMemberAccountsRequest, ListMemberAccountsResponse,
        MemberAccount, NoteGameRequest, NoteGameResponse, PutNoticesRequest, PutNoticesResponse,
        RecordGameRequest, RecordGameResponse,
        federation_internal_service_server::{FederationInternalService, FederationInternalServiceServer},
    },
    transport::{Transport, over},
};
use chassis::{auth, testing::as_service};
use futures::stream;
use tonic::{Request, Response, Status};
use uuid::Uuid;

/// Members; clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members(Arc<Mutex<Known>>);

/// What it knows.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Federation, account, and the days of the first and behind the last on which he is a member, as they are written.
    pub members: Vec<(Uuid, Uuid, &'static str, &'static str)>,
    /// Officials, each with the federation.
    pub officials: Vec<(Uuid, Uuid)>,
    /// Whether it answers nobody.
    pub silent: bool,
    /// How often it was asked.
    pub calls: usize,
}

impl Members {
    pub(crate) fn transport(&self) -> Transport {
        as_service(over(FederationInternalServiceServer::new(self.clone())))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().expect("nobody panics")
    }

    /// Makes accounts members, for ever.
    pub(crate) fn join(&self, federation: Uuid, accounts: &[Uuid]) {
        let members = accounts.iter().map(|account| (federation, *account, "0000-00-00", "9999-99-99"));
        self.lock().members.extend(members);
    }
}

#[tonic::async_trait]
impl FederationInternalService for Members {
    type FollowNoticesStream = stream::Empty<Result<FollowNoticesResponse, Status>>;
    type ListMemberAccountsStream =
        stream::Iter<std::vec::IntoIter<Result<ListMemberAccountsResponse, Status>>>;

    async fn list_member_accounts(
        &self,
        request: Request<ListMemberAccountsRequest>,
    ) -> Result<Response<Self::ListMemberAccountsStream>, Status> {
        auth::require_service(&request)?;
        let ListMemberAccountsRequest { federation_id, date } = request.into_inner();
        let silent = {
            let mut known = self.lock();
            known.calls += 1;
            known.silent
        };
        if silent {
            std::future::pending::<()>().await;
        }
        let known = self.lock();
        let day = date.as_str();
        let is_asked = |(federation, _, from, until): &&(Uuid, Uuid, &'static str, &'static str)| {
            (federation_id.is_empty() || federation.to_string() == federation_id)
                && (*from..*until).contains(&day)
        };
        let told = known.members.iter().filter(is_asked).map(|(federation, account, ..)| MemberAccount {
            federation_id: federation.to_string(),
            account_id: account.to_string(),
        });
        let told: Vec<MemberAccount> = told.collect();
        let is_official = |(federation, _): &&(Uuid, Uuid)| federation.to_string() == federation_id;
        let officials = known.officials.iter().filter(is_official).map(|(_, account)| account.to_string());
        let first = ListMemberAccountsResponse { members: Vec::new(), official_ids: officials.collect() };
        let chunks = told.chunks(2).map(|members| {
            Ok(ListMemberAccountsResponse { members: members.to_vec(), official_ids: Vec::new() })
        });
        let all: Vec<_> = std::iter::once(Ok(first)).chain(chunks).collect();
        Ok(Response::new(stream::iter(all)))
    }

    async fn record_game(
        &self,
        _: Request<RecordGameRequest>,
    ) -> Result<Response<RecordGameResponse>, Status> {
        Err(Status::unimplemented("ratings tell of no results"))
    }

    async fn note_game(&self, _: Request<NoteGameRequest>) -> Result<Response<NoteGameResponse>, Status> {
        Err(Status::unimplemented("ratings tell of no games"))
    }

    async fn put_notices(
        &self,
        _: Request<PutNoticesRequest>,
    ) -> Result<Response<PutNoticesResponse>, Status> {
        Err(Status::unimplemented("ratings bring no notices"))
    }

    async fn follow_notices(
        &self,
        _: Request<FollowNoticesRequest>,
    ) -> Result<Response<Self::FollowNoticesStream>, Status> {
        Err(Status::unimplemented("ratings follow nobody"))
    }

    async fn list_coming_games(
        &self,
        _: Request<ListComingGamesRequest>,
    ) -> Result<Response<ListComingGamesResponse>, Status> {
        Err(Status::unimplemented("ratings ask for no games"))
    }

    async fn list_event_times(
        &self,
        _: Request<ListEventTimesRequest>,
    ) -> Result<Response<ListEventTimesResponse>, Status> {
        Err(Status::unimplemented("ratings ask for no games"))
    }
}

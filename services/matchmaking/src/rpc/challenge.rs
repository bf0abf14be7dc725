//! Challenges on the wire.

use api::{
    board::v1::Side,
    federation::v1::EventTime,
    matchmaking::v1::{
        AcceptChallengeRequest, AcceptChallengeResponse, ArrangedGame, CallOffArrangedGameRequest,
        CallOffArrangedGameResponse, CreateChallengeRequest, CreateChallengeResponse,
        DeclineChallengeRequest, DeclineChallengeResponse, GetChallengeRequest, GetChallengeResponse,
        ListArrangedGamesRequest, ListArrangedGamesResponse, ListChallengesRequest, ListChallengesResponse,
        ListOpenChallengesRequest, ListOpenChallengesResponse, WatchOpenChallengesRequest,
        WatchOpenChallengesResponse, WithdrawChallengeRequest, WithdrawChallengeResponse,
        challenge_service_server::ChallengeService,
    },
};
use chassis::{
    auth::{self, Caller, Scope},
    id::{ChallengeId, GameId, TicketId},
    page::Page,
};
use futures::{StreamExt as _, stream, stream::BoxStream};
use time::OffsetDateTime;
use tonic::{Request, Response, Status};

use crate::{
    app::{Accepted, Challenges},
    core::{ArrangedPlace, ChallengePlace},
    wire::{self, NewChallenge},
};

/// What everybody may call about challenges.
pub(crate) struct ChallengeApi(pub Challenges);

impl ChallengeApi {
    /// The games that a caller has arranged beside one that begins at a time, and where he plays in events.
    async fn conflicts(
        &self,
        caller: &Caller,
        starts: Option<OffsetDateTime>,
        but: Option<GameId>,
    ) -> Result<(Vec<ArrangedGame>, Vec<EventTime>), Status> {
        let Some(starts) = starts else { return Ok(Default::default()) };
        let (arranged, of_events) = self.0.conflicts(caller.id, starts, but).await?;
        Ok((arranged.iter().map(wire::arranged).collect(), of_events))
    }
}

#[tonic::async_trait]
impl ChallengeService for ChallengeApi {
    type WatchOpenChallengesStream = BoxStream<'static, Result<WatchOpenChallengesResponse, Status>>;

    async fn create_challenge(
        &self,
        request: Request<CreateChallengeRequest>,
    ) -> Result<Response<CreateChallengeResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let made = self.0.create(&caller, NewChallenge::try_from(request.into_inner())?).await?;
        let challenge = Some(wire::challenge(&made, self.0.now()));
        let (conflicts, event_conflicts) = self.conflicts(&caller, made.starts, made.game).await?;
        Ok(Response::new(CreateChallengeResponse { challenge, conflicts, event_conflicts }))
    }

    async fn accept_challenge(
        &self,
        request: Request<AcceptChallengeRequest>,
    ) -> Result<Response<AcceptChallengeResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let AcceptChallengeRequest { challenge_id, secret, ticket_id } = request.into_inner();
        let id = ChallengeId::parse(&challenge_id, "challenge_id")?;
        let ticket = TicketId::parse(&ticket_id, "ticket_id")?;
        let Accepted { game, side, starts } = self.0.accept(&caller, id, wire::hash(&secret), ticket).await?;
        let (conflicts, event_conflicts) = self.conflicts(&caller, starts, Some(game)).await?;
        Ok(Response::new(AcceptChallengeResponse {
            game_id: game.to_string(),
            side: side.map_or(Side::Unspecified, Side::from).into(),
            start_time: starts.map(api::time::timestamp),
            conflicts,
            event_conflicts,
        }))
    }

    async fn decline_challenge(
        &self,
        request: Request<DeclineChallengeRequest>,
    ) -> Result<Response<DeclineChallengeResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let request = request.into_inner();
        let id = ChallengeId::parse(&request.challenge_id, "challenge_id")?;
        self.0.decline(&caller, id, request.reason().try_into().ok()).await?;
        Ok(Response::new(DeclineChallengeResponse {}))
    }

    async fn withdraw_challenge(
        &self,
        request: Request<WithdrawChallengeRequest>,
    ) -> Result<Response<WithdrawChallengeResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let id = ChallengeId::parse(&request.into_inner().challenge_id, "challenge_id")?;
        self.0.withdraw(&caller, id).await?;
        Ok(Response::new(WithdrawChallengeResponse {}))
    }

    async fn get_challenge(
        &self,
        request: Request<GetChallengeRequest>,
    ) -> Result<Response<GetChallengeResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let GetChallengeRequest { challenge_id, secret } = request.into_inner();
        let id = ChallengeId::parse(&challenge_id, "challenge_id")?;
        let found = self.0.shown(caller.id, id, wire::hash(&secret)).await?;
        let challenge = Some(wire::challenge(&found, self.0.now()));
        Ok(Response::new(GetChallengeResponse { challenge }))
    }

    async fn list_challenges(
        &self,
        request: Request<ListChallengesRequest>,
    ) -> Result<Response<ListChallengesResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let ListChallengesRequest { open, page_size, page_token } = request.into_inner();
        let page: Page<ChallengePlace> =
            Page::of(format!("challenges {} {open}", caller.id), page_size, &page_token)?;
        let (found, next_page_token) = self.0.list(caller.id, open, &page).await?;
        let challenges = found.iter().map(|it| wire::challenge(it, self.0.now())).collect();
        Ok(Response::new(ListChallengesResponse { challenges, next_page_token }))
    }

    async fn list_open_challenges(
        &self,
        request: Request<ListOpenChallengesRequest>,
    ) -> Result<Response<ListOpenChallengesResponse>, Status> {
        let (variant, page) = wire::open_page(request.get_ref())?;
        let (found, next_page_token) = self.0.list_open(variant, &page).await?;
        let challenges = found.iter().map(|it| wire::challenge(it, self.0.now())).collect();
        Ok(Response::new(ListOpenChallengesResponse { challenges, next_page_token }))
    }

    async fn list_arranged_games(
        &self,
        request: Request<ListArrangedGamesRequest>,
    ) -> Result<Response<ListArrangedGamesResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let ListArrangedGamesRequest { coming, page_size, page_token } = request.into_inner();
        let list = format!("arranged games {} {coming}", caller.id);
        let page = Page::<ArrangedPlace>::of(list, page_size, &page_token)?;
        let (games, next_page_token) = self.0.list_arranged(caller.id, coming, &page).await?;
        let games = games.iter().map(wire::arranged).collect();
        Ok(Response::new(ListArrangedGamesResponse { games, next_page_token }))
    }

    async fn call_off_arranged_game(
        &self,
        request: Request<CallOffArrangedGameRequest>,
    ) -> Result<Response<CallOffArrangedGameResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let game = GameId::parse(&request.into_inner().game_id, "game_id")?;
        self.0.call_off(&caller, game).await?;
        Ok(Response::new(CallOffArrangedGameResponse {}))
    }

    async fn watch_open_challenges(
        &self,
        request: Request<WatchOpenChallengesRequest>,
    ) -> Result<Response<Self::WatchOpenChallengesStream>, Status> {
        let (sought, number) = wire::sought(request.get_ref())?;
        let place = request.get_ref().after_number;
        let watch = self.0.watch(sought, number).await?;
        let challenges = self.0.clone();
        let told = stream::unfold(watch, async |mut watch| watch.next().await.map(|news| (news, watch))).map(
            move |news| news.map(|news| wire::lobby_news(&news, challenges.now())).map_err(Status::from),
        );
        Ok(Response::new(self.0.tickets.maintenance.said_on(told, place)))
    }
}

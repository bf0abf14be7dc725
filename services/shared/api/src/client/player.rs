//! A signed-in account.

use std::{
    fmt,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use tonic::Status;

use super::{ANSWER_BYTES_MAX, GameStream, Ids, RetryPolicy, with_retry};
use crate::{
    board::v1::Side,
    error,
    game::v1::{GetGameRequest, game_service_client::GameServiceClient},
    identity::v1::{
        Account, RefreshRequest, RegisterGuestRequest, RegisterRequest, Session, SignInRequest,
        SignOutRequest, identity_service_client::IdentityServiceClient,
    },
    matchmaking::v1::{
        AnswerOfferRequest, CancelTicketRequest, EnqueueRequest, GameSettings,
        enqueue_response::{Matched, Offered, State},
        matchmaking_service_client::MatchmakingServiceClient,
    },
    reason,
    transport::{Transport, with_bearer},
};

/// A token that expires sooner than this is exchanged before the next call.
const FRESH: Duration = Duration::from_mins(2);

/// How long to wait before going back to a queue whose stream broke.
const RECONNECT_PAUSE: Duration = Duration::from_millis(200);

/// How to sign in.
#[derive(Clone)]
pub enum Credentials {
    /// Make a new guest account.
    Guest,
    /// Make a new account.
    New {
        /// Its name.
        name: String,
        /// Its password.
        password: String,
    },
    /// Make a new account with which a program plays.
    Bot {
        /// Its name.
        name: String,
        /// Its password.
        password: String,
    },
    /// Use an account that exists.
    Existing {
        /// Its name.
        name: String,
        /// Its password.
        password: String,
    },
}

/// An account that is signed in, and stays so.
#[derive(Clone)]
pub struct Player {
    account: Account,
    plain: Transport,
    transport: Transport,
    session: Arc<RwLock<Session>>,
    refreshing: Arc<tokio::sync::Mutex<()>>,
    ids: Ids,
}

impl Player {
    /// Signs in.
    ///
    /// # Errors
    /// What the server says.
    pub async fn sign_in(transport: Transport, credentials: Credentials, ids: Ids) -> Result<Self, Status> {
        let identity = IdentityServiceClient::new(transport.clone());
        let request_id = ids().to_string();
        let policy = RetryPolicy::default();
        let bot = matches!(credentials, Credentials::Bot { .. });
        let (account, session) = match credentials {
            Credentials::Guest => {
                let request = RegisterGuestRequest { request_id };
                let call = || async { identity.clone().register_guest(request.clone()).await };
                let answer = with_retry(policy, call).await?;
                (answer.account, answer.session)
            }
            Credentials::New { name, password } | Credentials::Bot { name, password } => {
                let request = RegisterRequest { name, password, request_id, bot };
                let answer =
                    with_retry(policy, || async { identity.clone().register(request.clone()).await }).await?;
                (answer.account, answer.session)
            }
            Credentials::Existing { name, password } => {
                let request = SignInRequest { name, password, device_mark: String::new() };
                let answer =
                    with_retry(policy, || async { identity.clone().sign_in(request.clone()).await }).await?;
                (answer.account, answer.session)
            }
        };
        let (account, session) = (account.ok_or_else(incomplete)?, session.ok_or_else(incomplete)?);
        let session = Arc::new(RwLock::new(session));
        let held = Arc::clone(&session);
        let token = move || Some(held.read().unwrap_or_else(PoisonError::into_inner).access_token.clone());
        Ok(Player {
            account,
            transport: with_bearer(transport.clone(), token),
            plain: transport,
            session,
            refreshing: Arc::default(),
            ids,
        })
    }

    /// The account.
    pub const fn account(&self) -> &Account {
        &self.account
    }

    /// A transport on which every request carries the account's token.
    pub fn transport(&self) -> Transport {
        self.transport.clone()
    }

    /// A client of the game service.
    pub fn games(&self) -> GameServiceClient<Transport> {
        GameServiceClient::new(self.transport()).max_decoding_message_size(ANSWER_BYTES_MAX)
    }

    /// A new id for a request.
    pub fn new_id(&self) -> String {
        (self.ids)().to_string()
    }

    /// Exchanges the tokens if they expire soon. `now` is the caller's time.
    ///
    /// # Errors
    /// When the server ended the session.
    pub async fn stay_signed_in(&self, now: time::OffsetDateTime) -> Result<(), Status> {
        let _one_at_a_time = self.refreshing.lock().await;
        let (expires, refresh_token) = {
            let session = self.session.read().unwrap_or_else(PoisonError::into_inner);
            (
                session.access_expire_time.and_then(|time| crate::time::moment(&time)),
                session.refresh_token.clone(),
            )
        };
        if expires.is_some_and(|expires| expires - now > FRESH) {
            return Ok(());
        }
        let request = RefreshRequest { refresh_token, request_id: self.new_id() };
        let identity = IdentityServiceClient::new(self.plain.clone());
        let answer =
            with_retry(RetryPolicy::default(), || async { identity.clone().refresh(request.clone()).await })
                .await?;
        *self.session.write().unwrap_or_else(PoisonError::into_inner) =
            answer.session.ok_or_else(incomplete)?;
        Ok(())
    }

    /// Ends the session. What the account had open elsewhere stays open.
    ///
    /// # Errors
    /// When the server cannot be reached.
    pub async fn sign_out(&self) -> Result<(), Status> {
        let refresh_token = self.session.read().unwrap_or_else(PoisonError::into_inner).refresh_token.clone();
        let request = SignOutRequest { refresh_token };
        let identity = IdentityServiceClient::new(self.plain.clone());
        with_retry(RetryPolicy::default(), || async { identity.clone().sign_out(request.clone()).await })
            .await?;
        Ok(())
    }

    /// Waits in a queue until a game is found, and comes to it; reconnects to the same ticket when the stream breaks.
    /// Play begins, and the first clock runs, once the opponent has come too: before that no move is taken.
    ///
    /// # Errors
    /// What the server says; NOT_FOUND when the ticket was cancelled or expired.
    pub async fn find_game(
        &self,
        settings: GameSettings,
        waiting: impl FnMut(&State) + Send,
    ) -> Result<(String, Side), Status> {
        let matched = self.hold_ticket(&self.ticket(settings), waiting).await?;
        self.come_to(&matched.game_id).await?;
        Ok((matched.game_id, Side::try_from(matched.side).unwrap_or_default()))
    }

    /// A new ticket for a game, in the window of who sets none.
    pub fn ticket(&self, settings: GameSettings) -> EnqueueRequest {
        EnqueueRequest {
            ticket_id: self.new_id(),
            settings: Some(settings),
            max_rating_difference: 0,
            ..EnqueueRequest::default()
        }
    }

    /// The same with a ticket that is known, so that it can be cancelled, and without coming to the game: whoever then
    /// watches it, or asks anything else about it, has come. A long game that is offered is accepted.
    ///
    /// # Errors
    /// As [`Player::find_game`].
    pub async fn hold_ticket(
        &self,
        ticket: &EnqueueRequest,
        waiting: impl FnMut(&State) + Send,
    ) -> Result<Matched, Status> {
        self.hold_ticket_and_decide(ticket, waiting, async |_| true).await
    }

    /// The same with a decision about each long game that is offered. While it is made nothing else is heard.
    ///
    /// # Errors
    /// As [`Player::find_game`].
    pub async fn hold_ticket_and_decide(
        &self,
        ticket: &EnqueueRequest,
        mut waiting: impl FnMut(&State) + Send,
        mut decide: impl AsyncFnMut(&Offered) -> bool,
    ) -> Result<Matched, Status> {
        let queue = MatchmakingServiceClient::new(self.transport());
        loop {
            let call = || async { queue.clone().enqueue(ticket.clone()).await };
            let mut stream = with_retry(RetryPolicy::default(), call).await?;
            loop {
                let state = match stream.message().await {
                    Ok(Some(answer)) => answer.state,
                    Ok(None) => break,
                    Err(status) if super::is_retryable(&status) => break,
                    Err(status) => return Err(status),
                };
                if let Some(state) = &state {
                    waiting(state);
                }
                match state {
                    Some(State::Matched(matched)) => return Ok(matched),
                    Some(State::Cancelled(_) | State::Expired(_)) => {
                        return Err(Status::not_found("the ticket was cancelled or has expired"));
                    }
                    Some(State::Offered(offered)) if !offered.accepted => {
                        let accept = decide(&offered).await;
                        self.answer_offer(&ticket.ticket_id, accept).await?;
                    }
                    Some(State::Waiting(_) | State::Offered(_)) | None => {}
                }
            }
            tokio::time::sleep(RECONNECT_PAUSE).await;
        }
    }

    /// Lets the platform see that the player knows of his game.
    ///
    /// # Errors
    /// What the server says.
    pub async fn come_to(&self, game_id: &str) -> Result<(), Status> {
        let request = GetGameRequest { game_id: game_id.to_owned() };
        let games = self.games();
        with_retry(RetryPolicy::default(), || async { games.clone().get_game(request.clone()).await })
            .await?;
        Ok(())
    }

    /// Accepts or declines the long game that is offered to a ticket. One that is offered no more is no error: the ticket's stream
    /// says what has become of it.
    async fn answer_offer(&self, ticket_id: &str, accept: bool) -> Result<(), Status> {
        let request = AnswerOfferRequest { ticket_id: ticket_id.to_owned(), accept };
        let queue = MatchmakingServiceClient::new(self.transport());
        let call = || async { queue.clone().answer_offer(request.clone()).await };
        match with_retry(RetryPolicy::default(), call).await {
            Err(status) if error::reason(&status) != reason::NOT_OFFERED => Err(status),
            _ => Ok(()),
        }
    }

    /// Withdraws a ticket that still waits.
    ///
    /// # Errors
    /// FAILED_PRECONDITION with TICKET_MATCHED when it has become a game; NOT_FOUND for an unknown one.
    pub async fn cancel_ticket(&self, ticket_id: &str) -> Result<(), Status> {
        let request = CancelTicketRequest { ticket_id: ticket_id.to_owned() };
        let queue = MatchmakingServiceClient::new(self.transport());
        let call = || async { queue.clone().cancel_ticket(request.clone()).await };
        with_retry(RetryPolicy::default(), call).await?;
        Ok(())
    }

    /// Watches a game, from its current state on.
    pub fn watch(&self, game_id: &str) -> GameStream {
        GameStream::new(self.transport(), game_id)
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("account", &self.account.name).finish_non_exhaustive()
    }
}

pub(super) fn incomplete() -> Status {
    crate::Error::new(tonic::Code::Internal, reason::INCOMPLETE_ANSWER, "the server's answer lacks a part")
        .into()
}

//! The attacks: what is called, how often, and by how many.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use api::{
    client::ANSWER_BYTES_MAX,
    game::v1::{
        ChatRoom, DropProposalRequest, ExportRecordRequest, GetGameRequest, ImportRecordRequest,
        ListGamesRequest, Proposal, ProposeRequest, SendMessageRequest, SuggestActRequest, WatchRequest,
        chat_service_client::ChatServiceClient, game_service_client::GameServiceClient, proposal,
    },
    identity::v1::{RegisterGuestRequest, SignInRequest, identity_service_client::IdentityServiceClient},
    transport::Transport,
};
use chassis::Env;
use http::uri::PathAndQuery;
use prost::Message;
use tokio::{
    net::{TcpSocket, TcpStream},
    task::JoinSet,
    time::MissedTickBehavior,
};
use tonic::{Code, Request, Status};
use tonic_prost::ProstCodec;

use crate::attackers::{Attackers, Target, address, way_from};

/// How long an attacker waits for an answer.
const ANSWER: Duration = Duration::from_secs(10);
/// Connections that say nothing.
const SILENT: usize = 2000;
/// Streams that nobody reads.
const UNREAD: usize = 200;
/// How long an attacker holds what he holds, if he is not stopped before.
const HOLD: Duration = Duration::from_mins(5);

/// An attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attack {
    /// Anybody reads the longest game.
    GetGame,
    /// Anybody reads the longest pages of games.
    ListGames,
    /// A player asks what stones are dead.
    SuggestAct,
    /// Anybody exports the longest game.
    ExportRecord,
    /// Connections that say nothing.
    Silent,
    /// Streams of the longest game that nobody reads.
    Watch,
    /// Somebody imports the longest record.
    ImportRecord,
    /// Many addresses guess a password.
    SignIn,
    /// A few addresses make guests.
    RegisterGuest,
    /// Two players talk without end.
    SendMessage,
    /// A player proposes something and withdraws it.
    Propose,
}

impl Attack {
    /// All of them.
    pub(crate) const ALL: [Attack; 11] = [
        Attack::GetGame,
        Attack::ListGames,
        Attack::SuggestAct,
        Attack::ExportRecord,
        Attack::Silent,
        Attack::Watch,
        Attack::ImportRecord,
        Attack::SignIn,
        Attack::RegisterGuest,
        Attack::SendMessage,
        Attack::Propose,
    ];

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Attack::GetGame => "long game",
            Attack::ListGames => "pages of games",
            Attack::SuggestAct => "suggestions",
            Attack::ExportRecord => "exports",
            Attack::Silent => "silent connections",
            Attack::Watch => "unread streams",
            Attack::ImportRecord => "imports",
            Attack::SignIn => "wrong passwords",
            Attack::RegisterGuest => "guests",
            Attack::SendMessage => "chat",
            Attack::Propose => "proposals",
        }
    }

    /// Who calls at the same time, and how often each a second.
    const fn loops(self) -> (u8, f64) {
        match self {
            Attack::GetGame => (24, 10.0),
            Attack::ListGames | Attack::SuggestAct | Attack::ExportRecord => (16, 5.0),
            Attack::ImportRecord => (4, 4.0),
            Attack::SignIn => (100, 0.5),
            Attack::RegisterGuest => (20, 5.0),
            Attack::SendMessage | Attack::Propose => (8, 10.0),
            // From few addresses: more than each may have.
            Attack::Silent => (3, 0.0),
            Attack::Watch => (20, 0.0),
        }
    }

    /// The address of one of its callers.
    pub(crate) const fn address(self, caller: u8) -> IpAddr {
        address(self as u8 + 1, caller)
    }

    /// Begins it.
    pub(crate) fn begin(self, attackers: &Attackers, target: Target<'_>) -> Wave {
        let mut tasks = JoinSet::new();
        let counts = Arc::<Counts>::default();
        let (callers, per_s) = self.loops();
        for caller in 0..callers {
            let caller = Caller {
                attack: self,
                number: caller,
                url: target.url().to_owned(),
                attackers: attackers.clone(),
                own: matches!(target, Target::Platform(_)),
                counts: Arc::clone(&counts),
            };
            match self {
                Attack::Silent => drop(tasks.spawn(caller.say_nothing(SILENT / usize::from(callers)))),
                Attack::Watch => drop(tasks.spawn(caller.read_nothing(UNREAD / usize::from(callers)))),
                _ => drop(tasks.spawn(caller.call(Duration::from_secs_f64(1.0 / per_s)))),
            }
        }
        Wave { tasks, counts }
    }
}

/// An attack under way.
pub(crate) struct Wave {
    tasks: JoinSet<()>,
    counts: Arc<Counts>,
}

/// What came of an attack's calls.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Calls that were answered, or connections and streams opened.
    pub calls: AtomicU32,
    /// Those of them that were limited.
    pub limited: AtomicU32,
    /// Those whose caller had a token that is worth nothing.
    pub unknown: AtomicU32,
}

impl Wave {
    /// Ends it; what came of it.
    pub(crate) async fn end(mut self) -> Arc<Counts> {
        self.tasks.shutdown().await;
        self.counts
    }
}

/// One of those who attack.
struct Caller {
    attack: Attack,
    number: u8,
    url: String,
    attackers: Attackers,
    /// Whether the attackers' own accounts are known there.
    own: bool,
    counts: Arc<Counts>,
}

impl Caller {
    /// Calls so often, but never twice at a time.
    async fn call(self, every: Duration) {
        let Ok(transport) = self.transport() else { return };
        let mut ticks = tokio::time::interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for number in 0_u32.. {
            ticks.tick().await;
            let answer = tokio::time::timeout(ANSWER, self.once(transport.clone(), number)).await;
            if let Ok(Err(status)) = answer {
                self.note(&status);
            }
            self.counts.calls.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// The way of the caller: with the token of his account, where he needs one and it is worth something.
    fn transport(&self) -> anyhow::Result<Transport> {
        let seat = usize::from(self.number % 2);
        let account = match self.attack {
            Attack::ImportRecord => Some(&self.attackers.importer),
            Attack::SuggestAct => Some(&self.attackers.agreeing.players[seat]),
            Attack::SendMessage | Attack::Propose => Some(&self.attackers.duel.players[seat]),
            _ => None,
        };
        match account.filter(|_| self.own) {
            Some(account) => Ok(account.transport()),
            None => way_from(&self.url, self.attack.address(1 + self.number)),
        }
    }

    async fn once(&self, transport: Transport, number: u32) -> Result<(), Status> {
        let request_id = Env::system().uuid().to_string();
        let games = || GameServiceClient::new(transport.clone()).max_decoding_message_size(ANSWER_BYTES_MAX);
        let (imported, duel) = (self.attackers.imported.clone(), self.attackers.duel.game_id.clone());
        match self.attack {
            Attack::GetGame => {
                unread(transport, "GameService/GetGame", GetGameRequest { game_id: imported }).await?;
            }
            Attack::ListGames => {
                let request = ListGamesRequest { page_size: 200, ..ListGamesRequest::default() };
                unread(transport, "GameService/ListGames", request).await?;
            }
            Attack::SuggestAct => {
                let game_id = self.attackers.agreeing.game_id.clone();
                games().suggest_act(SuggestActRequest { game_id }).await?;
            }
            Attack::ExportRecord => {
                unread(transport, "GameService/ExportRecord", ExportRecordRequest { game_id: imported })
                    .await?;
            }
            Attack::ImportRecord => {
                let text = self.attackers.record.clone();
                let request = ImportRecordRequest { variant: "go".to_owned(), text, request_id };
                games().import_record(request).await?;
            }
            Attack::SignIn => {
                let name = self.attackers.victim.clone();
                let password = format!("wrong password {} {number}", self.number);
                let request = SignInRequest { name, password, device_mark: String::new() };
                IdentityServiceClient::new(transport).sign_in(request).await?;
            }
            Attack::RegisterGuest => {
                IdentityServiceClient::new(transport)
                    .register_guest(RegisterGuestRequest { request_id })
                    .await?;
            }
            Attack::SendMessage => {
                let (room, text) = (ChatRoom::Players as i32, format!("and another thing: {number}"));
                let request = SendMessageRequest { game_id: duel, room, text, request_id };
                ChatServiceClient::new(transport).send_message(request).await?;
            }
            Attack::Propose => {
                let pause = proposal::Proposal::Pause(proposal::Pause {});
                let proposal = Some(Proposal { proposal: Some(pause) });
                if number.is_multiple_of(2) {
                    games().propose(ProposeRequest { game_id: duel, proposal, request_id }).await?;
                } else {
                    games()
                        .drop_proposal(DropProposalRequest { game_id: duel, proposal, request_id })
                        .await?;
                }
            }
            Attack::Silent | Attack::Watch => {}
        }
        Ok(())
    }

    fn note(&self, status: &Status) {
        match status.code() {
            Code::ResourceExhausted => self.counts.limited.fetch_add(1, Ordering::SeqCst),
            // Who guesses a password is told the same.
            Code::Unauthenticated if self.attack != Attack::SignIn => {
                self.counts.unknown.fetch_add(1, Ordering::SeqCst)
            }
            _ => return,
        };
    }

    /// Opens connections and says nothing. More than an address may have, so somebody is always limited.
    async fn say_nothing(self, count: usize) {
        let mut open: Vec<TcpStream> = Vec::with_capacity(count);
        for _ in 0..count {
            if let Some(connection) = self.connect().await {
                open.push(connection);
                self.counts.calls.fetch_add(1, Ordering::SeqCst);
            }
        }
        self.counts.limited.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(HOLD).await;
        drop(open);
    }

    async fn connect(&self) -> Option<TcpStream> {
        let to: SocketAddr = self.url.strip_prefix("http://")?.parse().ok()?;
        let socket = TcpSocket::new_v4().ok()?;
        socket.bind((self.attack.address(1 + self.number), 0).into()).ok()?;
        tokio::time::timeout(ANSWER, socket.connect(to)).await.ok()?.ok()
    }

    /// Opens streams of the longest game from its beginning and reads nothing.
    async fn read_nothing(self, count: usize) {
        let Ok(transport) = self.transport() else { return };
        let mut open = Vec::with_capacity(count);
        for _ in 0..count {
            let game_id = self.attackers.imported.clone();
            let request = WatchRequest { game_id, after_sequence: Some(0), after_end: false };
            let mut games = GameServiceClient::new(transport.clone());
            match tokio::time::timeout(ANSWER, games.watch(request)).await {
                Ok(Ok(stream)) => {
                    open.push(stream);
                    self.counts.calls.fetch_add(1, Ordering::SeqCst);
                }
                Ok(Err(status)) => self.note(&status),
                Err(_) => {}
            }
        }
        tokio::time::sleep(HOLD).await;
        drop(open);
    }
}

/// Makes a call and takes its answer without looking at it, as whoever only wants to be dear does: what the answer says
/// is not taken apart, so that the machine is as busy with the caller as it is beside the echo.
async fn unread<T: Message + 'static>(transport: Transport, method: &str, request: T) -> Result<(), Status> {
    let mut caller = tonic::client::Grpc::new(transport).max_decoding_message_size(ANSWER_BYTES_MAX);
    caller.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
    let path = PathAndQuery::try_from(format!("/shoutan.game.v1.{method}"))
        .map_err(|error| Status::internal(error.to_string()))?;
    let codec = ProstCodec::<T, ()>::default();
    caller.unary(Request::new(request), path, codec).await.map(drop)
}

//! Who takes part in the show: accounts, a federation and its members.

use anyhow::Context as _;
use api::{
    client::{Credentials, Player},
    federation::v1::{
        CreateFederationRequest, CreateMemberRequest, Federation, Member,
        federation_service_client::FederationServiceClient,
    },
};
use futures::{StreamExt as _, TryStreamExt as _, stream};

use crate::commands::{
    server::Server,
    session::{Session, ask, name},
};

/// Accounts that are made at once: passwords are slow to hash by design.
const ACCOUNTS_AT_ONCE: usize = 4;

/// What the players are called, native and transliterated.
const NAMES: [(&str, &str); 16] = [
    ("བཀྲ་ཤིས", "Tashi"),
    ("ᠪᠠᠲᠤ", "Batu"),
    ("棋圣", "Qisheng"),
    ("སྒྲོལ་མ", "Dolma"),
    ("ᠰᠠᠷᠨᠠ", "Sarna"),
    ("林海", "Lin Hai"),
    ("ཚེ་རིང", "Tsering"),
    ("ᠲᠡᠮᠦᠷ", "Temur"),
    ("王兰", "Wang Lan"),
    ("པད་མ", "Pema"),
    ("ᠨᠠᠷᠠᠨ", "Naran"),
    ("赵云", "Zhao Yun"),
    ("ནོར་བུ", "Norbu"),
    ("ᠴᠡᠴᠡᠭ", "Tsetseg"),
    ("陈雪", "Chen Xue"),
    ("བསོད་ནམས", "Sonam"),
];

/// Everybody.
pub(super) struct Cast {
    /// The federation's founder, of the event's committee.
    pub committee: Session,
    /// The chief arbiter.
    pub chief: Session,
    /// His account.
    pub chief_id: String,
    /// The federation.
    pub federation: String,
    /// The players, in the order in which they enter.
    pub players: Vec<(Player, Session)>,
}

impl Cast {
    /// Makes everybody.
    pub(super) async fn new(server: &Server, count: u32) -> anyhow::Result<Cast> {
        let run = server.random_hex::<4>();
        let roles = ["committee".to_owned(), "chief".to_owned()];
        let names = roles.into_iter().chain((1..=count).map(|number| format!("player{number}")));
        let accounts: Vec<Player> =
            stream::iter(names.map(|name| account(server, format!("demo-{run}-{name}"))))
                .buffered(ACCOUNTS_AT_ONCE)
                .try_collect()
                .await?;
        let mut accounts = accounts.into_iter();
        let (committee, chief) = accounts.next().zip(accounts.next()).context("two officials were made")?;
        let (chief_id, committee) = (chief.account().id.clone(), Session::of(server, committee));
        let federation = federation(&committee, &run).await?;
        let mut players = Vec::new();
        for (player, (native, latin)) in accounts.zip(NAMES) {
            enrol(&committee, &federation, &player, (native, latin)).await?;
            let session = Session::of(server, player.clone());
            players.push((player, session));
        }
        Ok(Cast { committee, chief: Session::of(server, chief), chief_id, federation, players })
    }
}

async fn account(server: &Server, name: String) -> anyhow::Result<Player> {
    let credentials = Credentials::New { name, password: server.random_hex::<16>() };
    Ok(server.sign_in(credentials).await?)
}

async fn federation(session: &Session, run: &str) -> anyhow::Result<String> {
    let called = name(format!("手谈协会 {run}"), Some(format!("Shoutan Association {run}")));
    let federation = Federation { name: Some(called), ..Federation::default() };
    let request = CreateFederationRequest {
        federation: Some(federation),
        request_id: session.new_id(),
        validate_only: false,
    };
    let made = ask!(session.federations(), create_federation, request)?.federation;
    Ok(made.context("the server's answer lacks the federation")?.federation_id)
}

async fn enrol(
    session: &Session,
    federation: &str,
    player: &Player,
    (native, latin): (&str, &str),
) -> anyhow::Result<()> {
    let member = Member {
        federation_id: federation.to_owned(),
        account_id: player.account().id.clone(),
        name: Some(name(native.to_owned(), Some(latin.to_owned()))),
        ..Member::default()
    };
    let request = CreateMemberRequest {
        member: Some(member),
        request_id: session.new_id(),
        ..CreateMemberRequest::default()
    };
    let clients: FederationServiceClient<_> = session.federations();
    ask!(clients, create_member, request)?;
    Ok(())
}

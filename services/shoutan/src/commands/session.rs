//! Who acts, and the ways to the server.

use anyhow::Context as _;
use api::{
    client::{ANSWER_BYTES_MAX, Credentials, Player, RetryPolicy, with_retry},
    federation::v1::{
        Name, document_service_client::DocumentServiceClient, event_service_client::EventServiceClient,
        exchange_service_client::ExchangeServiceClient, federation_service_client::FederationServiceClient,
        league_service_client::LeagueServiceClient, membership_service_client::MembershipServiceClient,
    },
    identity::v1::{LookUpAccountsRequest, identity_service_client::IdentityServiceClient},
    transport::Transport,
};
use prost_types::Timestamp;
use serde_json::{Value, json};

use super::{
    federation::shown,
    password::{PasswordArg, VARIABLE},
    server::{Server, ServerArg},
    zone::Zone,
};

/// Where the server is, who acts there, and how answers are printed.
#[derive(Debug, clap::Args)]
pub(crate) struct Who {
    #[command(flatten)]
    server: ServerArg,
    /// The name of the account that acts. Whoever only looks at what is public needs none.
    // Its id is no argument's of a sub-command: a global one would stand in for that.
    #[arg(long = "as", id = "acting-account", value_name = "NAME", global = true)]
    acting: Option<String>,
    #[command(flatten)]
    password: PasswordArg,
    /// Prints JSON, for scripts: an object, or an array of objects.
    #[arg(long, global = true)]
    pub json: bool,
}

/// A server, and the account that acts there.
pub(super) struct Session {
    server: Server,
    player: Option<Player>,
    /// Whether JSON is printed.
    pub json: bool,
    /// The zone in which people read times.
    pub zone: Zone,
}

/// Calls a method until it is answered; every change has an id, so that nothing is done twice.
macro_rules! ask {
    ($client:expr, $method:ident, $request:expr) => {{
        let (client, request) = ($client, $request);
        let call = || async { client.clone().$method(request.clone()).await };
        api::client::with_retry(api::client::RetryPolicy::default(), call).await
    }};
}
pub(super) use ask;

/// Reads all pages of a list.
macro_rules! all {
    ($client:expr, $method:ident, $request:expr, $field:ident) => {
        $crate::commands::session::first!($client, $method, $request, $field, usize::MAX)
    };
}
pub(super) use all;

/// Reads so many entries of a list, or a page more.
macro_rules! first {
    ($client:expr, $method:ident, $request:expr, $field:ident, $count:expr) => {{
        let (mut request, mut found) = ($request, Vec::new());
        loop {
            let page = $crate::commands::session::ask!($client, $method, request.clone())?;
            found.extend(page.$field);
            if page.next_page_token.is_empty() || found.len() >= $count {
                break found;
            }
            request.page_token = page.next_page_token;
        }
    }};
}
pub(super) use first;

impl Who {
    /// The address of the server.
    pub(super) fn url(&self) -> &str {
        self.server.url()
    }
}

impl Session {
    /// Finds the server, and signs the account in if there is one.
    pub(super) async fn open(args: &Who) -> anyhow::Result<Self> {
        let server = args.server.reach().await?;
        let player = match &args.acting {
            None => None,
            Some(name) => {
                let password = args.password.get()?;
                let password = password
                    .with_context(|| format!("no password: name a --password-file or set {VARIABLE}"))?;
                let credentials = Credentials::Existing { name: name.clone(), password };
                let signed_in = server.sign_in(credentials).await;
                Some(signed_in.map_err(|refused| {
                    let context = sign_in_failed(name, &refused);
                    anyhow::Error::from(refused).context(context)
                })?)
            }
        };
        Ok(Session { server, player, json: args.json, zone: Zone::here() })
    }

    /// The session of an account that is signed in already.
    pub(super) fn of(server: &Server, player: Player) -> Self {
        Session { server: server.clone(), player: Some(player), json: false, zone: Zone::here() }
    }

    /// Ends the session, which was opened for this one command. One that stays open expires by itself.
    pub(super) async fn close(&self) {
        if let Some(player) = &self.player {
            let _signed_out = player.sign_out().await;
        }
    }

    /// The id of the account that acts, if there is one.
    pub(super) fn account_id(&self) -> Option<&str> {
        self.player.as_ref().map(|player| &*player.account().id)
    }

    /// The server itself.
    pub(super) const fn server(&self) -> &Server {
        &self.server
    }

    pub(super) fn federations(&self) -> FederationServiceClient<Transport> {
        FederationServiceClient::new(self.transport())
    }

    pub(super) fn membership(&self) -> MembershipServiceClient<Transport> {
        MembershipServiceClient::new(self.transport())
    }

    pub(super) fn exchange(&self) -> ExchangeServiceClient<Transport> {
        ExchangeServiceClient::new(self.transport())
    }

    pub(super) fn leagues(&self) -> LeagueServiceClient<Transport> {
        LeagueServiceClient::new(self.transport())
    }

    /// Events. A log can be long.
    pub(super) fn events(&self) -> EventServiceClient<Transport> {
        EventServiceClient::new(self.transport()).max_decoding_message_size(ANSWER_BYTES_MAX)
    }

    /// Papers. A page can be large.
    pub(super) fn documents(&self) -> DocumentServiceClient<Transport> {
        DocumentServiceClient::new(self.transport()).max_decoding_message_size(ANSWER_BYTES_MAX)
    }

    /// A new id of a request.
    pub(super) fn new_id(&self) -> String {
        self.server.new_id()
    }

    /// The id of an account that is given by its name, or by its id; empty for none.
    pub(super) async fn account(&self, name: &str) -> anyhow::Result<String> {
        if name.is_empty() || uuid::Uuid::try_parse(name).is_ok() {
            return Ok(name.to_owned());
        }
        let request = LookUpAccountsRequest { ids: Vec::new(), names: vec![name.to_owned()] };
        let identity = IdentityServiceClient::new(self.transport());
        let call = || async { identity.clone().look_up_accounts(request.clone()).await };
        let found = with_retry(RetryPolicy::default(), call).await.context("looking the account up")?;
        let account = found.accounts.into_iter().next();
        Ok(account.with_context(|| format!("there is no account {name}"))?.id)
    }

    /// A moment as it is printed: in the person's zone, in JSON in UTC; nothing where there is none.
    pub(super) fn time(&self, time: Option<&Timestamp>) -> Value {
        if self.json { shown::time(time) } else { json!(self.told(time)) }
    }

    /// A moment as the person reads it; nothing where there is none.
    pub(super) fn told(&self, time: Option<&Timestamp>) -> String {
        time.and_then(api::time::moment).map(|moment| self.zone.told(moment)).unwrap_or_default()
    }

    /// The way to the server, with the account's token if there is one.
    pub(super) fn transport(&self) -> Transport {
        self.player.as_ref().map_or_else(|| self.server.transport(), Player::transport)
    }
}

/// What an account that is refused reads before the server's words: of a wrong name and a wrong password it says the same.
fn sign_in_failed(name: &str, refused: &tonic::Status) -> String {
    if api::error::reason(refused) == api::reason::BAD_CREDENTIALS {
        return format!(
            "no account {name} has this password; where there is none, `shoutan account create {name}` makes it"
        );
    }
    format!("signing in as {name}")
}

/// A name as a request has it.
pub(super) fn name(native: String, latin: Option<String>) -> Name {
    Name { native, latin: latin.unwrap_or_default() }
}

/// The fields of a mask.
pub(super) fn mask(fields: &[(&str, bool)]) -> anyhow::Result<Option<prost_types::FieldMask>> {
    let paths: Vec<String> =
        fields.iter().filter(|(_, asked)| *asked).map(|(field, _)| (*field).to_owned()).collect();
    anyhow::ensure!(!paths.is_empty(), "say what to change");
    Ok(Some(prost_types::FieldMask { paths }))
}

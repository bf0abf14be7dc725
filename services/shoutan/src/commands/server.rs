//! The server that a client command talks to.

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use api::{
    client::{ANSWER_BYTES_MAX, Credentials, Ids, Player, RetryPolicy, with_retry},
    clock::v1::{GetTimeRequest, clock_service_client::ClockServiceClient},
    game::v1::{
        ExportRecordRequest, ExportRecordResponse, Game, GetGameRequest, ListVariantsRequest, Variant,
        game_service_client::GameServiceClient,
    },
    transport::Transport,
};
use chassis::Env;
use rand::{SeedableRng as _, rngs::StdRng};
use time::OffsetDateTime;

use super::render::Sides;

/// How long to wait for the first sign of life: a server that is just starting answers by then.
const FIRST_ANSWER: RetryPolicy = RetryPolicy(Duration::from_secs(5));

/// Where the server is.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ServerArg {
    /// The address of the server.
    #[arg(
        long,
        global = true,
        default_value = "http://127.0.0.1:7400",
        env = "SHOUTAN_SERVER",
        hide_env_values = true
    )]
    server: String,
}

/// A game on a server.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct GameArgs {
    /// The game's id.
    pub game_id: String,
    #[command(flatten)]
    pub server: ServerArg,
}

/// A server that has answered.
#[derive(Clone)]
pub(super) struct Server {
    env: Env,
    transport: Transport,
    /// By how much its time is ahead of ours.
    ahead: time::Duration,
}

impl ServerArg {
    /// The address.
    pub(super) fn url(&self) -> &str {
        &self.server
    }

    /// Finds the server, and how far its time is from ours.
    ///
    /// # Errors
    /// When nobody answers there.
    pub(super) async fn reach(&self) -> anyhow::Result<Server> {
        let env = Env::system();
        let transport = api::client::connect(&self.server)?;
        let clocks = ClockServiceClient::new(transport.clone());
        let asked = env.now();
        let answer = with_retry(FIRST_ANSWER, || async { clocks.clone().get_time(GetTimeRequest {}).await })
            .await
            .with_context(|| format!("no server answers at {}", self.server))?;
        let answered = env.now();
        let theirs = answer.server_time.as_ref().and_then(api::time::moment).unwrap_or(answered);
        // The server looked at its clock about half-way between question and answer.
        let ahead = theirs - (asked + (answered - asked) / 2);
        Ok(Server { env, transport, ahead })
    }
}

impl Server {
    /// A transport without a token.
    pub(super) fn transport(&self) -> Transport {
        self.transport.clone()
    }

    /// The time of the platform.
    pub(super) fn now(&self) -> OffsetDateTime {
        self.env.now() + self.ahead
    }

    /// Randomness that is fit for secrets.
    pub(super) fn rng(&self) -> StdRng {
        StdRng::from_seed(self.env.bytes())
    }

    /// So many random bytes, fit for secrets.
    pub(super) fn random<const N: usize>(&self) -> [u8; N] {
        self.env.bytes()
    }

    /// So many random bytes as hexadecimal digits.
    pub(super) fn random_hex<const N: usize>(&self) -> String {
        let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
        self.env.bytes::<N>().into_iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }

    /// A new id for a request.
    pub(super) fn new_id(&self) -> String {
        self.env.uuid().to_string()
    }

    /// Signs an account in.
    ///
    /// # Errors
    /// What the server says.
    pub(super) async fn sign_in(&self, credentials: Credentials) -> Result<Player, tonic::Status> {
        let env = self.env.clone();
        let ids: Ids = Arc::new(move || env.uuid());
        Player::sign_in(self.transport(), credentials, ids).await
    }

    /// A client of the game service without a token.
    pub(super) fn games(&self) -> GameServiceClient<Transport> {
        GameServiceClient::new(self.transport()).max_decoding_message_size(ANSWER_BYTES_MAX)
    }

    /// A game as everybody sees it.
    ///
    /// # Errors
    /// What the server says.
    pub(super) async fn game(&self, game_id: &str) -> anyhow::Result<Game> {
        let request = GetGameRequest { game_id: game_id.to_owned() };
        let games = self.games();
        let call = || async { games.clone().get_game(request.clone()).await };
        let answer = with_retry(RetryPolicy::default(), call).await.context("asking for the game")?;
        answer.game.context("the server's answer lacks the game")
    }

    /// The record of a game.
    ///
    /// # Errors
    /// What the server says.
    pub(super) async fn record(&self, game_id: &str) -> anyhow::Result<ExportRecordResponse> {
        let request = ExportRecordRequest { game_id: game_id.to_owned() };
        let games = self.games();
        let call = || async { games.clone().export_record(request.clone()).await };
        with_retry(RetryPolicy::default(), call).await.context("exporting the record")
    }

    /// The variants that can be played.
    ///
    /// # Errors
    /// What the server says.
    pub(super) async fn variants(&self) -> anyhow::Result<Vec<Variant>> {
        let games = self.games();
        let call = || async { games.clone().list_variants(ListVariantsRequest {}).await };
        Ok(with_retry(RetryPolicy::default(), call).await.context("asking for the variants")?.variants)
    }

    /// What the sides of a variant are called.
    ///
    /// # Errors
    /// When the server does not know the variant.
    pub(super) async fn sides(&self, variant: &str) -> anyhow::Result<Sides> {
        let variants = self.variants().await?;
        let variant = variants.iter().find(|known| known.id == variant);
        variant.map(Sides::of).context("the server does not list the variant of the game")
    }
}

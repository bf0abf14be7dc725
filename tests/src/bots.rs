//! Players for tests.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use anyhow::Context as _;
use api::{
    board::v1::Side,
    client::{Credentials, Ids, Player, RetryPolicy, with_retry},
    error::reason,
    game::v1::{Game, GameEvent, GetGameRequest, game_service_client::GameServiceClient},
    identity::v1::{RegisterGuestRequest, identity_service_client::IdentityServiceClient},
    matchmaking::v1::GameSettings,
    time_control::TimeControl,
    transport::Transport,
};
use chassis::Env;
use futures::{StreamExt as _, TryStreamExt as _};

/// How long a bot goes on asking a platform that is down.
pub const RETRY: RetryPolicy = RetryPolicy(Duration::from_mins(2));

/// A signed-in player.
pub type Bot = Player;

/// A matched game with both its players, first side first.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The game.
    pub game_id: String,
    /// The players.
    pub players: [Bot; 2],
}

/// Ids for requests.
pub fn ids() -> Ids {
    let env = Env::system();
    Arc::new(move || env.uuid())
}

/// A new guest.
///
/// # Errors
/// What the server says.
pub async fn guest(transport: &Transport) -> anyhow::Result<Bot> {
    Ok(Player::sign_in(transport.clone(), Credentials::Guest, ids()).await?)
}

/// The token of a new guest, for those who need no more of a player.
///
/// # Errors
/// What the server says.
pub async fn guest_token(transport: &Transport) -> anyhow::Result<String> {
    let request = RegisterGuestRequest { request_id: Env::system().uuid().to_string() };
    let identity = IdentityServiceClient::new(transport.clone());
    let call = || async { identity.clone().register_guest(request.clone()).await };
    let session = with_retry(RETRY, call).await?.session;
    Ok(session.context("the answer lacks the session")?.access_token)
}

/// A new account of a random name.
///
/// # Errors
/// What the server says.
pub async fn bot(transport: &Transport) -> anyhow::Result<Bot> {
    let unique = Env::system().uuid().simple().to_string();
    let name = format!("bot-{}", &unique[12..30]);
    let credentials = Credentials::New { name, password: format!("password {unique}") };
    Ok(Player::sign_in(transport.clone(), credentials, ids()).await?)
}

/// New accounts of random names, a few at a time: passwords are slow to hash by design, and the platform
/// turns away those who would wait too long.
///
/// # Errors
/// What the server says.
pub async fn bots(transport: &Transport, count: usize) -> anyhow::Result<Vec<Bot>> {
    futures::stream::iter(0..count).map(|_| bot(transport)).buffer_unordered(16).try_collect().await
}

/// What to play: a variant with options, a time control as text, rated or not.
///
/// # Panics
/// When the time control cannot be read.
pub fn game_settings(variant: &str, options: &[(&str, &str)], control: &str, rated: bool) -> GameSettings {
    let control: TimeControl = control.parse().expect("the tests know how to write time controls");
    GameSettings {
        variant: variant.to_owned(),
        rule_set: String::new(),
        options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        time_control: Some(control.into()),
        rated,
    }
}

/// Queues all players at once and waits until they are matched with each other.
///
/// # Errors
/// When somebody is not matched, or a game has not exactly two players.
pub async fn pair_up(players: Vec<Bot>, settings: &GameSettings) -> anyhow::Result<Vec<Pairing>> {
    let count = players.len();
    let found: Vec<(String, Side, Bot)> = futures::stream::iter(players)
        .map(|player| async move {
            let (game_id, side) = player.find_game(settings.clone(), |_| ()).await?;
            anyhow::Ok((game_id, side, player))
        })
        .buffer_unordered(count.max(1))
        .try_collect()
        .await?;
    let mut games: BTreeMap<String, [Option<Bot>; 2]> = BTreeMap::new();
    for (game_id, side, player) in found {
        let seats = games.entry(game_id).or_default();
        let seat = &mut seats[usize::from(side == Side::Second)];
        anyhow::ensure!(seat.replace(player).is_none(), "two players have the same seat");
    }
    games
        .into_iter()
        .map(|(game_id, [first, second])| {
            let players = [first.context("nobody is first")?, second.context("nobody is second")?];
            Ok(Pairing { game_id, players })
        })
        .collect()
}

/// Pairs players who have met before, each with somebody else than last: whom the queue has matched it does not match again
/// at once. Everybody but the first moves on by a place, and those at the ends meet; two by two, because of all who wait at
/// once the queue chooses itself.
///
/// # Errors
/// When somebody is not matched.
pub async fn pair_anew(players: &mut [Bot], settings: &GameSettings) -> anyhow::Result<Vec<Pairing>> {
    if let Some((_, others @ [_, ..])) = players.split_first_mut() {
        others.rotate_left(1);
    }
    let (ahead, behind) = players.split_at(players.len() / 2);
    let mut pairings = Vec::with_capacity(ahead.len());
    for (one, other) in ahead.iter().zip(behind.iter().rev()) {
        pairings.extend(pair_up(vec![one.clone(), other.clone()], settings).await?);
    }
    Ok(pairings)
}

/// The game as the server has it.
///
/// # Errors
/// What the server says.
pub async fn ask(transport: &Transport, game_id: &str) -> anyhow::Result<Game> {
    let games = GameServiceClient::new(transport.clone()).max_decoding_message_size(16 * 1024 * 1024);
    let request = GetGameRequest { game_id: game_id.to_owned() };
    let answer = with_retry(RETRY, || async { games.clone().get_game(request.clone()).await })
        .await
        .map_err(|status| anyhow::anyhow!("{}: {status}", reason(&status)))?;
    answer.game.context("the answer has a game")
}

/// What to play at a ply of a long game of Go: every other row is left empty, so that no stone is ever without liberty.
pub fn point(ply: usize) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHJKLMNOPQRST";
    let (column, row) = (ply % LETTERS.len(), ply / LETTERS.len());
    format!("{}{}", char::from(LETTERS[column]), 2 * row + 1)
}

/// The time that a side, 0 or 1, has left by the reading of an event.
pub fn time_left(event: &GameEvent, side: usize) -> Option<Duration> {
    let clock = event.state.as_ref()?.clock.as_ref()?;
    let time = if side == 0 { &clock.first } else { &clock.second };
    api::time::span(time.as_ref()?.main_duration.as_ref()?)
}

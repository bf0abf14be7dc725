//! Players of the show: some moves by chance, then an end.

use anyhow::Context as _;
use api::{
    board::v1::Side,
    client::{Player, RetryPolicy, with_retry},
    federation::v1::{Pairing, Round},
    game::v1::{
        ListHintsRequest,
        game_service_client::GameServiceClient,
        petition::{Confirm, Petition},
    },
};
use futures::future::try_join_all;
use rand::{Rng as _, RngExt as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use tokio::time::{Duration, Instant};

use super::cast::Cast;

/// Moves that are made in a game, by both together: enough to see a board.
const MOVES: u32 = 4;
/// Of so many games one is a draw.
const DRAW_OF: u32 = 6;
/// How long a game may take to be made after its round has begun.
const MADE: Duration = Duration::from_secs(30);
/// How long to wait before looking again.
const PAUSE: Duration = Duration::from_millis(50);

/// How a game is to end, and the chance of its moves.
pub(super) struct Deal {
    end: End,
    rng: StdRng,
}

enum End {
    FirstResigns,
    SecondResigns,
    Draw,
}

/// Draws how a board ends: the lower number is the better player, and wins three games of four.
pub(super) fn deal(board: &Pairing, rng: &mut StdRng) -> Deal {
    let end = if rng.random_range(0..DRAW_OF) == 0 {
        End::Draw
    } else if rng.random_bool(0.75) == (board.first < board.second) {
        End::SecondResigns
    } else {
        End::FirstResigns
    };
    Deal { end, rng: StdRng::seed_from_u64(rng.next_u64()) }
}

/// Plays all games of a round at once.
pub(super) async fn play_all(cast: &Cast, round: &Round, deals: Vec<Deal>) -> anyhow::Result<()> {
    try_join_all(round.pairings.iter().zip(deals).map(|(board, deal)| play(cast, board, deal))).await?;
    Ok(())
}

async fn play(cast: &Cast, board: &Pairing, deal: Deal) -> anyhow::Result<()> {
    let Deal { end, mut rng } = deal;
    let seat = |number: u32| {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        cast.players.get(at).map(|(player, _)| player)
    };
    let (first, second) =
        seat(board.first).zip(seat(board.second)).context("somebody plays who has not entered")?;
    let (game, policy) = (board.game_id.as_str(), RetryPolicy::default());
    come(first, game).await?;
    come(second, game).await?;
    for ply in 0..MOVES {
        let (player, side) =
            if ply.is_multiple_of(2) { (first, Side::First) } else { (second, Side::Second) };
        let act = hint(player, game, side, &mut rng).await?;
        player.play(game, &act, ply, policy).await.with_context(|| format!("playing {act}"))?;
    }
    match end {
        End::FirstResigns => drop(first.resign(game, policy).await?),
        End::SecondResigns => drop(second.resign(game, policy).await?),
        End::Draw => {
            first.offer_draw(game, policy).await?;
            second.accept_draw(game, policy).await?;
        }
    }
    for player in [first, second] {
        player.petition(game, Petition::Confirm(Confirm {}), policy).await?;
    }
    Ok(())
}

/// Comes to a game, which is made soon after its round has begun.
async fn come(player: &Player, game: &str) -> anyhow::Result<()> {
    let limit = Instant::now() + MADE;
    loop {
        match player.check_in(game, RetryPolicy::default()).await {
            Ok(_) => return Ok(()),
            Err(status) if status.code() == tonic::Code::NotFound && Instant::now() < limit => {
                tokio::time::sleep(PAUSE).await;
            }
            Err(status) => return Err(status).context("coming to the game"),
        }
    }
}

/// An act that the server says is possible, by chance.
async fn hint(player: &Player, game: &str, side: Side, rng: &mut StdRng) -> anyhow::Result<String> {
    let games = GameServiceClient::new(player.transport());
    let request = ListHintsRequest { game_id: game.to_owned(), side: side.into() };
    let call = || async { games.clone().list_hints(request.clone()).await };
    let hints = with_retry(RetryPolicy::default(), call).await?.hints;
    let whole: Vec<_> =
        hints.into_iter().filter(|hint| hint.choices_left == 0 && hint.text != "pass").collect();
    Ok(whole.choose(rng).context("nothing is possible")?.text.clone())
}

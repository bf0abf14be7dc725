//! The game of a board: it is there some time after its round has begun, and is played like any other.

use std::time::Duration;

use api::{
    client::ANSWER_BYTES_MAX,
    game::v1::{Game, GetGameRequest, Stage, game_service_client::GameServiceClient},
};
use tokio::time::Instant;
use tonic::Code;

use super::{
    command::{Commander, Refused},
    reached,
};
use crate::{
    officials::ActingOfficials,
    player::{Player, stage},
    run::Playing,
    table::Table,
    topology::Service,
};

/// How often it is looked for.
const LOOK: Duration = Duration::from_secs(1);
/// How long its players stay: at least and at most.
const STAY: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(40));

impl Commander {
    /// Waits until a game is made, and has it played until its result is final.
    pub(super) async fn play_game(&self, playing: &Playing, game: &str) -> Result<(), Refused> {
        let mut patience = self.patience_when_calm();
        let game = loop {
            if let Some(game) = self.game(game).await? {
                break game;
            }
            patience.look(|| format!("game {game} is not made"))?;
            tokio::time::sleep(LOOK).await;
        };
        let officials = self.event.officials();
        let table = Table::of_event(&game, &self.event.players, &officials)
            .ok_or_else(|| format!("others play in it than in the event: {game:?}"))?;
        playing.begin(&self.world, &self.history, &table);
        let until = Instant::now() + self.rng.between(STAY.0, STAY.1);
        let [first, second] = [0, 1].map(|side| Player::new(&self.world, &self.history, &table, side));
        let acting = ActingOfficials::new(&self.world, &self.history, &table);
        let officials = async {
            if let Some(acting) = &acting {
                acting.act(until).await;
            }
        };
        futures::join!(first.play(until), second.play(until), officials);
        while Instant::now() < self.longest {
            if let Some(game) = self.game(&table.id).await? {
                if stage(&game) == Stage::Final {
                    return Ok(());
                }
                if let Some(acting) = &acting
                    && acting.tidy(&game).await
                {
                    continue;
                }
            }
            tokio::time::sleep(LOOK).await;
        }
        Err(format!("game {} does not end", table.id))
    }

    /// A game as everybody sees it; `None` when it is not there, or nobody says.
    async fn game(&self, game: &str) -> Result<Option<Game>, Refused> {
        let mut games = GameServiceClient::new(reached(&self.world, Service::Game))
            .max_decoding_message_size(ANSWER_BYTES_MAX);
        match games.get_game(GetGameRequest { game_id: game.to_owned() }).await {
            Ok(answer) => Ok(answer.into_inner().game),
            Err(status) if matches!(status.code(), Code::InvalidArgument | Code::PermissionDenied) => {
                Err(format!("game {game} cannot be seen: {status}"))
            }
            Err(_) => Ok(None),
        }
    }
}

//! A board until it has a result: mostly its game, which is there some time after its round has begun, and is played like
//! any other.

use std::{sync::PoisonError, time::Duration};

use api::{
    client::ANSWER_BYTES_MAX,
    federation::v1::{self as pb, ResultCode, board_result::Source},
    game::v1::{Game, GetGameRequest, Stage, game_service_client::GameServiceClient},
};
use federation::core::event::{BoardId, game_id};
use tokio::time::Instant;
use tonic::Code;

use super::{
    Kind,
    command::{Commander, Refused, command},
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

/// How often a drawn board of a knock-out is played again before it is decided.
const REPLAYS_MAX: u32 = 2;

impl Commander {
    /// Has a board played until it has a result with which the event can go on.
    pub(super) async fn play(&self, playing: &Playing, round: u32, table: u32) -> Result<(), Refused> {
        let mut patience = self.patience_when_calm();
        loop {
            let laid = self.round(round).await?.pairings.into_iter().find(|it| it.table == table);
            let laid = laid.ok_or_else(|| format!("round {round} has lost table {table}"))?;
            if let Some(result) = &laid.result {
                if self.is_enough(result) {
                    return Ok(());
                }
                if self.help(round, &laid, result).await? {
                    continue;
                }
            } else if self.is_in_hall(&laid).await? {
                self.enter_from_hall(round, table).await;
                continue;
            }
            if self.is_to_be_played(round, &laid) {
                Box::pin(self.play_game(playing, round, &laid)).await?;
                patience = self.patience_when_calm();
            }
            patience.look(|| format!("table {table} of round {round} has no result: {laid:?}"))?;
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Whether the game of a board is still to be played here; from now on it is not.
    fn is_to_be_played(&self, round: u32, laid: &pb::Pairing) -> bool {
        let mut played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        let last = played.entry((round, laid.table)).or_insert(0);
        let is_new = *last < laid.attempt;
        *last = laid.attempt;
        is_new
    }

    /// Whether a result needs nobody any more.
    fn is_enough(&self, result: &pb::BoardResult) -> bool {
        let codes = [result.first(), result.second()];
        let is_open = codes.iter().any(|it| matches!(it, ResultCode::ReplayOrdered | ResultCode::Adjourned));
        let is_confirmed =
            !matches!(&result.source, Some(Source::OverTheBoard(it)) if it.confirmed_by.is_empty());
        !is_open && is_confirmed && (self.event.kind != Kind::KnockOut || is_decided(codes))
    }

    /// Does what a result waits for; whether there was anything to do.
    async fn help(&self, round: u32, laid: &pb::Pairing, result: &pb::BoardResult) -> Result<bool, Refused> {
        let (chief, table, codes) = (&self.event.chief, laid.table, [result.first(), result.second()]);
        if matches!(result.source, Some(Source::OverTheBoard(_))) {
            self.confirm_from_hall(round, table).await;
            return Ok(true);
        }
        if codes.contains(&ResultCode::Adjourned) {
            return Ok(false);
        }
        let is_drawn = codes[0] == ResultCode::Draw && laid.attempt <= REPLAYS_MAX;
        let done = if is_drawn || codes.contains(&ResultCode::ReplayOrdered) {
            command!(self, chief, replay_board(ReplayBoardRequest { round, table }))
        } else {
            let result = Some(pb::BoardResult {
                first: ResultCode::Win.into(),
                second: ResultCode::Loss.into(),
                reason: pb::ResultReason::Arbiter.into(),
                source: Some(Source::Decision(pb::board_result::Decision {})),
                ..pb::BoardResult::default()
            });
            command!(self, chief, enter_result(EnterResultRequest { round, table, result }))
        };
        match done {
            // It has become another one meanwhile.
            Err(reason) if reason != "BAD_BOARD_RESULT" => Err(reason),
            _ => Ok(true),
        }
    }

    /// Waits until the game of a board is made, and has it played until its result is final. The game of a board that is
    /// decided before it is there may never be made.
    async fn play_game(&self, playing: &Playing, round: u32, laid: &pb::Pairing) -> Result<(), Refused> {
        let (mut patience, game) = (self.patience_when_calm(), &laid.game_id);
        let game = loop {
            if let Some(game) = self.game(game).await? {
                break game;
            }
            let now = self.round(round).await?.pairings.into_iter().find(|it| it.table == laid.table);
            if now.is_none_or(|now| now.result.is_some() || now.attempt != laid.attempt) {
                return Ok(());
            }
            patience.look(|| format!("game {game} is not made"))?;
            tokio::time::sleep(LOOK).await;
        };
        let officials = self.event.officials();
        let table = Table::seen(&game, &self.event.players, Some(&officials))
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

    /// Finds the games that were made though their boards were decided before anybody came: they are held to the same.
    pub(super) async fn find_unplayed(&self, playing: &Playing, rounds: usize) -> Result<(), Refused> {
        for number in (1_u16..).take(rounds) {
            for laid in self.round(number.into()).await?.pairings {
                let board = BoardId { round: number, table: laid.table };
                for attempt in 1..=laid.attempt {
                    let id = game_id(self.event.id, board, attempt).to_string();
                    let Some(game) = self.game(&id).await?.filter(|_| !playing.has(&id)) else { continue };
                    let table = Table::seen(&game, &self.event.players, Some(&self.event.officials()));
                    let table =
                        table.ok_or_else(|| format!("others play in it than in the event: {game:?}"))?;
                    playing.begin(&self.world, &self.history, &table);
                }
            }
        }
        Ok(())
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

/// Whether a board of a knock-out says who goes on.
fn is_decided(codes: [ResultCode; 2]) -> bool {
    let wins = |code: &ResultCode| matches!(code, ResultCode::Win | ResultCode::ForfeitWin);
    codes.iter().any(wins) || matches!(codes, [ResultCode::DoubleForfeit | ResultCode::ForfeitLoss, _])
}

//! What a player does besides moving and wishing: being there, sealing a move, calling on the officials, saying
//! that the other side is gone.

use tonic::Status;

use super::{Patience, Player, player::incomplete, retrying};
use crate::{
    game::v1::{
        AbandonmentClaim, CheckInRequest, ClaimAbandonmentRequest, GameEvent, GetSealingKeyRequest, Petition,
        PetitionRequest, SealMoveRequest, SuggestActRequest, SuggestActResponse,
        arbiter_service_client::ArbiterServiceClient, petition,
    },
    reason,
    sealing::{self, CryptoRng},
};

impl Player {
    /// Says that the player has come to a game that waits for its start, again with the same request id until
    /// the server has answered.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn check_in(&self, game_id: &str, patience: Patience) -> Result<GameEvent, Status> {
        let request = CheckInRequest { game_id: game_id.to_owned(), request_id: self.new_id() };
        let games = self.games();
        let answer = retrying(patience, || async { games.clone().check_in(request.clone()).await }).await?;
        answer.event.ok_or_else(incomplete)
    }

    /// Seals a move of the game at a ply to the platform's key, and hands it in, likewise.
    ///
    /// # Errors
    /// As [`Player::play`]; INVALID_ARGUMENT with CANNOT_SEAL when the move is too long to be one.
    pub async fn seal_move(
        &self,
        game_id: &str,
        act: &str,
        ply: u32,
        rng: &mut (impl CryptoRng + Send),
        patience: Patience,
    ) -> Result<GameEvent, Status> {
        let games = self.games();
        let asked = || async { games.clone().get_sealing_key(GetSealingKeyRequest {}).await };
        let key = retrying(patience, asked).await?.key.ok_or_else(incomplete)?;
        let sealed = sealing::seal(&key, game_id, ply, act, rng).map_err(|error| {
            crate::Error::new(tonic::Code::InvalidArgument, reason::CANNOT_SEAL, error.to_string())
        })?;
        let request = SealMoveRequest {
            game_id: game_id.to_owned(),
            commitment: sealed.commitment.to_vec(),
            key_id: sealed.key_id,
            ciphertext: sealed.ciphertext,
            request_id: self.new_id(),
        };
        let answer = retrying(patience, || async { games.clone().seal_move(request.clone()).await }).await?;
        answer.event.ok_or_else(incomplete)
    }

    /// Claims the game, or a draw, because the other side is gone, likewise.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn claim_abandonment(
        &self,
        game_id: &str,
        claim: AbandonmentClaim,
        patience: Patience,
    ) -> Result<GameEvent, Status> {
        let (game_id, request_id) = (game_id.to_owned(), self.new_id());
        let request = ClaimAbandonmentRequest { game_id, claim: claim as i32, request_id };
        let games = self.games();
        let call = || async { games.clone().claim_abandonment(request.clone()).await };
        retrying(patience, call).await?.event.ok_or_else(incomplete)
    }

    /// Asks something of the officials, or confirms the result, likewise.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn petition(
        &self,
        game_id: &str,
        asked: petition::Petition,
        patience: Patience,
    ) -> Result<GameEvent, Status> {
        let petition = Some(Petition { petition: Some(asked) });
        let request = PetitionRequest { game_id: game_id.to_owned(), petition, request_id: self.new_id() };
        let officials = ArbiterServiceClient::new(self.transport());
        let call = || async { officials.clone().petition(request.clone()).await };
        retrying(patience, call).await?.event.ok_or_else(incomplete)
    }

    /// What the server suggests to settle the count; nothing is played.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn suggestion(&self, game_id: &str, patience: Patience) -> Result<SuggestActResponse, Status> {
        let request = SuggestActRequest { game_id: game_id.to_owned() };
        let games = self.games();
        retrying(patience, || async { games.clone().suggest_act(request.clone()).await }).await
    }
}

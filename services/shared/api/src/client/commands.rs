//! What a player does in a game. Each command is sent again, with the same request id, until the server has answered.

use std::time::Duration;

use tonic::Status;

use super::{Player, RetryPolicy, player::incomplete, with_retry};
use crate::{
    game::v1::{
        AbandonmentClaim, AbortRequest, AcceptDrawRequest, CheckInRequest, ClaimAbandonmentRequest,
        DeclineDrawRequest, DropProposalRequest, GameEvent, GetSealingKeyRequest, GiveTimeRequest,
        OfferDrawRequest, Petition, PetitionRequest, PlayRequest, Proposal, ProposeRequest, ResignRequest,
        SealMoveRequest, SuggestActRequest, SuggestActResponse, arbiter_service_client::ArbiterServiceClient,
        petition, proposal,
    },
    reason,
    sealing::{self, CryptoRng},
};

/// Sends a command, and takes the event that it became out of the answer.
macro_rules! send {
    ($client:expr, $method:ident($request:expr), $policy:expr) => {{
        let (client, request) = ($client, $request);
        let call = || async { client.clone().$method(request.clone()).await };
        with_retry($policy, call).await?.event.ok_or_else(incomplete)
    }};
}

/// Writes the commands that say nothing but in which game.
macro_rules! bare_commands {
    ($($(#[$doc:meta])+ $method:ident($request:ident);)+) => {
        impl Player {
            $($(#[$doc])+
            ///
            /// # Errors
            /// As [`Player::play`].
            pub async fn $method(&self, game_id: &str, policy: RetryPolicy) -> Result<GameEvent, Status> {
                let request = $request { game_id: game_id.to_owned(), request_id: self.new_id() };
                send!(self.games(), $method(request), policy)
            })+
        }
    };
}

bare_commands! {
    /// Resigns.
    resign(ResignRequest);
    /// Offers a draw, or accepts the one that is offered.
    offer_draw(OfferDrawRequest);
    /// Accepts a draw.
    accept_draw(AcceptDrawRequest);
    /// Declines a draw.
    decline_draw(DeclineDrawRequest);
    /// Aborts a game that has hardly begun.
    abort(AbortRequest);
    /// Says that the player has come to a game that waits for its start.
    check_in(CheckInRequest);
}

impl Player {
    /// Plays an act at a ply.
    ///
    /// # Errors
    /// The server's refusal, or its last error when the time of the policy is over.
    pub async fn play(
        &self,
        game_id: &str,
        act: &str,
        ply: u32,
        policy: RetryPolicy,
    ) -> Result<GameEvent, Status> {
        let (game_id, act, request_id) = (game_id.to_owned(), act.to_owned(), self.new_id());
        let request = PlayRequest { game_id, act, ply, request_id, lag_duration: None };
        send!(self.games(), play(request), policy)
    }

    /// Seals a move of the game at a ply to the platform's key, and hands it in.
    ///
    /// # Errors
    /// As [`Player::play`]; INVALID_ARGUMENT with CANNOT_SEAL when the move is too long to be one.
    pub async fn seal_move(
        &self,
        game_id: &str,
        act: &str,
        ply: u32,
        rng: &mut (impl CryptoRng + Send),
        policy: RetryPolicy,
    ) -> Result<GameEvent, Status> {
        let games = self.games();
        let asked = || async { games.clone().get_sealing_key(GetSealingKeyRequest {}).await };
        let key = with_retry(policy, asked).await?.key.ok_or_else(incomplete)?;
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
        send!(games, seal_move(request), policy)
    }

    /// Claims the game, or a draw, because the other side is gone.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn claim_abandonment(
        &self,
        game_id: &str,
        claim: AbandonmentClaim,
        policy: RetryPolicy,
    ) -> Result<GameEvent, Status> {
        let (game_id, claim, request_id) = (game_id.to_owned(), claim.into(), self.new_id());
        send!(self.games(), claim_abandonment(ClaimAbandonmentRequest { game_id, claim, request_id }), policy)
    }

    /// Asks something of the officials, or confirms the result.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn petition(
        &self,
        game_id: &str,
        asked: petition::Petition,
        policy: RetryPolicy,
    ) -> Result<GameEvent, Status> {
        let petition = Some(Petition { petition: Some(asked) });
        let request = PetitionRequest { game_id: game_id.to_owned(), petition, request_id: self.new_id() };
        send!(ArbiterServiceClient::new(self.transport()), petition(request), policy)
    }

    /// Proposes something, or agrees to what the other side proposes.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn propose(
        &self,
        game_id: &str,
        proposed: proposal::Proposal,
        policy: RetryPolicy,
    ) -> Result<GameEvent, Status> {
        let proposal = Some(Proposal { proposal: Some(proposed) });
        let request = ProposeRequest { game_id: game_id.to_owned(), proposal, request_id: self.new_id() };
        send!(self.games(), propose(request), policy)
    }

    /// Declines what the other side proposes, or takes back what this one has.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn drop_proposal(
        &self,
        game_id: &str,
        proposed: proposal::Proposal,
        policy: RetryPolicy,
    ) -> Result<GameEvent, Status> {
        let proposal = Some(Proposal { proposal: Some(proposed) });
        let request =
            DropProposalRequest { game_id: game_id.to_owned(), proposal, request_id: self.new_id() };
        send!(self.games(), drop_proposal(request), policy)
    }

    /// Gives the other side time.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn give_time(
        &self,
        game_id: &str,
        given: Duration,
        policy: RetryPolicy,
    ) -> Result<GameEvent, Status> {
        let (game_id, request_id) = (game_id.to_owned(), self.new_id());
        let request =
            GiveTimeRequest { game_id, given_duration: Some(crate::time::duration(given)), request_id };
        send!(self.games(), give_time(request), policy)
    }

    /// What the server suggests to settle the count; nothing is played.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn suggestion(&self, game_id: &str, policy: RetryPolicy) -> Result<SuggestActResponse, Status> {
        let (games, request) = (self.games(), SuggestActRequest { game_id: game_id.to_owned() });
        with_retry(policy, || async { games.clone().suggest_act(request.clone()).await }).await
    }
}

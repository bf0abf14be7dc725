//! What a player wishes of the other side.

use std::time::Duration;

use tonic::Status;

use super::{Patience, Player, player::incomplete, retrying};
use crate::game::v1::{DropProposalRequest, GameEvent, GiveTimeRequest, Proposal, ProposeRequest, proposal};

impl Player {
    /// Proposes something, or agrees to what the other side proposes, again with the same request id until the
    /// server has answered.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn propose(
        &self,
        game_id: &str,
        wish: proposal::Proposal,
        patience: Patience,
    ) -> Result<GameEvent, Status> {
        let proposal = Some(Proposal { proposal: Some(wish) });
        let request = ProposeRequest { game_id: game_id.to_owned(), proposal, request_id: self.new_id() };
        let games = self.games();
        let answer = retrying(patience, || async { games.clone().propose(request.clone()).await }).await?;
        answer.event.ok_or_else(incomplete)
    }

    /// Declines what the other side proposes, or takes back what this one has, likewise.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn drop_proposal(
        &self,
        game_id: &str,
        wish: proposal::Proposal,
        patience: Patience,
    ) -> Result<GameEvent, Status> {
        let proposal = Some(Proposal { proposal: Some(wish) });
        let request =
            DropProposalRequest { game_id: game_id.to_owned(), proposal, request_id: self.new_id() };
        let games = self.games();
        let answer =
            retrying(patience, || async { games.clone().drop_proposal(request.clone()).await }).await?;
        answer.event.ok_or_else(incomplete)
    }

    /// Gives the other side time, likewise.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn give_time(
        &self,
        game_id: &str,
        given: Duration,
        patience: Patience,
    ) -> Result<GameEvent, Status> {
        let given_duration = Some(crate::time::duration(given));
        let request =
            GiveTimeRequest { game_id: game_id.to_owned(), given_duration, request_id: self.new_id() };
        let games = self.games();
        let answer = retrying(patience, || async { games.clone().give_time(request.clone()).await }).await?;
        answer.event.ok_or_else(incomplete)
    }
}

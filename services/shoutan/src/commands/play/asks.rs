//! What is said at a table besides moves and wishes: to the officials, under seal, to each other.

use api::{
    client::{ChatStream, Player},
    game::v1::{
        ChatMessage, ChatRoom, ClaimKind,
        petition::{Appeal, CallArbiter, Confirm, FileClaim, Petition},
    },
};
use futures::{Stream, stream};
use tonic::Status;

use super::{
    command::Ask,
    table::{RETRY, Table},
};

impl Table<'_> {
    /// Asks something of the officials, or confirms the result.
    pub(super) async fn ask(&self, player: &Player, ask: &Ask) -> Result<(), Status> {
        let asked = match ask.clone() {
            Ask::Call(text) => Petition::CallArbiter(CallArbiter { text }),
            Ask::Appeal(claim, text) => Petition::Appeal(Appeal { claim, text }),
            Ask::Confirm => Petition::Confirm(Confirm {}),
            Ask::Claim(kind, incident, text) => Petition::FileClaim(FileClaim {
                kind: kind as i32,
                text,
                evidence_sha256: Vec::new(),
                incident,
                // Who claims while the other side thinks cannot wait, or he would.
                urgent: !self.view.is_my_turn(),
                ply: if kind == ClaimKind::Conduct { self.view.state.ply } else { 0 },
            }),
        };
        player.petition(&self.view.info.id, asked, RETRY).await.map(drop)
    }

    /// Seals a move for an adjourned game.
    pub(super) async fn seal(&self, player: &Player, act: &str) -> Result<(), Status> {
        let mut rng = self.server.rng();
        player.seal_move(&self.view.info.id, act, self.view.state.ply, &mut rng, RETRY).await.map(drop)
    }

    /// Shows what the server would propose.
    pub(super) async fn suggest(&mut self, player: &Player) -> Result<(), Status> {
        let suggested = player.suggestion(&self.view.info.id, RETRY).await?;
        self.view.notice(&match suggested.act.as_str() {
            "" => "there is nothing to suggest now".to_owned(),
            act => format!("to propose what the server thinks, type:  {act}"),
        });
        Ok(())
    }

    /// Says something to the opponent, or among those who watch. It comes back by the stream.
    pub(super) async fn talk(&mut self, text: &str) {
        let Some(player) = self.player else {
            return self.view.notice("only who has an account can talk");
        };
        self.keep_signed_in().await;
        let said = player.send_message(&self.view.info.id, self.room(), text, RETRY).await.map(drop);
        self.tell_refusal(said);
    }

    /// What is said in the room of the person, as long as the server lets him listen.
    pub(super) fn overhear(&self) -> impl Stream<Item = ChatMessage> + use<> {
        let transport = self.player.map_or_else(|| self.server.transport(), Player::transport);
        let heard = ChatStream::new(transport, &self.view.info.id, self.room());
        stream::unfold(heard, async |mut heard| Some((heard.next().await.ok()?, heard)))
    }

    fn room(&self) -> ChatRoom {
        if self.view.is_seated() { ChatRoom::Players } else { ChatRoom::Spectators }
    }
}

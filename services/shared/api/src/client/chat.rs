//! Chat beside the board, through broken connections.

use std::time::Duration;

use tonic::{Status, Streaming};

use super::{Player, RetryPolicy, is_retryable, player::incomplete, with_retry};
use crate::{
    game::v1::{
        ChatMessage, ChatRoom, SendMessageRequest, WatchMessagesRequest, WatchMessagesResponse,
        chat_service_client::ChatServiceClient,
    },
    transport::Transport,
};

/// How long to wait before asking again for a stream that broke.
const PAUSE: Duration = Duration::from_millis(100);

/// The messages of a room, each once and in order.
#[derive(Debug)]
pub struct ChatStream {
    chat: ChatServiceClient<Transport>,
    game_id: String,
    room: ChatRoom,
    after: u64,
    stream: Option<Streaming<WatchMessagesResponse>>,
}

impl ChatStream {
    /// Listens from the first message on.
    pub fn new(transport: Transport, game_id: &str, room: ChatRoom) -> Self {
        let chat = ChatServiceClient::new(transport);
        ChatStream { chat, game_id: game_id.to_owned(), room, after: 0, stream: None }
    }

    /// The next message.
    ///
    /// # Errors
    /// When the server refuses, or cannot be reached for half a minute.
    pub async fn next(&mut self) -> Result<ChatMessage, Status> {
        loop {
            let stream = match &mut self.stream {
                Some(stream) => stream,
                none => {
                    let (game_id, room) = (self.game_id.clone(), self.room as i32);
                    let request = WatchMessagesRequest { game_id, room, after_sequence: self.after };
                    let chat = &self.chat;
                    let call = || async { chat.clone().watch_messages(request.clone()).await };
                    none.insert(with_retry(RetryPolicy::default(), call).await?)
                }
            };
            match stream.message().await {
                Ok(Some(WatchMessagesResponse { message: Some(message), .. })) => {
                    self.after = message.sequence;
                    return Ok(message);
                }
                Ok(Some(WatchMessagesResponse { message: None, .. })) => {}
                Err(status) if !is_retryable(&status) => return Err(status),
                Ok(None) | Err(_) => {
                    self.stream = None;
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }
}

impl Player {
    /// Writes a message, again with the same request id until the server has answered.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub async fn send_message(
        &self,
        game_id: &str,
        room: ChatRoom,
        text: &str,
        policy: RetryPolicy,
    ) -> Result<ChatMessage, Status> {
        let (game_id, request_id) = (game_id.to_owned(), self.new_id());
        let request = SendMessageRequest { game_id, room: room as i32, text: text.to_owned(), request_id };
        let chat = ChatServiceClient::new(self.transport());
        let answer =
            with_retry(policy, || async { chat.clone().send_message(request.clone()).await }).await?;
        answer.message.ok_or_else(incomplete)
    }
}

//! What events owe to other services, as the outbox keeps it and as it is delivered.

use api::{
    DecodeError,
    federation::v1 as pb,
    game::v1::{Confirmation, CreateGameRequest, IllegalInput, Regulations, Seat},
    time::{duration, timestamp},
};
use chassis::id::EventId;
use rules::Side;
use time::OffsetDateTime;

use crate::core::event::{BoardId, Event, game_id};

/// The entry that has the game service make a game.
pub(crate) const EVENT_GAME: &str = "game.create-of-event";
/// The entry that tells identity which offices somebody has in an event.
pub(crate) const EVENT_ROLES: &str = "identity.roles-of-event";
/// The entry that has a game follow a decision of its event.
pub(crate) const EVENT_RULING: &str = "game.rule-of-event";
/// The entry that has a game rest while a player of it is on leave.
pub(crate) const EVENT_LEAVE: &str = "game.leave-of-event";
/// What is delivered for events.
pub(crate) const KINDS: &[&str] = &[EVENT_GAME, EVENT_ROLES, EVENT_RULING, EVENT_LEAVE];

/// A game that is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameToMake {
    /// Of which event.
    pub event: EventId,
    /// At which board.
    pub board: BoardId,
    /// Which game of the board it is.
    pub attempt: u32,
}

impl From<GameToMake> for pb::GameToMake {
    fn from(owed: GameToMake) -> pb::GameToMake {
        let GameToMake { event, board, attempt } = owed;
        pb::GameToMake { event_id: event.to_string(), round: board.round.into(), table: board.table, attempt }
    }
}

impl TryFrom<pb::GameToMake> for GameToMake {
    type Error = DecodeError;

    fn try_from(owed: pb::GameToMake) -> Result<GameToMake, DecodeError> {
        let event = EventId::parse(&owed.event_id, "event_id").map_err(|_| DecodeError("an event"))?;
        let round = u16::try_from(owed.round).map_err(|_| DecodeError("a round"))?;
        Ok(GameToMake { event, board: BoardId { round, table: owed.table }, attempt: owed.attempt })
    }
}

/// A seat of a game: which player of the board it is, and what he is called.
pub(crate) struct Player {
    pub account: chassis::id::AccountId,
    pub name: String,
    pub rating: u32,
}

/// The side of the game that the first player of a board has: the one that moves first, where colours are given.
pub(crate) fn side_of_first(event: &Event) -> Side {
    event.settings.game.variant.moves_first.unwrap_or(Side::First)
}

/// What the game service is asked for: the players in the order of the board.
pub(crate) fn commission(
    event: &Event,
    owed: GameToMake,
    players: [Player; 2],
    start: Option<OffsetDateTime>,
) -> CreateGameRequest {
    let it = &event.settings;
    let (rule_set, time_control) = match event.play_off_at(owed.board) {
        Some(play_off) => (&play_off.rule_set, play_off.time_control),
        None => (&it.game.rule_set, it.game.time_control),
    };
    let [first, second] = match side_of_first(event) {
        Side::First => players.map(Some),
        Side::Second => {
            let [one, other] = players;
            [Some(other), Some(one)]
        }
    };
    let seat = |player: Option<Player>| {
        player.map(|it| Seat { account_id: it.account.to_string(), name: it.name, rating: it.rating })
    };
    let confirmation =
        if it.game.arbiter_confirms { Confirmation::PlayersAndArbiter } else { Confirmation::Players };
    let illegal = if it.game.illegal_as_on_board { IllegalInput::Source } else { IllegalInput::Reject };
    CreateGameRequest {
        game_id: game_id(owed.event, owed.board, owed.attempt).to_string(),
        variant: it.game.variant.id.to_owned(),
        rule_set: rule_set.clone(),
        options: event.options_at(owed.board),
        time_control: Some(time_control.into()),
        rated: event.is_rated_at(owed.board),
        first: seat(first),
        second: seat(second),
        regulations: Some(Regulations {
            event_id: event.id.to_string(),
            federation_id: event.federation.to_string(),
            start_time: start.map(timestamp),
            lateness_duration: Some(duration(it.game.lateness)),
            confirmation: confirmation.into(),
            contest_duration: Some(duration(it.appeal_within)),
            illegal_input: illegal.into(),
            warnings_max: it.game.warnings_max.unwrap_or(0),
            adjournable: it.game.adjournable,
            broadcast_delay_duration: Some(duration(it.broadcast_delay)),
            player_chat_off: !it.game.player_chat,
            watch_while_playing: it.watch_while_playing,
            ..Regulations::default()
        }),
    }
}

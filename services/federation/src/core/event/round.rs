//! Rounds that are public, and how their boards stand.

use std::{collections::BTreeMap, sync::Arc};

use chassis::id::{AccountId, EventId, GameId};
use pairing::{Number, ResultCode};
use time::OffsetDateTime;

use super::{
    arranging::Arrangement,
    fact::{Board, BoardId, BoardResult, PublishedRound, ResultSource},
    game_id,
    incident::Notice,
    team::{BoardAhead, LineUp},
};

/// A round that is public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// As it was published; the seats of its boards are there.
    pub published: Arc<PublishedRound>,
    /// When it was.
    pub published_at: OffsetDateTime,
    /// Since when it is played.
    pub started: Option<OffsetDateTime>,
    /// Since when the next round can be paired.
    pub over: Option<OffsetDateTime>,
    /// How its boards stand, in the order of tables.
    pub boards: Vec<BoardState>,
    /// The line-ups that were declared for it, by the numbers of teams.
    pub line_ups: BTreeMap<Number, LineUp>,
    /// What is agreed on boards that are not laid yet, by their tables.
    pub(super) ahead: BTreeMap<u32, BoardAhead>,
    /// In a bracket, the boards that its places follow from, each with what it had come to when the first round followed
    /// from it: by that everybody has gone on, whatever is decided of it later (1.9).
    pub(super) follows: Arc<BTreeMap<BoardId, [ResultCode; 2]>>,
    /// The boards of the games that it has, or had: it is told of thousands of games, each by its id.
    pub(super) games: Arc<BTreeMap<GameId, BoardId>>,
}

/// How a board stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardState {
    /// Which game of the board it is, from 1.
    pub attempt: u32,
    /// What came of it so far.
    pub result: Option<BoardResult>,
    /// The official who has entered that; none where it came from the game.
    pub entered_by: Option<AccountId>,
    /// To when it is postponed; none once its game is made.
    pub postponed: Option<OffsetDateTime>,
    /// When it began where it was postponed.
    pub started: Option<OffsetDateTime>,
    /// Who wants it to be played at another time, and when.
    pub asked: BTreeMap<Number, OffsetDateTime>,
    /// How often each has said so.
    pub(super) asks: BTreeMap<Number, u32>,
    /// What its games told beside their results, the earliest first.
    pub notices: Vec<Notice>,
    /// The arbiters who sit at it.
    pub arbiters: Vec<AccountId>,
    /// How it is arranged; none where it is played when its round begins.
    pub arrangement: Option<Box<Arrangement>>,
}

impl Round {
    /// Its boards with how they stand, in the order of tables.
    pub fn laid(&self) -> impl Iterator<Item = (BoardId, &Board, &BoardState)> {
        let round = self.published.round;
        let boards = self.published.boards.iter().zip(&self.boards);
        boards.map(move |(board, state)| (BoardId { round, table: board.table }, board, state))
    }

    /// Knows the games of its boards again, as they are laid now.
    pub(super) fn know_games(&mut self, event: EventId) {
        let games = self.laid().flat_map(|(board, _, state)| {
            (1..=state.attempt).map(move |attempt| (game_id(event, board, attempt), board))
        });
        self.games = Arc::new(games.collect());
    }

    /// Where a table is among its boards.
    pub(super) fn place_of(&self, table: u32) -> Option<usize> {
        let boards = &self.published.boards;
        // Nearly always the tables are 1, 2, 3.
        let likely = (table as usize).wrapping_sub(1);
        let is_there = boards.get(likely).is_some_and(|board| board.table == table);
        if is_there { Some(likely) } else { boards.iter().position(|board| board.table == table) }
    }

    /// Whether nothing more is awaited of its boards. An adjourned game is awaited, and does not keep the next round from
    /// being paired (1.11, 9).
    pub fn is_complete(&self) -> bool {
        self.started.is_some() && self.boards.iter().all(BoardState::is_settled)
    }

    pub(super) fn note_end(&mut self, at: OffsetDateTime) {
        self.over = if self.awaits().is_none() { self.over.or(Some(at)) } else { None };
    }

    /// The first table for which the next round has to wait; none where it can be paired.
    pub fn awaits(&self) -> Option<u32> {
        let is_awaited =
            |state: &BoardState| !(state.is_settled() || state.is_adjourned() || state.is_overlapped());
        let open = self.boards.iter().position(is_awaited);
        match open {
            None if self.started.is_some() => None,
            // Of a round of teams that has not begun no board is laid yet.
            at => Some(self.published.boards.get(at.unwrap_or(0)).map_or(1, |board| board.table)),
        }
    }
}

impl BoardState {
    /// A board of which nothing is known yet.
    pub(super) fn of_attempt(attempt: u32) -> BoardState {
        BoardState {
            attempt,
            result: None,
            entered_by: None,
            postponed: None,
            started: None,
            asked: BTreeMap::new(),
            asks: BTreeMap::new(),
            notices: Vec::new(),
            arbiters: Vec::new(),
            arrangement: None,
        }
    }

    /// Whether nothing more is awaited of it.
    pub fn is_settled(&self) -> bool {
        self.result.as_ref().is_some_and(BoardResult::is_settled)
    }

    /// Whether something came of it at the board, or was decided: what is postponed is played later, and what somebody left
    /// was not played.
    pub(super) fn was_played(&self) -> bool {
        let result = self.result.as_ref().filter(|_| self.postponed.is_none());
        result.is_some_and(|it| it.source != ResultSource::Departure)
    }

    /// Whether it is still to be played, or played on: nothing was entered of it that waits to be confirmed.
    pub(super) fn awaits_its_end(&self) -> bool {
        self.result.as_ref().is_none_or(|it| it.codes.iter().any(|code| code.is_provisional()))
    }

    /// Whether its game goes on another day.
    pub(super) fn is_adjourned(&self) -> bool {
        self.result.as_ref().is_some_and(|it| it.codes.contains(&ResultCode::Adjourned))
    }
}

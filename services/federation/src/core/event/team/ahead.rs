//! Boards of a round of teams before they are laid: that they are to be played at another time than the others.

use std::collections::{BTreeMap, BTreeSet};

use pairing::Number;
use time::OffsetDateTime;

use crate::core::event::{
    Event, Format, Refusal,
    fact::{Board, BoardId, BoardResult},
    round::{BoardState, Round},
};

/// What is agreed on a board that is not laid yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardAhead {
    /// Who wants it to be played at another time, and when.
    asked: BTreeMap<Number, OffsetDateTime>,
    /// How often each has asked.
    asks: BTreeMap<Number, u32>,
    /// To when it is postponed, and by whose wish: it holds if these two sit there.
    agreed: Option<(OffsetDateTime, BTreeSet<Number>)>,
}

impl BoardAhead {
    /// Postpones it, by the wish of those who have asked for this time.
    fn postpone(&mut self, until: OffsetDateTime) {
        let asked = std::mem::take(&mut self.asked);
        let wish = asked.into_iter().filter(|(_, to)| *to == until).map(|(number, _)| number);
        self.agreed = Some((until, wish.collect()));
    }

    /// Hands what was agreed on to the board as it is laid.
    pub(in crate::core::event) fn hand_over(self, board: &Board, state: &mut BoardState) {
        state.asks = self.asks;
        match self.agreed {
            Some((until, wish)) if board.players.iter().all(|player| wish.contains(player)) => {
                state.postpone(until);
            }
            _ => {}
        }
    }
}

impl Event {
    /// Takes over that somebody wants a board to be played at another time, laid or not.
    pub(in crate::core::event) fn ask_to_postpone_board(
        &mut self,
        board: BoardId,
        number: Number,
        until: OffsetDateTime,
    ) -> Result<(), &'static str> {
        let (asked, asks) = match self.round_mut(board.round)?.ahead_mut(board.table) {
            Some(ahead) => (&mut ahead.asked, &mut ahead.asks),
            None => self.board_mut(board).map(|state| (&mut state.asked, &mut state.asks))?,
        };
        asked.insert(number, until);
        *asks.entry(number).or_default() += 1;
        Ok(())
    }

    /// A board that is played later is one that is adjourned.
    pub(in crate::core::event) fn postpone(
        &mut self,
        board: BoardId,
        until: OffsetDateTime,
    ) -> Result<(), &'static str> {
        match self.round_mut(board.round)?.ahead_mut(board.table) {
            Some(ahead) => ahead.postpone(until),
            None => self.board_mut(board)?.postpone(until),
        }
        Ok(())
    }

    /// A round with the two at a table and how the board stands; where teams meet and the round has not begun, as the
    /// board will be.
    pub(in crate::core::event) fn board_or_ahead(
        &self,
        board: BoardId,
    ) -> Result<(&Round, [Number; 2], BoardState), Refusal> {
        let round = self.round(board.round).ok_or(Refusal::UnknownBoard)?;
        if self.meetings().is_none() || round.started.is_some() {
            let (round, seat, state) = self.find_board(board)?;
            return Ok((round, seat.players, state.clone()));
        }
        let players = self.players_ahead(round, board.table)?;
        let mut state = BoardState::of_attempt(1);
        if let Some(ahead) = round.ahead.get(&board.table) {
            state.asked.clone_from(&ahead.asked);
            state.asks.clone_from(&ahead.asks);
            state.postponed = ahead.agreed.as_ref().map(|(until, _)| *until);
        }
        Ok((round, players, state))
    }

    /// Who will sit at a table of a round of teams that has not begun, once everybody may know.
    fn players_ahead(&self, round: &Round, table: u32) -> Result<[Number; 2], Refusal> {
        if self.settings.format == Format::Arena {
            return Err(Refusal::Postponement("in an arena each game waits for the one before it"));
        }
        let laid = self.boards_of(round).into_iter().find(|it| it.table == table);
        let players = laid.ok_or(Refusal::UnknownBoard)?.players;
        let is_public = |number: Number| {
            let line_up = self.team_of(number).and_then(|team| round.line_ups.get(&team));
            line_up.is_some_and(|it| it.revealed.is_some())
        };
        let changes = self.meetings().is_some_and(super::TeamSettings::changes);
        if changes && !players.into_iter().all(is_public) {
            return Err(Refusal::Postponement("the line-ups of the match are not public yet"));
        }
        Ok(players)
    }

    /// The team of a player.
    pub fn team_of(&self, number: Number) -> Option<Number> {
        self.participant(number).and_then(|it| it.team)
    }

    /// Who sits at a board, or where teams meet will sit there once its round begins.
    ///
    /// # Errors
    /// When there is no such board, or nobody knows yet.
    pub fn players_at(&self, board: BoardId) -> Result<[Number; 2], Refusal> {
        self.board_or_ahead(board).map(|(_, players, _)| players)
    }
}

impl Round {
    /// Its boards that are not laid yet and for which another time is agreed on, with those who have agreed.
    pub(in crate::core::event) fn agreed_ahead(
        &self,
    ) -> impl Iterator<Item = (BoardId, &BTreeSet<Number>, OffsetDateTime)> {
        let round = self.published.round;
        self.ahead.iter().filter_map(move |(table, ahead)| {
            let (at, players) = ahead.agreed.as_ref()?;
            Some((BoardId { round, table: *table }, players, *at))
        })
    }

    /// What is agreed on a board that is not laid yet; none where it is laid.
    fn ahead_mut(&mut self, table: u32) -> Option<&mut BoardAhead> {
        let is_laid = self.published.matches.is_empty() || self.started.is_some();
        (!is_laid).then(|| self.ahead.entry(table).or_default())
    }
}

impl BoardState {
    /// Has it played later: until then it is adjourned.
    fn postpone(&mut self, until: OffsetDateTime) {
        let adjourned = [pairing::ResultCode::Adjourned; 2];
        self.asked.clear();
        self.postponed = Some(until);
        self.result = Some(BoardResult::decided(adjourned, pairing::Reason::NotPlayed));
    }
}

//! What the two sides of a board may say of its time.

use std::borrow::Cow;

use pairing::Number;
use time::OffsetDateTime;

use super::{Arrangement, Arranging, ArrangingFact, ProposalAnswer, Unarrangeable};
use crate::core::event::{
    BoardId, Event, Fact, Refusal,
    fact::TimingFact,
    leave::{self, Span},
    round::{BoardState, Round},
    schedule::ASKS_MAX,
};

/// Boards that are agreed on together, with how that stands: one, or those of a match.
pub(super) struct Talk<'a> {
    /// The board whose arrangement it is.
    pub agreed_at: BoardId,
    /// Its players, who stand for the two sides.
    pub players: [Number; 2],
    /// How it stands, with what leave has moved.
    pub arrangement: Cow<'a, Arrangement>,
    /// When either side is on leave.
    pub away: Vec<Span>,
    /// The boards that are still to be arranged, with the time that is agreed on so far.
    pub open: Vec<(BoardId, Option<OffsetDateTime>)>,
}

impl Event {
    /// The side of a board for which somebody speaks who is one of its players, or leads the team of one.
    ///
    /// # Errors
    /// When he is neither, there is nothing to arrange, or nobody but the captains agrees.
    pub fn side_of(
        &self,
        board: BoardId,
        player: Option<Number>,
        leads: Option<Number>,
    ) -> Result<Number, Refusal> {
        let (_, seat, _) = self.find_board(board)?;
        let talk = self.talk(board)?;
        let of_team = |number: &Number| leads.is_some() && self.team_of(*number) == leads;
        if let Some(side) = talk.players.into_iter().find(of_team) {
            return Ok(side);
        }
        let own = player.filter(|own| seat.players.contains(own));
        match own {
            Some(_) if self.agrees_by_match() => Err(Unarrangeable::ByCaptains.into()),
            Some(own) => Ok(own),
            None => Err(Unarrangeable::NotAtBoard.into()),
        }
    }

    /// Proposes times for a board in the place of what the side has proposed before, or takes that back.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn propose_game(
        &self,
        board: BoardId,
        side: Number,
        mut times: Vec<OffsetDateTime>,
        now: OffsetDateTime,
    ) -> Result<Vec<Fact>, Refusal> {
        let settings = self.arranged()?;
        let talk = self.talk_of(board, side)?;
        let (board, known) = (talk.agreed_at, talk.arrangement.proposals.get(&side));
        times.sort_unstable();
        times.dedup();
        let Some((first, last)) = times.first().copied().zip(times.last().copied()) else {
            known.ok_or(Unarrangeable::NoProposal)?;
            return Ok(vec![answered(board, side, ProposalAnswer::Withdrawn)]);
        };
        if times.len() > settings.times_max as usize {
            return Err(Unarrangeable::TooMany(settings.times_max).into());
        }
        if first <= now {
            return Err(Unarrangeable::Past.into());
        }
        if first < now + settings.lead {
            return Err(Unarrangeable::TooSoon(settings.lead).into());
        }
        times.iter().try_for_each(|at| talk.is_free(*at))?;
        if known.is_some_and(|it| it.times == times) {
            return Ok(Vec::new());
        }
        if talk.arrangement.asks.get(&side).is_some_and(|asks| *asks >= ASKS_MAX) {
            return Err(Refusal::AskedTooOften(ASKS_MAX));
        }
        let until = leave::moved(now, now + settings.answer_within, &talk.away).min(last);
        // What is agreed on already stands until then; what is not is settled at the deadline.
        let is_agreed = talk.open.iter().all(|(_, agreed)| agreed.is_some());
        let until = if is_agreed { until } else { until.min(talk.arrangement.deadline) };
        Ok(vec![Fact::Arranging(ArrangingFact::Proposed { board, number: side, times, until })])
    }

    /// Accepts a time that the other side proposes.
    ///
    /// # Errors
    /// When it does not, or not any more.
    pub fn accept_proposal(
        &self,
        board: BoardId,
        side: Number,
        at: OffsetDateTime,
        now: OffsetDateTime,
    ) -> Result<Vec<Fact>, Refusal> {
        self.arranged()?;
        let talk = self.talk_of(board, side)?;
        let proposed = talk.proposal_to(side, now).filter(|(_, times)| times.contains(&at));
        let (other, _) = proposed.ok_or(Unarrangeable::NoProposal)?;
        if at <= now {
            return Err(Unarrangeable::Past.into());
        }
        // Somebody may have taken leave since, or ended it.
        talk.is_free(at)?;
        let accepted = answered(talk.agreed_at, other, ProposalAnswer::Accepted);
        let postponed = |(board, _)| Fact::Timing(TimingFact::BoardPostponed { board, until: at });
        Ok(std::iter::once(accepted).chain(talk.open.into_iter().map(postponed)).collect())
    }

    /// Declines everything that the other side proposes.
    ///
    /// # Errors
    /// When it proposes nothing.
    pub fn decline_proposal(
        &self,
        board: BoardId,
        side: Number,
        now: OffsetDateTime,
    ) -> Result<Vec<Fact>, Refusal> {
        self.arranged()?;
        let talk = self.talk_of(board, side)?;
        let (other, _) = talk.proposal_to(side, now).ok_or(Unarrangeable::NoProposal)?;
        Ok(vec![answered(talk.agreed_at, other, ProposalAnswer::Declined)])
    }

    fn arranged(&self) -> Result<&Arranging, Refusal> {
        Ok(self.settings.arranging.as_ref().ok_or(Unarrangeable::NotArranged)?)
    }

    /// Whether a match is played at one time.
    pub fn agrees_by_match(&self) -> bool {
        self.meetings().is_some() && self.settings.arranging.as_ref().is_some_and(|it| it.by_match)
    }

    /// How the arranging of a board stands, of which a side speaks.
    fn talk_of(&self, board: BoardId, side: Number) -> Result<Talk<'_>, Refusal> {
        let talk = self.talk(board)?;
        if talk.players.contains(&side) { Ok(talk) } else { Err(Unarrangeable::NotAtBoard.into()) }
    }

    pub(super) fn talk(&self, board: BoardId) -> Result<Talk<'_>, Refusal> {
        self.arranged()?;
        let (round, _, state) = self.find_board(board)?;
        let own = state.arrangement.as_ref().filter(|_| state.is_to_be_arranged());
        let agreed_at = own.ok_or(Unarrangeable::NotOpen)?.agreed_at;
        let open = open_boards(round).filter(|(.., table)| *table == agreed_at);
        let open = open.map(|(board, state, _)| (board, state.postponed)).collect();
        let agreed_at = BoardId { table: agreed_at, ..board };
        let (_, seat, state) = self.find_board(agreed_at)?;
        let arrangement = state.arrangement.as_ref().ok_or(Unarrangeable::NotOpen)?;
        Ok(self.talk_about(agreed_at, seat.players, arrangement, open))
    }

    /// How boards stand that are agreed on together, with what leave moves: that of all who play at them.
    pub(super) fn talk_about<'a>(
        &self,
        agreed_at: BoardId,
        players: [Number; 2],
        arrangement: &'a Arrangement,
        open: Vec<(BoardId, Option<OffsetDateTime>)>,
    ) -> Talk<'a> {
        let seats = open.iter().filter_map(|(board, _)| Some(self.find_board(*board).ok()?.1.players));
        let away = self.away(seats.flatten());
        let arrangement =
            if away.is_empty() { Cow::Borrowed(arrangement) } else { Cow::Owned(arrangement.moved(&away)) };
        Talk { agreed_at, players, arrangement, away, open }
    }

    /// How the arranging of a board stands, with what leave has moved; none where there is nothing to arrange.
    pub fn arrangement(&self, board: BoardId) -> Option<Arrangement> {
        self.talk(board).ok().map(|talk| talk.arrangement.into_owned())
    }
}

/// The boards of a round that are to be arranged, each with the table at which it is agreed on.
pub(super) fn open_boards(round: &Round) -> impl Iterator<Item = (BoardId, &BoardState, u32)> {
    let open = round.laid().filter(|(.., state)| state.is_to_be_arranged());
    open.filter_map(|(board, _, state)| Some((board, state, state.arrangement.as_ref()?.agreed_at)))
}

impl Talk<'_> {
    /// Whether a game can begin then by what is agreed on: the round is open, and neither side is on leave.
    fn is_free(&self, at: OffsetDateTime) -> Result<(), Refusal> {
        if at > self.arrangement.closes {
            return Err(Unarrangeable::Outside(self.arrangement.closes).into());
        }
        let leave = self.away.iter().find(|span| span.contains(at));
        leave.map_or(Ok(()), |span| Err(Unarrangeable::OnLeave(span.until).into()))
    }

    /// What the other side proposes to one, and who that is.
    fn proposal_to(&self, side: Number, now: OffsetDateTime) -> Option<(Number, &[OffsetDateTime])> {
        let other = self.players.into_iter().find(|it| *it != side)?;
        let proposal = self.arrangement.proposals.get(&other).filter(|it| now < it.until)?;
        Some((other, &proposal.times))
    }
}

pub(super) fn answered(board: BoardId, number: Number, answer: ProposalAnswer) -> Fact {
    Fact::Arranging(ArrangingFact::Answered { board, number, answer })
}

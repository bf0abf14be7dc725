//! Whether leave is taken, granted and ended.

use std::time::Duration;

use pairing::Number;
use time::OffsetDateTime;

use super::{
    AHEAD_MAX, LONGEST_MAX, Leave, LeaveFact, LeaveLeft, LeaveState, Leaveless, SHORTEST_MIN, Span,
    TAKEN_MAX, Whose, united,
};
use crate::core::event::{BoardId, Event, Fact, NotAllowed, Refusal, Round, Sealed, Stage, decide::has_left};

/// Leave that somebody wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewLeave {
    /// Whose it is to be.
    pub whose: Whose,
    /// When it begins; none for now.
    pub from: Option<OffsetDateTime>,
    /// When it is over.
    pub until: OffsetDateTime,
    /// Why the chief arbiter grants it; none where it is taken.
    pub reason: Option<Sealed>,
}

impl Event {
    /// Takes leave, or grants it: what is granted is bound by no budget, need not be announced, and has boards arranged anew
    /// that were to begin within it.
    ///
    /// # Errors
    /// Why it cannot be.
    pub fn take_leave(&self, new: NewLeave, now: OffsetDateTime) -> Result<Vec<Fact>, Refusal> {
        self.can_be_on_leave(new.whose)?;
        let settings = self.settings.leave.as_ref().ok_or(Leaveless::None("anybody"))?;
        let NewLeave { whose, until, reason, .. } = new;
        let span = Span { from: new.from.unwrap_or(now), until };
        if span.from < now || span.until <= now {
            return Err(Leaveless::Past.into());
        }
        if span.from > now + AHEAD_MAX {
            return Err(Leaveless::TooFar.into());
        }
        let lengths = match reason {
            None => [settings.shortest, settings.longest],
            Some(_) => [SHORTEST_MIN, LONGEST_MAX],
        };
        if span.until <= span.from || !(lengths[0]..=lengths[1]).contains(&span.length()) {
            return Err(Leaveless::Length(lengths).into());
        }
        if reason.is_none() {
            self.within_budget(whose, span, now)?;
        }
        if self.leaves.of(whose).count() >= TAKEN_MAX {
            return Err(Refusal::AskedTooOften(u32::try_from(TAKEN_MAX).unwrap_or(u32::MAX)));
        }
        if let Some(other) = self.leaves.of(whose).find(|it| it.span.overlaps(&span)) {
            return Err(Leaveless::Overlaps(other.number).into());
        }
        if reason.is_none()
            && let Some((board, at)) = self.agreed_within(whose, span).next()
        {
            return Err(Leaveless::OverAgreedTime { board, at }.into());
        }
        let leave = u32::try_from(self.leaves.all.len()).unwrap_or(u32::MAX).saturating_add(1);
        Ok(vec![Fact::Leave(LeaveFact::Taken { leave, whose, span, reason })])
    }

    /// Makes sure that there is such a player or team.
    ///
    /// # Errors
    /// When there is none.
    pub fn knows(&self, whose: Whose) -> Result<(), Refusal> {
        let (number, is_there) = match whose {
            Whose::Player(number) => (number, self.participant(number).is_some()),
            Whose::Team(team) => (team, self.team(team).is_some()),
        };
        if is_there { Ok(()) } else { Err(Refusal::UnknownNumber(number)) }
    }

    /// Whether somebody can be on leave at all.
    fn can_be_on_leave(&self, whose: Whose) -> Result<(), Refusal> {
        if self.stage != Stage::Running {
            return Err(NotAllowed::Stage(self.stage).into());
        }
        let statuses = match whose {
            Whose::Player(number) => {
                let player = self.participant(number).ok_or(Refusal::UnknownNumber(number))?;
                let team = player.team.and_then(|team| self.team(team));
                if team.is_some_and(|team| has_left(&team.statuses)) {
                    return Err(Refusal::Status("his team has left"));
                }
                &player.statuses
            }
            Whose::Team(team) => &self.team(team).ok_or(Refusal::UnknownNumber(team))?.statuses,
        };
        if has_left(statuses) { Err(Refusal::Status("he has left")) } else { Ok(()) }
    }

    fn within_budget(&self, whose: Whose, span: Span, now: OffsetDateTime) -> Result<(), Refusal> {
        let settings = self.settings.leave.as_ref().ok_or(Leaveless::None("anybody"))?;
        let left = self.leave_left(whose).ok_or(Leaveless::None(match whose {
            Whose::Player(_) => "players",
            Whose::Team(_) => "teams",
        }))?;
        if span.from < now + settings.notice {
            return Err(Leaveless::TooLate(settings.notice).into());
        }
        if left.spans == 0 {
            return Err(Leaveless::TooOften(settings.spans_max).into());
        }
        if span.length() > left.time {
            return Err(Leaveless::OverBudget(left.time).into());
        }
        Ok(())
    }

    /// What somebody can still take; none where the event has no leave for him.
    pub fn leave_left(&self, whose: Whose) -> Option<LeaveLeft> {
        let settings = self.settings.leave.as_ref()?;
        let budget = Some(settings.budget(whose)).filter(|budget| !budget.is_zero())?;
        let taken = self.leaves.of(whose).filter(|it| !it.granted && it.span.from < it.span.until);
        let (used, spans) = taken
            .fold((Duration::ZERO, 0_u32), |(used, spans), leave| (used + leave.span.length(), spans + 1));
        Some(LeaveLeft { time: budget.saturating_sub(used), spans: settings.spans_max.saturating_sub(spans) })
    }

    /// Ends leave early, or takes it back. Whoever it belongs to says so, or the chief arbiter with a reason.
    ///
    /// # Errors
    /// When there is none, or it is over.
    pub fn end_leave(
        &self,
        leave: u32,
        reason: Option<Sealed>,
        now: OffsetDateTime,
    ) -> Result<Vec<Fact>, Refusal> {
        if self.stage != Stage::Running {
            return Err(NotAllowed::Stage(self.stage).into());
        }
        let found = self.leaves.find(leave).ok_or(Leaveless::Unknown)?;
        match found.state(now) {
            LeaveState::Announced | LeaveState::On => {}
            LeaveState::Over | LeaveState::Cancelled => return Err(Leaveless::Over.into()),
        }
        let until = now.max(found.span.from);
        Ok(vec![Fact::Leave(LeaveFact::Ended { leave, until, reason })])
    }

    /// Whether leave is of a player, or of the team that he is in.
    pub fn is_covered(&self, whose: Whose, number: Number) -> bool {
        match whose {
            Whose::Player(player) => player == number,
            Whose::Team(team) => self.team_of(number) == Some(team),
        }
    }

    /// Boards that are to begin within a span, of those whom leave is about.
    pub(super) fn agreed_within(
        &self,
        whose: Whose,
        span: Span,
    ) -> impl Iterator<Item = (BoardId, OffsetDateTime)> {
        let laid = self.all_boards().filter_map(move |(board, seat, state)| {
            let at = state.postponed.filter(|at| span.contains(*at))?;
            seat.players.iter().any(|it| self.is_covered(whose, *it)).then_some((board, at))
        });
        let ahead = self.rounds.iter().flat_map(Round::agreed_ahead);
        laid.chain(
            ahead
                .filter(move |(_, players, at)| {
                    span.contains(*at) && players.iter().any(|it| self.is_covered(whose, *it))
                })
                .map(|(board, _, at)| (board, at)),
        )
    }

    /// The leave of a player and of his team.
    fn leave_of(&self, number: Number) -> impl Iterator<Item = &Leave> {
        let team = self.team_of(number).map(Whose::Team);
        let own = self.leaves.of(Whose::Player(number));
        own.chain(team.into_iter().flat_map(|team| self.leaves.of(team)))
    }

    /// Until when a player is on leave, by his own or by his team's; none where he is not.
    pub fn on_leave_until(&self, number: Number, now: OffsetDateTime) -> Option<OffsetDateTime> {
        self.away([number]).into_iter().find(|it| it.contains(now)).map(|it| it.until)
    }

    /// When any of these players is on leave, united.
    pub(in crate::core::event) fn away(&self, players: impl IntoIterator<Item = Number>) -> Vec<Span> {
        if self.leaves.all.is_empty() {
            return Vec::new();
        }
        united(players.into_iter().flat_map(|it| self.leave_of(it)).map(|it| it.span).collect())
    }

    /// Whether the game of a board rests because a player of it is on leave, and the entry of the log by which that was last
    /// another; none where neither was ever on leave in it.
    pub fn rests(&self, board: BoardId) -> Option<(bool, u64)> {
        let (_, seat, _) = self.find_board(board).ok()?;
        let leaves = || seat.players.into_iter().flat_map(|it| self.leave_of(it));
        let since = leaves().flat_map(|it| [it.begun, it.over]).flatten().max()?;
        let is_running = self.stage == Stage::Running;
        let rests = is_running && leaves().any(Leave::holds_games);
        // Of what was called off, the last entry is as good as any.
        Some((rests, if is_running { since } else { self.sequence }))
    }
}

//! When somebody plays in an event, as far as anybody can know ahead, and what of it collides with other events.

use std::ops::{Range, RangeBounds};

use chassis::{
    id::AccountId,
    limit::{Amount, Limit},
};
use time::{Duration, OffsetDateTime};

use super::{
    BoardId, Event, Participant, Stage,
    calendar::{SeatInRound, seat_of},
    decide::has_left,
    round::Round,
};

/// Two that begin within this of each other are warned of.
pub const SAME_HOUR: Duration = Duration::hours(1);
/// Times of an account that are told at once, the earliest: those that one means are among them.
pub const TIMES_MAX: usize = 100;

/// The limits of times.
pub const LIMITS: &[Limit] = &[Limit {
    name: "times of an account that are told at once",
    amount: Amount::Count(TIMES_MAX as u64),
    setting: None,
    reason: "the earliest; who enters an event is warned of those that collide with it",
}];

/// A time at which somebody plays, or will if he is paired then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayingTime {
    /// When it begins.
    pub starts: OffsetDateTime,
    /// Where; table 0 while nobody knows it.
    pub board: BoardId,
}

impl Event {
    /// When an account plays in it, or will if it is paired then: in rounds that are public or planned for a time, and at boards that
    /// have a time of their own. Rounds whose boards are arranged have none.
    pub fn times_of(
        &self,
        account: AccountId,
        within: &impl RangeBounds<OffsetDateTime>,
    ) -> Vec<PlayingTime> {
        let player = self.of_account(account).filter(|it| !has_left(&it.statuses));
        let is_played = matches!(self.stage, Stage::Adopted | Stage::Registration | Stage::Running);
        let Some(player) = player.filter(|_| is_played).map(Participant::number) else { return Vec::new() };
        let mut found = Vec::new();
        for (number, round) in self.rounds_known() {
            let table = match seat_of(round, player) {
                SeatInRound::Unknown => Some(0),
                SeatInRound::At(table) => Some(table),
                SeatInRound::Apart => None,
            };
            let begins = self.begins_at(number, round).filter(|_| self.settings.arranging.is_none());
            let whole = table
                .zip(begins)
                .map(|(table, starts)| PlayingTime { starts, board: BoardId { round: number, table } });
            let own =
                round.into_iter().flat_map(Round::laid).filter(|(_, seat, _)| seat.players.contains(&player));
            let apart =
                own.filter_map(|(board, _, state)| Some(PlayingTime { starts: state.postponed?, board }));
            found.extend(whole.into_iter().chain(apart).filter(|it| within.contains(&it.starts)));
        }
        found
    }
}

/// From when until when something collides with these times; nothing where there are none.
pub fn span_around(times: &[PlayingTime]) -> Option<Range<OffsetDateTime>> {
    let starts = || times.iter().map(|it| it.starts);
    Some(starts().min()?.saturating_sub(SAME_HOUR)..starts().max()?.saturating_add(SAME_HOUR))
}

/// Whether something that begins then is less than an hour from one of these times.
pub fn collides(starts: OffsetDateTime, times: &[PlayingTime]) -> bool {
    times.iter().any(|it| (it.starts - starts).abs() < SAME_HOUR)
}

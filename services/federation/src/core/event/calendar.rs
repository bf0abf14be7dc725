//! The times of an event as a calendar has them: when its rounds begin, and the boards that have a time of their own.

use std::{collections::BTreeSet, time::Duration};

use chassis::id::AccountId;
use exchange::calendar::Appointment;
use pairing::Number;
use time::OffsetDateTime;

use super::{BoardId, BoardState, Event, ResultSource, Stage, decide::has_left, round::Round};
use crate::core::{calendar::Words, name::Name};

/// How long a round takes whose time control does not say.
const ROUND: Duration = Duration::from_hours(2);
/// The longest that a board is expected to take: what takes longer is played over days.
const ROUND_MAX: Duration = Duration::from_hours(12);
/// How long what has no length stands in a calendar: programs show nothing of what takes no time.
const MOMENT: Duration = Duration::from_mins(15);

/// Whom a calendar is for.
struct Reader {
    /// The number of who plays; none where he does not, or has left.
    player: Option<Number>,
    /// Whose boards he has to do with: his own, and those of a team that he leads.
    numbers: BTreeSet<Number>,
    /// Whether every round concerns him, whoever is paired.
    all_rounds: bool,
}

/// Where somebody plays a round.
pub(super) enum SeatInRound {
    /// Nobody knows yet.
    Unknown,
    /// At a table, when the round begins.
    At(u32),
    /// Not at all, or at another time than the others.
    Apart,
}

pub(super) fn seat_of(round: Option<&Round>, player: Number) -> SeatInRound {
    let Some(round) = round.filter(|it| !it.boards.is_empty()) else { return SeatInRound::Unknown };
    let own = round.laid().find(|(_, seat, _)| seat.players.contains(&player));
    match own {
        Some((board, _, state))
            if state.arrangement.is_none() && state.postponed.or(state.started).is_none() =>
        {
            SeatInRound::At(board.table)
        }
        _ => SeatInRound::Apart,
    }
}

impl Event {
    /// What a calendar has of it: all of it, or what concerns an account. The event is as everybody sees it: nothing else is
    /// held back here.
    pub fn appointments(&self, of: Option<AccountId>, words: &Words<'_>) -> Vec<Appointment> {
        if self.stage == Stage::Draft {
            return Vec::new();
        }
        let reader = of.map(|account| self.reader(account));
        let mut found = Vec::new();
        for (number, round) in self.rounds_known() {
            found.extend(self.round_at(number, round, reader.as_ref(), words));
            for (board, seat, state) in round.into_iter().flat_map(Round::laid) {
                let concerns = |it: &Reader| seat.players.iter().any(|player| it.numbers.contains(player));
                if reader.as_ref().is_none_or(concerns) {
                    found.extend(self.board_at(board, state, reader.is_some(), words));
                }
            }
        }
        found
    }

    /// The rounds that are public, and those that are planned for a time.
    pub(super) fn rounds_known(&self) -> impl Iterator<Item = (u16, Option<&Round>)> {
        let planned = u16::try_from(self.settings.schedule.rounds.len()).unwrap_or(u16::MAX);
        (1..=planned.max(self.next_round() - 1)).map(|number| (number, self.round(number)))
    }

    /// When a round has begun, or is to.
    pub(super) fn begins_at(&self, number: u16, round: Option<&Round>) -> Option<OffsetDateTime> {
        let planned = self.settings.schedule.rounds.get(usize::from(number) - 1).copied();
        round.and_then(|it| it.started.or(it.published.start)).or(planned)
    }

    fn reader(&self, account: AccountId) -> Reader {
        let player = self.of_account(account).filter(|it| !has_left(&it.statuses));
        let player = player.map(super::Participant::number);
        let led = self.teams.iter().filter(|it| it.entrant.captain == account && !has_left(&it.statuses));
        let led: Vec<_> = led.collect();
        let of_teams = led.iter().flat_map(|it| it.entrant.players.iter().chain(&it.entrant.reserves));
        let numbers = of_teams.copied().chain(player).collect();
        let all_rounds = self.officials.contains_key(&account) || !led.is_empty();
        Reader { player, numbers, all_rounds }
    }

    /// When a round begins, if that concerns the reader and he has no other time for it.
    fn round_at(
        &self,
        number: u16,
        round: Option<&Round>,
        reader: Option<&Reader>,
        words: &Words<'_>,
    ) -> Option<Appointment> {
        let begins = self.begins_at(number, round)?;
        let table = match reader {
            Some(reader) if !reader.all_rounds => match seat_of(round, reader.player?) {
                SeatInRound::Apart => return None,
                SeatInRound::Unknown => None,
                SeatInRound::At(table) => Some(table),
            },
            _ => None,
        };
        let event = shown(&self.name);
        let mut args = vec![("event", event.as_str().into()), ("round", u64::from(number).into())];
        let (name, lasts) = match table {
            _ if self.settings.arranging.is_some() => ("opens", MOMENT),
            Some(table) => {
                args.push(("table", u64::from(table).into()));
                ("board", self.lasts())
            }
            None => ("round", self.lasts()),
        };
        Some(self.appointment(&format!("round-{number}"), begins, lasts, words.say(name, &args)))
    }

    /// The time of a board that has one of its own; of one that is still to be arranged until when that can be done.
    fn board_at(&self, at: BoardId, state: &BoardState, own: bool, words: &Words<'_>) -> Option<Appointment> {
        let agreed = state.postponed.or(state.started);
        let open = self.arrangement(at).filter(|_| own);
        let (name, what, begins, lasts) = match (agreed, open) {
            (Some(agreed), _) => ("board", "", agreed, self.lasts()),
            (None, Some(open)) => ("deadline", "-deadline", open.deadline, MOMENT),
            (None, None) => return None,
        };
        let (round, table, event) = (u64::from(at.round), u64::from(at.table), shown(&self.name));
        let args = [("event", event.as_str().into()), ("round", round.into()), ("table", table.into())];
        let uid = format!("round-{round}-table-{table}{what}");
        let mut appointment = self.appointment(&uid, begins, lasts, words.say(name, &args));
        let is_off = state.result.as_ref().is_some_and(|it| it.source == ResultSource::Departure);
        appointment.cancelled |= is_off;
        Some(appointment)
    }

    fn appointment(
        &self,
        uid: &str,
        begins: OffsetDateTime,
        lasts: Duration,
        summary: String,
    ) -> Appointment {
        Appointment {
            uid: format!("{}-{uid}@shoutan", self.id),
            sequence: u32::try_from(self.sequence).unwrap_or(u32::MAX),
            changed: self.updated.unix_timestamp(),
            begins: begins.unix_timestamp(),
            ends: (begins + lasts).unix_timestamp(),
            summary,
            location: String::new(),
            description: self.moment(begins),
            cancelled: self.stage == Stage::Cancelled,
        }
    }

    /// How long a board is expected to take.
    fn lasts(&self) -> Duration {
        let side = self.settings.game.time_control.expected();
        side.map_or(ROUND, |side| side.saturating_mul(2)).clamp(MOMENT, ROUND_MAX)
    }
}

/// A name as a line has it.
pub fn shown(name: &Name) -> String {
    match name.latin.as_str() {
        "" => name.native.clone(),
        latin => format!("{} ({latin})", name.native),
    }
}

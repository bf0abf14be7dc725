//! Which games of which events count.

use std::collections::{BTreeMap, BTreeSet};

use chassis::id::EventId;
use pairing::{Number, ResultCode};
use strength::{EventGames, Game, Score};
use time::Date;

use super::{Refusal, limits::EXCLUDED_MAX};
use crate::core::{
    event::{Board, BoardResult, Event, Format, Round, Stage},
    limits::NOTE_CHARS_MAX,
};

/// Which games count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Of which variant, by its id.
    pub variant: String,
    /// Of events whose first round began on this day or later.
    pub from: Option<Date>,
    /// Of events of these formats; of all if there is none.
    pub formats: BTreeSet<FormatKind>,
    /// Of events of these speed classes; of all if there is none.
    pub speeds: BTreeSet<Speed>,
    /// Those that were played there.
    pub place: Option<Place>,
    /// Of events with so many rounds at least.
    pub rounds_min: u32,
    /// Also of events whose settings say that their games are not rated.
    pub unrated_events: bool,
    /// Also wins and losses without a game.
    pub forfeits: bool,
    /// Also games with a handicap.
    pub handicaps: bool,
    /// Events that do not count, each with the reason.
    pub excluded: BTreeMap<EventId, String>,
}

/// A kind of format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the format of the same name")]
pub enum FormatKind {
    Swiss,
    RoundRobin,
    KnockOut,
    Match,
    MacMahon,
    Grading,
    Arena,
    Ladder,
}

/// How fast a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Speed {
    /// Under ten minutes a side are expected.
    Blitz,
    /// Ten minutes to under an hour.
    Rapid,
    /// An hour or more.
    Classical,
    /// Days a move, or no limit.
    Correspondence,
}

/// Where a game was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Here: both have entered with accounts.
    Online,
    /// Over the board.
    OverTheBoard,
}

impl FormatKind {
    /// The kind of a format.
    pub const fn of(format: &Format) -> FormatKind {
        match format {
            Format::Swiss { .. } => FormatKind::Swiss,
            Format::RoundRobin { .. } => FormatKind::RoundRobin,
            Format::KnockOut { .. } => FormatKind::KnockOut,
            Format::Match { .. } => FormatKind::Match,
            Format::MacMahon { .. } => FormatKind::MacMahon,
            Format::Grading { .. } => FormatKind::Grading,
            Format::Arena => FormatKind::Arena,
            Format::Ladder { .. } => FormatKind::Ladder,
        }
    }
}

impl Counted {
    /// Makes sure that it makes sense.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let ensure = |holds: bool, field, detail: &str| {
            if holds { Ok(()) } else { Err(Refusal::BadPolicy(field, detail.to_owned())) }
        };
        ensure(rules::variant(&self.variant).is_some(), "counted.variant", "there is no such variant")?;
        ensure(self.rounds_min <= 100, "counted.rounds_min", "0 to 100 rounds")?;
        ensure(self.excluded.len() <= EXCLUDED_MAX, "counted.excluded", "at most 500 events")?;
        let mut reasons = self.excluded.values().map(|reason| reason.chars().count());
        let said = reasons.all(|chars| (1..=NOTE_CHARS_MAX).contains(&chars));
        ensure(said, "counted.excluded.reason", "1 to 500 characters")
    }

    /// The games of an event that count; none of an event that does not, or of which none does. `event` is it as everybody
    /// sees it.
    pub fn games(&self, event: &Event, speed: Option<Speed>) -> Option<EventGames> {
        if !self.counts(event, speed) {
            return None;
        }
        let mut games: Vec<Game> = event
            .rounds
            .iter()
            .flat_map(Round::laid)
            .filter_map(|(id, board, state)| {
                let result = state.result.as_ref().filter(|result| result.is_settled())?;
                let scores = self.scores(event, board, result)?;
                let member =
                    |number: Number| Some(*event.participant(number)?.entrant.member.uuid().as_bytes());
                let players = [member(board.players[0])?, member(board.players[1])?];
                (players[0] != players[1]).then_some(Game {
                    round: id.round,
                    table: id.table,
                    players,
                    scores,
                })
            })
            .collect();
        games.sort_unstable();
        let event = EventGames { event: *event.id.uuid().as_bytes(), sequence: event.sequence, games };
        (!event.games.is_empty()).then_some(event)
    }

    fn counts(&self, event: &Event, speed: Option<Speed>) -> bool {
        let game = &event.settings.game;
        let began = event.rounds.first().map(|round| round.started.unwrap_or(round.published_at).date());
        event.stage == Stage::Final
            && game.variant.id == self.variant
            && (game.rated || self.unrated_events)
            && self.from.is_none_or(|from| began.is_some_and(|began| from <= began))
            && (self.formats.is_empty() || self.formats.contains(&FormatKind::of(&event.settings.format)))
            && (self.speeds.is_empty() || speed.is_some_and(|speed| self.speeds.contains(&speed)))
            && event.rounds.len() >= self.rounds_min as usize
            && !self.excluded.contains_key(&event.id)
    }

    /// What the two have scored at a board that counts.
    fn scores(&self, event: &Event, board: &Board, result: &BoardResult) -> Option<[Score; 2]> {
        let here = |number: Number| event.participant(number).is_some_and(|it| it.entrant.account.is_some());
        let place = if board.players.into_iter().all(here) { Place::Online } else { Place::OverTheBoard };
        if self.place.is_some_and(|asked| asked != place) || (board.handicap != 0 && !self.handicaps) {
            return None;
        }
        let [first, second] = result.codes.map(|code| self.score(code));
        Some([first?, second?])
    }

    const fn score(&self, code: ResultCode) -> Option<Score> {
        match code {
            ResultCode::Win => Some(Score::Win),
            ResultCode::Draw => Some(Score::Draw),
            ResultCode::Loss => Some(Score::Loss),
            ResultCode::ForfeitWin if self.forfeits => Some(Score::Win),
            ResultCode::ForfeitLoss | ResultCode::DoubleForfeit if self.forfeits => Some(Score::Loss),
            _ => None,
        }
    }
}

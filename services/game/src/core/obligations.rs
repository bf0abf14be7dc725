//! What a game owes to others once an event of it is written.

use chassis::id::{AccountId, EventId, GameId};
use rules::{Outcome, Reason, Side, Verdict};
use time::OffsetDateTime;

use super::{
    Event, EventKind, EventNotice, Game, GameInfo, GameSpec, Progress, Proposal, Regulations, Seat, Stage,
    conduct::{FinishedGame, finished_game},
    notices::event_notice,
    presence::requires_presence,
    rematch_of,
};

/// What is owed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obligation<'a> {
    /// The ratings are told of a result.
    Result(RatedResult<'a>),
    /// The game that the players have agreed on is made.
    Rematch(Box<GameSpec>),
    /// The federation whose event it is of is told how it stands.
    Report(EventReport),
    /// The same is told of what happened in it beside.
    Notice(EventNotice),
    /// Matchmaking is told that it is over.
    Finished(FinishedGame),
}

/// How a game of an event stands, by how its players were seated when it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventReport {
    /// The event.
    pub event: EventId,
    /// The game.
    pub game: GameId,
    /// The number of the event of its log that this follows from.
    pub sequence: u64,
    /// The final result; none of a game that is adjourned.
    pub outcome: Option<Outcome>,
    /// Whether the players have changed sides.
    pub played_turned: bool,
    /// Whether the colours were assigned the other way round than they were seated.
    pub assigned_turned: bool,
    /// Warnings and violations that count, of each seat.
    pub penalties: [u32; 2],
}

/// The final result of a rated game, or what it was corrected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedResult<'a> {
    /// The game.
    pub info: &'a GameInfo,
    /// The players with their names, first side first.
    pub players: [(AccountId, &'a str); 2],
    /// What it counts: void for one that was not played after all.
    pub verdict: Verdict,
    /// When it became so.
    pub time: OffsetDateTime,
    /// The number of the event by which it did; a later one corrects it.
    pub sequence: u64,
    /// How many acts the game had.
    pub acts: u32,
    /// Why it ended.
    pub reason: Reason,
}

/// What is owed when this event of a game is written: the result of a rated game once it is final, and the game that
/// follows once it is agreed on.
pub fn obligations<'a>(game: &'a Game, event: &'a Event) -> Vec<Obligation<'a>> {
    let result = rated_result(&game.info, (&game.state.progress, game.state.outcome.as_ref()), event);
    let rematch = matches!(event.kind, EventKind::Agreed(Proposal::Rematch)).then(|| rematch(game)).flatten();
    let report = event_report(game, event).map(Obligation::Report);
    let rematch = rematch.map(Box::new).map(Obligation::Rematch);
    let notice = event_notice(game, event).map(Obligation::Notice);
    let finished = finished_game(game, event).map(Obligation::Finished);
    [result.map(Obligation::Result), rematch, notice, report, finished].into_iter().flatten().collect()
}

/// What the event of a game is told of: its adjournment, its final result, rated or not, and whatever changes that later.
fn event_report(game: &Game, event: &Event) -> Option<EventReport> {
    let (before, after) = (&game.state, &event.state);
    let entered = |stage: Stage| before.progress.stage != stage && after.progress.stage == stage;
    let amended = before.progress.stage == Stage::Final && before.outcome != after.outcome;
    if !entered(Stage::Adjourned) && !entered(Stage::Final) && !amended {
        return None;
    }
    let arbitration = &after.progress.arbitration;
    let swapped = arbitration.seats_swapped;
    let seat = |side: Side| if swapped { side.other() } else { side };
    let mut penalties = [0; 2];
    for penalty in arbitration.penalties() {
        penalties[seat(penalty.side).index()] += 1;
    }
    let outcome = after.outcome.clone().map(|outcome| match outcome.verdict {
        Verdict::Win(side) => Outcome { verdict: Verdict::Win(seat(side)), ..outcome },
        _ => outcome,
    });
    Some(EventReport {
        event: game.info.regulations.event?,
        game: game.info.id,
        sequence: event.sequence,
        outcome: outcome.filter(|_| after.progress.stage == Stage::Final),
        played_turned: swapped,
        assigned_turned: arbitration.assigned_swapped,
        penalties,
    })
}

/// The last result that a log owes to the ratings, once it is final.
pub fn final_result<'a>(game: &'a Game, log: &'a [Event]) -> Option<RatedResult<'a>> {
    let of = |[before, event]: &'a [Event; 2]| {
        rated_result(&game.info, (&before.state.progress, before.state.outcome.as_ref()), event)
    };
    log.array_windows().rev().find_map(of)
}

/// Whether a game that ended so was played at all: one to which somebody came too late was not.
pub(super) fn was_played(outcome: &Outcome) -> bool {
    outcome.verdict != Verdict::Void && outcome.reason != Reason::Late
}

/// The result of a rated game that this event has made final, or has corrected since it was; none while there is none to
/// correct.
fn rated_result<'a>(
    info: &'a GameInfo,
    (progress, outcome): (&Progress, Option<&Outcome>),
    event: &'a Event,
) -> Option<RatedResult<'a>> {
    let state = &event.state;
    let now = state.outcome.as_ref().filter(|_| info.rated && state.progress.stage == Stage::Final)?;
    let was_final = progress.stage == Stage::Final;
    let verdict = if was_played(now) { now.verdict } else { Verdict::Void };
    // What was not played need not be told, unless it was told otherwise.
    let is_told = if was_final { outcome != Some(now) } else { was_played(now) };
    let [first, second] = info.seats_in(&state.progress);
    let players = [(first.account?, first.name.as_str()), (second.account?, second.name.as_str())];
    let (time, sequence, acts, reason) = (event.time, event.sequence, state.ply, now.reason);
    is_told.then_some(RatedResult { info, players, verdict, time, sequence, acts, reason })
}

/// The same game once more, with the sides changed.
fn rematch(game: &Game) -> Option<GameSpec> {
    let (info, seats) = (&game.info, game.info.seats_in(game.progress()));
    // What the players are rated by then, nobody has asked.
    let seat = |side: Side| Seat { rating: 0, ..seats[side.index()].clone() };
    Some(GameSpec {
        id: rematch_of(info.id),
        variant: info.variant,
        rule_set: info.rule_set.clone(),
        options: info.options.clone(),
        time_control: info.time_control?,
        rated: info.rated,
        seats: [seat(Side::Second), seat(Side::First)],
        // Who has agreed need not be there any more when the other does: he is waited for as before. Where there are
        // days for a move nobody has to be.
        regulations: Regulations {
            arrival: info.regulations.arrival.filter(|_| requires_presence(info)),
            ..Regulations::default()
        },
    })
}

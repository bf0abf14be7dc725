//! What a fault has cost: stories held to logs.

use std::time::Duration;

use api::game::v1::{GameEvent, game_event::Event};
use tests::time_left;
use time::OffsetDateTime;

use crate::games::{Story, Turn};

/// When the fault was, and until when everything is its doing.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// When it began.
    pub from: OffsetDateTime,
    /// When it ended.
    pub until: OffsetDateTime,
    /// Until when games had to go on.
    pub settled: OffsetDateTime,
}

/// What it has cost.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Acts that were acknowledged.
    pub acknowledged: usize,
    /// Acts of those that are not in the log as they were acknowledged, in order and once, and logs that are gone.
    pub lost: Vec<String>,
    /// Answers to reads, and streams, that are no prefix of the log, or behind what the reader had been told.
    pub untrue: Vec<String>,
    /// Games that stood still after the fault had ended.
    pub stuck: Vec<String>,
    /// The most that players of one game were charged beyond what they thought.
    pub charged: Duration,
    /// The most that one game was credited while acts were taken.
    pub credited: Duration,
}

/// Holds stories to the logs of their games.
pub fn judge(stories: &[Story], logs: &[anyhow::Result<Vec<GameEvent>>], window: Window) -> Verdict {
    let mut taken: Vec<OffsetDateTime> =
        stories.iter().flat_map(|story| &story.turns).map(|turn| turn.acked).collect();
    taken.sort_unstable();
    let ordinary = ordinary(stories, window);
    let mut verdict = Verdict::default();
    for (story, log) in stories.iter().zip(logs) {
        let game = &story.pairing.game_id;
        verdict.acknowledged += story.turns.len();
        let went_on = |turn: &Turn| turn.acked > window.until && turn.acked <= window.settled;
        if !story.turns.iter().any(went_on) {
            let why = story.refused.as_deref().unwrap_or("no answer");
            verdict.stuck.push(format!("{game}: {why}"));
        }
        match log {
            Err(error) => verdict.lost.push(format!("{game}: {error:#}")),
            Ok(log) => {
                verdict.lost.extend(lost(story, log).map(|what| format!("{game}: {what}")));
                verdict.untrue.extend(untrue(story, log).map(|what| format!("{game}: {what}")));
                verdict.charged = verdict.charged.max(charged(story, window, ordinary));
                verdict.credited = verdict.credited.max(credited(log, &taken, window));
            }
        }
    }
    verdict
}

/// Acknowledged acts stand in the log as they were acknowledged, in order and once, and nothing else does but the
/// one that was under way.
fn lost(story: &Story, log: &[GameEvent]) -> impl Iterator<Item = String> {
    let mut lost = Vec::new();
    for (at, event) in (1..).zip(log) {
        if event.sequence != at {
            lost.push(format!("event {at} has the number {}", event.sequence));
        }
    }
    for turn in &story.turns {
        if !log.contains(&turn.event) {
            let act = acts([&turn.event]).next().unwrap_or("no act").to_owned();
            lost.push(format!(
                "event {}, {act}, was acknowledged and is not in the log",
                turn.event.sequence
            ));
        }
    }
    if !story.turns.is_sorted_by_key(|turn| turn.event.sequence) {
        lost.push("acts stand in another order than they were acknowledged in".to_owned());
    }
    let open = usize::from(story.open.is_some());
    let (kept, told) = (acts(log).count(), story.turns.len());
    if kept > told + open || acts(log).nth(told).is_some_and(|act| Some(act) != story.open.as_deref()) {
        lost.push(format!("{kept} acts are in the log, {told} were acknowledged"));
    }
    lost.into_iter()
}

/// What was read or streamed is a prefix of the log, and no reader was shown less than he knew.
fn untrue(story: &Story, log: &[GameEvent]) -> impl Iterator<Item = String> {
    let mut untrue = Vec::new();
    for look in &story.looks {
        if look.sequence < look.told {
            untrue.push(format!("a reader who knew event {} was shown {}", look.told, look.sequence));
        }
        let known = log.iter().take_while(|event| event.sequence <= look.sequence);
        if !acts(known).eq(look.acts.iter().map(String::as_str)) {
            untrue.push(format!("the acts up to event {} were shown as {:?}", look.sequence, look.acts));
        }
    }
    if story.seen.len() > log.len() || story.seen.iter().zip(log).any(|(seen, kept)| seen != kept) {
        let same = story.seen.iter().zip(log).take_while(|(seen, kept)| seen == kept).count();
        let (seen, kept) = (story.seen.len(), log.len());
        untrue
            .push(format!("a stream had {seen} events, the log has {kept}, and {same} of them are the same"));
    }
    untrue.into_iter()
}

/// What nine of ten turns were charged beyond thought before the fault: what a move takes on this machine as busy as
/// it is now is nobody's fault.
fn ordinary(stories: &[Story], window: Window) -> Duration {
    let calm = stories.iter().flat_map(beyond_thought).filter(|(turn, _)| turn.acked < window.from);
    let mut calm: Vec<Duration> = calm.map(|(_, beyond)| beyond).collect();
    calm.sort_unstable();
    calm.get(calm.len() * 9 / 10).copied().unwrap_or_default()
}

/// What the clocks of a game took beyond what its players thought and what any move takes, while it was the fault's
/// doing.
fn charged(story: &Story, window: Window, ordinary: Duration) -> Duration {
    let concerned = |turn: &Turn| turn.acked >= window.from && turn.told <= window.settled;
    let turns = beyond_thought(story).filter(|(turn, _)| concerned(turn));
    turns.map(|(_, beyond)| beyond.saturating_sub(ordinary)).sum()
}

/// Turns with what the clock took beyond thought: from when a player knew that it was his turn until he sent his act.
fn beyond_thought(story: &Story) -> impl Iterator<Item = (&Turn, Duration)> {
    story.turns.iter().zip(story.turns.iter().skip(1)).filter_map(|(before, turn)| {
        let (had, has) = (time_left(&before.event, turn.side)?, time_left(&turn.event, turn.side)?);
        let thought = Duration::try_from(turn.sent - turn.told).unwrap_or_default();
        Some((turn, had.saturating_sub(has).saturating_sub(thought)))
    })
}

/// What was credited in a game though acts were taken: of each outage all but the longest time without any.
fn credited(log: &[GameEvent], taken: &[OffsetDateTime], window: Window) -> Duration {
    let mut wrongly = Duration::ZERO;
    for event in log {
        let Some(Event::OutageCredited(outage)) = &event.event else { continue };
        let (Some(from), Some(until)) =
            (moment(outage.from_time.as_ref()), moment(outage.until_time.as_ref()))
        else {
            continue;
        };
        if from > window.settled {
            continue;
        }
        let within = taken.iter().copied().filter(|at| *at > from && *at < until);
        let marks: Vec<_> = std::iter::once(from).chain(within).chain([until]).collect();
        let still = marks.iter().zip(marks.iter().skip(1)).map(|(one, other)| *other - *one).max();
        let wrong = (until - from) - still.unwrap_or_default();
        wrongly += Duration::try_from(wrong).unwrap_or_default();
    }
    wrongly
}

fn acts<'a>(log: impl IntoIterator<Item = &'a GameEvent>) -> impl Iterator<Item = &'a str> {
    log.into_iter().filter_map(|event| match &event.event {
        Some(Event::Played(played)) => played.act.as_ref().map(|act| act.text.as_str()),
        _ => None,
    })
}

fn moment(time: Option<&prost_types::Timestamp>) -> Option<OffsetDateTime> {
    time.and_then(api::time::moment)
}

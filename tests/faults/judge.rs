//! What a fault has cost: stories held to logs.

use std::time::Duration;

use ::tests::time_left;
use api::game::v1::{GameEvent, game_event::Event};
use time::OffsetDateTime;

use crate::games::{Story, Turn};

/// When the fault was, and until when everything is its doing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// When it began.
    pub from: OffsetDateTime,
    /// When it ended.
    pub until: OffsetDateTime,
    /// Until when games had to go on.
    pub settled: OffsetDateTime,
}

/// The most that a move takes on a busy machine: what is more is the platform's doing, also before a fault.
const ORDINARY_MAX: Duration = Duration::from_millis(100);
/// What of a turn is worth telling.
const WORTH_TELLING: Duration = Duration::from_millis(20);
/// How long an event that was acknowledged may be on its way to a stream.
const ON_ITS_WAY: Duration = Duration::from_secs(2);

/// What it has cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdict {
    /// Acts that were acknowledged.
    pub acknowledged: usize,
    /// Acts of those that are not in the log as they were acknowledged, in order and once, and logs that are gone.
    pub lost: Vec<String>,
    /// Answers to reads, and streams, that are no prefix of the log, or behind what is known to be in it.
    pub untrue: Vec<String>,
    /// Games that stood still after the fault had ended.
    pub stuck: Vec<String>,
    /// What an event has not heard of its game though everything was mended.
    pub unheard: Vec<String>,
    /// The most that players of one game were charged beyond what they thought.
    pub charged: Duration,
    /// The most that one game was credited while acts were taken or its player thought.
    pub credited: Duration,
    /// What nine of ten turns were charged beyond thought before the fault. It is taken off what they were charged since.
    pub ordinary: Duration,
    /// The longest that an acknowledged act took to a stream.
    pub lag: Duration,
    /// The turns of the games that were charged and credited most, with what their clocks took beyond thought.
    pub worst: [Vec<String>; 2],
}

/// Holds stories to the logs of their games. Beside a fault what any move takes is no fault; where there is none it is
/// what is looked for.
pub(crate) fn judge(
    stories: &[Story],
    logs: &[anyhow::Result<Vec<GameEvent>>],
    window: Window,
    faulty: bool,
) -> Verdict {
    let mut taken: Vec<OffsetDateTime> =
        stories.iter().flat_map(|story| &story.turns).map(|turn| turn.acked).collect();
    taken.sort_unstable();
    let ordinary = ordinary(stories, window);
    let excused = if faulty { ordinary.min(ORDINARY_MAX) } else { Duration::ZERO };
    let mut verdict = Verdict { ordinary, ..Verdict::default() };
    for (story, log) in stories.iter().zip(logs) {
        let game = &story.game;
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
                verdict.untrue.extend(behind(story, window).map(|what| format!("{game}: {what}")));
                let charged = charged(story, window, excused);
                let credited = credited(log, &taken, window) + gained(story, log, window);
                let [most_charged, most_credited] = &mut verdict.worst;
                if charged > verdict.charged {
                    verdict.charged = charged;
                    *most_charged = turns(story, log, window);
                }
                if credited > verdict.credited {
                    verdict.credited = credited;
                    *most_credited = turns(story, log, window);
                }
                verdict.lag = verdict.lag.max(lag(story, window));
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
    if story.seen.len() > log.len() || story.seen.iter().zip(log).any(|(seen, kept)| seen.event != *kept) {
        let same = story.seen.iter().zip(log).take_while(|(seen, kept)| seen.event == **kept).count();
        let (seen, kept) = (story.seen.len(), log.len());
        untrue
            .push(format!("a stream had {seen} events, the log has {kept}, and {same} of them are the same"));
    }
    untrue.into_iter()
}

/// A stream has had, at the end, whatever was acknowledged a while before.
fn behind(story: &Story, window: Window) -> Option<String> {
    let old = story.turns.iter().rfind(|turn| turn.acked + ON_ITS_WAY <= window.settled)?;
    let (last, seen) = (old.event.sequence, story.seen.last().map_or(0, |heard| heard.event.sequence));
    (seen < last).then(|| format!("a stream had come to event {seen} when {last} was long acknowledged"))
}

/// The longest that an acknowledged act took to the stream, or has taken so far.
fn lag(story: &Story, window: Window) -> Duration {
    let came = |turn: &Turn| {
        let heard = story.seen.iter().find(|heard| heard.event.sequence == turn.event.sequence);
        heard.map_or(window.settled, |heard| heard.at)
    };
    let lags = story.turns.iter().map(|turn| Duration::try_from(came(turn) - turn.acked).unwrap_or_default());
    lags.max().unwrap_or_default()
}

/// What nine of ten turns were charged beyond thought before the fault: what a move takes on this machine as busy as
/// it is now is nobody's fault.
fn ordinary(stories: &[Story], window: Window) -> Duration {
    let calm = stories.iter().flat_map(charges).filter(|charge| charge.turn.acked < window.from);
    let mut calm: Vec<Duration> = calm.map(|charge| positive(charge.beyond)).collect();
    calm.sort_unstable();
    calm.get(calm.len() * 9 / 10).copied().unwrap_or_default()
}

/// What the clocks of a game took beyond what its players thought and what is excused of each move, while it was the
/// fault's doing.
fn charged(story: &Story, window: Window, excused: Duration) -> Duration {
    concerned(story, window).map(|charge| positive(charge.beyond).saturating_sub(excused)).sum()
}

/// What players had more of at the end of their turns than at the beginning without what they thought, but for what
/// they thought in outages. Nobody's lag is measured or claimed here, and no move earns time.
fn gained(story: &Story, log: &[GameEvent], window: Window) -> Duration {
    let gained = concerned(story, window).map(|charge| {
        let thought = (charge.told, charge.turn.sent);
        let free: time::Duration = log
            .iter()
            .skip_while(|event| event.sequence <= charge.after)
            .take_while(|event| event.sequence < charge.turn.event.sequence)
            .filter_map(outage)
            .map(|outage| outage.1.min(thought.1) - outage.0.max(thought.0))
            .filter(|overlap| overlap.is_positive())
            .sum();
        positive(-charge.beyond - free)
    });
    gained.sum()
}

/// The turns of a game whose clocks did not take what their players thought, and the outages between them.
fn turns(story: &Story, log: &[GameEvent], window: Window) -> Vec<String> {
    let since = |at: OffsetDateTime| (at - window.from).as_seconds_f64();
    let told = concerned(story, window).filter(|charge| charge.beyond.unsigned_abs() > WORTH_TELLING).map(
        |charge| {
            let Charge { turn, told, beyond, .. } = charge;
            let (number, side, beyond) = (turn.event.sequence, turn.side, beyond.as_seconds_f64());
            let when = [told, turn.sent, turn.acked].map(|at| format!("{:.2}", since(at))).join(", ");
            format!(
                "{}: event {number} of side {side}, told, sent, taken at {when} s: {beyond:+.3} s",
                story.game
            )
        },
    );
    let outages =
        log.iter().filter_map(|event| Some((event.sequence, outage(event)?))).map(|(number, outage)| {
            format!(
                "{}: event {number}, an outage from {:.2} s to {:.2} s",
                story.game,
                since(outage.0),
                since(outage.1)
            )
        });
    told.chain(outages).collect()
}

/// A turn, and what its clock took.
struct Charge<'a> {
    turn: &'a Turn,
    /// The number of the event that it began with.
    after: u64,
    /// When its player was told of that, by the answer to the act or by a stream.
    told: OffsetDateTime,
    /// What the clock took beyond thought: from when a player knew that it was his turn until he sent his act. Less
    /// than nothing where he was given time.
    beyond: time::Duration,
}

fn charges(story: &Story) -> impl Iterator<Item = Charge<'_>> {
    story.turns.iter().zip(story.turns.iter().skip(1)).filter_map(|(before, turn)| {
        let left = |event| time::Duration::try_from(time_left(event, turn.side)?).ok();
        let (had, has) = (left(&before.event)?, left(&turn.event)?);
        let after = before.event.sequence;
        let heard = story.seen.iter().find(|heard| heard.event.sequence == after);
        // The act may be his opponent's, whose answer he does not wait for.
        let told = heard.map_or(turn.told, |heard| heard.at.min(turn.told));
        let beyond = had - has - (turn.sent - told);
        Some(Charge { turn, after, told, beyond })
    })
}

fn concerned(story: &Story, window: Window) -> impl Iterator<Item = Charge<'_>> {
    charges(story)
        .filter(move |charge| charge.turn.acked >= window.from && charge.turn.told <= window.settled)
}

fn positive(span: time::Duration) -> Duration {
    Duration::try_from(span).unwrap_or_default()
}

/// What was credited in a game though acts were taken: of each outage all but the longest time without any.
fn credited(log: &[GameEvent], taken: &[OffsetDateTime], window: Window) -> Duration {
    let mut wrongly = Duration::ZERO;
    for event in log {
        let Some((from, until)) = outage(event) else { continue };
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

/// From when until when an outage was, if the event is that it is given back.
fn outage(event: &GameEvent) -> Option<(OffsetDateTime, OffsetDateTime)> {
    let Some(Event::OutageCredited(outage)) = &event.event else { return None };
    moment(outage.from_time.as_ref()).zip(moment(outage.until_time.as_ref()))
}

fn moment(time: Option<&prost_types::Timestamp>) -> Option<OffsetDateTime> {
    time.and_then(api::time::moment)
}

#[cfg(test)]
mod tests {
    use api::{
        clock::v1::{ClockReading, SideTime},
        game::v1::{GameState, game_event::OutageCredited},
    };

    use super::*;
    use crate::games::Heard;

    fn at(seconds: f64) -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + time::Duration::seconds_f64(seconds)
    }

    const WINDOW: fn() -> Window = || Window { from: at(0.0), until: at(5.0), settled: at(10.0) };

    /// An event with what is left to both.
    fn event(sequence: u64, left: f64) -> GameEvent {
        let main_duration = Some(api::time::duration(Duration::from_secs_f64(left)));
        let time = Some(SideTime { main_duration, ..SideTime::default() });
        let clock = Some(ClockReading { first: time, second: time, ..ClockReading::default() });
        let state = Some(GameState { clock, ..GameState::default() });
        GameEvent { sequence, state, ..GameEvent::default() }
    }

    /// Two turns of the same player's clock, who thought for a second and has `left` of a minute; and the log of it.
    fn story(left: f64) -> (Story, Vec<GameEvent>) {
        let turn = |told: f64, sequence, left| Turn {
            side: 0,
            told: at(told),
            sent: at(told + 1.0),
            acked: at(told + 1.0),
            event: event(sequence, left),
        };
        let turns = vec![turn(1.0, 2, 60.0), turn(2.0, 3, left)];
        let log = vec![event(1, 60.0), event(2, 60.0), event(3, left)];
        let seen = log.iter().map(|event| Heard { at: at(4.0), event: event.clone() }).collect();
        let (game, players, looks) = ("a game".to_owned(), Vec::new(), Vec::new());
        (Story { game, players, turns, looks, seen, open: None, refused: None }, log)
    }

    #[test]
    fn who_is_charged_less_than_he_thought_was_credited() {
        for (left, charged_ms, credited_ms) in
            [(59.0, 0, 0), (57.5, 1500, 0), (59.4, 0, 400), (65.0, 0, 6000)]
        {
            let (story, log) = story(left);
            let verdict = judge(&[story], &[Ok(log)], WINDOW(), false);
            let found = (verdict.charged, verdict.credited);
            let expected = (Duration::from_millis(charged_ms), Duration::from_millis(credited_ms));
            assert_eq!(found, expected, "{left} s left");
        }
        // Half a second of the thought was in an outage, which is nobody's.
        let (story, mut log) = story(59.4);
        let time = |seconds| Some(api::time::timestamp(at(seconds)));
        let outage = OutageCredited { from_time: time(2.5), until_time: time(3.0) };
        log.insert(2, GameEvent { event: Some(Event::OutageCredited(outage)), ..event(2, 60.0) });
        log[2].sequence = 3;
        let mut turns = story.turns.clone();
        turns[1].event.sequence = 4;
        let verdict = judge(&[Story { turns, ..story }], &[Ok(log)], WINDOW(), true);
        assert_eq!(verdict.credited, Duration::ZERO);
    }

    #[test]
    fn who_heard_of_an_act_before_it_was_answered_has_thought_since_then() {
        let (mut story, log) = story(57.0);
        let charged =
            |story: &Story| judge(std::slice::from_ref(story), &[Ok(log.clone())], WINDOW(), false).charged;
        assert_eq!(charged(&story), Duration::from_secs(2));
        story.seen[1].at = at(0.5);
        assert_eq!(charged(&story), Duration::from_millis(500));
    }

    #[test]
    fn a_stream_that_brings_nothing_is_not_passed() {
        let (mut story, log) = story(59.0);
        let judged = |story: &Story| judge(std::slice::from_ref(story), &[Ok(log.clone())], WINDOW(), true);
        assert!(judged(&story).untrue.is_empty());
        assert_eq!(judged(&story).lag, Duration::from_secs(2));
        story.seen.pop();
        assert_eq!(judged(&story).untrue.len(), 1);
        assert_eq!(judged(&story).lag, Duration::from_secs(7));
        // What was acknowledged just now may be on its way.
        story.turns[1].acked = at(9.0);
        assert!(judged(&story).untrue.is_empty());
    }

    #[test]
    fn what_is_excused_has_a_bound() {
        let (mut story, log) = story(57.0);
        for turn in &mut story.turns {
            turn.acked = at(-1.0);
        }
        let mut stories = vec![story.clone()];
        stories[0].turns.truncate(2);
        let calm = judge(&stories, &[Ok(log.clone())], WINDOW(), true);
        assert_eq!((calm.ordinary, calm.charged), (Duration::from_secs(2), Duration::ZERO));
        story.turns[1].acked = at(4.0);
        let busy = [stories.remove(0), story];
        let logs = [Ok(log.clone()), Ok(log)];
        let charged = |faulty| judge(&busy, &logs, WINDOW(), faulty).charged;
        assert_eq!(charged(true), Duration::from_millis(1900));
        assert_eq!(charged(false), Duration::from_secs(2), "where there is no fault nothing is excused");
    }
}

//! What holds of a game that begins as soon as both have come, whatever happens, by the core alone.

use std::time::Duration;

use game::core::{
    ClockUpdate, Command, Event, EventKind, Game, PendingEvent, Regulations, Stage, Task, TimeStep, decide,
    decide_task, due, outage_event,
};
use proptest::prelude::*;
use rules::{Actors, Reason, Side, Verdict};
use time::OffsetDateTime;

use super::laws::begin;

const ARRIVAL: Duration = Duration::from_mins(1);

/// What may happen while so many seconds pass.
#[derive(Clone, Copy, Debug)]
enum Act {
    Come(Side),
    Play(Side),
    Wait(u8),
    Outage(u8),
}

fn act() -> impl Strategy<Value = Act> {
    let side = || prop_oneof![Just(Side::First), Just(Side::Second)];
    prop_oneof![
        1 => side().prop_map(Act::Come),
        2 => side().prop_map(Act::Play),
        3 => (0..30_u8).prop_map(Act::Wait),
        1 => (1..90_u8).prop_map(Act::Outage),
    ]
}

/// A game, its log, and the steps that its clocks have been told.
struct Progress {
    game: Game,
    log: Vec<Event>,
    steps: Vec<TimeStep>,
    now: OffsetDateTime,
}

impl Progress {
    fn take(&mut self, pending: &PendingEvent) {
        self.steps.extend(&pending.time_steps);
        let event = pending.finish(&self.game, self.now, ClockUpdate::default());
        self.append(event);
    }

    fn append(&mut self, event: Event) {
        self.game.apply(&event, &self.log).expect("it follows");
        self.log.push(event);
    }

    /// Does what is due by now, as the service does before anything else.
    fn catch_up(&mut self) {
        while let Some(due) = due(self.game.position.as_ref(), self.game.updated, &self.game.state)
            && due.at <= self.now
        {
            let pending = decide_task(&self.game, due.task, None).expect("it is a task of the progress");
            self.take(&pending);
        }
    }

    fn have_come(&self) -> [bool; 2] {
        Side::BOTH.map(|side| {
            let come = |event: &Event| event.kind == EventKind::CheckedIn && event.by.side() == Some(side);
            self.log.iter().any(come)
        })
    }
}

proptest! {
    #[test]
    fn no_clock_runs_before_both_have_come_and_time_without_them_ends_it(
        acts in prop::collection::vec(act(), 0..40)
    ) {
        let (game, first) = begin(true, Regulations { arrival: Some(ARRIVAL), ..Regulations::default() });
        let now = game.info.created;
        let mut progress = Progress { game, log: vec![first], steps: Vec::new(), now };
        // The time in which somebody could have come.
        let mut open = Duration::ZERO;
        for act in acts {
            match act {
                Act::Come(side) => {
                    if let Ok(pending) = decide(&progress.game, side, &Command::CheckIn, progress.now, &[]) {
                        progress.take(&pending);
                    }
                }
                Act::Play(side) => {
                    let before = progress.game.state.clone();
                    let ply = before.ply;
                    let text = ["A1", "B1", "C1"].get(ply as usize).map(|text| (*text).to_owned());
                    let Some(text) = text else { continue };
                    let played = decide(&progress.game, side, &Command::Play { text, ply }, progress.now, &[]);
                    if progress.game.progress().stage == Stage::Waiting {
                        prop_assert_eq!(played.expect_err("refused").reason(), api::reason::NOT_IN_PLAY);
                        prop_assert_eq!(&progress.game.state, &before);
                    }
                }
                Act::Wait(seconds) => {
                    let span = Duration::from_secs(seconds.into());
                    progress.now += span;
                    if progress.game.progress().stage == Stage::Waiting {
                        open += span;
                    }
                }
                Act::Outage(seconds) => {
                    let from = progress.now;
                    progress.now += Duration::from_secs(seconds.into());
                    if !progress.game.is_over() {
                        let (game, now) = (&progress.game, progress.now);
                        let event = outage_event(game, from, now, now, ClockUpdate::default());
                        progress.append(event);
                    }
                }
            }
            progress.catch_up();
            let both = progress.have_come() == [true; 2];
            let runs = progress.steps.iter().any(|step| matches!(step, TimeStep::Start(_)));
            prop_assert_eq!(runs, both, "the clock runs from when both have come");
            let charged = progress.steps.iter().any(|step| matches!(step, TimeStep::Deduct(..)));
            prop_assert!(!charged, "nobody is late");
            let after = &progress.game.state;
            match &after.outcome {
                None if both => prop_assert_eq!(after.progress.stage, Stage::Playing),
                None => {
                    prop_assert_eq!(after.progress.stage, Stage::Waiting);
                    prop_assert_eq!(after.actors, Actors::Nobody);
                    prop_assert!(open <= ARRIVAL, "open for {:?}", open);
                    let limit = progress.now + ARRIVAL.saturating_sub(open);
                    let due = due(progress.game.position.as_ref(), progress.game.updated, after).expect("due");
                    prop_assert_eq!((due.task, due.at), (Task::Forfeit, limit + Duration::from_micros(1)));
                }
                Some(outcome) => {
                    prop_assert!(!both && open > ARRIVAL);
                    prop_assert_eq!((outcome.verdict, outcome.reason), (Verdict::Void, Reason::NotAppeared));
                    break;
                }
            }
        }
        let audited = Game::audit(&progress.log).expect("each state follows from what happened");
        prop_assert_eq!(audited.state, progress.game.state);
        let with_hashes = |hash: Option<u64>| {
            let mut log = progress.log.clone();
            for event in &mut log {
                event.state.position_hash = hash;
            }
            log
        };
        Game::audit(&with_hashes(None)).expect("so it was written before hashes were kept");
        prop_assert!(progress.log.len() == 1 || Game::audit(&with_hashes(Some(1))).is_err());
    }
}

//! What holds of presence whatever happens, by the core alone.

use std::time::Duration;

use game::core::{
    ClockUpdate, Command, EventKind, Game, PendingEvent, Regulations, decide, decide_left, decide_returned,
    outage_event,
    presence::{DEPARTURES_MAX, grace},
};
use proptest::prelude::*;
use rules::Side;
use time::OffsetDateTime;

use super::laws::begin;

/// What may happen.
#[derive(Clone, Copy, Debug)]
enum Act {
    Leave(Side),
    Return(Side),
    Play,
    OfferDraw(Side),
    Outage(u16),
}

fn act() -> impl Strategy<Value = Act> {
    let side = || prop_oneof![Just(Side::First), Just(Side::Second)];
    prop_oneof![
        6 => side().prop_map(Act::Leave),
        6 => side().prop_map(Act::Return),
        1 => Just(Act::Play),
        1 => side().prop_map(Act::OfferDraw),
        1 => (1..600_u16).prop_map(Act::Outage),
    ]
}

/// The draft of an act, if it is possible.
fn pending(game: &Game, act: Act, now: OffsetDateTime) -> Option<PendingEvent> {
    let points = ["A1", "B1", "C1", "D1", "E1", "F1", "G1", "H1", "J1", "A9", "B9", "C9", "D9", "E9", "F9"];
    match act {
        Act::Leave(side) => decide_left(game, side, now - Duration::from_secs(10), now),
        Act::Return(side) => decide_returned(game, side),
        Act::Play => {
            let text = (*points.get(game.state.ply as usize)?).to_owned();
            let side = game.position.on_clock()?;
            decide(game, side, &Command::Play { text, ply: game.state.ply }, now, &[]).ok()
        }
        Act::OfferDraw(side) => decide(game, side, &Command::OfferDraw, now, &[]).ok(),
        Act::Outage(_) => None,
    }
}

proptest! {
    #[test]
    fn a_log_of_comings_and_goings_replays_and_stays_short(acts in prop::collection::vec(act(), 0..400)) {
        let (mut game, first) = begin(false, Regulations::default());
        let mut log = vec![first];
        let mut now = game.info.created;
        let mut others = 0;
        for act in acts {
            now += Duration::from_secs(11);
            let update = || ClockUpdate { reading: game.clock().cloned(), ..ClockUpdate::default() };
            let event = match act {
                Act::Outage(seconds) => {
                    let from = now;
                    now += Duration::from_secs(seconds.into());
                    outage_event(&game, from, now, now, update())
                }
                act => match pending(&game, act, now) {
                    Some(pending) => pending.finish(&game, now, update()),
                    None => continue,
                },
            };
            others += usize::from(!event.kind.is_presence());
            let before = game.progress().presence;
            game.apply(&event, &log).expect("it follows");
            log.push(event);
            let event = log.last().expect("just written");
            let after = game.progress().presence;
            for side in Side::BOTH {
                if let Some(absence) = after.absence(side) {
                    let claim = absence.claim.expect("there are no officials");
                    let grace = grace(game.info.time_control).expect("a blitz");
                    prop_assert!(claim >= absence.since + grace, "nobody has less than the grace");
                }
                if let (EventKind::OutageCredited { from, until }, Some(old), Some(new)) =
                    (&event.kind, before.absence(side), after.absence(side))
                {
                    let (old, new) = (old.claim.expect("a claim"), new.claim.expect("a claim"));
                    prop_assert_eq!(new, if old > *from { old + (*until - *from) } else { old });
                }
                if event.by.side() == Some(side) && !matches!(event.kind, EventKind::Left { .. }) {
                    prop_assert_eq!(after.absence(side), None, "who acts is there");
                }
            }
        }
        let presence = log.len() - 1 - others;
        // Beyond the limit it takes an act to come back.
        prop_assert!(presence <= 2 * 2 * DEPARTURES_MAX as usize + 2 * others, "{presence} of {}", log.len());
        let audited = Game::audit(&log).expect("each state follows from what happened");
        prop_assert_eq!(audited.state, game.state);
        prop_assert_eq!(audited.acted, game.acted);
    }
}

#[test]
fn the_grace_depends_on_the_pace() {
    let of = |text: &str| grace(Some(text.parse().expect("a control"))).map(|grace| grace.as_secs());
    assert_eq!([of("3m"), of("15m"), of("1h")], [Some(45), Some(120), Some(300)]);
    assert_eq!([of("3d/move"), of("none"), grace(None).map(|_| 0)], [None, None, None]);
}

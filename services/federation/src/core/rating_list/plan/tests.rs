//! What is counted anew comes out as if it had been known in time.

use proptest::{collection::vec, prelude::*};
use strength::{Elo, First, Game, Policy, Score, Start, System};

use super::*;

fn id(number: u8) -> Id {
    [number; 16]
}

fn policy() -> Policy {
    let start = Start { by_grade: Vec::new(), otherwise: 1500 };
    Policy { system: System::Elo(Elo { first: First::Start(start), ..Elo::default() }), listed_from: 1 }
}

/// An event whose games are each between two, with the half points of the first.
fn event(number: u8, games: &[(u8, u8, u8)]) -> EventGames {
    let score = |halves: u8| [Score::Loss, Score::Draw, Score::Win][usize::from(halves)];
    let game = |(table, (one, other, halves)): (u32, &(u8, u8, u8))| Game {
        round: 1,
        table,
        players: [id(*one), id(*other)],
        scores: [score(*halves), score(2 - *halves)],
    };
    EventGames { event: id(100 + number), sequence: 1, games: (1..).zip(games).map(game).collect() }
}

fn step_input(number: u32, event: EventGames) -> ListInput {
    let mut input = ListInput::new(number, 2_461_000 + 30 * number.cast_signed(), policy());
    input.events = vec![event];
    input
}

/// Publishes list after list, of one event each, as they are known.
fn publish(events: &[EventGames]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (number, event) in (1..).zip(events) {
        let plan = Plan { before: steps.last().map(|step| step.list.clone()), ..Plan::default() };
        steps.extend(plan.make(step_input(number, event.clone())).expect("a step"));
    }
    steps
}

fn decoded(step: &Step) -> ListInput {
    bytes::to_input(&step.input).expect("our own")
}

#[test]
fn an_event_that_is_taken_back_has_never_been() {
    let events = [event(1, &[(1, 2, 2)]), event(2, &[(1, 3, 2)]), event(3, &[(2, 3, 1)])];
    let steps = publish(&events);
    let none = EventGames { games: Vec::new(), ..events[1].clone() };
    let plan = Plan {
        before: Some(steps[0].list.clone()),
        again: vec![decoded(&steps[1])],
        changed: [(2, vec![none])].into(),
        ..Plan::default()
    };
    let again = plan.make(step_input(3, events[2].clone())).expect("steps");
    assert_eq!(again.len(), 2, "the one that was taken back, and the new one");
    let third = again[0].list.find(&id(3));
    assert_eq!(third, None, "he has not played then");
    let (first, last) = (&steps[0].list, &again[1].list);
    assert_eq!(last.find(&id(1)).map(|it| it.rating), first.find(&id(1)).map(|it| it.rating));
    assert_ne!(last.find(&id(1)), steps[2].list.find(&id(1)));
}

#[test]
fn what_is_stored_is_held_to_what_was_published() {
    let steps = publish(&[event(1, &[(1, 2, 2)]), event(2, &[(1, 3, 2)])]);
    let [before, list] = [&steps[0].list, &steps[1].list].map(bytes::of_list);
    let digests = (bytes::digest(&steps[1].input), bytes::digest(&list));
    let verdict = verify(&steps[1].input, &list, digests, Some(&before));
    assert_eq!(verdict, Verdict { list: digests.1, ..Verdict::default() });
    let mut other = steps[1].list.clone();
    other.entries[0].games += 1;
    let forged = bytes::of_list(&other);
    let verdict = verify(&steps[1].input, &forged, (digests.0, bytes::digest(&forged)), Some(&before));
    assert_eq!((verdict.list, verdict.differing), (digests.1, vec![id(1)]));
    assert!(verify(&steps[1].input, &forged, digests, Some(&before)).fault.is_some());
    assert!(verify(&steps[0].input, &list, digests, Some(&before)).fault.is_some());
    assert!(verify(&steps[1].input, &list, digests, None).fault.is_some());
}

fn any_event() -> impl Strategy<Value = Vec<(u8, u8, u8)>> {
    let game = (0_u8..8, 1_u8..8, 0_u8..=2);
    vec(game.prop_map(|(one, step, halves)| (one, (one + step) % 8, halves)), 1..10)
}

proptest! {
    #[test]
    fn a_late_correction_comes_to_what_would_have_been_known_in_time(
        games in vec(any_event(), 2..6),
        late in any_event(),
        which in 0_usize..5,
    ) {
        let events: Vec<EventGames> = (1..).zip(&games).map(|(number, games)| event(number, games)).collect();
        let which = which % (events.len() - 1);
        let steps = publish(&events[..events.len() - 1]);
        let mut corrected = events.clone();
        corrected[which] = EventGames { sequence: 2, ..event(u8::try_from(which + 1).expect("small"), &late) };
        let number = u32::try_from(which + 1).expect("small");
        let plan = Plan {
            before: which.checked_sub(1).map(|at| steps[at].list.clone()),
            again: steps[which..].iter().map(decoded).collect(),
            changed: [(number, vec![corrected[which].clone()])].into(),
            ..Plan::default()
        };
        let last = u32::try_from(events.len()).expect("small");
        let again = plan.make(step_input(last, events[events.len() - 1].clone())).expect("steps");
        let in_time = publish(&corrected);
        prop_assert_eq!(again.last(), in_time.last());
        for step in &again {
            let before = if step.number == again[0].number { which.checked_sub(1).map(|at| &steps[at].list) } else {
                again.iter().find(|it| it.number + 1 == step.number).map(|it| &it.list)
            };
            let (list, before) = (bytes::of_list(&step.list), before.map(bytes::of_list));
            let digests = (bytes::digest(&step.input), bytes::digest(&list));
            prop_assert_eq!(verify(&step.input, &list, digests, before.as_deref()).fault, None);
        }
    }
}

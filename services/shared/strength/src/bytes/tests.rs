//! One form of everything, which stays as it is.

use proptest::prelude::*;

use super::*;
use crate::{
    Elo, EventGames, First, Game, Glicko2, Imported, KRule, Player, Points, Policy, Score, Start, System,
    compute,
};

/// An input that has something of everything.
fn example(system: System) -> ListInput {
    let id = |byte: u8| [byte; 16];
    let player = |byte, grade| Player { member: id(byte), grade };
    let game = |table, players: [u8; 2], scores| Game { round: 1, table, players: players.map(id), scores };
    let mut input = ListInput::new(1, 2_461_000, Policy { system, listed_from: 1 });
    input.players = vec![player(4, None), player(1, Some(3)), player(3, Some(-4)), player(2, None)];
    input.merged = vec![(id(4), id(2))];
    input.imported = vec![
        Imported { member: id(1), rating: Points(180_050), games: 40, day: 2_460_990 },
        Imported { member: id(2), rating: Points::whole(1700), games: 3, day: 2_460_990 },
    ];
    let games = vec![
        game(2, [3, 4], [Score::Loss, Score::Loss]),
        game(1, [1, 2], [Score::Draw, Score::Draw]),
        game(3, [3, 1], [Score::Win, Score::Loss]),
    ];
    input.events = vec![EventGames { event: id(9), sequence: 77, games }];
    input.order();
    input
}

fn systems() -> [System; 3] {
    let start = Start { by_grade: vec![(-4, 1000), (1, 1600)], otherwise: 1200 };
    let rule = KRule { grade_from: Some(1), grade_below: Some(4), k: 33, ..KRule::default() };
    let started =
        Elo { first: First::Start(start.clone()), k: vec![rule], floor: Some(100), ..Elo::default() };
    [
        System::Elo(Elo::default()),
        System::Elo(started),
        System::Glicko2(Glicko2 { start, ..Glicko2::default() }),
    ]
}

/// What was stored once must be read, and recomputed to the last bit, for ever, and on every machine.
#[test]
fn stored_digests_stay_what_they_are() {
    let expected = include_str!("golden.txt").lines().collect::<Vec<_>>();
    let mut found = Vec::new();
    for system in systems() {
        let input = example(system);
        let first = compute(&input, None).expect("a list");
        let mut next = input.clone();
        (next.number, next.day, next.before) = (2, 2_461_045, Some(digest_of_list(&first)));
        let second = compute(&next, Some(&first)).expect("a list");
        for digest in [digest_of_input(&input), digest_of_list(&first), digest_of_list(&second)] {
            found.push(hex::encode(digest));
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn the_bytes_begin_as_it_is_written() {
    let bytes = of_input(&example(System::Elo(Elo::default())));
    let begin = [&b"shoutan/rating-input\0"[..], &[0, 1, 0, 0, 0, 1, 0, 0x25, 0x8D, 0x48, 0]].concat();
    assert_eq!(bytes[..begin.len()], begin, "version 1, list 1, day 2,461,000, no list before");
    assert!(
        of_list(&compute(&example(System::Elo(Elo::default())), None).expect("a list")).starts_with(LIST)
    );
}

#[test]
fn what_was_written_is_read_and_nothing_else_is() {
    for system in systems() {
        let input = example(system);
        let list = compute(&input, None).expect("a list");
        let (ins, outs) = (of_input(&input), of_list(&list));
        assert_eq!(to_input(&ins), Ok(input));
        assert_eq!(to_list(&outs), Ok(list));
        for end in 0..ins.len() {
            assert!(to_input(&ins[..end]).is_err(), "{end}");
        }
        for end in 0..outs.len() {
            assert!(to_list(&outs[..end]).is_err(), "{end}");
        }
        assert!(
            to_input(&[&ins[..], &[0]].concat()).is_err() && to_list(&[&outs[..], &[0]].concat()).is_err()
        );
        assert!(to_input(&outs).is_err() && to_list(&ins).is_err());
    }
}

proptest! {
    /// Whatever comes is refused, or is the one form of something, and takes no more memory than it is long.
    #[test]
    fn strange_bytes_are_refused_or_canonical(at in 0_usize..700, byte: u8, which in 0_usize..3) {
        let mut bytes = of_input(&example(systems()[which].clone()));
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Ok(input) = to_input(&bytes) {
            prop_assert_eq!(of_input(&input), bytes);
        }
        let mut bytes = of_list(&compute(&example(systems()[which].clone()), None).expect("a list"));
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Ok(list) = to_list(&bytes) {
            prop_assert_eq!(of_list(&list), bytes);
        }
    }
}

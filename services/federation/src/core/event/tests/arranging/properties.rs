//! Whatever players, officials and the clock do in whatever order: a board ends in one way, and has one game.

use proptest::prelude::*;

use super::*;

/// Something that happens.
#[derive(Clone, Debug)]
enum Deed {
    /// A side of a table proposes times, so many hours ahead.
    Propose(u32, usize, Vec<i64>),
    /// A side of a table accepts one of what the other proposes.
    Accept(u32, usize, usize),
    /// A side of a table declines.
    Decline(u32, usize),
    /// Time goes on by so many hours.
    Pass(i64),
    /// The game of a table ends, if there is one.
    End(u32),
    /// Somebody enters that a board was played in a hall.
    Hall(u32),
    /// A player leaves.
    Leave(u32),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let table = 1..=2u32;
    let side = 0..2usize;
    let deed = prop_oneof![
        4 => (table.clone(), side.clone(), prop::collection::vec(0..400i64, 0..4))
            .prop_map(|(table, side, hours)| Deed::Propose(table, side, hours)),
        4 => (table.clone(), side.clone(), 0..3usize)
            .prop_map(|(table, side, which)| Deed::Accept(table, side, which)),
        2 => (table.clone(), side).prop_map(|(table, side)| Deed::Decline(table, side)),
        4 => (1..100i64).prop_map(Deed::Pass),
        1 => table.clone().prop_map(Deed::End),
        1 => table.prop_map(Deed::Hall),
        1 => (1..=4u32).prop_map(Deed::Leave),
    ];
    prop::collection::vec(deed, 1..40)
}

fn otherwise() -> impl Strategy<Value = Otherwise> {
    prop_oneof![
        (1..4u32, any::<bool>()).prop_map(|(times, void)| Otherwise::Effort { times, void }),
        (1..15u64).prop_map(|after| Otherwise::Default { after: days(after) }),
        Just(Otherwise::Arbiter),
    ]
}

fn at(table: u32) -> BoardId {
    BoardId { round: 1, table }
}

/// What a deed comes to; nothing where it is refused.
fn decided(book: &Book, deed: &Deed) -> Option<Vec<Fact>> {
    let (event, now) = (&book.event, book.now);
    let side = |table, side: usize| event.players_at(at(table)).expect("a board")[side];
    match deed {
        Deed::Propose(table, of, hours) => {
            let times = hours.iter().map(|hours| now + Duration::hours(*hours)).collect();
            event.propose_game(at(*table), side(*table, *of), times, now).ok()
        }
        Deed::Accept(table, of, which) => {
            let other = side(*table, 1 - of);
            let proposal = state(book, at(*table)).arrangement.as_ref()?.proposals.get(&other)?;
            let time = *proposal.times.get(*which)?;
            event.accept_proposal(at(*table), side(*table, *of), time, now).ok()
        }
        Deed::Decline(table, of) => event.decline_proposal(at(*table), side(*table, *of), now).ok(),
        Deed::Hall(table) => {
            let source = ResultSource::OverTheBoard { confirmed_by: Some(account(2001)) };
            let drawn = BoardResult::decided([ResultCode::Draw; 2], Reason::AgreedDraw);
            let runs = state(book, at(*table)).started.is_some();
            event.enter_result(at(*table), BoardResult { source, ..drawn }, &official(2001), runs).ok()
        }
        Deed::Leave(number) => {
            let status = Status::Withdrawn { after_round: 1 };
            event.change_status(StatusChange { number: Number(*number), status, reason: None }).ok()
        }
        Deed::Pass(_) | Deed::End(_) => None,
    }
}

fn does(book: &mut Book, deed: &Deed) {
    match deed {
        Deed::Pass(hours) => book.pass_to(book.now + Duration::hours(*hours)),
        Deed::End(table) => {
            let open = state(book, at(*table)).started.is_some() && !state(book, at(*table)).is_settled();
            if open {
                book.report(at(*table), [ResultCode::Win, ResultCode::Loss], 9);
            }
        }
        deed => {
            if let Some(facts) = decided(book, deed) {
                book.write(facts);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_board_ends_in_one_way_and_has_one_game(otherwise in otherwise(), deeds in deeds()) {
        let (mut book, _) = swiss(otherwise);
        let deadlines = [1, 2].map(|table| {
            let arrangement = state(&book, at(table)).arrangement.clone().expect("arranged");
            (arrangement.closes, arrangement.deadline)
        });
        for deed in &deeds {
            does(&mut book, deed);
        }
        // Whatever is left open is settled by the time, by the end of a game that runs, or by an arbiter.
        book.pass_to(deadlines[0].0 + DAY * 3);
        for (table, before) in [1, 2].into_iter().zip(deadlines) {
            let board = state(&book, at(table)).clone();
            let arrangement = board.arrangement.as_ref().expect("arranged");
            prop_assert_eq!((arrangement.closes, arrangement.deadline), before, "nothing moves it");
            prop_assert!(board.postponed.is_none(), "no time outlives the window");
            if board.result.is_none() {
                prop_assert!(board.started.is_some() || arrangement.left_to_arbiter, "{:?}", board);
            }
            let begun = |entry: &&LogEntry| entry.fact == Fact::Timing(TimingFact::BoardStarted { board: at(table) });
            let begun = book.log.iter().filter(begun).count();
            prop_assert!(begun <= 1, "one game");
            prop_assert_eq!(begun == 1, board.started.is_some());
            let settles = |entry: &&LogEntry| {
                matches!(&entry.fact, Fact::Result { board, result } if *board == at(table) && result.is_settled())
            };
            prop_assert!(book.log.iter().filter(settles).count() <= 1, "one end");
        }
        let verified = book.verified();
        prop_assert_eq!(verified.findings, vec![]);
    }
}

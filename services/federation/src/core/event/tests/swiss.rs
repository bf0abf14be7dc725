//! Swiss events with everything that happens to their players.

use pairing::{Number, ResultCode, Status};
use proptest::prelude::*;

use super::*;

/// What may happen before a round.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Withdraw(u32),
    Expel(u32),
    Absent(u32),
    Bye(u32),
    Return(u32),
    Late,
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let one = (0u32..6, 1u32..24).prop_map(|(kind, who)| match kind {
        0 => Happening::Withdraw(who),
        1 => Happening::Expel(who),
        2 => Happening::Absent(who),
        3 => Happening::Bye(who),
        4 => Happening::Return(who),
        _ => Happening::Late,
    });
    prop::collection::vec(one, 0..4)
}

fn codes(pick: u8) -> [ResultCode; 2] {
    match pick % 8 {
        0..=2 => [ResultCode::Win, ResultCode::Loss],
        3 | 4 => [ResultCode::Loss, ResultCode::Win],
        5 => [ResultCode::Draw, ResultCode::Draw],
        6 => [ResultCode::ForfeitWin, ResultCode::ForfeitLoss],
        _ => [ResultCode::DoubleForfeit, ResultCode::DoubleForfeit],
    }
}

fn happen(book: &mut Book, what: Happening) {
    let round = book.event.next_round();
    let after_round = round - 1;
    // What cannot be is refused, and that is as good: nothing has changed then.
    let before = book.event.clone();
    let done = match what {
        Happening::Withdraw(who) => book.change(who, Status::Withdrawn { after_round }),
        Happening::Expel(who) => book.change(who, Status::Expelled { after_round }),
        Happening::Absent(who) => book.change(who, Status::Absent { round }),
        Happening::Bye(who) => book.change(who, Status::Bye { round, code: ResultCode::ByeHalf }),
        Happening::Return(who) => book.change(who, Status::Active { from_round: round }),
        Happening::Late => {
            book.enter(500 + u32::from(round) * 10 + u32::try_from(book.log.len()).unwrap_or(0))
        }
    };
    if done.is_err() {
        assert_eq!(book.event, before);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever happens: a round is paired or says why not, the log alone tells the same event, and whoever works it out
    /// anew finds nothing wrong with it.
    #[test]
    fn an_event_is_its_log(
        players in 4u32..24,
        jirige: bool,
        rounds in 2u16..6,
        before in prop::collection::vec(happenings(), 6),
        results: [u8; 16],
    ) {
        let variant = if jirige { "jirige" } else { "go" };
        let mut book = Book::running(settings(variant, Format::Swiss { rounds }), players);
        for (round, happenings) in (0..rounds).zip(&before) {
            for what in happenings {
                happen(&mut book, *what);
            }
            match book.begin_round() {
                Ok(()) => book.play(|table, _| codes(results[(usize::from(round) * 5 + table as usize) % 16])),
                Err(Unpaired::Pairing(_)) => break,
                Err(error) => panic!("{error}"),
            }
            let complete = book.event.rounds.last().is_some_and(Round::is_complete);
            prop_assert!(complete);
        }
        let verified = book.verified();
        prop_assert_eq!(verified.findings, vec![]);
        prop_assert_eq!(verified.rounds, book.event.rounds.len());
        let table = book.event.table(book.event.next_round() - 1);
        prop_assert_eq!(table.lines.len(), book.event.participants.len());
        for (_, code) in book.event.rounds.iter().flat_map(|round| &round.published.out) {
            prop_assert!(!code.is_decided_game());
        }
    }
}

#[test]
fn what_was_changed_in_a_log_is_found() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 8);
    for _ in 0..2 {
        book.begin_round().expect("paired");
        book.play(by_number);
    }
    assert!(book.verified().findings.is_empty());
    let second =
        book.log.iter().rposition(|entry| matches!(entry.fact, Fact::RoundPublished(_))).expect("a round");
    // Two players of the second round change their places.
    let mut log = book.log.clone();
    let Fact::RoundPublished(round) = &mut log[second].fact else { unreachable!() };
    let (one, other) = (round.boards[0].players[1], round.boards[1].players[1]);
    (round.boards[0].players[1], round.boards[1].players[1]) = (other, one);
    let found = verify::verify(book.id, &log).expect("it can be read");
    assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
    assert_eq!(found.findings[0].sequence, log[second].sequence);
    // A result of the first round is another: the second was not paired from it.
    let mut log = book.log.clone();
    let first = log.iter().position(|entry| matches!(entry.fact, Fact::Result { .. })).expect("a result");
    let Fact::Result { result, .. } = &mut log[first].fact else { unreachable!() };
    result.codes.swap(0, 1);
    assert!(!verify::verify(book.id, &log).expect("it can be read").findings.is_empty());
    // Another seed than was committed to.
    let mut log = book.log.clone();
    let Fact::RoundPublished(round) = &mut log[second].fact else { unreachable!() };
    round.seed[0] ^= 1;
    let corrupt = verify::verify(book.id, &log).expect_err("no such draw");
    assert_eq!(corrupt.sequence, log[second].sequence);
}

#[test]
fn who_leaves_in_a_round_loses_his_board_and_is_not_paired_again() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 6);
    book.begin_round().expect("paired");
    let [gone, opponent] = book.event.rounds[0].published.boards[0].players;
    book.change(gone.0, Status::Withdrawn { after_round: 1 }).expect("he leaves");
    let result = book.event.rounds[0].boards[0].result.clone().expect("decided");
    assert_eq!(result.codes, [ResultCode::ForfeitLoss, ResultCode::ForfeitWin]);
    book.play(by_number);
    book.begin_round().expect("paired");
    let paired: Vec<Number> =
        book.event.rounds[1].published.boards.iter().flat_map(|board| board.players).collect();
    assert!(!paired.contains(&gone) && (paired.contains(&opponent) || paired.len() == 4));
    assert!(book.change(gone.0, Status::Withdrawn { after_round: 2 }).is_err(), "he has left already");
}

#[test]
fn of_two_reports_of_a_game_the_later_one_holds() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 2 }), 4);
    book.begin_round().expect("paired");
    let board = BoardId { round: 1, table: 1 };
    book.report(board, [ResultCode::Win, ResultCode::Loss], 20);
    let sequence = book.event.sequence;
    book.report(board, [ResultCode::Win, ResultCode::Loss], 20);
    book.report(board, [ResultCode::Draw, ResultCode::Draw], 19);
    assert_eq!(book.event.sequence, sequence, "nothing new");
    book.report(board, [ResultCode::Annulled, ResultCode::Annulled], 25);
    let codes = book.event.rounds[0].boards[0].result.as_ref().map(|result| result.codes);
    assert_eq!(codes, Some([ResultCode::Annulled; 2]), "an annulment comes later");
}

#[test]
fn an_adjourned_game_does_not_keep_the_next_round_waiting() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 4);
    book.begin_round().expect("paired");
    let board = BoardId { round: 1, table: 1 };
    assert!(matches!(book.plan(), Err(Unpaired::Incomplete(1))));
    book.report(board, [ResultCode::Adjourned; 2], 40);
    assert!(matches!(book.plan(), Err(Unpaired::Incomplete(2))));
    book.report(BoardId { round: 1, table: 2 }, [ResultCode::Win, ResultCode::Loss], 50);
    book.begin_round().expect("paired, with a game adjourned");
    assert!(!book.event.rounds[0].is_complete());
    let table = book.event.table(1);
    assert_eq!(table.lines.iter().filter(|line| line.provisional).count(), 2);
    book.report(board, [ResultCode::Loss, ResultCode::Win], 60);
    assert!(book.event.rounds[0].is_complete());
    assert!(book.verified().findings.is_empty(), "the second round was paired from what was known then");
}

#[test]
fn late_entries_come_in_until_the_list_is_closed() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 5 }), 4);
    book.begin_round().expect("paired");
    book.play(by_number);
    book.enter(50).expect("before round 2");
    assert_eq!(book.event.participant(Number(5)).map(|it| it.entrant.from_round), Some(2));
    assert_eq!(book.enter(50), Err(Refusal::Entered(Number(5))));
    book.begin_round().expect("paired");
    book.play(by_number);
    assert_eq!(book.enter(51), Err(Refusal::EntriesClosed), "round 3 is the first that is too late");
}

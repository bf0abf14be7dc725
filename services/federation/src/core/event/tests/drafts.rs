//! Drafts that do not hold any more, and what by hand may be made of those that do.

use pairing::{Number, ResultCode, Status, grading::GradeBy, standings::Cycles};

use super::*;
use crate::core::event::plan::{order_hash, seeded};

/// A draft with a change of colours, which makes it one that was edited.
fn edited(book: &Book) -> PublishedRound {
    let mut draft = book.plan().expect("paired");
    edit(&mut draft, &[PairingEdit::Turn(1)], "asked for").expect("colours can be turned");
    draft
}

fn published(book: &Book, draft: &PublishedRound) -> Result<Vec<Fact>, Refusal> {
    book.event.publish_round(draft.clone(), &book.plan().expect("paired"))
}

/// The chief arbiter has the other one have won the first board of the last round.
fn correct(book: &mut Book) {
    let round = book.event.rounds.last().expect("a round");
    let board = BoardId { round: round.published.round, table: 1 };
    let mut codes = round.boards[0].result.as_ref().expect("a result").codes;
    codes.reverse();
    let result = BoardResult::decided(codes, Reason::Normal);
    let facts = book.event.enter_result(board, result, &official(1000), false).expect("decided");
    book.write(facts);
}

#[test]
fn an_edited_bracket_is_not_published_after_a_correction() {
    for lives in [1, 2, 3] {
        let mut book = Book::running(settings("go", Format::KnockOut { lives, third_place: false }), 4);
        book.begin_round().expect("paired");
        book.play(by_number);
        let draft = edited(&book);
        assert!(published(&book, &draft).is_ok(), "{lives}: it holds so far");
        correct(&mut book);
        assert_eq!(published(&book, &draft), Err(Refusal::Stale), "{lives} lives");
        // Corrected back, it is what would be paired again.
        correct(&mut book);
        book.write(published(&book, &draft).expect("it holds again"));
        assert_eq!(book.verified().findings, vec![]);
    }
}

#[test]
fn an_edited_round_robin_is_not_published_after_a_withdrawal() {
    for players in [5, 6] {
        let mut book = Book::running(settings("go", Format::RoundRobin { cycles: Cycles::Single }), players);
        book.begin_round().expect("paired");
        book.play(by_number);
        for whose in ["a board", "the free round"] {
            let (plain, draft) = (book.plan().expect("paired"), edited(&book));
            let free = plain.out.first().map(|(number, _)| *number);
            let gone = match (whose, free) {
                ("a board", _) => plain.boards[0].players[0],
                (_, Some(free)) => free,
                (_, None) => continue,
            };
            let mut after = book.clone();
            after.change(gone.0, Status::Withdrawn { after_round: 1 }).expect("he leaves");
            assert_eq!(published(&after, &draft), Err(Refusal::Stale), "{players} players, {whose}");
            assert_eq!(published(&after, &plain), Err(Refusal::Stale), "{players} players, {whose}");
        }
    }
}

#[test]
fn an_edited_round_of_a_ladder_is_not_published_after_another_challenge() {
    let mut book =
        Book::running(settings("go", Format::Ladder { rounds: 3, reach: 3, answer_within: None }), 6);
    book.write(book.event.challenge(Number(2), Number(1), book.now).expect("a challenge"));
    let draft = edited(&book);
    book.write(book.event.challenge(Number(4), Number(3), book.now).expect("another"));
    assert_eq!(published(&book, &draft), Err(Refusal::Stale));
}

/// Who is alone in his grade is paired with nobody, and still has his place in the round.
#[test]
fn an_edited_round_of_grades_is_not_published_after_one_who_sat_alone_has_left() {
    let format = Format::Grading { rounds: 3, by: GradeBy::Wins, needed: 3 };
    let mut book = Book::open(settings("go", format));
    book.open_registration();
    for number in 1..=5 {
        book.enter(number).expect("he can enter");
        if let Some(Fact::Entered(entrant)) = book.log.last_mut().map(|entry| &mut entry.fact) {
            entrant.grade = Some(if number == 5 { 2 } else { 1 });
        }
        book.event = Event::replay(book.id, &book.log).expect("a log");
    }
    book.begin_play();
    let draft = edited(&book);
    assert!(draft.out.contains(&(Number(5), ResultCode::Pab)));
    book.change(5, Status::Withdrawn { after_round: 0 }).expect("he leaves");
    assert_eq!(published(&book, &draft), Err(Refusal::Stale));
}

/// Rounds of a bracket that were published with the hash of its seeds alone are still what they were.
#[test]
fn a_log_with_the_hash_of_an_order_is_right() {
    let mut book = Book::running(settings("go", Format::KnockOut { lives: 1, third_place: false }), 4);
    for edits in [false, true] {
        let mut draft = if edits { edited(&book) } else { book.plan().expect("paired") };
        let round = draft.round;
        draft.input = order_hash(&seeded(&book.event, draft.seed));
        assert_eq!(published(&book, &draft), Err(Refusal::Stale), "a draft of that time is paired again");
        book.write(vec![Fact::RoundPublished(Box::new(draft))]);
        book.write(book.event.start_round(round).expect("it starts"));
        book.play(by_number);
    }
    assert_eq!(book.verified().findings, vec![]);
}

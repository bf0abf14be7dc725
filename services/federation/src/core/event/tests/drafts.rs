//! Drafts that do not hold any more, and what by hand may be made of those that do.

use pairing::{Number, Relaxed, ResultCode, Status, check::Fault, grading::GradeBy, standings::Cycles};

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
    book.write(book.event.challenge(Number(2), Number(1), false, book.now).expect("a challenge"));
    let draft = edited(&book);
    book.write(book.event.challenge(Number(4), Number(3), false, book.now).expect("another"));
    assert_eq!(published(&book, &draft), Err(Refusal::Stale));
}

/// Five players, of whom the fifth is alone in his grade.
fn one_alone_in_his_grade() -> Book {
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
    book
}

/// What somebody has asked for he gets, also where nobody could be paired with him anyway.
#[test]
fn who_is_alone_in_his_grade_has_the_bye_that_he_asked_for() {
    let mut book = one_alone_in_his_grade();
    let out = |book: &Book| book.plan().expect("paired").out;
    assert_eq!(out(&book), vec![(Number(5), ResultCode::Pab)]);
    book.change(5, Status::Bye { round: 1, code: ResultCode::ByeHalf }).expect("he asks for it");
    assert_eq!(out(&book), vec![(Number(5), ResultCode::ByeHalf)]);
}

/// Who is alone in his grade is paired with nobody, and still has his place in the round.
#[test]
fn an_edited_round_of_grades_is_not_published_after_one_who_sat_alone_has_left() {
    let mut book = one_alone_in_his_grade();
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

/// A swap that has two meet in the draft who are named, neither of whom is out.
fn swap_for(draft: &PublishedRound, one: Number, other: Number) -> PairingEdit {
    let board = draft.boards.iter().find(|board| board.players.contains(&one)).expect("he plays");
    let partner = board.players[usize::from(board.players[0] == one)];
    PairingEdit::Swap(partner, other)
}

/// What a deputy is refused, and what the chief arbiter is noted to have lifted.
fn lifted_by_the_chief(mut book: Book, edits: &[PairingEdit], rule: &str, level: Relaxed) {
    let plain = book.plan().expect("paired");
    let mut draft = plain.clone();
    let Err(Refusal::Rules(faults)) = book.event.edit_draft(&mut draft, (edits, "friends"), false) else {
        panic!("{rule} is not for a deputy to lift")
    };
    assert!(faults.iter().any(|fault| fault.rule() == Some(rule)), "{faults:?}");
    assert_eq!(draft, plain, "nothing has changed");

    book.event.edit_draft(&mut draft, (edits, "nobody else is there"), true).expect("the chief may");
    assert_eq!(draft.relaxed, level);
    let note = format!("rules were lifted up to {}: nobody else is there", level.name());
    assert_eq!(draft.edits.last(), Some(&note));
    let turned = book.event.edit_draft(&mut draft.clone(), (&[PairingEdit::Turn(1)], "asked for"), false);
    assert_eq!(turned, Ok(()), "what was broken before is not broken anew");
    let seed = draft.seed;
    let anew = plan(&book.event, seed, draft.relaxed, &mut |_| ControlFlow::Continue(())).expect("paired");
    book.write(book.event.publish_round(draft.clone(), &anew).expect("it holds"));
    assert_eq!(book.verified().findings, vec![]);

    // In a log that does not say so it is found.
    let mut log = book.log.clone();
    let Some(Fact::RoundPublished(round)) = log.last_mut().map(|entry| &mut entry.fact) else {
        panic!("the round was published last")
    };
    (round.relaxed, round.input) = (Relaxed::Nothing, plain.input);
    let found = verify(book.id, &log).expect("it can be read").findings;
    assert!(!found.is_empty(), "{rule}");
}

/// 1.3 and FIDE C.04.1, 1.9.3: the chief arbiter alone lifts H1 to H4, by hand as otherwise.
#[test]
fn a_deputy_breaks_no_rule_by_hand() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 4 }), 6);
    book.begin_round().expect("paired");
    book.play(by_number);
    let draft = book.plan().expect("paired");
    let [one, other] = book.event.rounds[0].published.boards[0].players;
    lifted_by_the_chief(book.clone(), &[swap_for(&draft, one, other)], "H1", Relaxed::Rematches);

    // Two who have not met, and do not meet now.
    let met = |a: Number, b: Number, boards: &[Board]| {
        boards.iter().any(|board| board.players.contains(&a) && board.players.contains(&b))
    };
    let strangers = (2..=6)
        .map(Number)
        .find(|it| !met(one, *it, &draft.boards) && !met(one, *it, &book.event.rounds[0].published.boards));
    let pair = [one, strangers.expect("of five one is left")];
    book.write(book.event.prohibit(pair, [2, 2], Sealed([7; 32])).expect("prohibited"));
    let draft = book.plan().expect("paired");
    let swap = swap_for(&draft, pair[0], pair[1]);
    let mut broken = book.plan().expect("paired");
    let refused = book.event.edit_draft(&mut broken, (&[swap], "friends"), false);
    let prohibited = |fault: &Fault| matches!(fault, Fault::Prohibited(..));
    assert!(matches!(&refused, Err(Refusal::Rules(faults)) if faults.iter().any(prohibited)), "{refused:?}");
}

#[test]
fn a_deputy_gives_nobody_a_second_bye_by_hand() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 4 }), 5);
    book.begin_round().expect("paired");
    book.play(by_number);
    let free =
        |round: &PublishedRound| round.out.first().map(|(number, _)| *number).expect("of five one is free");
    let (had, due) = (free(&book.event.rounds[0].published), free(&book.plan().expect("paired")));
    let mut draft = book.plan().expect("paired");
    let swap = [PairingEdit::Swap(had, due)];
    let refused = book.event.edit_draft(&mut draft, (&swap, "ill"), false);
    let second = |fault: &Fault| *fault == Fault::Bye(had);
    assert!(matches!(&refused, Err(Refusal::Rules(faults)) if faults.iter().any(second)), "{refused:?}");
    book.event.edit_draft(&mut draft, (&swap, "ill"), true).expect("the chief may");
    assert!(draft.relaxed >= Relaxed::SecondByes && draft.out.contains(&(had, ResultCode::Pab)));
}

/// Where a rule is lifted by hand the draft must still be what would be paired, for it is paired from what is known then.
#[test]
fn nothing_is_lifted_for_a_draft_that_does_not_hold() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 4 }), 6);
    book.begin_round().expect("paired");
    book.play(by_number);
    let mut draft = book.plan().expect("paired");
    let [one, other] = book.event.rounds[0].published.boards[0].players;
    let swap = [swap_for(&draft, one, other)];
    correct(&mut book);
    assert_eq!(book.event.edit_draft(&mut draft, (&swap, "friends"), true), Err(Refusal::Stale));
}

/// Berger's table goes on as it was drawn: two who were moved would meet twice.
#[test]
fn a_deputy_moves_nobody_in_a_table() {
    let book = Book::running(settings("go", Format::RoundRobin { cycles: Cycles::Single }), 6);
    let plain = book.plan().expect("paired");
    let mut draft = plain.clone();
    let swap = [PairingEdit::Swap(draft.boards[0].players[0], draft.boards[1].players[0])];
    let refused = book.event.edit_draft(&mut draft, (&swap, "friends"), false);
    assert_eq!(refused, Err(NotAllowed::Role(&[Role::ChiefArbiter]).into()));
    assert_eq!(draft, plain, "nothing has changed");
    book.event.edit_draft(&mut draft, (&[PairingEdit::Turn(1)], "asked for"), false).expect("they meet");
    book.event.edit_draft(&mut draft, (&swap, "drawn wrongly"), true).expect("the chief may");
}

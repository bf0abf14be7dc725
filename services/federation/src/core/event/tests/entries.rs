//! Entries that are corrected.

use pairing::{Number, Status};

use super::*;

#[test]
fn an_entry_is_corrected_and_nobody_plays_twice() {
    let mut book = Book::open(settings("go", Format::Swiss { rounds: 3 }));
    book.open_registration();
    for number in 1..=4 {
        book.enter(number).expect("entered");
    }
    let corrected = |book: &Book, change: &dyn Fn(&mut EntryUpdate)| {
        let mut update = book.event.entry(Number(1)).expect("an entry");
        change(&mut update);
        book.event.update_entry(update)
    };
    assert_eq!(corrected(&book, &|_| ()), Ok(vec![]), "nothing changes");
    book.write(corrected(&book, &|it| (it.rating, it.account) = (Some(900), None)).expect("corrected"));
    assert_eq!(book.event.of_account(account(1)), None);
    let others = corrected(&book, &|it| it.account = Some(account(2)));
    assert_eq!(others, Err(Refusal::Entered(Number(2))));
    book.begin_play();
    book.begin_round().expect("paired");
    assert!(matches!(corrected(&book, &|it| it.grade = Some(5)), Err(Refusal::Settled(..))));
    book.play(by_number);
    book.write(corrected(&book, &|it| it.account = Some(account(9))).expect("his account came later"));
    assert_eq!(book.event.of_account(account(9)).map(Participant::number), Some(Number(1)));
    assert_eq!(book.verified().findings, vec![]);
    book.change(1, Status::Withdrawn { after_round: 1 }).expect("he leaves");
    assert!(matches!(corrected(&book, &|it| it.grade = None), Err(Refusal::Status(_))));
    assert_eq!(book.event.entry(Number(9)), Err(Refusal::UnknownNumber(Number(9))));
}

/// Whether a board has a game followed from the accounts of the two as it began, and who has played is known by his.
#[test]
fn an_account_comes_later_but_to_no_board_that_awaits_its_end_and_then_stays() {
    let mut book = Book::open(settings("go", Format::Swiss { rounds: 3 }));
    book.open_registration();
    for number in 1..=4 {
        book.enter(number).expect("entered");
    }
    let with =
        |book: &Book, account| EntryUpdate { account, ..book.event.entry(Number(1)).expect("an entry") };
    let settled = |book: &Book, account| {
        matches!(book.event.update_entry(with(book, account)), Err(Refusal::Settled(..)))
    };
    book.write(book.event.update_entry(with(&book, None)).expect("no round is public"));
    book.begin_play();
    let draft = book.plan().expect("paired");
    book.write(book.event.publish_round(draft.clone(), &draft).expect("published"));
    assert!(!settled(&book, Some(account(9))), "its game is made when the round begins");
    book.write(book.event.start_round(1).expect("it begins"));
    assert!(settled(&book, Some(account(9))), "his board has no game");
    let (board, ..) =
        book.event.all_boards().find(|(_, seat, _)| seat.players.contains(&Number(1))).expect("his");
    let won = BoardResult {
        source: ResultSource::OverTheBoard { confirmed_by: None },
        ..BoardResult::decided([ResultCode::Win, ResultCode::Loss], Reason::Normal)
    };
    book.write(book.event.enter_result(board, won, &official(1000), false).expect("played in a hall"));
    book.write(book.event.update_entry(with(&book, Some(account(9)))).expect("it is over"));
    for account in [None, Some(account(10))] {
        assert!(settled(&book, account), "he has no part in his own games any more");
    }
    assert_eq!(book.verified().findings, vec![]);
}

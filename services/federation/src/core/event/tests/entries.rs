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
    book.write(corrected(&book, &|it| it.account = Some(account(9))).expect("his account came later"));
    assert_eq!(book.event.of_account(account(9)).map(Participant::number), Some(Number(1)));
    assert_eq!(book.verified().findings, vec![]);
    book.change(1, Status::Withdrawn { after_round: 1 }).expect("he leaves");
    assert!(matches!(corrected(&book, &|it| it.account = None), Err(Refusal::Status(_))));
    assert_eq!(book.event.entry(Number(9)), Err(Refusal::UnknownNumber(Number(9))));
}

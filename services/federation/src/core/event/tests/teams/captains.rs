//! Captains: nobody leads two teams, or one against which he plays, and none reads what the one before him has sealed.

use pairing::Number;

use super::*;

fn line_ups() -> Settings {
    of_teams(robin(Cycles::Single), 2, LineupLaw::DeclaredBoards)
}

fn refused<T: std::fmt::Debug>(answer: &Result<T, Refusal>) {
    assert!(matches!(answer, Err(Refusal::Captain(_))), "{answer:?}");
}

#[test]
fn who_leads_a_team_has_no_part_in_another() {
    let mut book = Book::open(line_ups());
    book.open_registration();
    let enter = |book: &Book, new: &NewTeam| book.event.enter_team(new, book.now);
    book.write(enter(&book, &team(1, &book.event)).expect("it can enter"));
    let second = team(2, &book.event);
    for captain in [account(100), account(101)] {
        refused(&enter(&book, &NewTeam { captain, ..second.clone() }));
    }
    // The second team's own captain has become the first one's.
    let change = |book: &Book, to| book.event.change_captain(Number(1), Some(to), None);
    let before = book.clone();
    book.write(change(&book, second.captain).expect("he leads nobody else yet"));
    refused(&enter(&book, &second));
    refused(&enter(&book, &NewTeam { captain: account(77), ..second.clone() }));
    book = before;
    book.write(enter(&book, &second).expect("it can enter"));
    for other in [200, 201, 203] {
        refused(&change(&book, account(other)));
    }
    for own in [100, 101, 77] {
        assert!(change(&book, account(own)).is_ok(), "{own}");
    }
    // Nor does who leads one get a place in another with his account.
    book.write(change(&book, account(77)).expect("he plays nowhere"));
    let of = |number: u32, account| {
        let entry = book.event.entry(Number(number)).expect("an entry");
        book.event.update_entry(EntryUpdate { account: Some(account), ..entry })
    };
    assert!(of(1, account(77)).is_ok());
    refused(&of(6, account(77)));
}

#[test]
fn a_captain_does_not_change_while_a_line_up_is_sealed() {
    let mut book = running(line_ups(), 2);
    let round = publish(&mut book).expect("paired");
    let opening = |team: u32| {
        let first = (team - 1) * 4 + 1;
        Opening { salt: [5; 32], players: [first, first + 1].map(Number).to_vec() }
    };
    let declare = |book: &mut Book, team: u32| {
        let hash = commitment(&[5; 32], &opening(team).players);
        book.write(book.event.declare_line_up((round, Number(team)), hash, book.now).expect("declared"));
    };
    let change = |book: &Book, team: u32| book.event.change_captain(Number(team), Some(account(77)), None);
    declare(&mut book, 1);
    assert!(change(&book, 1).is_ok(), "he declares it anew");
    book.write(book.event.hand_in((round, Number(1)), &opening(1), &[]).expect("handed in"));
    refused(&change(&book, 1));
    assert!(change(&book, 2).is_ok(), "it has sealed nothing");
    let mut begun = book.clone();
    start(&mut begun, round, &[(Number(1), opening(1))]);
    assert!(change(&begun, 1).is_ok(), "it is public");
    declare(&mut book, 2);
    let held = [(Number(1), opening(1))];
    book.write(book.event.hand_in((round, Number(2)), &opening(2), &held).expect("handed in"));
    assert!(change(&book, 1).is_ok(), "both are public");
}

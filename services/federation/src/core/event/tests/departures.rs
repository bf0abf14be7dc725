//! What becomes of the games of those who leave (1.7).

use pairing::{Number, ResultCode, Status, standings::Cycles};

use super::*;

const BOARD: BoardId = BoardId { round: 1, table: 1 };

fn running(format: Format) -> Book {
    let mut book = Book::running(settings("go", format), 4);
    book.begin_round().expect("paired");
    book
}

fn seated(book: &Book) -> [Number; 2] {
    book.event.rounds[0].published.boards[0].players
}

fn codes(book: &Book) -> Option<[ResultCode; 2]> {
    book.event.rounds[0].boards[0].result.as_ref().map(|it| it.codes)
}

/// 29.2 asks how many rounds he has played: he does not choose how many those were.
#[test]
fn nobody_leaves_before_a_round_that_he_has_played() {
    let mut book = running(Format::Swiss { rounds: 3 });
    let [one, _] = seated(&book);
    book.play(by_number);
    let before = book.change(one.0, Status::Withdrawn { after_round: 0 });
    assert!(matches!(before, Err(Refusal::Status(_))), "{before:?}");
    book.change(one.0, Status::Withdrawn { after_round: 1 }).expect("after it he does");
    // Who is in the middle of it has not been through it.
    let mut book = running(Format::Swiss { rounds: 3 });
    let [one, _] = seated(&book);
    book.change(one.0, Status::Withdrawn { after_round: 0 }).expect("he leaves his game");
    assert_eq!(codes(&book), Some([ResultCode::ForfeitLoss, ResultCode::ForfeitWin]));
}

#[test]
fn who_sat_a_round_out_has_been_through_it() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 5);
    book.begin_round().expect("paired");
    let (free, _) = book.event.rounds[0].published.out[0];
    assert!(book.change(free.0, Status::Withdrawn { after_round: 0 }).is_err());
    assert!(book.change(free.0, Status::Withdrawn { after_round: 1 }).is_ok());
}

#[test]
fn a_result_that_waits_to_be_confirmed_was_played() {
    let mut book = running(Format::Swiss { rounds: 3 });
    let [one, _] = seated(&book);
    let source = ResultSource::OverTheBoard { confirmed_by: None };
    let won =
        BoardResult { source, ..BoardResult::decided([ResultCode::Win, ResultCode::Loss], Reason::Normal) };
    let entered = book.event.enter_result(BOARD, won, &official(2000), false).expect("entered");
    book.write_by(account(2000), entered);
    book.change(one.0, Status::Withdrawn { after_round: 1 }).expect("he leaves");
    book.write(book.event.confirm_result(BOARD, &official(2001)).expect("confirmed"));
    assert_eq!(codes(&book), Some([ResultCode::Win, ResultCode::Loss]));
}

/// The report of a game that was over may come after somebody has left; what an arbiter ended may not.
#[test]
fn a_game_that_was_over_is_not_lost_by_leaving() {
    for (format, reason, kept) in [
        (Format::Swiss { rounds: 3 }, Reason::Resign, true),
        (Format::Swiss { rounds: 3 }, Reason::Arbiter, false),
        (Format::KnockOut { lives: 1, third_place: false }, Reason::Resign, true),
    ] {
        let mut book = running(format);
        let [one, _] = seated(&book);
        let game = book.event.game(BOARD).expect("a game");
        book.change(one.0, Status::Withdrawn { after_round: 1 }).expect("he leaves");
        let result = BoardResult {
            source: ResultSource::Game { game, sequence: 9 },
            ..BoardResult::decided([ResultCode::Win, ResultCode::Loss], reason)
        };
        book.write(book.event.game_ended(BOARD, true, result).expect("a report"));
        let codes = codes(&book).expect("a result");
        assert_eq!(codes[0] == ResultCode::Win, kept, "{format:?} {reason:?}: {codes:?}");
        assert_eq!(book.verified().findings, vec![]);
    }
}

/// A bracket that waits for a decision has not been played to its end.
#[test]
fn a_drawn_board_of_a_knock_out_keeps_the_event_open() {
    let mut book = running(Format::KnockOut { lives: 1, third_place: false });
    book.play(|table, players| if table == 1 { [ResultCode::Draw; 2] } else { by_number(table, players) });
    assert_eq!(book.event.missing(Stage::Closing, book.now), [Missing::Rounds]);
    assert!(book.event.advance(book.now).is_err());
    book.write(book.event.play_again(BOARD, &official(1000)).expect("played again"));
    book.play(by_number);
    book.begin_round().expect("the final");
    book.play(by_number);
    assert_eq!(book.event.missing(Stage::Closing, book.now), []);
}

/// 29.1; 1.10, 8: who is there when the first round is made is on its list, whatever he was before.
#[test]
fn who_comes_back_before_the_start_plays_and_who_was_sent_away_does_not() {
    let knock_out = |lives| Format::KnockOut { lives, third_place: false };
    let robin = Format::RoundRobin { cycles: Cycles::Single };
    for format in [robin, knock_out(1), knock_out(2), knock_out(3)] {
        let mut book = Book::open(settings("go", format));
        book.open_registration();
        for number in 1..=5 {
            book.enter(number).expect("he can enter");
        }
        book.change(2, Status::Withdrawn { after_round: 0 }).expect("he leaves");
        book.change(2, Status::Active { from_round: 1 }).expect("he comes back");
        book.change(5, Status::Expelled { after_round: 0 }).expect("he is sent away");
        book.begin_play();
        while book.begin_round().is_ok() {
            book.play(by_number);
        }
        let mut seated: Vec<u32> =
            book.event.all_boards().flat_map(|(_, board, _)| board.players).map(|it| it.0).collect();
        seated.sort_unstable();
        seated.dedup();
        assert_eq!(seated, [1, 2, 3, 4], "{format:?}");
        assert_eq!(book.event.missing(Stage::Closing, book.now), [], "{format:?}");
        assert_eq!(book.verified().findings, vec![]);
    }
    let mut two = Book::running(settings("go", Format::Match { games: 3, play_all: false }), 2);
    two.change(1, Status::Withdrawn { after_round: 0 }).expect("he leaves");
    assert_eq!(two.plan(), Err(Unpaired::TooFew));
    two.change(1, Status::Active { from_round: 1 }).expect("he comes back");
    assert!(two.plan().is_ok());
    // Who comes back after the list was made is not on it.
    let mut late = Book::running(settings("go", robin), 5);
    late.change(5, Status::Withdrawn { after_round: 0 }).expect("he leaves");
    late.begin_round().expect("paired");
    late.play(by_number);
    late.change(5, Status::Active { from_round: 2 }).expect("he comes back");
    late.begin_round().expect("four are left as they were");
    assert_eq!(late.event.rounds[1].published.members(), [1, 2, 3, 4].map(Number).into());
    assert_eq!(late.verified().findings, vec![]);
}

/// Whose results are void plays nothing to its end.
#[test]
fn who_is_annulled_loses_the_board_at_which_he_sits() {
    for format in [Format::Swiss { rounds: 3 }, Format::KnockOut { lives: 1, third_place: false }] {
        let mut book = running(format);
        let [one, _] = seated(&book);
        book.change(one.0, Status::Annulled).expect("the committee may");
        assert_eq!(codes(&book), Some([ResultCode::ForfeitLoss, ResultCode::ForfeitWin]), "{format:?}");
        book.play(by_number);
        book.begin_round().expect("the others go on");
        assert!(!book.event.rounds[1].published.members().contains(&one));
        assert_eq!(book.verified().findings, vec![]);
    }
}

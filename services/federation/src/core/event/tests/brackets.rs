//! Knock-outs in which boards are decided for neither, or are open for long, and their tables on the way.

use pairing::{Number, ResultCode, knockout::Part};

use super::*;

const BOTH_LOST: [ResultCode; 2] = [ResultCode::Loss; 2];

fn cup(lives: u8, players: u32) -> Book {
    Book::running(settings("go", Format::KnockOut { lives, third_place: false }), players)
}

/// The table at which somebody sits in the last round.
fn table_of(book: &Book, number: u32) -> BoardId {
    let published = &book.event.rounds.last().expect("a round").published;
    let board = published.boards.iter().find(|board| board.players.contains(&Number(number)));
    BoardId { round: published.round, table: board.expect("he plays").table }
}

fn decide(book: &mut Book, board: BoardId, codes: [ResultCode; 2]) {
    let result = BoardResult::decided(codes, Reason::Normal);
    let facts = book.event.enter_result(board, result, &official(1000), false).expect("decided");
    book.write(facts);
}

fn place_of(book: &Book, round: u16, number: u32) -> Option<u32> {
    let table = book.event.table(round);
    table.lines.iter().find(|line| line.number == Number(number)).expect("his line").place
}

/// 1.11, 18: a loss for each; nobody has a life left, so that nobody goes on.
#[test]
fn both_lose_a_board_of_a_cup_and_nobody_goes_on() {
    let mut book = cup(1, 4);
    book.begin_round().expect("paired");
    let board = table_of(&book, 1);
    decide(&mut book, board, BOTH_LOST);
    book.play(by_number);
    assert_eq!(book.plan(), Err(Unpaired::NoMoreRounds), "the other finalist meets nobody");
    let places: Vec<Option<u32>> = (1..=4).map(|number| place_of(&book, 1, number)).collect();
    assert_eq!(
        places,
        [Some(2), Some(1), Some(2), Some(2)],
        "the three who lost in round 1 share their place"
    );
    assert_eq!(book.verified().findings, vec![]);
}

/// 1.11, 18: nobody has a life left, so that the title is vacant.
#[test]
fn both_lose_their_last_life_and_the_first_place_is_vacant() {
    for lives in 1..=4 {
        let mut book = cup(lives, 2);
        // In turn each loses all of his lives but one.
        for game in 0..2 * (lives - 1) {
            book.begin_round().expect("paired");
            let winner = Number(u32::from(game % 2) + 1);
            book.play(|_, players| {
                if players[0] == winner {
                    [ResultCode::Win, ResultCode::Loss]
                } else {
                    [ResultCode::Loss, ResultCode::Win]
                }
            });
        }
        book.begin_round().expect("paired");
        let board = table_of(&book, 1);
        decide(&mut book, board, BOTH_LOST);
        assert_eq!(book.plan(), Err(Unpaired::NoMoreRounds), "{lives} lives");
        assert_eq!(book.places(), [(2, 1), (2, 2)], "{lives} lives");
        assert_eq!(book.verified().findings, vec![]);
    }
}

/// With a life left, both go on among those who have lost once.
#[test]
fn both_lose_among_the_unbeaten_and_have_a_life_left() {
    let mut book = cup(2, 4);
    book.begin_round().expect("paired");
    let board = table_of(&book, 1);
    decide(&mut book, board, BOTH_LOST);
    book.play(by_number);
    book.begin_round().expect("paired");
    let published = &book.event.rounds[1].published;
    assert!(published.boards.iter().all(|board| board.place.is_some_and(|it| it.part == Part::Losers)));
    assert!((1..=4).all(|number| place_of(&book, 1, number).is_none()), "nobody is out");
}

#[test]
fn an_open_board_takes_no_place_from_those_who_are_out() {
    let mut book = cup(1, 8);
    book.begin_round().expect("paired");
    book.play(by_number);
    book.begin_round().expect("paired");
    for open in [ResultCode::Adjourned, ResultCode::Draw, ResultCode::ReplayOrdered] {
        let board = table_of(&book, 1);
        decide(&mut book, board, [open; 2]);
        for out in 5..=8 {
            assert_eq!(place_of(&book, 2, out), Some(5), "{open:?}");
        }
        assert!((1..=4).all(|number| place_of(&book, 2, number).is_none()), "{open:?}");
    }
}

#[test]
fn a_table_of_an_earlier_round_knows_nothing_of_later_ones() {
    let mut book = cup(1, 8);
    for round in 1..=3 {
        book.begin_round().expect("paired");
        book.play(by_number);
        assert_eq!(place_of(&book, round, 1), (round == 3).then_some(1));
    }
    let places = |round| (1..=8).map(|number| place_of(&book, round, number)).collect::<Vec<_>>();
    let [out, semi] = [Some(5), Some(3)];
    assert_eq!(places(0), [None; 8]);
    assert_eq!(places(1), [None, None, None, None, out, out, out, out]);
    assert_eq!(places(2), [None, None, semi, semi, out, out, out, out]);
    assert_eq!(places(3), [Some(1), Some(2), semi, semi, out, out, out, out]);
}

/// 1.9: a late decision changes tables, and pairs no round again that has begun.
#[test]
fn who_has_gone_on_stays_where_he_is_whatever_is_decided_later() {
    for lives in [1, 2] {
        let mut book = cup(lives, 4);
        book.begin_round().expect("paired");
        let board = table_of(&book, 1);
        book.play(by_number);
        book.begin_round().expect("the next");
        let second: Vec<[Number; 2]> =
            book.event.rounds[1].published.boards.iter().map(|board| board.players).collect();
        // Who has beaten the first goes on as he did, but by the table he has lost that game.
        let [one, other] = book.event.find_board(board).expect("a board").1.players;
        let codes = if one < other {
            [ResultCode::Loss, ResultCode::Win]
        } else {
            [ResultCode::Win, ResultCode::Loss]
        };
        decide(&mut book, board, codes);
        book.play(by_number);
        while book.begin_round().is_ok() {
            book.play(by_number);
        }
        assert_eq!(place_of(&book, book.event.next_round() - 1, 1), Some(1), "with {lives} lives");
        let now: Vec<[Number; 2]> =
            book.event.rounds[1].published.boards.iter().map(|board| board.players).collect();
        assert_eq!(second, now);
        assert_eq!(book.verified().findings, vec![]);
    }
}

//! Knock-outs in which boards are decided for neither, late, or are open for long, and their tables on the way.

use pairing::{Number, ResultCode, Status, knockout::Part};

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

/// The board at which two met in a round.
fn board_of(book: &Book, round: u16, pair: [u32; 2]) -> BoardId {
    let published = &book.event.round(round).expect("a round").published;
    let met = |board: &&Board| pair.iter().all(|it| board.players.contains(&Number(*it)));
    BoardId { round, table: published.boards.iter().find(met).expect("they met").table }
}

/// Decides a board for one of the two.
fn decide_for(book: &mut Book, board: BoardId, winner: u32) {
    let [one, _] = book.event.find_board(board).expect("a board").1.players;
    let won = [ResultCode::Win, ResultCode::Loss];
    decide(book, board, if one == Number(winner) { won } else { [won[1], won[0]] });
}

/// 1.9, 1.2: others have walked over a place that was vacant, and so it stays once they have gone on from there.
#[test]
fn a_place_that_is_filled_late_puts_nobody_out_who_has_gone_past_it() {
    for (players, vacated) in [(8, vec![[1, 8]]), (16, vec![[1, 16], [8, 9]])] {
        let mut book = cup(1, players);
        book.begin_round().expect("paired");
        for pair in &vacated {
            let board = board_of(&book, 1, *pair);
            decide(&mut book, board, BOTH_LOST);
        }
        book.play(by_number);
        while book.begin_round().is_ok() {
            // 4 wins his final against 2.
            book.play(|table, pair| match pair.map(|it| it.0) {
                [2, 4] => [ResultCode::Loss, ResultCode::Win],
                [4, 2] => [ResultCode::Win, ResultCode::Loss],
                _ => by_number(table, pair),
            });
        }
        let before = book.places();
        assert_eq!(before[..2], [(1, 4), (2, 2)], "of {players}");
        for pair in &vacated {
            let board = board_of(&book, 1, *pair);
            decide_for(&mut book, board, pair[0]);
        }
        assert_eq!(book.plan(), Err(Unpaired::NoMoreRounds), "of {players}");
        assert_eq!(book.event.missing(Stage::Closing, book.now), [], "of {players}");
        assert_eq!(book.places(), before, "of {players}");
        assert_eq!(book.verified().findings, vec![]);
    }
}

/// While nobody has gone on past the place, the decision is in time.
#[test]
fn a_place_that_is_filled_in_time_is_played_for() {
    let mut book = cup(1, 8);
    book.begin_round().expect("paired");
    let board = board_of(&book, 1, [1, 8]);
    decide(&mut book, board, BOTH_LOST);
    book.play(by_number);
    book.begin_round().expect("the other half-final");
    assert_eq!(book.event.rounds[1].published.members(), [2, 3].map(Number).into());
    book.play(by_number);
    decide_for(&mut book, board, 1);
    book.begin_round().expect("the half-final that was walked over");
    assert_eq!(book.event.rounds[2].published.members(), [1, 4].map(Number).into());
    book.play(by_number);
    book.begin_round().expect("the final");
    book.play(by_number);
    assert_eq!(book.places()[..2], [(1, 1), (2, 2)]);
    assert_eq!(book.verified().findings, vec![]);
    // What a round followed from is open again when that is taken back.
    let mut book = cup(1, 4);
    book.begin_round().expect("paired");
    book.play(by_number);
    book.begin_round().expect("the final");
    let board = board_of(&book, 1, [1, 4]);
    decide_for(&mut book, board, 4);
    book.write(book.event.retract_round(2, "an appeal".to_owned(), false).expect("nobody has moved"));
    book.begin_round().expect("the final");
    assert_eq!(book.event.rounds[1].published.members(), [2, 4].map(Number).into());
    assert_eq!(book.verified().findings, vec![]);
}

/// Once no round follows any more, who has walked over is the champion.
#[test]
fn who_has_walked_over_in_the_final_stays_the_champion() {
    let mut book = cup(1, 4);
    book.begin_round().expect("paired");
    let board = board_of(&book, 1, [1, 4]);
    decide(&mut book, board, BOTH_LOST);
    book.play(by_number);
    let before = book.places();
    assert_eq!(before[0], (1, 2));
    book.write(book.event.advance(book.now).expect("the other finalist meets nobody"));
    decide_for(&mut book, board, 1);
    assert_eq!(book.places(), before);
    // The final itself may still be decided otherwise.
    for lives in [1, 2] {
        let mut book = cup(lives, 4);
        while book.begin_round().is_ok() {
            book.play(by_number);
        }
        book.write(book.event.advance(book.now).expect("closing"));
        let (id, board, _) = book.event.all_boards().last().expect("the final");
        assert_eq!(board.players.into_iter().max(), Some(Number(2)));
        let places = book.places();
        assert_eq!(places[..2], [(1, 1), (2, 2)]);
        decide_for(&mut book, id, 2);
        let champion = book.places().into_iter().find(|(place, _)| *place == 1);
        // Of two lives the one who was unbeaten has one left, so that another final would be due.
        assert_eq!(champion, (lives == 1).then_some((1, 2)), "{lives} lives");
    }
}

/// Of two lives: who went on from a board that is turned later, be it upwards or downwards, has gone on.
#[test]
fn late_decisions_leave_a_bracket_of_two_lives_as_it_was() {
    for players in [4, 8, 11] {
        let mut book = cup(2, players);
        book.begin_round().expect("paired");
        let first: Vec<(u32, [Number; 2])> =
            book.event.rounds[0].published.boards.iter().map(|it| (it.table, it.players)).collect();
        decide(&mut book, BoardId { round: 1, table: first[0].0 }, BOTH_LOST);
        book.play(by_number);
        while book.begin_round().is_ok() {
            book.play(by_number);
        }
        let before = book.places();
        for (table, [one, other]) in first {
            decide_for(&mut book, BoardId { round: 1, table }, one.0.max(other.0));
        }
        assert_eq!(book.places(), before, "of {players}");
        assert_eq!(book.plan(), Err(Unpaired::NoMoreRounds), "of {players}");
        assert_eq!(book.event.missing(Stage::Closing, book.now), []);
        assert_eq!(book.verified().findings, vec![]);
    }
}

/// 1.9: a late decision counts for the lives that are left, and has nobody have met another.
#[test]
fn in_a_knock_out_of_many_lives_results_stay_with_those_who_played() {
    for lives in [3, 4] {
        let mut book = cup(lives, 4);
        book.begin_round().expect("paired");
        let board = table_of(&book, 1);
        let other = book.event.find_board(board).expect("a board").1.players.into_iter().max();
        let other = other.expect("two").0;
        book.play(by_number);
        book.begin_round().expect("the next");
        book.play(by_number);
        decide_for(&mut book, board, other);
        book.begin_round().expect("those who have not met");
        let boards = &book.event.rounds[2].published.boards;
        let mut pairs: Vec<[u32; 2]> =
            boards.iter().map(|it| it.players.map(|it| it.0)).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        pairs.sort_unstable();
        assert_eq!(pairs, [[1, 4], [2, 3]], "1 has met 3 and 2, and 4 has met 2 and 3");
        book.play(by_number);
        while book.begin_round().is_ok() {
            book.play(by_number);
        }
        let places = book.places();
        let lost = |number: u32| {
            let codes = book.event.all_boards().filter_map(|(_, board, state)| {
                let side = board.players.iter().position(|it| it.0 == number)?;
                Some(state.result.as_ref()?.codes[side])
            });
            u8::try_from(codes.filter(|code| *code == ResultCode::Loss).count()).expect("few")
        };
        for (place, number) in places {
            let is_champion = place == 1;
            assert_eq!(lost(number) == lives, !is_champion, "{number} of {lives} lives: {}", lost(number));
        }
        assert_eq!(book.event.missing(Stage::Closing, book.now), []);
        assert_eq!(book.verified().findings, vec![]);
    }
}

/// 1.11, 8: who is annulled has no place and no points, and those below him close ranks.
#[test]
fn an_annulled_champion_leaves_his_place_to_the_next() {
    for lives in 1..=3 {
        let mut book = cup(lives, 4);
        while book.begin_round().is_ok() {
            book.play(by_number);
        }
        let before = book.places();
        assert_eq!(before[0], (1, 1));
        book.write(book.event.advance(book.now).expect("closing"));
        book.change(1, Status::Annulled).expect("annulled");
        let mut expected: Vec<(u32, u32)> =
            before[1..].iter().map(|(place, number)| (place - 1, *number)).collect();
        expected.push((0, 1));
        assert_eq!(book.places(), expected, "{lives} lives");
        let table = book.event.table(book.event.next_round() - 1);
        let points =
            |number: u32| table.lines.iter().find(|it| it.number.0 == number).expect("his line").points;
        assert_eq!(points(1), 0, "{lives} lives");
        assert!(points(2) > 0, "{lives} lives: what he won of others stands");
        assert_eq!(book.verified().findings, vec![]);
    }
    // Who was beaten by him, and who has beaten him, keep their places among the others.
    let mut book = cup(1, 8);
    while book.begin_round().is_ok() {
        book.play(by_number);
    }
    book.change(3, Status::Annulled).expect("annulled");
    assert_eq!(
        book.places(),
        [(1, 1), (2, 2), (3, 4), (4, 5), (4, 6), (4, 7), (4, 8), (0, 3)],
        "one of two who shared the third place"
    );
}

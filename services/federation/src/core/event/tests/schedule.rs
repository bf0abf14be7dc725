//! Rounds that begin by themselves, who is there for them, and boards that are played later.

use pairing::{Number, ResultCode, Status, lineup::LineupLaw};

use super::{
    teams::{of_teams, running},
    *,
};
use crate::core::event::schedule::ASKS_MAX;

const BOARD: BoardId = BoardId { round: 1, table: 1 };

fn publish(book: &mut Book) {
    let draft = book.plan().expect("paired");
    book.write(book.event.publish_round(draft.clone(), &draft).expect("published"));
}

#[test]
fn a_round_begins_at_its_time_or_when_the_one_before_is_over_and_has_rested() {
    let mut by_hand = Book::running(settings("go", Format::Swiss { rounds: 3 }), 4);
    publish(&mut by_hand);
    assert_eq!(by_hand.event.due(), None);

    let mut timed = settings("go", Format::Swiss { rounds: 3 });
    let at = OffsetDateTime::UNIX_EPOCH + Duration::days(20_001);
    timed.schedule.starts = Starts::BySchedule;
    timed.schedule.rounds = vec![at];
    let mut book = Book::running(timed, 4);
    assert_eq!(book.event.due(), None, "nothing is published");
    publish(&mut book);
    assert_eq!(book.event.due(), Some(at));
    assert_eq!(book.event.act_due(at - Duration::SECOND, &[]), vec![]);
    assert_eq!(book.event.act_due(at, &[]), vec![Fact::RoundStarted { round: 1 }]);

    let mut chained = settings("go", Format::Swiss { rounds: 3 });
    chained.schedule.starts = Starts::WhenComplete;
    chained.schedule.rest = std::time::Duration::from_mins(90);
    let mut book = Book::running(chained, 4);
    publish(&mut book);
    assert_eq!(book.event.due(), Some(book.now), "nothing came before the first");
    book.write(book.event.act_due(book.now, &[]));
    book.play(by_number);
    let over = book.now;
    publish(&mut book);
    assert_eq!(book.event.due(), Some(over + Duration::minutes(90)));
    book.event.stage = Stage::Cancelled;
    assert_eq!(book.event.due(), None);
}

#[test]
fn who_has_not_checked_in_is_left_out() {
    let mut settings = settings("go", Format::Swiss { rounds: 2 });
    settings.schedule.check_in = true;
    let mut book = Book::running(settings, 5);
    for number in 1..=4 {
        book.write(book.event.check_in(Number(number), 1).expect("he is there"));
    }
    assert_eq!(book.event.check_in(Number(1), 1), Ok(vec![]), "again changes nothing");
    assert!(matches!(book.event.check_in(Number(5), 2), Err(Refusal::CheckIn(_))), "not the next round");
    assert_eq!(book.event.check_in(Number(9), 1), Err(Refusal::UnknownNumber(Number(9))));
    book.begin_round().expect("paired");
    let round = &book.event.rounds[0].published;
    assert_eq!(round.out, vec![(Number(5), ResultCode::ByeZero)]);
    assert!(matches!(book.event.check_in(Number(5), 1), Err(Refusal::CheckIn(_))), "it is paired");
    book.play(by_number);
    assert!(matches!(book.plan(), Err(Unpaired::Pairing(_))), "nobody is there yet");
    assert_eq!(book.verified().findings, vec![]);

    let without = Book::running(super::settings("go", Format::Swiss { rounds: 2 }), 4);
    assert!(matches!(without.event.check_in(Number(1), 1), Err(Refusal::CheckIn(_))));
}

#[test]
fn a_board_is_postponed_when_both_ask_for_the_same_time_and_an_arbiter_consents() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 4);
    publish(&mut book);
    let [one, other] = book.event.rounds[0].published.boards[0].players;
    let until = book.now + Duration::days(3);
    let ask = |book: &Book, who, until| book.event.ask_to_postpone(BOARD, who, until, book.now);
    let consent = |book: &Book| book.event.postpone_board(BOARD, until, book.now);
    book.write(ask(&book, one, until).expect("he may ask"));
    assert!(matches!(consent(&book), Err(Refusal::Postponement(_))), "the other has not");
    book.write(ask(&book, other, until + Duration::HOUR).expect("he may ask"));
    assert!(matches!(consent(&book), Err(Refusal::Postponement(_))), "they mean two times");
    book.write(ask(&book, other, until).expect("he may ask"));
    for (who, when) in [(Number(99), until), (one, book.now), (one, book.now + Duration::days(91))] {
        assert!(matches!(ask(&book, who, when), Err(Refusal::Postponement(_))), "{who} {when}");
    }
    book.write(consent(&book).expect("consented"));
    book.write(book.event.start_round(1).expect("it starts"));
    // The other board is played; this one counts as adjourned, and the next round is paired all the same.
    let second = BoardId { round: 1, table: 2 };
    book.report(second, [ResultCode::Win, ResultCode::Loss], 5);
    assert!(book.plan().is_ok());
    assert_eq!(book.event.due(), Some(until));
    book.write(book.event.act_due(until, &[]));
    assert!(book.plan().is_err(), "it is being played");
    book.report(BOARD, [ResultCode::Draw; 2], 9);
    assert!(book.event.rounds[0].is_complete());
    assert!(matches!(ask(&book, one, until + Duration::HOUR), Err(Refusal::Postponement(_))), "it is over");
    assert_eq!(book.verified().findings, vec![]);
}

/// An event of two teams of three whose first round is public.
fn of_two_teams(line_up: LineupLaw) -> Book {
    let mut book = running(of_teams(Format::Swiss { rounds: 3 }, 3, line_up), 2);
    publish(&mut book);
    book
}

#[test]
fn a_board_of_a_match_is_postponed_before_it_is_laid() {
    let mut book = of_two_teams(LineupLaw::FixedBoards);
    let [one, other] = book.event.players_at(BOARD).expect("the boards are fixed");
    let until = book.now + Duration::days(3);
    let ask = |book: &Book, who, until| book.event.ask_to_postpone(BOARD, who, until, book.now);
    assert!(matches!(ask(&book, Number(2), until), Err(Refusal::Postponement(_))), "he sits at board 2");
    book.write(ask(&book, one, until).expect("he may ask"));
    assert!(book.event.postpone_board(BOARD, until, book.now).is_err(), "the other has not");
    book.write(ask(&book, other, until).expect("he may ask"));
    assert_eq!(ask(&book, other, until), Ok(vec![]), "again changes nothing");
    book.write(book.event.postpone_board(BOARD, until, book.now).expect("consented"));
    assert_eq!(book.event.postpone_board(BOARD, until, book.now), Ok(vec![]), "again changes nothing");
    // Somebody wishes for yet another time, and nobody else does.
    book.write(ask(&book, one, until + Duration::HOUR).expect("he may ask"));
    assert_eq!(book.event.due(), None, "the round has not begun");
    book.write(book.event.start_round_of_teams(1, &[]).expect("it starts"));
    assert_eq!(book.event.due(), Some(until));
    for table in [2, 3] {
        book.report(BoardId { round: 1, table }, [ResultCode::Win, ResultCode::Loss], 5);
    }
    let result = |book: &Book| book.event.matches(&book.event.rounds[0])[0].result();
    assert_eq!(result(&book), None, "a board is open");
    let later = until + Duration::HOUR;
    for who in [one, other] {
        book.write(ask(&book, who, later).expect("it is postponed still"));
    }
    book.write(book.event.postpone_board(BOARD, later, book.now).expect("consented"));
    assert_eq!(book.event.act_due(until, &[]), vec![]);
    book.write(book.event.act_due(later, &[]));
    assert_eq!(book.event.due(), None);
    book.report(BOARD, [ResultCode::Draw; 2], 9);
    assert!(result(&book).is_some(), "the match is complete");
    assert!(book.event.rounds[0].is_complete());
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn nobody_postpones_a_board_of_a_match_before_everybody_knows_who_sits_there() {
    let book = of_two_teams(LineupLaw::DeclaredBoards);
    let until = book.now + Duration::days(3);
    let refused = book.event.ask_to_postpone(BOARD, Number(1), until, book.now);
    assert_eq!(refused, Err(Refusal::Postponement("the line-ups of the match are not public yet")));

    let mut book = running(of_teams(Format::Arena, 3, LineupLaw::FixedBoards), 2);
    publish(&mut book);
    let refused = book.event.ask_to_postpone(BOARD, Number(1), until, book.now);
    assert!(matches!(refused, Err(Refusal::Postponement(_))), "{refused:?}");
    let unknown = BoardId { round: 1, table: 9 };
    let mut book = of_two_teams(LineupLaw::FixedBoards);
    assert_eq!(book.event.players_at(unknown), Err(Refusal::UnknownBoard));
    book.write(book.event.start_round_of_teams(1, &[]).expect("it starts"));
    let [one, _] = book.event.players_at(BOARD).expect("laid");
    let late = book.event.ask_to_postpone(BOARD, one, until, book.now);
    assert_eq!(late, Err(Refusal::Postponement("the round has begun")));
}

#[test]
fn a_board_whose_player_is_away_is_lost_and_not_postponed() {
    let mut book = of_two_teams(LineupLaw::FixedBoards);
    let players = book.event.players_at(BOARD).expect("the boards are fixed");
    let until = book.now + Duration::days(3);
    for who in players {
        book.write(book.event.ask_to_postpone(BOARD, who, until, book.now).expect("he may ask"));
    }
    book.write(book.event.postpone_board(BOARD, until, book.now).expect("consented"));
    book.change(players[0].0, Status::Withdrawn { after_round: 0 }).expect("he leaves");
    book.write(book.event.start_round_of_teams(1, &[]).expect("it starts"));
    assert_eq!(book.event.due(), None);
    let (_, _, state) = book.event.find_board(BOARD).expect("laid");
    assert!(state.is_settled(), "{state:?}");
}

#[test]
fn a_player_asks_for_other_times_only_so_often() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 4);
    publish(&mut book);
    let [one, other] = book.event.rounds[0].published.boards[0].players;
    let at = |hours: u32| book.now + Duration::days(30) + Duration::hours(hours.into());
    let times: Vec<OffsetDateTime> = (0..=ASKS_MAX).map(at).collect();
    for until in &times[1..] {
        book.write(book.event.ask_to_postpone(BOARD, one, *until, book.now).expect("he may ask"));
    }
    let ask = |who, until| book.event.ask_to_postpone(BOARD, who, until, book.now);
    assert_eq!(ask(one, times[0]), Err(Refusal::AskedTooOften(ASKS_MAX)));
    let last = times[ASKS_MAX as usize];
    assert_eq!(ask(one, last), Ok(Vec::new()), "what he asks for already changes nothing");
    assert!(ask(other, last).is_ok(), "the other has not asked yet");
}

#[test]
fn a_schedule_of_nowhere_is_refused() {
    let mut nowhere = settings("go", Format::Swiss { rounds: 3 });
    for (zone, known) in
        [("Asia/Shanghai", true), ("Asia/Atlantis", false), ("asia/shanghai", false), ("", false)]
    {
        zone.clone_into(&mut nowhere.schedule.zone);
        let checked = nowhere.check(OffsetDateTime::UNIX_EPOCH);
        assert_eq!(checked.err().map(|bad| bad.field), (!known).then_some("schedule.zone"), "{zone}");
    }
    let mut robin = settings("go", Format::RoundRobin { cycles: pairing::standings::Cycles::Single });
    robin.schedule.check_in = true;
    let checked = robin.check(OffsetDateTime::UNIX_EPOCH);
    assert_eq!(checked.err().map(|bad| bad.field), Some("schedule.check_in"));
}

#[test]
fn a_round_of_which_a_board_waits_for_another_day_can_be_taken_back() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 4);
    publish(&mut book);
    let until = book.now + Duration::days(3);
    for who in book.event.rounds[0].published.boards[0].players {
        book.write(book.event.ask_to_postpone(BOARD, who, until, book.now).expect("he may ask"));
    }
    book.write(book.event.postpone_board(BOARD, until, book.now).expect("consented"));
    let back = |book: &Book| book.event.retract_round(1, "the wrong list".to_owned(), false);
    assert!(back(&book).is_ok(), "before it has begun");
    book.write(book.event.start_round(1).expect("it starts"));
    assert!(back(&book).is_ok(), "nobody has sat down");
    let mut played = book.clone();
    played.report(BoardId { round: 1, table: 2 }, [ResultCode::Win, ResultCode::Loss], 5);
    assert!(back(&played).is_err(), "the other board is played");
    let result = BoardResult::decided([ResultCode::Draw; 2], Reason::Arbiter);
    played = book.clone();
    let decided = played.event.enter_result(BOARD, result, &official(2001), false).expect("decided");
    played.write(decided);
    assert!(back(&played).is_err(), "it is decided");
    book.write(back(&book).expect("taken back"));
    publish(&mut book);
    assert_eq!(book.verified().findings, vec![]);
}

//! What is told late of an event, and how it looks until then.

use pairing::ResultCode;
use rules::IncidentKind;

use super::*;

const BOARD: BoardId = BoardId { round: 1, table: 1 };
const REPLAY: [ResultCode; 2] = [ResultCode::ReplayOrdered; 2];

/// A first round of four that is under way in an event that is broadcast half an hour late.
fn begun() -> Book {
    let late = Settings {
        broadcast_delay: std::time::Duration::from_mins(30),
        ..settings("go", Format::Swiss { rounds: 3 })
    };
    let mut book = Book::running(late, 4);
    book.begin_round().expect("paired");
    book.now += Duration::hours(2);
    book
}

fn rule(book: &mut Book, ruling: Ruling) {
    let judge =
        Judge { official: official(1000), roles: [Role::ChiefArbiter].into(), should_step_back: false };
    let (facts, role) = book.event.rule_on_incident(1, ruling, &judge, Sealed([8; 32])).expect("ruled");
    book.write_as(judge.official.account, role, facts);
}

/// Everything of an event but what only remembers what was told late.
fn bare(event: &Event) -> Event {
    Event { told: std::collections::VecDeque::new(), ..event.clone() }
}

#[test]
fn an_event_is_seen_as_it_was_before_the_first_thing_that_is_held_back() {
    let mut book = begun();
    let [one, other] = book.event.rounds[0].published.boards[0].players;
    let kind = IncidentKind::Disturbing;
    let (board, accused, text) = (Some(BOARD), Some(one), Sealed([9; 32]));
    let report = Report { number: 0, kind, board, accused, reporter: None, text };
    book.write(book.event.report_incident(&report).expect("noted"));
    book.now += Duration::minutes(31);
    assert_eq!(book.event.last_seen(book.now), book.event.sequence, "all of it is old");
    let before = book.event.clone();

    rule(&mut book, Ruling { sanction: Sanction::Warning, codes: Some(REPLAY) });
    book.write(book.event.appeal_ruling(1, one, Sealed([7; 32]), book.now).expect("he may"));
    book.write(book.event.play_again(BOARD, &official(1000)).expect("it was ordered"));
    book.play(by_number);
    for (own, is_of_him) in [(None, false), (Some(one), true), (Some(other), true)] {
        let seen = book.event.as_seen(book.now, own);
        assert_eq!((seen.sequence, seen.updated), (before.sequence, before.updated));
        let (_, _, state) = seen.find_board(BOARD).expect("a board");
        assert_eq!((state.attempt, state.result.is_some()), (1 + u32::from(is_of_him), is_of_him));
        assert_eq!(
            (seen.incidents[0].steps.len(), seen.incidents[0].appeal.is_some()),
            if is_of_him { (1, true) } else { (0, false) }
        );
        assert_eq!(seen.warnings_by_ruling(one), u32::from(is_of_him));
        assert_eq!(seen.rounds[0].boards[1].result, None, "the other board is of nobody of them");
        assert!(book.event.holds_back(book.now, own));
    }
    let later = book.now + Duration::minutes(30);
    assert_eq!(book.event.last_seen(later), book.event.sequence);
    assert_eq!(bare(&book.event.as_seen(later, None)), bare(&book.event));
    assert!(!book.event.holds_back(later, None));
}

#[test]
fn an_incident_that_is_not_shown_is_unknown_to_who_asks_about_it() {
    let mut book = begun();
    let boards: Vec<[Number; 2]> = book.event.all_boards().map(|(_, seat, _)| seat.players).collect();
    let (kind, text) = (IncidentKind::Disturbing, Sealed([9; 32]));
    let report =
        Report { number: 0, kind, board: Some(BOARD), accused: Some(boards[0][0]), reporter: None, text };
    book.write(book.event.report_incident(&report).expect("noted"));
    let stated = |book: &Book, number, incident| {
        let statement = fair_play::Statement { number, board: None, incident: Some(incident), text };
        book.event.file_statement(statement, book.now)
    };
    let appealed = |book: &Book, by, number| book.event.appeal_ruling(number, by, text, book.now);
    let [own, other] = [boards[0][1], boards[1][0]];
    for incident in [1, 2] {
        assert_eq!(appealed(&book, other, incident), Err(Refusal::UnknownIncident));
        assert_eq!(stated(&book, Some(other), incident), Err(Refusal::UnknownIncident));
    }
    assert_eq!(appealed(&book, own, 1), Err(Refusal::IncidentOpen), "he sits there");
    assert!(stated(&book, Some(own), 1).is_ok() && stated(&book, None, 1).is_ok());
    book.now += Duration::minutes(31);
    assert_eq!(appealed(&book, other, 1), Err(Refusal::NotAParty));
    assert!(stated(&book, Some(other), 1).is_ok());
}

#[test]
fn nothing_is_held_back_where_boards_are_shown_at_once_or_the_event_is_over() {
    let mut book = begun();
    book.play(by_number);
    let (now, end) = (book.now, book.event.sequence);
    assert_eq!(book.event.last_seen(now), end - 2);
    let mut over = book.event.clone();
    over.stage = Stage::Final;
    assert_eq!((over.last_seen(now), over.unseen_since(now)), (end, None));
    let mut at_once = book.event.clone();
    std::sync::Arc::make_mut(&mut at_once.settings).broadcast_delay = std::time::Duration::ZERO;
    assert_eq!((at_once.last_seen(now), at_once.unseen_since(now)), (end, None));
}

#[test]
fn what_was_told_long_ago_is_not_remembered_and_no_board_is_put_back_that_is_laid_anew() {
    let mut book = begun();
    let judged = |codes| BoardResult::decided(codes, Reason::Arbiter);
    book.write(vec![Fact::Result { board: BOARD, result: judged(REPLAY) }]);
    book.write(vec![Fact::ReplayStarted { board: BOARD }]);
    book.write(vec![Fact::RoundRetracted { round: 1, reason: "the wrong list".to_owned() }]);
    let draft = book.plan().expect("paired");
    book.write(book.event.publish_round(draft.clone(), &draft).expect("published"));
    let seen = book.event.as_seen(book.now, None);
    assert_eq!(seen.rounds[0].boards, book.event.rounds[0].boards);
    book.now += Duration::hours(2);
    book.write(book.event.start_round(1).expect("it begins"));
    book.play(by_number);
    assert_eq!(book.event.told.len(), 2, "the results of today");
}

#[test]
fn a_result_that_is_held_back_hides_nothing_that_was_known_before() {
    let late = Settings {
        broadcast_delay: std::time::Duration::from_mins(30),
        ..settings("go", Format::Swiss { rounds: 1 })
    };
    let mut book = Book::running(late, 4);
    let draft = book.plan().expect("paired");
    book.write(book.event.publish_round(draft.clone(), &draft).expect("published"));
    let until = book.now + Duration::days(3);
    for player in book.event.rounds[0].published.boards[0].players {
        book.write(book.event.ask_to_postpone(BOARD, player, until, book.now).expect("he may ask"));
    }
    book.write(book.event.postpone_board(BOARD, until, book.now).expect("both have asked"));
    book.write(book.event.start_round(1).expect("it begins"));
    book.now += Duration::hours(1);
    let before = book.event.clone();
    let decided = |codes| BoardResult::decided(codes, Reason::Arbiter);
    let result = decided([ResultCode::Win, ResultCode::Loss]);
    book.write(book.event.enter_result(BOARD, result, &official(1000), false).expect("decided"));
    let seen = |book: &Book| book.event.as_seen(book.now, None);
    assert_eq!(seen(&book).rounds[0].boards, before.rounds[0].boards, "it is postponed still");
    assert_eq!(seen(&book).rounds[0].boards[0].postponed, Some(until));

    // A result that is changed while the event is closed opens what was ticked off.
    book.now += Duration::hours(1);
    book.event.stage = Stage::Closing;
    for item in CheckItem::ALL {
        book.write(vec![Fact::Checked { item, done: true }]);
    }
    let result = decided([ResultCode::Loss, ResultCode::Win]);
    book.write(vec![Fact::Result { board: BOARD, result }]);
    assert!(!book.event.checked.contains(&CheckItem::ResultsChecked));
    assert_eq!(seen(&book).checked, CheckItem::ALL.into());
    book.now += Duration::hours(1);
    assert!(!seen(&book).checked.contains(&CheckItem::ResultsChecked));
}

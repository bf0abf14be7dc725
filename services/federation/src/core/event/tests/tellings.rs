//! What each entry of a log tells to whom.

use std::collections::BTreeSet;

use pairing::{Number, ResultCode};
use rules::IncidentKind;

use super::*;
use crate::core::{
    event::fact::IncidentFact,
    notice::{Kind, OFFICIALS_TOLD_MAX, Telling, To},
};

const BOARD: BoardId = BoardId { round: 1, table: 1 };
const SEALED: Sealed = Sealed([9; 32]);
const CHIEF: u32 = 1000;

/// Everything that a log tells, entry by entry.
fn all(book: &Book) -> Vec<Telling> {
    let mut event = Event::begin(book.id, &book.log[0]).expect("an event");
    let mut tellings = Vec::new();
    for entry in &book.log[1..] {
        tellings.extend(told(&event, entry));
        event.apply(entry).expect("it follows");
    }
    tellings
}

/// Who is told something of a kind, by their accounts' numbers.
fn accounts(tellings: &[Telling], kind: Kind) -> Vec<u32> {
    let known = |account: AccountId| (0..5000).find(|number| self::account(*number) == account);
    let of_kind = tellings.iter().filter(|telling| telling.kind == kind);
    let accounts = of_kind.map(|telling| match telling.to {
        To::Account(account) => known(account).expect("an account of the test"),
        other => panic!("{other:?} is no account"),
    });
    accounts.collect()
}

/// What is told by the entries after one.
fn since(book: &Book, sequence: u64) -> Vec<Telling> {
    all(book).into_iter().filter(|telling| telling.about.sequence > sequence).collect()
}

fn swiss(delay: std::time::Duration, players: u32) -> Book {
    let late = Settings { broadcast_delay: delay, ..settings("go", Format::Swiss { rounds: 3 }) };
    Book::running(late, players)
}

#[test]
fn a_round_is_told_to_each_who_has_a_place_in_it_with_table_and_opponent() {
    let mut book = swiss(std::time::Duration::ZERO, 5);
    let before = book.event.sequence;
    book.begin_round().expect("paired");
    let tellings = since(&book, before);
    let mut told = accounts(&tellings, Kind::RoundPublished);
    told.sort_unstable();
    assert_eq!(told, [1, 2, 3, 4, 5], "also who has a bye");
    let bye = book.event.rounds[0].published.out[0].0;
    for telling in tellings.iter().filter(|it| it.kind == Kind::RoundPublished) {
        let own = telling.about.number.expect("whom it concerns");
        let seat = book.event.rounds[0].published.boards.iter().find(|it| it.players.contains(&own));
        let opposite = seat.and_then(|seat| seat.players.into_iter().find(|it| *it != own));
        assert_eq!(telling.about.opponent, opposite);
        assert_eq!(telling.about.table, seat.map_or(0, |seat| seat.table));
        assert_eq!(opposite.is_none(), own == bye);
    }
    assert_eq!(accounts(&tellings, Kind::RoundBegun).len(), 4, "who has a bye plays nowhere");
    let sources: BTreeSet<Uuid> = tellings.iter().map(|it| it.source).collect();
    assert_eq!(sources.len(), tellings.len(), "each is told once");
    assert_eq!(since(&book, before), tellings, "the same log tells the same");
}

#[test]
fn a_round_that_is_taken_back_is_told_to_whom_it_was_told() {
    let mut book = swiss(std::time::Duration::ZERO, 5);
    let draft = book.plan().expect("paired");
    book.write(book.event.publish_round(draft.clone(), &draft).expect("published"));
    let before = book.event.sequence;
    book.write(vec![Fact::RoundRetracted { round: 1, reason: "a mistake".to_owned() }]);
    let mut told = accounts(&since(&book, before), Kind::RoundRetracted);
    told.sort_unstable();
    assert_eq!(told, [1, 2, 3, 4, 5]);
}

#[test]
fn a_result_is_told_to_the_two_of_its_board_when_they_did_not_play_it_there() {
    let mut book = swiss(std::time::Duration::from_mins(30), 4);
    book.begin_round().expect("paired");
    let before = book.event.sequence;
    book.play(by_number);
    assert_eq!(since(&book, before), [], "what they have just played they know");
    let before = book.event.sequence;
    let result = BoardResult::decided([ResultCode::Draw; 2], Reason::Arbiter);
    book.write(vec![Fact::Result { board: BOARD, result: result.clone() }]);
    let tellings = since(&book, before);
    let two = book.event.rounds[0].published.boards[0].players.map(|it| it.0);
    assert_eq!(accounts(&tellings, Kind::ResultAmended), two, "and nobody else, while it is not broadcast");
    assert_eq!(tellings.len(), 2);
    let before = book.event.sequence;
    book.write(vec![Fact::Result { board: BOARD, result }]);
    assert_eq!(since(&book, before), [], "nothing has changed");
}

/// Reports an incident at the first board that accuses one who sits elsewhere, and one who sits there.
fn reported(book: &mut Book, accused: Number, reporter: Option<Number>) {
    let number = u32::try_from(book.event.incidents.len()).expect("few") + 1;
    let kind = IncidentKind::Disturbing;
    let report = Report { number, kind, board: Some(BOARD), accused: Some(accused), reporter, text: SEALED };
    book.write(vec![Fact::Incident(IncidentFact::Reported(report))]);
}

#[test]
fn who_is_accused_at_a_board_of_others_is_told_only_where_everybody_sees_it() {
    for (delay, sees) in [(0, true), (30, false)] {
        let mut book = swiss(std::time::Duration::from_mins(delay), 4);
        book.begin_round().expect("paired");
        let elsewhere = book.event.rounds[0].published.boards[1].players[0];
        let before = book.event.sequence;
        reported(&mut book, elsewhere, None);
        let told = accounts(&since(&book, before), Kind::Incident);
        assert_eq!(told, if sees { vec![elsewhere.0] } else { vec![] }, "{delay} minutes late");
    }
}

#[test]
fn a_ruling_and_an_appeal_go_to_whom_they_concern_and_to_who_can_rule() {
    let mut book = swiss(std::time::Duration::from_mins(30), 4);
    book.begin_round().expect("paired");
    book.write(vec![Fact::Appointed { account: account(2001), role: Role::Arbiter }]);
    let [one, other] = book.event.rounds[0].published.boards[0].players;
    let before = book.event.sequence;
    reported(&mut book, one, Some(other));
    let tellings = since(&book, before);
    assert_eq!(accounts(&tellings, Kind::Incident), [one.0]);
    assert_eq!(accounts(&tellings, Kind::IncidentWaits), [CHIEF, 2001], "the highest first");
    let ruled = |granted| {
        let ruling = Ruling { sanction: Sanction::Warning, codes: None };
        vec![Fact::Incident(IncidentFact::Ruled { number: 1, ruling, granted, reason: SEALED })]
    };
    let before = book.event.sequence;
    book.write_as(account(2001), Role::Arbiter, ruled(false));
    let concerned = BTreeSet::from([one.0, other.0]);
    let told: BTreeSet<u32> = accounts(&since(&book, before), Kind::Ruling).into_iter().collect();
    assert_eq!(told, concerned);
    let before = book.event.sequence;
    let appeal = IncidentFact::Appealed { number: 1, appellant: one, text: SEALED };
    book.write_as(account(one.0), Role::Player, vec![Fact::Incident(appeal)]);
    assert_eq!(accounts(&since(&book, before), Kind::AppealWaits), [CHIEF], "the next instance alone");
    let before = book.event.sequence;
    book.write(ruled(true));
    let tellings = since(&book, before);
    assert_eq!(accounts(&tellings, Kind::AppealAnswered), [one.0]);
    assert_eq!(accounts(&tellings, Kind::Ruling), [other.0]);
}

#[test]
fn a_call_goes_to_who_sits_at_the_board_and_else_to_as_many_arbiters_as_one_thing_is_told_to() {
    let mut book = swiss(std::time::Duration::ZERO, 4);
    book.begin_round().expect("paired");
    let many = u32::try_from(OFFICIALS_TOLD_MAX).expect("few") + 5;
    let arbiters =
        (2001..2001 + many).map(|it| Fact::Appointed { account: account(it), role: Role::Arbiter });
    book.write(arbiters.collect());
    let call = |number: u32| {
        let (matter, player) = (Matter::Call, Some(Number(1)));
        let notice = Notice { matter, game_sequence: number.into(), number, player, incident: None };
        vec![Fact::Incident(IncidentFact::Noticed { board: BOARD, notice })]
    };
    let before = book.event.sequence;
    book.write(call(1));
    let told = accounts(&since(&book, before), Kind::ArbiterCalled);
    assert_eq!((told.len(), told[0]), (OFFICIALS_TOLD_MAX, CHIEF));
    let seat = fair_play::FairPlayFact::Seated { board: BOARD, arbiters: vec![account(2003)] };
    book.write(vec![Fact::FairPlay(seat)]);
    let before = book.event.sequence;
    book.write(call(2));
    assert_eq!(accounts(&since(&book, before), Kind::ArbiterCalled), [2003]);
}

#[test]
fn what_is_of_the_whole_event_is_told_to_everybody_in_it_once() {
    let mut book = swiss(std::time::Duration::ZERO, 4);
    book.change(4, pairing::Status::Withdrawn { after_round: 0 }).expect("he leaves");
    // One who plays is an official, too.
    book.write(vec![Fact::Appointed { account: account(2), role: Role::Scorer }]);
    let before = book.event.sequence;
    book.write_as(account(3000), Role::Committee, vec![Fact::Cancelled { reason: "a storm".to_owned() }]);
    let mut told = accounts(&since(&book, before), Kind::EventCancelled);
    told.sort_unstable();
    assert_eq!(told, [1, 2, 3, CHIEF], "and not who has left");
}

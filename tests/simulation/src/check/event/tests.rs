//! Each check finds what it is there for, in histories that are made up.

use std::time::Duration;

use api::federation::v1::{
    EntrantState, EntrantStatus, LineUpDeclared, LineUpHandedIn, LineUpRevealed,
    event_log_body::{
        Advanced, Created, Entered, IncidentReported, IncidentRuled, ReplayStarted, ResultEntered,
        RoundPublished, RoundRetracted, RoundStarted, RulingAppealed, StatusAdded,
    },
};
use pairing::Number;

use super::*;
use crate::history::Peek;

fn row(sequence: u64, request: &str, fact: Fact) -> Row {
    let time = Some(prost_types::Timestamp { seconds: i64::try_from(sequence).unwrap_or(0), nanos: 0 });
    let request_id = request.to_owned();
    let body = EventLogBody { sequence, time, request_id, fact: Some(fact), ..EventLogBody::default() };
    Row { stored: EventLogEntry::default(), body, written: Some(Instant::now()) }
}

fn published() -> Fact {
    let round = Some(pb::Round { number: 1, ..pb::Round::default() });
    Fact::RoundPublished(RoundPublished { round })
}

fn retracted() -> Fact {
    Fact::RoundRetracted(RoundRetracted { round: 1, reason: String::new() })
}

fn started() -> Fact {
    Fact::RoundStarted(RoundStarted { round: 1 })
}

fn ended(sequence: u64) -> Fact {
    let game = pb::board_result::Game { game_id: "a game".to_owned(), sequence };
    let source = Some(pb::board_result::Source::Game(game));
    let result = Some(pb::BoardResult { source, ..pb::BoardResult::default() });
    Fact::ResultEntered(ResultEntered { round: 1, table: 1, result })
}

#[test]
fn what_happens_twice_is_found() {
    let right = [("a", published()), ("b", retracted()), ("c", published()), ("", started())];
    let right = [right.to_vec(), vec![("", ended(8)), ("", ended(9))]].concat();
    assert!(twice(&log(right)).is_empty());
    for wrong in [
        vec![("a", published()), ("b", published())],
        vec![("", started()), ("", started())],
        vec![("", ended(8)), ("", ended(8))],
        vec![("a", published()), ("b", retracted()), ("c", retracted())],
        vec![("a", published()), ("a", started())],
    ] {
        assert_eq!(twice(&log(wrong.clone())).len(), 1, "{wrong:?}");
    }
}

#[test]
fn what_was_acknowledged_and_is_not_there_is_found_and_what_was_refused_and_is() {
    let rows = [row(5, "a", started())];
    let found = |request: &str, answer: Answer<u64>| {
        let answers = vec![(Instant::now() + std::time::Duration::from_secs(1), answer)];
        let command = Command { request: request.to_owned(), what: "start_round", answers };
        unacknowledged(&rows, &[command]).len()
    };
    assert_eq!(found("a", Answer::Event(5)), 0);
    assert_eq!(found("a", Answer::Event(7)), 0, "answered again, when the event had gone on");
    assert_eq!(found("a", Answer::Event(4)), 1);
    assert_eq!(found("b", Answer::Event(5)), 1);
    assert_eq!(found("b", Answer::Unknown), 0);
    assert_eq!(found("b", Answer::Refused(String::new())), 0);
    assert_eq!(found("a", Answer::Refused(String::new())), 1);
}

fn log(facts: Vec<(&str, Fact)>) -> Vec<Row> {
    (1..).zip(facts).map(|(sequence, (request, fact))| row(sequence, request, fact)).collect()
}

#[test]
fn a_round_begun_twice_is_found_though_the_requests_differ() {
    let begun = log(vec![("a", published()), ("b", started()), ("c", started())]);
    assert_eq!(twice(&begun), [format!("entry 3 of the event happens twice: {:?}", Some(started()))]);
}

#[test]
fn what_an_appeal_puts_back_is_no_second_report() {
    assert!(twice(&log(vec![("", ended(8)), ("a", decided()), ("b", ended(8))])).is_empty());
}

#[test]
fn an_office_that_identity_does_not_know_is_found_and_one_that_nobody_has() {
    let office = |number: u128, role: &str| (uuid::Uuid::from_u128(number).into(), role.to_owned());
    let held = BTreeSet::from([office(1, "chief_arbiter"), office(2, "scorer")]);
    assert_eq!(offices::differ(&held, &held), None);
    let told = BTreeSet::from([office(1, "chief_arbiter")]);
    assert!(offices::differ(&told, &held).is_some(), "one was not told");
    assert!(offices::differ(&held, &told).is_some(), "one is told that nobody has");
}

fn created(format: pb::event_format::Format, late_until_round: u32) -> Fact {
    let settings = pb::EventSettings {
        format: Some(pb::EventFormat { format: Some(format) }),
        entries_max: 3,
        late_until_round,
        appeal_duration: Some(api::time::duration(Duration::from_mins(1))),
        ..pb::EventSettings::default()
    };
    Fact::Created(Created { settings: Some(settings), ..Created::default() })
}

fn swiss() -> Fact {
    created(pb::event_format::Format::Swiss(pb::event_format::Swiss { rounds: 3 }), 2)
}

fn status(number: u32, state: EntrantState, round: u32) -> Fact {
    let status = Some(EntrantStatus { state: state.into(), round });
    Fact::StatusAdded(StatusAdded { number, status, ..StatusAdded::default() })
}

fn meet(number: u32, first: u32, second: u32) -> Fact {
    let pairing = pb::Pairing { table: 1, first, second, ..pb::Pairing::default() };
    let round = Some(pb::Round { number, pairings: vec![pairing], ..pb::Round::default() });
    Fact::RoundPublished(RoundPublished { round })
}

fn decided() -> Fact {
    let source = Some(pb::board_result::Source::Decision(pb::board_result::Decision {}));
    let result = Some(pb::BoardResult { source, ..pb::BoardResult::default() });
    Fact::ResultEntered(ResultEntered { round: 1, table: 1, result })
}

#[test]
fn whoever_has_left_or_is_away_is_not_paired() {
    let found =
        |facts: Vec<Fact>| entries::check(&log(facts.into_iter().map(|it| ("a", it)).collect())).len();
    let left = || status(1, EntrantState::Withdrawn, 0);
    assert_eq!(found(vec![swiss(), meet(1, 1, 2)]), 0);
    assert_eq!(found(vec![swiss(), left(), meet(1, 1, 2)]), 1);
    assert_eq!(found(vec![swiss(), left(), status(1, EntrantState::Active, 1), meet(1, 1, 2)]), 0);
    assert_eq!(found(vec![swiss(), status(2, EntrantState::ByeHalf, 1), meet(1, 1, 2)]), 1);
    assert_eq!(found(vec![swiss(), status(2, EntrantState::Absent, 2), meet(1, 1, 2)]), 0);
    let bracket = || created(pb::event_format::Format::KnockOut(pb::event_format::KnockOut::default()), 0);
    assert_eq!(found(vec![bracket(), left(), meet(1, 1, 2), decided()]), 0);
    assert_eq!(found(vec![bracket(), left(), meet(1, 1, 2), ended(8)]), 1, "he has played after all");
}

#[test]
fn nobody_enters_when_the_list_is_closed() {
    let entered = |number| {
        let entrant = Some(pb::Entrant { number, ..pb::Entrant::default() });
        Fact::Entered(Entered { entrant, from_round: 1 })
    };
    let running = || Fact::Advanced(Advanced { stage: pb::EventStage::Running.into() });
    let found =
        |facts: Vec<Fact>| entries::check(&log(facts.into_iter().map(|it| ("a", it)).collect())).len();
    assert_eq!(found(vec![swiss(), entered(1), running(), entered(2)]), 0);
    assert_eq!(found(vec![swiss(), entered(1), running(), meet(1, 1, 2), entered(3)]), 1, "it is closed");
    assert_eq!(found(vec![swiss(), entered(4)]), 1, "it is full");
}

#[test]
fn a_game_does_not_overrule_an_official_and_an_appeal_is_in_time() {
    assert_eq!(rulings::check(&log(vec![("", ended(8)), ("a", decided()), ("", ended(9))])).len(), 1);
    assert!(rulings::check(&log(vec![("a", decided()), ("b", ended(8)), ("", ended(9))])).is_empty());
    let replayed = Fact::ReplayStarted(ReplayStarted { round: 1, table: 1 });
    assert!(rulings::check(&log(vec![("a", decided()), ("b", replayed), ("", ended(9))])).is_empty());
    let reported =
        || ("a", Fact::IncidentReported(IncidentReported { number: 1, ..IncidentReported::default() }));
    let ruled = || ("b", Fact::IncidentRuled(IncidentRuled { number: 1, ..IncidentRuled::default() }));
    let appealed = || ("c", Fact::RulingAppealed(RulingAppealed { number: 1, ..RulingAppealed::default() }));
    let with = |more: Vec<(&'static str, Fact)>| {
        rulings::check(&log([vec![("", swiss()), reported(), ruled()], more].concat())).len()
    };
    assert_eq!(with(vec![appealed(), ruled()]), 0);
    assert_eq!(with(vec![ruled()]), 1, "nobody has asked for that");
    assert_eq!(with(vec![("d", meet(1, 1, 2)), appealed()]), 1, "the next round is public");
    let mut late = log(vec![("", swiss()), reported(), ruled()]);
    late.push(row(70, "c", appealed().1));
    assert_eq!(rulings::check(&late).len(), 1, "a minute has passed");
}

#[test]
fn a_line_up_that_is_seen_too_early_is_found() {
    let (salt, players) = ([7; 32], vec![2, 1]);
    let commitment = pairing::lineup::commitment(&salt, &[Number(2), Number(1)]).to_vec();
    let matches = vec![pb::Pairing { table: 1, first: 1, second: 2, ..pb::Pairing::default() }];
    let round = Some(pb::Round { number: 1, matches, ..pb::Round::default() });
    let public = || ("a", Fact::RoundPublished(RoundPublished { round: round.clone() }));
    let declared = |team| {
        let commitment = commitment.clone();
        ("b", Fact::LineUpDeclared(LineUpDeclared { round: 1, team, commitment }))
    };
    let handed_in = |team| ("c", Fact::LineUpHandedIn(LineUpHandedIn { round: 1, team }));
    let revealed = |players: &[u32]| {
        let (salt, players) = (salt.to_vec(), players.to_vec());
        ("d", Fact::LineUpRevealed(LineUpRevealed { round: 1, team: 1, salt, players }))
    };
    let both = || vec![public(), declared(1), handed_in(1), handed_in(2), revealed(&players)];
    assert!(line_ups::check(&log(both()), &[]).is_empty());
    let alone = log(vec![public(), declared(1), handed_in(1), revealed(&players)]);
    assert_eq!(line_ups::check(&alone, &[]).len(), 1, "the other one is not in");
    let mut begun = alone;
    let started =
        Row { body: EventLogBody { fact: Some(started()), ..begun[3].body.clone() }, ..begun[3].clone() };
    begun.push(started);
    assert!(line_ups::check(&begun, &[]).is_empty(), "the round begins");
    let other = log(vec![public(), declared(1), handed_in(1), handed_in(2), revealed(&[1, 2])]);
    assert_eq!(line_ups::check(&other, &[]).len(), 1, "it is not what was declared");
    let peek = |at| [Peek { at, round: 1, team: 1, players: players.clone() }];
    let before = Instant::now();
    let rows = log(both());
    let after = Instant::now() + Duration::from_secs(1);
    assert!(line_ups::check(&rows, &peek(after)).is_empty());
    assert_eq!(line_ups::check(&rows, &peek(before - Duration::from_secs(1))).len(), 1, "seen before");
}

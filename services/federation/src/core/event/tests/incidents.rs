//! Incidents: from a report to the last instance, and what they change in the table.

use std::collections::BTreeSet;

use pairing::{Number, ResultCode, Status};
use rules::IncidentKind;

use super::*;
use crate::core::event::incident::{OPEN_MAX, OPEN_OF_PLAYER_MAX};

const ARBITER: u32 = 2001;
const CHIEF: u32 = 1000;
const COMMITTEE: u32 = 3000;
const SEALED: Sealed = Sealed([9; 32]);
const BOARD: BoardId = BoardId { round: 1, table: 1 };

fn judge(who: u32, roles: &[Role]) -> Judge {
    let roles: BTreeSet<Role> = roles.iter().copied().collect();
    Judge { official: official(who), roles, should_step_back: false }
}

fn arbiter() -> Judge {
    judge(ARBITER, &[Role::Arbiter])
}

fn deputy() -> Judge {
    judge(ARBITER, &[Role::Deputy])
}

fn chief() -> Judge {
    judge(CHIEF, &[Role::ChiefArbiter])
}

fn committee() -> Judge {
    judge(COMMITTEE, &[Role::Committee])
}

fn plain(sanction: Sanction) -> Ruling {
    Ruling { sanction, codes: None }
}

/// A round in which everybody has played, the lower number winning.
fn played() -> Book {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 4);
    book.begin_round().expect("paired");
    book.play(by_number);
    book
}

/// The two of the first board, who won first.
fn two(book: &Book) -> [Number; 2] {
    let [one, other] = book.event.rounds[0].published.boards[0].players;
    [one.min(other), one.max(other)]
}

fn report(book: &mut Book, accused: Option<Number>, board: Option<BoardId>, reporter: Option<Number>) -> u32 {
    let kind = IncidentKind::Disturbing;
    let report = Report { number: 0, kind, board, accused, reporter, text: SEALED };
    book.write(book.event.report_incident(&report).expect("noted"));
    book.event.incidents.last().expect("it is there").report.number
}

/// Rules as a judge, in the first instance.
fn rule(book: &mut Book, number: u32, ruling: Ruling, by: &Judge) {
    let (facts, role) = book.event.rule_on_incident(number, ruling, by, SEALED).expect("ruled");
    book.write_as(by.official.account, role, facts);
}

fn appeal(book: &mut Book, number: u32, by: Number) {
    book.write(book.event.appeal_ruling(number, by, SEALED, book.now).expect("he may"));
}

fn rule_on_appeal(book: &mut Book, number: u32, ruling: Option<Ruling>, by: &Judge) {
    let (facts, role) = book.event.rule_on_appeal(number, ruling, by, SEALED).expect("ruled");
    book.write_as(by.official.account, role, facts);
}

fn points(book: &Book, number: Number) -> u32 {
    let table = book.event.table(book.event.next_round() - 1);
    table.lines.iter().find(|line| line.number == number).expect("his line").points
}

#[test]
fn a_loss_that_is_taken_back_on_appeal_leaves_the_game_s_own_result() {
    let mut book = played();
    let [winner, loser] = two(&book);
    assert_eq!((points(&book, winner), points(&book, loser)), (2, 0));
    let number = report(&mut book, Some(winner), Some(BOARD), Some(loser));
    rule(&mut book, number, plain(Sanction::Loss), &deputy());
    assert_eq!((points(&book, winner), points(&book, loser)), (0, 2));
    appeal(&mut book, number, winner);
    assert_eq!(book.event.incident_state(&book.event.incidents[0], book.now), IncidentState::Appealed);
    rule_on_appeal(&mut book, number, Some(plain(Sanction::Admonition)), &chief());
    assert_eq!((points(&book, winner), points(&book, loser)), (2, 0));
    // The other side goes to the committee, which has the last word.
    appeal(&mut book, number, loser);
    rule_on_appeal(&mut book, number, Some(plain(Sanction::Loss)), &committee());
    assert_eq!((points(&book, winner), points(&book, loser)), (0, 2));
    assert_eq!(book.event.incident_state(&book.event.incidents[0], book.now), IncidentState::Final);
    assert_eq!(book.event.appeal_ruling(number, winner, SEALED, book.now), Err(Refusal::IncidentSettled));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn an_appeal_that_is_refused_leaves_the_ruling() {
    let mut book = played();
    let [winner, loser] = two(&book);
    let number = report(&mut book, Some(winner), Some(BOARD), None);
    rule(&mut book, number, plain(Sanction::Loss), &deputy());
    appeal(&mut book, number, winner);
    rule_on_appeal(&mut book, number, None, &chief());
    assert_eq!(book.event.incidents[0].standing(), Some(plain(Sanction::Loss)));
    assert_eq!((points(&book, winner), points(&book, loser)), (0, 2));
    appeal(&mut book, number, winner);
    rule_on_appeal(&mut book, number, None, &committee());
    assert_eq!((points(&book, winner), points(&book, loser)), (0, 2));
}

#[test]
fn each_instance_rules_in_its_turn_and_nobody_twice() {
    let mut book = played();
    let [winner, loser] = two(&book);
    let number = report(&mut book, Some(winner), Some(BOARD), Some(loser));
    let on_appeal =
        |book: &Book, by: &Judge| book.event.rule_on_appeal(number, None, by, SEALED).map(|(_, role)| role);
    assert_eq!(on_appeal(&book, &chief()), Err(Refusal::IncidentOpen));
    assert_eq!(book.event.appeal_ruling(number, winner, SEALED, book.now), Err(Refusal::IncidentOpen));
    rule(&mut book, number, plain(Sanction::Warning), &arbiter());
    let again = book.event.rule_on_incident(number, plain(Sanction::Nothing), &arbiter(), SEALED);
    assert_eq!(again, Err(Refusal::IncidentSettled));
    assert_eq!(on_appeal(&book, &chief()), Err(Refusal::IncidentSettled), "nobody has appealed");

    let mut others = [1, 2, 3, 4].map(Number).into_iter();
    let stranger = others.find(|it| ![winner, loser].contains(it)).expect("two more");
    assert_eq!(book.event.appeal_ruling(number, stranger, SEALED, book.now), Err(Refusal::NotAParty));
    appeal(&mut book, number, winner);
    assert_eq!(on_appeal(&book, &arbiter()), Err(Refusal::NotTheInstance(Role::ChiefArbiter)));
    assert_eq!(on_appeal(&book, &committee()), Err(Refusal::NotTheInstance(Role::ChiefArbiter)));
    assert_eq!(on_appeal(&book, &chief()), Ok(Role::ChiefArbiter));
    // Who ruled as an arbiter does not rule once more because he has become chief arbiter, or sits in the committee.
    let both = judge(ARBITER, &[Role::ChiefArbiter, Role::Committee]);
    assert_eq!(on_appeal(&book, &both), Err(Refusal::NotTheInstance(Role::ChiefArbiter)));
}

#[test]
fn nobody_judges_in_a_case_of_his_own() {
    let mut book = played();
    let [winner, loser] = two(&book);
    let number = report(&mut book, Some(winner), Some(BOARD), None);
    let ruling = plain(Sanction::Warning);
    for party in [winner, loser] {
        let own = judge(party.0, &[Role::Arbiter]);
        assert_eq!(book.event.rule_on_incident(number, ruling, &own, SEALED), Err(Refusal::OwnGame));
    }
    let mut proxy = arbiter();
    proxy.official.represents.insert(member(loser.0));
    assert_eq!(book.event.rule_on_incident(number, ruling, &proxy, SEALED), Err(Refusal::OwnGame));
    let result = BoardResult::decided([ResultCode::Draw; 2], Reason::Arbiter);
    assert_eq!(book.event.enter_result(BOARD, result, &proxy.official, false), Err(Refusal::OwnGame));
    assert_eq!(
        book.event.seat_arbiters(BOARD, &[official(winner.0)]),
        Err(Refusal::Office("only arbiters of the event sit at its boards"))
    );
    let of_club = Judge { should_step_back: true, ..arbiter() };
    assert_eq!(book.event.rule_on_incident(number, ruling, &of_club, SEALED), Err(Refusal::OwnClub));
    assert!(book.event.rule_on_incident(number, ruling, &arbiter(), SEALED).is_ok());
}

/// 28.1: B is the sum of the warnings of all rounds.
#[test]
fn a_warning_counts_in_the_table_as_long_as_it_stands() {
    let mut book = played();
    let [winner, _] = two(&book);
    let warnings = |book: &Book| book.event.warnings_by_ruling(winner);
    let number = report(&mut book, Some(winner), None, None);
    rule(&mut book, number, plain(Sanction::Warning), &chief());
    assert_eq!(warnings(&book), 1);
    let players = book.event.players(2);
    assert_eq!(players.iter().map(|it| it.warnings).sum::<u32>(), 1);
    let admonished = report(&mut book, Some(winner), None, None);
    rule(&mut book, admonished, plain(Sanction::Admonition), &chief());
    assert_eq!(warnings(&book), 1, "an admonition does not count");
    appeal(&mut book, number, winner);
    rule_on_appeal(&mut book, number, Some(plain(Sanction::Nothing)), &committee());
    assert_eq!(warnings(&book), 0);
}

#[test]
fn who_is_expelled_is_not_paired_until_it_is_taken_back() {
    let mut book = played();
    let [winner, _] = two(&book);
    let number = report(&mut book, Some(winner), None, None);
    let by_arbiter = book.event.rule_on_incident(number, plain(Sanction::Expulsion), &arbiter(), SEALED);
    assert!(matches!(by_arbiter, Err(Refusal::Ruling(_))), "only the chief arbiter does that");
    rule(&mut book, number, plain(Sanction::Expulsion), &chief());
    let plays = |book: &Book| {
        let draft = book.plan().expect("paired");
        draft.boards.iter().any(|board| board.players.contains(&winner))
            || draft.out.iter().any(|(number, code)| *number == winner && *code == ResultCode::Pab)
    };
    assert!(!plays(&book));
    appeal(&mut book, number, winner);
    rule_on_appeal(&mut book, number, Some(plain(Sanction::Warning)), &committee());
    assert!(plays(&book));
}

/// Who is sent away in the middle of a game gets it back with the appeal, and so does who plays against him.
#[test]
fn what_was_lost_by_an_expulsion_is_given_back() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 4);
    book.begin_round().expect("paired");
    let [one, _] = two(&book);
    let number = report(&mut book, Some(one), None, None);
    rule(&mut book, number, plain(Sanction::Expulsion), &chief());
    assert!(book.event.rounds[0].boards[0].is_settled(), "the other has won");
    appeal(&mut book, number, one);
    rule_on_appeal(&mut book, number, Some(plain(Sanction::Warning)), &committee());
    let state = &book.event.rounds[0].boards[0];
    assert_eq!((state.attempt, state.result.is_none()), (2, true), "it is played once more");
    assert!(!decide::has_left(&book.event.participant(one).expect("he").statuses));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn who_had_left_by_himself_does_not_come_back_by_an_appeal() {
    let mut book = played();
    let [one, _] = two(&book);
    book.change(one.0, Status::Withdrawn { after_round: 1 }).expect("he leaves");
    let number = report(&mut book, Some(one), None, None);
    rule(&mut book, number, plain(Sanction::Expulsion), &chief());
    appeal(&mut book, number, one);
    rule_on_appeal(&mut book, number, Some(plain(Sanction::Nothing)), &committee());
    assert!(decide::has_left(&book.event.participant(one).expect("he").statuses));
}

#[test]
fn an_appeal_takes_back_no_other_decision_at_the_board() {
    let mut book = played();
    let [winner, loser] = two(&book);
    let first = report(&mut book, Some(winner), Some(BOARD), None);
    let second = report(&mut book, Some(loser), Some(BOARD), None);
    rule(&mut book, first, plain(Sanction::Loss), &deputy());
    let codes = Some([ResultCode::Loss; 2]);
    rule(&mut book, second, Ruling { sanction: Sanction::Nothing, codes }, &chief());
    appeal(&mut book, first, winner);
    rule_on_appeal(&mut book, first, Some(plain(Sanction::Nothing)), &chief());
    let result = book.event.rounds[0].boards[0].result.clone();
    assert_eq!(result.map(|it| it.codes), codes, "the second ruling stands");
}

#[test]
fn an_appeal_is_late_after_its_time_and_after_the_next_round_is_public() {
    let mut book = played();
    let [winner, _] = two(&book);
    let first = report(&mut book, Some(winner), Some(BOARD), None);
    rule(&mut book, first, plain(Sanction::Warning), &arbiter());
    let ruled = book.now;
    let deadline = book.event.appeal_deadline(&book.event.incidents[0]).expect("there is one");
    assert_eq!(deadline, ruled + book.event.settings.appeal_within);
    let late = book.event.appeal_ruling(first, winner, SEALED, deadline);
    assert_eq!(late, Err(Refusal::IncidentSettled));
    book.begin_round().expect("paired");
    assert!(book.now < deadline, "there would be time");
    assert_eq!(book.event.appeal_ruling(first, winner, SEALED, book.now), Err(Refusal::IncidentSettled));
}

#[test]
fn rulings_that_cannot_be_are_refused() {
    let mut book = played();
    let [winner, _] = two(&book);
    let nobody = report(&mut book, None, Some(BOARD), None);
    let no_board = report(&mut book, Some(winner), None, None);
    let refused = |book: &Book, number, ruling| {
        let refused = book.event.rule_on_incident(number, ruling, &chief(), SEALED);
        assert!(matches!(refused, Err(Refusal::Ruling(_) | Refusal::Result(_))), "{refused:?}");
    };
    refused(&book, nobody, plain(Sanction::Warning));
    let accused = Report { accused: Some(winner), ..book.event.incidents[0].report.clone() };
    book.write(book.event.report_incident(&accused).expect("noted"));
    let lost = book.event.rule_on_incident(3, plain(Sanction::Loss), &arbiter(), SEALED);
    assert!(matches!(lost, Err(Refusal::Ruling(_))), "an arbiter declares nothing lost");
    refused(&book, no_board, plain(Sanction::Loss));
    let codes = Some([ResultCode::Win, ResultCode::Win]);
    refused(&book, nobody, Ruling { sanction: Sanction::Nothing, codes });
    refused(&book, no_board, Ruling { sanction: Sanction::Nothing, codes: Some([ResultCode::Draw; 2]) });
    assert_eq!(
        book.event.rule_on_incident(9, plain(Sanction::Nothing), &chief(), SEALED),
        Err(Refusal::UnknownIncident)
    );
    let strange = Report {
        number: 0,
        kind: IncidentKind::Other,
        board: None,
        accused: Some(Number(9)),
        reporter: None,
        text: SEALED,
    };
    assert_eq!(book.event.report_incident(&strange), Err(Refusal::UnknownNumber(Number(9))));
}

#[test]
fn reports_without_end_are_refused() {
    let mut book = played();
    for _ in 0..OPEN_OF_PLAYER_MAX {
        report(&mut book, None, None, Some(Number(1)));
    }
    let of = |reporter| Report {
        number: 0,
        kind: IncidentKind::Other,
        board: None,
        accused: None,
        reporter,
        text: SEALED,
    };
    assert_eq!(book.event.report_incident(&of(Some(Number(1)))), Err(Refusal::TooManyIncidents));
    for _ in OPEN_OF_PLAYER_MAX..OPEN_MAX {
        report(&mut book, None, None, None);
    }
    assert_eq!(book.event.report_incident(&of(Some(Number(2)))), Err(Refusal::TooManyIncidents));
    rule(&mut book, 1, plain(Sanction::Nothing), &chief());
    assert!(book.event.report_incident(&of(Some(Number(2)))).is_ok(), "one is ruled on");
}

#[test]
fn a_game_s_notices_are_noted_once_and_an_over_event_is_not_changed_by_games() {
    let mut book = played();
    let game = book.event.game(BOARD).expect("a game");
    let notice =
        Notice { matter: Matter::Call, game_sequence: 4, number: 1, player: Some(Number(1)), incident: None };
    book.write(book.event.note_game(BOARD, true, notice));
    assert_eq!(book.event.note_game(BOARD, true, notice), vec![]);
    assert_eq!(book.event.rounds[0].boards[0].notices, [notice]);
    book.event.stage = Stage::Final;
    let source = ResultSource::Game { game, sequence: 99 };
    let annulled = BoardResult { source, ..BoardResult::decided([ResultCode::Annulled; 2], Reason::Arbiter) };
    let facts = book.event.game_ended(BOARD, true, annulled).expect("taken");
    assert!(
        matches!(
            &facts[..],
            [Fact::Incident(fact::IncidentFact::Noticed { notice, .. })] if notice.matter == Matter::LateResult
        ),
        "{facts:?}"
    );
}

#[test]
fn what_is_final_is_amended_by_the_committee_and_jiu_only_annulled() {
    let draw = BoardResult::decided([ResultCode::Draw; 2], Reason::Arbiter);
    let void = BoardResult::decided([ResultCode::Annulled; 2], Reason::Arbiter);
    for (variant, may_draw) in [("go", true), ("jiu", false)] {
        let mut book = Book::running(settings(variant, Format::Swiss { rounds: 1 }), 4);
        book.begin_round().expect("paired");
        book.play(by_number);
        let amend = |result: &BoardResult| {
            book.event.amend("fraud".to_owned(), &[(BOARD, result.clone())], &official(COMMITTEE))
        };
        assert_eq!(amend(&draw).is_ok(), may_draw, "{variant}");
        assert!(amend(&void).is_ok(), "{variant}");
        let own = two(&book)[0];
        let by_player = book.event.amend("mine".to_owned(), &[(BOARD, void.clone())], &official(own.0));
        assert_eq!(by_player, Err(Refusal::OwnGame));
        let stands = book.event.rounds[0].boards[0].result.clone().expect("a result");
        let again = BoardResult::decided([ResultCode::ReplayOrdered; 2], Reason::Arbiter);
        for bad in [vec![(BOARD, stands)], vec![(BOARD, again)], vec![(BOARD, void.clone()); 2]] {
            let refused = book.event.amend("fraud".to_owned(), &bad, &official(COMMITTEE));
            assert!(matches!(refused, Err(Refusal::Result(_))), "{refused:?}");
        }
    }
}

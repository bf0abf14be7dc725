//! What may be done when, and what is refused.

use std::collections::BTreeSet;

use pairing::{Number, Reason, ResultCode, Status};

use super::*;
use crate::core::event::role::{ROWS, allowed, appointing};

#[test]
fn the_table_of_roles_has_every_act_once_and_gives_nobody_everything() {
    let acts: BTreeSet<Act> = ROWS.iter().map(|(act, ..)| *act).collect();
    assert_eq!(acts.len(), ROWS.len(), "each act has one row");
    for (act, roles, stages) in ROWS {
        assert!(!roles.is_empty() && !stages.is_empty());
        for role in Role::ALL {
            for stage in Stage::ALL {
                let is_allowed = allowed(*act, &BTreeSet::from([role]), stage);
                assert_eq!(
                    is_allowed.is_ok(),
                    roles.contains(&role) && stages.contains(&stage),
                    "{act:?} {role}"
                );
            }
        }
        assert!(!roles.contains(&Role::Public), "{act:?}: the public only looks");
    }
    let both = BTreeSet::from([Role::Scorer, Role::Deputy, Role::Player]);
    assert_eq!(allowed(Act::Pair, &both, Stage::Running), Ok(Role::Deputy));
    assert_eq!(allowed(Act::Pair, &both, Stage::Final), Err(NotAllowed::Stage(Stage::Final)));
    assert!(matches!(allowed(Act::Amend, &both, Stage::Final), Err(NotAllowed::Role(_))));
}

/// Art. 31.1 and the rest of the checklist: nothing goes on while something is missing.
#[test]
fn no_stage_is_reached_before_what_it_takes_is_done() {
    let mut book = Book::open(settings("go", Format::Swiss { rounds: 1 }));
    let now = book.log[0].at;
    let missing = |book: &Book, stage| book.event.missing(stage, book.now);
    assert_eq!(
        book.event.adopt(now),
        Err(Refusal::Incomplete(vec![Missing::Item(CheckItem::SupplementPresented)]))
    );
    assert!(
        matches!(book.event.advance(book.now), Err(Refusal::NotAllowed(_))),
        "a draft is adopted, and not advanced"
    );
    book.tick(Stage::Adopted);
    book.write(book.event.adopt(now).expect("adopted"));
    assert_eq!(missing(&book, Stage::Registration), [Missing::ChiefArbiter]);
    book.write(book.event.appoint(account(1000), Role::ChiefArbiter).expect("appointed"));
    assert!(book.event.appoint(account(1001), Role::ChiefArbiter).is_err(), "there is one");
    book.write(book.event.appoint(account(1001), Role::Arbiter).expect("appointed"));
    book.write(book.event.advance(book.now).expect("registration"));
    book.enter(1).expect("entered");
    book.tick(Stage::Running);
    assert_eq!(missing(&book, Stage::Running), [Missing::Entries, Missing::SeedCommitment]);
    book.enter(2).expect("entered");
    book.write(book.event.commit_seed(seeds::head(&[42; 32])).expect("committed"));
    assert_eq!(book.event.commit_seed([0; 32]), Err(Refusal::SeedCommitted));
    // A change after the adoption asks everybody again.
    let changed = Settings { watch_while_playing: true, ..Settings::clone(&book.event.settings) };
    book.write(book.event.change_settings(changed, "asked for".to_owned(), now).expect("changed"));
    assert_eq!(book.event.version, 2);
    assert_eq!(missing(&book, Stage::Running), [Missing::Acceptance]);
    assert_eq!(book.event.accept(Number(1), 1), Err(Refusal::OldSupplement(2)));
    for number in [1, 2] {
        book.write(book.event.accept(Number(number), 2).expect("accepted"));
    }
    book.write(book.event.advance(book.now).expect("running"));
    assert_eq!(missing(&book, Stage::Closing), [Missing::Rounds]);
    book.begin_round().expect("paired");
    book.play(by_number);
    book.write(book.event.advance(book.now).expect("closing"));
    book.tick(Stage::Final);
    assert_eq!(missing(&book, Stage::Final), [Missing::Report, Missing::Assessments]);
    book.write(vec![
        Fact::ReportFiled { text: Sealed([1; 32]) },
        Fact::ArbiterAssessed { account: account(1001), text: Sealed([2; 32]) },
    ]);
    book.write(book.event.advance(book.now).expect("final"));
    assert_eq!(book.event.stage, Stage::Final);
    assert!(book.event.advance(book.now).is_err());
    assert!(book.verified().findings.is_empty());
}

#[test]
fn a_published_round_is_what_was_paired_from_what_holds_now() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 6);
    let draft = book.plan().expect("paired");
    book.change(3, Status::Withdrawn { after_round: 0 }).expect("he leaves");
    let anew = book.plan().expect("paired");
    assert_eq!(book.event.publish_round(draft.clone(), &anew), Err(Refusal::Stale));
    let mut forged = anew.clone();
    forged.boards.swap(0, 1);
    assert_eq!(
        book.event.publish_round(forged, &anew),
        Err(Refusal::Stale),
        "it is not what the input leads to"
    );
    book.write(book.event.publish_round(anew.clone(), &anew).expect("published"));
    assert_eq!(
        book.event.publish_round(anew.clone(), &anew),
        Err(Refusal::Stale),
        "a round is published once"
    );
}

#[test]
fn a_round_is_taken_back_before_its_first_move_and_its_games_are_others() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 4);
    book.begin_round().expect("paired");
    let board = BoardId { round: 1, table: 1 };
    let game = book.event.game(board);
    assert!(book.event.retract_round(1, "wrong list".to_owned(), true).is_err(), "there is a move");
    assert!(book.event.retract_round(2, "wrong list".to_owned(), false).is_err(), "there is no such round");
    book.write(book.event.retract_round(1, "wrong list".to_owned(), false).expect("taken back"));
    assert_eq!((book.event.next_round(), book.event.game(board)), (1, None));
    book.begin_round().expect("paired again");
    assert_ne!(book.event.game(board), game);
    book.play(by_number);
    assert!(book.event.retract_round(1, "too late".to_owned(), false).is_err());
    assert!(book.verified().findings.is_empty());
}

#[test]
fn a_board_in_a_hall_needs_two_officials_and_neither_plays_there() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 2 }), 4);
    let board = BoardId { round: 1, table: 1 };
    let source = ResultSource::OverTheBoard { confirmed_by: None };
    let won =
        BoardResult { source, ..BoardResult::decided([ResultCode::Win, ResultCode::Loss], Reason::Normal) };
    let (scorer, arbiter) = (official(2000), official(2001));
    assert_eq!(book.event.enter_result(board, won.clone(), &scorer, false), Err(Refusal::UnknownBoard));
    book.begin_round().expect("paired");
    let player = book.event.participant(book.event.rounds[0].published.boards[0].players[0]);
    let player = official(player.expect("he").number().0);
    assert_eq!(book.event.enter_result(board, won.clone(), &player, false), Err(Refusal::OwnGame));
    assert_eq!(book.event.enter_result(board, won.clone(), &scorer, true), Err(Refusal::Playing));
    let torn = BoardResult { codes: [ResultCode::Win, ResultCode::Win], ..won.clone() };
    assert!(matches!(book.event.enter_result(board, torn, &scorer, false), Err(Refusal::Result(_))));
    let lost = BoardResult { codes: [ResultCode::Loss, ResultCode::Win], ..won.clone() };
    for result in [&lost, &won] {
        let entered = book.event.enter_result(board, result.clone(), &scorer, false);
        book.write_by(scorer.account, entered.expect("entered, and entered anew"));
    }
    assert!(!book.event.rounds[0].boards[0].is_settled(), "it waits to be confirmed");
    assert_eq!(book.event.confirm_result(board, &scorer), Err(Refusal::OwnEntry));
    assert_eq!(book.event.confirm_result(board, &player), Err(Refusal::OwnGame));
    book.write(book.event.confirm_result(board, &arbiter).expect("confirmed"));
    assert!(book.event.rounds[0].boards[0].is_settled());
    assert_eq!(book.event.confirm_result(board, &arbiter), Ok(Vec::new()), "again changes nothing");
    // What is settled is changed by a decision alone, and so is what a game came to.
    let enter = |book: &Book, board| book.event.enter_result(board, lost.clone(), &scorer, false);
    assert!(matches!(enter(&book, board), Err(Refusal::Result(_))));
    book.play(by_number);
    assert!(matches!(enter(&book, BoardId { round: 1, table: 2 }), Err(Refusal::Result(_))));
    let decided = BoardResult::decided([ResultCode::Draw; 2], Reason::Arbiter);
    assert!(book.event.enter_result(board, decided, &arbiter, false).is_ok());
}

#[test]
fn a_chief_arbiter_appoints_arbiters_and_not_those_above_him() {
    let chief = BTreeSet::from([Role::ChiefArbiter]);
    for (office, may) in [
        (Role::Deputy, true),
        (Role::Arbiter, true),
        (Role::Scorer, true),
        (Role::ChiefArbiter, false),
        (Role::Committee, false),
    ] {
        assert_eq!(allowed(appointing(office), &chief, Stage::Running).is_ok(), may, "{office}");
    }
}

#[test]
fn a_list_is_ticked_off_when_there_is_something_to_check() {
    let mut book = Book::open(settings("go", Format::Swiss { rounds: 1 }));
    let check = |book: &Book, item| book.event.check_off(item, true);
    assert!(check(&book, CheckItem::ResultsChecked).is_err(), "there are none");
    assert!(check(&book, CheckItem::SupplementPresented).is_ok());
    book.open_registration();
    assert!(check(&book, CheckItem::SupplementPresented).is_err(), "it was adopted");
    for number in [1, 2] {
        book.enter(number).expect("entered");
    }
    book.begin_play();
    book.begin_round().expect("paired");
    book.play(by_number);
    assert!(check(&book, CheckItem::ResultsChecked).is_err(), "more may come");
    book.write(book.event.advance(book.now).expect("closing"));
    book.write(check(&book, CheckItem::ResultsChecked).expect("ticked off"));
    let board = BoardId { round: 1, table: 1 };
    let draw = BoardResult::decided([ResultCode::Draw; 2], Reason::Arbiter);
    book.write(book.event.enter_result(board, draw, &official(2001), false).expect("decided"));
    assert!(!book.event.checked.contains(&CheckItem::ResultsChecked), "there is another one now");
}

#[test]
fn a_running_event_keeps_its_game_and_changes_with_a_reason() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 4);
    let change = |book: &Book, change: &dyn Fn(&mut Settings), reason: &str| {
        let mut settings = Settings::clone(&book.event.settings);
        change(&mut settings);
        book.event.change_settings(settings, reason.to_owned(), book.now)
    };
    let late = |it: &mut Settings| it.game.lateness = std::time::Duration::from_mins(30);
    assert_eq!(change(&book, &late, ""), Err(Refusal::NoReason));
    assert!(change(&book, &late, "a storm").is_ok());
    for kept in
        [(&|it: &mut Settings| it.game.rated = false) as &dyn Fn(&mut Settings), &|it: &mut Settings| {
            it.game.time_control = "10m".parse().expect("a time control");
        }]
    {
        assert!(matches!(change(&book, kept, "a storm"), Err(Refusal::Settled(..))));
    }
    let now = book.now;
    let hours = |hours: [i64; 3]| hours.map(|it| now + Duration::hours(it)).to_vec();
    let rounds = |times: Vec<OffsetDateTime>| move |it: &mut Settings| it.schedule.rounds.clone_from(&times);
    assert!(matches!(change(&book, &rounds(hours([-2, -1, 1])), "late"), Err(Refusal::Settings(_))));
    book.write(change(&book, &rounds(hours([1, 2, 3])), "agreed").expect("ahead"));
    book.begin_round().expect("paired");
    book.now += Duration::hours(1);
    // The time of a round that is public has passed, and is no reason to refuse another change.
    assert!(change(&book, &late, "a storm").is_ok());
    assert!(matches!(change(&book, &rounds(hours([1, 0, 3])), "late"), Err(Refusal::Settings(_))));
    assert!(change(&book, &rounds(hours([1, 4, 6])), "late").is_ok());
}

#[test]
fn a_log_that_makes_no_sense_is_not_believed() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 2 }), 4);
    book.begin_round().expect("paired");
    assert_eq!(Event::replay(book.id, &[]).expect_err("nothing").sequence, 0);
    assert_eq!(Event::replay(book.id, &book.log[1..]).expect_err("no creation").sequence, 2);
    for gone in 1..book.log.len() - 1 {
        let mut log = book.log.clone();
        log.remove(gone);
        assert!(Event::replay(book.id, &log).is_err(), "entry {} is missing", gone + 1);
    }
    let next = book.event.sequence + 1;
    for fact in [
        Fact::Accepted { number: Number(9), version: 1 },
        Fact::RoundStarted { round: 7 },
        Fact::ReplayStarted { board: BoardId { round: 1, table: 9 } },
        Fact::RoundRetracted { round: 9, reason: String::new() },
    ] {
        let entry = LogEntry { sequence: next, fact, ..book.log[0].clone() };
        assert_eq!(book.event.clone().apply(&entry).expect_err("it cannot be").sequence, next);
    }
}

#[test]
fn who_is_away_changes_places_with_nobody() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 6);
    book.change(1, Status::Absent { round: 1 }).expect("he is away");
    let draft = book.plan().expect("paired");
    let code = |number| draft.out.iter().find(|(it, _)| *it == Number(number)).map(|(_, code)| *code);
    assert_eq!(code(1), Some(ResultCode::ByeZero));
    let free = draft.out.iter().find(|(_, code)| *code == ResultCode::Pab).expect("five are there").0;
    let plays = draft.boards[0].players[0];
    for (one, other) in [(Number(1), plays), (plays, Number(1))] {
        let edited = edit(&mut draft.clone(), &[PairingEdit::Swap(one, other)], "he came");
        assert!(matches!(edited, Err(Refusal::Pairing(_))), "{edited:?}");
    }
    let mut edited = draft.clone();
    edit(&mut edited, &[PairingEdit::Swap(free, plays)], "he is ill").expect("the pairing bye goes over");
    assert!(edited.out.contains(&(plays, ResultCode::Pab)));
}

/// 1.10, 32: an arbiter is dismissed with a reason, which is kept.
#[test]
fn a_dismissal_keeps_its_reason() {
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 4);
    let reason = Sealed([7; 32]);
    assert!(book.event.dismiss(account(1), Role::Arbiter, reason).is_err(), "he is none");
    book.write(book.event.appoint(account(1), Role::Arbiter).expect("appointed"));
    book.write(book.event.dismiss(account(1), Role::Arbiter, reason).expect("dismissed"));
    assert!(!book.event.roles_of(account(1)).contains(&Role::Arbiter));
    let last = book.log.last().map(|entry| entry.fact.clone());
    assert_eq!(last, Some(Fact::Dismissed { account: account(1), role: Role::Arbiter, reason }));
}

#[test]
fn an_event_has_only_so_many_officials() {
    let mut book = Book::open(settings("go", Format::Swiss { rounds: 1 }));
    let office = |book: &Book, number, role| book.event.appoint(account(number), role);
    for number in 2000.. {
        if book.event.officials.len() == limits::EVENT_OFFICIALS_MAX {
            break;
        }
        book.write(office(&book, number, Role::Arbiter).expect("there is room"));
    }
    let many = limits::EVENT_OFFICIALS_MAX;
    assert_eq!(office(&book, 1, Role::Scorer), Err(Refusal::TooManyOfficials(many)));
    assert!(office(&book, 2000, Role::Scorer).is_ok(), "he is one already");
    let dismissed = book.event.dismiss(account(2001), Role::Arbiter, Sealed([0; 32]));
    book.write(dismissed.expect("he was one"));
    assert!(office(&book, 1, Role::Scorer).is_ok(), "there is room again");
}

#[test]
fn a_draft_is_changed_only_so_often() {
    let book = Book::running(settings("go", Format::Swiss { rounds: 4 }), 4);
    let mut draft = book.plan().expect("paired");
    let turn = [PairingEdit::Turn(1)];
    for _ in 0..limits::DRAFT_EDITS_MAX {
        book.event.edit_draft(&mut draft, (&turn, "once more"), false).expect("there is room");
    }
    let before = draft.clone();
    let refused = book.event.edit_draft(&mut draft, (&turn, "once more"), true);
    assert_eq!((refused, draft), (Err(Refusal::TooManyEdits(limits::DRAFT_EDITS_MAX)), before));
}

//! Leave: what it moves, what it stops, and who takes how much of it.

mod properties;

use pairing::{Number, ResultCode, lineup::LineupLaw};

use super::{
    arranging::{BOARD, DAY, EFFORT, arranged, state},
    teams::{of_teams, running},
    *,
};
use crate::core::event::leave::{LONGEST_MAX, Span, TAKEN_MAX};

const fn days(days: u64) -> std::time::Duration {
    std::time::Duration::from_hours(days * 24)
}

/// Twenty days for a player, of a day to ten days at once, three days ahead.
fn allowed() -> LeaveSettings {
    LeaveSettings {
        player: days(20),
        team: std::time::Duration::ZERO,
        notice: days(3),
        shortest: days(1),
        longest: days(10),
        spans_max: 3,
    }
}

fn with_leave(settings: Settings) -> Settings {
    Settings { leave: Some(allowed()), ..settings }
}

/// An event of four whose first round is open for two weeks, and the two of its first board.
fn begun() -> (Book, [Number; 2]) {
    let mut book = Book::running(with_leave(arranged(Format::Swiss { rounds: 3 }, EFFORT)), 4);
    book.begin_round().expect("paired");
    let players = book.event.rounds[0].published.boards[0].players;
    (book, players)
}

fn wish(whose: Whose, from: OffsetDateTime, until: OffsetDateTime) -> NewLeave {
    NewLeave { whose, from: Some(from), until, reason: None }
}

fn granted(new: NewLeave) -> NewLeave {
    NewLeave { reason: Some(Sealed([7; 32])), ..new }
}

/// Takes leave of so many days, so many days ahead.
fn takes(book: &mut Book, number: Number, ahead: i32, length: i32) -> Result<Span, Refusal> {
    let from = book.now + DAY * ahead;
    let span = Span { from, until: from + DAY * length };
    let new = wish(Whose::Player(number), span.from, span.until);
    let facts = book.event.take_leave(new, book.now)?;
    book.write_as(account(number.0), Role::Player, facts);
    Ok(span)
}

fn grants(book: &mut Book, number: Number, span: Span) {
    let new = granted(wish(Whose::Player(number), span.from, span.until));
    let facts = book.event.take_leave(new, book.now).expect("granted");
    book.write(facts);
}

fn deadline(book: &Book) -> OffsetDateTime {
    book.event.arrangement(BOARD).expect("it is arranged").deadline
}

fn refused(book: &Book, new: NewLeave) -> Leaveless {
    match book.event.take_leave(new, book.now) {
        Err(Refusal::Leave(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_to_be_arranged_has_so_much_more_time_as_either_side_is_on_leave() {
    let (mut book, [one, other]) = begun();
    let before = deadline(&book);
    takes(&mut book, one, 4, 3).expect("three days");
    assert_eq!(deadline(&book), before + DAY * 3);
    // Both at once count once: the day that the other has more counts besides.
    takes(&mut book, other, 5, 3).expect("three days, of which two are the first one's");
    let overlap = Duration::minutes(1);
    assert_eq!(deadline(&book), before + DAY * 4 + overlap, "the second began a minute later");
    // What reaches into more leave moves by that, too.
    let far = takes(&mut book, one, 15, 2).expect("before it is over");
    assert!(far.from < before + DAY * 4 && deadline(&book) == before + DAY * 6 + overlap);
    takes(&mut book, other, 30, 2).expect("after it");
    assert_eq!(deadline(&book), before + DAY * 6 + overlap, "what comes later moves nothing");
    assert_eq!(book.event.arrangement(BoardId { round: 1, table: 2 }).expect("a board").deadline, before);

    book.pass_to(before);
    assert_eq!(state(&book, BOARD).result, None, "it is not over yet");
    book.pass_to(deadline(&book));
    let codes = state(&book, BOARD).result.as_ref().map(|it| it.codes);
    assert_eq!(codes, Some([ResultCode::DoubleForfeit; 2]));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn leave_that_is_ended_early_gives_back_what_is_left_and_moves_things_back() {
    let (mut book, [one, _]) = begun();
    let before = deadline(&book);
    let left = |book: &Book| book.event.leave_left(Whose::Player(one)).expect("a budget");
    let span = takes(&mut book, one, 4, 10).expect("ten days");
    assert_eq!((left(&book).time, left(&book).spans), (days(10), 2));
    book.pass_to(span.from + DAY * 2);
    let facts = book.event.end_leave(1, None, book.now).expect("it holds");
    let ended = book.now;
    book.write_as(account(one.0), Role::Player, facts);
    assert_eq!(deadline(&book), before + (ended - span.from));
    assert_eq!((left(&book).time, left(&book).spans), (days(18), 2));
    let again = book.event.end_leave(1, None, book.now);
    assert_eq!(again, Err(Leaveless::Over.into()));
    // What never began is as if it had never been taken.
    takes(&mut book, one, 4, 5).expect("five days");
    let facts = book.event.end_leave(2, None, book.now).expect("not begun");
    book.write_as(account(one.0), Role::Player, facts);
    assert_eq!((left(&book).time, left(&book).spans), (days(18), 2));
    assert_eq!(book.event.leaves.all[1].state(book.now), LeaveState::Cancelled);
    assert_eq!(book.event.end_leave(9, None, book.now), Err(Leaveless::Unknown.into()));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn leave_that_cannot_be_is_refused_with_its_reason() {
    let (mut book, [one, _]) = begun();
    let now = book.now;
    let own = |from, until| wish(Whose::Player(one), from, until);
    assert_eq!(refused(&book, own(now - DAY, now + DAY)), Leaveless::Past);
    assert_eq!(refused(&book, own(now + DAY * 2, now + DAY * 4)), Leaveless::TooLate(days(3)));
    assert_eq!(refused(&book, own(now + DAY * 400, now + DAY * 402)), Leaveless::TooFar);
    let lengths = Leaveless::Length([days(1), days(10)]);
    let from = now + DAY * 4;
    for until in [from + DAY - Duration::SECOND, from + DAY * 10 + Duration::SECOND, from, from - DAY / 2] {
        assert_eq!(refused(&book, own(from, until)), lengths, "{until}");
    }
    let of_team = book.event.take_leave(wish(Whose::Team(Number(1)), from, from + DAY), now);
    assert_eq!(of_team, Err(Refusal::UnknownNumber(Number(1))));
    takes(&mut book, one, 4, 10).expect("ten days");
    assert_eq!(refused(&book, own(from, from + DAY * 2)), Leaveless::Overlaps(1));
    takes(&mut book, one, 20, 6).expect("six days");
    let later = book.now + DAY * 40;
    assert_eq!(refused(&book, own(later, later + DAY * 5)), Leaveless::OverBudget(days(4)));
    takes(&mut book, one, 40, 1).expect("a day");
    assert_eq!(refused(&book, own(later + DAY * 9, later + DAY * 10)), Leaveless::TooOften(3));
    // None of that binds the chief arbiter, but for what cannot be.
    let free = Span { from: book.now, until: book.now + DAY };
    grants(&mut book, one, free);
    let long = book.now + LONGEST_MAX + Duration::minutes(1);
    let new = granted(own(book.now + DAY * 60, book.now + DAY * 60 + LONGEST_MAX + Duration::SECOND));
    assert!(matches!(refused(&book, new), Leaveless::Length(_)), "{long}");
    assert_eq!(refused(&book, granted(own(from, from + DAY))), Leaveless::Overlaps(1));
    let nobody = book.event.take_leave(wish(Whose::Player(Number(9)), from, from + DAY), book.now);
    assert_eq!(nobody, Err(Refusal::UnknownNumber(Number(9))));
    book.change(one.0, pairing::Status::Withdrawn { after_round: 0 }).expect("he leaves");
    let gone = book.event.take_leave(own(later + DAY * 20, later + DAY * 21), book.now);
    assert!(matches!(gone, Err(Refusal::Status(_))), "{gone:?}");
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn it_is_not_taken_and_taken_back_without_end() {
    let (mut book, [one, _]) = begun();
    for taken in 1..=TAKEN_MAX {
        takes(&mut book, one, 4, 1).expect("a day");
        let number = u32::try_from(taken).expect("few");
        let facts = book.event.end_leave(number, None, book.now).expect("not begun");
        book.write_as(account(one.0), Role::Player, facts);
    }
    assert_eq!(takes(&mut book, one, 4, 1), Err(Refusal::AskedTooOften(100)));
}

#[test]
fn nobody_proposes_or_accepts_a_time_within_leave_and_answers_have_longer() {
    let (mut book, [one, other]) = begun();
    let day = |book: &Book, day: i32| book.now + DAY * day;
    let propose = |book: &Book, at| book.event.propose_game(BOARD, other, vec![at], book.now);
    let within = day(&book, 6);
    book.write(propose(&book, within).expect("nobody is away yet"));
    let span = takes(&mut book, one, 5, 4).expect("four days");
    let on_leave = Err(Unarrangeable::OnLeave(span.until).into());
    assert_eq!(book.event.accept_proposal(BOARD, one, within, book.now), on_leave);
    assert_eq!(propose(&book, day(&book, 7)), on_leave, "whichever side proposes");
    book.write(propose(&book, span.until).expect("as soon as it is over"));
    // Two days for an answer, and a day of it before the leave begins.
    book.pass_to(span.from - DAY);
    book.write(propose(&book, span.until + DAY * 3).expect("after it"));
    let until = book.event.arrangement(BOARD).expect("arranged").proposals[&other].until;
    assert!((until - (span.until + DAY)).abs() <= Duration::minutes(1), "{until}");
    // It would have lapsed without the leave, and the answer comes in time.
    book.pass_to(span.until + DAY - Duration::minutes(5));
    book.write(book.event.accept_proposal(BOARD, one, span.until + DAY * 3, book.now).expect("in time"));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn a_time_that_is_agreed_on_is_moved_first_and_only_the_chief_arbiter_takes_it_away() {
    let (mut book, [one, other]) = begun();
    let at = book.now + DAY * 5;
    book.write(book.event.propose_game(BOARD, one, vec![at], book.now).expect("proposed"));
    book.write(book.event.accept_proposal(BOARD, other, at, book.now).expect("accepted"));
    let span = Span { from: at - DAY, until: at + DAY * 2 };
    let new = wish(Whose::Player(one), span.from, span.until);
    assert_eq!(refused(&book, new), Leaveless::OverAgreedTime { board: BOARD, at });
    takes(&mut book, other, 8, 2).expect("after the game");

    grants(&mut book, one, span);
    assert_eq!(state(&book, BOARD).postponed, None);
    let opened = book.event.arrangement(BOARD).expect("to be arranged anew");
    // Two weeks from the end of the leave on, and the two days of the other.
    assert_eq!(opened.closes, span.until + DAY * 16);
    assert!(book.event.rounds[0].awaits().is_some(), "the round waits for it");
    let later = span.until + DAY * 4;
    book.write(book.event.propose_game(BOARD, one, vec![later], book.now).expect("after both"));
    book.write(book.event.accept_proposal(BOARD, other, later, book.now).expect("accepted"));
    book.pass_to(later);
    assert_eq!(state(&book, BOARD).started, Some(later));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn what_begins_by_default_begins_later() {
    let otherwise = Otherwise::Default { after: days(12) };
    let mut book = Book::running(with_leave(arranged(Format::Swiss { rounds: 3 }, otherwise)), 4);
    book.begin_round().expect("paired");
    let [one, _] = book.event.rounds[0].published.boards[0].players;
    let before = deadline(&book);
    takes(&mut book, one, 10, 5).expect("five days");
    book.pass_to(before);
    let second = BoardId { round: 1, table: 2 };
    assert!(state(&book, BOARD).started.is_none() && state(&book, second).started.is_some());
    book.pass_to(before + DAY * 5);
    assert!(state(&book, BOARD).started.is_some());
    assert_eq!(book.verified().findings, vec![]);
}

/// A correspondence event of four whose first round has begun.
fn by_correspondence() -> (Book, [Number; 2]) {
    let mut settings = with_leave(settings("go", Format::Swiss { rounds: 3 }));
    settings.game.time_control = "3d/move".parse::<TimeControl>().expect("three days");
    let mut book = Book::running(settings, 4);
    book.begin_round().expect("paired");
    let players = book.event.rounds[0].published.boards[0].players;
    (book, players)
}

#[test]
fn correspondence_games_rest_until_neither_side_is_on_leave() {
    let (mut book, [one, other]) = by_correspondence();
    let first = takes(&mut book, one, 4, 4).expect("four days");
    let second = takes(&mut book, other, 6, 4).expect("of which two are the other's");
    assert_eq!(book.event.rests(BOARD), None, "nobody has been away");
    let rests = |book: &Book| book.event.rests(BOARD).expect("leave has begun").0;
    book.pass_to(first.from);
    assert!(rests(&book));
    let begun = Fact::Leave(LeaveFact::Begun { leave: 1 });
    assert_eq!(book.event.games_of_leave(&begun), vec![(BOARD, 1)], "and no other board's");
    assert_eq!(book.log.last().map(|it| &it.fact), Some(&begun));
    book.pass_to(first.until);
    assert!(rests(&book), "the other is away");
    book.pass_to(second.until);
    assert!(!rests(&book));
    let entries: Vec<u64> = book.log.iter().map(|it| it.sequence).collect();
    assert_eq!(book.event.rests(BOARD), Some((false, *entries.last().expect("a log"))));
    // What was not begun when it is ended concerns no game.
    takes(&mut book, one, 4, 2).expect("two days");
    let facts = book.event.end_leave(3, None, book.now).expect("not begun");
    book.write_as(account(one.0), Role::Player, facts.clone());
    assert_eq!(book.event.games_of_leave(&facts[0]), vec![]);
    assert_eq!(book.event.due(), None);
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn games_go_on_when_leave_is_ended_and_when_the_event_is_called_off() {
    let (mut book, [one, other]) = by_correspondence();
    let span = takes(&mut book, one, 4, 4).expect("four days");
    takes(&mut book, other, 5, 6).expect("six days");
    book.pass_to(span.from);
    let facts = book.event.end_leave(1, None, book.now).expect("it holds");
    book.write_as(account(one.0), Role::Player, facts.clone());
    assert_eq!(book.event.games_of_leave(&facts[0]), vec![(BOARD, 1)]);
    assert!(!book.event.rests(BOARD).expect("there was leave").0);
    book.pass_to(book.now + DAY * 2);
    assert!(book.event.rests(BOARD).expect("there is leave").0);
    let cancelled = Fact::Cancelled { reason: "nobody came".to_owned() };
    book.write(vec![cancelled.clone()]);
    assert_eq!(book.event.games_of_leave(&cancelled), vec![(BOARD, 1)]);
    assert!(!book.event.rests(BOARD).expect("there was leave").0);
}

#[test]
fn the_leave_of_a_team_is_that_of_all_its_players_and_has_a_budget_of_its_own() {
    let base = of_teams(Format::Swiss { rounds: 3 }, 3, LineupLaw::FixedBoards);
    let arranging = arranged(Format::Swiss { rounds: 3 }, EFFORT).arranging;
    let leave = LeaveSettings { team: days(5), ..allowed() };
    let mut book = running(Settings { arranging, leave: Some(leave), ..base }, 2);
    let draft = book.plan().expect("paired");
    book.write(book.event.publish_round(draft.clone(), &draft).expect("published"));
    book.write(book.event.start_round_of_teams(1, &[]).expect("it starts"));
    let ends = |book: &Book| {
        [1, 2, 3].map(|table| book.event.arrangement(BoardId { round: 1, table }).expect("arranged").deadline)
    };
    let before = ends(&book);
    let team = Whose::Team(Number(1));
    let from = book.now + DAY * 4;
    let facts = book.event.take_leave(wish(team, from, from + DAY * 3), book.now).expect("three days");
    book.write_as(account(2001), Role::Captain, facts);
    assert_eq!(ends(&book), before.map(|at| at + DAY * 3));
    // One of its players besides: his own board alone, and not for the days that count already.
    let [one, other] = book.event.players_at(BOARD).expect("a board");
    let member = if book.event.team_of(one) == Some(Number(1)) { one } else { other };
    let facts = book.event.take_leave(wish(Whose::Player(member), from, from + DAY * 5), book.now);
    book.write_as(account(member.0), Role::Player, facts.expect("his own"));
    assert_eq!(ends(&book), [before[0] + DAY * 5, before[1] + DAY * 3, before[2] + DAY * 3]);
    assert_eq!(book.event.on_leave_until(member, from), Some(from + DAY * 5));
    let left = |whose| book.event.leave_left(whose).expect("a budget").time;
    assert_eq!((left(team), left(Whose::Player(member))), (days(2), days(15)));
    // Where teams alone have a budget, players have none.
    let leave = LeaveSettings { team: days(5), player: days(0), ..allowed() };
    let of_teams = Settings { leave: Some(leave), ..Settings::clone(&book.event.settings) };
    book.write(book.event.change_settings(of_teams, "less of it".to_owned(), book.now).expect("changed"));
    let own = wish(Whose::Player(member), from + DAY * 20, from + DAY * 21);
    assert_eq!(refused(&book, own), Leaveless::None("players"));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn settings_without_anything_to_move_or_that_contradict_themselves_are_refused() {
    let fault = |settings: Settings| settings.check(OffsetDateTime::UNIX_EPOCH).map_err(|it| it.field);
    let sound = with_leave(arranged(Format::Swiss { rounds: 3 }, EFFORT));
    assert_eq!(fault(sound.clone()), Ok(()));
    let plain = with_leave(settings("go", Format::Swiss { rounds: 3 }));
    assert_eq!(fault(plain.clone()), Err("leave"));
    let mut days_a_move = plain;
    days_a_move.game.time_control = "2d/move".parse().expect("two days");
    assert_eq!(fault(days_a_move), Ok(()));
    let second = std::time::Duration::from_secs(1);
    let with = |leave: LeaveSettings| Settings { leave: Some(leave), ..sound.clone() };
    let quick =
        LeaveSettings { player: second * 2, notice: days(0), shortest: second, longest: second, ..allowed() };
    assert_eq!(fault(with(quick)), Ok(()), "a trial takes no days");
    for (leave, field) in [
        (LeaveSettings { team: days(3), ..allowed() }, "leave.team_budget_duration"),
        (LeaveSettings { player: days(0), ..allowed() }, "leave.player_budget_duration"),
        (LeaveSettings { player: days(367), ..allowed() }, "leave.player_budget_duration"),
        (LeaveSettings { player: second, ..allowed() }, "leave.player_budget_duration"),
        (LeaveSettings { notice: days(91), ..allowed() }, "leave.notice_duration"),
        (LeaveSettings { shortest: days(0), ..allowed() }, "leave.shortest_duration"),
        (LeaveSettings { longest: days(91), ..allowed() }, "leave.longest_duration"),
        (LeaveSettings { longest: second, ..allowed() }, "leave.longest_duration"),
        (LeaveSettings { spans_max: 0, ..allowed() }, "leave.spans_max"),
    ] {
        assert_eq!(fault(with(leave.clone())), Err(field), "{leave:?}");
    }
    let (mut book, [one, _]) = begun();
    takes(&mut book, one, 4, 2).expect("two days");
    let without = Settings { leave: None, ..Settings::clone(&book.event.settings) };
    let changed = book.event.change_settings(without, "no more".to_owned(), book.now);
    assert!(matches!(changed, Err(Refusal::Settled(..))), "{changed:?}");
}

/// Who verifies a log finds what nobody could have done.
#[test]
fn leave_that_breaks_the_rules_is_found_in_a_log() {
    let (book, [one, _]) = begun();
    let from = book.now + DAY * 4;
    let span = Span { from, until: from + DAY * 30 };
    let too_long = LeaveFact::Taken { leave: 1, whose: Whose::Player(one), span, reason: None };
    let sound = LeaveFact::Taken {
        leave: 1,
        whose: Whose::Player(one),
        span: Span { from, until: from + DAY },
        reason: None,
    };
    for (fact, role, faulty) in [
        (too_long, Role::Player, true),
        (sound.clone(), Role::Player, false),
        (sound, Role::ChiefArbiter, true),
    ] {
        let mut book = book.clone();
        book.write_as(account(one.0), role, vec![Fact::Leave(fact)]);
        assert_eq!(!book.verified().findings.is_empty(), faulty, "{role}");
    }
    let (mut book, [one, _]) = by_correspondence();
    takes(&mut book, one, 4, 2).expect("two days");
    book.write(vec![Fact::Leave(LeaveFact::Begun { leave: 1 })]);
    assert_eq!(book.verified().findings.len(), 1, "not by an official, and not then");
}

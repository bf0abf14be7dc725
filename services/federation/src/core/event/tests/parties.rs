//! Who decides nothing, because it would be about a game of his own.

use std::collections::BTreeSet;

use pairing::{Number, ResultCode, Ties, lineup::LineupLaw, standings::Cycles};
use rules::IncidentKind;

use super::{teams::of_teams, *};

const ALL: [u32; 4] = [1, 2, 3, 4];
const NOTE: Sealed = Sealed([7; 32]);

fn swiss() -> Book {
    Book::running(settings("go", Format::Swiss { rounds: 3 }), 4)
}

/// Whom a player may send away, annul or bring back as an official.
fn may_change(book: &Book, by: &Official) -> Vec<u32> {
    let all = book.event.participants.iter().map(|it| it.number().0);
    all.filter(|number| book.event.not_own_entry(&[Number(*number)], by).is_ok()).collect()
}

/// Those at the board of a player.
fn opponent(book: &Book, of: u32) -> u32 {
    let boards = &book.event.rounds.last().expect("a round").published.boards;
    let [one, other] =
        boards.iter().map(|it| it.players).find(|it| it.contains(&Number(of))).expect("a board");
    if one == Number(of) { other.0 } else { one.0 }
}

#[test]
fn who_plays_sends_away_neither_himself_nor_whom_he_has_met() {
    let mut book = swiss();
    let deputy = official(2);
    assert_eq!(may_change(&book, &deputy), [1, 3, 4], "nobody has met him");
    book.begin_round().expect("paired");
    let mut met = BTreeSet::from([2, opponent(&book, 2)]);
    for _ in 0..2 {
        let others: Vec<u32> = ALL.into_iter().filter(|it| !met.contains(it)).collect();
        assert_eq!(may_change(&book, &deputy), others);
        assert_eq!(may_change(&book, &official(1000)), ALL, "the chief plays nowhere");
        book.play(by_number);
        book.begin_round().expect("paired");
        met.insert(opponent(&book, 2));
    }
    // His proxy and whoever he is by an id of before are as he is.
    let concerned = |of: u32| Official { represents: [member(of)].into(), ..official(1000) };
    assert_eq!(may_change(&book, &concerned(2)), may_change(&book, &deputy));
}

#[test]
fn where_all_meet_nobody_who_plays_sends_anybody_away() {
    for format in [
        Format::RoundRobin { cycles: Cycles::Single },
        Format::KnockOut { lives: 1, third_place: false },
        Format::KnockOut { lives: 3, third_place: false },
    ] {
        let mut book = Book::running(settings("go", format), 4);
        assert_eq!(may_change(&book, &official(2)), [1, 3, 4], "the list is open");
        book.begin_round().expect("paired");
        assert_eq!(may_change(&book, &official(2)), [0; 0], "{format:?}");
        assert_eq!(may_change(&book, &official(1000)), ALL, "{format:?}");
    }
}

#[test]
fn a_team_of_the_own_match_is_not_sent_away_before_its_boards_are_laid() {
    let settings = of_teams(Format::Swiss { rounds: 3 }, 2, LineupLaw::FixedBoards);
    let mut book = super::teams::running(settings, 4);
    book.write(book.event.change_captain(Number(1), Some(account(77)), None).expect("he leads nobody else"));
    let draft = book.plan().expect("paired");
    let changed = |book: &Book, by: &Official| -> Vec<u32> {
        let may = |team: &&EnteredTeam| {
            let members: Vec<Number> = team.entrant.members().collect();
            book.event.not_own_entry(&members, by).is_ok()
        };
        book.event.teams.iter().filter(may).map(|team| team.number().0).collect()
    };
    let (player, captain) = (official(101), official(77));
    for by in [&player, &captain] {
        assert_eq!(changed(&book, by), [2, 3, 4], "nobody has met them");
    }
    book.write(vec![Fact::RoundPublished(Box::new(draft.clone()))]);
    let own = draft.matches.iter().find(|it| it.players.contains(&Number(1))).expect("a match").players;
    let others: Vec<u32> = ALL.into_iter().filter(|it| !own.contains(&Number(*it))).collect();
    for by in [&player, &captain] {
        assert_eq!(changed(&book, by), others, "no board is laid yet");
        let [one, other] = own.map(|team| book.event.team(team).expect("a team").entrant.players[1]);
        for number in [one, other] {
            assert_eq!(book.event.not_own_entry(&[number], by), Err(Refusal::OwnGame));
        }
    }
}

/// What one may not write in the list of entries is not reached by an incident either.
#[test]
fn nobody_expels_whom_he_meets() {
    let mut book = swiss();
    book.begin_round().expect("paired");
    let other = opponent(&book, 2);
    let report = Report {
        number: 0,
        kind: IncidentKind::Disturbing,
        board: None,
        accused: Some(Number(other)),
        reporter: None,
        text: NOTE,
    };
    book.write(book.event.report_incident(&report).expect("noted"));
    let judge =
        |who: u32, role| Judge { official: official(who), roles: [role].into(), should_step_back: false };
    let ruled = |book: &Book, who: u32, sanction| {
        let ruling = Ruling { sanction, codes: None };
        book.event.rule_on_incident(1, ruling, &judge(who, Role::ChiefArbiter), NOTE)
    };
    assert_eq!(ruled(&book, 2, Sanction::Expulsion), Err(Refusal::OwnGame));
    assert!(ruled(&book, 2, Sanction::Warning).is_ok(), "it is no board of his");
    let (facts, role) = ruled(&book, 1000, Sanction::Expulsion).expect("he plays nowhere");
    book.write_as(account(1000), role, facts);
    let appeal = book.event.appeal_ruling(1, Number(other), NOTE, book.now).expect("he may");
    book.write(appeal);
    for ruling in [None, Some(Ruling { sanction: Sanction::Nothing, codes: None })] {
        let of_committee = |who| book.event.rule_on_appeal(1, ruling, &judge(who, Role::Committee), NOTE);
        assert_eq!(of_committee(2), Err(Refusal::OwnGame), "he would be given a win, or lose it");
        assert!(of_committee(3000).is_ok());
    }
}

#[test]
fn nobody_has_his_own_board_played_again_or_changes_a_pair_of_his() {
    let mut book = swiss();
    book.begin_round().expect("paired");
    book.play(|_, _| [ResultCode::ReplayOrdered; 2]);
    for (board, seat, _) in book.event.all_boards() {
        for number in ALL {
            let again = book.event.play_again(board, &official(number));
            assert_eq!(again == Err(Refusal::OwnGame), seat.players.contains(&Number(number)));
        }
    }
    let mut book = Book::running(settings("go", Format::Swiss { rounds: 3 }), 5);
    let draft = book.plan().expect("paired");
    let (free, board) = (draft.out[0].0, draft.boards[0].players);
    for edits in [PairingEdit::Swap(board[0], free), PairingEdit::Turn(1)] {
        let mut changed = draft.clone();
        edit(&mut changed, &[edits], "it suits me").expect("it can be");
        for number in 1..=5 {
            let own = book.event.not_own_pairs(&draft, &changed, &official(number));
            let has_part = board.contains(&Number(number))
                || (Number(number) == free && matches!(edits, PairingEdit::Swap(..)));
            assert_eq!(own == Err(Refusal::OwnGame), has_part, "{edits:?} by {number}");
        }
    }
    book.begin_round().expect("paired");
}

#[test]
fn nobody_settles_a_place_that_he_shares() {
    let ordinary = settings("go", Format::RoundRobin { cycles: Cycles::Single });
    let play_off = PlayOffSettings {
        places: 1,
        games: 2,
        time_control: "5m".parse().expect("a time"),
        rule_set: ordinary.game.rule_set.clone(),
        options: ordinary.game.options.clone(),
    };
    let entries = EntrySettings { max: 30, ..ordinary.entries };
    let mut book = Book::running(Settings { play_off: Some(play_off), entries, ..ordinary }, 4);
    while !book.event.has_no_more_rounds() {
        book.begin_round().expect("a round");
        // 1 and 2 draw with each other, and win else.
        book.play(|table, pair| {
            if pair.iter().all(|it| it.0 <= 2) { [ResultCode::Draw; 2] } else { by_number(table, pair) }
        });
    }
    let settled = |by| book.event.settle_ties(Ties::Lot, "a storm".to_owned(), &by).map(drop);
    for number in [1, 2] {
        assert_eq!(settled(official(number)), Err(Refusal::OwnGame));
    }
    let proxy = Official { represents: [member(1)].into(), ..official(3000) };
    assert_eq!(settled(proxy), Err(Refusal::OwnGame));
    assert_eq!((settled(official(3)), settled(official(3000))), (Ok(()), Ok(())));
}

/// Only who could rule in somebody's place has him step back: not who has ruled before.
#[test]
fn who_has_ruled_could_not_rule_on_the_appeal() {
    let mut book = swiss();
    book.begin_round().expect("paired");
    for (who, role) in [(2001, Role::Arbiter), (2002, Role::Deputy), (3000, Role::Committee)] {
        book.write(book.event.appoint(account(who), role).expect("appointed"));
    }
    let accused = Some(Number(1));
    let kind = IncidentKind::Disturbing;
    let report = Report { number: 0, kind, board: None, accused, reporter: None, text: NOTE };
    book.write(book.event.report_incident(&report).expect("noted"));
    let could = |book: &Book| book.event.who_could_rule(&book.event.incidents[0]);
    let all: BTreeSet<AccountId> = could(&book).into_iter().collect();
    assert_eq!(all, [1000, 2001, 2002].map(account).into());
    let judge = |who: u32, role: Role| Judge {
        official: official(who),
        roles: [role].into(),
        should_step_back: false,
    };
    let ruling = Ruling { sanction: Sanction::Warning, codes: None };
    let (facts, role) =
        book.event.rule_on_incident(1, ruling, &judge(2001, Role::Arbiter), NOTE).expect("ruled");
    book.write_as(account(2001), role, facts);
    assert_eq!(could(&book), [account(1000)], "the chief alone, on an appeal");
    book.write(book.event.appeal_ruling(1, Number(1), NOTE, book.now).expect("he may"));
    let (facts, role) =
        book.event.rule_on_appeal(1, None, &judge(1000, Role::ChiefArbiter), NOTE).expect("ruled");
    book.write_as(account(1000), role, facts);
    book.write(book.event.appoint(account(1000), Role::Committee).expect("appointed"));
    assert_eq!(could(&book), [account(3000)], "who was chief then has ruled");
}

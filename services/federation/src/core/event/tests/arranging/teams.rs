//! Boards of matches, each arranged by its own two, or all at one time.

use pairing::lineup::LineupLaw;

use super::{
    super::teams::{of_teams, running},
    *,
};

/// Two teams of three whose first round has begun.
fn of_two_teams(by_match: bool) -> Book {
    let mut arranging = arranging(EFFORT);
    arranging.by_match = by_match;
    let settings = of_teams(Format::Swiss { rounds: 3 }, 3, LineupLaw::FixedBoards);
    let mut book = running(Settings { arranging: Some(arranging), ..settings }, 2);
    let draft = book.plan().expect("paired");
    book.write(book.event.publish_round(draft.clone(), &draft).expect("published"));
    book.write(book.event.start_round_of_teams(1, &[]).expect("it starts"));
    book
}

fn board(table: u32) -> BoardId {
    BoardId { round: 1, table }
}

fn players(book: &Book, table: u32) -> [Number; 2] {
    book.event.players_at(board(table)).expect("a board")
}

#[test]
fn each_board_of_a_match_is_arranged_by_its_two_or_their_captains() {
    let mut book = of_two_teams(false);
    let [one, other] = players(&book, 2);
    let team = book.event.team_of(one);
    assert_eq!(book.event.side_of(board(2), Some(one), None), Ok(one));
    assert_eq!(book.event.side_of(board(2), None, team), Ok(one), "his captain speaks for him");
    assert_eq!(
        book.event.side_of(board(2), Some(players(&book, 1)[0]), None),
        Err(Unarrangeable::NotAtBoard.into())
    );
    let at = book.now + DAY * 3;
    book.write(book.event.propose_game(board(2), one, vec![at], book.now).expect("proposed"));
    book.write(book.event.accept_proposal(board(2), other, at, book.now).expect("accepted"));
    let agreed = [1, 2, 3].map(|table| state(&book, board(table)).postponed);
    assert_eq!(agreed, [None, Some(at), None]);
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn all_boards_of_a_match_begin_at_one_time_on_which_the_captains_agree() {
    let mut book = of_two_teams(true);
    let [one, other] = players(&book, 1);
    let teams = [one, other].map(|number| book.event.team_of(number));
    for table in 1..=3 {
        let [player, _] = players(&book, table);
        let refused = book.event.side_of(board(table), Some(player), None);
        assert_eq!(refused, Err(Unarrangeable::ByCaptains.into()), "{table}");
        let sides = teams.map(|team| book.event.side_of(board(table), None, team));
        assert_eq!(sides, [Ok(one), Ok(other)], "{table}: the first board stands for the match");
    }
    let at = book.now + DAY * 3;
    book.write(book.event.propose_game(board(3), one, vec![at], book.now).expect("proposed"));
    let mut left = book.clone();
    book.write(book.event.accept_proposal(board(2), other, at, book.now).expect("accepted"));
    assert!((1..=3).all(|table| state(&book, board(table)).postponed == Some(at)));
    book.pass_to(at);
    assert!((1..=3).all(|table| state(&book, board(table)).started == Some(at)));
    assert_eq!(book.verified().findings, vec![]);

    // A board that has its result takes no part in what the others agree on, not even the first.
    left.report(board(1), [ResultCode::Win, ResultCode::Loss], 9);
    left.write(left.event.accept_proposal(board(2), other, at, left.now).expect("accepted"));
    let agreed = [1, 2, 3].map(|table| state(&left, board(table)).postponed);
    assert_eq!(agreed, [None, Some(at), Some(at)]);
    assert_eq!(left.verified().findings, vec![]);
}

#[test]
fn the_team_whose_captain_has_tried_wins_every_board_of_the_match() {
    let mut book = of_two_teams(true);
    let [_, other] = players(&book, 1);
    let team = book.event.team_of(other);
    for _ in 0..2 {
        let at = book.now + DAY * 4;
        book.write(book.event.propose_game(board(1), other, vec![at], book.now).expect("proposed"));
        book.pass_to(book.now + DAY * 2);
    }
    book.pass_to(state(&book, board(1)).arrangement.as_ref().expect("arranged").deadline);
    for table in 1..=3 {
        let own = usize::from(book.event.team_of(players(&book, table)[0]) != team);
        let codes = state(&book, board(table)).result.as_ref().expect("it is decided").codes;
        assert_eq!(codes[own], ResultCode::ForfeitWin, "{table}");
    }
    let won = book.event.matches(&book.event.rounds[0])[0].result().expect("the match is decided");
    assert!(won.contains(&ResultCode::ForfeitWin), "{won:?}");
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn a_team_that_leaves_has_nothing_to_arrange() {
    let mut book = of_two_teams(true);
    let [one, other] = players(&book, 1);
    let at = book.now + DAY * 3;
    book.write(book.event.propose_game(board(1), one, vec![at], book.now).expect("proposed"));
    book.write(book.event.accept_proposal(board(1), other, at, book.now).expect("accepted"));
    let team = book.event.team_of(one).expect("a team");
    let status = Status::Withdrawn { after_round: 1 };
    let gone = book.event.change_team_status(TeamStatusChange { team, status, reason: None });
    book.write(gone.expect("it leaves"));
    book.pass_to(at + DAY);
    for table in 1..=3 {
        let codes = state(&book, board(table)).result.as_ref().expect("it is lost").codes;
        assert!(codes.contains(&ResultCode::ForfeitLoss) && state(&book, board(table)).started.is_none());
    }
    assert_eq!(book.verified().findings, vec![]);
}

//! Arenas (擂台赛) of two teams.

use super::*;

#[test]
fn in_an_arena_the_winner_stays() {
    let settings = of_teams(Format::Arena, 3, LineupLaw::FixedBoards);
    // The first of team 1 beats everybody.
    let book = played_out(running(settings.clone(), 2), by_number);
    assert_eq!(book.event.rounds.len(), 3);
    assert!(book.event.all_boards().all(|(_, board, _)| board.players.contains(&Number(1))));
    assert_eq!(book.places(), [(1, 1), (2, 2)]);
    // The last of team 2 beats everybody who has not met him, and a draw is played again.
    let mut book = running(settings, 2);
    let mut games = Vec::new();
    while let Ok(round) = publish(&mut book) {
        start(&mut book, round, &[]);
        let first = games.is_empty();
        book.play(|_, [one, other]| match () {
            () if first => [ResultCode::Draw; 2],
            () if one > other => [ResultCode::Win, ResultCode::Loss],
            () => [ResultCode::Loss, ResultCode::Win],
        });
        games.push(book.event.rounds.last().expect("a round").published.boards[0].players);
    }
    assert_eq!(games.len(), 4, "{games:?}");
    assert_eq!(games[1], [games[0][1], games[0][0]], "again, with colours the other way round");
    assert_eq!(book.places(), [(1, 2), (2, 1)]);
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn in_an_arena_both_are_out_when_neither_comes() {
    let mut book = running(of_teams(Format::Arena, 3, LineupLaw::FixedBoards), 2);
    let mut games = Vec::new();
    while let Ok(round) = publish(&mut book) {
        start(&mut book, round, &[]);
        let absent = games.is_empty();
        book.play(
            |board, players| {
                if absent { [ResultCode::DoubleForfeit; 2] } else { by_number(board, players) }
            },
        );
        games.push(book.event.rounds.last().expect("a round").published.boards[0].players);
    }
    assert!(games[1].iter().all(|player| !games[0].contains(player)), "{games:?}");
    assert_eq!(book.places(), [(1, 1), (2, 2)]);
    assert_eq!(book.verified().findings, vec![]);
}

/// What an official decides late of a game is of those who sat at it, and puts nobody else out.
#[test]
fn in_an_arena_a_late_decision_puts_out_who_has_lost() {
    let mut book = running(of_teams(Format::Arena, 3, LineupLaw::FixedBoards), 2);
    for _ in 0..2 {
        let round = publish(&mut book).expect("paired");
        start(&mut book, round, &[]);
        // 1 beats 4, and then 5.
        book.play(by_number);
    }
    let board = BoardId { round: 1, table: 1 };
    let [one, _] = book.event.find_board(board).expect("laid").1.players;
    let won = [ResultCode::Win, ResultCode::Loss];
    let codes = if one == Number(4) { won } else { [won[1], won[0]] };
    let decided = BoardResult::decided(codes, Reason::Arbiter);
    book.write(book.event.enter_result(board, decided, &official(2001), false).expect("decided"));
    let mut games = Vec::new();
    while let Ok(round) = publish(&mut book) {
        start(&mut book, round, &[]);
        book.play(by_number);
        let mut players = book.event.rounds.last().expect("a round").published.boards[0].players;
        players.sort_unstable();
        games.push(players.map(|it| it.0));
    }
    assert_eq!(games, [[2, 4], [2, 6]], "1 and 5 have lost, 4 has not");
    assert_eq!(book.places(), [(1, 1), (2, 2)]);
    assert_eq!(book.verified().findings, vec![]);
}

/// 1.11, 8: nothing of a team that is annulled counts, and the other is the first.
#[test]
fn an_annulled_team_has_won_no_arena_and_no_match_of_all_with_all() {
    for (format, line_up) in
        [(Format::Arena, LineupLaw::FixedBoards), (robin(Cycles::Single), LineupLaw::WholeTeam)]
    {
        let teams = if format == Format::Arena { 2 } else { 3 };
        let mut book = played_out(running(of_teams(format, 3, line_up), teams), by_number);
        assert_eq!(book.places()[0], (1, 1));
        let annul = TeamStatusChange { team: Number(1), status: Status::Annulled, reason: None };
        book.write(book.event.change_team_status(annul).expect("annulled"));
        let mut expected: Vec<(u32, u32)> = (2..=teams).map(|number| (number - 1, number)).collect();
        expected.push((0, 1));
        assert_eq!(book.places(), expected, "{format:?}");
        let table = book.event.table(book.event.next_round() - 1);
        assert_eq!(table.lines.last().map(|it| it.points), Some(0));
        let of_team = |number: Number| book.event.participant(number).and_then(|it| it.team);
        let own = table.players.iter().filter(|it| of_team(it.number) == Some(Number(1)));
        assert!(own.into_iter().all(|it| it.points == 0), "{format:?}");
        assert_eq!(book.verified().findings, vec![]);
    }
}

#[test]
fn a_team_that_comes_back_before_the_start_plays_the_arena() {
    let mut book = running(of_teams(Format::Arena, 2, LineupLaw::FixedBoards), 2);
    for status in [Status::Withdrawn { after_round: 0 }, Status::Active { from_round: 1 }] {
        let change = TeamStatusChange { team: Number(2), status, reason: None };
        book.write(book.event.change_team_status(change).expect("it leaves, and comes back"));
    }
    let book = played_out(book, by_number);
    assert_eq!(book.places(), [(1, 1), (2, 2)]);
}

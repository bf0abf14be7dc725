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

//! Each suspicion by hand, with what it is not.

use super::*;

/// How many players there are beside those who are looked at.
const OTHERS: Player = 60;

/// A pool in which everybody has played everybody, and the one of a larger number has won; every fortieth game was lost early.
fn pool() -> Vec<Game> {
    let pairs = (0..OTHERS).flat_map(|one| (one + 1..OTHERS).map(move |other| [one, other]));
    let game = |(number, players): (usize, [Player; 2])| {
        let ended = i64::try_from(number).expect("few");
        if number.is_multiple_of(40) {
            early(players, 1, ended)
        } else {
            played(players, Some(1 - number % 2), ended)
        }
    };
    pairs.enumerate().map(game).collect()
}

fn played(players: [Player; 2], winner: Option<usize>, ended: i64) -> Game {
    Game { ended, players, winner, expected: 0.5, acts: 200, ending: Ending::Played }
}

fn early(players: [Player; 2], winner: usize, ended: i64) -> Game {
    Game { acts: 20, ending: Ending::Resigned, ..played(players, Some(winner), ended) }
}

/// What is found of somebody with these games beside those of the pool: of each suspicion whether it is beyond its limit.
fn reported(games: impl IntoIterator<Item = Game>, player: Player) -> [bool; 3] {
    let all: Vec<Game> = pool().into_iter().chain(games).collect();
    let found = scrutinise(&all);
    let findings = &found[&player].findings;
    for finding in findings {
        assert!(finding.games.iter().all(|game| all[*game].players.contains(&player)), "{finding:?}");
        assert!(finding.games.is_sorted(), "{finding:?}");
    }
    findings.each_ref().map(Finding::is_suspicious)
}

/// The games of somebody new against one after another of the others: each says whether it is won, and whether early.
fn games(count: u32, of: impl Fn(u32) -> (bool, bool)) -> Vec<Game> {
    let game = |number: u32| {
        let (players, ended) = ([OTHERS, number % OTHERS], 10_000 + i64::from(number));
        match of(number) {
            (wins, true) => early(players, usize::from(!wins), ended),
            (wins, false) => played(players, Some(usize::from(!wins)), ended),
        }
    };
    (0..count).map(game).collect()
}

#[test]
fn who_plays_as_others_do_is_not_reported() {
    assert_eq!(reported([], 0), [false; 3]);
    assert_eq!(reported(games(200, |number| (number.is_multiple_of(2), false)), OTHERS), [false; 3]);
    // Now and then he gives up.
    assert_eq!(
        reported(games(200, |number| (number.is_multiple_of(2), number % 41 == 1)), OTHERS),
        [false; 3]
    );
    // The others give up against him, whoever they are.
    assert_eq!(
        reported(games(60, |number| (number.is_multiple_of(2), number.is_multiple_of(12))), OTHERS),
        [false; 3]
    );
}

#[test]
fn who_loses_early_out_of_nothing_is_reported() {
    let of = |number: u32| (number.is_multiple_of(2) && number % 7 != 1, number % 7 == 1);
    assert_eq!(reported(games(200, of), OTHERS), [true, false, false]);
}

#[test]
fn who_leaves_is_paused_and_not_reported() {
    let of = |number: u32| (number.is_multiple_of(2) && number % 7 != 1, number % 7 == 1);
    let left = games(200, of).into_iter().map(|game| match game.ending {
        Ending::Resigned => Game { ending: Ending::Left, ..game },
        Ending::Played | Ending::Left => game,
    });
    assert_eq!(reported(left, OTHERS), [false; 3]);
}

#[test]
fn who_loses_many_in_a_row_early_is_reported() {
    let of = |number: u32| {
        let in_streak = (100..108).contains(&number);
        (!in_streak && number.is_multiple_of(2), in_streak && number != 103)
    };
    let [_, streaks, company] = reported(games(200, of), OTHERS);
    assert!(streaks && !company);
    // The same number, one at a time after a game that he has won, are no streak.
    let apart = |number: u32| (number.is_multiple_of(2), number % 26 == 1);
    assert!(!reported(games(200, apart), OTHERS)[1]);
}

#[test]
fn temper_is_not_reported() {
    // Twice he has lost three in a row, and given up two of them.
    let of = |number: u32| {
        let in_run = number % 100 < 3;
        (!in_run && number.is_multiple_of(2), in_run && !number.is_multiple_of(100))
    };
    assert_eq!(reported(games(200, of), OTHERS), [false; 3]);
}

#[test]
fn both_are_reported_whose_games_end_early_with_each_other_alone() {
    let (one, other) = (OTHERS, OTHERS + 1);
    let own = games(100, |number| (number.is_multiple_of(2), false));
    let others =
        own.iter().map(|game| Game { players: [other, game.players[1]], ..*game }).collect::<Vec<_>>();
    let let_win = |count: i64| (0..count).map(|number| early([one, other], 1, 20_000 + number));
    let with = |count| own.iter().chain(&others).copied().chain(let_win(count)).collect::<Vec<_>>();
    assert!(reported(with(6), one)[2] && reported(with(6), other)[2]);
    assert!(!reported(with(1), one)[2], "once is nothing");
    assert!(!reported(with(6), 0)[2], "nor is it anything of others");
}

#[test]
fn friends_who_play_often_are_not_reported() {
    let (one, other) = (OTHERS, OTHERS + 1);
    // They are of unequal strength, and give up now and then.
    let friendly = (0..100).map(|number| match number % 25 {
        0 => early([one, other], 1, 20_000 + number),
        _ => played([one, other], Some(usize::from(number % 5 != 0)), 20_000 + number),
    });
    let own = games(100, |number| (number.is_multiple_of(2), number % 35 == 1));
    let all: Vec<Game> = own.into_iter().chain(friendly).collect();
    assert_eq!(reported(all.clone(), one), [false; 3]);
    assert_eq!(reported(all, other), [false; 3]);
}

#[test]
fn what_somebody_scores_otherwise_is_told() {
    let of = |number: u32| (number.is_multiple_of(3), number % 10 == 1);
    let all: Vec<Game> = pool().into_iter().chain(games(100, of)).collect();
    let found = &scrutinise(&all)[&OTHERS];
    // Of the hundred he has won 34; of the ten that ended early he has lost seven.
    assert_eq!((found.games, found.lost_early, found.others), (100, 7, (34.0, 46.5)));
}

#[test]
fn who_has_played_little_is_not_judged() {
    let few = games(29, |_| (false, true));
    let all: Vec<Game> = pool().into_iter().chain(few).collect();
    assert!(!scrutinise(&all).contains_key(&OTHERS));
    assert!(scrutinise(&[]).is_empty());
}

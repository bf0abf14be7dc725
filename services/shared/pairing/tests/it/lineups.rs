//! Line-ups of teams.

use pairing::{
    Number,
    lineup::{LineupError, LineupLaw, Roster, commitment, open},
};

fn numbers(numbers: &[u32]) -> Vec<Number> {
    numbers.iter().map(|it| Number(*it)).collect()
}

/// Five players, two of them reserves.
fn team() -> Roster {
    Roster::new(numbers(&[10, 20, 30]), numbers(&[40, 50])).expect("they are different players")
}

/// Every order of three of the five.
fn all_lineups() -> Vec<Vec<Number>> {
    let all = [10, 20, 30, 40, 50];
    let mut lineups = Vec::new();
    for a in all {
        for b in all.into_iter().filter(|b| *b != a) {
            lineups.extend(all.into_iter().filter(|c| ![a, b].contains(c)).map(|c| numbers(&[a, b, c])));
        }
    }
    lineups
}

#[test]
fn each_law_allows_what_its_reading_says() {
    let team = team();
    for lineup in all_lineups() {
        let rises = lineup.is_sorted();
        let is_first = lineup == numbers(&[10, 20, 30]);
        let allowed = |law| team.check(law, &lineup).is_ok();
        assert_eq!(allowed(LineupLaw::FixedBoards), is_first, "{lineup:?}");
        assert_eq!(allowed(LineupLaw::WholeTeam), is_first, "{lineup:?}");
        assert_eq!(allowed(LineupLaw::FixedBoardsSubs), rises, "{lineup:?}");
        assert!(allowed(LineupLaw::DeclaredBoards), "{lineup:?}");
        assert_eq!(team.check(LineupLaw::SumOfMembers, &lineup), Err(LineupError::NoBoards));
    }
}

#[test]
fn a_team_is_as_large_as_the_others_and_has_everybody_once() {
    let team = team();
    let refused = |lineup: &[u32]| team.check(LineupLaw::DeclaredBoards, &numbers(lineup)).unwrap_err();
    assert_eq!(refused(&[10, 20]), LineupError::Boards { boards: 3 });
    assert_eq!(refused(&[10, 20, 30, 40]), LineupError::Boards { boards: 3 });
    assert_eq!(refused(&[10, 20, 10]), LineupError::Twice(Number(10)));
    assert_eq!(refused(&[10, 20, 60]), LineupError::Stranger(Number(60)));
    let new = |players: &[u32], reserves: &[u32]| {
        Roster::new(numbers(players), numbers(reserves)).unwrap_err().reason()
    };
    assert_eq!([new(&[], &[]), new(&[1], &[2, 3, 4]), new(&[1, 2], &[2])], ["empty", "reserves", "twice"]);
}

#[test]
fn reserves_move_in_behind_and_everybody_keeps_the_order() {
    let team = team();
    for away in [&[][..], &[10], &[20, 30], &[40], &[10, 50]] {
        let lineup = team.without(&numbers(away)).unwrap();
        assert_eq!(team.check(LineupLaw::FixedBoardsSubs, &lineup), Ok(()), "{away:?}");
    }
    assert_eq!(team.without(&numbers(&[10])), Some(numbers(&[20, 30, 40])));
    assert_eq!(team.without(&numbers(&[10, 20, 30])), None);
}

#[test]
fn a_declared_lineup_is_hidden_and_cannot_be_changed() {
    let team = team();
    for lineup in all_lineups() {
        let handed_in = commitment(&[1; 32], &lineup);
        assert_eq!(open(&team, &handed_in, &[1; 32], &lineup), Ok(()));
        assert_eq!(open(&team, &handed_in, &[2; 32], &lineup), Err(LineupError::Opened));
        let mut other = lineup.clone();
        other.swap(0, 1);
        assert_eq!(open(&team, &handed_in, &[1; 32], &other), Err(LineupError::Opened));
    }
    let strangers = numbers(&[1, 2, 3]);
    let refused = open(&team, &commitment(&[1; 32], &strangers), &[1; 32], &strangers);
    assert_eq!(refused, Err(LineupError::Stranger(Number(1))));
}

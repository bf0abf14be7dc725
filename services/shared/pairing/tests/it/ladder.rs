//! Ladders and grades.

use pairing::{
    Colour, Entry, Number, Player, ResultCode, Status,
    grading::{GradeBy, Threshold, promoted},
    ladder::{self, LadderError},
};

#[test]
fn a_challenge_goes_upwards_and_within_reach() {
    let places = [1, 2, 3, 4].map(Number);
    let try_it = |a, b| ladder::challenge(&places, Number(a), Number(b), 2);
    assert_eq!(try_it(3, 1), Ok((2, 0)));
    assert_eq!(try_it(4, 1), Err(LadderError::OutOfReach(2)));
    assert_eq!((try_it(1, 3), try_it(2, 2)), (Err(LadderError::NotAbove), Err(LadderError::NotAbove)));
    assert_eq!(try_it(9, 1).map_err(LadderError::reason), Err("not_there"));
}

#[test]
fn a_challenge_that_is_not_won_changes_nothing() {
    let places = [1, 2, 3].map(Number);
    assert_eq!(ladder::settle(&places, Number(3), Number(1), 2, false), Ok(places.to_vec()));
    assert_eq!(ladder::settle(&places, Number(3), Number(1), 2, true), Ok([3, 1, 2].map(Number).to_vec()));
}

#[test]
fn who_reaches_the_threshold_is_promoted() {
    use ResultCode::{Draw, ForfeitWin, Loss, Win};
    let player = |number, codes: &[ResultCode]| {
        let mut player = Player::new(number);
        let games = (1..).zip(codes).map(|(round, code)| Entry::game(round, Number(9), Colour::First, *code));
        player.history = games.collect();
        player
    };
    let mut players =
        vec![player(1, &[Win, Win, Loss]), player(2, &[Win, Draw, Draw]), player(3, &[ForfeitWin, Win, Win])];
    let of = |players: &[Player], by, needed| {
        promoted(players, 3, 2, Threshold { by, needed }).iter().map(|it| it.0).collect::<Vec<u32>>()
    };
    assert_eq!(of(&players, GradeBy::Wins, 2), [1, 3]);
    assert_eq!(of(&players, GradeBy::Points, 4), [1, 2, 3]);
    players[2].states.push(Status::Annulled);
    assert_eq!(of(&players, GradeBy::Wins, 2), [1]);
}

//! MacMahon events.

use pairing::{
    Colour, Entry, Fraction, Number, Player, ResultCode, StandingsSettings, check, macmahon,
    standings::Sheet, swiss,
};

#[test]
fn strength_is_paired_with_strength_from_the_first_round() {
    let grades = [3, -4, 3, -4, 0, 0];
    let players = (1..).zip(grades).map(|(number, grade)| {
        let mut player = Player::new(number);
        player.start = macmahon::initial(grade, 3, -4);
        player
    });
    let mut input = swiss::Input::new(1, 3, players.collect());
    input.settings.first_round = pairing::FirstRound::Fold;
    let round = swiss::pair(&input).unwrap();
    assert_eq!(check::round(&input, &round), []);
    let pairs: Vec<_> = round.pairs.iter().map(|pair| pair.players.map(|it| it.0)).collect();
    assert_eq!(pairs, [[1, 3], [5, 6], [2, 4]]);
}

#[test]
fn a_round_without_an_opponent_adds_the_own_start() {
    let mut players: Vec<Player> = (1..=3).map(Player::new).collect();
    for (player, start) in players.iter_mut().zip([10, 8, 8]) {
        player.start = start;
    }
    players[0].history.push(Entry::game(1, Number(2), Colour::First, ResultCode::Win));
    players[1].history.push(Entry::game(1, Number(1), Colour::Second, ResultCode::Loss));
    players[2].history.push(Entry::bye(1, ResultCode::Pab));
    let settings = StandingsSettings::default();
    let table = macmahon::table(&Sheet { players: &players, rounds: 1, settings: &settings, seed: [0; 32] });
    let numbers: Vec<_> =
        table.iter().map(|line| (line.number.0, line.place, line.criteria[0].value)).collect();
    let value = |value| Fraction::from_integer(value);
    assert_eq!(numbers, [(1, Some(1), value(12)), (3, Some(2), value(10)), (2, Some(3), value(8))]);
    assert_eq!(table.iter().map(|line| line.criteria[1].value).collect::<Vec<_>>(), [8, 8, 12].map(value));
}

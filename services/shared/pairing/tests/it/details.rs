//! Details of the rules (1.10, 1.11) that are no choice of an event: what is worked out by hand stands beside each.

use pairing::{
    Colour, Duel, DuelState, Entry, FirstRound, Fraction, Number, Player, Relaxed, ResultCode,
    StandingsSettings, Status, check, macmahon,
    standings::{
        Cycles, Line, Sheet, individual,
        team::{self, Team, TeamMatch, TeamSheet},
        withdrawal,
    },
    swiss::{self, Input},
    whole,
};

fn field(players: u32) -> Vec<Player> {
    (1..=players).map(Player::new).collect()
}

/// A game with this score of `a`, who has the first colour.
fn game(players: &mut [Player], round: u16, a: u32, b: u32, score: usize) {
    let codes = [ResultCode::Loss, ResultCode::Draw, ResultCode::Win];
    let entry = |other, colour, code| Entry::game(round, Number(other), colour, code);
    players[a as usize - 1].history.push(entry(b, Colour::First, codes[score]));
    players[b as usize - 1].history.push(entry(a, Colour::Second, codes[2 - score]));
}

/// `a` wins without a game.
fn forfeit(players: &mut [Player], round: u16, a: u32, b: u32) {
    for (number, other, code) in [(a, b, ResultCode::ForfeitWin), (b, a, ResultCode::ForfeitLoss)] {
        let entry = Entry { opponent: Some(Number(other)), ..Entry::bye(round, code) };
        players[number as usize - 1].history.push(entry);
    }
}

fn robin(players: &[Player], rounds: u16) -> Vec<Line> {
    let settings = StandingsSettings::default();
    individual::round_robin(&Sheet { players, rounds, settings: &settings, seed: [0; 32] }, Cycles::Single)
}

fn swiss_table(players: &[Player], rounds: u16) -> Vec<Line> {
    let settings = StandingsSettings::default();
    individual::swiss(&Sheet { players, rounds, settings: &settings, seed: [0; 32] })
}

fn line(table: &[Line], number: u32) -> &Line {
    table.iter().find(|line| line.number == Number(number)).expect("everybody has a line")
}

fn place(table: &[Line], number: u32) -> Option<u32> {
    line(table, number).place
}

/// 1.10, 5, and the table of section 1.7: points and games of seven rounds, of which A is no more than 1.
#[test]
fn adjusted_points_are_at_most_one_for_a_round() {
    for (points, games, adjusted) in
        [(6, 4, (9, 1)), (2, 4, (7, 2)), (1, 3, (7, 3)), (0, 0, (0, 1)), (8, 4, (11, 1))]
    {
        let expected = Fraction::new(adjusted.0, adjusted.1);
        assert_eq!(withdrawal::adjusted(points, points, games, 7 - games), expected, "{points} in {games}");
    }
}

/// 1.10, 10: one warning in one game is as much as one in three. Everybody but 7 has three points of three rounds, and 7
/// has six, so that every opponent has half of the highest score and every bonus is 0.
#[test]
fn warnings_are_counted_and_not_weighed_by_games() {
    let mut players = field(7);
    for (round, a, b) in [(1, 1, 2), (1, 3, 4), (2, 1, 3), (2, 2, 4), (3, 1, 4), (3, 5, 6)] {
        game(&mut players, round, a, b, 1);
    }
    for (round, number) in [(1, 5), (2, 5), (1, 6), (2, 6), (3, 2), (3, 3)] {
        players[number - 1].history.push(Entry::bye(round, ResultCode::ByeHalf));
    }
    players[6].history = (1..=3).map(|round| Entry::bye(round, ResultCode::ByeFull)).collect();
    // 1 has played three games, 5 one.
    players[0].warnings = 1;
    players[4].warnings = 1;
    let table = swiss_table(&players, 3);
    assert_eq!([7, 2, 3, 4, 6, 1, 5].map(|it| place(&table, it)), [1, 2, 2, 2, 2, 6, 6].map(Some));
}

/// 1.10, 11: equal totals of a Swiss are not parted by A. 1 and 2 have 2 points each of the same opponents, 3 with two points
/// and 4 with none; 1 has beaten 3, and 2 has beaten 4. A would be 2 and 0.
#[test]
fn in_a_swiss_equal_totals_stay_equal_whomever_they_have_beaten() {
    let mut players = field(4);
    game(&mut players, 1, 1, 3, 2);
    game(&mut players, 1, 2, 4, 2);
    game(&mut players, 2, 4, 1, 2);
    game(&mut players, 2, 3, 2, 2);
    // All have two points.
    let table = swiss_table(&players, 2);
    assert_eq!(table.iter().map(|line| line.place).collect::<Vec<_>>(), [Some(1); 4]);
    // 3 beats 4 in a third round, which 1 and 2 spend without a point.
    game(&mut players, 3, 3, 4, 2);
    let table = swiss_table(&players, 3);
    assert_eq!(line(&table, 1).criteria[0], line(&table, 2).criteria[0]);
    assert_eq!(place(&table, 1), place(&table, 2));
}

/// 1.10, 28: of three games, more than three points.
#[test]
fn best_of_three_takes_more_than_three_points() {
    use ResultCode::{Draw, Loss, Win};
    let duel = Duel { games: 3, play_all: false, opening_colour: Colour::First };
    let [won, drawn, lost] = [[Win, Loss], [Draw, Draw], [Loss, Win]];
    assert_eq!(duel.state(&[won, won]), DuelState::Won { first: true });
    // Three points of two games are not more than three, and four of three are.
    assert!(matches!(duel.state(&[won, drawn]), DuelState::Running { game: 3, .. }));
    assert_eq!(duel.state(&[won, drawn, drawn]), DuelState::Won { first: true });
    assert_eq!(duel.state(&[won, drawn, lost]), DuelState::Level);
    // What both have lost nobody has won, whoever stands first.
    let by_both = [Loss, Loss];
    assert!(matches!(duel.state(&[by_both, by_both]), DuelState::Running { game: 3, .. }));
    assert_eq!(duel.state(&[by_both, by_both, won]), DuelState::Won { first: true });
    assert_eq!(duel.state(&[by_both; 3]), DuelState::Level);
}

/// 1.11, 4: what somebody won by forfeit counts in A of who has beaten him, and a forfeit win makes one beaten.
#[test]
fn in_a_forfeits_are_points_and_make_beaten_opponents() {
    let mut players = field(4);
    game(&mut players, 1, 1, 2, 2);
    forfeit(&mut players, 1, 3, 4);
    forfeit(&mut players, 2, 1, 3);
    forfeit(&mut players, 2, 2, 4);
    let table = robin(&players, 2);
    // 1 has beaten 2, who has 2 points by forfeit, and 3, who has 2, too.
    assert_eq!(line(&table, 1).criteria[1].explain(), "2 + 2 = 4");
}

/// 1.11, 6: in a round robin who left ranks by what he has, before one with fewer points who stayed.
#[test]
fn who_leaves_a_round_robin_late_ranks_like_anybody() {
    let mut players = field(4);
    game(&mut players, 1, 1, 4, 2);
    game(&mut players, 1, 2, 3, 1);
    game(&mut players, 2, 1, 2, 2);
    game(&mut players, 2, 3, 4, 1);
    players[0].states.push(Status::Withdrawn { after_round: 2 });
    game(&mut players, 3, 2, 4, 1);
    // 1 has 4 points; 3 has two, and two for the game that 1 did not play; 2 has 2 and 4 has 2. 3 has beaten 1 without a
    // game: A is 4 + (2 + 2)/2 = 6, that of 1 is 2 + 2 = 4.
    let table = robin(&players, 3);
    assert_eq!([1, 2, 3, 4].map(|it| place(&table, it)), [2, 3, 1, 3].map(Some));
    assert_eq!(line(&table, 3).criteria[1].value, whole(6));
}

/// 1.11, 7: the free round of an odd number is no pairing bye; games against one who is void count as played for another's
/// half.
#[test]
fn voided_games_are_games_when_another_leaves() {
    let mut players = field(5);
    // Five rounds: half is three. 1 leaves after two, and is void. 2 has played him and two others, and stands.
    game(&mut players, 1, 1, 2, 2);
    game(&mut players, 1, 3, 4, 2);
    players[4].history.push(Entry::bye(1, ResultCode::ByeZero));
    game(&mut players, 2, 2, 3, 2);
    game(&mut players, 2, 1, 5, 2);
    players[0].states.push(Status::Withdrawn { after_round: 2 });
    game(&mut players, 3, 2, 4, 2);
    players[1].states.push(Status::Withdrawn { after_round: 3 });
    let table = robin(&players, 5);
    assert_eq!(place(&table, 1), None);
    assert!(place(&table, 2).is_some());
    // 5 has nothing of his free round and of the void game, and two points of the game that 2 did not play.
    assert_eq!([2, 3, 4, 5].map(|it| line(&table, it).points), [4, 2, 0, 2]);
}

/// 1.11, 8, in every format: 1, who has beaten 2, is annulled.
#[test]
fn an_annulled_player_is_nowhere_in_any_table() {
    let mut players = field(4);
    game(&mut players, 1, 1, 2, 2);
    game(&mut players, 1, 3, 4, 2);
    game(&mut players, 2, 1, 3, 2);
    game(&mut players, 2, 2, 4, 2);
    players[0].states.push(Status::Annulled);
    let settings = StandingsSettings::default();
    let sheet = Sheet { players: &players, rounds: 2, settings: &settings, seed: [0; 32] };
    for table in [individual::swiss(&sheet), macmahon::table(&sheet), robin(&players, 2)] {
        assert_eq!(line(&table, 1).place, None);
        assert_eq!([1, 2, 3, 4].map(|it| line(&table, it).points), [0, 2, 2, 0]);
    }
    let won = |round, opponent, code| TeamMatch {
        round,
        opponent: Some(Number(opponent)),
        boards: vec![code],
        bye: None,
    };
    let states =
        |number| if number == 1 { vec![Status::Annulled] } else { vec![Status::Active { from_round: 1 }] };
    let teams: Vec<Team> = [
        vec![won(1, 2, ResultCode::Win), won(2, 3, ResultCode::Win)],
        vec![won(1, 1, ResultCode::Loss)],
        vec![won(2, 1, ResultCode::Loss)],
    ]
    .into_iter()
    .zip(1..)
    .map(|(matches, number)| Team { number: Number(number), states: states(number), matches })
    .collect();
    let sheet =
        TeamSheet { teams: &teams, rounds: 2, boards: 1, games: 1, settings: &settings, seed: [0; 32] };
    for table in [team::swiss(&sheet), team::round_robin(&sheet, Cycles::Single)] {
        assert_eq!((line(&table, 1).place, line(&table, 1).points), (None, 0));
    }
}

/// 1.11, 10: forfeits on both sides are 0–0, and a loss for both.
#[test]
fn a_match_that_neither_team_played_is_lost_by_both() {
    let boards = [ResultCode::DoubleForfeit; 3];
    assert_eq!(team::match_code(&boards), ResultCode::DoubleForfeit);
    assert_eq!(ResultCode::DoubleForfeit.points(2), 0);
    // One board that was played makes it a match, which nobody won by forfeit.
    assert_eq!(team::match_code(&[ResultCode::DoubleForfeit, ResultCode::Draw]), ResultCode::Draw);
}

fn event(players: Vec<Player>, round: u16, rounds: u16) -> Input {
    let mut event = Input::new(round, rounds, players);
    event.settings.first_round = FirstRound::Fold;
    event
}

/// 1 before 2, who are alone in round 4 and must meet; both drew in rounds 2 and 3 with somebody who has left since: 1 went
/// down to him or not, and 2 up.
fn after_floats(down: [bool; 2], up: [bool; 2]) -> Vec<Player> {
    let mut players = field(2);
    players[0].start = 10;
    for (number, floats, far) in [(1_u32, down, 0), (2, up, 40)] {
        for (round, floated) in (2..).zip(floats) {
            let player = &mut players[number as usize - 1];
            let mut stranger = Player::new(8 * number + u32::from(round));
            stranger.start = if floated { far } else { player.points(2) + player.start };
            stranger.states.push(Status::Withdrawn { after_round: 3 });
            for (one, other) in [(&mut *player, stranger.number), (&mut stranger, Number(number))] {
                let colourless = Entry::bye(round, ResultCode::Draw);
                one.history.push(Entry { opponent: Some(other), ..colourless });
            }
            players.push(stranger);
        }
    }
    players.sort_by_key(|player| player.number);
    players
}

/// 1.11, 13: a float in the same direction weighs 2 after the last round and 1 after that before, and 3 after both; whoever
/// goes up counts as well as who goes down.
#[test]
fn repeated_floats_weigh_two_and_one_and_count_for_both() {
    for (down, up, weight) in [
        ([false, false], [false, false], 0),
        ([true, false], [false, false], 1),
        ([false, true], [false, false], 2),
        ([true, true], [false, false], 3),
        ([false, false], [false, true], 2),
        ([true, true], [true, true], 6),
    ] {
        let event = event(after_floats(down, up), 4, 5);
        let round = swiss::pair(&event).expect("it can be paired");
        assert_eq!(check::round(&event, &round), []);
        let floats: u64 = round.pools.iter().map(|pool| pool.tiers.floats).sum();
        assert_eq!(floats, weight, "{down:?} {up:?}");
    }
}

/// 1.11, 16: colours of the same round are compared, and not those of the same game.
#[test]
fn the_last_round_with_different_colours_is_one_in_which_both_had_one() {
    use Colour::{First, Second};
    let mut players = field(4);
    // Both had each colour twice and are due the first. 1 was away in round 2 and 2 in round 4, when the others met 3 and 4;
    // they differed in round 1 alone, where 2 had the first. By games it would be the second of four, where 1 had it.
    for (number, games) in [
        (1, [(1, Second, 2), (3, First, 2), (4, First, 4), (5, Second, 2)]),
        (2, [(1, First, 1), (2, Second, 3), (3, First, 1), (5, Second, 1)]),
        (3, [(2, First, 2); 4]),
        (4, [(4, Second, 1); 4]),
    ] {
        let games = &games[..if number > 2 { 1 } else { 4 }];
        let entry = |(round, colour, other): &(u16, Colour, u32)| {
            Entry::game(*round, Number(*other), *colour, ResultCode::Draw)
        };
        players[number - 1].history = games.iter().map(entry).collect();
    }
    for gone in &mut players[2..] {
        gone.states.push(Status::Withdrawn { after_round: 5 });
    }
    let mut event = event(players, 6, 9);
    event.settings.relaxed = Relaxed::Rematches;
    let round = swiss::pair(&event).expect("it can be paired");
    assert_eq!(round.pairs[0].by_colour(), Some((Number(1), Number(2))));
}

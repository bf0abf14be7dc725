//! Each format from the first round to the last table.

use pairing::{Number, ResultCode, Status, grading::GradeBy, standings::Cycles};

use super::*;

fn played_out(mut book: Book, outcome: impl Fn(u32, [Number; 2]) -> [ResultCode; 2] + Copy) -> Book {
    loop {
        match book.begin_round() {
            Ok(()) => book.play(outcome),
            Err(Unpaired::NoMoreRounds) => break,
            Err(error) => panic!("{error}"),
        }
        assert!(book.event.next_round() < 120, "it does not end");
    }
    assert_eq!(book.verified().findings, vec![]);
    book
}

/// How often each pair met, and who.
fn meetings(book: &Book) -> std::collections::BTreeMap<[Number; 2], usize> {
    let mut met = std::collections::BTreeMap::new();
    for (_, board, _) in book.event.all_boards() {
        let mut pair = board.players;
        pair.sort_unstable();
        *met.entry(pair).or_insert(0) += 1;
    }
    met
}

#[test]
fn in_a_round_robin_all_meet_all() {
    for players in 3..=9 {
        for (cycles, times) in [(Cycles::Single, 1), (Cycles::Double, 2)] {
            let book = Book::running(settings("jiu", Format::RoundRobin { cycles }), players);
            let book = played_out(book, by_number);
            let met = meetings(&book);
            assert_eq!(met.len(), (players * (players - 1) / 2) as usize);
            assert!(met.values().all(|it| *it == times));
            let places: Vec<(u32, u32)> = (1..=players).map(|place| (place, place)).collect();
            assert_eq!(book.places(), places, "the lower number wins, {players} players");
        }
    }
}

/// Art. 29.2: of seven rounds three are less than half, and four are not.
#[test]
fn who_leaves_a_round_robin_before_its_half_was_never_there() {
    for (left_after, void) in [(3, true), (4, false)] {
        let mut book = Book::running(settings("go", Format::RoundRobin { cycles: Cycles::Single }), 8);
        for _ in 0..left_after {
            book.begin_round().expect("paired");
            book.play(by_number);
        }
        book.change(1, Status::Withdrawn { after_round: left_after }).expect("he leaves");
        let book = played_out(book, by_number);
        let table = book.event.table(7);
        let first = table.lines.iter().find(|line| line.number == Number(1)).expect("his line");
        assert_eq!(first.place.is_none(), void, "left after {left_after}");
        let second = table.lines.iter().find(|line| line.number == Number(2)).expect("his line");
        // He beats everybody else; of number 1 he gets a win only where the results stand and they have not met.
        let met = meetings(&book).contains_key(&[Number(1), Number(2)]);
        let from_first = if void || met { 0 } else { 2 };
        assert_eq!(second.points, 12 + from_first);
    }
}

/// Art. 29.2 and 1.10, 21: the half of a double round robin is reckoned of both cycles. Who leaves between them has played
/// three of six rounds: what he played stands, and each of the others has won the second game against him.
#[test]
fn who_leaves_between_two_cycles_loses_the_second_one() {
    for (left_after, points) in [(3, [6, 10, 6, 2]), (2, [0, 8, 4, 0])] {
        let mut book = Book::running(settings("go", Format::RoundRobin { cycles: Cycles::Double }), 4);
        for _ in 0..left_after {
            book.begin_round().expect("paired");
            book.play(by_number);
        }
        book.change(1, Status::Withdrawn { after_round: left_after }).expect("he leaves");
        let book = played_out(book, by_number);
        let table = book.event.table(6);
        let line = |number: u32| table.lines.iter().find(|it| it.number == Number(number)).expect("his line");
        assert_eq!([1, 2, 3, 4].map(|it| line(it).points), points, "left after {left_after}");
        assert_eq!(line(1).place.is_none(), left_after == 2, "left after {left_after}");
    }
}

#[test]
fn a_knock_out_has_one_champion() {
    for lives in [1, 2] {
        for players in 2..=17 {
            let book =
                Book::running(settings("go", Format::KnockOut { lives, third_place: lives == 1 }), players);
            let book = played_out(book, by_number);
            let places = book.places();
            assert_eq!(
                places.iter().filter(|(place, _)| *place == 1).collect::<Vec<_>>(),
                [&(1, 1)],
                "{lives} {players}"
            );
            assert!(places.iter().all(|(place, _)| *place > 0), "everybody has a place: {places:?}");
            assert_eq!(places[1], (2, 2), "{lives} lives, {players} players: {places:?}");
            if lives == 1 && players >= 4 {
                assert_eq!(places[2..4], [(3, 3), (4, 4)], "the third place is played for: {places:?}");
            }
            let lost = |number: u32| {
                let boards = book.event.all_boards();
                let lost = |board: &Board, state: &BoardState| {
                    let side = board.players.iter().position(|it| it.0 == number);
                    let code = side.and_then(|side| state.result.as_ref().map(|it| it.codes[side]));
                    board.place != Some(crate::core::event::plan::THIRD_PLACE)
                        && code == Some(ResultCode::Loss)
                };
                boards.filter(|(_, board, state)| lost(board, state)).count()
            };
            assert!((2..=players).all(|number| lost(number) == usize::from(lives)), "{lives} {players}");
        }
    }
}

#[test]
fn a_drawn_board_of_a_knock_out_is_played_again() {
    let mut book = Book::running(settings("go", Format::KnockOut { lives: 1, third_place: false }), 4);
    book.begin_round().expect("paired");
    let board = BoardId { round: 1, table: 1 };
    let game = book.event.game(board);
    book.play(|table, players| if table == 1 { [ResultCode::Draw; 2] } else { by_number(table, players) });
    assert_eq!(book.plan(), Err(Unpaired::Undecided(1)));
    book.write(book.event.play_again(board, &official(1000)).expect("a draw decides nothing"));
    assert_ne!(book.event.game(board), game, "another game");
    assert_eq!(book.plan(), Err(Unpaired::Incomplete(1)));
    // The first game is not the board's any more.
    let sequence = book.event.sequence;
    let left_behind = book.event.board_of_game(game.expect("a game")).expect("known");
    assert_eq!(left_behind, (board, false));
    assert_eq!(book.event.sequence, sequence);
    book.play(by_number);
    book.begin_round().expect("the final");
    assert!(
        book.event.play_again(BoardId { round: 2, table: 1 }, &official(1000)).is_err(),
        "nothing asks for it"
    );
}

#[test]
fn who_leaves_a_knock_out_loses_his_next_board() {
    let mut book = Book::running(settings("go", Format::KnockOut { lives: 1, third_place: false }), 4);
    book.begin_round().expect("paired");
    book.play(by_number);
    book.change(1, Status::Withdrawn { after_round: 1 }).expect("he leaves");
    book.begin_round().expect("the final");
    let (_, board, state) = book.event.all_boards().last().expect("a board");
    let result = state.result.as_ref().expect("it is decided as it begins");
    let left = board.players.iter().position(|it| *it == Number(1)).expect("he has his place");
    assert_eq!(result.codes[left], ResultCode::ForfeitLoss);
    assert_eq!(result.source, ResultSource::Departure);
    assert_eq!(book.plan(), Err(Unpaired::NoMoreRounds));
    assert_eq!(book.places()[0].0, 1);
    assert_ne!(book.places()[0].1, 1, "who stayed is the champion");
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn a_round_robin_has_no_more_rounds_than_its_chain_of_seeds() {
    for (cycles, most) in [(Cycles::Single, 100), (Cycles::Double, 50)] {
        let mut robin = settings("go", Format::RoundRobin { cycles });
        robin.entries.max = most;
        assert_eq!(robin.check(OffsetDateTime::UNIX_EPOCH), Ok(()));
        robin.entries.max = most + 1;
        let checked = robin.check(OffsetDateTime::UNIX_EPOCH);
        assert_eq!(checked.err().map(|bad| bad.field), Some("entries.max"));
    }
}

#[test]
fn a_match_of_two_ends_when_it_is_decided() {
    for (play_all, rounds) in [(false, 3), (true, 5)] {
        let book = Book::running(settings("go", Format::Match { games: 5, play_all }), 2);
        let book = played_out(book, by_number);
        assert_eq!(book.event.rounds.len(), rounds, "play_all {play_all}");
        let firsts: Vec<u32> = book.event.all_boards().map(|(_, board, _)| board.players[0].0).collect();
        assert!(firsts.windows(2).all(|pair| pair[0] != pair[1]), "colours alternate: {firsts:?}");
    }
}

#[test]
fn grades_play_among_themselves_and_promote() {
    let format = Format::Grading { rounds: 3, by: GradeBy::Wins, needed: 3 };
    let mut book = Book::open(settings("go", format));
    book.open_registration();
    for number in 1..=9 {
        book.enter(number).expect("he can enter");
        // Grades 3 and 1, in turn.
        if let Some(Fact::Entered(entrant)) = book.log.last_mut().map(|entry| &mut entry.fact) {
            entrant.grade = Some(if number % 2 == 0 { 3 } else { 1 });
        }
        book.event = Event::replay(book.id, &book.log).expect("a log");
    }
    book.begin_play();
    let book = played_out(book, by_number);
    for (_, board, _) in book.event.all_boards() {
        assert_eq!(board.players[0].0 % 2, board.players[1].0 % 2, "one grade at a table");
    }
    let table = book.event.table(3);
    assert_eq!(table.promoted, [Number(2), Number(1)], "who won three games, the higher grade first");
}

#[test]
fn mac_mahon_pairs_by_strength_and_bid_games_have_no_colours() {
    let format = Format::MacMahon { rounds: 3, bar: 3, floor: -10, reduction: 1, handicap_max: 9 };
    let mut book = Book::open(settings("go", format));
    book.open_registration();
    for number in 1..=8 {
        book.enter(number).expect("he can enter");
        if let Some(Fact::Entered(entrant)) = book.log.last_mut().map(|entry| &mut entry.fact) {
            entrant.grade = Some(if number <= 4 { 3 } else { -5 });
        }
        book.event = Event::replay(book.id, &book.log).expect("a log");
    }
    book.begin_play();
    book.begin_round().expect("paired");
    let strong = |number: Number| number.0 <= 4;
    let boards = &book.event.rounds[0].published.boards;
    assert!(boards.iter().all(|board| strong(board.players[0]) == strong(board.players[1])));
    assert!(boards.iter().all(|board| board.coloured));

    let mut tianyi = Book::running(settings("tianyi", Format::Swiss { rounds: 2 }), 4);
    tianyi.begin_round().expect("paired");
    assert!(tianyi.event.rounds[0].published.boards.iter().all(|board| !board.coloured));
}

/// 1.2, `MACMAHON`: the handicap is the difference of scores less the reduction; who has it has Black.
#[test]
fn the_weaker_of_a_mac_mahon_has_black_and_stones() {
    // Grades 3, 2, -2 and -5 with the bar at 3 and the floor at -10: 26, 24, 16 and 10 points, two for a won game.
    let grades = [3, 2, -2, -5];
    let format = Format::MacMahon { rounds: 3, bar: 3, floor: -10, reduction: 1, handicap_max: 4 };
    let mut book = Book::open(settings("go", format));
    book.open_registration();
    for (number, grade) in (1..).zip(grades) {
        book.enter(number).expect("he can enter");
        if let Some(Fact::Entered(entrant)) = book.log.last_mut().map(|entry| &mut entry.fact) {
            entrant.grade = Some(grade);
        }
        book.event = Event::replay(book.id, &book.log).expect("a log");
    }
    book.begin_play();
    book.begin_round().expect("paired");
    // 1 meets 2: one won game apart, less one is none. 3 meets 4: three apart, less one is two, for number 4.
    let of = |book: &Book, number: u32| {
        let laid = book.event.rounds.last().expect("a round").published.boards.clone();
        laid.into_iter().find(|board| board.players.contains(&Number(number))).expect("he plays")
    };
    assert_eq!((of(&book, 1).handicap, of(&book, 1).players.contains(&Number(2))), (0, true));
    assert_eq!((of(&book, 4).handicap, of(&book, 4).players), (2, [Number(4), Number(3)]));
    let board = BoardId { round: 1, table: of(&book, 4).table };
    let options = book.event.options_at(board);
    assert_eq!((options["handicap"].as_str(), options["komi"].as_str()), ("2", "0.5pt"));
    let even = BoardId { round: 1, table: of(&book, 1).table };
    assert_eq!(book.event.options_at(even)["handicap"], "0");
    // With stones it is rated where it is known what they are worth.
    assert!(book.event.is_rated_at(board) && book.event.is_rated_at(even));
    let mut small = book.event.clone();
    let changed = std::sync::Arc::make_mut(&mut small.settings);
    changed.game.options.insert("size".to_owned(), "13".to_owned());
    assert!(!small.is_rated_at(board) && small.is_rated_at(even));
    std::sync::Arc::make_mut(&mut small.settings).game.rated = false;
    assert!(!small.is_rated_at(even));

    // Who is given White over somebody stronger has no stones.
    let mut draft = PublishedRound::clone(&book.event.rounds[0].published);
    edit(&mut draft, &[PairingEdit::Turn(board.table)], "asked for").expect("colours can be turned");
    let before = Event::replay(book.id, book.log.iter().take(book.log.len() - 2)).expect("before the round");
    before.correct_handicaps(&mut draft);
    assert!(draft.boards.iter().all(|board| board.handicap == 0), "{:?}", draft.boards);

    // In even games colours are owed for colours that were had; those of handicaps are nobody's due.
    let players = book.event.players(2);
    let colours: Vec<bool> = players.iter().map(|it| it.history[0].assigned.is_some()).collect();
    assert_eq!(colours, [true, true, false, false]);
    book.play(by_number);
    played_out(book, by_number);
    for (variant, handicap_max, is_possible) in
        [("go", 9, true), ("go", 10, false), ("jirige", 0, true), ("jirige", 1, false)]
    {
        let format = Format::MacMahon { rounds: 3, bar: 3, floor: -10, reduction: 0, handicap_max };
        let checked = settings(variant, format).check(time::OffsetDateTime::UNIX_EPOCH);
        assert_eq!(checked.is_ok(), is_possible, "{variant} with {handicap_max}: {checked:?}");
    }
}

/// 1.2, `KOn`: out after three losses or more, without a bracket.
#[test]
fn a_knock_out_of_many_lives_has_one_champion() {
    for lives in [3, 4] {
        for players in [2, 3, 5, 8, 9] {
            let book = Book::running(settings("go", Format::KnockOut { lives, third_place: false }), players);
            let book = played_out(book, by_number);
            let places = book.places();
            // Who meets number 1 often is out early, so that the second place can be anybody's.
            assert_eq!(places[0], (1, 1), "{lives} lives, {players} players: {places:?}");
            assert!(places.iter().all(|(place, _)| *place > 0), "{places:?}");
            let table = book.event.table(book.event.next_round() - 1);
            let lost = |number: u32| {
                let boards = book.event.all_boards();
                boards
                    .filter(|(_, board, _)| {
                        board.players.iter().any(|it| it.0 < number)
                            && board.players.contains(&Number(number))
                    })
                    .count()
            };
            assert!((2..=players).all(|number| lost(number) == usize::from(lives)), "{lives} {players}");
            assert_eq!(table.lines.len(), players as usize);
            // Before the end nobody is the champion.
            let early = book.event.table(1);
            assert!(early.lines.iter().all(|line| line.place.is_none()), "{:?}", early.lines);
        }
    }
    let bad = settings("go", Format::KnockOut { lives: 6, third_place: false });
    assert!(bad.check(time::OffsetDateTime::UNIX_EPOCH).is_err());
}

#[test]
fn places_of_a_bracket_are_not_changed_by_hand() {
    for lives in [1, 3] {
        let mut book = Book::running(settings("go", Format::KnockOut { lives, third_place: false }), 4);
        let mut draft = book.plan().expect("paired");
        let [a, b] = [0, 1].map(|at| draft.boards[at].players[0]);
        let swapped = edit(&mut draft, &[PairingEdit::Swap(a, b)], "friends");
        assert!(matches!(swapped, Err(Refusal::Pairing(_))), "{swapped:?}");
        edit(&mut draft, &[PairingEdit::Turn(1)], "asked for").expect("colours can be turned");
        let facts = book.event.publish_round(draft.clone(), &draft).expect("it was just paired");
        book.write(facts);
        book.write(book.event.start_round(1).expect("it starts"));
        book.play(by_number);
        let book = played_out(book, by_number);
        assert_eq!(book.places()[0], (1, 1), "{lives} lives");
    }
}

#[test]
fn on_a_ladder_who_wins_takes_the_place() {
    let mut book =
        Book::running(settings("go", Format::Ladder { rounds: 3, reach: 3, answer_within: None }), 6);
    let numbers = |of: &[u32]| of.iter().copied().map(Number).collect::<Vec<_>>();
    let challenge =
        |book: &Book, one: u32, other: u32| book.event.challenge(Number(one), Number(other), false, book.now);
    assert_eq!(book.event.ladder(1), numbers(&[1, 2, 3, 4, 5, 6]));
    assert_eq!(book.plan(), Err(Unpaired::TooFew), "nobody has challenged anybody");
    for (one, other) in [(6, 2), (2, 6), (3, 3)] {
        assert!(matches!(challenge(&book, one, other), Err(Refusal::Challenge(_))), "{one} {other}");
    }
    assert_eq!(challenge(&book, 6, 9), Err(Refusal::UnknownNumber(Number(9))));
    book.write(challenge(&book, 5, 2).expect("three places"));
    assert!(challenge(&book, 4, 2).is_err(), "he is challenged already");
    book.write(challenge(&book, 4, 3).expect("one place"));
    book.begin_round().expect("two challenges");
    assert!(challenge(&book, 6, 1).is_err(), "the round is being played");
    // The challenger of the first board wins, that of the second does not.
    book.play(|_, [one, other]| {
        if one == Number(5) || other == Number(4) {
            [ResultCode::Win, ResultCode::Loss]
        } else {
            [ResultCode::Loss, ResultCode::Win]
        }
    });
    assert_eq!(book.event.ladder(2), numbers(&[1, 5, 2, 3, 4, 6]));
    assert_eq!(book.places()[..3], [(1, 1), (2, 5), (3, 2)]);
    book.enter(50).expect("before round 2");
    book.change(2, Status::Withdrawn { after_round: 1 }).expect("he leaves");
    assert_eq!(book.event.ladder(2), numbers(&[1, 5, 3, 4, 6, 7]));
    book.write(challenge(&book, 7, 3).expect("three places now"));
    book.begin_round().expect("a challenge");
    book.play(|_, _| [ResultCode::Draw; 2]);
    assert_eq!(book.event.ladder(3), numbers(&[1, 5, 3, 4, 6, 7]), "a draw changes nothing");
    assert!(book.verified().findings.is_empty());
    let mut swiss = Book::running(settings("go", Format::Swiss { rounds: 2 }), 4);
    assert!(matches!(challenge(&swiss, 2, 1), Err(Refusal::Challenge(_))));
    swiss.begin_round().expect("paired");
}

/// Art. 23.2: what both have lost is a point for neither, so that the match goes on.
#[test]
fn a_game_that_both_have_lost_decides_no_match() {
    for winner in [1, 2] {
        let mut book = Book::running(settings("go", Format::Match { games: 3, play_all: false }), 2);
        book.begin_round().expect("a game");
        book.play(|_, _| [ResultCode::Loss; 2]);
        for game in 2..=3 {
            book.begin_round().unwrap_or_else(|error| panic!("game {game}, {winner} has won: {error}"));
            book.play(|_, [one, _]| {
                if one == Number(winner) {
                    [ResultCode::Win, ResultCode::Loss]
                } else {
                    [ResultCode::Loss, ResultCode::Win]
                }
            });
        }
        assert_eq!(book.plan(), Err(Unpaired::NoMoreRounds));
        assert_eq!(book.places(), [(1, winner), (2, 3 - winner)]);
        assert_eq!(book.verified().findings, vec![]);
    }
}

/// 1.11, 8: who has won it all and is annulled leaves the first place to the other, whose games with him are void, too.
#[test]
fn an_annulled_winner_of_a_match_has_no_place() {
    let book = Book::running(settings("go", Format::Match { games: 5, play_all: true }), 2);
    let mut book = played_out(book, by_number);
    assert_eq!(book.places(), [(1, 1), (2, 2)]);
    book.change(1, Status::Annulled).expect("annulled");
    assert_eq!(book.places(), [(1, 2), (0, 1)]);
    assert!(book.event.table(5).lines.iter().all(|line| line.points == 0));
    // In the middle of it he has lost the game that runs, and whatever is laid after it.
    let mut book = Book::running(settings("go", Format::Match { games: 3, play_all: false }), 2);
    book.begin_round().expect("a game");
    book.change(1, Status::Annulled).expect("annulled");
    book.begin_round().expect("another");
    assert_eq!(book.plan(), Err(Unpaired::NoMoreRounds));
    assert_eq!(book.event.missing(Stage::Closing, book.now), []);
    assert_eq!(book.verified().findings, vec![]);
}

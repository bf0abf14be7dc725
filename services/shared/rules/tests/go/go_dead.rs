//! The suggestion of dead stones, measured against positions and games whose dead stones are known, and its laws.

use std::{collections::BTreeSet, io::Write as _};

use proptest::prelude::*;
use rules::{
    Game, RuleSet, Side,
    go::{GoGame, Position},
    goban::{
        Board, Colour, PassAlive, Point, Rules, Score as _, Setup, Size, canonical_chains, suggest_dead,
    },
};
use serde_json::Value;

use crate::{
    dice::Dice,
    go_records::{read, replay},
    index::{points, table},
    shared,
};

/// How many positions, how many of them are answered without a fault, and the same of their stones.
#[derive(Debug, Default)]
struct Agreement {
    positions: usize,
    whole: usize,
    stones: usize,
    /// Stones that are dead and were not suggested.
    missed: usize,
    /// Stones that were suggested and are not known to be dead.
    added: usize,
}

impl Agreement {
    fn add(&mut self, board: &Board, dead: &[Point], name: &str) {
        let (dead, suggested) = (chains(board, dead), chains(board, &suggest_dead(board, false)));
        let missed: Vec<_> = dead.difference(&suggested).collect();
        let added: Vec<_> = suggested.difference(&dead).collect();
        if missed.is_empty() && added.is_empty() {
            self.whole += 1;
        } else {
            tell(&format!("{name}: missed {missed:?}, added {added:?}"));
        }
        self.positions += 1;
        self.stones += Colour::BOTH.map(|colour| usize::from(board.count(colour))).iter().sum::<usize>();
        self.missed += missed.len();
        self.added += added.len();
    }
}

/// Figures that are worth a look also when they are good enough.
fn tell(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("standard error can be written");
}

fn chains(board: &Board, named: &[Point]) -> BTreeSet<Point> {
    named.iter().flat_map(|at| board.chain(*at)).collect()
}

fn board(rows: &str) -> Board {
    rows.parse::<Setup>().expect("a board of the tests").board().clone()
}

fn names(board: &Board, points: impl IntoIterator<Item = Point>) -> Vec<String> {
    points.into_iter().map(|at| at.name(board.rows())).collect()
}

/// Of the recorded games the areas were verified, so these dead stones are dead. The one fault is a fight in a corner
/// that both players left: of its two white groups and the black one between them none is suggested.
#[test]
fn go_dead_stones_of_recorded_games() {
    let Some(folder) = shared::folder() else { return };
    let folder = folder.join("records/go");
    let rows = |name: &str| table(&std::fs::read_to_string(folder.join(name)).expect("an index"));
    let mut agreement = Agreement::default();
    let verified = rows("index.csv").into_iter().filter(|row| row["score_verified"].starts_with("yes"));
    for row in verified {
        let position = replay(&read(&folder.join(&row["file"]))).expect("a legal game");
        agreement.add(position.board(), &points(&row["dead_stones"]), &row["file"]);
    }
    // What the machines that played these left on the board was alive.
    let agreed = rows("gnugo_selfplay/index.csv").into_iter().filter(|row| row["agree"] == "True");
    for row in agreed.filter(|row| folder.join(&row["file"]).is_file()) {
        let position = replay(&read(&folder.join(&row["file"]))).expect("a legal game");
        agreement.add(position.board(), &[], &row["file"]);
    }
    tell(&format!("recorded games: {agreement:?}"));
    assert_eq!((agreement.positions, agreement.stones), (56, 7479));
    assert!(agreement.whole >= 55, "{agreement:?}");
    assert!(agreement.missed <= 13 && agreement.added == 0, "{agreement:?}");
}

/// The same games turned, mirrored and with the colours exchanged. Each board has a chance of its own, so this says how
/// much of the agreement is luck.
#[test]
fn go_dead_stones_of_turned_games() {
    let Some(folder) = shared::folder() else { return };
    let folder = folder.join("records/go");
    let index = std::fs::read_to_string(folder.join("index.csv")).expect("an index");
    let mut agreement = Agreement::default();
    for row in table(&index).into_iter().filter(|row| row["score_verified"].starts_with("yes")) {
        let position = replay(&read(&folder.join(&row["file"]))).expect("a legal game");
        for turn in 1..16 {
            let board = turned(position.board(), turn);
            let last = board.rows().get() - 1;
            let dead: Vec<Point> =
                points(&row["dead_stones"]).iter().map(|at| moved(*at, last, turn)).collect();
            agreement.add(&board, &dead, &row["file"]);
        }
    }
    tell(&format!("turned games: {agreement:?}"));
    assert_eq!(agreement.positions, 15 * 40);
    assert!(agreement.whole * 100 >= agreement.positions * 96, "{agreement:?}");
    assert!(agreement.added * 5000 < agreement.stones, "{agreement:?}");
}

/// A square board after one of the sixteen changes that leave Go what it is: three bits for the eight symmetries,
/// one for the colours.
fn turned(board: &Board, turn: u8) -> Board {
    let mut after = Board::new(board.columns(), board.rows());
    for at in board.points() {
        if let Some(colour) = board.stone(at) {
            let colour = if turn & 8 == 0 { colour } else { colour.other() };
            after.put(moved(at, board.rows().get() - 1, turn), colour, |_, _| ());
        }
    }
    after
}

fn moved(at: Point, last: u8, turn: u8) -> Point {
    let (column, row) = (at.column(), at.row());
    let (column, row) = if turn & 1 == 0 { (column, row) } else { (row, column) };
    let column = if turn & 2 == 0 { column } else { last - column };
    let row = if turn & 4 == 0 { row } else { last - row };
    Point::new(column, row).expect("a point of the board")
}

/// The counts of the same games with the suggested stones off the board are the recorded ones.
#[test]
fn go_results_of_recorded_games_by_suggestion() {
    let Some(folder) = shared::folder() else { return };
    let folder = folder.join("records/go");
    let (mut games, mut right) = (0, 0);
    for index in ["index.csv", "gnugo_selfplay/index.csv"] {
        let rows = table(&std::fs::read_to_string(folder.join(index)).expect("an index"));
        for row in rows.into_iter().filter(|row| folder.join(&row["file"]).is_file()) {
            let flag = row.get("score_verified").or_else(|| row.get("agree"));
            if !flag.is_some_and(|flag| flag.starts_with("yes") || flag == "True") {
                continue;
            }
            let record = read(&folder.join(&row["file"]));
            let position = replay(&record).expect("a legal game");
            let score = position.score(&suggest_dead(position.board(), false)).frame();
            games += 1;
            right += usize::from(record.outcome.and_then(|outcome| outcome.score) == Some(score));
        }
    }
    tell(&format!("results: {right} of {games}"));
    assert!(games == 56 && right >= 55, "{right} of {games}");
}

/// Constructed positions, mostly with wide open areas. They name the stones that are dead by proof alone; all of
/// these are suggested. The others that are suggested there stand in atari or in the opponent's hands, but could be
/// saved by their owner's move, or are dead without a proof.
#[test]
fn go_dead_stones_of_the_worked_positions() {
    let Some(file) = positions() else { return };
    let mut agreement = Agreement::default();
    for entry in entries(&file).filter(|entry| entry.get("dead").is_some()) {
        let dead: Vec<Point> = list(&entry["dead"]).iter().map(point).collect();
        agreement.add(&entry_board(entry), &dead, text(&entry["id"]));
    }
    tell(&format!("worked positions: {agreement:?}"));
    assert_eq!((agreement.positions, agreement.missed), (14, 0));
    assert!(agreement.whole >= 5, "{agreement:?}");
    assert!(agreement.added * 20 < agreement.stones, "19 of 20 stones right: {agreement:?}");
}

/// What is alive for certain, by the grids of a strong engine. Three times more land is proved: the engine counts two
/// points out of touch with the walls as room for two eyes even where they lie side by side.
#[test]
fn go_certain_life_of_the_worked_positions() {
    let Some(file) = positions() else { return };
    let (mut grids, mut wider) = (0, 0);
    for entry in entries(&file).filter(|entry| entry.get("pass_alive_grid").is_some()) {
        let board = entry_board(entry);
        let alive = PassAlive::of(&board, entry["multiStoneSuicideLegal"] == true);
        let grid: String = list(&entry["pass_alive_grid"]).iter().map(text).collect();
        let mut more = false;
        for (at, wanted) in board.points().zip(grid.chars()) {
            let found = match alive.owner(at) {
                Some(Colour::Black) => 'X',
                Some(Colour::White) => 'O',
                None => '.',
            };
            assert!(wanted == '.' || found == wanted, "{}: {at:?}", entry["id"]);
            assert!(
                wanted == found || board.stone(at) != alive.owner(at),
                "{}: {at:?} is a wall",
                entry["id"]
            );
            more |= wanted != found;
        }
        grids += 1;
        wider += usize::from(more);
    }
    assert_eq!((grids, wider), (22, 3));
}

/// Seki with two shared liberties, with one and an eye each, and of a small chain with a large one.
#[test]
fn go_a_seki_is_alive() {
    let open = "...ox..../...ox..../...ox..../...ox..../...ox....";
    for rows in [
        format!("oxx.oox../oxx.oox../oxxxoox../ooooxxx../{open}"),
        format!("ox.x.o.ox/oxxxoooox/ooooxxxxx/...ox..../{open}"),
        format!("oxx.ox.../oxx.ox.../oxxxox.../ooooxx.../{open}"),
    ] {
        let board = board(&rows);
        assert_eq!(names(&board, suggest_dead(&board, false)), [""; 0], "{rows}");
    }
}

/// A group with one eye, one with an eye too large to spoil from outside alone, and a stone in enemy land.
#[test]
fn go_what_cannot_live_is_dead() {
    let open = "...ox..../...ox..../...ox..../...ox..../...ox....";
    for (rows, dead) in [
        (format!("oxxx.o.../o.xxoo.../oxxxooooo/ooooxxxxx/{open}"), vec!["B9"]),
        (format!("x.xox..../xxxox..../oooox..../...ox..../{open}"), vec!["A9"]),
        (format!("x..ox..../xxxox..../oooox..../...ox..../{open}"), vec!["A9"]),
        (format!("...ox..x./.x.ox..../...ox...o/...ox..../{open}"), vec!["B8", "J7"]),
    ] {
        let board = board(&rows);
        assert_eq!(names(&board, suggest_dead(&board, false)), dead, "{rows}");
    }
}

/// Boards on which playouts could last: full of chains with one eye each, of kos, of stones without order.
#[test]
fn go_adversarial_boards_are_answered() {
    // Of the largest multiple of the patterns.
    let side = usize::from(Size::MAX.get()) - 1;
    let draw = |stone: &dyn Fn(usize, usize) -> char| {
        let row = |row| (0..side).map(|column| stone(column, row)).collect::<String>();
        board(&(0..side).map(row).collect::<Vec<_>>().join("/"))
    };
    let rings = |column: usize, row: usize| match (column % 3, row % 3) {
        (1, 1) => '.',
        _ if (column / 3 + row / 3).is_multiple_of(2) => 'x',
        _ => 'o',
    };
    let kos =
        |column: usize, row: usize| [".xo.", "xo.o", ".xo.", "...."][row % 4].as_bytes()[column % 4] as char;
    let checks = |column: usize, row: usize| match (column + row) % 4 {
        0 => 'x',
        2 => 'o',
        _ => '.',
    };
    let patterns: [&dyn Fn(usize, usize) -> char; 4] = [&rings, &kos, &checks, &|_, _| '.'];
    for pattern in patterns {
        check_laws(&draw(pattern));
    }
}

/// In the agreement, and only there, the suggestion is an act of both sides, and taking it over ends the game.
#[test]
fn go_the_suggestion_is_an_act() {
    let text = "to-move: B; board: ..x.o/..xo./o.xoo/..xo./..xo.";
    let mut game = GoGame::from_text(&RuleSet::named("cn1988"), text).expect("a position");
    assert_eq!(game.suggestion(), None);
    for side in Side::BOTH {
        game.play(side, "pass").expect("a pass");
    }
    let act = game.suggestion().expect("a suggestion");
    assert_eq!(act, "dead A3");
    for side in Side::BOTH {
        game.play(side, &act).expect("the suggestion is legal");
    }
    assert_eq!(game.suggestion(), None);
    assert_eq!(game.outcome().and_then(|outcome| outcome.score.clone()).expect("a count").points, "B+0.5");
}

/// The laws of any board: the answer is of whole chains, once each, in order, and the same again; what is alive for
/// certain is not in it, and what is captive in its land is.
fn check_laws(board: &Board) {
    for suicide in [false, true] {
        let dead = suggest_dead(board, suicide);
        assert_eq!(dead, suggest_dead(board, suicide));
        let position =
            Position::from_setup(&board.to_string().parse().expect("it was one"), Rules::default());
        assert_eq!(canonical_chains(position.board(), &dead).as_ref(), Ok(&dead));
        let dead = chains(board, &dead);
        let alive = PassAlive::of(board, suicide);
        for at in board.points() {
            if let (Some(colour), Some(owner)) = (board.stone(at), alive.owner(at)) {
                assert_eq!(dead.contains(&at), colour != owner, "{at:?} of {board}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Games of random moves, stopped anywhere.
    #[test]
    fn go_suggestions_keep_their_laws(size in 5u8..14, seed: u64, moves in 0usize..300) {
        let size = Size::new(size).expect("a size");
        let mut board = Board::new(size, size);
        let mut dice = Dice(seed);
        for turn in 0..moves {
            let colour = Colour::BOTH[turn % 2];
            let legal = |at: &Point| board.consequence(*at, colour).is_some_and(|after| !after.suicide);
            let plays: Vec<Point> = board.points().filter(legal).collect();
            if !plays.is_empty() {
                board.put(dice.pick(&plays), colour, |_, _| ());
            }
        }
        check_laws(&board);
    }
}

fn positions() -> Option<Value> {
    let file = shared::folder()?.join("conformance/go/scored-positions.json");
    let text = std::fs::read_to_string(file).expect("the file can be read");
    Some(serde_json::from_str(&text).expect("the file is JSON"))
}

fn entries(file: &Value) -> impl Iterator<Item = &Value> {
    list(&file["areas"]).iter().chain(list(&file["rules"]))
}

fn entry_board(entry: &Value) -> Board {
    board(&list(&entry["board"]).iter().map(text).collect::<Vec<_>>().join("/"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn point(pair: &Value) -> Point {
    let number = |nth: usize| u8::try_from(pair[nth].as_u64().expect("a number")).expect("a small number");
    Point::new(number(0), number(1)).expect("a point")
}

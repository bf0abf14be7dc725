//! The worked positions of the shared material: ko scripts under three rules, areas and dead stones.

use rules::go::Position;
use rules::goban::{
    Board, Colour, Illegal, Move, Notice, Point, QuarterZi, Repetition, Rules, Score as _, Setup, Size,
};
use serde_json::Value;

use crate::shared;

struct Positions(Value);

fn positions() -> Option<Positions> {
    let file = shared::folder()?.join("conformance/go/scored-positions.json");
    let text = std::fs::read_to_string(file).expect("the file can be read");
    Some(Positions(serde_json::from_str(&text).expect("the file is JSON")))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn setup(entry: &Value) -> Setup {
    let rows: Vec<_> = list(&entry["board"]).iter().map(text).collect();
    let to_move = if entry["to_move"] == "W" { " w" } else { "" };
    format!("{}{to_move}", rows.join("/")).parse().expect("a board")
}

fn point(pair: &[Value]) -> Point {
    let number = |value: &Value| u8::try_from(value.as_u64().expect("a number")).expect("a small number");
    Point::new(number(&pair[0]), number(&pair[1])).expect("a point")
}

fn colour(value: &Value) -> Colour {
    if value == "B" { Colour::Black } else { Colour::White }
}

/// The play of a step, `None` for a pass.
fn play(step: &Value) -> (Colour, Option<Point>) {
    let play = list(&step["play"]);
    (colour(&play[0]), (play.len() == 3).then(|| point(&play[1..])))
}

#[test]
fn go_ko_scripts_without_suicide() {
    let Some(Positions(file)) = positions() else { return };
    let mut scripts = 0;
    for script in list(&file["ko"]).iter().filter(|script| script["suicide"] == false) {
        let repetition = match text(&script["koRule"]) {
            "SIMPLE" => Repetition::Simple,
            "POSITIONAL" => Repetition::Psk,
            "SITUATIONAL" => Repetition::Situational,
            other => panic!("no such rule: {other}"),
        };
        let rules = Rules { repetition, ..Rules::default() };
        let mut position = Position::from_setup(&setup(script), rules);
        let id = text(&script["id"]);
        for step in list(&script["steps"]) {
            let (side, at) = play(step);
            assert_eq!(position.to_move(), side, "{id}");
            position.play(at.map_or(Move::Pass, Move::Play)).unwrap_or_else(|fault| panic!("{id}: {fault}"));
            let Some(banned) = step.get("then_illegal_for_next") else { continue };
            let banned: Vec<_> = list(banned).iter().map(|pair| point(list(pair))).collect();
            for at in position.board().points() {
                let fault = position.check(Move::Play(at));
                let repeats = matches!(fault, Err(Illegal::Ko | Illegal::Repetition));
                assert_eq!(repeats, banned.contains(&at), "{id}: {at:?} after {step}");
            }
        }
        scripts += 1;
    }
    assert_eq!(scripts, 7);
}

/// The rules of 1988 forbid suicide; the engine does not, for the rules that will.
#[test]
fn go_ko_scripts_with_suicide_on_the_bare_engine() {
    let Some(Positions(file)) = positions() else { return };
    let mut scripts = 0;
    for script in list(&file["ko"]).iter().filter(|script| script["suicide"] == true) {
        let situational = script["koRule"] == "SITUATIONAL";
        let setup = setup(script);
        let mut board = setup.board().clone();
        let mut faced = vec![(board.clone(), setup.to_move())];
        for step in list(&script["steps"]) {
            let (side, at) = play(step);
            if let Some(at) = at {
                board.put(at, side, |_, _| ());
            }
            faced.push((board.clone(), side.other()));
            let Some(banned) = step.get("then_illegal_for_next") else { continue };
            let banned: Vec<_> = list(banned).iter().map(|pair| point(list(pair))).collect();
            for at in board.points().filter(|at| board.stone(*at).is_none()) {
                let mut after: Board = board.clone();
                after.put(at, side.other(), |_, _| ());
                let known = faced
                    .iter()
                    .any(|(known, to_move)| *known == after && (!situational || *to_move == side));
                assert_eq!(known, banned.contains(&at), "{}: {at:?} after {step}", script["id"]);
            }
        }
        scripts += 1;
    }
    assert_eq!(scripts, 2);
}

/// Eternal life and triple ko: noticed when the first position comes back, over when it is there thrice.
#[test]
fn go_long_cycles_end_with_the_third_occurrence() {
    let Some(Positions(file)) = positions() else { return };
    let mut cycles = 0;
    for script in list(&file["ko"]).iter().filter(|script| script.get("cycle_plies").is_some()) {
        for repetition in [Repetition::Cn1988, Repetition::Simple] {
            let length = usize::try_from(script["cycle_plies"].as_u64().expect("a number")).expect("small");
            let mut position = Position::from_setup(&setup(script), Rules { repetition, ..Rules::default() });
            for (turn, step) in (1..).zip(list(&script["steps"])) {
                assert_eq!(position.ending(), None);
                position.play(play(step).1.map_or(Move::Pass, Move::Play)).expect("a legal step");
                let times = u32::try_from(1 + turn / length).expect("small");
                let notice = (times > 1).then_some(Notice { occurrence: times, arbiter_asked: false });
                assert_eq!(position.notice(), notice, "turn {turn} of {}", script["id"]);
            }
            assert_eq!(position.turns(), 2 * length);
            assert_eq!(position.ending(), Some(&rules::go::Ending::CycleDraw));
        }
        cycles += 1;
    }
    assert_eq!(cycles, 2);
}

#[test]
fn go_areas_and_dead_stones() {
    let Some(Positions(file)) = positions() else { return };
    let rules = Rules { komi: QuarterZi(0), ..Rules::default() };
    let (mut plain, mut with_dead, mut grids) = (0, 0, 0);
    for entry in list(&file["areas"]).iter().chain(list(&file["rules"])) {
        let Some(wanted) = entry["white_minus_black"]["AREA/NONE"].as_f64() else { continue };
        let position = Position::from_setup(&setup(entry), rules);
        let white_minus_black = |dead: &[Point]| f64::from(-position.score(dead).margin.0) / 2.0;
        let id = text(&entry["id"]);
        if entry["plain_floodfill_agrees"]["AREA/NONE"] == true {
            assert!((white_minus_black(&[]) - wanted).abs() < 0.01, "{id}");
            plain += 1;
        }
        if entry["floodfill_after_removing_dead_agrees"]["AREA/NONE"] == true {
            let dead: Vec<_> = list(&entry["dead"]).iter().map(|pair| point(list(pair))).collect();
            assert!((white_minus_black(&dead) - wanted).abs() < 0.01, "{id} without {dead:?}");
            with_dead += 1;
        }
        let grid: String = list(&entry["owner_grid_none"]).iter().map(text).collect();
        let area = rules::goban::Area::of(position.board());
        let letter =
            |owner: Option<Colour>| owner.map_or('.', |owner| if owner == Colour::Black { 'X' } else { 'O' });
        let owners: Vec<_> = position.board().points().zip(grid.chars()).collect();
        // Where a stone is not its own, the grid has taken it off as dead.
        if owners
            .iter()
            .all(|(at, owner)| position.board().stone(*at).is_none_or(|own| letter(Some(own)) == *owner))
        {
            assert!(owners.iter().all(|(at, owner)| letter(area.owner(*at)) == *owner), "{id}");
            grids += usize::from(!grid.is_empty());
        }
    }
    assert!(grids >= 8, "{grids} grids");
    assert!(plain >= 20 && with_dead >= 10, "{plain} positions, {with_dead} with dead stones");
}

/// The 7 x 7 example of section 5 of the rules page: a black stone is dead, White has a point more.
#[test]
fn go_the_example_on_seven_lines() {
    let setup: Setup = ".X.XXO./.XXXO.O/..XOOOO/XXXXOXO/OOOXXXX/O.XOOXX/.OOOOOX".parse().unwrap();
    let position = Position::from_setup(&setup, Rules { komi: QuarterZi(0), ..Rules::default() });
    let dead = Point::parse("C2", Size::new(7).unwrap()).unwrap();
    let score = position.score(&[dead]);
    assert_eq!((score.black.to_string(), score.white.to_string()), ("24".to_owned(), "25".to_owned()));
    assert_eq!(score.frame().points, "W+1");
    let score = position.score(&[]);
    assert_eq!(
        (score.black.to_string(), score.white.to_string()),
        ("25 1/2".to_owned(), "23 1/2".to_owned())
    );
}

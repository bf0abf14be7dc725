//! Worked positions and recorded games of the shared material.

use rules::{
    go::{self, sgf},
    goban::{self, Colour, Point, Setup},
    jpd::{Act, HalfPoints, Illegal, Method, Move, Position, Rules, Terms},
};
use serde_json::Value;

use crate::{index, shared};

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn point(pair: &[Value]) -> Point {
    let number = |value: &Value| u8::try_from(value.as_u64().expect("a number")).expect("a small number");
    Point::new(number(&pair[0]), number(&pair[1])).expect("a point")
}

/// Without virtual stones article 32 is situational superko.
#[test]
fn jpd_situational_ko_scripts() {
    let Some(folder) = shared::folder() else { return };
    let text = std::fs::read_to_string(folder.join("conformance/go/scored-positions.json")).expect("a file");
    let file: Value = serde_json::from_str(&text).expect("the file is JSON");
    let mut scripts = 0;
    for script in list(&file["ko"]).iter().filter(|script| script["koRule"] == "SITUATIONAL") {
        let rows: Vec<_> = list(&script["board"]).iter().map(|row| row.as_str().expect("a row")).collect();
        let to_move = if script["to_move"] == "W" { " w" } else { "" };
        let setup: Setup = format!("{}{to_move}", rows.join("/")).parse().expect("a board");
        let mut position = Position::from_setup(&setup, Rules::default());
        for step in list(&script["steps"]) {
            let play = list(&step["play"]);
            let mv = if play.len() == 3 { Move::Play(point(&play[1..])) } else { Move::Pass };
            position.play(mv).unwrap_or_else(|fault| panic!("{}: {fault}", script["id"]));
            let Some(banned) = step.get("then_illegal_for_next") else { continue };
            let banned: Vec<_> = list(banned).iter().map(|pair| point(list(pair))).collect();
            for at in position.board().points() {
                let fault = position.check(Move::Play(at));
                let repeats = matches!(fault, Err(Illegal::ShapeAgain | Illegal::Go(goban::Illegal::Ko)));
                // Two of the scripts forbid suicide, and so do not say that it would repeat besides.
                let after = position.board().consequence(at, position.to_move());
                if script["suicide"] == false && after.is_some_and(|after| after.suicide) {
                    continue;
                }
                assert_eq!(repeats, banned.contains(&at), "{}: {at:?} after {step}", script["id"]);
            }
        }
        scripts += 1;
    }
    assert_eq!(scripts, 3);
}

/// Plays a record as a contest, every move of it paid for, and agrees on the dead stones. Where it goes on
/// after two passes, the neutral points are filled, which is paid for too.
fn settle(record: &rules::Record, dead: Vec<Point>) -> Result<Position, Illegal> {
    let start = go::Start::read(&record.rule_set).expect("the rules of a record that was read");
    let rules = Rules { disputes: Rules::DISPUTES_MAX, ..Rules::default() };
    let mut position = Position::from_setup(&start.setup, rules);
    let (width, height) = (position.board().columns(), position.board().rows());
    for act in &record.acts {
        let read = Act::parse(&act.text, width, height).expect("an act");
        let colour = Colour::of(act.side().expect("a player's act"));
        if position.agreement().is_some() {
            if read == Act::Pass {
                continue;
            }
            position.act(Colour::Black, &Act::Fill)?;
        }
        if colour != position.to_move() {
            position.play(Move::Pass)?;
        }
        position.act(colour, &read)?;
    }
    while position.agreement().is_none() {
        position.play(Move::Pass)?;
    }
    position.act(Colour::Black, &Act::Propose(Terms { dead, ..Terms::default() }))?;
    position.act(Colour::White, &Act::Accept(None))?;
    Ok(position)
}

#[test]
fn jpd_indexed_games_have_the_computed_difference() {
    let Some(folder) = shared::folder() else { return };
    let folder = folder.join("records/go");
    let index = std::fs::read_to_string(folder.join("index.csv")).expect("the index can be read");
    let mut checked = 0;
    for row in index::table(&index) {
        let (name, wanted) = (&row["file"], &row["jipingdian_black_minus_white_points_no_komi"]);
        if wanted.is_empty() {
            continue;
        }
        let bytes = std::fs::read(folder.join(name)).expect("the file can be read");
        let record = sgf::parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let dead = index::points(&row["dead_stones"]);
        let position = settle(&record, dead).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let score = position.ending().expect("an end").score;
        assert_eq!(HalfPoints(score.margin.0 + score.komi.0).to_string(), *wanted, "{name}");
        let settlement = position.settlement().expect("an end");
        for method in Method::ALL {
            assert_eq!(settlement.count(method).margin, score.margin, "{name}: {method:?}");
        }
        checked += 1;
    }
    assert_eq!(checked, 40);
}

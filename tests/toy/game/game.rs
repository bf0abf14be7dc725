use alloc::{borrow::ToOwned as _, boxed::Box, string::String, vec::Vec};

use super::{
    VARIANT,
    point::{LINES, Point, ROWS},
};
use crate::{
    ActError, ActErrorKind, Change, Effects, Game, Hint, Mark, OptionError, Outcome, Played, Reason, RuleSet,
    Running, SetupError, SetupText, Side, Stone, Verdict, Viewer,
};

#[derive(Clone, Debug)]
struct ThreeInARow {
    stones: [Option<Side>; 9],
    to_move: Side,
    last: Option<Point>,
    running: Running,
}

pub(super) fn start(rule_set: &RuleSet) -> Result<Box<dyn Game>, OptionError> {
    VARIANT.resolve(rule_set)?;
    Ok(Box::new(ThreeInARow::new(rule_set)))
}

pub(super) fn position(rule_set: &RuleSet, text: &str) -> Result<Box<dyn Game>, SetupError> {
    let setup = SetupText::read(text)?;
    setup.only(&["phase"])?;
    let mut game = ThreeInARow::new(rule_set);
    game.to_move = VARIANT.side_of(setup.to_move()?);
    let grid = setup.grid()?;
    let square = grid.len() == usize::from(LINES) && grid.iter().all(|row| row.len() == grid.len());
    if !square {
        return Err(SetupError::new("the board has three rows of three points"));
    }
    for (point, stone) in Point::all().zip(grid.into_iter().flatten()) {
        game.stones[point.index()] = stone.map(|colour| VARIANT.side_of(colour));
    }
    let [first, second] = Side::BOTH.map(|side| game.count(side));
    let ahead = usize::from(game.to_move == Side::Second);
    if first != second + ahead || game.has_ended() {
        return Err(SetupError::new("nobody comes to this position by playing"));
    }
    Ok(Box::new(game))
}

impl ThreeInARow {
    fn new(rule_set: &RuleSet) -> Self {
        let mut rule_set = rule_set.clone();
        if rule_set.id.is_empty() {
            VARIANT.rule_sets[0].id.clone_into(&mut rule_set.id);
        }
        let running = Running { variant: &VARIANT, rule_set, ply: 0, outcome: None };
        ThreeInARow { stones: [None; 9], to_move: Side::First, last: None, running }
    }

    fn count(&self, side: Side) -> usize {
        self.stones.iter().filter(|stone| **stone == Some(side)).count()
    }

    fn has_three(&self, side: Side) -> bool {
        ROWS.iter().any(|row| row.iter().all(|&point| self.stones[point] == Some(side)))
    }

    fn has_ended(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.has_three(side)) || self.stones.iter().all(Option::is_some)
    }

    fn ends_with(&self, mover: Side) -> Option<Outcome> {
        let verdict = if self.has_three(mover) { Verdict::Win(mover) } else { Verdict::Draw };
        let reason = match verdict {
            Verdict::Win(_) => Reason::Rule("three"),
            _ => Reason::NoMoves,
        };
        self.has_ended().then_some(Outcome { verdict, reason, score: None })
    }
}

impl Game for ThreeInARow {
    fn running(&self) -> &Running {
        &self.running
    }

    fn phase(&self) -> &'static str {
        "place"
    }

    fn on_clock(&self) -> Option<Side> {
        self.running.outcome.is_none().then_some(self.to_move)
    }

    fn play(&mut self, side: Side, text: &str) -> Result<Played, ActError> {
        match self.on_clock() {
            None => return Err(ActError::game_over()),
            Some(to_move) if to_move != side => return Err(ActError::not_your_turn()),
            Some(_) => {}
        }
        let point = Point::read(text)?;
        if self.stones[point.index()].is_some() {
            let refusal = ActError::illegal("OCCUPIED", "a stone stands there");
            return Err(ActError { kind: ActErrorKind::Occupied, ..refusal });
        }
        self.stones[point.index()] = Some(side);
        self.to_move = side.other();
        self.last = Some(point);
        self.running.ply += 1;
        self.running.outcome = self.ends_with(side);
        let placed = Change::Placed { at: point.into(), owner: side };
        let effects = Effects { changes: Vec::from([placed]), marks: self.marks(), ..Effects::default() };
        Ok(Played { text: point.name(), public: None, effects })
    }

    fn hints_in_turn(&self, _side: Side) -> Vec<Hint> {
        let free = |point: &Point| self.stones[point.index()].is_none();
        Point::all().filter(free).map(|point| Hint { text: point.name(), choices_left: 0 }).collect()
    }

    fn size(&self) -> (u8, u8) {
        (LINES, LINES)
    }

    fn stones(&self) -> Vec<Stone> {
        let stone = |point: Point| Some(Stone { at: point.into(), owner: self.stones[point.index()]? });
        Point::all().filter_map(stone).collect()
    }

    fn marks(&self) -> Vec<Mark> {
        self.last.iter().map(|&last| Mark { at: last.into(), kind: "last".into() }).collect()
    }

    fn facts(&self, _viewer: Viewer) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn hash(&self) -> u64 {
        let digit = |stone: &Option<Side>| stone.map_or(0, |side| 1 + side.index() as u64);
        let number = self.stones.iter().fold(1, |number, stone| number * 3 + digit(stone));
        number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

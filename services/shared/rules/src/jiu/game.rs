use alloc::borrow::Cow;

use super::{
    Board, Formation, Fourteen, Kind, LegalTurn, Options, PLACEMENT_PLIES, Phase, Point, Position, Turn,
    VARIANT,
    salvage::{printed, salvage},
};
use crate::{
    ActError, Change, Effects, Game, Hint, Mark, OptionError, Played, RemovalCause, RuleSet, Running,
    SetupError, SetupText, Side, Stone, Viewer,
    grid::{Grid as _, flying},
    options::complete,
    prelude::*,
};

/// A game of Jiu behind the frame: a [`Position`] and what is drawn besides it.
#[derive(Clone, Debug)]
struct JiuGame {
    running: Running,
    position: Position,
    marks: Vec<Mark>,
    last_formation: Option<Formation>,
}

impl JiuGame {
    fn new(rule_set: &RuleSet, position: Position) -> Result<JiuGame, OptionError> {
        let running = Running::new(&VARIANT, complete(&VARIANT, rule_set, [])?);
        let mut game = JiuGame { running, position, marks: Vec::new(), last_formation: None };
        game.follow();
        Ok(game)
    }

    /// Takes over what the position says of the game.
    fn follow(&mut self) {
        self.running.ply = self.position.ply();
        self.running.outcome = self.position.outcome().cloned();
    }
}

/// Starts a game.
pub(super) fn start(rule_set: &RuleSet) -> Result<Box<dyn Game>, OptionError> {
    Ok(Box::new(JiuGame::new(rule_set, Position::new(Options::from_rule_set(rule_set)?))?))
}

/// Starts a game from a position. The key `phase` is `place`, `lift` or `move`; without it a full board, and one
/// from which only Black has lifted his centre stone, is in the lift, and any other in the movement.
pub(super) fn position(rule_set: &RuleSet, text: &str) -> Result<Box<dyn Game>, SetupError> {
    let options = Options::from_rule_set(rule_set)?;
    let setup = SetupText::read(text)?;
    setup.only(&["phase", "as"])?;
    let to_move = VARIANT.side_of(setup.to_move()?);
    let board = Board::of_setup(&setup, &VARIANT)?;
    let board = board.ok_or_else(|| SetupError::new("the board is fourteen rows of fourteen points"))?;
    let phase = match setup.key("phase") {
        Some(name) => {
            Phase::named(name).ok_or_else(|| SetupError::new("the phase is place, lift or move"))?
        }
        None if Position::from_setup(board, Phase::Lift, to_move, options).is_ok() => Phase::Lift,
        None => Phase::Move,
    };
    let position = if setup.as_stated() {
        Position::as_stated(board, phase, to_move, options)
    } else {
        Position::from_setup(board, phase, to_move, options)
    };
    let position = position.map_err(|error| SetupError::new(error.to_string()))?;
    Ok(Box::new(JiuGame::new(rule_set, position)?))
}

impl Game for JiuGame {
    fn running(&self) -> &Running {
        &self.running
    }

    fn phase(&self) -> &'static str {
        self.position.phase().name()
    }

    fn on_clock(&self) -> Option<Side> {
        self.position.outcome().is_none().then(|| self.position.to_move())
    }

    fn play(&mut self, side: Side, text: &str) -> Result<Played, ActError> {
        self.running.check()?;
        if side != self.position.to_move() {
            return Err(ActError::not_your_turn());
        }
        let turn: Turn = text.parse()?;
        let legal = self.position.play(&turn)?;
        self.last_formation = legal.entitlement().formation;
        self.follow();
        self.marks = marks(&legal, &self.position);
        let effects = Effects { changes: changes(&legal), marks: self.marks(), ..Effects::default() };
        Ok(Played { text: legal.turn().to_string(), public: None, effects })
    }

    fn hints_in_turn(&self, _side: Side) -> Vec<Hint> {
        let displacements = self.position.displacements().into_iter();
        displacements.map(|it| Hint { text: it.turn.to_string(), choices_left: it.choices_left }).collect()
    }

    fn choices(&self, side: Side, hint: &Hint) -> Vec<Hint> {
        if !self.actors().include(side) {
            return Vec::new();
        }
        let Ok(turn) = hint.text.parse::<Turn>() else { return Vec::new() };
        let with = |turn: Turn| Hint { text: turn.to_string(), choices_left: hint.choices_left - 1 };
        self.position.choices(&turn, hint.choices_left).into_iter().map(with).collect()
    }

    fn size(&self) -> (u8, u8) {
        (Fourteen::SIDE, Fourteen::SIDE)
    }

    fn stones(&self) -> Vec<Stone> {
        self.position.board().drawn()
    }

    fn marks(&self) -> Vec<Mark> {
        self.marks.clone()
    }

    fn facts(&self, _viewer: Viewer) -> Vec<(&'static str, String)> {
        let position = &self.position;
        let mut facts = Vec::from([
            ("stones-first", position.board().count(Side::First).to_string()),
            ("stones-second", position.board().count(Side::Second).to_string()),
        ]);
        if position.phase() != Phase::Move {
            return facts;
        }
        facts.push(("movement-ply", (position.ply() - PLACEMENT_PLIES).to_string()));
        let limit = position.options().draw_quiet_plies;
        facts.push(("quiet-plies", format!("{}/{limit}", position.quiet_plies())));
        let limit = position.options().draw_repetitions;
        facts.push(("occurrences", format!("{}/{limit}", position.occurrences())));
        facts.extend(
            self.last_formation.map(|it| ("formation", format!("{} {}", it.name(), it.native_name()))),
        );
        facts.extend(flying(Side::BOTH.map(|side| position.flies(side))));
        facts
    }
    fn hash(&self) -> u64 {
        self.position.hash()
    }

    fn score_text(&self) -> Option<String> {
        let [white, black] = Side::BOTH.map(|side| self.position.board().count(side));
        Some(format!("stones: W {white}, B {black}"))
    }

    fn give_turn(&mut self, side: Side) -> bool {
        let running = self.position.outcome().is_none();
        if running {
            self.position.to_move = side;
        }
        running
    }

    fn as_printed<'a>(&self, side: Side, text: &'a str) -> (Cow<'a, str>, Option<ActError>) {
        let Some(turn) = text.parse().ok().filter(|_| side == self.position.to_move()) else {
            return (Cow::Borrowed(text), None);
        };
        match printed(&self.position, turn) {
            (turn, Some(unsaid)) => (Cow::Owned(turn.to_string()), Some(unsaid.into())),
            (turn, None) => (Cow::Owned(turn.to_string()), None),
        }
    }

    fn salvage(&mut self, side: Side, text: &str) -> Option<Vec<ActError>> {
        let mut position = self.position.clone();
        position.to_move = side;
        let more = salvage(&mut position, text)?;
        self.position = position;
        self.follow();
        self.marks.clear();
        self.last_formation = None;
        Some(more)
    }
}

/// What a turn did to the board, in order: the stones moved, those jumped, those chosen.
fn changes(legal: &LegalTurn) -> Vec<Change> {
    let (mover, enemy) = (legal.side(), legal.side().other());
    let it = match (legal.turn(), legal.kind()) {
        (Turn::Point(at), Kind::Lift) => {
            let at = (*at).into();
            return Vec::from([Change::Removed { at, owner: mover, cause: RemovalCause::Lifted }]);
        }
        (Turn::Point(at), _) => return Vec::from([Change::Placed { at: (*at).into(), owner: mover }]),
        (Turn::Move(it), _) => it,
    };
    let paths = it
        .paths()
        .iter()
        .map(|path| Change::Moved { path: path.points().iter().copied().map(Into::into).collect() });
    let removed = |cause| move |at: &Point| Change::Removed { at: (*at).into(), owner: enemy, cause };
    paths
        .chain(legal.jumped().iter().map(removed(RemovalCause::Captured)))
        .chain(legal.removed().iter().map(removed(RemovalCause::Chosen)))
        .collect()
}

/// What is drawn after a turn: `last` where stones came to rest (or one was lifted), `gate` and `line` on the
/// squares and lines just completed, and every dalian of both sides: `dalian` or `double-dalian` on its stone,
/// `dalian-gap` on its gap.
fn marks(legal: &LegalTurn, position: &Position) -> Vec<Mark> {
    let mark = |kind: &'static str| move |at: Point| Mark { at: at.into(), kind: Cow::Borrowed(kind) };
    let landings: Vec<Point> = match legal.turn() {
        Turn::Point(at) => Vec::from([*at]),
        Turn::Move(it) => it.paths().iter().map(super::Path::end).collect(),
    };
    let mut marks: Vec<Mark> = landings.iter().copied().map(mark("last")).collect();
    if legal.entitlement().formation.is_some() {
        let (gates, lines) = position.board().completed(legal.side(), &landings);
        marks.extend(gates.iter().map(mark("gate")));
        marks.extend(lines.iter().map(mark("line")));
    }
    for dalian in Side::BOTH.into_iter().flat_map(|side| position.dalians(side)) {
        let kind = if dalian.double { "double-dalian" } else { "dalian" };
        marks.push(mark(kind)(dalian.stone));
        marks.push(mark("dalian-gap")(dalian.gap));
    }
    marks
}

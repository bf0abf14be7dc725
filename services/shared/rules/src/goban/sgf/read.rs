//! From properties to a record.

use super::{
    COMMENT, HEADINGS, MAX_SETUP_POINTS,
    dialect::Dialect,
    lex::{Node, Property, fault, main_line, text, told},
    outcome,
};
use crate::{
    Outcome, Record, RecordError, RuleSet,
    goban::{Colour, Point, QuarterZi, Setup, Size, act::PASS},
    prelude::*,
};

/// What a file says in one way in every game.
#[derive(Default)]
pub(crate) struct Headed {
    headings: Vec<(String, String)>,
    private_headings: Vec<(String, String)>,
    rule_set: Option<RuleSet>,
    result: Option<String>,
    private_result: Vec<String>,
}

/// What has been read so far of a game.
struct Reader<'a> {
    dialect: &'a Dialect,
    size: Size,
    headed: Headed,
    komi: Option<QuarterZi>,
    handicap: u8,
    stones: Vec<(Point, Option<Colour>)>,
    to_move: Option<Colour>,
    acts: Vec<crate::Act>,
}

impl Dialect {
    /// Reads the main line of the first game.
    pub(crate) fn parse(&self, bytes: &[u8]) -> Result<Record, RecordError> {
        let nodes = main_line(bytes)?;
        let mut reader = Reader {
            dialect: self,
            size: size_of(&nodes)?,
            headed: Headed::default(),
            komi: None,
            handicap: 0,
            stones: Vec::new(),
            to_move: None,
            acts: Vec::new(),
        };
        for property in told(&nodes) {
            match property.name.as_str() {
                "B" => reader.push_act(Colour::Black, turn(property, reader.size)?),
                "W" => reader.push_act(Colour::White, turn(property, reader.size)?),
                "SHA" => reader.private_act(property)?,
                "AB" => reader.set_up(Some(Colour::Black), property)?,
                "AW" => reader.set_up(Some(Colour::White), property)?,
                "AE" => reader.set_up(None, property)?,
                _ => reader.information(property)?,
            }
        }
        reader.finish()
    }
}

impl Reader<'_> {
    fn private_act(&mut self, property: &Property<'_>) -> Result<(), RecordError> {
        for value in &property.values {
            let value = text(value, false);
            match value.split_once(' ') {
                Some(("B", act)) => self.push_act(Colour::Black, act.to_owned()),
                Some(("W", act)) => self.push_act(Colour::White, act.to_owned()),
                _ => return Err(fault(property.line, "a private act begins with B or W and a space")),
            }
        }
        Ok(())
    }

    fn push_act(&mut self, colour: Colour, text: String) {
        self.acts.push(crate::Act::by(colour.side(), text));
    }

    fn set_up(&mut self, colour: Option<Colour>, property: &Property<'_>) -> Result<(), RecordError> {
        if !self.acts.is_empty() {
            return Err(fault(property.line, "stones are set up after the first move"));
        }
        for value in &property.values {
            let value = value.trim_ascii();
            let (from, to) = match value.iter().position(|byte| *byte == b':') {
                Some(colon) => (&value[..colon], &value[colon + 1..]),
                None => (value, value),
            };
            let (from, to) = (point(from, self.size, property.line)?, point(to, self.size, property.line)?);
            for row in from.row()..=to.row() {
                for column in from.column()..=to.column() {
                    self.stones.extend(Point::new(column, row).map(|point| (point, colour)));
                }
            }
            if self.stones.len() > MAX_SETUP_POINTS {
                return Err(fault(property.line, "too many stones are set up"));
            }
        }
        Ok(())
    }

    /// A property about the whole game; the first of a kind counts.
    fn information(&mut self, property: &Property<'_>) -> Result<(), RecordError> {
        let value = text(property.values[0], false);
        let value = value.trim();
        match property.name.as_str() {
            "KM" if self.komi.is_none() && !value.is_empty() => {
                let komi = QuarterZi::parse_sgf(value);
                self.komi =
                    Some(komi.ok_or_else(|| fault(property.line, "the komi is no half number of points"))?);
            }
            "HA" if self.dialect.handicap && self.handicap == 0 => {
                self.handicap = value.parse().ok().filter(|stones| *stones <= 9).unwrap_or(0);
            }
            "PL" if self.acts.is_empty() => {
                self.to_move = match value {
                    "B" | "b" | "1" | "black" => Some(Colour::Black),
                    "W" | "w" | "2" | "white" => Some(Colour::White),
                    _ => return Err(fault(property.line, "the player to move is neither B nor W")),
                };
            }
            _ => self.headed.read(self.dialect.rules, property)?,
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Record, RecordError> {
        let placed = self.take_placements();
        let stated = self.state_rules(placed.is_some())?;
        if let Some(mut acts) = placed {
            acts.append(&mut self.acts);
            self.acts = acts;
        }
        let rule_set = self.headed.rule_set.take().unwrap_or(stated);
        let (headings, outcome) = self.headed.finish();
        let outcome = outcome.map(|outcome| outcome::rescored(outcome, self.dialect.score));
        Ok(Record { variant: self.dialect.variant, rule_set, headings, acts: self.acts, outcome })
    }

    /// Handicap stones as Black's first acts, if that is what is set up. Without stones set up, a handicap
    /// is kept if Black places the stones by moves.
    fn take_placements(&mut self) -> Option<Vec<crate::Act>> {
        let count = usize::from(self.handicap);
        let has_stones = |setup: &String| setup.contains(['x', 'o', 'X', 'O']);
        let own_setup = self.headed.rule_set.as_ref().and_then(|rule_set| rule_set.options.get("setup"));
        if count < 2 || own_setup.is_some_and(has_stones) {
            return None;
        }
        if self.stones.is_empty() {
            if self.acts.iter().take(count).any(|act| act.side() != Some(Colour::Black.side())) {
                self.handicap = 0;
            }
            return None;
        }
        let black = self.stones.iter().all(|(_, colour)| *colour == Some(Colour::Black));
        if self.stones.len() != count || !black || self.to_move == Some(Colour::Black) {
            return None;
        }
        let mut points: Vec<_> = self.stones.iter().map(|(point, _)| *point).collect();
        points.sort_unstable();
        points.dedup();
        if points.len() != count {
            return None;
        }
        let stones = core::mem::take(&mut self.stones);
        let side = Colour::Black.side();
        Some(stones.iter().map(|(point, _)| crate::Act::by(side, point.name(self.size))).collect())
    }

    /// The rule set as the public properties tell it.
    fn state_rules(&self, placed: bool) -> Result<RuleSet, RecordError> {
        let mut rules = RuleSet::named(self.dialect.rule_set).with("size", &self.size.get().to_string());
        if let Some(komi) = self.komi {
            rules = rules.with("komi", &(self.dialect.komi)(komi));
        }
        if self.handicap > 0 {
            rules = rules.with("handicap", &self.handicap.to_string());
        }
        let with_handicap = placed || (self.handicap >= 2 && self.stones.is_empty());
        let first = self.acts.first().and_then(crate::Act::side).map(Colour::of);
        let to_move =
            self.to_move.or(first).unwrap_or(if self.handicap >= 2 { Colour::White } else { Colour::Black });
        if !with_handicap && (!self.stones.is_empty() || to_move == Colour::White) {
            let setup = Setup::new(self.size, self.size, self.stones.iter().copied(), to_move);
            let setup = setup.map_err(|error| RecordError { line: 0, detail: error.to_string().into() })?;
            rules = rules.with("setup", &setup.to_string());
        }
        Ok(rules)
    }
}

impl Headed {
    /// Takes a property about the whole game in; the first of a kind counts. `rules` is what `RU` says of a record
    /// without a heading `rules`.
    pub(crate) fn read(&mut self, rules: &str, property: &Property<'_>) -> Result<(), RecordError> {
        let value = text(property.values[0], false);
        let texts = || property.values.iter().map(|value| text(value, true));
        match property.name.as_str() {
            "GM" if value.trim() != "1" => return Err(fault(property.line, "the game is not Go")),
            "RE" if self.result.is_none() => self.result = Some(value),
            "SHO" => self.private_result = texts().collect(),
            "SHH" => {
                for heading in texts() {
                    let (name, value) = pair(&heading, property.line)?;
                    if HEADINGS.iter().any(|(_, known)| *known == name) {
                        return Err(fault(property.line, "a private heading has a property of its own"));
                    }
                    self.private_headings.push((name, value));
                }
            }
            "SHR" => self.rule_set = Some(rule_set(property)?),
            name => self.heading(name, property.values[0], rules),
        }
        Ok(())
    }

    fn heading(&mut self, property: &str, value: &[u8], rules: &str) {
        let Some((_, name)) = HEADINGS.iter().find(|(known, _)| *known == property) else { return };
        let value = text(value, *name == COMMENT);
        let implied = property == "RU" && value == rules;
        if !implied && !self.headings.iter().any(|(known, _)| known == name) {
            self.headings.push(((*name).to_owned(), value));
        }
    }

    /// The headings, those without a property last, and the outcome.
    pub(crate) fn finish(mut self) -> (Vec<(String, String)>, Option<Outcome>) {
        self.headings.append(&mut self.private_headings);
        (self.headings, outcome::read(self.result.as_deref().unwrap_or(""), &self.private_result))
    }
}

/// What `SHR` says.
pub(crate) fn rule_set(property: &Property<'_>) -> Result<RuleSet, RecordError> {
    let mut texts = property.values.iter().map(|value| text(value, true));
    let mut rule_set = RuleSet::named(&texts.next().unwrap_or_default());
    for option in texts {
        let (name, value) = pair(&option, property.line)?;
        rule_set.options.insert(name, value);
    }
    Ok(rule_set)
}

/// The act that `B` or `W` stands for, as text.
pub(crate) fn turn(property: &Property<'_>, size: Size) -> Result<String, RecordError> {
    let value = property.values[0].trim_ascii();
    let pass = value.is_empty() || (value == b"tt" && size <= Size::NINETEEN);
    if pass { Ok(PASS.to_owned()) } else { Ok(point(value, size, property.line)?.name(size)) }
}

/// The point that two letters stand for.
fn point(value: &[u8], size: Size, line: u32) -> Result<Point, RecordError> {
    let letter = |byte: u8| byte.checked_sub(b'a').filter(|index| *index < size.get());
    match value {
        [column, row] => letter(*column).zip(letter(*row)).and_then(|(column, row)| Point::new(column, row)),
        _ => None,
    }
    .ok_or_else(|| fault(line, "the board has no such point"))
}

/// What `SZ` says, 19 if it is missing.
pub(crate) fn size_of(nodes: &[Node<'_>]) -> Result<Size, RecordError> {
    let properties = || nodes.iter().flatten();
    let Some(property) = properties().find(|property| property.name == "SZ") else {
        return Ok(Size::NINETEEN);
    };
    let value = text(property.values[0], false);
    let (columns, rows) = value.split_once(':').unwrap_or((&value, &value));
    if columns.trim() != rows.trim() {
        return Err(fault(property.line, "the board is not square"));
    }
    let size = columns.trim().parse().ok().and_then(Size::new);
    size.ok_or_else(|| fault(property.line, "a side of the board has 5 to 25 points"))
}

/// A private value `name=value`.
fn pair(text: &str, line: u32) -> Result<(String, String), RecordError> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| fault(line, "a private value has the form name=value"))?;
    Ok((name.to_owned(), value.to_owned()))
}

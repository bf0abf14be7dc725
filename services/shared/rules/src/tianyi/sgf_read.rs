//! From properties to a record.

use super::{
    Rules,
    game::drawn_win,
    sgf_write::{Opening, RULES, in_colours, outcome_in_colours, said_seats, stated},
};
use crate::{
    Author, Outcome, Reason, Record, RecordError, RuleSet, Side, Verdict,
    goban::{
        Colour, QuarterZi, Seats, Size,
        sgf::{
            lex::{Node, Property, fault, main_line, text, told},
            read::{Headed, rule_set, size_of, turn},
        },
    },
    prelude::*,
};

/// What has been read so far of a game.
struct Reader {
    size: Size,
    rule_set: RuleSet,
    headed: Headed,
    acts: Vec<crate::Act>,
    /// Who plays which colour, once a move has made it necessary to know.
    seats: Option<Seats>,
    /// What the file says besides the acts, by property, with its line.
    claims: Vec<(String, Vec<String>, u32)>,
}

/// Properties that only say what follows from the acts.
const CLAIMS: [&str; 6] = ["SHD", "SHB", "KM", "AB", "AW", "PL"];

/// Reads the first game of a file.
///
/// # Errors
/// What is wrong, and in which line.
pub fn read(bytes: &[u8]) -> Result<Record, RecordError> {
    let nodes = main_line(bytes)?;
    let (size, rule_set) = rules_of(&nodes)?;
    let mut reader = Reader {
        size,
        rule_set,
        headed: Headed::default(),
        acts: Vec::new(),
        seats: None,
        claims: Vec::new(),
    };
    for property in told(&nodes) {
        match property.name.as_str() {
            "B" => reader.turn(Colour::Black, property)?,
            "W" => reader.turn(Colour::White, property)?,
            "SHA" => reader.private_acts(property)?,
            _ => reader.information(property)?,
        }
    }
    reader.finish()
}

impl Reader {
    fn turn(&mut self, colour: Colour, property: &Property<'_>) -> Result<(), RecordError> {
        let decided = self.seats.or_else(|| Some(self.opening()?.position.terms()?.seats));
        let seats = decided.ok_or_else(|| fault(property.line, "a move before the colours are settled"))?;
        self.seats = Some(seats);
        self.acts.push(crate::Act::by(seats.side(colour), turn(property, self.size)?));
        Ok(())
    }

    fn private_acts(&mut self, property: &Property<'_>) -> Result<(), RecordError> {
        for value in &property.values {
            let value = text(value, false);
            let (author, act) = match value.split_once(' ') {
                Some(("H", act)) => (Author::System, act),
                Some(("1", act)) => (Author::Side(Side::First), act),
                Some(("2", act)) => (Author::Side(Side::Second), act),
                _ => return Err(fault(property.line, "a private act begins with H, 1 or 2 and a space")),
            };
            self.acts.push(crate::Act::by(author, act));
        }
        Ok(())
    }

    /// A property about the whole game.
    fn information(&mut self, property: &Property<'_>) -> Result<(), RecordError> {
        match property.name.as_str() {
            name if CLAIMS.contains(&name) => {
                let texts = property.values.iter().map(|value| text(value, true)).collect();
                self.claims.push((name.to_owned(), texts, property.line));
            }
            // It has been read.
            "SHR" => {}
            _ => self.headed.read(RULES, property)?,
        }
        Ok(())
    }

    fn opening(&self) -> Option<Opening> {
        Opening::of(&self.rule_set, &self.acts)
    }

    fn finish(self) -> Result<Record, RecordError> {
        let opening = self.opening();
        self.check_claims(opening.as_ref())?;
        let seats = opening.and_then(|opening| opening.position.terms()).map(|terms| terms.seats);
        let (headings, outcome) = self.headed.finish();
        let seats = seats.unwrap_or_else(|| said_seats(&headings));
        let record = Record {
            variant: "tianyi",
            rule_set: self.rule_set,
            headings,
            acts: self.acts,
            outcome: outcome.map(|outcome| outcome_in_colours(with_drawn_win(outcome), seats)),
        };
        Ok(in_colours(record, seats))
    }

    /// Compares what the file says with what follows from its acts.
    fn check_claims(&self, opening: Option<&Opening>) -> Result<(), RecordError> {
        let mut follows = opening.map(|opening| stated(&opening.position)).unwrap_or_default();
        for (name, values, line) in &self.claims {
            let fits = |(known, wanted): &(&str, Vec<String>)| {
                known == name && compared(name, wanted) == compared(name, values)
            };
            let found = follows.iter().position(fits);
            follows.remove(found.ok_or_else(|| {
                let detail = alloc::format!("{name} does not follow from the acts of the record");
                RecordError { line: *line, detail: detail.into() }
            })?);
        }
        Ok(())
    }
}

/// A win by the count without a margin is a draw that White wins.
fn with_drawn_win(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome { verdict: verdict @ Verdict::Win(_), reason: reason @ Reason::Score, score: None } => {
            Outcome { verdict, reason, score: Some(drawn_win()) }
        }
        other => other,
    }
}

/// The values of a claim in a form that other programs do not change when they write it.
fn compared(name: &str, values: &[String]) -> Vec<String> {
    let mut values: Vec<String> = values.iter().map(|value| value.trim().to_owned()).collect();
    match name {
        "AB" | "AW" => values.sort_unstable(),
        "KM" => {
            for value in &mut values {
                if let Some(komi) = QuarterZi::parse(&alloc::format!("{value}pt")) {
                    *value = komi.points();
                }
            }
        }
        _ => {}
    }
    values
}

/// The size of the board and the rule set, which may be in no contradiction.
fn rules_of(nodes: &[Node<'_>]) -> Result<(Size, RuleSet), RecordError> {
    let properties = || nodes.iter().flatten();
    let stated = size_of(nodes)?;
    let Some(property) = properties().find(|property| property.name == "SHR") else {
        return Ok((stated, RuleSet::named("").with("size", &stated.get().to_string())));
    };
    let rule_set = rule_set(property)?;
    let size = Rules::read(&rule_set).map_or(stated, |rules| rules.size);
    match properties().find(|property| property.name == "SZ") {
        Some(property) if size != stated => Err(fault(property.line, "SZ and SHR have different sizes")),
        _ => Ok((size, rule_set)),
    }
}

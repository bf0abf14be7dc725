//! Reading files of worked examples; the format is explained at the head of `jirige-examples.txt`.

use rules::{
    RuleSet, Side,
    jirige::{Options, Phase, Position, Setup, Spears},
};

/// One example: a position and what is done in it.
#[derive(Debug)]
pub(crate) struct Example {
    pub name: String,
    pub setup: Setup,
    pub rule_set: RuleSet,
    /// Seconds each side has.
    pub main: i64,
    /// Whether illegal turns are violations.
    pub strict: bool,
    pub lines: Vec<Line>,
}

/// A line that does or asks something, with its number in the file.
#[derive(Debug)]
pub(crate) struct Line {
    pub number: usize,
    pub kind: Kind,
    /// What stands before `=>`.
    pub what: String,
    /// What stands after it: the first word.
    pub verdict: String,
    /// And the others.
    pub expects: Vec<String>,
    /// The rows of `after:`.
    pub rows: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Do,
    After,
    Moves,
    Perft,
    Reset,
    Match,
}

impl Example {
    pub(crate) fn position(&self) -> Position {
        let options = Options::from_rule_set(&self.rule_set).expect("known rules");
        Position::from_setup(&self.setup, options).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

/// Every example of a file.
pub(crate) fn parse(text: &str) -> Vec<Example> {
    let lines: Vec<(usize, &str)> = (1..)
        .zip(text.lines().map(str::trim))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let groups = lines.split(|(_, line)| line.starts_with("==="));
    groups.filter(|group| !group.is_empty()).map(example).collect()
}

fn example(lines: &[(usize, &str)]) -> Example {
    let mut example = Example {
        name: String::new(),
        setup: Setup::empty(),
        rule_set: RuleSet::named(""),
        main: 3600,
        strict: false,
        lines: Vec::new(),
    };
    let mut to_move = None;
    let mut rest = lines.iter();
    while let Some((number, line)) = rest.next() {
        let (key, value) = line.split_once(':').unwrap_or_else(|| panic!("line {number}: no key"));
        let value = value.trim();
        let mut rows = || rest.by_ref().take(9).map(|(_, row)| *row).collect::<Vec<_>>().join("/");
        match key {
            "name" => value.clone_into(&mut example.name),
            "why" => {}
            "phase" => example.setup.phase = phase(value),
            "turn" => to_move = Some(side(value).unwrap_or_else(|| panic!("line {number}: {value}"))),
            "board" => example.setup.board = rows().parse().unwrap_or_else(|_| panic!("line {number}")),
            "spears" => value.split_whitespace().for_each(|word| spears(&mut example.setup, word)),
            "quiet" => example.setup.quiet = value.parse().expect("a number"),
            "rules" => {
                for (name, value) in value.split_whitespace().filter_map(|word| word.split_once('=')) {
                    example.rule_set = example.rule_set.with(name, value);
                }
            }
            "main" => example.main = value.parse().expect("seconds"),
            "strict" => example.strict = value == "yes",
            "do" => example.lines.push(asked(*number, Kind::Do, value)),
            "moves" => example.lines.push(asked(*number, Kind::Moves, value)),
            "perft" => example.lines.push(asked(*number, Kind::Perft, value)),
            "match" => example.lines.push(asked(*number, Kind::Match, value)),
            "reset" => example.lines.push(asked(*number, Kind::Reset, "=>")),
            "after" => {
                let rows = rows();
                example.lines.push(Line { rows, ..asked(*number, Kind::After, "=>") });
            }
            _ => panic!("line {number}: the key {key} is unknown"),
        }
    }
    let first = if example.setup.phase == Phase::Place { Side::First } else { Side::Second };
    example.setup.to_move = to_move.unwrap_or(first);
    example
}

fn asked(number: usize, kind: Kind, text: &str) -> Line {
    let (what, answer) = text.split_once("=>").unwrap_or_else(|| panic!("line {number}: no =>"));
    let mut words = answer.split_whitespace().map(str::to_owned).peekable();
    let verdict = words.next_if(|word| !word.contains('=')).unwrap_or_default();
    Line {
        number,
        kind,
        what: what.trim().to_owned(),
        verdict,
        expects: words.collect(),
        rows: String::new(),
    }
}

pub(crate) fn side(word: &str) -> Option<Side> {
    match word {
        "dark" => Some(Side::First),
        "light" => Some(Side::Second),
        _ => None,
    }
}

fn phase(word: &str) -> Phase {
    let mut phases = [Phase::Place, Phase::Open, Phase::Move].into_iter();
    phases.find(|phase| phase.name() == word).unwrap_or_else(|| panic!("phase {word}"))
}

/// `light=row:5,row:4`
fn spears(setup: &mut Setup, word: &str) {
    let (name, lines) = word.split_once('=').expect("a side and lines");
    let spears: Spears = lines.replace(',', "+").parse().expect("spears");
    setup.spears[side(name).expect("a side").index()] = spears;
}

//! Golden perft tables: `tests/golden/jirige/*.perft`, one table a file.
//!
//! A table is lines `depth count` after headings `# ...`, `rules: ...` and `position: ...` in the form of
//! [`Setup`]. The naive implementation counts as well, where the count is small enough for it.

use std::path::PathBuf;

use rules::{
    RuleSet, Side,
    jirige::{Options, Phase, Position, Setup, perft},
};

use crate::{
    jirige_oracle::slow_perft,
    naive::{Cells, Naive, Rules},
};

/// The naive implementation is asked up to so many sequences.
const SLOW_MAX: u64 = 30_000;

struct Table {
    name: String,
    rule_set: RuleSet,
    setup: Setup,
    counts: Vec<(u32, u64)>,
}

fn tables() -> Vec<Table> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/jirige");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("golden files")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "perft"));
    files.sort();
    files.iter().map(|path| table(&std::fs::read_to_string(path).expect("readable"), path)).collect()
}

fn table(text: &str, path: &std::path::Path) -> Table {
    let name = path.display().to_string();
    let mut table = Table { name, rule_set: RuleSet::named(""), setup: Setup::empty(), counts: Vec::new() };
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.split_once(": ") {
            Some(("position", words)) => table.setup = words.parse().expect("an arrangement"),
            Some(("rules", words)) => {
                for (name, value) in words.split_whitespace().filter_map(|word| word.split_once('=')) {
                    table.rule_set = table.rule_set.with(name, value);
                }
            }
            _ => {
                let (depth, count) = line.split_once(' ').expect("depth and count");
                table.counts.push((depth.parse().expect("a depth"), count.parse().expect("a count")));
            }
        }
    }
    table
}

#[test]
fn perft_tables_hold() {
    let tables = tables();
    assert!(tables.len() >= 5, "the golden files are there");
    for table in tables {
        let options = Options::from_rule_set(&table.rule_set).expect("known rules");
        let position = Position::from_setup(&table.setup, options).expect("a position");
        assert!(table.counts.len() >= 2, "{}", table.name);
        for (depth, count) in table.counts {
            assert_eq!(perft(&position, depth), count, "{} at depth {depth}", table.name);
            if count <= SLOW_MAX {
                assert_eq!(slow_perft(&naive(&table.setup, options), depth), count, "{} slowly", table.name);
            }
        }
    }
}

/// The same position for the naive implementation; it begins in the placement or in the moving phase.
fn naive(setup: &Setup, options: Options) -> Naive {
    let rules = Rules {
        ring_plies: usize::from(options.ring_plies),
        spear_value: true,
        split: options.opening_order == rules::jirige::OpeningOrder::Split,
        scope: "either",
        lose_at: usize::from(options.lose_at),
        blocked_draws: false,
        repetition: usize::from(options.repetition_auto),
        quiet: usize::from(options.quiet_auto),
    };
    let mut cells: Cells = [['.'; 9]; 9];
    for (rank, row) in (0..9).rev().zip(setup.board.to_string().split('/')) {
        for (column, sign) in row.chars().enumerate() {
            cells[rank][column] = sign;
        }
    }
    let turn = if setup.to_move == Side::First { 'x' } else { 'o' };
    match setup.phase {
        Phase::Place => Naive { cells, turn, ..Naive::new(rules) },
        Phase::Move => Naive::moving(rules, &cells, turn),
        Phase::Open => unreachable!("tables of the opening begin with the last placement"),
    }
}

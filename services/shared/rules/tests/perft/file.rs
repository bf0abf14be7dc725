//! Files of counts: positions, and how many sequences of steps there are from each.
//!
//! ```text
//! # a remark
//! name: a ko to be taken          begins a position
//! rules: psk komi=2.75            the rule set; the variant's default without it
//! to-move: B                      the position as text, see `SetupText`; the start of a game without it
//! board:
//! .xo..
//! play: C3                        an act played from there, a side before it if need be; any number of them
//! perft 1: 24                     how many sequences of one step
//! ```
//!
//! A file of one position may leave its name out, give it as the option `setup` (`position: ...`), and write `1 24`.

use std::path::{Path, PathBuf};

use rules::{
    Game, RuleSet, Variant,
    engine::{Command, Engine, NoHost},
};

/// A position and its counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    pub file: String,
    pub name: String,
    pub rule_set: Option<RuleSet>,
    pub setup: String,
    pub plays: Vec<String>,
    /// Depth and number of sequences.
    pub counts: Vec<(u32, u64)>,
}

/// Every case of a variant, from `tests/golden/VARIANT/*.perft`.
pub(crate) fn cases(variant: &Variant) -> Vec<Case> {
    files(variant.id).iter().flat_map(|file| read(file)).collect()
}

impl Case {
    /// The position.
    pub(crate) fn game(&self, variant: &'static Variant) -> Box<dyn Game> {
        let mut engine = Engine::new(variant).expect("a default rule set");
        let setup = (!self.setup.is_empty()).then(|| self.setup.clone());
        let rule_set = self.rule_set.clone().unwrap_or_else(|| RuleSet::named(""));
        engine.start(rule_set, setup).unwrap_or_else(|failure| panic!("{self}: {failure}"));
        for act in &self.plays {
            let command = Command::read(engine.game(), &format!("play {act}")).expect("an act");
            engine.run(&command, &mut NoHost).unwrap_or_else(|failure| panic!("{self}, {act}: {failure}"));
        }
        engine.game().boxed_clone()
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.file, self.name)
    }
}

fn files(variant: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(variant);
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "perft"));
    files.sort();
    files
}

fn read(file: &Path) -> Vec<Case> {
    let name = file.file_name().expect("a name").to_string_lossy().into_owned();
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (key, value) = line.split_once(':').map_or(("", ""), |(key, value)| (key, value.trim()));
        if key == "name" {
            cases.push(Case { file: name.clone(), name: value.into(), ..Case::default() });
            continue;
        }
        if cases.is_empty() {
            cases.push(Case { file: name.clone(), name: "the one".into(), ..Case::default() });
        }
        let case = cases.last_mut().expect("there is one");
        match key.strip_prefix("perft ") {
            Some(depth) => {
                let count = value.parse().unwrap_or_else(|_| panic!("{case}: {line:?} has no count"));
                case.counts.push((depth.parse().expect("a depth"), count));
            }
            None if key == "rules" => {
                let mut rule_set = case.rule_set.take().unwrap_or_else(|| RuleSet::named(""));
                for word in value.split_whitespace() {
                    match word.split_once('=') {
                        Some((name, value)) => rule_set = rule_set.with(name, value),
                        None => word.clone_into(&mut rule_set.id),
                    }
                }
                case.rule_set = Some(rule_set);
            }
            None if key == "play" => case.plays.push(value.into()),
            None if key == "position" => {
                let rule_set = case.rule_set.take().unwrap_or_else(|| RuleSet::named(""));
                case.rule_set = Some(rule_set.with("setup", value));
            }
            None if line.starts_with(|char: char| char.is_ascii_digit()) => {
                let (depth, count) = line.split_once(' ').expect("a depth and a count");
                case.counts.push((depth.parse().expect("a depth"), count.parse().expect("a count")));
            }
            None => {
                case.setup.push_str(line);
                case.setup.push('\n');
            }
        }
    }
    cases
}

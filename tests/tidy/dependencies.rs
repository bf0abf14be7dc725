//! Who may know whom: the arrows of `services/ARCHITECTURE.md`, read from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// What each crate may use of the others, test code aside.
const ALLOWED: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("pairing", &[]),
    ("strength", &[]),
    ("matching", &[]),
    ("scrutiny", &[]),
    ("catalogue", &[]),
    ("papers", &["catalogue"]),
    ("exchange", &["pairing"]),
    ("api", &["rules"]),
    ("live", &[]),
    ("chassis", &["api", "live"]),
    ("identity", &["api", "chassis", "live"]),
    ("game", &["api", "chassis", "live", "rules"]),
    ("clock", &["api", "chassis", "live", "rules"]),
    (
        "federation",
        &["api", "catalogue", "chassis", "exchange", "live", "pairing", "papers", "rules", "strength"],
    ),
    ("matchmaking", &["api", "chassis", "live", "matching", "rules"]),
    ("rating", &["api", "chassis", "live", "rules", "scrutiny", "strength"]),
    (
        "shoutan",
        &[
            "api",
            "catalogue",
            "chassis",
            "live",
            "rules",
            "pairing",
            "identity",
            "game",
            "clock",
            "matchmaking",
            "rating",
            "federation",
        ],
    ),
    ("tests", &["api", "catalogue", "chassis", "rules"]),
    ("toy", &["rules", "shoutan"]),
    // Puts the services together as the command does, in one process and on virtual time.
    (
        "simulation",
        &["api", "chassis", "live", "rules", "pairing", "shoutan", "identity", "game", "clock", "federation"],
    ),
];

/// Crates without I/O, clock and chance of their own.
const PURE: &[&str] =
    &["catalogue", "exchange", "matching", "pairing", "papers", "rules", "scrutiny", "strength"];

/// What a pure crate may bring in all the same: papers are read by other tools, as JSON.
const PURE_MAY: &[(&str, &str)] = &[("papers", "serde")];

/// Crates that a pure crate must never bring in.
const IMPURE: &[&str] = &["tokio", "tonic", "sea-orm", "redis", "rand", "time", "serde"];

#[test]
fn arrows_point_one_way() {
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        ALLOWED.iter().map(|(name, uses)| (*name, uses.iter().copied().collect())).collect();
    let metadata = MetadataCommand::new().exec().expect("cargo metadata runs in the workspace");
    let members: BTreeSet<String> =
        metadata.workspace_packages().iter().map(|package| package.name.to_string()).collect();
    let mut faults = Vec::new();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        let Some(may_use) = allowed.get(name) else {
            faults.push(format!("{name} has no row in the table"));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|d| d.kind == DependencyKind::Normal) {
            let used = dependency.name.as_str();
            if members.contains(used) && !may_use.contains(used) {
                faults.push(format!("{name} must not know {used}"));
            }
            if PURE.contains(&name) && IMPURE.contains(&used) && !PURE_MAY.contains(&(name, used)) {
                faults.push(format!("{name} is pure and must not use {used}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

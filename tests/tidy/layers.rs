//! Who may know whom inside of a service: the arrows of `services/CONVENTIONS.md`, read from its paths.

use std::collections::BTreeSet;

use super::files::tracked;

/// The services that are held to it.
const SERVICES: &[&str] = &["clock", "federation", "game", "identity", "matchmaking", "rating"];

/// What each folder may use of the others. They are in order: nobody uses what comes later, so there are no circles.
const LAYERS: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("error", &["core"]),
    ("wire", &["core", "error"]),
    ("store", &["core", "error", "wire"]),
    ("app", &["core", "error", "wire", "store"]),
    ("rpc", &["core", "error", "wire", "app"]),
];

/// What any other module may use: the doors of operators.
const DOORS: &[&str] = &["core", "error", "wire", "store", "app"];

/// Crates of which `core` knows nothing, but for what is plain types, the table of reasons, and time and chance as they are
/// passed in.
const CARRIERS: &[&str] = &["api", "chassis", "live", "prost", "sea_orm", "tokio", "tonic"];
const PLAIN: &[&str] = &[
    "api::reason",
    "api::time_control",
    "chassis::Env",
    "chassis::auth",
    "chassis::id",
    "chassis::jwt",
    "chassis::limit",
];

/// The games of the crate `rules`, and the kit that each stands on. No game knows another, and no kit a game.
const GAMES: &[(&str, &str)] =
    &[("go", "goban"), ("tianyi", "goban"), ("jpd", "goban"), ("jiu", "grid"), ("jirige", "grid")];

/// The code of a source: no comments, no tests at its end.
fn code(text: &str) -> String {
    let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
    let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The names that follow `root::` in a source, also those in braces: `crate::{a::B, c}` names `a` and `c`.
fn named(code: &str, root: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(&format!("{root}::")) {
        let before = code[..at].chars().next_back().unwrap_or(' ');
        if before.is_alphanumeric() || matches!(before, '_' | ':') {
            continue;
        }
        let rest = &code[at + root.len() + 2..];
        let Some(group) = rest.strip_prefix('{') else {
            names.insert(word(rest));
            continue;
        };
        let mut depth = 1;
        let mut starts = true;
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => starts = true,
                c if starts && !c.is_whitespace() => {
                    names.insert(word(&group[at..]));
                    starts = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    names
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The sources of a service, each with the module at its root that it belongs to.
fn sources(service: &str) -> impl Iterator<Item = (String, String, String)> {
    let root = format!("services/{service}/src/");
    let is_test = |name: &str| name.contains("/tests/") || name.ends_with("/tests.rs");
    tracked(&[".rs"]).into_iter().filter(move |(name, _)| !is_test(name)).filter_map(move |(name, text)| {
        let module = word(name.strip_prefix(&root)?);
        (module != "lib").then(|| (name.clone(), module, code(&text)))
    })
}

#[test]
fn paths_in_braces_are_seen() {
    let code = "use crate::{\n    app::{Desk, peers::Games},\n    wire,\n};\nlet x = crate::core::pairs();\nmy_crate::no();";
    let found: Vec<String> = named(code, "crate").into_iter().collect();
    assert_eq!(found, ["app", "core", "wire"]);
}

#[test]
fn arrows_inside_of_services_point_one_way() {
    let mut faults = Vec::new();
    for service in SERVICES {
        let sources: Vec<_> = sources(service).collect();
        let modules: BTreeSet<&str> = sources.iter().map(|(_, module, _)| module.as_str()).collect();
        for (name, module, code) in &sources {
            let layer = LAYERS.iter().find(|(layer, _)| layer == module);
            let may_use = layer.map_or(DOORS, |(_, may_use)| may_use);
            for used in named(code, "crate") {
                if modules.contains(used.as_str()) && used != *module && !may_use.contains(&used.as_str()) {
                    faults.push(format!("{name}: {module} must not know {used}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn games_know_their_kit_and_no_other_game() {
    let modules = GAMES.iter().flat_map(|(game, kit)| [*game, *kit]).collect::<BTreeSet<_>>();
    let mut faults = Vec::new();
    for (name, module, code) in
        sources("shared/rules").filter(|(_, module, _)| modules.contains(module.as_str()))
    {
        for used in named(&code, "crate").into_iter().filter(|used| modules.contains(used.as_str())) {
            if used != module && !GAMES.contains(&(module.as_str(), used.as_str())) {
                faults.push(format!("{name}: {module} must not know {used}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_services_decide_knows_nothing_of_what_carries_it() {
    let mut faults = Vec::new();
    for (name, _, code) in
        SERVICES.iter().flat_map(|service| sources(service)).filter(|(_, module, _)| module == "core")
    {
        for carrier in CARRIERS {
            for used in named(&code, carrier) {
                let path = format!("{carrier}::{used}");
                if !PLAIN.contains(&path.as_str()) {
                    faults.push(format!("{name} must not know {path}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

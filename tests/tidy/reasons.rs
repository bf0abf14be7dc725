//! Every reason that anybody is told stands in the one table, and the table has nothing that nobody is told.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use api::reason::{ALL, ENGINE, RULES, Reason};

use crate::files::tracked;

/// Strings that look like reasons: names of variables of the environment, of arguments, and of values of enums.
const OTHERS: &[&str] = &[
    "CARGO_",
    "CONDUCT_",
    "SHOUTAN_",
    "OUT_DIR",
    "NO_COLOR",
    "FOLLOW_PART_",
    "GAME_ID",
    "LC_",
    "MODERATION_KIND_",
    "NOTICE_KIND_",
    "REASON_",
    "REPORT_STATE_",
    "ROLE_",
    "SPEED_CLASS_",
    "SUSPICION_",
];
/// What stands before a reason where it arises as a string; elsewhere only strings with an underscore count.
const BEFORE: &[&str] = &["=> ", "illegal(", "Failure::new(", "reason: "];

/// The sources of the services without their tests.
fn sources() -> impl Iterator<Item = (String, String)> {
    let is_test =
        |name: &str| ["/tests/", "/tests.rs", "_tests.rs", "/testing.rs"].iter().any(|it| name.contains(it));
    tracked(&[".rs"])
        .into_iter()
        .filter(move |(name, _)| name.starts_with("services/") && !is_test(name))
        .map(|(name, text)| {
            let code: Vec<&str> = text
                .lines()
                .take_while(|line| !line.starts_with("#[cfg(test)]"))
                .filter(|line| !line.trim_start().starts_with("//"))
                .collect();
            (name, code.join("\n"))
        })
}

/// Sources whose words are none: the table itself, what the doctor's findings are headed with, and a format of others.
const ELSEWHERE: &[&str] = &["/api/src/reason/", "/commands/doctor/", "/exchange/src/gotha/"];

fn is_shouted(word: &str) -> bool {
    word.len() > 1
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// The strings of a source that are reasons by their look and their place.
fn reasons_in(code: &str) -> Vec<&str> {
    let parts: Vec<&str> = code.split('"').collect();
    parts
        .windows(2)
        .filter(|pair| {
            let placed = BEFORE.iter().any(|before| pair[0].ends_with(before));
            is_shouted(pair[1]) && (placed || pair[1].contains('_'))
        })
        .map(|pair| pair[1])
        .filter(|word| !OTHERS.iter().any(|other| word.starts_with(other)))
        .collect()
}

#[test]
fn every_reason_of_the_rules_and_the_engine_stands_in_the_table() {
    let mut found = BTreeSet::new();
    for (name, code) in sources().filter(|(name, _)| !ELSEWHERE.iter().any(|place| name.contains(place))) {
        for word in reasons_in(&code) {
            found.insert(word.to_owned());
            assert!(
                Reason::named(word).is_some(),
                "{name}: {word} does not stand in services/shared/api/src/reason"
            );
        }
    }
    assert!(
        found.contains("KO") && found.contains("BAD_NOTATION") && found.len() > 60,
        "found only {found:?}"
    );
}

#[test]
fn nothing_stands_in_the_table_that_nobody_is_told() {
    let code: Vec<String> = sources()
        .filter(|(name, _)| !ELSEWHERE.iter().any(|place| name.contains(place)))
        .map(|(_, code)| code)
        .collect();
    let strings: HashSet<&str> = code.iter().flat_map(|code| reasons_in(code)).collect();
    let words: HashSet<&str> = code
        .iter()
        .flat_map(|code| code.match_indices("reason::").map(|(at, found)| &code[at + found.len()..]))
        .map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default())
        .collect();
    for reason in ALL.iter().flat_map(|(_, rows)| *rows) {
        let of_strings = [RULES, ENGINE].iter().any(|table| table.contains(reason));
        let told = words.contains(reason.name()) || (of_strings && strings.contains(reason.name()));
        assert!(told, "nobody is told {reason}");
    }
}

/// The values of enums, the codes of gRPC, and names of fields in examples of commands.
fn other_words(protos: &BTreeMap<String, String>) -> HashSet<String> {
    let codes = tonic_codes();
    let values = protos.values().flat_map(|text| text.lines()).filter_map(|line| {
        let (name, rest) = line.trim().split_once(' ')?;
        (is_shouted(name) && rest.starts_with('=')).then(|| name.to_owned())
    });
    values.chain(codes).chain(["GAME_ID".to_owned()]).collect()
}

fn tonic_codes() -> impl Iterator<Item = String> {
    (0..17).map(|code| {
        let name = format!("{:?}", tonic::Code::from(code));
        let mut shouted = String::new();
        for (at, c) in name.char_indices() {
            if at > 0 && c.is_ascii_uppercase() {
                shouted.push('_');
            }
            shouted.push(c.to_ascii_uppercase());
        }
        shouted
    })
}

#[test]
fn every_reason_that_the_protos_name_stands_in_the_table() {
    let protos: BTreeMap<String, String> = tracked(&[".proto"]).into_iter().collect();
    let others = other_words(&protos);
    let mut named = 0;
    for (file, text) in &protos {
        for comment in text.lines().filter_map(|line| line.trim().strip_prefix("//")) {
            let words = comment.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            for word in words.filter(|word| is_shouted(word) && word.contains('_') && !others.contains(*word))
            {
                named += 1;
                assert!(
                    Reason::named(word).is_some(),
                    "{file}: {word} does not stand in the table of reasons"
                );
            }
        }
    }
    assert!(named > 100, "only {named} reasons were found");
}

//! `shoutan pairing` as a process.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

fn shoutan(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shoutan"));
    command.env("SHOUTAN_LANGUAGE", "en");
    command
        .arg("pairing")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut told = child.stdin.take().expect("piped");
    // A command that reads nothing may have ended already.
    let _ = told.write_all(input.as_bytes());
    drop(told);
    child.wait_with_output().expect("it ends")
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("it says text")
}

fn generated(arguments: &[&str]) -> String {
    let output = shoutan(&[&["generate"], arguments].concat(), "");
    assert!(output.status.success(), "{output:?}");
    said(&output)
}

/// Two players who meet in both rounds, with 80 columns before their points.
fn rematch() -> String {
    let line = |head: &str, rest: &str| format!("{head:<80}{rest}\n");
    line("001    1      A", " 2.0    1     2 w 1     2 b 1")
        + &line("001    2      B", " 0.0    2     1 b 0     1 w 0")
}

#[test]
fn what_is_generated_is_clean_and_follows_from_its_seed() {
    for form in [&["--lf"][..], &["--trf16"], &[]] {
        for seed in ["1", "2", "3"] {
            let arguments = [&["--seed", seed, "--players", "41", "--rounds", "9"], form].concat();
            let text = generated(&arguments);
            assert_eq!(text, generated(&arguments));
            let checked = shoutan(&["check", "-"], &text);
            assert_eq!(checked.status.code(), Some(0), "{}", said(&checked));
            assert!(said(&checked).ends_with("no rule is broken\n"));
        }
    }
    assert_ne!(generated(&["--seed", "1"]), generated(&["--seed", "2"]));
    assert!(generated(&["--seed", "1"]).contains('\r'));
}

#[test]
fn an_event_that_goes_on_says_who_is_away() {
    let event = ["--seed", "4", "--players", "60", "--rounds", "7", "--lf"];
    let after = |played| generated(&[&event[..], &["--played", played]].concat());
    let (begun, over) = (after("3"), after("7"));
    assert!(begun.lines().any(|line| line.starts_with("240 Z 004")), "{begun}");
    assert!(!over.contains("\n240 ") && over == generated(&event));
    let checked = shoutan(&["check", "-", "--json"], &begun);
    let verdict: serde_json::Value = serde_json::from_str(&said(&checked)).expect("it is JSON");
    assert_eq!((verdict["rounds"].as_array().map(Vec::len), &verdict["clean"]), (Some(3), &true.into()));
}

#[test]
fn a_broken_rule_is_named_and_ends_with_one() {
    let checked = shoutan(&["check", "-"], &rematch());
    assert_eq!(checked.status.code(), Some(1));
    assert!(said(&checked).contains("round 2: H1: 1 and 2 have met\n"), "{}", said(&checked));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("event.trf");
    std::fs::write(&file, rematch()).expect("it is written");
    let checked = shoutan(&["check", "--json", &file.display().to_string()], "");
    assert_eq!(checked.status.code(), Some(1));
    let verdict: serde_json::Value = serde_json::from_str(&said(&checked)).expect("it is JSON");
    assert_eq!(verdict["clean"], false);
    assert_eq!(verdict["rounds"][0]["faults"].as_array().map(Vec::len), Some(0));
    let fault = &verdict["rounds"][1]["faults"][0];
    assert_eq!((&fault["rule"], &fault["players"]), (&"H1".into(), &serde_json::json!([1, 2])));
    let names: Vec<&str> = verdict["not_judged"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert_eq!(names, ["lifted", "no_rounds", "no_initial_colour", "no_prohibitions", "no_absences"]);
}

#[test]
fn what_cannot_be_read_is_named_and_ends_with_two() {
    let bad = rematch().replace("2 b 1", "2 x 1");
    let checked = shoutan(&["check", "-"], &bad);
    assert_eq!((checked.status.code(), said(&checked).as_str()), (Some(2), ""));
    let told = String::from_utf8(checked.stderr).expect("text");
    assert_eq!(told, "shoutan: -: line 1, column 107: this field has no such code\n");
    let checked = shoutan(&["check", "-", "--json"], &bad);
    let error: serde_json::Value = serde_json::from_str(&said(&checked)).expect("it is JSON");
    assert_eq!(checked.status.code(), Some(2));
    assert_eq!((&error["error"]["reason"], &error["error"]["column"]), (&"code".into(), &107.into()));
    let alone = rematch().lines().next().unwrap_or_default().to_owned();
    let checked = shoutan(&["check", "-", "--json"], &alone);
    assert!(said(&checked).contains("\"unknown_opponent\""), "{}", said(&checked));
    for arguments in [&["check", "no-such-file"][..], &["check", "-", "--colours", "none"]] {
        assert_eq!(shoutan(arguments, "").status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn an_event_of_no_size_is_refused() {
    for arguments in
        [&["generate", "--seed", "1", "--players", "1"][..], &["generate", "--seed", "1", "--rounds", "0"]]
    {
        let refused = shoutan(arguments, "");
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0), "{arguments:?}");
        assert!(refused.stderr.starts_with(b"shoutan: an event has 2 to "), "{arguments:?}");
    }
}

#[test]
fn the_law_of_colours_decides_whether_equal_needs_may_meet() {
    let line = |head: &str, rest: &str| format!("{head:<80}{rest}\n");
    let text = line("142 9", "")
        + &line("001    1      A", " 2.0    1     3 w 1     4 w 1     2 w =")
        + &line("001    2      B", " 2.0    1     4 w 1     3 w 1     1 b =")
        + &line("001    3      C", " 0.0    3     1 b 0     2 b 0     4 w =")
        + &line("001    4      D", " 0.0    3     2 b 0     1 b 0     3 b =");
    let balance = shoutan(&["check", "-"], &text);
    assert_eq!(balance.status.code(), Some(1));
    assert!(
        said(&balance).contains("round 3: H3: 1 and 2 must both have the same colour\n"),
        "{}",
        said(&balance)
    );
    assert_eq!(shoutan(&["check", "-", "--colours", "open"], &text).status.code(), Some(0));
}

//! How long files of the largest size take that were made to be dear, and how much memory all of them together at most.
//!
//! ```text
//! cargo run --release -p exchange --example hostile
//! ```
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::disallowed_methods, reason = "it measures real time, outside of every service")]

use std::{fmt::Write as _, time::Instant};

use exchange::{Format, limits::FILE_BYTES_MAX};

fn main() {
    for (name, make) in FILES {
        let bytes = make();
        assert!(bytes.len() <= FILE_BYTES_MAX, "{name} is {} bytes", bytes.len());
        let began = Instant::now();
        let detected = Format::detect(&bytes);
        let took = began.elapsed();
        let began = Instant::now();
        let came = match detected.and_then(|format| format.read(&bytes)) {
            Ok((event, doubts)) => format!("{} players, {} doubts", event.players.len(), doubts.len()),
            Err(error) => error.to_string(),
        };
        println!(
            "{name}: {} MiB, told in {took:.2?}, read in {:.2?}, {} MiB at most so far: {came}",
            bytes.len() >> 20,
            began.elapsed(),
            peak() >> 10
        );
    }
}

type Make = fn() -> Vec<u8>;

const FILES: &[(&str, Make)] = &[
    ("trf: every player in every round", || report(|_| {}, true)),
    ("trf: byes asked for again and again", || {
        report(|it| lists(it, |round| format!("240 H {:03}", 1 + round % 250)), false)
    }),
    ("trf: everybody away", || report(|it| lists(it, |_| "XXZ".to_owned()), false)),
    ("trf: one number that may not meet itself", || {
        report(|it| fill(it, |_| format!("260 001 250{}", "    1".repeat(515))), false)
    }),
    ("trf: line-ups", || {
        let order =
            |at: usize| format!("300 {:03} {:03} {:03}", 1 + at % 250, 1 + at % 999, 1 + (at + 1) % 999);
        report(|it| (teams(it), lists(it, order)).1, false)
    }),
    ("trf: teams of everybody", || report(|it| lists(it, |at| format!("013 {at:<31}")), false)),
    ("trf: records of federations", || {
        report(|it| fill(it, |at| format!("CHN {:4}      {:<33}", 1 + at % 9_000, "王伟")), false)
    }),
    ("trf: records that nobody knows", || {
        report(|it| fill(it, |_| format!("999 {}", "x".repeat(600))), false)
    }),
    ("trf: records of teams for people", || {
        report(|it| fill(it, |_| format!("802   1 A      1.0    1.0 {}", "  2 w  1.0   ".repeat(190))), false)
    }),
    ("opengotha: games of nobody", || gotha("<Game/>")),
    ("opengotha: byes of nobody", || gotha("<ByePlayer roundNumber=\"1\" player=\"A\"/>")),
    ("opengotha: boards of nobody", || gotha("<Team teamNumber=\"1\"/><Board/>")),
    ("opengotha: one team of many boards", || {
        let mut text = "<Tournament><Team teamNumber=\"1\">".to_owned();
        fill(&mut text, |_| "<Board roundNumber=\"1\" boardNumber=\"1\" player=\"A\"/>".to_owned());
        text.into_bytes()
    }),
    ("opengotha: attributes of nobody", || {
        let many = (0..100).map(|it| format!(" a{it}=\"\"")).collect::<Vec<_>>().concat();
        gotha(&format!("<Game{many}/>"))
    }),
    ("opengotha: entities that there are", || gotha("&amp;&#65;")),
    ("opengotha: comments", || gotha("<!---->")),
    ("opengotha: one attribute", || {
        format!("<Tournament a=\"{}\"/>", "&amp;".repeat(FILE_BYTES_MAX / 5 - 10)).into_bytes()
    }),
    ("opengotha: depth", || "<Tournament>".repeat(FILE_BYTES_MAX / 12).into_bytes()),
    ("h9: every player in every round", || {
        let mut text = String::new();
        for number in 1..=10_000_u32 {
            let opponent = if number % 2 == 1 { number + 1 } else { number - 1 };
            let won = if number % 2 == 1 { "+/w" } else { "-/b" };
            let result = format!(" {opponent}{won}");
            writeln!(text, "{number} A b 1d C D{}", result.repeat(250)).expect("a string takes it");
        }
        text.into_bytes()
    }),
    ("h9: words", || repeated("1 A b 1d C D", " x", 32_000)),
    ("h9: heads that make no sense", || repeated("1 A b 1d C D 0+", "\n;KM[x]", FILE_BYTES_MAX / 7 - 10)),
    ("h9: nothing but lines", || repeated("1 A b 1d C D 0+", "\n", FILE_BYTES_MAX - 20)),
    ("h9: one line", || repeated("1 A b 1d C D 0+", " ", FILE_BYTES_MAX - 20)),
    ("csv: every player in every round", || {
        let mut text = "number,last_name".to_owned();
        (1..=250).for_each(|it| write!(text, ",round {it}").expect("a string takes it"));
        for number in 1..=10_000_u32 {
            write!(text, "\n{number},A{}", ",pab".repeat(250)).expect("a string takes it");
        }
        text.into_bytes()
    }),
    ("csv: columns", || repeated("number,last_name", ",", FILE_BYTES_MAX - 20)),
    ("csv: cells", || repeated("number,last_name\n1,A", ",", 130_000)),
    ("csv: a quote that is not closed", || repeated("number,last_name\n1,\"A", ",\n", 16_000_000)),
    ("csv: lines in quotes", || repeated("number,last_name\n1", ",\"\n\"", 8_000_000)),
    ("csv: empty rows", || repeated("number,last_name", "\n,", 16_000_000)),
];

/// A report of 9,999 players, with records before them or with all of their rounds.
fn report(more: impl Fn(&mut String), whole: bool) -> Vec<u8> {
    let mut text = String::new();
    for number in 1..=9_998_u32 {
        let (opponent, colour, result) =
            if number % 2 == 1 { (number + 1, 'w', 1) } else { (number - 1, 'b', 0) };
        let slot = format!("  {opponent:4} {colour} {result}");
        let rounds = if whole { 250 } else { 1 };
        writeln!(text, "001 {number:4}      {:<33}{:>42}{}", "A", "", slot.repeat(rounds))
            .expect("a string takes it");
    }
    more(&mut text);
    text.into_bytes()
}

/// Lines until the file is as large as it may be, or has as many lines.
fn fill(text: &mut String, line: impl Fn(usize) -> String) {
    for at in 0..49_000 {
        let line = line(at);
        if text.len() + line.len() + 1 > FILE_BYTES_MAX {
            break;
        }
        text.push_str(&line);
        text.push('\n');
    }
}

/// The same of lines that are lists of players.
fn lists(text: &mut String, head: impl Fn(usize) -> String) {
    fill(text, |at| {
        let numbers = (0..510).map(|it| format!(" {:4}", 1 + (at * 510 + it) % 9_998));
        head(at) + &numbers.collect::<String>()
    });
}

fn teams(text: &mut String) {
    for number in 1..=999 {
        writeln!(text, "310 {number:3} {:<32}", "Team").expect("a string takes it");
    }
}

/// As much of it as there may be, in a file of OpenGotha.
fn gotha(inside: &str) -> Vec<u8> {
    let players = "<Tournament><Player name=\"A\"/>";
    let times = (FILE_BYTES_MAX - 100) / inside.len();
    format!("{players}{}</Tournament>", inside.repeat(times)).into_bytes()
}

fn repeated(head: &str, part: &str, times: usize) -> Vec<u8> {
    format!("{head}{}\n", part.repeat(times)).into_bytes()
}

/// The most memory that the process has had so far, in KiB; 0 where the system does not say.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    line.and_then(|it| it.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

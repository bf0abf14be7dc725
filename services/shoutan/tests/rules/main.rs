//! `shoutan rules` as a process: transcripts that it must repeat, and what happens at the ends of its pipes.
//!
//! A transcript in `golden/` is a command, what it is told and what it says:
//!
//! ```text
//! $ shoutan rules go
//! > new size=5
//! =
//!
//! exit 0
//! ```
//!
//! Lines with `>` are standard input, all others standard output, in the order in which a person would see them.
//! The command runs in the folder of the transcripts.

use std::{
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

struct Transcript {
    arguments: Vec<String>,
    input: String,
    output: String,
    exit: i32,
}

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/golden")
}

fn shoutan(arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shoutan"));
    command.env("SHOUTAN_LANGUAGE", "en");
    command.args(arguments).current_dir(golden()).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

fn read(file: &Path) -> Transcript {
    let text = std::fs::read_to_string(file).expect("the transcript can be read");
    let mut lines = text.lines();
    let command =
        lines.next().and_then(|line| line.strip_prefix("$ shoutan ")).expect("a command comes first");
    let arguments = command.split(' ').map(ToOwned::to_owned).collect();
    let (mut input, mut output, mut exit) = (String::new(), String::new(), None);
    for line in lines {
        assert!(exit.is_none(), "{} goes on behind its exit", file.display());
        if let Some(code) = line.strip_prefix("exit ") {
            exit = Some(code.parse().expect("a code"));
        } else if let Some(told) = line.strip_prefix('>') {
            input += told.strip_prefix(' ').unwrap_or(told);
            input.push('\n');
        } else {
            output += line;
            output.push('\n');
        }
    }
    Transcript { arguments, input, output, exit: exit.expect("an exit comes last") }
}

#[test]
fn transcripts_are_repeated() {
    let mut seen = 0;
    for entry in std::fs::read_dir(golden()).expect("the transcripts are there") {
        let file = entry.expect("an entry").path();
        if file.extension().is_none_or(|ending| ending != "transcript") {
            continue;
        }
        let wanted = read(&file);
        let mut child = shoutan(&wanted.arguments).spawn().expect("it starts");
        let mut told = child.stdin.take().expect("piped");
        told.write_all(wanted.input.as_bytes()).expect("it listens");
        drop(told);
        let done = child.wait_with_output().expect("it ends");
        let said = String::from_utf8(done.stdout).expect("it says text");
        assert_eq!(said, wanted.output, "{}", file.display());
        assert_eq!(done.status.code(), Some(wanted.exit), "{}", file.display());
        seen += 1;
    }
    assert!(seen >= 12, "only {seen} transcripts");
}

#[test]
fn a_reader_who_goes_away_is_no_error() {
    for mode in [&["rules", "go"][..], &["rules", "go", "--gtp"], &["rules", "go", "--json"]] {
        let arguments: Vec<String> = mode.iter().map(|word| (*word).to_owned()).collect();
        let mut child = shoutan(&arguments).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let mut told = child.stdin.take().expect("piped");
        // It may end before it has read everything: then this pipe is broken too.
        let _ = told.write_all("help\n{\"command\":\"help\"}\n".repeat(1000).as_bytes());
        drop(told);
        let done = child.wait_with_output().expect("it ends");
        assert_eq!(done.status.code(), Some(0), "{mode:?}");
        assert_eq!(String::from_utf8_lossy(&done.stderr), "", "{mode:?}");
    }
}

#[test]
fn answers_come_before_the_input_ends() {
    let arguments = ["rules", "go"].map(ToOwned::to_owned);
    let mut child = shoutan(&arguments).spawn().expect("it starts");
    let mut told = child.stdin.take().expect("piped");
    told.write_all(b"play Q16\n").expect("it listens");
    let mut heard = [0; 7];
    child.stdout.as_mut().expect("piped").read_exact(&mut heard).expect("it answers at once");
    assert_eq!(&heard, b"= Q16\n\n");
    drop(told);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn any_bytes_are_answered_or_passed_over() {
    let noise: Vec<u8> = (0..200_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for mode in [&["rules", "jiu"][..], &["rules", "go", "--gtp"], &["rules", "jiu", "--json"]] {
        let arguments: Vec<String> = mode.iter().map(|word| (*word).to_owned()).collect();
        let mut child = shoutan(&arguments).spawn().expect("it starts");
        let mut told = child.stdin.take().expect("piped");
        let noise = noise.clone();
        let teller = std::thread::spawn(move || told.write_all(&noise));
        let done = child.wait_with_output().expect("it ends");
        teller.join().expect("no panic").expect("it listens to the end");
        assert!(done.status.success(), "{mode:?}");
    }
}

#[test]
fn what_is_not_there_is_said() {
    for arguments in [
        &["rules", "halma"][..],
        &["rules", "jiu", "--gtp"],
        &["rules", "go", "check", "no-such-file"],
        &["rules", "go", "check", "legal.sgf", "--rules", "japanese", "--option", "x"],
    ] {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        let done = shoutan(&arguments).stderr(Stdio::piped()).output().expect("it runs");
        assert_eq!(done.status.code(), Some(1), "{arguments:?}");
        assert!(done.stderr.starts_with(b"shoutan: "), "{arguments:?}");
    }
}

#[test]
fn a_pipe_given_as_a_record_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("record.sgf");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let pipe = pipe.display().to_string();
    for arguments in [&["rules", "go", "check", &pipe][..], &["record", "check", &pipe]] {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        let mut child = shoutan(&arguments).stderr(Stdio::piped()).spawn().expect("it starts");
        // A real process gets real time: nobody ever writes to the pipe.
        let ended = (0..200).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            child.try_wait().expect("it can be asked")
        });
        if ended.is_none() {
            child.kill().expect("it is there");
        }
        let done = child.wait_with_output().expect("it ends");
        assert_eq!(ended.and_then(|status| status.code()), Some(1), "{arguments:?}");
        assert!(String::from_utf8_lossy(&done.stderr).contains("no regular file"), "{arguments:?}");
    }
}

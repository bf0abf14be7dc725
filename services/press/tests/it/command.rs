//! The binary: what it reads, what it writes, and what it says.

use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Output, Stdio},
};

use crate::samples;

fn run(args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shoutan-press"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("it reads");
    // One that refuses its arguments reads nothing.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

fn golden(name: &str) -> Vec<u8> {
    fs::read(samples::folder().join(format!("{name}.json"))).expect("a golden paper")
}

fn refused(args: &[&str], input: &[u8]) -> String {
    let output = run(args, input);
    assert!(!output.status.success() && output.stdout.is_empty(), "{args:?}");
    String::from_utf8(output.stderr).expect("it is UTF-8")
}

fn text(pdf: &[u8]) -> String {
    crate::back::text(pdf)
}

#[test]
fn a_paper_goes_in_and_a_pdf_comes_out() {
    let output = run(&[], &golden("pairings"));
    assert!(output.status.success() && output.stdout.starts_with(b"%PDF-"));
    let folder = tempfile::tempdir().expect("a folder");
    let (paper, pdf) = (folder.path().join("paper.json"), folder.path().join("paper.pdf"));
    fs::write(&paper, golden("pairings")).expect("written");
    let path = |path: &Path| path.to_str().expect("a path").to_owned();
    let args = [&path(&paper), "-o", &path(&pdf)];
    assert!(run(&args, b"").status.success());
    assert!(fs::read(&pdf).expect("a file") == output.stdout, "by a file it is the same");
    assert!(refused(&args, b"").contains("--force"));
    assert!(run(&[args[0], args[1], args[2], "--force", "--lang", "en"], b"").status.success());
    let english = text(&fs::read(&pdf).expect("a file"));
    assert!(english.contains("Pairings") && !english.contains("对阵表"));
}

#[test]
fn words_of_a_federation_come_with_the_paper_or_in_a_file() {
    let with_paper = run(&[], &golden("pairings_bo_zh"));
    assert!(text(&with_paper.stdout).contains("ཅོག་ཙེ"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("words.json");
    fs::write(&file, r#"[{"language": "bo", "key": "papers.board", "text": "སྒྲོམ་གཞི"}]"#).expect("written");
    let file = file.to_str().expect("a path");
    let with_file = run(&["--words", file], &golden("pairings_bo_zh"));
    let read = text(&with_file.stdout);
    assert!(read.contains("སྒྲོམ་གཞི") && !read.contains("ཅོག་ཙེ") && read.contains("དཀར"));
    fs::write(file, r#"[{"language": "bo", "key": "papers.poem", "text": "a"}]"#).expect("written");
    assert!(refused(&["--words", file], &golden("pairings")).contains("papers.poem"));
}

#[test]
fn what_it_cannot_print_it_says() {
    assert!(refused(&[], b"{").contains("it is no paper"));
    assert!(refused(&["/nowhere/paper.json"], b"").contains("/nowhere/paper.json"));
    assert!(refused(&["--lang", "zh,en,bo,ug"], &golden("notice")).contains("1 to 3 languages"));
    assert!(refused(&["--lang", "Tibetan"], &golden("notice")).contains("a language is written as"));
    let without = refused(&["--fonts", "/nowhere"], &golden("notice"));
    assert!(
        without.contains("/nowhere") && without.contains("apt-get install fonts-noto-core fonts-noto-cjk")
    );
    let large = vec![b' '; (6 << 20) + 1];
    assert!(refused(&[], &large).contains("more than 6 MiB"));
}

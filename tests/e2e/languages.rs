//! `shoutan` in the language of the person at the terminal: help, a command line that is wrong, and what a server refuses.

use std::process::Output;

use tests::{Platform, command_with, shapes};

const CHINESE: &[(&str, &str)] = &[("LANG", "zh_CN.UTF-8")];
const ENGLISH: &[(&str, &str)] = &[("LANG", "C")];

/// An event that there is not.
const NO_EVENT: &str = "0190a3c4-0000-7000-8000-00000000002a";

async fn run(variables: &[(&str, &str)], words: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command_with(variables, words).await.expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[tokio::test]
async fn help_is_in_the_language_of_the_locale() {
    let (code, help, _) = run(CHINESE, &["help"]).await;
    assert_eq!(code, Some(0));
    assert!(help.starts_with("在网上下传统棋类，并运行供人对局的平台\n\n用法： shoutan"), "{help}");
    assert!(help.contains("举办协会的赛事") && help.contains("显示帮助"), "{help}");
    let (code, help, _) = run(CHINESE, &["event", "round", "--help"]).await;
    assert_eq!(code, Some(0));
    assert!(help.contains("shoutan event round [选项] <赛事>"), "{help}");
    let (code, help, _) = run(ENGLISH, &["help"]).await;
    assert_eq!(code, Some(0));
    assert!(help.contains("Usage: shoutan") && help.contains("Runs events of federations"), "{help}");
    assert!(help.is_ascii(), "{help}");
    assert_eq!(run(ENGLISH, &["help"]).await, run(&[], &["help"]).await, "English, where nothing is said");
    let asked = run(ENGLISH, &["--language", "zh", "help"]).await;
    assert_eq!(asked, run(CHINESE, &["help"]).await, "the flag goes before the locale");
    assert_eq!(run(&[("LANG", "bo_CN.UTF-8")], &["help"]).await, asked, "Tibetan falls back to Chinese");
}

#[tokio::test]
async fn a_wrong_command_line_is_told_in_the_language_of_the_locale() {
    let words = ["event", "list", NO_EVENT, "--nothing"];
    let (code, said, told) = run(CHINESE, &words).await;
    assert_eq!((code, said.as_str()), (Some(2), ""));
    assert!(told.starts_with("错误：没有参数 '--nothing'\n"), "{told}");
    assert!(told.contains("用法： shoutan event list") && told.contains("详见 '--help'。"), "{told}");
    let (code, _, told) = run(ENGLISH, &words).await;
    assert_eq!(code, Some(2));
    assert!(told.starts_with("error: unexpected argument '--nothing' found\n"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_told_in_the_language_of_the_locale() {
    let (shape, store) = shapes()[0];
    let platform = Platform::start(shape, store).await.expect("the platform starts");
    let words = ["event", "--server", &platform.url, "show", NO_EVENT];
    let (code, _, told) = run(CHINESE, &words).await;
    assert_eq!(code, Some(1));
    assert!(told.starts_with("shoutan: 没有这项赛事，或调用者尚不得查看。\n"), "{told}");
    assert!(told.contains("\n  服务器原文：") && told.ends_with("\n  原因代码：UNKNOWN_EVENT\n"), "{told}");
    let (code, _, english) = run(ENGLISH, &words).await;
    assert_eq!(code, Some(1));
    assert!(english.is_ascii() && english.ends_with("\n  the server's reason: UNKNOWN_EVENT\n"), "{english}");
    // What scripts read is the same in every language.
    let for_scripts = [&words[..], &["--json"]].concat();
    assert_eq!(run(CHINESE, &for_scripts).await, run(ENGLISH, &for_scripts).await);
}

#[tokio::test]
async fn an_error_of_the_command_itself_is_told_in_the_language_of_the_locale() {
    let words =
        ["event", "--as", "nobody", "--password-file", "/nowhere", "mine", "--server", "http://127.0.0.1:9"];
    let (code, _, told) = run(CHINESE, &words).await;
    assert_eq!(code, Some(1));
    assert!(told.starts_with("shoutan: http://127.0.0.1:9 没有服务器应答："), "{told}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("words.toml");
    let own = |text: &str| std::fs::write(&file, text).expect("it is written");
    let file = file.display().to_string();
    let tibetan = [("LANG", "bo_CN.UTF-8"), ("SHOUTAN_WORDS", file.as_str())];
    own("[bo.help.shoutan.event]\nabout = \"འགྲན་སྡུར།\"\n");
    let (code, help, _) = run(&tibetan, &["event", "-h"]).await;
    assert_eq!(code, Some(0));
    assert!(help.starts_with("འགྲན་སྡུར།\n\n用法："), "{help}");
    own("[bo.help.shoutan.halma]\nabout = \"འགྲན་སྡུར།\"\n");
    let (code, _, told) = run(&tibetan, &["event", "-h"]).await;
    assert_eq!(code, Some(1));
    assert!(told.contains("bo help.shoutan.halma.about: there is no such word"), "{told}");
}

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use catalogue::{Area, Catalogue, Language};

use crate::{cli::command, speech::Speech};

/// What makes sentences of errors. What is asserted stands before the sentence of `ensure!`.
const MAKERS: [&str; 12] = [
    "bail!(",
    "ensure!(",
    "anyhow!(",
    "context(",
    "context(format!(",
    "|| format!(",
    "Err(",
    "Err(format!(",
    "ok_or(",
    "ok_or_else(",
    "|_| ",
    "|_| format!(",
];

/// What is made in the same ways and is no error.
const NO_ERRORS: [&str; 1] = ["{} in {name}"];

/// Files and folders whose errors are told in English: what operators read beside logs, which are in English, too, and
/// what a game is drawn with.
const ENGLISH: [&str; 18] = [
    "backup/",
    "commands/backup.rs",
    "commands/clocks.rs",
    "commands/config.rs",
    "commands/doctor/",
    "commands/event/demo/",
    "commands/keys.rs",
    "commands/record/",
    "commands/render/",
    "commands/rules/",
    "commands/serve.rs",
    "data.rs",
    "edge.rs",
    "instance.rs",
    "own_redis.rs",
    "platform.rs",
    "speech/",
    "vault.rs",
];

/// How names in the catalogue begin whose sentences are made by others: the reader of the command line, the system.
const OF_OTHERS: [&str; 3] = ["terminal.clap.", "terminal.system.", "terminal.told."];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The sentences of errors in the sources, as they are written there, each with a file that has it.
fn made() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut made = BTreeMap::new();
    for file in files {
        let name = file.strip_prefix(&root).expect("it is below").display().to_string();
        if ENGLISH.iter().any(|english| name.starts_with(english)) {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a source is text");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for sentence in sentences(code) {
            made.entry(sentence).or_insert_with(|| name.clone());
        }
    }
    made
}

/// The sentences of a source.
fn sentences(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for maker in MAKERS {
        for (at, _) in code.match_indices(maker) {
            let arguments = arguments(&code[at + maker.len()..]);
            let skipped = usize::from(maker == "ensure!(");
            found.extend(arguments.iter().skip(skipped).find_map(|argument| literal(argument)));
        }
    }
    // A sentence that is nothing but what another one says has no words of its own.
    let is_error = |sentence: &String| !NO_ERRORS.contains(&sentence.as_str());
    found.retain(|sentence| places_only(sentence).chars().any(char::is_alphabetic) && is_error(sentence));
    found
}

/// The arguments of a call, of which what stands behind its bracket is given.
fn arguments(rest: &str) -> Vec<String> {
    let (mut depth, mut is_text, mut arguments) = (1, false, vec![String::new()]);
    let mut signs = rest.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => is_text = !is_text,
            '\\' if is_text => {
                arguments.last_mut().expect("there is one").push(sign);
                arguments.last_mut().expect("there is one").extend(signs.next());
                continue;
            }
            '(' | '[' | '{' if !is_text => depth += 1,
            ')' | ']' | '}' if !is_text => depth -= 1,
            ',' if !is_text && depth == 1 => {
                arguments.push(String::new());
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
        arguments.last_mut().expect("there is one").push(sign);
    }
    arguments
}

/// The text that an argument is, as it is meant; none if it is no text.
fn literal(argument: &str) -> Option<String> {
    let mut text = String::new();
    let argument = argument.trim();
    let mut signs = argument.strip_prefix("|| ").unwrap_or(argument).strip_prefix('"')?.chars();
    loop {
        match signs.next()? {
            '"' => return Some(text),
            '\\' => match signs.next()? {
                'n' => text.push('\n'),
                // A line that goes on.
                '\n' => {
                    let rest = signs.as_str().trim_start();
                    signs = rest.chars();
                }
                other => text.push(other),
            },
            sign => text.push(sign),
        }
    }
}

/// A sentence without what stands in its places.
fn places_only(sentence: &str) -> String {
    pieces(sentence).concat()
}

/// A sentence as somebody reads it, with something in each place.
fn said(sentence: &str) -> String {
    pieces(sentence).join("7")
}

/// What stands between the places of a sentence.
fn pieces(sentence: &str) -> Vec<String> {
    let sentence = sentence.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let mut parts = sentence.split('{');
    let first = parts.next().into_iter();
    let rest = parts.map(|part| part.split_once('}').map_or("", |(_, rest)| rest));
    first.chain(rest).map(|part| part.replace('\u{1}', "{").replace('\u{2}', "}")).collect()
}

/// The key of the words that a sentence has.
fn key(sentence: &str) -> Option<String> {
    let said = said(sentence);
    let (key, _) = Catalogue::shipped().recognise(Area::Terminal, &said)?;
    Some(key.to_owned())
}

#[test]
fn every_sentence_of_an_error_has_words() {
    let mut missing = String::new();
    for (sentence, file) in made().into_iter().filter(|(sentence, _)| key(sentence).is_none()) {
        let _infallible = writeln!(missing, "# {file}\nNAME = {sentence:?}");
    }
    assert!(
        missing.is_empty(),
        "missing in services/shared/catalogue/catalogues/{{en,zh}}/terminal.toml, where each place has a name:\n{missing}"
    );
}

#[test]
fn no_word_of_errors_is_left_over() {
    let used: BTreeSet<String> = made().into_keys().filter_map(|sentence| key(&sentence)).collect();
    let is_ours = |key: &&str| !OF_OTHERS.iter().any(|start| key.starts_with(start));
    let left: Vec<&str> = Catalogue::shipped()
        .keys(Area::Terminal)
        .into_keys()
        .filter(is_ours)
        .filter(|key| !used.contains(*key))
        .collect();
    assert!(left.is_empty(), "nobody says {left:#?}");
}

#[test]
fn sentences_are_found_in_a_source() {
    let code = r#"
        ensure!(list.any(|it| it == "x"), "no column {}", 1);
        return Err(anyhow!("a \
            line")).with_context(|| format!("reading {}", file.display()));
        bail!("{difference}{hint}");
    "#;
    assert_eq!(sentences(code), ["no column {}", "a line", "reading {}"]);
    assert_eq!(said("{name} is no {what:?}, {{x}}"), "7 is no 7, {x}");
}

fn chinese() -> Speech {
    Speech::new(Language::chinese(), None).expect("it is spoken")
}

#[test]
fn an_error_is_told_from_the_outside_in() {
    let missing = std::io::Error::from_raw_os_error(2);
    let error = anyhow::Error::from(missing).context("reading words.toml");
    assert_eq!(chinese().failure(&error), "读取 words.toml：没有这个文件或目录");
    let refused = api::error::Error::invalid(api::reason::BAD_ID, "event_id", "not a UUID");
    let error =
        Err::<(), _>(tonic::Status::from(refused)).context("looking the account up").expect_err("it is one");
    assert_eq!(chinese().failure(&error), "查询账号：标识缺失、不是UUID，或出现在不该有的地方。");
    let occupied = api::error::Error::new(tonic::Code::FailedPrecondition, api::reason::OCCUPIED, "a stone");
    assert_eq!(chinese().refused(&occupied.into()).as_deref(), Some("拒绝：此点已有棋子。（OCCUPIED）"));
    let unknown = anyhow::anyhow!("nobody says this").context("looking the account up");
    assert_eq!(chinese().failure(&unknown), "查询账号：nobody says this");
}

#[test]
fn what_is_wrong_with_a_command_line_is_told() {
    let speech = chinese();
    let told = |line: &str| {
        let mut command = speech.help(command());
        let args = format!("shoutan {line}");
        let said = command.try_get_matches_from_mut(args.split(' ')).expect_err("it is wrong");
        let told = speech.of_clap(&said, &command);
        // What is left of English is names of commands and flags.
        let is_word = |word: &str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase());
        let usage = told.lines().position(|line| line.starts_with("用法：")).unwrap_or(usize::MAX);
        for line in told.lines().take(usage) {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(!words.windows(2).any(|pair| is_word(pair[0]) && is_word(pair[1])), "{told}\n{words:?}");
        }
        told
    };
    assert!(
        told("event list x --nothing").starts_with("错误：没有参数 '--nothing'\n"),
        "{}",
        told("event list x --nothing")
    );
    assert!(told("evnt").contains("没有命令 'evnt'"), "{}", told("evnt"));
    assert!(told("evnt").contains("'event'"));
    assert!(told("event round").contains("缺少以下参数："));
    let many = told("event round x many");
    assert!(many.contains("参数 '[轮次]' 的值 'many' 无效：不是数字"), "{many}");
    assert!(told("event list x --stage nowhere").contains("[可选值："));
    assert!(told("document post notice").contains("缺少"));
    assert!(
        told("document post notice --event a --federation b")
            .contains("不能与 '--federation <标识>' 同时使用")
    );
    assert!(told("event round x --why --why").contains("不能多次给出"));
    assert!(told("up --listen").contains("缺少值"));
    assert!(told("up --arrival-within 25h").contains("至多 24h"), "{}", told("up --arrival-within 25h"));
    assert!(told("federation member list x --club").contains("详见 '--help'"));
    assert!(told("--language Chinese").contains("无效"));
}

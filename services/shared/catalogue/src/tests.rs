use proptest::prelude::*;

use super::*;

fn language(tag: &str) -> Language {
    tag.parse().expect("a language")
}

fn word(tag: &str, key: &str, text: &str) -> Word {
    Word { language: tag.to_owned(), key: key.to_owned(), text: text.to_owned(), one: None }
}

/// Of each area the keys of each language, with their placeholders.
fn of_area(area: Area) -> BTreeMap<&'static str, BTreeMap<String, Vec<String>>> {
    let mut languages: BTreeMap<&str, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for (_, tag, text) in FILES.iter().filter(|(of, _, _)| *of == area) {
        let words =
            file::read_as(area, text).unwrap_or_else(|fault| panic!("{tag} {}: {fault}", area.name()));
        for (key, message) in words {
            let places = message.placeholders().into_iter().map(str::to_owned).collect();
            let before = languages.entry(tag).or_default().insert(key.clone(), places);
            assert_eq!(before, None, "{tag} {}.{key} stands in two files", area.name());
        }
    }
    languages
}

/// What one file has and the other lacks, or has with other placeholders.
fn differences(
    (tag, words): (&str, &BTreeMap<String, Vec<String>>),
    (other_tag, others): (&str, &BTreeMap<String, Vec<String>>),
) -> Vec<String> {
    words
        .iter()
        // What the system says in English has a number that nobody needs in words.
        .filter(|(key, _)| !key.starts_with("system."))
        .filter_map(|(key, places)| match others.get(key) {
            None => Some(format!("{key} is in {tag} and not in {other_tag}")),
            Some(other) if other != places => {
                Some(format!("{key} has {places:?} in {tag} and {other:?} in {other_tag}"))
            }
            Some(_) => None,
        })
        .collect()
}

#[test]
fn every_language_has_the_same_words_about_the_same_things() {
    let mut faults = Vec::new();
    for area in Area::ALL {
        let languages = of_area(area);
        for (tag, words) in &languages {
            for (other_tag, others) in languages.iter().filter(|(other, _)| *other != tag) {
                faults.extend(differences((tag, words), (other_tag, others)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_is_missing_superfluous_or_about_something_else_is_found() {
    let words = |entries: &[(&str, &[&str])]| -> BTreeMap<String, Vec<String>> {
        let places = |places: &[&str]| places.iter().map(|place| (*place).to_owned()).collect();
        entries.iter().map(|(key, of)| ((*key).to_owned(), places(of))).collect()
    };
    let english = words(&[("a", &[]), ("b", &["round"]), ("c", &["name"])]);
    let chinese = words(&[("a", &[]), ("b", &["rounds"]), ("d", &[])]);
    let found = differences(("en", &english), ("zh", &chinese));
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(differences(("zh", &chinese), ("en", &english)).len(), 2);
    assert!(differences(("en", &english), ("en", &english)).is_empty());
}

#[test]
fn one_thing_is_said_otherwise_where_the_language_does() {
    let message = Message::parse("{count} boards", Some("{count} board")).expect("a message");
    assert_eq!(message.say(&language("en"), &[("count", 1_u64.into())]), "1 board");
    assert_eq!(message.say(&language("en"), &[("count", 2_u64.into())]), "2 boards");
    assert_eq!(message.say(&language("en"), &[("count", 0_u64.into())]), "0 boards");
    assert_eq!(message.say(&language("zh"), &[("count", 1_u64.into())]), "1 boards");
    assert_eq!(Message::parse("{count} of {all}", Some("one")), Err(InvalidMessage::Forms));
    assert_eq!(Message::parse("boards", Some("board")), Err(InvalidMessage::Forms));
}

#[test]
fn what_is_said_is_put_in_once() {
    let message = Message::parse("{a} meets {b}", None).expect("a message");
    let said = message.say(&language("en"), &[("a", "{b}".into()), ("b", "<b>".into())]);
    assert_eq!(said, "{b} meets <b>");
}

#[test]
fn a_federation_adds_a_language_and_changes_words() {
    let own = [word("bo", "papers.round", "སྐོར་ {round}"), word("zh", "papers.round", "{round} 轮")];
    let catalogue = Catalogue::shipped().extended(Extension::new(&own).expect("it is fine"));
    let said = |tag: &str, key: &str| {
        catalogue.get(&language(tag), key, &[("round", 2_u64.into())]).expect("it is there")
    };
    assert_eq!(said("bo", "papers.round").text, "སྐོར་ 2");
    assert_eq!(said("zh-CN", "papers.round").text, "2 轮");
    assert_eq!(said("en", "papers.round").text, "Round 2");
    let fallen_back = said("bo", "papers.name");
    assert_eq!((fallen_back.language.tag(), fallen_back.text.as_str()), ("zh", "姓名"));
    assert_eq!(catalogue.get(&language("bo"), "papers.nothing", &[]), None);
}

#[test]
fn an_extension_lists_what_it_lacks() {
    let own = Extension::new(&[word("bo", "papers.round", "སྐོར་ {round}")]).expect("it is fine");
    let all = Catalogue::shipped().keys(Area::Papers).len();
    assert_eq!(own.missing(&language("bo"), Area::Papers), all - 1);
    assert_eq!(own.missing(&language("de"), Area::Papers), all);
}

#[test]
fn a_word_that_is_no_word_is_refused() {
    let refused = |words: &[Word]| Extension::new(words).expect_err("it is refused").fault;
    let one = |text: &str| refused(&[word("bo", "papers.round", text)]);
    assert_eq!(one("<b>{round}</b>"), WordFault::Message(InvalidMessage::Characters));
    assert_eq!(one("{round} &lt;"), WordFault::Message(InvalidMessage::Characters));
    assert_eq!(one("{round}\u{202E}"), WordFault::Message(InvalidMessage::Characters));
    assert_eq!(one("{round"), WordFault::Message(InvalidMessage::Brackets));
    assert_eq!(one("round}"), WordFault::Message(InvalidMessage::Brackets));
    assert_eq!(one("{}"), WordFault::Message(InvalidMessage::Brackets));
    assert_eq!(one(""), WordFault::Message(InvalidMessage::Length(TEXT_CHARS_MAX)));
    assert_eq!(
        one(&"a".repeat(TEXT_CHARS_MAX + 1)),
        WordFault::Message(InvalidMessage::Length(TEXT_CHARS_MAX))
    );
    assert_eq!(one("of {rounds}"), WordFault::Placeholders(vec!["round".to_owned()]));
    assert_eq!(one("round"), WordFault::Placeholders(vec!["round".to_owned()]));
    assert_eq!(refused(&[word("bo", "papers.of_nothing", "a")]), WordFault::Unknown);
    assert_eq!(refused(&[word("Tibetan", "papers.round", "{round}")]), WordFault::Language(InvalidLanguage));
    let twice = word("bo", "papers.round", "{round}");
    assert_eq!(refused(&[twice.clone(), twice]), WordFault::Twice);
    let tags = ["aa", "ab", "ac", "ad", "ae", "af", "ag", "ah", "ai"];
    let many: Vec<Word> = tags.iter().map(|tag| word(tag, "papers.round", "{round}")).collect();
    assert_eq!(refused(&many), WordFault::Languages);
}

#[test]
fn a_file_that_is_none_is_refused_by_name() {
    assert!(matches!(read("a = "), Err(FileFault::Syntax(_))));
    assert_eq!(read("a = 1"), Err(FileFault::Shape("a".to_owned())));
    assert_eq!(read("[a]\n\"b c\" = \"d\""), Err(FileFault::Shape("a.b c".to_owned())));
    assert_eq!(read("a.b.c.d.e.f.g.h.i = \"j\""), Err(FileFault::Shape("a.b.c.d.e.f.g.h.i".to_owned())));
    assert!(matches!(read("a = \"{\""), Err(FileFault::Message(name, _)) if name == "a"));
}

#[test]
fn a_federation_s_file_names_languages_and_keys() {
    let own = read_own("[bo.papers]\nround = \"སྐོར་ {round}\"\n[mn-Mong.help.any.name]\nFILE = \"ᠹᠠᠶᠢᠯ\"\n")
        .expect("a file");
    assert_eq!(own[0], word("bo", "papers.round", "སྐོར་ {round}"));
    assert_eq!(own[1], word("mn-Mong", "help.any.name.FILE", "ᠹᠠᠶᠢᠯ"));
    assert_eq!(read_own("bo = \"x\""), Err(FileFault::Shape("bo".to_owned())));
    assert_eq!(read_own("[\"a b\".papers]\nround = \"x\""), Err(FileFault::Shape("a b".to_owned())));
    // A server takes no help: nobody reads it there.
    let fault = |areas: &[Area]| Extension::of(areas, &own).err().map(|invalid| invalid.fault);
    assert_eq!(fault(&Area::ALL), None);
    assert_eq!(fault(&[Area::Papers, Area::Refusals]), Some(WordFault::Unknown));
    assert_eq!(Extension::new(&own).map_err(|invalid| invalid.fault), Err(WordFault::Unknown));
}

#[test]
fn what_is_read_at_a_terminal_may_have_paragraphs_and_signs_of_markup() {
    let told = |text: &str| word("bo", "help.shoutan.about", text);
    let taken = |text: &str| Extension::of(&Area::ALL, &[told(text)]).map_err(|invalid| invalid.fault);
    assert!(taken("a > b\n\n<c>").is_ok());
    assert_eq!(taken("a\u{1b}[2J"), Err(WordFault::Message(InvalidMessage::Characters)));
    let long = "a".repeat(TERMINAL_CHARS_MAX + 1);
    assert_eq!(taken(&long), Err(WordFault::Message(InvalidMessage::Length(TERMINAL_CHARS_MAX))));
}

#[test]
fn a_sentence_is_recognised_with_what_stands_in_its_places() {
    let parts = |english: &str, text: &str| {
        let message = Message::for_terminal(english, None).expect("a message");
        let places = message.places_in(text)?;
        Some(places.into_iter().map(|(name, part)| format!("{name}={part}")).collect::<Vec<_>>())
    };
    let some = |parts: &[&str]| Some(parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>());
    assert_eq!(parts("it is empty", "it is empty"), some(&[]));
    assert_eq!(parts("it is empty", "it is empty now"), None);
    assert_eq!(parts("reading {file}", "reading a b"), some(&["file=a b"]));
    assert_eq!(parts("reading {file}", "reading "), None);
    assert_eq!(parts("{file} is empty", "x is empty is empty"), some(&["file=x is empty"]));
    assert_eq!(parts("{a}: {b} lines", "x: y: 3 lines"), some(&["a=x", "b=y: 3"]));
    assert_eq!(parts("{a}{b}", "xy"), None);
    let known = Catalogue::shipped().recognise(Area::Terminal, "reading words.toml");
    assert_eq!(known, Some(("terminal.reading", vec![("file", "words.toml")])));
    assert_eq!(Catalogue::shipped().recognise(Area::Terminal, "nobody says this"), None);
}

proptest! {
    #[test]
    fn what_was_said_of_something_is_recognised(file in "[^:\\pC]{1,40}", count in 1_u32..9) {
        let message = Message::for_terminal("{file}: {count} bad lines", None).expect("a message");
        let said = message.say(&Language::english(), &[("file", file.as_str().into()), ("count", count.into())]);
        let places = message.places_in(&said).expect("it was said so");
        let again: Vec<(&str, Arg<'_>)> = places.into_iter().map(|(name, part)| (name, part.into())).collect();
        prop_assert_eq!(message.say(&Language::english(), &again), said);
    }

    #[test]
    fn no_text_breaks_the_reader(text in "\\PC{0,60}", one in proptest::option::of("\\PC{0,20}")) {
        if let Ok(message) = Message::parse(&text, one.as_deref()) {
            let names = message.placeholders();
            let args: Vec<(&str, Arg<'_>)> = names.into_iter().map(|name| (name, "x".into())).collect();
            let said = message.say(&Language::english(), &args);
            let is_clean = !said.contains(['{', '}', '<', '>', '&']);
            prop_assert!(is_clean, "{}", said);
        }
    }
}

#[test]
fn what_is_written_reads_back_equal() {
    let word = |language: &str, key: &str, text: &str, one: Option<&str>| Word {
        language: language.to_owned(),
        key: key.to_owned(),
        text: text.to_owned(),
        one: one.map(str::to_owned),
    };
    let words = [
        word("bo", "help.shoutan.about", "one \"two\" \\ three\nfour\u{7f}", None),
        word("bo", "papers.entrants", "{count} things", Some("{count} thing")),
        word("bo", "papers.round", "སྐོར་བ་{round}", None),
        word("bo", "papers.title.standings", "x", None),
        word("mn-Mong", "papers.round", "{round}", None),
    ];
    assert_eq!(read_own(&write_own(&words)).expect("it is read"), words);
    assert_eq!(write_own(&[]), "");
    // Everything that the platform says is written so, and read.
    let mut all: Vec<Word> = [Language::english(), Language::chinese()]
        .iter()
        .flat_map(|language| Area::ALL.into_iter().map(move |area| (language, area)))
        .flat_map(|(language, area)| Catalogue::shipped().words(language, area))
        .map(|entry| entry.word)
        .collect();
    all.sort();
    all.dedup();
    let mut again = read_own(&write_own(&all)).expect("it is read");
    again.sort();
    assert_eq!(again, all);
}

#[test]
fn a_word_is_found_in_the_next_language_that_has_it_and_only_what_is_known_is_kept() {
    let word = |key: &str, text: &str| Word {
        language: "bo".to_owned(),
        key: key.to_owned(),
        text: text.to_owned(),
        one: None,
    };
    let words =
        vec![word("papers.round", "སྐོར་{round}"), word("papers.of_yesterday", "x"), word("help.about", "x")];
    let (extension, kept) = Extension::still(&[Area::Papers], words.clone());
    assert_eq!(kept, words[..1]);
    let catalogue = Catalogue::shipped().extended(extension);
    let tibetan: Language = "bo".parse().expect("a tag");
    let found: BTreeMap<String, (String, bool)> = catalogue
        .words(&tibetan, Area::Papers)
        .map(|entry| (entry.word.key, (entry.word.language, entry.is_own)))
        .collect();
    assert_eq!(found.len(), Catalogue::shipped().keys(Area::Papers).len());
    assert_eq!(found["papers.round"], ("bo".to_owned(), true));
    assert!(found.iter().all(|(key, (language, own))| key == "papers.round" || (language == "zh" && !own)));
    // Help has no English words here; who reads English is shown those that there are.
    assert!(catalogue.words(&Language::english(), Area::Help).all(|entry| entry.word.language == "zh"));
}

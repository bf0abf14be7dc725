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
    let files = FILES.iter().filter(|(of, _, _)| *of == area);
    files
        .map(|(_, tag, text)| {
            let words = read(text).unwrap_or_else(|fault| panic!("{tag} {}: {fault}", area.name()));
            let places = |message: &Message| message.placeholders().into_iter().map(str::to_owned).collect();
            (*tag, words.iter().map(|(key, message)| (key.clone(), places(message))).collect())
        })
        .collect()
}

/// What one file has and the other lacks, or has with other placeholders.
fn differences(
    (tag, words): (&str, &BTreeMap<String, Vec<String>>),
    (other_tag, others): (&str, &BTreeMap<String, Vec<String>>),
) -> Vec<String> {
    words
        .iter()
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
    assert_eq!(one(""), WordFault::Message(InvalidMessage::Length));
    assert_eq!(one(&"a".repeat(TEXT_CHARS_MAX + 1)), WordFault::Message(InvalidMessage::Length));
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
    assert_eq!(read("a.b.c.d.e = \"f\""), Err(FileFault::Shape("a.b.c.d.e".to_owned())));
    assert!(matches!(read("a = \"{\""), Err(FileFault::Message(name, _)) if name == "a"));
}

proptest! {
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

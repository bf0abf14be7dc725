//! Papers as files of JSON.

use catalogue::Word;
use papers::{json, read, read_words};

use crate::samples;

#[test]
fn every_paper_reads_back_equal_with_its_words() {
    let word = |one: Option<&str>| Word {
        language: "bo".to_owned(),
        key: "papers.name".to_owned(),
        text: "མིང་".to_owned(),
        one: one.map(str::to_owned),
    };
    for (kind, sheet) in samples::sheets() {
        let paper = samples::paper(&["bo", "zh"], sheet);
        for words in [vec![], vec![word(None), word(Some("མིང་"))]] {
            let file = json(&paper, &words);
            assert_eq!(read(file.as_bytes()).expect("a paper"), (paper.clone(), words), "{kind}");
        }
    }
}

#[test]
fn what_is_no_paper_is_told_with_its_place() {
    let message = |json: &str| read(json.as_bytes()).expect_err("no paper").to_string();
    assert!(message("{").contains("line 1 column 1"), "{}", message("{"));
    let unknown = r#"{"languages": ["zh"], "head": {}, "sheet": {"poem": {}}}"#;
    assert!(message(unknown).starts_with("it is no paper: "), "{}", message(unknown));
    assert!(read_words(br#"[{"language": "bo", "key": "papers.name", "text": "a"}]"#).is_ok());
    assert!(read_words(br#"{"language": "bo"}"#).is_err());
}

//! Words of federations of their own, and the languages of an event's papers.

use std::slice::from_ref;

use api::federation::v1::{
    self as pb, calendar_service_client::CalendarServiceClient,
    language_service_client::LanguageServiceClient,
};
use tonic::Status;

use crate::{
    fixture::{Founded, Person, fixtures, reason},
    held::{enter, held_in, run, settings},
};

fn word(key: &str, text: &str) -> pb::Word {
    pb::Word { key: key.to_owned(), text: text.to_owned(), one: String::new() }
}

fn writing(by: &Founded, language: &str, words: &[pb::Word]) -> pb::UpdateWordsRequest {
    pb::UpdateWordsRequest {
        federation_id: by.id.clone(),
        language: language.to_owned(),
        words: words.to_vec(),
        request_id: by.founder.request(),
        ..Default::default()
    }
}

async fn write(person: &Person, asked: pb::UpdateWordsRequest) -> Result<pb::FederationLanguage, Status> {
    let answer = LanguageServiceClient::new(person.transport()).update_words(asked).await?;
    Ok(answer.into_inner().language.expect("present"))
}

async fn languages(person: &Person, federation: &Founded) -> Vec<pb::FederationLanguage> {
    let asked = pb::ListLanguagesRequest { federation_id: federation.id.clone() };
    let answer = LanguageServiceClient::new(person.transport()).list_languages(asked).await;
    answer.expect("languages").into_inner().languages
}

async fn words(person: &Person, asked: pb::ListWordsRequest) -> Result<Vec<pb::FoundWord>, Status> {
    let (mut asked, mut found) = (asked, Vec::new());
    loop {
        let answer = LanguageServiceClient::new(person.transport()).list_words(asked.clone()).await?;
        let page = answer.into_inner();
        found.extend(page.words);
        if page.next_page_token.is_empty() {
            return Ok(found);
        }
        asked.page_token = page.next_page_token;
    }
}

const ROUND: &str = "སྐོར་བ་{round}";
const PAIRINGS: &str = "ཁ་གཏད་རེའུ་མིག";

#[tokio::test]
async fn papers_and_calendars_say_what_a_federation_says_in_the_languages_of_the_event() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let own = [word("papers.round", ROUND), word("papers.title.pairings", PAIRINGS)];
        write(&federation.founder, writing(&federation, "bo", &own)).await.expect("written");
        let calendar = [word("calendar.mine", "ངའི་ལོ་ཐོ།")];
        write(&federation.founder, writing(&federation, "bo-CN", &calendar)).await.expect("written");
        let languages = vec!["bo".to_owned(), "zh".to_owned()];
        let held =
            held_in(&fixture, federation.clone(), pb::EventSettings { languages, ..settings(3) }).await;
        enter(&fixture, &held, 4).await;
        run(&held).await;
        crate::held::begin(&held, 1).await;
        let anybody = fixture.person("anybody");
        let page = async |languages: &[&str]| {
            let asked = pb::RenderDocumentRequest {
                event_id: held.id.clone(),
                kind: pb::DocumentKind::Pairings.into(),
                languages: languages.iter().map(|tag| (*tag).to_owned()).collect(),
                ..Default::default()
            };
            let answer = anybody.documents().render_document(asked).await.expect("a paper").into_inner();
            String::from_utf8(answer.html).expect("a page is UTF-8")
        };
        // Nobody says any language: those of the event, and the words of its federation.
        let plain = page(&[]).await;
        assert!(plain.contains("<html lang=\"bo\""), "{}: {plain}", fixture.kind);
        assert!(plain.contains("སྐོར་བ་1") && plain.contains(PAIRINGS) && plain.contains("第1轮"), "{plain}");
        assert_eq!(page(&["bo", "zh"]).await, plain);
        assert!(page(&["bo-CN", "zh"]).await.contains(PAIRINGS), "a region has what its language has");
        let english = page(&["en"]).await;
        assert!(english.contains("<html lang=\"en\"") && !english.contains(PAIRINGS));
        // Other programs are given the words, too, and say the same.
        let asked = pb::RenderDocumentRequest {
            event_id: held.id.clone(),
            kind: pb::DocumentKind::Pairings.into(),
            format: pb::DocumentFormat::Json.into(),
            ..Default::default()
        };
        let json = anybody.documents().render_document(asked).await.expect("a paper").into_inner().json;
        let (paper, words) = papers::read(&json).expect("it is a paper");
        let catalogue = catalogue::Extension::new(&words).expect("they are words");
        let catalogue = catalogue::Catalogue::shipped().extended(catalogue);
        assert_eq!(papers::html(&paper, &catalogue).expect("a page"), plain, "{}", fixture.kind);
        // What is posted is in the languages of the event.
        let posting = pb::CreateDocumentRequest {
            event_id: held.id.clone(),
            kind: pb::DocumentKind::Pairings.into(),
            request_id: held.chief.request(),
            ..Default::default()
        };
        let posted = held.chief.documents().create_document(posting).await.expect("posted").into_inner();
        assert_eq!(posted.document.expect("present").languages, ["bo", "zh"]);
        // The supplement names them.
        let asked = pb::GetSupplementRequest { event_id: held.id.clone() };
        let supplement = held.chief.events.clone().get_supplement(asked).await.expect("there").into_inner();
        assert!(supplement.text.contains("Languages of its papers: bo, zh"), "{}", supplement.text);
        // A calendar of what somebody plays in is called as his federation says.
        let mut calendars = CalendarServiceClient::new(held.chief.transport());
        let asked = pb::CreateCalendarFeedRequest {
            language: "bo-CN".to_owned(),
            request_id: held.chief.request(),
            ..Default::default()
        };
        let path = calendars.create_calendar_feed(asked).await.expect("a calendar").into_inner().path;
        let (_, _, calendar) = crate::calendars::get(&fixture, &path, "").await;
        assert!(calendar.replace("\r\n ", "").contains("ངའི་ལོ་ཐོ།"), "{}: {calendar}", fixture.kind);
    }
}

#[tokio::test]
async fn languages_that_are_none_are_refused_in_settings() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        for languages in [&["<b>"][..], &["zh", "zh"], &["zh", "en", "bo", "mn-Mong"]] {
            let languages = languages.iter().map(|tag| (*tag).to_owned()).collect();
            let request = pb::CreateEventRequest {
                event_id: federation.founder.request(),
                federation_id: federation.id.clone(),
                name: crate::fixture::name("Open", ""),
                settings: Some(pb::EventSettings { languages, ..settings(3) }),
                validate_only: true,
            };
            let made = federation.founder.events.clone().create_event(request).await;
            assert_eq!(reason(made), "BAD_EVENT_SETTINGS", "{}", fixture.kind);
        }
    }
}

#[tokio::test]
async fn a_language_is_written_whole_by_officials_and_found_again() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, anybody) = (&federation.founder, fixture.person("anybody"));
        let own = [word("papers.round", ROUND), word("refusals.UNKNOWN_EVENT", "འགྲན་སྡུར་འདི་མེད།")];
        assert_eq!(reason(write(&anybody, writing(&federation, "bo", &own)).await), "NOT_AN_OFFICIAL");
        let only_asked = pb::UpdateWordsRequest { validate_only: true, ..writing(&federation, "bo", &own) };
        write(founder, only_asked).await.expect("it could be written");
        assert!(languages(&anybody, &federation).await.is_empty(), "{}", fixture.kind);
        let asked = writing(&federation, "bo", &own);
        let written = write(founder, asked.clone()).await.expect("written");
        assert_eq!(write(founder, asked).await.expect("again"), written, "{}", fixture.kind);
        assert_eq!(languages(&anybody, &federation).await, from_ref(&written));
        assert_eq!((written.word_count, written.updated_by.clone()), (2, founder.id()));
        let known = catalogue::Catalogue::shipped().keys(catalogue::Area::Papers).len();
        assert_eq!(written.missing_counts["papers"] as usize, known - 1);

        // Whoever translates finds every key, with what stands there meanwhile.
        let all = pb::ListWordsRequest {
            federation_id: federation.id.clone(),
            language: "bo".to_owned(),
            area: pb::WordArea::Papers.into(),
            page_size: 7,
            ..Default::default()
        };
        let found = words(&anybody, all.clone()).await.expect("words");
        assert_eq!(found.len(), known, "{}", fixture.kind);
        let key = |it: &pb::FoundWord| it.word.as_ref().expect("present").key.clone();
        assert!(found.iter().map(key).is_sorted());
        let round = found.iter().find(|it| key(it) == "papers.round").expect("there");
        let is_so = round.is_own && round.language == "bo" && round.placeholders == ["round"];
        assert!(is_so && round.word == Some(own[0].clone()), "{round:?}");
        let others = found.iter().filter(|it| key(it) != "papers.round");
        assert!(others.into_iter().all(|it| !it.is_own && it.language == "zh"));
        let only_own = pb::ListWordsRequest { own_only: true, area: 0, ..all.clone() };
        let keys: Vec<String> = words(&anybody, only_own).await.expect("words").iter().map(key).collect();
        assert_eq!(keys, ["papers.round", "refusals.UNKNOWN_EVENT"]);
        let shipped = pb::ListWordsRequest { federation_id: String::new(), ..all.clone() };
        assert!(words(&anybody, shipped).await.expect("words").iter().all(|it| !it.is_own));

        // What is written anew is all that there is; who has seen another revision is told.
        let changed = write(founder, writing(&federation, "bo", &own[..1])).await.expect("written");
        assert!(changed.revision > written.revision && changed.word_count == 1);
        let late = pb::UpdateWordsRequest { revision: written.revision, ..writing(&federation, "bo", &own) };
        assert_eq!(reason(write(founder, late).await), "REVISION_PASSED");
        let gone = write(founder, writing(&federation, "bo", &[])).await.expect("taken away");
        assert_eq!((gone.word_count, languages(&anybody, &federation).await.len()), (0, 0));
        fixture.time.advance(std::time::Duration::from_secs(1));
        let back = write(founder, writing(&federation, "bo", &own)).await.expect("written");
        assert!(back.revision > changed.revision, "it is another than any that there was");
    }
}

#[tokio::test]
async fn words_that_are_none_are_refused_and_change_nothing() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let good = word("papers.round", ROUND);
        let cases = [
            ("bo", vec![good.clone(), word("papers.nothing", "x")], "words[1]"),
            ("bo", vec![good.clone(), good.clone()], "words[1]"),
            ("bo", vec![word("papers.round", "no place")], "words[0]"),
            ("bo", vec![word("papers.round", "<b>{round}</b>")], "words[0]"),
            ("bo", vec![word("papers.round", "")], "words[0]"),
            ("Tibetan", vec![good.clone()], "language"),
        ];
        for (language, words, field) in cases {
            let refused = write(founder, writing(&federation, language, &words)).await.expect_err("refused");
            assert_eq!(api::error::reason(&refused), "BAD_WORDS", "{words:?}");
            let fields = tonic_types::StatusExt::get_error_details(&refused);
            let named = fields.bad_request().expect("a field").field_violations[0].field.clone();
            assert_eq!(named, field, "{words:?}");
        }
        // So many bytes are too many, whatever they say.
        let long = pb::Word { one: "x".repeat(600 << 10), ..good.clone() };
        assert_eq!(reason(write(founder, writing(&federation, "bo", &[long])).await), "BAD_WORDS");
        assert!(languages(founder, &federation).await.is_empty(), "{}", fixture.kind);
        for language in ["aa", "ab", "ac", "ad", "ae", "af", "ag", "ah"] {
            write(founder, writing(&federation, language, from_ref(&good))).await.expect("written");
        }
        let ninth = write(founder, writing(&federation, "bo", from_ref(&good))).await;
        assert_eq!(reason(ninth), "FEDERATION_FULL", "{}", fixture.kind);
        write(founder, writing(&federation, "ab", &[good])).await.expect("one that is there is written");
    }
}

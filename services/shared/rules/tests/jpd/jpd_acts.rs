//! Acts as text.

use proptest::prelude::*;
use rules::{
    goban::{NotationError, Point, Size},
    jpd::{Act, Terms},
};

fn points() -> impl Strategy<Value = Vec<Point>> {
    prop::collection::vec((0u8..9, 0u8..9), 0..6)
        .prop_map(|list| list.into_iter().filter_map(|(column, row)| Point::new(column, row)).collect())
}

fn any_act() -> impl Strategy<Value = Act> {
    let terms = || {
        (points(), points(), points(), points()).prop_map(|(dead, black, white, shared)| Terms {
            dead,
            black,
            white,
            shared,
        })
    };
    prop_oneof![
        (0u8..9, 0u8..9).prop_map(|(column, row)| Act::Play(Point::new(column, row).expect("a point"))),
        prop::sample::select(vec![Act::Virtual, Act::Pass, Act::Reject, Act::Fill, Act::Accept(None)]),
        terms().prop_map(Act::Propose),
        terms().prop_map(|terms| Act::Accept(Some(terms))),
    ]
}

fn read(text: &str) -> Result<Act, NotationError> {
    Act::parse(text, Size::NINE, Size::NINE)
}

proptest! {
    #[test]
    fn jpd_acts_are_read_as_they_are_written(act in any_act()) {
        let text = act.write(Size::NINE);
        prop_assert_eq!(read(&text), Ok(act.clone()));
        prop_assert_eq!(read(&text.to_lowercase()), Ok(act));
    }

    #[test]
    fn jpd_any_text_is_read_or_refused(text in "[a-jA-J0-9,\\- ]{0,40}|\\PC{0,40}|(dead|black|white|shared|accept|[A-J][0-9]|-|,| ){0,12}") {
        if let Ok(act) = read(&text) {
            prop_assert_eq!(read(&act.write(Size::NINE)), Ok(act));
        }
    }
}

#[test]
fn jpd_texts_that_are_no_acts() {
    for text in [
        "",
        "virtual 1",
        "fill A1",
        "dead",
        "dead,",
        "dead - dead -",
        "black A1",
        "accept A1",
        "dead A1 B2",
        "pass pass",
    ] {
        assert_eq!(read(text), Err(NotationError::Syntax), "{text}");
    }
    assert_eq!(read("K9"), Err(NotationError::OffBoard));
    assert_eq!(read("dead - shared A10"), Err(NotationError::OffBoard));
}

//! The table of reasons.

use std::collections::{HashMap, HashSet};

use api::reason::{ALL, BAD_ID, KO, RULE_BROKEN, Reason};

#[test]
fn one_reason_has_one_meaning_and_one_meaning_one_reason() {
    let (mut names, mut meanings) = (HashSet::new(), HashMap::new());
    for reason in ALL.iter().flat_map(|(_, rows)| *rows) {
        assert!(names.insert(reason.name()), "{reason} stands in the table twice");
        let same = meanings.insert(reason.meaning(), reason);
        assert!(same.is_none(), "{reason} and {same:?} say the same");
        for sentence in [reason.meaning(), reason.remedy()] {
            assert!(sentence.len() > 6 && sentence.ends_with('.'), "{reason}: {sentence:?} is no sentence");
            assert!(!sentence.contains('|'), "{reason} would break the printed table");
        }
    }
}

#[test]
fn a_reason_is_found_by_its_name() {
    assert_eq!(Reason::named("BAD_ID"), Some(BAD_ID));
    assert_eq!(Reason::named("bad_id"), None);
    assert_eq!(Reason::of_rules("KO"), KO);
    assert_eq!(Reason::of_rules("NEVER_HEARD_OF"), RULE_BROKEN);
}

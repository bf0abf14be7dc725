//! Records of long games.

use rules::{Author, Record, RuleSet, Side};

/// A record of Go with so many moves, the same every time: the players put stones wherever they may, and what they have
/// filled is captured again and again.
///
/// # Panics
/// When neither has anywhere left to play.
pub(crate) fn long_record(moves: usize) -> String {
    const LETTERS: &[u8; 19] = b"ABCDEFGHJKLMNOPQRST";
    const POINTS: u64 = 19 * 19;
    let rule_set = RuleSet::named("");
    let mut position = (rules::go::VARIANT.start)(&rule_set).expect("such games are played");
    let rule_set = position.rule_set().clone();
    let (mut acts, mut state, mut side) = (Vec::with_capacity(moves), 7_u64, Side::First);
    while acts.len() < moves {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let first = (state >> 33) % POINTS;
        // A refused act changes nothing.
        let played = (0..POINTS).map(|step| (first + 97 * step) % POINTS).find_map(|point| {
            let column = char::from(LETTERS[usize::try_from(point % 19).expect("small")]);
            let text = format!("{column}{}", point / 19 + 1);
            position.act(Author::Side(side), &text).is_ok().then_some(text)
        });
        // Who has nowhere to play lets the other capture.
        let text = played.unwrap_or_else(|| {
            position.act(Author::Side(side), "pass").expect("the other has not passed");
            "pass".to_owned()
        });
        acts.push(rules::Act::by(side, text));
        side = side.other();
    }
    let headings = vec![("first".to_owned(), "Long".to_owned()), ("second".to_owned(), "Longer".to_owned())];
    let record = Record { variant: "go", rule_set, headings, acts, outcome: None };
    (rules::go::VARIANT.print_record)(&record)
}

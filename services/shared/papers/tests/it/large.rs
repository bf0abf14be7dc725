//! Papers of large events.

use papers::{Cell, Code, Colour, CrossLine, Crosstable, Form, Sheet, html};

use crate::samples;

/// As many as an event of a province has.
const PLAYERS: u32 = 1000;

fn crosstable(form: Form, rounds: u32) -> Sheet {
    let cell = |own: u32, round: u32| Cell {
        opponent: Some((own + round) % PLAYERS + 1),
        colour: Some(Colour::Black),
        code: Some(Code::Win),
    };
    let line = |own: u32| CrossLine {
        place: Some(own + 1),
        who: samples::person(own + 1, "བསྟན་འཛིན་རྒྱ་མཚོ", "Tenzin Gyatso"),
        points: "18".to_owned(),
        cells: (1..=rounds).map(|round| cell(own, round)).collect(),
    };
    Sheet::Crosstable(Crosstable { round: 11, form, lines: (0..PLAYERS).map(line).collect() })
}

#[test]
fn a_crosstable_of_a_thousand_has_everybody() {
    let page = html(&samples::paper(&["zh", "bo"], crosstable(Form::Rounds, 11)), &samples::catalogue());
    let page = page.expect("it is a paper");
    // Eleven rounds are two pages of columns, each with everybody.
    assert_eq!(page.matches("<tr>").count(), 2 * 1001);
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
}

//! How long the crosstable of a thousand players takes, with a column for each of eleven rounds and with one for each
//! opponent; ends with an error above a second. `cargo run --release -p papers --example crosstable`.

use std::{process::ExitCode, time::Duration};

use catalogue::Catalogue;
use papers::{Cell, Code, Colour, CrossLine, Crosstable, Form, Head, Name, Paper, Person, Sheet, html};

const PLAYERS: u32 = 1000;
const LIMIT: Duration = Duration::from_secs(1);

fn crosstable(form: Form) -> Paper {
    let cell = |own: u32, round: u32| Cell {
        opponent: Some((own + round) % PLAYERS + 1),
        colour: Some(Colour::Black),
        code: Some(Code::Win),
    };
    let line = |own: u32| CrossLine {
        place: Some(own + 1),
        who: Person {
            number: own + 1,
            name: Name::new("བསྟན་འཛིན་རྒྱ་མཚོ", "Tenzin Gyatso"),
            ..Person::default()
        },
        points: "18".to_owned(),
        cells: (1..=11).map(|round| cell(own, round)).collect(),
    };
    let sheet = Sheet::Crosstable(Crosstable { round: 11, form, lines: (0..PLAYERS).map(line).collect() });
    Paper { languages: vec!["zh".to_owned(), "bo".to_owned()], head: Head::default(), sheet }
}

#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "it measures, and says what")]
fn main() -> ExitCode {
    let mut slow = false;
    for form in [Form::Rounds, Form::AllPlayAll] {
        let paper = crosstable(form);
        let began = std::time::Instant::now();
        let page = html(&paper, Catalogue::shipped()).expect("it is a paper");
        let took = began.elapsed();
        println!("{form:?}: {PLAYERS} players, {} KiB in {took:?}", page.len() / 1024);
        slow |= took > LIMIT;
    }
    if slow { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

//! What holds of any bytes.

use pairing::{
    ColourLaw, check,
    trf::{Event, Form, Report},
};

/// Any bytes are a report or a fault. A report is written and read back as the same; it is judged or refused by name, and of
/// what it says of its players and teams nothing is too much.
pub fn trf(bytes: &[u8]) {
    let Ok(report) = Report::read(bytes) else { return };
    let text = report.write(Form::Trf26).expect("what was read is written");
    assert_eq!(Report::read(text.as_bytes()).as_ref(), Ok(&report), "it is read back as it was");
    let _ = report.write(Form::Trf16);
    assert_eq!(report.results_of_teams().len(), report.teams.len(), "each team has its results");
    for colours in ColourLaw::ALL {
        let judged = check::report(&report, *colours);
        assert_eq!(
            judged.is_err(),
            Event::of(&report, *colours).is_err() || Event::of_teams(&report, *colours).is_err()
        );
        if let Ok(verdict) = judged {
            assert_eq!(verdict.rounds.len(), usize::from(report.paired_rounds()));
        }
    }
}

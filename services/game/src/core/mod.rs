//! What the game service decides, in plain types: no network, no database, no clock of its own.

mod decide;
mod event;
mod game;
mod record;
mod refusal;

pub use decide::{Command, Draft, TimeStep, decide, decide_house, flag_event, outage_event};
pub use event::{After, Event, Info, Kind, Origin, Played, Reading, Sealed, Seat, SideTime, TimeControl};
pub use game::{Corrupt, Game};
pub use record::{ImportError, export, file_name, import};
pub use refusal::Refusal;

use rules::{Outcome, Reason, Side, StoneColour, Verdict};

/// The result in the short form of records: `B+0.5`, `W+R`, `Draw`.
pub fn short_result(colours: [Option<StoneColour>; 2], outcome: &Outcome) -> String {
    if let Some(score) = &outcome.score {
        return score.points.clone();
    }
    let winner = match outcome.verdict {
        Verdict::Win(side) => match colours[side.index()] {
            Some(colour) => colour.letter(),
            // Colours were not decided yet: the sides have numbers.
            None => char::from(b'1' + u8::from(side == Side::Second)),
        },
        Verdict::Draw => return "Draw".to_owned(),
        Verdict::BothLose | Verdict::Void => return "Void".to_owned(),
    };
    match outcome.reason {
        Reason::Resignation => format!("{winner}+R"),
        Reason::Time => format!("{winner}+T"),
        _ => format!("{winner}+"),
    }
}

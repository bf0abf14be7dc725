//! Reports of events that anybody has paired: which of the rules H1 to H5 each of their rounds breaks.

use super::{Fault, facts::Facts};
use crate::{
    ColourLaw, Number,
    trf::{Doubt, Event, EventError, Report},
};

/// What was found in a round of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundVerdict {
    /// From 1.
    pub round: u16,
    /// How many games were paired.
    pub games: u32,
    /// Who had the pairing bye.
    pub byes: Vec<Number>,
    /// What is broken.
    pub faults: Vec<Fault>,
}

/// What was found in a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Every round that was paired.
    pub rounds: Vec<RoundVerdict>,
    /// What could not be judged, or only by an assumption.
    pub doubts: Vec<Doubt>,
}

impl Verdict {
    /// Whether no rule is broken, as far as the report goes.
    pub fn is_clean(&self) -> bool {
        self.rounds.iter().all(|it| it.faults.is_empty())
    }
}

/// Judges every round of a report by the rules that hold whatever the system of pairing is: no rematch (H1), no second
/// pairing bye (H2), no two with the same absolute need of a colour (H3, by the law that is given), no prohibited pair (H4),
/// nobody who was away (H5). Of an event of teams only the first is judged, player by player.
///
/// ```
/// use pairing::{ColourLaw, Number, check::{self, Fault}, trf::Report};
/// let column = |text: &str| format!("{text:<80}");
/// let text = column("001    1      A") + " 2.0    1     2 w 1     2 b 1\n"
///     + &column("001    2      B") + " 0.0    2     1 b 0     1 w 0\n";
/// let verdict = check::report(&Report::read(text.as_bytes())?, ColourLaw::Balance)?;
/// assert_eq!(verdict.rounds[1].faults, [Fault::Rematch(Number(1), Number(2))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn report(report: &Report, colours: ColourLaw) -> Result<Verdict, EventError> {
    let event = Event::of(report, colours)?;
    let rounds = (1..=event.paired).map(|round| judge(&event, round)).collect();
    Ok(Verdict { rounds, doubts: event.doubts })
}

fn judge(event: &Event, round: u16) -> RoundVerdict {
    let input = event.before(round);
    let facts = Facts::of(&input);
    let (games, byes) = (event.games(round), event.pairing_byes(round));
    let away = games.iter().flatten().chain(&byes).filter(|it| !facts.known.contains_key(it));
    let mut faults: Vec<Fault> = away.map(|it| Fault::NotThere(*it)).collect();
    for [a, b] in &games {
        if let (Some(one), Some(other)) = (facts.known.get(a), facts.known.get(b)) {
            faults.extend(facts.each_broken(one, other).into_iter().flatten());
        }
    }
    // All members of a team without an opponent are free.
    if !event.is_of_teams {
        faults.extend((byes.len() > 1).then_some(Fault::Byes(byes.len())));
        let barred = byes.iter().filter(|it| facts.known.get(it).is_some_and(|known| known.bye_barred));
        faults.extend(barred.map(|it| Fault::Bye(*it)));
    }
    RoundVerdict { round, games: crate::count(games.len()), byes, faults }
}

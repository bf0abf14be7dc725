//! Working an event out again from its log: every pairing by the independent checker, every draw by its commitment.

use std::collections::BTreeSet;

use pairing::{Number, check, swiss};

use super::{
    CorruptLog, Event, Format, LogEntry, PublishedRound, arranging,
    fact::{Digest, Fact},
    leave,
    plan::{by_grade, input_of, lay, swiss_input},
    supplement,
    team::{self, TeamFact},
};
use chassis::id::EventId;

/// Something in a log that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The number of the entry.
    pub sequence: u64,
    /// What is wrong with it.
    pub detail: String,
}

/// What a log was found to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The event as its log says.
    pub event: Event,
    /// Rounds whose pairing was checked.
    pub rounds: usize,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// Folds a log anew and checks on the way what can be checked: that what was adopted is the text of the settings, and that
/// each round breaks no rule but those that were lifted, and is what its input leads to where nobody changed it by hand.
///
/// # Errors
/// When the log makes no sense from some entry on.
pub fn verify(id: EventId, log: &[LogEntry]) -> Result<Verified, CorruptLog> {
    let (first, rest) = log.split_first().ok_or(CorruptLog { sequence: 0, detail: "it is empty" })?;
    let mut event = Event::begin(id, first)?;
    let (mut findings, mut rounds) = (Vec::new(), 0);
    for entry in rest {
        let found = match &entry.fact {
            Fact::Adopted { text, .. } => same_text(&event, text).into_iter().collect(),
            // Whoever vouches for what was held elsewhere has neither paired it nor laid its boards.
            Fact::RoundPublished(_) | Fact::Team(TeamFact::BoardsLaid { .. }) if event.origin.is_some() => {
                Vec::new()
            }
            Fact::RoundPublished(round) => {
                rounds += 1;
                pairing_of(&event, round)
            }
            Fact::Team(fact) => team::verify::faults(&event, fact),
            Fact::Leave(_) => leave::verify::faults(&event, entry),
            Fact::Arranging(_) | Fact::Result { .. } => arranging::verify::faults(&event, entry),
            _ => Vec::new(),
        };
        findings.extend(found.into_iter().map(|detail| Finding { sequence: entry.sequence, detail }));
        event.apply(entry)?;
        if let Fact::SettingsChanged { text, .. } = &entry.fact {
            let found = same_text(&event, text).into_iter();
            findings.extend(found.map(|detail| Finding { sequence: entry.sequence, detail }));
        }
    }
    Ok(Verified { event, rounds, findings })
}

fn same_text(event: &Event, text: &Digest) -> Option<String> {
    let is_same = supplement::hash(&event.supplement()) == *text;
    (!is_same).then(|| "the supplement is not that of the settings".to_owned())
}

/// What is wrong with a round, seen from the event before it.
fn pairing_of(event: &Event, round: &PublishedRound) -> Vec<String> {
    let anew = lay(event, round.seed, round.relaxed, &mut |_| core::ops::ControlFlow::Continue(()));
    let anew = match anew {
        Ok(anew) => anew,
        Err(error) => return vec![format!("round {} could not be paired: {error}", round.round)],
    };
    let mut findings = Vec::new();
    // Logs from before it told what was decided, too, have the hash of the order alone.
    if ![input_of(event, &anew), anew.input].contains(&round.input) {
        findings.push(format!("round {} was not paired from what the log says", round.round));
    }
    let same = (&anew.boards, &anew.matches, &anew.out) == (&round.boards, &round.matches, &round.out);
    // By hand colours of a play-off may be turned, and nothing else of it.
    if anew.play_off != round.play_off || (anew.play_off && pairs(&anew) != pairs(round)) {
        findings.push(format!("round {} has others play for a place than those who share it", round.round));
    }
    if round.edits.is_empty() && !same {
        findings.push(format!("round {} is not what its input leads to", round.round));
    }
    // Whoever changed it by hand had no more lifted than the round says.
    let broken = event.broken(round, round.relaxed).into_iter();
    findings.extend(broken.map(|fault| format!("round {}: {fault}", round.round)));
    findings.extend(faults(event, round));
    findings
}

/// Who meets, whoever has which colour.
fn pairs(round: &PublishedRound) -> BTreeSet<[Number; 2]> {
    let pair = |[one, other]: [Number; 2]| [one.min(other), one.max(other)];
    round.boards.iter().map(|board| pair(board.players)).collect()
}

/// What the independent checker finds in a round of a Swiss as it is paired anew.
fn faults(event: &Event, round: &PublishedRound) -> Vec<String> {
    if round.play_off {
        return Vec::new();
    }
    let rounds = match event.settings.format {
        Format::Ladder { .. } => None,
        format => format.rounds(),
    };
    let Some(rounds) = rounds else { return Vec::new() };
    let groups = match event.settings.format {
        Format::Grading { .. } => by_grade(event, round.round).into_values().collect(),
        _ => vec![event.contenders(round.round)],
    };
    let mut found = Vec::new();
    for players in groups {
        let input = swiss_input(event, round.round, rounds, players, round.seed, round.relaxed);
        if let Ok(paired) = swiss::pair(&input) {
            found.extend(
                check::round(&input, &paired)
                    .into_iter()
                    .map(|fault| format!("round {}: {fault:?}", round.round)),
            );
        }
    }
    found
}

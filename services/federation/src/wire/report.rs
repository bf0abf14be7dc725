//! Tournament reports that are judged, and what was found in them.

use api::{federation::v1 as pb, reason};
use pairing::{
    ColourLaw, Number,
    check::{Fault, RoundVerdict, Verdict},
};

use super::event::enums;

/// Bytes of a report: ten thousand players with nine rounds, within what a message may have.
pub(crate) const REPORT_BYTES_MAX: usize = 2 << 20;
/// Faults that are told one by one, and likewise what could not be judged: a report of nothing but rematches is short, and
/// what is said of it long.
const TOLD_MAX: usize = 1_000;

/// The report of a request, and how its event gives its colours.
pub(crate) fn asked(request: pb::CheckReportRequest) -> Result<(Vec<u8>, ColourLaw), api::Error> {
    let pb::CheckReportRequest { report, colours } = request;
    if report.len() > REPORT_BYTES_MAX {
        let message = format!("at most {REPORT_BYTES_MAX} bytes");
        let refused = api::Error::invalid(reason::BAD_REPORT, "report", message);
        return Err(refused.with_metadata("what", pairing::trf::TrfFault::FileTooLarge.name()));
    }
    let unknown = || api::Error::invalid(reason::UNKNOWN_VALUE, "colours", "there is no such law of colours");
    Ok((report, enums::colours(colours).ok_or_else(unknown)?))
}

/// What was found, as far as it is told.
pub(crate) fn told(verdict: &Verdict) -> pb::CheckReportResponse {
    let faults = |rounds: &[RoundVerdict]| rounds.iter().map(|round| round.faults.len()).sum::<usize>();
    let mut room = TOLD_MAX;
    let (rounds, teams) = (told_rounds(&verdict.rounds, &mut room), told_rounds(&verdict.teams, &mut room));
    let not_judged = verdict.doubts.iter().take(TOLD_MAX);
    let not_judged =
        not_judged.map(|it| pb::ReportDoubt { name: it.name().to_owned(), text: it.to_string() });
    let fault_count = faults(&verdict.rounds) + faults(&verdict.teams);
    pb::CheckReportResponse {
        clean: verdict.is_clean(),
        rounds,
        teams,
        not_judged: not_judged.collect(),
        fault_count: u32::try_from(fault_count).unwrap_or(u32::MAX),
    }
}

/// Rounds with their faults, as long as there is room for them.
fn told_rounds(rounds: &[RoundVerdict], room: &mut usize) -> Vec<pb::JudgedRound> {
    let numbers = |all: &[Number]| all.iter().map(|it| it.0).collect();
    let fault = |it: &Fault| pb::PairingFault {
        rule: it.rule().unwrap_or_default().to_owned(),
        players: numbers(&it.players()),
        text: it.to_string(),
    };
    let mut told = Vec::with_capacity(rounds.len());
    for round in rounds {
        let faults: Vec<pb::PairingFault> = round.faults.iter().take(*room).map(fault).collect();
        *room -= faults.len();
        let (byes, games) = (numbers(&round.byes), round.games);
        told.push(pb::JudgedRound { round: round.round.into(), games, byes, faults });
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_too_many_faults_the_first_are_told() {
        let faults = |count: u32| (1..=count).map(|number| Fault::NotThere(Number(number))).collect();
        let round = |round, count| RoundVerdict { round, games: 0, byes: Vec::new(), faults: faults(count) };
        let rounds = vec![round(1, 999), round(2, 2), round(3, 1)];
        let told = told(&Verdict { rounds, teams: vec![round(1, 1)], doubts: Vec::new() });
        let counts: Vec<usize> =
            told.rounds.iter().chain(&told.teams).map(|round| round.faults.len()).collect();
        assert_eq!((counts, told.fault_count, told.clean), (vec![999, 1, 0, 0], 1003, false));
    }
}

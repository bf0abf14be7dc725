//! Enums of events. Those of the crate `pairing` know no protos, so that they are told apart by tables.

use api::{DecodeError, federation::v1 as pb};
use pairing::{ColourLaw, Reason, Relaxed, ResultCode, Status, knockout::Part, lineup::LineupLaw};

use crate::core::event::{ChallengeAnswer, CheckItem, ProposalAnswer, Role, Stage, Starts};

api::proto_enum!(Stage = pb::EventStage { Draft, Adopted, Registration, Running, Closing, Final, Cancelled });
api::proto_enum!(
    Role = pb::EventRole {
        ChiefArbiter,
        Deputy,
        Arbiter,
        Scorer,
        Committee,
        Administrator,
        Player,
        Member,
        Public,
        Captain
    }
);
api::proto_enum!(
    CheckItem = pb::CheckItem {
        SupplementPresented,
        ArbitersBriefed,
        EntriesChecked,
        VenueChecked,
        ResultsChecked,
        PlacesAnnounced
    }
);
api::proto_enum!(ChallengeAnswer = pb::ChallengeAnswer { Accepted, Refused, Lapsed, Withdrawn });
api::proto_enum!(ProposalAnswer = pb::ProposalAnswer { Accepted, Declined, Lapsed, Withdrawn });
api::proto_enum!(Starts = pb::RoundStart { ByHand, BySchedule, WhenComplete });

const CODES: &[(ResultCode, pb::ResultCode)] = &[
    (ResultCode::Win, pb::ResultCode::Win),
    (ResultCode::Loss, pb::ResultCode::Loss),
    (ResultCode::Draw, pb::ResultCode::Draw),
    (ResultCode::ForfeitWin, pb::ResultCode::ForfeitWin),
    (ResultCode::ForfeitLoss, pb::ResultCode::ForfeitLoss),
    (ResultCode::DoubleForfeit, pb::ResultCode::DoubleForfeit),
    (ResultCode::Pab, pb::ResultCode::Pab),
    (ResultCode::ByeFull, pb::ResultCode::ByeFull),
    (ResultCode::ByeHalf, pb::ResultCode::ByeHalf),
    (ResultCode::ByeZero, pb::ResultCode::ByeZero),
    (ResultCode::Adjourned, pb::ResultCode::Adjourned),
    (ResultCode::ReplayOrdered, pb::ResultCode::ReplayOrdered),
    (ResultCode::Annulled, pb::ResultCode::Annulled),
];

const REASONS: &[(Reason, pb::ResultReason)] = &[
    (Reason::Normal, pb::ResultReason::Normal),
    (Reason::Resign, pb::ResultReason::Resign),
    (Reason::Time, pb::ResultReason::Time),
    (Reason::Late, pb::ResultReason::Late),
    (Reason::Warnings, pb::ResultReason::Warnings),
    (Reason::Violations, pb::ResultReason::Violations),
    (Reason::Arbiter, pb::ResultReason::Arbiter),
    (Reason::AgreedDraw, pb::ResultReason::AgreedDraw),
    (Reason::NoWinningForce, pb::ResultReason::NoWinningForce),
    (Reason::Withdrawal, pb::ResultReason::Withdrawal),
    (Reason::DisturbedBoard, pb::ResultReason::DisturbedBoard),
    (Reason::NotPlayed, pb::ResultReason::NotPlayed),
];

const RELAXED: &[(Relaxed, pb::Relaxed)] = &[
    (Relaxed::Nothing, pb::Relaxed::Nothing),
    (Relaxed::AbsoluteColours, pb::Relaxed::AbsoluteColours),
    (Relaxed::Prohibitions, pb::Relaxed::Prohibitions),
    (Relaxed::SecondByes, pb::Relaxed::SecondByes),
    (Relaxed::Rematches, pb::Relaxed::Rematches),
];

const PARTS: &[(Part, pb::bracket_place::Part)] = &[
    (Part::Winners, pb::bracket_place::Part::Winners),
    (Part::Losers, pb::bracket_place::Part::Losers),
    (Part::Final, pb::bracket_place::Part::Final),
];

const LAWS: &[(LineupLaw, pb::LineUpLaw)] = &[
    (LineupLaw::FixedBoards, pb::LineUpLaw::FixedBoards),
    (LineupLaw::FixedBoardsSubs, pb::LineUpLaw::FixedBoardsSubs),
    (LineupLaw::DeclaredBoards, pb::LineUpLaw::DeclaredBoards),
    (LineupLaw::WholeTeam, pb::LineUpLaw::WholeTeam),
    (LineupLaw::SumOfMembers, pb::LineUpLaw::SumOfMembers),
];

const COLOURS: &[(ColourLaw, pb::ColourLaw)] = &[
    (ColourLaw::Balance, pb::ColourLaw::Balance),
    (ColourLaw::Parity, pb::ColourLaw::Parity),
    (ColourLaw::Open, pb::ColourLaw::Open),
];

/// What a value is on the other side of a table.
fn number<A: Copy + PartialEq, B: Copy + Into<i32>>(table: &[(A, B)], value: A) -> i32 {
    table.iter().find(|(plain, _)| *plain == value).map_or(0, |(_, wire)| (*wire).into())
}

fn value<A: Copy, B: Copy + Into<i32>>(table: &[(A, B)], number: i32) -> Option<A> {
    table.iter().find(|(_, wire)| (*wire).into() == number).map(|(plain, _)| *plain)
}

/// The number of a result.
pub(super) fn code_number(code: ResultCode) -> i32 {
    number(CODES, code)
}

/// The result of a number.
pub(super) fn code(of: i32) -> Option<ResultCode> {
    value(CODES, of)
}

/// The number of a reason.
pub(super) fn reason_number(reason: Reason) -> i32 {
    number(REASONS, reason)
}

/// The reason of a number.
pub(super) fn reason(of: i32) -> Option<Reason> {
    value(REASONS, of)
}

/// The number of what is lifted.
pub(super) fn relaxed_number(relaxed: Relaxed) -> i32 {
    number(RELAXED, relaxed)
}

/// What is lifted by a number; nothing where nothing is said.
pub(super) fn relaxed(of: i32) -> Option<Relaxed> {
    if of == 0 { Some(Relaxed::Nothing) } else { value(RELAXED, of) }
}

/// The law of colours of a number; that of most games where nothing is said.
pub(crate) fn colours(of: i32) -> Option<ColourLaw> {
    if of == 0 { Some(ColourLaw::default()) } else { value(COLOURS, of) }
}

/// The number of a part of a bracket.
pub(super) fn part_number(part: Part) -> i32 {
    number(PARTS, part)
}

/// The part of a bracket of a number.
pub(super) fn part(of: i32) -> Option<Part> {
    value(PARTS, of)
}

/// The number of a law of line-ups.
pub(crate) fn law_number(law: LineupLaw) -> i32 {
    number(LAWS, law)
}

/// The law of line-ups of a number.
pub(crate) fn law(of: i32) -> Option<LineupLaw> {
    value(LAWS, of)
}

/// A row of what somebody is, as it is told.
pub(super) fn status_to_wire(status: Status) -> pb::EntrantStatus {
    use pb::EntrantState as State;
    let (state, round) = match status {
        Status::Registered => (State::Unspecified, 0),
        Status::Active { from_round } => (State::Active, from_round),
        Status::Absent { round } => (State::Absent, round),
        Status::Bye { round, code: ResultCode::ByeFull } => (State::ByeFull, round),
        Status::Bye { round, code: ResultCode::ByeHalf } => (State::ByeHalf, round),
        Status::Bye { round, .. } => (State::ByeZero, round),
        Status::Withdrawn { after_round } => (State::Withdrawn, after_round),
        Status::Expelled { after_round } => (State::Expelled, after_round),
        Status::Annulled => (State::Annulled, 0),
    };
    pb::EntrantStatus { state: state.into(), round: round.into() }
}

/// A row of what somebody is, as it was told.
pub(super) fn status_from_wire(status: pb::EntrantStatus) -> Result<Status, DecodeError> {
    use pb::EntrantState as State;
    let round = u16::try_from(status.round).map_err(|_| DecodeError("a round beyond any event"))?;
    let bye = |code| Status::Bye { round, code };
    Ok(match status.state() {
        State::Active => Status::Active { from_round: round },
        State::Absent => Status::Absent { round },
        State::ByeFull => bye(ResultCode::ByeFull),
        State::ByeHalf => bye(ResultCode::ByeHalf),
        State::ByeZero => bye(ResultCode::ByeZero),
        State::Withdrawn => Status::Withdrawn { after_round: round },
        State::Expelled => Status::Expelled { after_round: round },
        State::Annulled => Status::Annulled,
        State::Unspecified => return Err(DecodeError("nothing is said of somebody")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_back_as_it_was() {
        for it in ResultCode::ALL {
            assert_eq!(code(code_number(*it)), Some(*it));
        }
        for it in Reason::ALL {
            assert_eq!(reason(reason_number(*it)), Some(*it));
        }
        for it in Relaxed::ALL {
            assert_eq!(relaxed(relaxed_number(*it)), Some(*it));
        }
        for it in Part::ALL {
            assert_eq!(part(part_number(*it)), Some(*it));
        }
        for it in LineupLaw::ALL {
            assert_eq!(law(law_number(*it)), Some(*it));
        }
        for it in ColourLaw::ALL {
            assert_eq!(colours(number(COLOURS, *it)), Some(*it));
        }
        assert_eq!((code(0), reason(0), part(0), code(99)), (None, None, None, None));
    }
}

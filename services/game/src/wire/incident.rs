//! Incidents and the table of incidents.

use api::game::v1 as pb;
use rules::{AllowedDecision, Circumstance, Decision, IncidentKind, Remedy, Sanction};

use super::{
    DecodeError, optional_side_from_pb, optional_side_to_pb,
    table::{from_pb, to_pb},
};
use crate::core::{Incident, Report};

/// Kinds of incidents with their protos.
const KINDS: &[(IncidentKind, pb::IncidentKind)] = &[
    (IncidentKind::TwoMoves, pb::IncidentKind::TwoMoves),
    (IncidentKind::TakeBack, pb::IncidentKind::TakeBack),
    (IncidentKind::ForbiddenMove, pb::IncidentKind::ForbiddenMove),
    (IncidentKind::WrongCapture, pb::IncidentKind::WrongCapture),
    (IncidentKind::ClockPress, pb::IncidentKind::ClockPress),
    (IncidentKind::Talking, pb::IncidentKind::Talking),
    (IncidentKind::Disturbing, pb::IncidentKind::Disturbing),
    (IncidentKind::RepeatedOffer, pb::IncidentKind::RepeatedOffer),
    (IncidentKind::Questions, pb::IncidentKind::Questions),
    (IncidentKind::RefusingToSign, pb::IncidentKind::RefusingToSign),
    (IncidentKind::Leaving, pb::IncidentKind::Leaving),
    (IncidentKind::MovedStone, pb::IncidentKind::MovedStone),
    (IncidentKind::ScatteredBoard, pb::IncidentKind::ScatteredBoard),
    (IncidentKind::Other, pb::IncidentKind::Other),
];

/// Circumstances with their protos.
const CIRCUMSTANCES: &[(Circumstance, pb::Circumstance)] = &[
    (Circumstance::OnPurpose, pb::Circumstance::OnPurpose),
    (Circumstance::Accident, pb::Circumstance::Accident),
    (Circumstance::OutsideCause, pb::Circumstance::OutsideCause),
    (Circumstance::Agreed, pb::Circumstance::Agreed),
    (Circumstance::ClaimedAtOnce, pb::Circumstance::ClaimedAtOnce),
    (Circumstance::CannotRebuild, pb::Circumstance::CannotRebuild),
    (Circumstance::ArbiterPresent, pb::Circumstance::ArbiterPresent),
];

/// Remedies with their protos.
const REMEDIES: &[(Remedy, pb::Remedy)] = &[
    (Remedy::Nothing, pb::Remedy::Unspecified),
    (Remedy::Void, pb::Remedy::Void),
    (Remedy::Pass, pb::Remedy::Pass),
    (Remedy::Restored, pb::Remedy::Restored),
    (Remedy::Stands, pb::Remedy::Stands),
    (Remedy::ReasonablePoint, pb::Remedy::ReasonablePoint),
    (Remedy::Rebuilt, pb::Remedy::Rebuilt),
    (Remedy::FreeChoice, pb::Remedy::FreeChoice),
    (Remedy::Reported, pb::Remedy::Reported),
    (Remedy::Draw, pb::Remedy::Draw),
    (Remedy::Replay, pb::Remedy::Replay),
];

/// Sanctions with their protos.
const SANCTIONS: &[(Sanction, pb::Sanction)] = &[
    (Sanction::Nothing, pb::Sanction::Unspecified),
    (Sanction::Admonition, pb::Sanction::Admonition),
    (Sanction::Warning, pb::Sanction::Warning),
    (Sanction::Violation, pb::Sanction::Violation),
    (Sanction::Loss, pb::Sanction::Loss),
];

pub(super) fn incident_to_pb(incident: &Incident) -> pb::Incident {
    pb::Incident {
        number: incident.number,
        kind: to_pb(KINDS, incident.kind) as i32,
        accused: optional_side_to_pb(incident.accused),
        reporter: optional_side_to_pb(incident.reporter),
        circumstances: incident.circumstances.iter().map(|it| circumstance_to_pb(*it)).collect(),
        ply: incident.ply,
        evidence_sha256: evidence_to_pb(incident.evidence),
        decision: Some(decision_to_pb(incident.decision)),
        appeal_of: incident.appeal_of.unwrap_or_default(),
    }
}

/// An incident as it is stored.
pub(super) fn incident_from_pb(incident: &pb::Incident) -> Result<Incident, DecodeError> {
    let report = report_from_pb(incident)?;
    report.decision.ok_or(DecodeError("a decision"))?;
    Ok(report.incident)
}

/// An incident as it is reported or stored.
pub(super) fn report_from_pb(incident: &pb::Incident) -> Result<Report, DecodeError> {
    let circumstance = |it: &i32| from_pb(CIRCUMSTANCES, *it).ok_or(DecodeError("a circumstance"));
    let decision = incident.decision.map(decision_from_pb).transpose()?;
    let nothing = Decision { remedy: Remedy::Nothing, sanction: Sanction::Nothing };
    Ok(Report {
        decision,
        incident: Incident {
            number: incident.number,
            kind: from_pb(KINDS, incident.kind).ok_or(DecodeError("kind of an incident"))?,
            accused: optional_side_from_pb(incident.accused)?,
            reporter: optional_side_from_pb(incident.reporter)?,
            circumstances: incident.circumstances.iter().map(circumstance).collect::<Result<_, _>>()?,
            ply: incident.ply,
            evidence: evidence_from_pb(&incident.evidence_sha256)?,
            decision: decision.unwrap_or(nothing),
            appeal_of: Some(incident.appeal_of).filter(|claim| *claim > 0),
        },
    })
}

/// A line of the table of incidents.
pub(crate) fn allowed_to_pb(line: &AllowedDecision) -> pb::AllowedDecision {
    let all =
        |circumstances: &[Circumstance]| circumstances.iter().map(|it| circumstance_to_pb(*it)).collect();
    pb::AllowedDecision {
        kind: to_pb(KINDS, line.kind) as i32,
        needs: all(line.needs),
        excludes: all(line.excludes),
        decision: Some(decision_to_pb(line.decision)),
        chief_only: line.chief_only,
    }
}

pub(super) fn sanction_to_pb(sanction: Sanction) -> i32 {
    to_pb(SANCTIONS, sanction) as i32
}

pub(super) fn sanction_from_pb(sanction: i32) -> Result<Sanction, DecodeError> {
    from_pb(SANCTIONS, sanction).ok_or(DecodeError("a sanction"))
}

pub(super) fn evidence_to_pb(evidence: Option<[u8; 32]>) -> Vec<u8> {
    evidence.map_or_else(Vec::new, Vec::from)
}

/// A SHA-256, or none for nothing.
pub(super) fn evidence_from_pb(evidence: &[u8]) -> Result<Option<[u8; 32]>, DecodeError> {
    match evidence {
        [] => Ok(None),
        bytes => <[u8; 32]>::try_from(bytes).map(Some).map_err(|_| EVIDENCE),
    }
}

/// Whether it is the SHA-256 of some evidence that is malformed.
pub(crate) fn is_evidence(malformed: &DecodeError) -> bool {
    *malformed == EVIDENCE
}

/// What is no SHA-256.
const EVIDENCE: DecodeError = DecodeError("evidence");

fn circumstance_to_pb(circumstance: Circumstance) -> i32 {
    to_pb(CIRCUMSTANCES, circumstance) as i32
}

fn decision_to_pb(decision: Decision) -> pb::Decision {
    pb::Decision {
        remedy: to_pb(REMEDIES, decision.remedy) as i32,
        sanction: sanction_to_pb(decision.sanction),
    }
}

fn decision_from_pb(decision: pb::Decision) -> Result<Decision, DecodeError> {
    Ok(Decision {
        remedy: from_pb(REMEDIES, decision.remedy).ok_or(DecodeError("a remedy"))?,
        sanction: sanction_from_pb(decision.sanction)?,
    })
}

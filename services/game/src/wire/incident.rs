//! Incidents and the table of incidents.

use api::game::v1 as pb;
use rules::{AllowedDecision, Circumstance, Decision, IncidentKind, Remedy, Sanction};

use super::{DecodeError, Numbered as _, optional_number, optional_side};
use crate::core::{Incident, Report};

pub(super) fn incident_to_pb(incident: &Incident) -> pb::Incident {
    pb::Incident {
        number: incident.number,
        kind: incident.kind.number(),
        accused: optional_number(incident.accused),
        reporter: optional_number(incident.reporter),
        circumstances: incident.circumstances.iter().map(|it| it.number()).collect(),
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
    let circumstance = |it: &i32| Circumstance::of(*it).ok_or(DecodeError("a circumstance"));
    let decision = incident.decision.map(decision_from_pb).transpose()?;
    let nothing = Decision { remedy: Remedy::Nothing, sanction: Sanction::Nothing };
    Ok(Report {
        decision,
        incident: Incident {
            number: incident.number,
            kind: IncidentKind::of(incident.kind).ok_or(DecodeError("kind of an incident"))?,
            accused: optional_side(incident.accused)?,
            reporter: optional_side(incident.reporter)?,
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
    let all = |circumstances: &[Circumstance]| circumstances.iter().map(|it| it.number()).collect();
    pb::AllowedDecision {
        kind: line.kind.number(),
        needs: all(line.needs),
        excludes: all(line.excludes),
        decision: Some(decision_to_pb(line.decision)),
        chief_only: line.chief_only,
    }
}

pub(super) fn sanction_from_pb(sanction: i32) -> Result<Sanction, DecodeError> {
    Sanction::of(sanction).ok_or(DecodeError("a sanction"))
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

fn decision_to_pb(decision: Decision) -> pb::Decision {
    pb::Decision { remedy: decision.remedy.number(), sanction: decision.sanction.number() }
}

fn decision_from_pb(decision: pb::Decision) -> Result<Decision, DecodeError> {
    Ok(Decision {
        remedy: Remedy::of(decision.remedy).ok_or(DecodeError("a remedy"))?,
        sanction: sanction_from_pb(decision.sanction)?,
    })
}

//! Incidents and the table of incidents.

use api::{ProtoEnum, game::v1 as pb};
use rules::{Circumstance, Decision, IncidentKind, Remedy, Sanction};

use super::DecodeError;
use crate::core::{Incident, Report};

impl From<&Incident> for pb::Incident {
    fn from(incident: &Incident) -> Self {
        pb::Incident {
            number: incident.number,
            kind: incident.kind.number(),
            accused: incident.accused.number(),
            reporter: incident.reporter.number(),
            circumstances: incident.circumstances.iter().map(|it| it.number()).collect(),
            ply: incident.ply,
            evidence_sha256: evidence_bytes(incident.evidence),
            decision: Some(incident.decision.into()),
            appeal_of: incident.appeal_of.unwrap_or_default(),
        }
    }
}

/// An incident as it is stored.
impl TryFrom<&pb::Incident> for Incident {
    type Error = DecodeError;

    fn try_from(incident: &pb::Incident) -> Result<Self, DecodeError> {
        let report = Report::try_from(incident)?;
        report.decision.ok_or(DecodeError("a decision"))?;
        Ok(report.incident)
    }
}

/// An incident as it is reported or stored.
impl TryFrom<&pb::Incident> for Report {
    type Error = DecodeError;

    fn try_from(incident: &pb::Incident) -> Result<Self, DecodeError> {
        let side = |side| ProtoEnum::of(side).ok_or(DecodeError("a side"));
        let circumstance = |it: &i32| Circumstance::of(*it).ok_or(DecodeError("a circumstance"));
        let decision = incident.decision.map(Decision::try_from).transpose()?;
        let nothing = Decision { remedy: Remedy::Nothing, sanction: Sanction::Nothing };
        Ok(Report {
            decision,
            incident: Incident {
                number: incident.number,
                kind: IncidentKind::of(incident.kind).ok_or(DecodeError("kind of an incident"))?,
                accused: side(incident.accused)?,
                reporter: side(incident.reporter)?,
                circumstances: incident.circumstances.iter().map(circumstance).collect::<Result<_, _>>()?,
                ply: incident.ply,
                evidence: evidence(&incident.evidence_sha256)?,
                decision: decision.unwrap_or(nothing),
                appeal_of: Some(incident.appeal_of).filter(|claim| *claim > 0),
            },
        })
    }
}

pub(super) fn evidence_bytes(evidence: Option<[u8; 32]>) -> Vec<u8> {
    evidence.map_or_else(Vec::new, Vec::from)
}

/// A SHA-256, or none for nothing.
pub(super) fn evidence(evidence: &[u8]) -> Result<Option<[u8; 32]>, DecodeError> {
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

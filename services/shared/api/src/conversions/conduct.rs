//! Decisions about incidents.

use rules::{AllowedDecision, Circumstance, Decision};

use crate::{DecodeError, ProtoEnum as _, game::v1 as pb};

impl From<Decision> for pb::Decision {
    fn from(decision: Decision) -> Self {
        pb::Decision { remedy: decision.remedy.number(), sanction: decision.sanction.number() }
    }
}

impl TryFrom<pb::Decision> for Decision {
    type Error = DecodeError;

    fn try_from(decision: pb::Decision) -> Result<Self, DecodeError> {
        Ok(Decision {
            remedy: decision.remedy().try_into().map_err(|_| DecodeError("a remedy"))?,
            sanction: decision.sanction().try_into().map_err(|_| DecodeError("a sanction"))?,
        })
    }
}

/// A line of the table of incidents.
impl From<&AllowedDecision> for pb::AllowedDecision {
    fn from(line: &AllowedDecision) -> Self {
        let all = |circumstances: &[Circumstance]| circumstances.iter().map(|it| it.number()).collect();
        pb::AllowedDecision {
            kind: line.kind.number(),
            needs: all(line.needs),
            excludes: all(line.excludes),
            decision: Some(line.decision.into()),
            chief_only: line.chief_only,
        }
    }
}

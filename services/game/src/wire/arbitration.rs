//! Petitions, claims, expiries, and where a game stands before its officials.

use api::{
    ProtoEnum as _,
    game::v1::{self as pb, expiry::Expiry as ExpiryPb, petition::Petition as PetitionPb},
};
use rules::{Sanction, Side};

use super::{
    DecodeError,
    incident::{evidence, evidence_bytes},
    optional_moment,
};
use crate::core::{Arbitration, Call, Claim, Expiry, NewClaim, Penalty, Petition, Role};

impl From<&Petition> for pb::Petition {
    fn from(petition: &Petition) -> Self {
        use pb::petition as kind;
        let petition = match petition {
            Petition::CallArbiter(text) => PetitionPb::CallArbiter(kind::CallArbiter { text: text.clone() }),
            Petition::FileClaim(filed) => PetitionPb::FileClaim(kind::FileClaim {
                kind: pb::ClaimKind::from(filed.kind).into(),
                text: filed.text.clone(),
                evidence_sha256: evidence_bytes(filed.evidence),
                incident: filed.incident.unwrap_or_default(),
                urgent: filed.urgent,
                ply: filed.ply,
            }),
            Petition::Appeal { claim, text } => {
                PetitionPb::Appeal(kind::Appeal { claim: *claim, text: text.clone() })
            }
            Petition::Confirm => PetitionPb::Confirm(kind::Confirm {}),
        };
        pb::Petition { petition: Some(petition) }
    }
}

/// A petition as it is sent or stored.
impl TryFrom<&pb::Petition> for Petition {
    type Error = DecodeError;

    fn try_from(petition: &pb::Petition) -> Result<Self, DecodeError> {
        Ok(match petition.petition.as_ref().ok_or(DecodeError("a petition"))? {
            PetitionPb::CallArbiter(call) => Petition::CallArbiter(call.text.clone()),
            PetitionPb::FileClaim(filed) => Petition::FileClaim(NewClaim {
                kind: filed.kind().try_into().map_err(|_| DecodeError("kind of a claim"))?,
                text: filed.text.clone(),
                evidence: evidence(&filed.evidence_sha256)?,
                incident: Some(filed.incident).filter(|incident| *incident > 0),
                urgent: filed.urgent,
                ply: filed.ply,
            }),
            PetitionPb::Appeal(appeal) => Petition::Appeal { claim: appeal.claim, text: appeal.text.clone() },
            PetitionPb::Confirm(_) => Petition::Confirm,
        })
    }
}

impl From<Expiry> for pb::Expiry {
    fn from(expiry: Expiry) -> Self {
        let expiry = match expiry {
            Expiry::Claim(claim) => ExpiryPb::Claim(pb::expiry::Claim { claim }),
            Expiry::Contest => ExpiryPb::Contest(pb::expiry::Contest {}),
        };
        pb::Expiry { expiry: Some(expiry) }
    }
}

impl TryFrom<pb::Expiry> for Expiry {
    type Error = DecodeError;

    fn try_from(expiry: pb::Expiry) -> Result<Self, DecodeError> {
        Ok(match expiry.expiry.ok_or(DecodeError("an expiry"))? {
            ExpiryPb::Claim(claim) => Expiry::Claim(claim.claim),
            ExpiryPb::Contest(_) => Expiry::Contest,
        })
    }
}

impl From<&Arbitration> for pb::Arbitration {
    fn from(arbitration: &Arbitration) -> Self {
        let count = |side: Side, sanction: Sanction| {
            let of_side = |penalty: &&Penalty| penalty.side == side && penalty.sanction == sanction;
            u32::try_from(arbitration.penalties().filter(of_side).count()).unwrap_or(u32::MAX)
        };
        let counts = |side: Side| pb::PenaltyCount {
            warnings: count(side, Sanction::Warning),
            violations: count(side, Sanction::Violation),
        };
        let called = arbitration.calls_made != [0; 2];
        pb::Arbitration {
            calls: arbitration
                .calls
                .iter()
                .map(|call| pb::OpenCall { number: call.number, side: call.side.number() })
                .collect(),
            calls_made: if called { arbitration.calls_made.to_vec() } else { Vec::new() },
            claims: arbitration.claims.iter().map(pb::ClaimStatus::from).collect(),
            incidents: arbitration.incidents,
            penalties: arbitration
                .penalties
                .iter()
                .map(|penalty| pb::Penalty {
                    incident: penalty.incident,
                    side: penalty.side.number(),
                    sanction: penalty.sanction.number(),
                })
                .collect(),
            first: Some(counts(Side::First)),
            second: Some(counts(Side::Second)),
            seats_swapped: arbitration.seats_swapped,
            assigned_swapped: arbitration.assigned_swapped,
            confirmed: Side::BOTH
                .into_iter()
                .filter(|side| arbitration.confirmed[side.index()])
                .map(Side::number)
                .collect(),
            officials_confirmed: arbitration.officials_confirmed,
            contest_deadline_time: arbitration.contest_deadline.map(api::time::timestamp),
            annulled: arbitration.annulled,
            decisive_incident: arbitration.decisive.unwrap_or_default(),
        }
    }
}

impl TryFrom<&pb::Arbitration> for Arbitration {
    type Error = DecodeError;

    fn try_from(arbitration: &pb::Arbitration) -> Result<Self, DecodeError> {
        let call = |call: &pb::OpenCall| -> Result<Call, DecodeError> {
            Ok(Call { number: call.number, side: call.side().try_into()? })
        };
        let penalty = |penalty: &pb::Penalty| -> Result<Penalty, DecodeError> {
            Ok(Penalty {
                incident: penalty.incident,
                side: penalty.side().try_into()?,
                sanction: penalty.sanction().try_into()?,
            })
        };
        let confirmed = |side: Side| arbitration.confirmed.contains(&side.number());
        Ok(Arbitration {
            calls: arbitration.calls.iter().map(call).collect::<Result<_, _>>()?,
            calls_made: match arbitration.calls_made.as_slice() {
                [] => [0; 2],
                calls => calls.try_into().map_err(|_| DecodeError("numbers of calls"))?,
            },
            claims: arbitration.claims.iter().map(Claim::try_from).collect::<Result<_, _>>()?,
            incidents: arbitration.incidents,
            decisive: Some(arbitration.decisive_incident).filter(|incident| *incident > 0),
            penalties: arbitration.penalties.iter().map(penalty).collect::<Result<_, _>>()?,
            seats_swapped: arbitration.seats_swapped,
            assigned_swapped: arbitration.assigned_swapped,
            confirmed: Side::BOTH.map(confirmed),
            officials_confirmed: arbitration.officials_confirmed,
            contest_deadline: optional_moment(arbitration.contest_deadline_time.as_ref(), "a deadline")?,
            annulled: arbitration.annulled,
        })
    }
}

impl From<&Claim> for pb::ClaimStatus {
    fn from(claim: &Claim) -> Self {
        pb::ClaimStatus {
            number: claim.number,
            side: claim.side.number(),
            kind: pb::ClaimKind::from(claim.kind).into(),
            incident: claim.incident.unwrap_or_default(),
            state: pb::ClaimState::from(claim.state).into(),
            upheld: claim.upheld,
            decided_by: claim.decided_by.number(),
            appeal_deadline_time: claim.deadline.map(api::time::timestamp),
            result_changed: claim.changed_result,
        }
    }
}

impl TryFrom<&pb::ClaimStatus> for Claim {
    type Error = DecodeError;

    fn try_from(claim: &pb::ClaimStatus) -> Result<Self, DecodeError> {
        Ok(Claim {
            number: claim.number,
            side: Side::of(claim.side).ok_or(DecodeError("side of a claim"))?,
            kind: claim.kind().try_into().map_err(|_| DecodeError("kind of a claim"))?,
            incident: Some(claim.incident).filter(|incident| *incident > 0),
            state: claim.state().try_into().map_err(|_| DecodeError("state of a claim"))?,
            upheld: claim.upheld,
            changed_result: claim.result_changed,
            decided_by: Role::of(claim.decided_by),
            deadline: optional_moment(claim.appeal_deadline_time.as_ref(), "a deadline")?,
        })
    }
}

//! The progress of a game: stages, proposals, officials.

use api::{clock::v1::PauseReason as PausePb, game::v1 as pb};
use chassis::id::{AccountId, GameId};
use rules::Side;
use uuid::Uuid;

use super::{
    DecodeError, Numbered as _,
    adjournment::{adjournment_from_pb, adjournment_to_pb, check_in_from_pb, check_in_to_pb},
    arbitration::{arbitration_from_pb, arbitration_to_pb},
    moment, optional_moment,
    presence::{presence_from_pb, presence_to_pb},
};
use crate::core::{Official, PauseReason, Progress, Proposal, Role};

pub(super) fn progress_to_pb(progress: &Progress) -> pb::Progress {
    let open = |(side, proposal): &(Side, Proposal)| pb::OpenProposal {
        side: side.number(),
        proposal: Some(proposal_to_pb(*proposal)),
    };
    let (absences, departures) = presence_to_pb(&progress.presence);
    pb::Progress {
        stage: pb::Stage::from(progress.stage).into(),
        proposals: progress.proposals.iter().map(open).collect(),
        rematch_id: progress.rematch.map_or_else(String::new, |game| game.to_string()),
        due_time: progress.due().map(|due| api::time::timestamp(due.at)),
        pauses: progress.pauses.iter().copied().map(pause_to_pb).collect(),
        paused_since_time: progress.paused_since.map(api::time::timestamp),
        pause_end_time: progress.pause_ends.map(api::time::timestamp),
        arbitration: arbitration_to_pb(&progress.arbitration),
        absences,
        departures,
        check_in: progress.check_in.as_ref().map(check_in_to_pb),
        adjournment: adjournment_to_pb(&progress.adjournment),
    }
}

pub(super) fn progress_from_pb(progress: &pb::Progress) -> Result<Progress, DecodeError> {
    let open = |open: &pb::OpenProposal| {
        let side = Side::of(open.side).ok_or(DecodeError("side of a proposal"))?;
        let proposal = proposal_from_pb(open.proposal.as_ref()).ok_or(DecodeError("a proposal"))?;
        Ok((side, proposal))
    };
    Ok(Progress {
        stage: progress.stage().try_into().map_err(|_| DecodeError("a stage"))?,
        proposals: progress.proposals.iter().map(open).collect::<Result<_, _>>()?,
        pauses: progress.pauses.iter().copied().map(pause_from_pb).collect::<Result<_, _>>()?,
        paused_since: optional_moment(progress.paused_since_time.as_ref(), "paused since")?,
        pause_ends: optional_moment(progress.pause_end_time.as_ref(), "end of a pause")?,
        rematch: match progress.rematch_id.as_str() {
            "" => None,
            id => Some(GameId::from(Uuid::try_parse(id).map_err(|_| DecodeError("rematch id"))?)),
        },
        arbitration: arbitration_from_pb(progress.arbitration.as_ref())?,
        presence: presence_from_pb(progress)?,
        check_in: progress.check_in.as_ref().map(check_in_from_pb).transpose()?,
        adjournment: adjournment_from_pb(progress.adjournment.as_ref())?,
    })
}

pub(super) fn pause_to_pb(reason: PauseReason) -> i32 {
    PausePb::from(reason).into()
}

pub(super) fn pause_from_pb(reason: i32) -> Result<PauseReason, DecodeError> {
    PausePb::try_from(reason)
        .ok()
        .and_then(|reason| reason.try_into().ok())
        .ok_or(DecodeError("reason of a pause"))
}

pub(super) fn proposal_to_pb(proposal: Proposal) -> pb::Proposal {
    use pb::proposal::{Adjourn, Pause, Proposal as Kind, Rematch, Resume, ResumeAt, Undo};
    let kind = match proposal {
        Proposal::Undo(ply) => Kind::Undo(Undo { ply }),
        Proposal::Pause => Kind::Pause(Pause {}),
        Proposal::Resume => Kind::Resume(Resume {}),
        Proposal::Rematch => Kind::Rematch(Rematch {}),
        Proposal::Adjourn => Kind::Adjourn(Adjourn {}),
        Proposal::ResumeAt(at) => {
            Kind::ResumeAt(ResumeAt { resumption_time: Some(api::time::timestamp(at)) })
        }
    };
    pb::Proposal { proposal: Some(kind) }
}

/// A proposal; none when nothing is said.
pub(crate) fn proposal_from_pb(proposal: Option<&pb::Proposal>) -> Option<Proposal> {
    use pb::proposal::Proposal as Kind;
    Some(match proposal?.proposal.as_ref()? {
        Kind::Undo(undo) => Proposal::Undo(undo.ply),
        Kind::Pause(_) => Proposal::Pause,
        Kind::Resume(_) => Proposal::Resume,
        Kind::Rematch(_) => Proposal::Rematch,
        Kind::Adjourn(_) => Proposal::Adjourn,
        Kind::ResumeAt(resume) => Proposal::ResumeAt(moment(resume.resumption_time.as_ref(), "a time").ok()?),
    })
}

pub(super) fn official_to_pb(official: &Official) -> pb::Official {
    pb::Official {
        account_id: official.account.to_string(),
        name: official.name.clone(),
        role: official.role.number(),
    }
}

pub(super) fn official_from_pb(official: &pb::Official) -> Result<Official, DecodeError> {
    let account = Uuid::try_parse(&official.account_id).map_err(|_| DecodeError("account id"))?;
    Ok(Official {
        account: AccountId::from(account),
        name: official.name.clone(),
        role: Role::of(official.role).ok_or(DecodeError("an office"))?,
    })
}

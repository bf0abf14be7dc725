//! The progress of a game: stages, proposals, officials.

use api::{ProtoEnum as _, game::v1 as pb};
use chassis::id::{AccountId, GameId};
use rules::Side;
use uuid::Uuid;

use super::{
    DecodeError, moment, optional, optional_moment,
    presence::{absences, departures},
    required,
};
use crate::core::{Adjournment, Arbitration, Official, PauseReason, Presence, Progress, Proposal, Role};

impl From<&Progress> for pb::Progress {
    fn from(progress: &Progress) -> Self {
        let open = |(side, proposal): &(Side, Proposal)| pb::OpenProposal {
            side: side.number(),
            proposal: Some(pb::Proposal::from(*proposal)),
        };
        pb::Progress {
            stage: pb::Stage::from(progress.stage).into(),
            proposals: progress.proposals.iter().map(open).collect(),
            rematch_id: progress.rematch.map_or_else(String::new, |game| game.to_string()),
            due_time: progress.due().map(|due| api::time::timestamp(due.at)),
            pauses: progress.pauses.iter().copied().map(PauseReason::number).collect(),
            paused_since_time: progress.paused_since.map(api::time::timestamp),
            pause_end_time: progress.pause_ends.map(api::time::timestamp),
            // What has not come about is not written.
            arbitration: (progress.arbitration != Arbitration::default())
                .then(|| (&progress.arbitration).into()),
            absences: absences(&progress.presence),
            departures: departures(&progress.presence),
            check_in: progress.check_in.as_ref().map(Into::into),
            adjournment: (progress.adjournment != Adjournment::NONE).then(|| (&progress.adjournment).into()),
        }
    }
}

impl TryFrom<&pb::Progress> for Progress {
    type Error = DecodeError;

    fn try_from(progress: &pb::Progress) -> Result<Self, DecodeError> {
        let open = |open: &pb::OpenProposal| -> Result<(Side, Proposal), DecodeError> {
            let side = Side::of(open.side).ok_or(DecodeError("side of a proposal"))?;
            let proposal = required(open.proposal.as_ref(), "a proposal")?;
            Ok((side, proposal))
        };
        Ok(Progress {
            stage: progress.stage().try_into().map_err(|_| DecodeError("a stage"))?,
            proposals: progress.proposals.iter().map(open).collect::<Result<_, _>>()?,
            pauses: progress.pauses.iter().copied().map(pause).collect::<Result<_, _>>()?,
            paused_since: optional_moment(progress.paused_since_time.as_ref(), "paused since")?,
            pause_ends: optional_moment(progress.pause_end_time.as_ref(), "end of a pause")?,
            rematch: match progress.rematch_id.as_str() {
                "" => None,
                id => Some(GameId::from(Uuid::try_parse(id).map_err(|_| DecodeError("rematch id"))?)),
            },
            arbitration: optional(progress.arbitration.as_ref())?.unwrap_or_default(),
            presence: Presence::try_from(progress)?,
            check_in: optional(progress.check_in.as_ref())?,
            adjournment: optional(progress.adjournment.as_ref())?.unwrap_or(Adjournment::NONE),
        })
    }
}

pub(super) fn pause(reason: i32) -> Result<PauseReason, DecodeError> {
    PauseReason::of(reason).ok_or(DecodeError("reason of a pause"))
}

impl From<Proposal> for pb::Proposal {
    fn from(proposal: Proposal) -> Self {
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
}

impl TryFrom<&pb::Proposal> for Proposal {
    type Error = DecodeError;

    fn try_from(proposal: &pb::Proposal) -> Result<Self, DecodeError> {
        use pb::proposal::Proposal as Kind;
        Ok(match proposal.proposal.as_ref().ok_or(DecodeError("a proposal"))? {
            Kind::Undo(undo) => Proposal::Undo(undo.ply),
            Kind::Pause(_) => Proposal::Pause,
            Kind::Resume(_) => Proposal::Resume,
            Kind::Rematch(_) => Proposal::Rematch,
            Kind::Adjourn(_) => Proposal::Adjourn,
            Kind::ResumeAt(resume) => Proposal::ResumeAt(moment(resume.resumption_time.as_ref(), "a time")?),
        })
    }
}

impl From<&Official> for pb::Official {
    fn from(official: &Official) -> Self {
        pb::Official {
            account_id: official.account.to_string(),
            name: official.name.clone(),
            role: official.role.number(),
        }
    }
}

impl TryFrom<&pb::Official> for Official {
    type Error = DecodeError;

    fn try_from(official: &pb::Official) -> Result<Self, DecodeError> {
        let account = Uuid::try_parse(&official.account_id).map_err(|_| DecodeError("account id"))?;
        Ok(Official {
            account: AccountId::from(account),
            name: official.name.clone(),
            role: Role::of(official.role).ok_or(DecodeError("an office"))?,
        })
    }
}

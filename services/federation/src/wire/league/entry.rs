//! What was done in a season, as it is told and stored.

use api::{
    DecodeError, ProtoEnum as _,
    federation::v1 as pb,
    time::{moment, timestamp},
};

use super::{
    season::{entrant, id},
    squad::{members, told_members},
};
use crate::core::league::{Entry, State, What};

impl From<&Entry> for pb::SeasonLogEntry {
    fn from(it: &Entry) -> pb::SeasonLogEntry {
        let mut told = pb::SeasonLogEntry {
            sequence: it.sequence,
            time: Some(timestamp(it.at)),
            account_id: it.account.to_string(),
            reason: it.reason.clone(),
            ..pb::SeasonLogEntry::default()
        };
        let (act, about) = match &it.what {
            What::Created => (pb::SeasonAct::Created, None),
            What::Dated => (pb::SeasonAct::Dated, None),
            What::Advanced(state) => {
                told.state = state.number();
                (pb::SeasonAct::Advanced, None)
            }
            What::Placed(about, division) => {
                told.division = *division;
                (pb::SeasonAct::Placed, Some(about))
            }
            What::Removed(about) => (pb::SeasonAct::Removed, Some(about)),
            What::Registered(about, squad) => {
                told.members = told_members(squad);
                (pb::SeasonAct::Registered, Some(about))
            }
            What::SquadChanged(about, squad) => {
                told.members = told_members(squad);
                (pb::SeasonAct::SquadChanged, Some(about))
            }
            What::Withdrawn(about) => (pb::SeasonAct::Withdrawn, Some(about)),
            What::StaysDown(about, stays_down) => {
                told.stays_down = *stays_down;
                (pb::SeasonAct::StaysDown, Some(about))
            }
        };
        told.act = act.into();
        told.entrant_id = about.map(ToString::to_string).unwrap_or_default();
        told
    }
}

impl TryFrom<pb::SeasonLogEntry> for Entry {
    type Error = DecodeError;

    fn try_from(it: pb::SeasonLogEntry) -> Result<Entry, DecodeError> {
        let about = || entrant(&it.entrant_id);
        let squad = || members(&it.members).map_err(|_| DecodeError("a squad"));
        let what = match it.act() {
            pb::SeasonAct::Created => What::Created,
            pb::SeasonAct::Dated => What::Dated,
            pb::SeasonAct::Advanced => {
                What::Advanced(State::of(it.state).ok_or(DecodeError("the state of a season"))?)
            }
            pb::SeasonAct::Placed => What::Placed(about()?, it.division),
            pb::SeasonAct::Removed => What::Removed(about()?),
            pb::SeasonAct::Registered => What::Registered(about()?, squad()?),
            pb::SeasonAct::SquadChanged => What::SquadChanged(about()?, squad()?),
            pb::SeasonAct::Withdrawn => What::Withdrawn(about()?),
            pb::SeasonAct::StaysDown => What::StaysDown(about()?, it.stays_down),
            pb::SeasonAct::Unspecified => return Err(DecodeError("what was done in a season")),
        };
        Ok(Entry {
            sequence: it.sequence,
            at: it.time.as_ref().and_then(moment).ok_or(DecodeError("when it was done"))?,
            account: id(&it.account_id)?,
            what,
            reason: it.reason.clone(),
        })
    }
}

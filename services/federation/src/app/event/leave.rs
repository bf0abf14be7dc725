//! Leave: taken by players and captains, granted by the chief arbiter, ended early; and the games that rest meanwhile.

use chassis::auth::Caller;

use super::{
    Events,
    command::{Asker, Decided},
    registry::Current,
};
use crate::{
    core::event::{Act, EnteredTeam, Event, Leave, Leaveless, NewLeave, Refusal, Whose},
    error::Result,
    store::event::note::Note,
    wire::event::{leave::Wish, request::Change},
};

impl Events {
    /// Takes leave: a player for himself, a captain for his team. Where a reason is given, or it is for another player, it is
    /// for the chief arbiter to grant.
    pub(crate) async fn take_leave(
        &self,
        caller: &Caller,
        change: &Change,
        wish: &Wish,
    ) -> Result<(Current, Option<Leave>)> {
        let act = match wish {
            Wish { reason: Some(_), .. } | Wish { whose: Some(Whose::Player(_)), .. } => Act::GrantLeave,
            Wish { whose: Some(Whose::Team(_)), .. } => Act::LeadTeam,
            Wish { whose: None, .. } => Act::TakeLeave,
        };
        let note = wish.reason.clone().map(|reason| self.note(reason));
        let current = self
            .carry_out(caller, act, change, |event, asker| {
                let whose = match wish.whose {
                    Some(whose) => whose,
                    None => Whose::Player(asker.number()?),
                };
                for_whom(event, asker, act, whose)?;
                let reason = note.as_ref().map(Note::sealed);
                let new = NewLeave { whose, from: wish.from, until: wish.until, reason };
                Ok(Decided::noted(event.take_leave(new, self.env.now())?, &note))
            })
            .await?;
        let leave = current.event.leaves.all.iter().rev().find(|it| it.request == Some(change.request));
        let leave = leave.cloned();
        Ok((current, leave))
    }

    /// Ends leave early, or takes it back.
    pub(crate) async fn end_leave(
        &self,
        caller: &Caller,
        change: &Change,
        number: u32,
        reason: Option<String>,
    ) -> Result<(Current, Option<Leave>)> {
        let event = self.current(change.event).await?.event;
        let leads = event.captained_by(caller.id).map(EnteredTeam::number).map(Whose::Team);
        let is_of_team = event.leaves.find(number).is_some_and(|it| Some(it.whose) == leads);
        let act = match reason {
            Some(_) => Act::GrantLeave,
            None if is_of_team => Act::LeadTeam,
            None => Act::TakeLeave,
        };
        let note = reason.map(|reason| self.note(reason));
        let current = self
            .carry_out(caller, act, change, |event, asker| {
                let leave = event.leaves.find(number).ok_or(Refusal::from(Leaveless::Unknown))?;
                for_whom(event, asker, act, leave.whose)?;
                let facts = event.end_leave(number, note.as_ref().map(Note::sealed), self.env.now())?;
                Ok(Decided::noted(facts, &note))
            })
            .await?;
        let leave = current.event.leaves.find(number).cloned();
        Ok((current, leave))
    }
}

/// Whether somebody decides on leave as one who may: on his own, on his team's, or on that of somebody with whom he has
/// nothing to do.
fn for_whom(event: &Event, asker: &Asker, act: Act, whose: Whose) -> Result<()> {
    let is_own = match (act, whose) {
        (Act::GrantLeave, whose) => return Ok(event.not_own_leave(whose, &asker.official())?),
        (Act::LeadTeam, Whose::Team(team)) => {
            let leads = event.captained_by(asker.account).map(EnteredTeam::number) == Some(team);
            return if leads { Ok(()) } else { Err(Refusal::NotCaptain.into()) };
        }
        (_, whose) => asker.player.map(Whose::Player) == Some(whose),
    };
    if is_own { Ok(()) } else { Err(Refusal::from(Leaveless::NotOwn).into()) }
}

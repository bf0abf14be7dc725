//! Invites, and lets in who is invited.

use std::time::Duration;

use chassis::{auth::Caller, time::to_micros};
use live::{Moment, Quota};

use super::{
    Change, Desk,
    desk::Made,
    members::{bind, enrol},
    turn::{Turn, room},
};
use crate::{
    core::{
        application::Answer,
        invitation::{Accept, Code, EndInvitation, Invitation, Invite, Way},
        limits::{CODE_TRIES, CODE_TRIES_WINDOW, INVITATIONS_MAX, INVITATIONS_PER_ACCOUNT_MAX},
        member::{Enrol, Person, Seen, State},
        notice::{About, Kind, To},
        permit::Act,
        refusal::Refusal,
    },
    error::Result,
    store::{self, names},
};

const DAY: Duration = Duration::from_hours(24);

impl Change for Invite {
    type Told = (Invitation, Option<Code>);

    async fn prepare(&self, desk: &Desk, _caller: &Caller) -> Result<()> {
        match self.account {
            Some(account) => desk.accounts.require(account).await,
            None => Ok(()),
        }
    }

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let (federation, now) = (turn.federation(self.federation).await?.id, turn.now());
        turn.require(federation, Act::Invite).await?;
        let count = store::invitation::count(turn.on, Ok(federation), now).await?;
        room(count, INVITATIONS_MAX, "invitations that wait in a federation")?;
        if let Some(account) = self.account {
            let count = store::invitation::count(turn.on, Err(account), now).await?;
            room(count, INVITATIONS_PER_ACCOUNT_MAX, "invitations of an account that wait")?;
            let known = store::member::of_account(turn.on, federation, account).await?;
            if let Some(member) = known.filter(|member| member.state == State::Active) {
                return Err(Refusal::AccountBound(member.id).into());
            }
        }
        if let Some(member) = self.member {
            let found = store::member::find(turn.on, member).await?;
            let member = found.filter(|member| member.federation == federation);
            let member = member.ok_or(Refusal::UnknownMember)?;
            if member.state != State::Active {
                return Err(Refusal::NotActive.into());
            }
            if member.account.is_some() {
                return Err(Refusal::BadInvitation.into());
            }
        }
        let invitation = Invitation {
            id: turn.desk.env.uuid(),
            federation,
            account: self.account,
            code: None,
            member: self.member,
            answer: Answer::Pending,
            made_by: turn.caller.id,
            made: now,
            expires: now + DAY * self.days,
            answered_by: None,
        };
        store::invitation::insert(turn.on, &invitation).await?;
        if let Some(account) = invitation.account {
            let (federation, due) = (Some(federation), Some(invitation.expires));
            let about = About { federation, member: invitation.member, due, ..About::default() };
            turn.inform(To::Account(account), Kind::Invited, about, &[invitation.id]);
        }
        Ok(invitation.id.into())
    }

    /// A code is told once and not kept, so whoever asks again gets another.
    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Self::Told> {
        let found = store::invitation::find(turn.on, made.id).await?;
        let mut invitation = found.ok_or(Refusal::UnknownInvitation)?;
        if invitation.account.is_some() || invitation.answer != Answer::Pending {
            return Ok((invitation, None));
        }
        let code = Code::new(&turn.desk.env);
        invitation.code = Some(code.digest());
        store::invitation::update(turn.on, &invitation).await?;
        Ok((invitation, Some(code)))
    }
}

impl Change for Accept {
    type Told = Seen;

    async fn prepare(&self, desk: &Desk, caller: &Caller) -> Result<()> {
        if caller.guest {
            return Err(Refusal::Guest.into());
        }
        if let Way::Code(_) = self.way {
            let quota = Quota::new(CODE_TRIES, CODE_TRIES_WINDOW);
            let now = Moment::from_micros(to_micros(desk.env.now()));
            let counted = desk.live.count(&names::code_tries(caller.id), quota, now).await?;
            if let live::Throttle::Refused { retry_after } = counted {
                return Err(Refusal::TooManyAttempts(retry_after).into());
            }
        }
        Ok(())
    }

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let found = self.find(turn).await?;
        turn.federation(found.federation).await?;
        let mut invitation = self.find(turn).await?;
        let id = self.admit(turn, &invitation).await?;
        invitation.answer = Answer::Accepted;
        invitation.answered_by = Some(turn.caller.id);
        invitation.code = None;
        store::invitation::update(turn.on, &invitation).await?;
        Ok(id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Seen> {
        turn.seen(made.id.into()).await
    }
}

impl Accept {
    /// The invitation, if it is for the caller and open. Whoever guesses is told nothing by the difference.
    async fn find(&self, turn: &Turn<'_>) -> Result<Invitation> {
        let open = |invitation: &Invitation| invitation.is_open(turn.now());
        match self.way {
            Way::Code(code) => {
                let found = store::invitation::of_code(turn.on, code).await?.filter(open);
                Ok(found.ok_or(Refusal::UnknownCode)?)
            }
            Way::Id(id) => {
                let found = store::invitation::find(turn.on, id).await?;
                let mine = found.filter(|invitation| invitation.account == Some(turn.caller.id));
                let invitation = mine.ok_or(Refusal::UnknownInvitation)?;
                if open(&invitation) { Ok(invitation) } else { Err(Refusal::AlreadyAnswered.into()) }
            }
        }
    }

    async fn admit(&self, turn: &Turn<'_>, invitation: &Invitation) -> Result<chassis::id::MemberId> {
        let (federation, account) = (invitation.federation, turn.caller.id);
        let before = store::member::of_account(turn.on, federation, account).await?;
        if let Some(member) = before.as_ref().filter(|member| member.state == State::Active) {
            return Err(Refusal::AccountBound(member.id).into());
        }
        let known = match invitation.member {
            Some(id) => Some(store::member::find(turn.on, id).await?.ok_or(Refusal::UnknownMember)?),
            None => before,
        };
        let Some(mut member) = known else {
            let name = self.name.clone().ok_or_else(nameless)?;
            let person = Person { name, ..Person::default() };
            // Whoever made the invitation vouched for him: a namesake is another.
            let enrolled = Enrol {
                federation,
                person,
                account: Some(account),
                club: None,
                joined: None,
                namesake: true,
            };
            return enrol(turn, &enrolled).await;
        };
        if !matches!(member.state, State::Active | State::Left(_)) {
            return Err(Refusal::NotActive.into());
        }
        bind(turn, &mut member, account).await?;
        member.state = State::Active;
        member.revision += 1;
        let id = member.id;
        store::member::update(turn.on, &[member]).await?;
        Ok(id)
    }
}

impl Change for EndInvitation {
    type Told = Invitation;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let unknown = Refusal::UnknownInvitation;
        let found = store::invitation::find(turn.on, self.id).await?.ok_or(unknown.clone())?;
        turn.federation(found.federation).await?;
        let mut invitation = store::invitation::find(turn.on, self.id).await?.ok_or(unknown.clone())?;
        if self.withdrawn {
            turn.require(invitation.federation, Act::Invite).await?;
        } else if invitation.account != Some(turn.caller.id) {
            return Err(unknown.into());
        }
        if invitation.answer != Answer::Pending {
            return Err(Refusal::AlreadyAnswered.into());
        }
        invitation.answer = if self.withdrawn { Answer::Withdrawn } else { Answer::Refused };
        invitation.answered_by = Some(turn.caller.id);
        invitation.code = None;
        store::invitation::update(turn.on, &invitation).await?;
        Ok(self.id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Invitation> {
        Ok(store::invitation::find(turn.on, made.id).await?.ok_or(Refusal::UnknownInvitation)?)
    }
}

fn nameless() -> api::Error {
    api::Error::invalid(api::reason::BAD_ORGANISATION_NAME, "name", "a new member has a name")
}

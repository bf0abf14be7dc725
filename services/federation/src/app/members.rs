//! Makes people members, changes them, moves them between clubs, has them leave, come back and be forgotten.

use chassis::{
    auth::Caller,
    id::{AccountId, FederationId, MemberId},
};
use time::Date;

use super::{
    Change, Desk,
    desk::Made,
    turn::{Turn, next, room},
};
use crate::{
    core::{
        limits::{AHEAD_DAYS_MAX, MEMBERS_MAX},
        member::{Bind, Departure, Dismiss, Edit, Enrol, Member, Person, Seen, State, Transfer},
        permit::Act,
        refusal::Refusal,
        stay::{self, Stay},
    },
    error::Result,
    store,
};

impl Change for Enrol {
    type Told = Seen;

    async fn prepare(&self, desk: &Desk, _caller: &Caller) -> Result<()> {
        match self.account {
            Some(account) => desk.accounts.require(account).await,
            None => Ok(()),
        }
    }

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        turn.federation(self.federation).await?;
        turn.require(self.federation, Act::KeepMembers).await?;
        if let Some(account) = self.account {
            turn.require(self.federation, Act::KeepPersons).await?;
            is_free(turn, self.federation, account).await?;
        }
        Ok(enrol(turn, self).await?.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Seen> {
        turn.seen(made.id.into()).await
    }
}

impl Change for Edit {
    type Told = Seen;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut member = turn.active(self.id).await?;
        turn.require(member.federation, Act::KeepMembers).await?;
        member.revision = next(self.revision, member.revision)?;
        member.person = self.on(&member.person);
        check_birth(turn, &member.person)?;
        numbers_are_free(turn, member.federation, member.id, &member.person).await?;
        store::member::update(turn.on, &[member]).await?;
        Ok(self.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Seen> {
        turn.seen(made.id.into()).await
    }
}

impl Change for Dismiss {
    type Told = Seen;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut member = match self.how {
            Departure::Erase => turn.person(self.id).await?,
            Departure::Leave | Departure::Return => turn.member(self.id).await?,
        };
        let (act, here) = match self.how {
            Departure::Leave | Departure::Return => (Act::KeepMembers, member.state == State::Active),
            Departure::Erase => (Act::KeepPersons, true),
        };
        let oneself = turn.oneself(&member).filter(|_| self.how != Departure::Return);
        if turn.require(member.federation, act).await.is_err() {
            turn.require_as(member.federation, Act::ActForOneself, oneself).await?;
        }
        member.revision = next(self.revision, member.revision)?;
        match (self.how, member.state) {
            (Departure::Leave, _) if here => leave(turn, &mut member).await?,
            (Departure::Return, State::Left(_)) => member.state = State::Active,
            (Departure::Return, State::Active) => return Err(Refusal::IsMember(member.id).into()),
            (Departure::Erase, State::Active | State::Left(_)) => erase(turn, &mut member).await?,
            _ => return Err(Refusal::NotActive.into()),
        }
        store::member::update(turn.on, &[member]).await?;
        Ok(self.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Seen> {
        turn.seen(made.id.into()).await
    }
}

impl Change for Transfer {
    type Told = Seen;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut member = turn.active(self.id).await?;
        turn.require(member.federation, Act::KeepMembers).await?;
        member.revision = next(self.revision, member.revision)?;
        let day = self.day.unwrap_or_else(|| turn.today());
        if (day - turn.today()).whole_days() > AHEAD_DAYS_MAX {
            return Err(Refusal::TooFarAhead.into());
        }
        if day < member.joined {
            return Err(Refusal::TooEarly.into());
        }
        if let Some(club) = self.club {
            turn.club_of(member.federation, club).await?;
        }
        member.stays = stay::transfer(&member.stays, self.club, day)?;
        store::member::update(turn.on, &[member]).await?;
        Ok(self.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Seen> {
        turn.seen(made.id.into()).await
    }
}

impl Change for Bind {
    type Told = Seen;

    async fn prepare(&self, desk: &Desk, _caller: &Caller) -> Result<()> {
        match self.account {
            Some(account) => desk.accounts.require(account).await,
            None => Ok(()),
        }
    }

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut member = turn.active(self.id).await?;
        turn.require(member.federation, Act::KeepPersons).await?;
        member.revision = next(self.revision, member.revision)?;
        match self.account {
            Some(account) => bind(turn, &mut member, account).await?,
            None => member.account = None,
        }
        store::member::update(turn.on, &[member]).await?;
        Ok(self.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Seen> {
        turn.seen(made.id.into()).await
    }
}

/// Makes somebody a member of a federation that is locked.
pub(super) async fn enrol(turn: &Turn<'_>, asked: &Enrol) -> Result<MemberId> {
    let Enrol { federation, person, account, club, joined, namesake } = asked.clone();
    room(store::member::count(turn.on, federation).await?, MEMBERS_MAX, "members of a federation")?;
    check_birth(turn, &person)?;
    let joined = joined.unwrap_or_else(|| turn.today());
    if (joined - turn.today()).whole_days() > AHEAD_DAYS_MAX {
        return Err(Refusal::TooFarAhead.into());
    }
    if let Some(club) = club {
        turn.club_of(federation, club).await?;
    }
    let id = MemberId::from(turn.desk.env.uuid());
    numbers_are_free(turn, federation, id, &person).await?;
    if !namesake {
        let known = store::member::namesakes(turn.on, federation, person.name.key(), person.born).await?;
        if let Some(known) = known.first() {
            return Err(Refusal::MemberExists(known.id).into());
        }
    }
    let stays = club.map(|club| Stay { club, from: joined, to: None }).into_iter().collect();
    let member = Member { id, federation, person, account, state: State::Active, joined, revision: 1, stays };
    store::member::insert(turn.on, &[member]).await?;
    Ok(id)
}

/// Gives a member an account that is nobody's.
pub(super) async fn bind(turn: &Turn<'_>, member: &mut Member, account: AccountId) -> Result<()> {
    if member.account == Some(account) {
        return Ok(());
    }
    if member.account.is_some() {
        return Err(Refusal::AccountBound(member.id).into());
    }
    is_free(turn, member.federation, account).await?;
    member.account = Some(account);
    Ok(())
}

async fn is_free(turn: &Turn<'_>, federation: FederationId, account: AccountId) -> Result<()> {
    match store::member::of_account(turn.on, federation, account).await? {
        Some(holder) => Err(Refusal::AccountBound(holder.id).into()),
        None => Ok(()),
    }
}

async fn leave(turn: &Turn<'_>, member: &mut Member) -> Result<()> {
    let today: Date = turn.today();
    member.stays = stay::leave(&member.stays, today);
    member.state = State::Left(today);
    out_of_teams(turn, member.id).await
}

/// What is left of a person is the id, and where it was.
async fn erase(turn: &Turn<'_>, member: &mut Member) -> Result<()> {
    leave(turn, member).await?;
    let mut forgotten = store::member::doubles(turn.on, member).await?;
    for double in &mut forgotten {
        double.person = Person::default();
    }
    store::member::update(turn.on, &forgotten).await?;
    store::application::forget(turn.on, member.federation, (member.id, member.account)).await?;
    store::award::forget(turn.on, member.id).await?;
    store::proxy::forget(turn.on, member.id).await?;
    // Nobody knows whom the files speak of that wait.
    store::file::drop_of(turn.on, member.federation).await?;
    if let Some(account) = member.account {
        store::notice::forget(turn.on, account, member.federation).await?;
        store::calendar::forget(turn.on, account).await?;
    }
    member.person = Person::default();
    member.account = None;
    member.state = State::Erased;
    tracing::info!(member.id = %member.id, account.id = %turn.caller.id, "a person was forgotten");
    Ok(())
}

async fn out_of_teams(turn: &Turn<'_>, member: MemberId) -> Result<()> {
    for mut team in store::team::with(turn.on, member).await? {
        team.remove(member);
        team.revision += 1;
        store::team::update(turn.on, &team).await?;
    }
    Ok(())
}

async fn numbers_are_free(
    turn: &Turn<'_>,
    federation: FederationId,
    member: MemberId,
    person: &Person,
) -> Result<()> {
    let numbers: Vec<(String, String)> =
        person.numbers.iter().map(|(list, number)| (list.clone(), number.clone())).collect();
    let holders = store::member_number::holders(turn.on, federation, &numbers).await?;
    match holders.into_iter().find(|(_, holder)| *holder != member) {
        Some((number, holder)) => Err(Refusal::NumberTaken(number, holder).into()),
        None => Ok(()),
    }
}

fn check_birth(turn: &Turn<'_>, person: &Person) -> Result<()> {
    let born = person.born.is_none_or(|born| born <= turn.today());
    if born { Ok(()) } else { Err(Refusal::Unborn.into()) }
}

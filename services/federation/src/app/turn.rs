//! One change under way: the rows that it may touch, locked, and what its caller may do with them.

use chassis::{
    auth::Caller,
    database::{StoreError, Transaction},
    id::{AccountId, ClubId, FederationId, MemberId, TeamId},
};
use parking_lot::Mutex;
use sea_orm::ConnectionTrait;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::Desk;
use crate::{
    core::{
        club::Club,
        federation::Federation,
        member::{Member, Seen, Sight, State},
        notice::{About, Kind, Telling, To, source},
        permit::{Act, Standing, may},
        refusal::Refusal,
        team::Team,
    },
    error::Result,
    store,
};

/// A change under way.
pub(crate) struct Turn<'a> {
    pub desk: &'a Desk,
    pub on: &'a Transaction,
    pub caller: &'a Caller,
    told: Mutex<Vec<Telling>>,
}

impl<'a> Turn<'a> {
    /// A change that nobody was told of yet.
    pub(in crate::app) fn new(desk: &'a Desk, on: &'a Transaction, caller: &'a Caller) -> Turn<'a> {
        Turn { desk, on, caller, told: Mutex::default() }
    }

    /// Has somebody be told of it, once for each of what these ids name.
    pub(super) fn inform(&self, to: To, kind: Kind, about: About, ids: &[Uuid]) {
        let (source, by) = (source(&format!("{kind:?}"), ids), Some(self.caller.id));
        self.told.lock().push(Telling { to, kind, about, source, by });
    }

    /// Has what an entry of an event's log tells be told with this change.
    pub(super) fn tell_also(&self, tellings: Vec<Telling>) {
        self.told.lock().extend(tellings);
    }

    /// What is to be told.
    pub(super) fn tellings(&self) -> Vec<Telling> {
        std::mem::take(&mut *self.told.lock())
    }
}

impl Turn<'_> {
    /// Now.
    pub(super) fn now(&self) -> OffsetDateTime {
        self.desk.env.now()
    }

    /// Today, in UTC.
    pub(super) fn today(&self) -> Date {
        self.now().date()
    }

    /// A federation that is not dissolved. From here on whoever changes it, or anything of it, waits for this one.
    pub(super) async fn federation(&self, id: FederationId) -> Result<Federation> {
        let found = self.lock(id).await?;
        if found.dissolved.is_some() { Err(Refusal::Ended.into()) } else { Ok(found) }
    }

    /// The same, also of one that is dissolved.
    async fn lock(&self, id: FederationId) -> Result<Federation> {
        store::federation::lock(self.on, id).await?;
        Ok(store::federation::find(self.on, id).await?.ok_or(Refusal::UnknownFederation)?)
    }

    /// A club that is not closed, of a federation that is locked then.
    pub(super) async fn club(&self, id: ClubId) -> Result<Club> {
        let found = store::club::find(self.on, id).await?.ok_or(Refusal::UnknownClub)?;
        self.federation(found.federation).await?;
        // Read again: what was read before the lock may have changed.
        let club = store::club::find(self.on, id).await?.ok_or(Refusal::UnknownClub)?;
        if club.closed.is_some() { Err(Refusal::Ended.into()) } else { Ok(club) }
    }

    /// A team that is not disbanded, of a federation that is locked then.
    pub(super) async fn team(&self, id: TeamId) -> Result<Team> {
        let found = store::team::find(self.on, id).await?.ok_or(Refusal::UnknownTeam)?;
        self.federation(found.federation).await?;
        let team = store::team::find(self.on, id).await?.ok_or(Refusal::UnknownTeam)?;
        if team.disbanded.is_some() { Err(Refusal::Ended.into()) } else { Ok(team) }
    }

    /// A member in whatever state, of a federation that is locked then.
    pub(super) async fn member(&self, id: MemberId) -> Result<Member> {
        let found = store::member::find(self.on, id).await?.ok_or(Refusal::UnknownMember)?;
        self.federation(found.federation).await?;
        Ok(store::member::find(self.on, id).await?.ok_or(Refusal::UnknownMember)?)
    }

    /// The same, also of a federation that is dissolved: whoever wants to be forgotten is.
    pub(super) async fn person(&self, id: MemberId) -> Result<Member> {
        let found = store::member::find(self.on, id).await?.ok_or(Refusal::UnknownMember)?;
        self.lock(found.federation).await?;
        Ok(store::member::find(self.on, id).await?.ok_or(Refusal::UnknownMember)?)
    }

    /// One who is a member now.
    pub(super) async fn active(&self, id: MemberId) -> Result<Member> {
        let member = self.member(id).await?;
        if member.state == State::Active { Ok(member) } else { Err(Refusal::NotActive.into()) }
    }

    /// A club of this federation that is not closed.
    pub(super) async fn club_of(&self, federation: FederationId, id: ClubId) -> Result<Club> {
        let found = store::club::find(self.on, id).await?.filter(|club| club.federation == federation);
        let club = found.ok_or(Refusal::UnknownClub)?;
        if club.closed.is_some() { Err(Refusal::Ended.into()) } else { Ok(club) }
    }

    /// Makes sure that the caller may do this in a federation.
    pub(super) async fn require(&self, federation: FederationId, act: Act) -> Result<()> {
        self.require_as(federation, act, None).await
    }

    /// The same of one who is also this.
    pub(super) async fn require_as(
        &self,
        federation: FederationId,
        act: Act,
        also: Option<Standing>,
    ) -> Result<()> {
        let mut standings = standings(self.on, federation, self.caller.id).await?;
        standings.extend(also);
        if may(standings, act) { Ok(()) } else { Err(Refusal::NotAnOfficial.into()) }
    }

    /// What the caller is to a member beside his offices.
    pub(super) fn oneself(&self, member: &Member) -> Option<Standing> {
        (member.account == Some(self.caller.id)).then_some(Standing::Oneself)
    }

    /// A member as the caller is told of him.
    pub(super) async fn seen(&self, id: MemberId) -> Result<Seen> {
        let member = store::member::find(self.on, id).await?.ok_or(Refusal::UnknownMember)?;
        let sight = sight(self.on, &member, Some(self.caller)).await?;
        Ok(Seen { member, sight })
    }
}

/// What an account is in a federation.
pub(super) async fn standings(
    on: &impl ConnectionTrait,
    federation: FederationId,
    account: AccountId,
) -> std::result::Result<Vec<Standing>, StoreError> {
    let roles = store::official::roles(on, federation, account).await?;
    Ok(roles.into_iter().map(Standing::Official).collect())
}

/// How much of a member a caller is told.
pub(super) async fn sight(
    on: &impl ConnectionTrait,
    member: &Member,
    caller: Option<&Caller>,
) -> std::result::Result<Sight, StoreError> {
    let Some(caller) = caller else { return Ok(Sight::Public) };
    let mut standings = standings(on, member.federation, caller.id).await?;
    if member.account == Some(caller.id) {
        standings.push(Standing::Oneself);
    }
    Ok(sight_of(&standings))
}

/// How much is told to one who is this.
pub(super) fn sight_of(standings: &[Standing]) -> Sight {
    let may = |act| may(standings.iter().copied(), act);
    if may(Act::ReadPrivate) {
        Sight::All
    } else if may(Act::ReadAccounts) {
        Sight::Accounts
    } else {
        Sight::Public
    }
}

/// Refuses a revision that is not the one that the caller has seen, and gives the next.
pub(super) fn next(seen: Option<i64>, revision: i64) -> Result<i64> {
    if seen.is_none_or(|seen| seen == revision) {
        Ok(revision + 1)
    } else {
        Err(Refusal::RevisionPassed.into())
    }
}

/// Refuses more of something than there may be.
pub(super) fn room(count: u64, max: u64, what: &'static str) -> Result<()> {
    if count < max { Ok(()) } else { Err(Refusal::Full(max, what).into()) }
}

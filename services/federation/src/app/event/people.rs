//! What somebody is in a federation, as far as its events ask.

use std::{collections::BTreeSet, time::Duration};

use chassis::{
    Database,
    database::StoreError,
    id::{AccountId, ClubId, FederationId, MemberId, TeamId},
};
use time::OffsetDateTime;

use super::Events;
use crate::{
    core::{event::Role, member::State, official, team::Team},
    error::Result as Outcome,
    store::{self, event::person},
};

/// How often it is looked for events whose people are not known. There are some after an update alone.
pub(crate) const INTERVAL: Duration = Duration::from_mins(10);
/// Events that are read at once for it.
const AT_ONCE: u64 = 20;

/// How many doubles may lead from one to the next: merges make no loops, and no long chains.
const DOUBLES_MAX: usize = 16;

/// The members and officials of federations.
#[derive(Clone, Debug)]
pub(crate) struct People(pub Database);

impl Events {
    /// Writes whom those events concern that began before that was written.
    pub(crate) async fn know_people(&self) -> Outcome<()> {
        loop {
            let unknown = person::unknown(self.database.read(), AT_ONCE).await?;
            for id in &unknown {
                let event = self.current(*id).await?.event;
                person::put_all(self.database.write(), &event).await?;
            }
            if (unknown.len() as u64) < AT_ONCE {
                return Ok(());
            }
        }
    }
}

/// What somebody is in a federation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// Administrator, committee, member, and offices that hold in the whole federation.
    pub roles: BTreeSet<Role>,
    /// Which member he is.
    pub member: Option<MemberId>,
}

/// A member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Person {
    /// His id; of a double that of the one who stayed.
    pub id: MemberId,
    /// What he is called.
    pub name: String,
    /// The account with which he plays, if he has one.
    pub account: Option<AccountId>,
}

impl People {
    /// What an account is in a federation; `None` when there is no such federation, or it was dissolved.
    pub(crate) async fn standing(
        &self,
        federation: FederationId,
        account: AccountId,
    ) -> Result<Option<Standing>, StoreError> {
        let on = self.0.read();
        if store::federation::find(on, federation).await?.is_none_or(|it| it.dissolved.is_some()) {
            return Ok(None);
        }
        let offices = store::official::roles(on, federation, account).await?;
        let mut roles: BTreeSet<Role> = offices.into_iter().map(of_federation).collect();
        let member = store::member::of_account(on, federation, account).await?;
        let member = member.filter(|member| member.state == State::Active).map(|member| member.id);
        if member.is_some() {
            roles.insert(Role::Member);
        }
        Ok(Some(Standing { roles, member }))
    }

    /// The members for whom somebody is a proxy.
    pub(crate) async fn represented(
        &self,
        federation: FederationId,
        account: AccountId,
    ) -> Result<Vec<MemberId>, StoreError> {
        store::proxy::represented(self.0.read(), federation, account).await
    }

    /// Members by every id that they have or had: an event knows somebody by the one with which he entered.
    pub(crate) async fn by_every_id(
        &self,
        federation: FederationId,
        members: impl IntoIterator<Item = MemberId>,
    ) -> Result<BTreeSet<MemberId>, StoreError> {
        let mut ids: BTreeSet<MemberId> = members.into_iter().collect();
        ids.extend(store::member::ids_of_doubles(self.0.read(), federation, &ids).await?);
        Ok(ids)
    }

    /// The clubs that members are in on a day; of a double those of the one who stayed.
    pub(crate) async fn clubs(
        &self,
        members: impl Iterator<Item = MemberId>,
        now: OffsetDateTime,
    ) -> Result<BTreeSet<ClubId>, StoreError> {
        let (on, today) = (self.0.read(), now.date());
        let members: Vec<_> = members.map(MemberId::uuid).collect();
        let mut found = store::member::find_all(on, &members).await?;
        let kept: Vec<_> = found.iter().filter_map(|it| it.state.merged_into()).map(MemberId::uuid).collect();
        found.extend(store::member::find_all(on, &kept).await?);
        let stays = found.iter().flat_map(|it| &it.stays);
        Ok(stays.filter(|stay| stay.has(today)).map(|stay| stay.club).collect())
    }

    /// The member of an id as the federation knows him now; of a double the one that it was merged into.
    pub(crate) async fn member(
        &self,
        federation: FederationId,
        member: MemberId,
    ) -> Result<Option<Person>, StoreError> {
        let mut id = member;
        for _ in 0..DOUBLES_MAX {
            let found = store::member::find(self.0.read(), id).await?;
            let Some(found) = found.filter(|found| found.federation == federation) else { return Ok(None) };
            match found.state {
                State::Merged(into) => id = into,
                State::Active | State::Left(_) | State::Erased => {
                    let (name, account) = (found.person.name.native, found.account);
                    return Ok(Some(Person { id, name, account }));
                }
            }
        }
        Ok(None)
    }
}

impl People {
    /// A team of a federation that is not disbanded.
    pub(crate) async fn team(
        &self,
        federation: FederationId,
        team: TeamId,
    ) -> Result<Option<Team>, StoreError> {
        let found = store::team::find(self.0.read(), team).await?;
        Ok(found.filter(|team| team.federation == federation && team.disbanded.is_none()))
    }
}

/// An office of the whole federation, in its events.
fn of_federation(role: official::Role) -> Role {
    match role {
        official::Role::Administrator => Role::Administrator,
        official::Role::Committee => Role::Committee,
        official::Role::ChiefArbiter => Role::ChiefArbiter,
        official::Role::Deputy => Role::Deputy,
        official::Role::Arbiter => Role::Arbiter,
        official::Role::Scorer => Role::Scorer,
    }
}

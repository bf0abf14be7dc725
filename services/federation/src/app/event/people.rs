//! What somebody is in a federation, as far as its events ask.

use std::collections::BTreeSet;

use chassis::{
    Database,
    database::StoreError,
    id::{AccountId, ClubId, FederationId, MemberId, TeamId},
};
use time::OffsetDateTime;

use crate::{
    core::{event::Role, member::State, official, team::Team},
    store,
};

/// How many doubles may lead from one to the next: merges make no loops, and no long chains.
const DOUBLES_MAX: usize = 16;

/// The members and officials of federations.
#[derive(Clone, Debug)]
pub(crate) struct People(pub Database);

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

    /// The clubs that members are in on a day.
    pub(crate) async fn clubs(
        &self,
        members: impl Iterator<Item = MemberId>,
        now: OffsetDateTime,
    ) -> Result<BTreeSet<ClubId>, StoreError> {
        let members: Vec<_> = members.map(MemberId::uuid).collect();
        if members.is_empty() {
            return Ok(BTreeSet::new());
        }
        let today = now.date();
        let stays = store::stay::of(self.0.read(), &members).await?;
        Ok(stays.into_iter().filter(|(_, stay)| stay.has(today)).map(|(_, stay)| stay.club).collect())
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
                    return Ok(Some(Person { name: found.person.name.native, account: found.account }));
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

//! Reads: one thing, or a list. Nothing is locked.

use chassis::{
    auth::Caller,
    id::{ClubId, FederationId, MemberId, TeamId},
};

use super::{
    Desk,
    turn::{sight, sight_of, standings},
};
use crate::{
    core::{
        application::Application,
        club::Club,
        federation::Federation,
        invitation::Invitation,
        member::{Member, Seen, Sight},
        official::Official,
        permit::{Act, Standing, may},
        proxy::Proxy,
        refusal::Refusal,
        team::Team,
    },
    error::Result,
    store,
    wire::{
        club, federation,
        joining::List as JoiningList,
        member,
        office::{ListOfficials, ListProxies},
        team,
    },
};

/// What was found, and the token of the next page.
type Listed<T> = Result<(Vec<T>, String)>;

impl Desk {
    pub(crate) async fn federation(&self, id: FederationId) -> Result<Federation> {
        Ok(store::federation::find(self.database.read(), id).await?.ok_or(Refusal::UnknownFederation)?)
    }

    pub(crate) async fn federations(&self, list: &federation::List) -> Listed<Federation> {
        let (on, page) = (self.database.read(), &list.page);
        let found = store::federation::list(on, &list.prefix, list.ended, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.id.uuid()))
    }

    pub(crate) async fn club(&self, id: ClubId) -> Result<Club> {
        Ok(store::club::find(self.database.read(), id).await?.ok_or(Refusal::UnknownClub)?)
    }

    pub(crate) async fn clubs(&self, list: &club::List) -> Listed<Club> {
        self.federation(list.federation).await?;
        let (on, page) = (self.database.read(), &list.page);
        let club::List { federation, prefix, ended, .. } = list;
        let found = store::club::list(on, *federation, prefix, *ended, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.id.uuid()))
    }

    pub(crate) async fn team(&self, id: TeamId) -> Result<Team> {
        Ok(store::team::find(self.database.read(), id).await?.ok_or(Refusal::UnknownTeam)?)
    }

    pub(crate) async fn teams(&self, list: &team::List) -> Listed<Team> {
        self.federation(list.filter.federation).await?;
        let (on, page) = (self.database.read(), &list.page);
        let found = store::team::list(on, &list.filter, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.id.uuid()))
    }

    pub(crate) async fn member(&self, caller: Option<&Caller>, id: MemberId) -> Result<Seen> {
        let on = self.database.read();
        let member = store::member::find(on, id).await?.ok_or(Refusal::UnknownMember)?;
        let sight = sight(on, &member, caller).await?;
        Ok(Seen { member, sight })
    }

    pub(crate) async fn members(&self, caller: Option<&Caller>, list: &member::List) -> Listed<Seen> {
        let (on, page, filter) = (self.database.read(), &list.page, &list.filter);
        self.federation(filter.federation).await?;
        let official = match caller {
            Some(caller) => sight_of(&standings(on, filter.federation, caller.id).await?),
            None => Sight::Public,
        };
        let mine = |account| caller.is_some_and(|caller| caller.id == account);
        if official < Sight::Accounts && filter.account.is_some_and(|account| !mine(account)) {
            return Err(Refusal::NotAnOfficial.into());
        }
        let today = self.env.now().date();
        let found = store::member::list(on, filter, today, page.after, page.fetch()).await?;
        let (found, next) = page.cut(found, |last| last.id.uuid());
        let see = |member: Member| {
            let sight = if member.account.is_some_and(mine) { Sight::All } else { official };
            Seen { member, sight }
        };
        Ok((found.into_iter().map(see).collect(), next))
    }

    pub(crate) async fn my_members(
        &self,
        caller: &Caller,
        page: &chassis::page::Page<uuid::Uuid>,
    ) -> Listed<Seen> {
        let found = store::member::mine(self.database.read(), caller.id, page.after, page.fetch()).await?;
        let (found, next) = page.cut(found, |last| last.id.uuid());
        Ok((found.into_iter().map(|member| Seen { member, sight: Sight::All }).collect(), next))
    }

    /// Officials, and what each of those accounts is as a member is nobody's business here.
    pub(crate) async fn officials(&self, list: &ListOfficials) -> Listed<Official> {
        self.federation(list.federation).await?;
        let (on, page) = (self.database.read(), &list.page);
        let found =
            store::official::list(on, list.federation, list.revoked, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.id))
    }

    pub(crate) async fn proxies(&self, caller: &Caller, list: &ListProxies) -> Listed<Proxy> {
        let (on, page) = (self.database.read(), &list.page);
        if self.member(Some(caller), list.member).await?.sight < Sight::Accounts {
            return Err(Refusal::NotAnOfficial.into());
        }
        let found = store::proxy::list(on, list.member, list.withdrawn, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.id))
    }

    pub(crate) async fn applications(&self, caller: &Caller, list: &JoiningList) -> Listed<Application> {
        let (on, page, filter) = (self.database.read(), &list.page, list.filter);
        self.may_read(caller, filter.federation, Act::ReadAccounts).await?;
        let of = filter.federation.ok_or(caller.id);
        let found = store::application::list(on, of, filter.answer, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.id))
    }

    pub(crate) async fn invitations(&self, caller: &Caller, list: &JoiningList) -> Listed<Invitation> {
        let (on, page, filter) = (self.database.read(), &list.page, list.filter);
        self.may_read(caller, filter.federation, Act::Invite).await?;
        let of = filter.federation.ok_or(caller.id);
        let found = store::invitation::list(on, of, filter.answer, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.id))
    }

    /// Whoever asks for his own may.
    async fn may_read(&self, caller: &Caller, federation: Option<FederationId>, act: Act) -> Result<()> {
        let Some(federation) = federation else { return Ok(()) };
        self.federation(federation).await?;
        let standings: Vec<Standing> = standings(self.database.read(), federation, caller.id).await?;
        if may(standings, act) { Ok(()) } else { Err(Refusal::NotAnOfficial.into()) }
    }
}

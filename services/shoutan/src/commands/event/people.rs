//! What the people of an event are called: players by their numbers, officials by their accounts.

use std::collections::BTreeMap;

use api::{
    federation::v1::{
        Entrant, Event, GetMemberRequest, ListEntrantsRequest, ListMembersRequest, Member, Name,
    },
    identity::v1::{LookUpAccountsRequest, identity_service_client::IdentityServiceClient},
};

use super::{
    session::{Session, all, ask},
    shown,
};
use crate::commands::render::sanitize;

/// Accounts that are looked up with one call.
const ACCOUNTS_AT_ONCE: usize = 200;

/// Who takes part in an event.
#[derive(Debug, Default)]
pub(super) struct People {
    /// By number.
    pub entrants: BTreeMap<u32, Entrant>,
    members: BTreeMap<String, Name>,
    accounts: BTreeMap<String, String>,
}

impl People {
    /// Asks who has entered, and what the federation calls them.
    pub(super) async fn of(session: &Session, event: &Event) -> anyhow::Result<People> {
        let request = ListEntrantsRequest { event_id: event.id.clone(), ..Default::default() };
        let entrants: Vec<Entrant> = all!(session.events(), list_entrants, request, entrants);
        let mut people = People::default();
        if !entrants.is_empty() {
            let request =
                ListMembersRequest { federation_id: event.federation_id.clone(), ..Default::default() };
            let members: Vec<Member> = all!(session.federations(), list_members, request, members);
            people.members.extend(members.into_iter().filter_map(|it| Some((it.member_id, it.name?))));
        }
        for entrant in entrants {
            people.learn(session, entrant).await?;
        }
        Ok(people)
    }

    /// Takes one more entrant over. Who is not on the list of members any more is asked for by his id.
    pub(super) async fn learn(&mut self, session: &Session, entrant: Entrant) -> anyhow::Result<()> {
        if !self.members.contains_key(&entrant.member_id) {
            let request = GetMemberRequest { member_id: entrant.member_id.clone() };
            let member = ask!(session.federations(), get_member, request)?.member;
            let name = member.and_then(|it| it.name).unwrap_or_default();
            self.members.insert(entrant.member_id.clone(), name);
        }
        self.entrants.insert(entrant.number, entrant);
        Ok(())
    }

    /// Looks accounts up that are to be named.
    pub(super) async fn look_up(
        &mut self,
        session: &Session,
        accounts: impl IntoIterator<Item = String>,
    ) -> anyhow::Result<()> {
        let mut ids: Vec<String> =
            accounts.into_iter().filter(|id| !id.is_empty() && !self.accounts.contains_key(id)).collect();
        ids.sort_unstable();
        ids.dedup();
        for ids in ids.chunks(ACCOUNTS_AT_ONCE) {
            let request = LookUpAccountsRequest { ids: ids.to_vec(), names: Vec::new() };
            let found = ask!(IdentityServiceClient::new(session.transport()), look_up_accounts, request)?;
            self.accounts.extend(found.accounts.into_iter().map(|it| (it.id, it.name)));
        }
        Ok(())
    }

    /// `བཀྲ་ཤིས (Tashi)`; nothing for who is not known.
    pub(super) fn name(&self, number: u32) -> String {
        let member = self.entrants.get(&number).and_then(|it| self.members.get(&it.member_id));
        shown::both(member)
    }

    /// `3 བཀྲ་ཤིས (Tashi)`.
    pub(super) fn player(&self, number: u32) -> String {
        format!("{number} {}", self.name(number)).trim_end().to_owned()
    }

    /// The name of an account; its id where nobody has looked it up.
    pub(super) fn account(&self, id: &str) -> String {
        self.accounts.get(id).map_or_else(|| id.to_owned(), |name| sanitize(name))
    }
}

//! What the people of an event are called: players by their numbers, officials by their accounts.

use std::collections::BTreeMap;

use api::{
    federation::v1::{
        Entrant, Event, EventTeam, GetMemberRequest, GetTeamRequest, LineUpLaw, ListEntrantsRequest,
        ListEventTeamsRequest, ListMembersRequest, Member, Name,
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
    /// Teams by their numbers.
    pub teams: BTreeMap<u32, EventTeam>,
    /// Whether the table is one of teams.
    ranks_teams: bool,
    /// Whether teams meet.
    pairs_teams: bool,
    members: BTreeMap<String, Name>,
    team_names: BTreeMap<String, Name>,
    accounts: BTreeMap<String, String>,
}

impl People {
    /// Asks who has entered, and what the federation calls them.
    pub(super) async fn of(session: &Session, event: &Event) -> anyhow::Result<People> {
        let request = ListEntrantsRequest { event_id: event.id.clone(), ..Default::default() };
        let entrants: Vec<Entrant> = all!(session.events(), list_entrants, request, entrants);
        let settings = event.settings.as_ref().and_then(|it| it.teams.as_ref());
        let mut people = People {
            ranks_teams: settings.is_some(),
            pairs_teams: settings.is_some_and(|it| it.line_up() != LineUpLaw::SumOfMembers),
            ..People::default()
        };
        if !entrants.is_empty() {
            let request =
                ListMembersRequest { federation_id: event.federation_id.clone(), ..Default::default() };
            let members: Vec<Member> = all!(session.federations(), list_members, request, members);
            people.members.extend(members.into_iter().filter_map(|it| Some((it.member_id, it.name?))));
        }
        people.learn(session, entrants).await?;
        if event.team_count > 0 {
            let request = ListEventTeamsRequest { event_id: event.id.clone(), ..Default::default() };
            let teams: Vec<EventTeam> = all!(session.events(), list_event_teams, request, teams);
            people.learn_team(session, teams).await?;
        }
        Ok(people)
    }

    /// Takes more entrants over. Who is not on the list of members any more is asked for by his id.
    pub(super) async fn learn(
        &mut self,
        session: &Session,
        entrants: impl IntoIterator<Item = Entrant>,
    ) -> anyhow::Result<()> {
        for entrant in entrants {
            if !self.members.contains_key(&entrant.member_id) {
                let name = member_name(session, &entrant.member_id).await?;
                self.members.insert(entrant.member_id.clone(), name);
            }
            self.entrants.insert(entrant.number, entrant);
        }
        Ok(())
    }

    /// Takes more teams over.
    pub(super) async fn learn_team(
        &mut self,
        session: &Session,
        teams: impl IntoIterator<Item = EventTeam>,
    ) -> anyhow::Result<()> {
        for team in teams {
            let request = GetTeamRequest { team_id: team.team_id.clone() };
            let name = ask!(session.federations(), get_team, request)?.team.and_then(|it| it.name);
            self.team_names.insert(team.team_id.clone(), name.unwrap_or_default());
            self.teams.insert(team.number, team);
        }
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

    /// `雪狮 (Snow Lions)`; nothing for a team that is not known.
    pub(super) fn team_name(&self, number: u32) -> String {
        shown::both(self.teams.get(&number).and_then(|it| self.team_names.get(&it.team_id)))
    }

    /// `2 雪狮 (Snow Lions)`.
    pub(super) fn team(&self, number: u32) -> String {
        format!("{number} {}", self.team_name(number)).trim_end().to_owned()
    }

    /// The id of the game of two players; nothing where one has no account, so that they play in a hall.
    pub(super) fn game<'a>(&self, players: [u32; 2], game: &'a str) -> &'a str {
        let is_here = |number: &u32| self.entrants.get(number).is_some_and(|it| !it.account_id.is_empty());
        if players.iter().all(is_here) { game } else { "" }
    }

    /// What the table ranks.
    pub(super) const fn ranking(&self) -> &'static str {
        if self.ranks_teams { "team" } else { "player" }
    }

    /// The name of who has this number in the table.
    pub(super) fn ranked_name(&self, number: u32) -> String {
        if self.ranks_teams { self.team_name(number) } else { self.name(number) }
    }

    /// Who has this number in the table: a team where teams are ranked, and else a player.
    pub(super) fn ranked(&self, number: u32) -> String {
        if self.ranks_teams { self.team(number) } else { self.player(number) }
    }

    /// Who has this number where it is said who meets whom: a team where teams meet, and else a player.
    pub(super) fn paired(&self, number: u32) -> String {
        if self.pairs_teams { self.team(number) } else { self.player(number) }
    }

    /// The name of who has this number where it is said who meets whom.
    pub(super) fn paired_name(&self, number: u32) -> String {
        if self.pairs_teams { self.team_name(number) } else { self.name(number) }
    }

    /// What a member is called who takes part; his id where he does not.
    pub(super) fn member(&self, id: &str) -> String {
        self.members.get(id).map_or_else(|| id.to_owned(), |name| shown::both(Some(name)))
    }

    /// The name of an account; its id where nobody has looked it up.
    pub(super) fn account(&self, id: &str) -> String {
        self.accounts.get(id).map_or_else(|| id.to_owned(), |name| sanitize(name))
    }
}

/// What a federation calls a member.
pub(super) async fn member_name(session: &Session, member_id: &str) -> anyhow::Result<Name> {
    let request = GetMemberRequest { member_id: member_id.to_owned() };
    let member = ask!(session.federations(), get_member, request)?.member;
    Ok(member.and_then(|it| it.name).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_has_an_account_has_a_game() {
        let entrant =
            |number, account: &str| Entrant { number, account_id: account.to_owned(), ..Entrant::default() };
        let entrants = [entrant(1, "a"), entrant(2, "b"), entrant(3, "")].map(|it| (it.number, it));
        let people = People { entrants: entrants.into(), ..People::default() };
        let games = [[1, 2], [1, 3], [2, 9]].map(|players| people.game(players, "a game"));
        assert_eq!(games, ["a game", "", ""]);
    }
}

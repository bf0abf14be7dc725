//! What is kept of a person, given to him as one document.

use std::{collections::BTreeSet, sync::Arc};

use chassis::{
    auth::Caller,
    id::{AccountId, ClubId, MemberId},
};
use serde_json::{Value, json};

use super::{Him, Persons};
use crate::{
    app::{event::AsOf, turn::standings},
    core::{
        application::{Answer, Application},
        event::{
            Event, Participant, Sealed,
            person::{InEvent, Note},
        },
        file::FILE_BYTES_MAX,
        invitation::Invitation,
        member::Member,
        permit::{Act, may},
        rating_list::Policy,
        refusal::Refusal,
        title::State,
    },
    error::{Error, Result},
    store,
    wire::person,
};

/// Rows that are read at once.
const PAGE: u64 = 500;

/// Every answer to an application or an invitation.
const ANSWERS: [Answer; 4] = [Answer::Pending, Answer::Accepted, Answer::Refused, Answer::Withdrawn];

/// Every row of a list that is read page by page, each page after the id of a row.
macro_rules! all {
    (|$after:ident| $page:expr, $id:expr) => {{
        let (mut all, mut $after) = (Vec::new(), None);
        loop {
            let page = $page.await?;
            let Some(last) = page.last() else { break all };
            $after = Some($id(last));
            all.extend(page);
        }
    }};
}

impl Persons {
    /// Everything that is kept of an account: as a member of federations, as an official, as one who applied and was told.
    pub(crate) async fn of_account(&self, caller: &Caller) -> Result<Vec<u8>> {
        let mut members = Vec::new();
        let on = self.desk.database.read();
        for member in
            all!(|after| store::member::mine(on, caller.id, after, PAGE), |it: &Member| it.id.uuid())
        {
            members.push(self.membership(Some(caller), member).await?);
        }
        let mut document = self.beside_members(caller.id).await?;
        document.insert(0, ("account_id", json!(caller.id.to_string())));
        document.push(("memberships", json!(members)));
        written(&person::sections(document))
    }

    /// Everything that is kept of a member: asked for by himself, or for one who has no account by who keeps persons.
    pub(crate) async fn of_member(&self, caller: &Caller, id: MemberId) -> Result<Vec<u8>> {
        let on = self.desk.database.read();
        let member = store::member::find(on, id).await?.ok_or(Refusal::UnknownMember)?;
        let is_he = member.account == Some(caller.id);
        if !is_he && !may(standings(on, member.federation, caller.id).await?, Act::KeepPersons) {
            return Err(Refusal::NotAnOfficial.into());
        }
        if !is_he && member.account.is_some() {
            return Err(Refusal::AccountBound(id).into());
        }
        let membership = self.membership(is_he.then_some(caller), member).await?;
        written(&person::sections(vec![("memberships", json!([membership]))]))
    }

    /// What belongs to an account, and to no member of a federation.
    async fn beside_members(&self, account: AccountId) -> Result<Vec<(&'static str, Value)>> {
        let on = self.desk.database.read();
        let (mut applications, mut invitations) = (Vec::new(), Vec::new());
        for answer in ANSWERS {
            let found: Vec<Application> = all!(
                |after| store::application::list(on, Err(account), answer, after, PAGE),
                |it: &Application| it.id
            );
            applications.extend(found.iter().map(person::application));
            let found: Vec<Invitation> = all!(
                |after| store::invitation::list(on, Err(account), answer, after, PAGE),
                |it: &Invitation| it.id
            );
            invitations.extend(found.iter().map(person::invitation));
        }
        let offices = store::official::all_of(on, account).await?;
        let proxies = store::proxy::all_of(on, account).await?;
        // No more than an inbox holds.
        let notices = store::notice::after(on, account, 0, u64::from(u32::MAX)).await?;
        let muted = store::notice_box::muted(on, account).await?;
        Ok(vec![
            ("applications", json!(applications)),
            ("invitations", json!(invitations)),
            ("offices", json!(offices.iter().map(person::office).collect::<Vec<_>>())),
            ("acts_for", json!(proxies.iter().map(person::proxy).collect::<Vec<_>>())),
            ("notices", json!(notices.iter().map(person::notice).collect::<Vec<_>>())),
            ("muted_notices", json!(muted.iter().map(|kind| person::notice_kind(*kind)).collect::<Vec<_>>())),
        ])
    }

    /// What a federation keeps of a member. Without a caller it is what everybody sees of his events.
    async fn membership(&self, caller: Option<&Caller>, member: Member) -> Result<Value> {
        let on = self.desk.database.read();
        let him = self.him(member).await?;
        let member = &him.member;
        let federation = self.desk.federation(member.federation).await?;
        let mut clubs: Vec<ClubId> = member.stays.iter().map(|stay| stay.club).collect();
        clubs.sort_unstable();
        clubs.dedup();
        let clubs = store::club::find_all(on, &clubs).await?;
        let teams = store::team::with(on, member.id).await?;
        let proxies = store::proxy::list(on, member.id, true, None, PAGE).await?;
        let mut papers = Vec::new();
        for id in self.papers_of(&him).await? {
            papers.extend(store::document::find(on, id).await?.as_ref().map(person::document));
        }
        Ok(person::sections(vec![
            ("federation", person::federation(&federation)),
            ("member", person::member(member, &him.doubles, &clubs)),
            ("teams", json!(teams.iter().map(|team| person::team(team, member)).collect::<Vec<_>>())),
            ("proxies", json!(proxies.iter().map(person::proxy).collect::<Vec<_>>())),
            ("titles", self.titles(&him).await?),
            ("ratings", self.ratings(&him).await?),
            ("squads", self.squads(&him).await?),
            ("events", self.events_as_seen(caller, &him).await?),
            ("documents", json!(papers)),
        ]))
    }

    async fn titles(&self, him: &Him) -> Result<Value> {
        let (on, federation) = (self.desk.database.read(), him.member.federation);
        let titles = store::title::list(on, federation).await?;
        let mut awards = Vec::new();
        for state in [State::Proposed, State::Awarded, State::Refused, State::Revoked] {
            for id in him.ids() {
                awards.extend(store::award::of_member(on, id, state).await?);
            }
        }
        Ok(awards.iter().map(|award| person::award(award, &titles)).collect())
    }

    async fn ratings(&self, him: &Him) -> Result<Value> {
        let on = self.desk.database.read();
        let federation = him.member.federation;
        let policies: Vec<Policy> =
            all!(|after| store::rating_list::policy::list(on, federation, after, PAGE), |it: &Policy| it
                .id
                .uuid());
        let mut ratings = Vec::new();
        for policy in policies {
            for id in him.ids() {
                let lists = u64::from(u32::MAX);
                for row in store::rating_list::entry::of_member(on, policy.id, id, None, lists).await? {
                    ratings.push(json!({
                        "policy_id": policy.id.to_string(),
                        "policy": policy.name,
                        "list": row.number,
                        "place": row.place,
                        "rating": row.rating.to_string(),
                        "change": row.change.to_string(),
                        "deviation_hundredths": row.deviation,
                        "games": row.games,
                        "new_games": row.new_games,
                        "provisional": row.provisional,
                    }));
                }
            }
        }
        Ok(ratings.into())
    }

    async fn squads(&self, him: &Him) -> Result<Value> {
        let on = self.desk.database.read();
        let mut squads = Vec::new();
        for id in him.ids() {
            for (season, entrant, part) in store::league::squad_member::of_member(on, id).await? {
                let season = store::league::season::find(on, season).await?;
                squads.extend(season.map(|season| person::squad(&season, (entrant, part))));
            }
        }
        Ok(squads.into())
    }

    /// His events as he sees them, with what he has written in them and why instances ruled as they did.
    async fn events_as_seen(&self, caller: Option<&Caller>, him: &Him) -> Result<Value> {
        let (member, ids) = (&him.member, him.ids());
        let mut events = Vec::new();
        for (event, as_whom) in self.events_of(member.federation, &ids, member.account).await? {
            let sight = match self.events.look(caller, event.id, AsOf::Now).await {
                // A draft is for its officials.
                Err(Error::UnknownEvent) => continue,
                sight => sight?,
            };
            let texts = self.texts(&sight.event, as_whom).await?;
            let his: Vec<&Participant> =
                sight.event.participants.iter().filter(|it| ids.contains(&it.entrant.member)).collect();
            let offices = member.account.map(|account| sight.event.roles_of(account)).unwrap_or_default();
            let offices = offices.iter().map(|role| person::role(*role)).collect();
            events.push(person::event(&sight.event, (&his, offices), &texts));
        }
        Ok(events.into())
    }

    /// The texts beside a log that somebody has written, or that everybody reads and are about him.
    async fn texts(&self, event: &Arc<Event>, as_whom: InEvent) -> Result<Vec<(u64, Note, String)>> {
        let public: BTreeSet<[u8; 32]> =
            event.incidents.iter().flat_map(|it| it.steps.iter().map(|step| step.reason.0)).collect();
        let mut notes = self.notes_of(event.id, as_whom).await?;
        notes.retain(|(_, text, note)| match note {
            Note::Own => true,
            Note::Ruling => public.contains(&text.0),
            Note::About => false,
        });
        let sealed: Vec<Sealed> = notes.iter().map(|(_, text, _)| *text).collect();
        let mut found = store::event::note::texts(self.desk.database.read(), event.id, &sealed).await?;
        let text = |(sequence, sealed, note): (u64, Sealed, Note)| {
            found.remove(&sealed.0).map(|text| (sequence, note, text))
        };
        Ok(notes.into_iter().filter_map(text).collect())
    }
}

/// A document as it is written; the same for the same data.
fn written(document: &Value) -> Result<Vec<u8>> {
    let text = format!("{document:#}\n");
    if text.len() as u64 > FILE_BYTES_MAX {
        return Err(Refusal::BadFile("it would be larger than 32 MiB").into());
    }
    Ok(text.into_bytes())
}

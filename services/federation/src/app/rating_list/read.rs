//! Reads: policies, lists, entries, files. Nothing is locked.

use std::collections::BTreeMap;

use chassis::id::RatingPolicyId;
use uuid::Uuid;

use super::RatingLists;
use crate::{
    core::rating_list::{
        Policy, Published, Refusal,
        export::{self, BYTE_ORDER_MARK},
        import::Vouched,
        limits::PART_BYTES,
    },
    error::{Error, Result},
    store::{
        self,
        rating_list::{entry, list, policy, step, vouched},
    },
    wire::rating_list::{Export, ListEntries, ListLists, ListPolicies, ListVouched, Part, Shown, Which},
};

/// What was found, and the token of the next page.
type Listed<T> = Result<(Vec<T>, String)>;

impl RatingLists {
    pub(crate) async fn policy(&self, id: RatingPolicyId, version: Option<u32>) -> Result<Policy> {
        let found = policy::find(self.desk.database.read(), id, version).await?;
        Ok(found.ok_or(Refusal::UnknownPolicy)?)
    }

    pub(crate) async fn policies(&self, asked: &ListPolicies) -> Listed<Policy> {
        self.desk.federation(asked.federation).await?;
        let (on, page) = (self.desk.database.read(), &asked.page);
        let found = policy::list(on, asked.federation, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.id.uuid()))
    }

    pub(crate) async fn list(&self, which: Which) -> Result<Published> {
        let found = list::find(self.desk.database.read(), which.policy, which.number).await?;
        if let Some(found) = found {
            return Ok(found);
        }
        self.policy(which.policy, None).await?;
        Err(Refusal::UnknownList.into())
    }

    pub(crate) async fn lists(&self, asked: &ListLists) -> Listed<Published> {
        self.policy(asked.policy, None).await?;
        let (on, page) = (self.desk.database.read(), &asked.page);
        let found = list::list(on, asked.policy, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.number))
    }

    pub(crate) async fn entries(&self, asked: &ListEntries) -> Listed<Shown> {
        let on = self.desk.database.read();
        match asked {
            ListEntries::Ranked(which, club, page) => {
                let list = self.list(*which).await?;
                let key = (list.policy, list.number);
                let found = entry::ranked(on, key, *club, page.after, page.fetch()).await?;
                let (found, next) = page.cut(found, place);
                Ok((self.shown(found, [(list.number, list.day)].into()).await?, next))
            }
            ListEntries::OfMember(policy, member, page) => {
                self.policy(*policy, None).await?;
                let found = entry::of_member(on, *policy, *member, page.after, page.fetch()).await?;
                let (found, next) = page.cut(found, |last| last.number);
                let first = found.first().map_or(0, |row| row.number);
                let count = first - found.last().map_or(0, |row| row.number) + 1;
                let lists = list::list(on, *policy, Some(first + 1), count.into()).await?;
                let days: BTreeMap<u32, _> = lists.into_iter().map(|list| (list.number, list.day)).collect();
                Ok((self.shown(found, days).await?, next))
            }
        }
    }

    /// A part of a list as CSV.
    pub(crate) async fn export(&self, asked: &Export) -> Result<(Vec<u8>, String)> {
        let list = self.list(asked.which).await?;
        let (on, page) = (self.desk.database.read(), &asked.page);
        let found = entry::ranked(on, (list.policy, list.number), None, page.after, page.fetch()).await?;
        let (found, next) = page.cut(found, place);
        let clubs: Vec<Uuid> = found.iter().filter_map(|row| Some(row.club?.uuid())).collect();
        let clubs: BTreeMap<Uuid, String> =
            store::club::names(on, &distinct(clubs)).await?.into_iter().collect();
        let shown = self.shown(found, [(list.number, list.day)].into()).await?;
        let lines: Vec<export::Line> = shown.into_iter().map(|it| line(it, &clubs)).collect();
        let is_beginning = page.after.is_none();
        let csv = export::csv(&lines, is_beginning).map_err(|_| Error::Stopping)?;
        let mark = if is_beginning && asked.mark { BYTE_ORDER_MARK } else { &[] };
        Ok(([mark, &csv].concat(), next))
    }

    /// A part of canonical bytes, and how many there are.
    pub(crate) async fn part(&self, asked: Part) -> Result<(Vec<u8>, u64)> {
        let list = self.list(asked.which).await?;
        let made = asked.step.unwrap_or(list.number);
        let found = step::find(self.desk.database.read(), list.policy, list.number, made).await?;
        let found = found.ok_or(Refusal::UnknownList)?;
        let bytes = if asked.of_list { found.list.open()? } else { found.input.open()? };
        let rest = bytes.get(asked.offset..).unwrap_or_default();
        Ok((rest[..rest.len().min(PART_BYTES)].to_vec(), bytes.len() as u64))
    }

    pub(crate) async fn vouched(&self, asked: &ListVouched) -> Listed<Vouched> {
        self.policy(asked.policy, None).await?;
        let (on, page) = (self.desk.database.read(), &asked.page);
        let found = vouched::list(on, asked.policy, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.member.uuid()))
    }
}

/// The place of a row of which pages have only those with one.
fn place(row: &entry::Row) -> entry::Place {
    (row.place.and_then(|place| i32::try_from(place).ok()).unwrap_or(i32::MAX), row.member.uuid())
}

fn distinct(mut ids: Vec<Uuid>) -> Vec<Uuid> {
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn line(shown: Shown, clubs: &BTreeMap<Uuid, String>) -> export::Line {
    let club = shown.club.and_then(|club| clubs.get(&club.uuid())).cloned().unwrap_or_default();
    let deviation = i32::try_from(shown.deviation).ok().filter(|it| *it != 0).map(strength::Points);
    export::Line {
        place: shown.place,
        member: shown.member.to_string(),
        name: shown.name.native,
        latin: shown.name.latin,
        club,
        rating: shown.rating,
        deviation,
        change: shown.change,
        games: shown.games,
        new_games: shown.new_games,
        provisional: shown.provisional,
    }
}

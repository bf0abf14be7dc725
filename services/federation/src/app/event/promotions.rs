//! What an event for grades proposes as it becomes final: the next grade of each who is promoted.

use std::collections::{BTreeMap, BTreeSet};

use chassis::{
    background,
    database::{StoreError, Transaction},
    id::MemberId,
};
use pairing::Number;

use super::Events;
use crate::{
    app::WHO_AWARDS,
    core::{
        event::{Event, Fact, Format, LogEntry, Stage},
        member::State as Standing,
        notice::{About, Kind as Told, Telling, To, source},
        title::{Award, Kind, State, Title, proposed_by_event},
    },
    error::{Error, Result},
    store::{award, event::log, member, title},
};

/// Who is promoted by an event, by the entry that makes it final.
pub(super) struct Promotions {
    entry: LogEntry,
    numbers: Vec<Number>,
}

impl Events {
    /// Who is promoted by entries that are to be written; worked out aside, for it is a table.
    pub(super) async fn promotions(
        &self,
        event: &std::sync::Arc<Event>,
        entries: &[log::Stored],
    ) -> Result<Option<Promotions>> {
        let is_final = |stored: &&log::Stored| stored.entry.fact == Fact::Advanced { to: Stage::Final };
        let Some(last) = entries.iter().find(is_final) else { return Ok(None) };
        if !matches!(event.settings.format, Format::Grading { .. }) {
            return Ok(None);
        }
        let (event, entry) = (std::sync::Arc::clone(event), last.entry.clone());
        let work = move || event.table(event.next_round() - 1).promoted;
        let numbers = background::aside(&self.env, work).await.map_err(|_| Error::Stopping)?;
        Ok(Some(Promotions { entry, numbers }))
    }
}

/// Writes the proposals, each once however often it is tried; what officials are told of them.
pub(super) async fn propose(
    on: &Transaction,
    event: &Event,
    Promotions { entry, numbers }: Promotions,
) -> Result<Option<Telling>, StoreError> {
    let Some(proposed_by) = entry.actor.account() else { return Ok(None) };
    let titles = title::list(on, event.federation).await?;
    let grades = titles.iter().filter(|title| title.kind == Kind::Grade && title.retired.is_none());
    let by_rank: BTreeMap<i32, &Title> = grades.map(|title| (title.rank, title)).collect();
    let next = |number: Number| {
        let entrant = &event.participant(number)?.entrant;
        let title = by_rank.get(&entrant.grade?.checked_add(1)?)?;
        Some((number, entrant.member, *title))
    };
    let meant: Vec<(Number, MemberId, &Title)> = numbers.into_iter().filter_map(next).collect();
    let ids: Vec<MemberId> = meant.iter().map(|(_, member, _)| *member).collect();
    let uuids: Vec<_> = ids.iter().map(|member| member.uuid()).collect();
    let there = member::find_all(on, &uuids).await?;
    let active: BTreeSet<MemberId> =
        there.iter().filter(|member| member.state == Standing::Active).map(|member| member.id).collect();
    let known: BTreeSet<_> = award::of_members(on, &ids, &[State::Proposed, State::Awarded]).await?;
    let new = meant
        .iter()
        .filter(|(_, member, title)| active.contains(member) && !known.contains(&(*member, title.id)));
    let awards: Vec<Award> = new
        .map(|(number, member, title)| Award {
            id: proposed_by_event(event.id, *number),
            federation: event.federation,
            title: title.id,
            member: *member,
            state: State::Proposed,
            reason: String::new(),
            events: vec![event.id],
            proposed_by,
            proposed: entry.at,
            decided: None,
            effective: None,
            refusal: String::new(),
            revoked: None,
            revocation: String::new(),
        })
        .collect();
    if awards.is_empty() {
        return Ok(None);
    }
    award::insert(on, &awards).await?;
    let (federation, about_event) = (Some(event.federation), Some(event.id));
    let about = About { federation, event: about_event, sequence: entry.sequence, ..About::default() };
    Ok(Some(Telling {
        to: To::Officials(event.federation, WHO_AWARDS),
        kind: Told::TitleWaits,
        about,
        source: source("titles of an event", &[event.id.uuid()]),
        by: Some(proposed_by),
    }))
}

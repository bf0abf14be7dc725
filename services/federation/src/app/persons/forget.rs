//! Forgetting a person: in tables, beside the logs of events, and on the papers that hang.

use std::time::Duration;

use chassis::{auth::Caller, background, id::EventId};
use papers::{blacked_out, text_without, without};
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Him, Persons};
use crate::{
    app::{
        Change,
        desk::Made,
        turn::{Turn, standings},
    },
    core::{
        document::{Document, DocumentFault, Kind},
        event::Sealed,
        member::{Dismiss, Member, Seen, State},
        permit::{Act, may},
    },
    error::{Error, Result},
    store::{
        self,
        document::{Packed, Redaction},
    },
    wire::attempt::Attempt,
};

/// How far the clocks of replicas are apart at most: what was posted since is looked at once more, when nobody posts.
const SKEW: Duration = Duration::from_mins(5);

/// Forgets somebody, who was found in these places before.
struct Forget {
    asked: Dismiss,
    /// Papers on which he stands.
    papers: Vec<Uuid>,
    /// Papers since then were not looked at.
    since: OffsetDateTime,
    /// Notes that have to do with him.
    notes: Vec<(EventId, Vec<Sealed>)>,
}

/// By what somebody is found on papers.
#[derive(Clone, Debug, Default)]
struct Traces {
    /// The marks of his name.
    marks: Vec<String>,
    /// What he is called.
    names: Vec<String>,
}

impl Persons {
    /// Forgets somebody. What takes long is looked for before anything is locked.
    pub(crate) async fn forget(&self, attempt: &Attempt, asked: Dismiss) -> Result<Seen> {
        let since = self.desk.env.now() - SKEW;
        let (mut papers, mut notes) = (Vec::new(), Vec::new());
        if let Some(member) = self.may_be_forgotten(&attempt.caller, &asked).await? {
            let him = self.him(member).await?;
            let federation = him.member.federation;
            papers = self.papers_of(&him).await?;
            for (event, as_whom) in self.events_of(federation, &him.ids(), him.member.account).await? {
                let found = self.notes_of(event.id, as_whom).await?;
                notes.push((event.id, found.into_iter().map(|(_, text, _)| text).collect()));
            }
        }
        let seen = self.desk.carry_out(attempt, &Forget { asked, papers, since, notes }).await?;
        if let Err(error) = self.desk.database.settle().await {
            tracing::warn!(%error, "what was forgotten is overwritten in the database later than it could be");
        }
        Ok(seen)
    }

    /// The member, where the caller may have him forgotten; else nothing is looked for, and the change says why not.
    async fn may_be_forgotten(&self, caller: &Caller, asked: &Dismiss) -> Result<Option<Member>> {
        let on = self.desk.database.read();
        let Some(member) = store::member::find(on, asked.id).await? else { return Ok(None) };
        let is_there = matches!(member.state, State::Active | State::Left(_));
        let is_he = member.account == Some(caller.id);
        let may = is_he || may(standings(on, member.federation, caller.id).await?, Act::KeepPersons);
        Ok((is_there && may).then_some(member))
    }

    /// The papers on which somebody stands.
    pub(super) async fn papers_of(&self, him: &Him) -> Result<Vec<Uuid>> {
        let (on, traces) = (self.desk.database.read(), Traces::of(him));
        let mut found = Vec::new();
        let all = store::document::ids_since(on, him.member.federation, OffsetDateTime::UNIX_EPOCH).await?;
        for id in all {
            let Some(document) = store::document::find(on, id).await? else { continue };
            let page = store::document::page(on, id).await?;
            let traces = traces.clone();
            let is_there = move || traces.redacted(&document, page.as_deref(), document.posted).is_some();
            if background::aside(&self.desk.env, is_there).await.map_err(|_| Error::Stopping)? {
                found.push(id);
            }
        }
        Ok(found)
    }
}

impl Change for Forget {
    type Told = Seen;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let member = turn.person(self.asked.id).await?;
        let doubles = store::member::doubles(turn.on, &member).await?;
        let him = Him { member, doubles };
        let made = self.asked.make(turn).await?;
        let late = store::document::ids_since(turn.on, him.member.federation, self.since).await?;
        let mut papers: Vec<Uuid> = self.papers.iter().copied().chain(late).collect();
        papers.sort_unstable();
        papers.dedup();
        let traces = Traces::of(&him);
        for id in papers {
            let document = store::document::find(turn.on, id).await?.ok_or(DocumentFault::Unknown)?;
            let page = store::document::page(turn.on, id).await?;
            if let Some(redaction) = traces.redacted(&document, page.as_deref(), turn.now()) {
                store::document::redact(turn.on, id, redaction).await?;
            }
        }
        for (event, notes) in &self.notes {
            store::event::note::forget(turn.on, *event, notes).await?;
        }
        Ok(made)
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Seen> {
        self.asked.tell(turn, made).await
    }
}

impl Traces {
    fn of(him: &Him) -> Traces {
        let names = him.everybody().flat_map(|it| [&it.person.name.native, &it.person.name.latin]);
        let mut names: Vec<String> = names.filter(|name| !name.is_empty()).cloned().collect();
        // The longest first, so that nothing is left of it where another is a part of it.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names.dedup();
        Traces { marks: him.ids().iter().map(ToString::to_string).collect(), names }
    }

    /// What a paper is without him; none where he is not on it.
    fn redacted(&self, document: &Document, page: Option<&[u8]>, at: OffsetDateTime) -> Option<Redaction> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let page = page.and_then(|page| self.page(document.kind, &String::from_utf8_lossy(page)));
        let [title, reason] = [&*document.title, document.withdrawn.as_ref().map_or("", |it| &*it.reason)]
            .map(|text| (text_without(text, &names), text));
        if page.is_none() && title.0.is_none() && reason.0.is_none() {
            return None;
        }
        let packed = |page: String| {
            let size = u32::try_from(page.len()).unwrap_or(u32::MAX);
            (Packed::of(page.as_bytes()), Sha256::digest(&page).into(), size)
        };
        let [title, reason] = [title, reason].map(|(black, text)| black.unwrap_or_else(|| text.to_owned()));
        Some(Redaction { page: page.map(packed), title, reason, at })
    }

    /// A page without him; none where he is not on it.
    fn page(&self, kind: Kind, page: &str) -> Option<String> {
        let mut black = None;
        for mark in &self.marks {
            let without_him = blacked_out(black.as_deref().unwrap_or(page), mark);
            black = without_him.or(black);
        }
        // Names have no marks in what an official has written, nor on pages that were made before there were any.
        if kind == Kind::Notice || !page.contains("data-of=\"") {
            let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
            let without_him = without(black.as_deref().unwrap_or(page), &names);
            black = without_him.or(black);
        }
        black
    }
}

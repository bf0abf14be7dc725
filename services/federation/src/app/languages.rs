//! Words of federations of their own: written by officials, and said on papers and in calendars.

use std::collections::BTreeMap;

use api::federation::v1 as pb;
use catalogue::{Area, Catalogue, Entry, Extension, LANGUAGES_MAX, Language, Word};
use chassis::{database::StoreError, id::FederationId, time::to_micros};
use sea_orm::ConnectionTrait;

use super::{
    Change, Desk,
    desk::Made,
    turn::{Turn, next, room},
};
use crate::{
    core::{
        language::{Own, counts},
        permit::Act,
    },
    error::Result,
    store::language,
    wire::{
        attempt::Attempt,
        language::{List, Write, told},
    },
};

/// Where words are kept.
pub(crate) struct Languages {
    desk: Desk,
}

impl Languages {
    pub(crate) fn new(desk: Desk) -> Languages {
        Languages { desk }
    }

    /// The languages of a federation.
    pub(crate) async fn languages(&self, federation: FederationId) -> Result<Vec<Own>> {
        self.desk.federation(federation).await?;
        Ok(language::list(self.desk.database.read(), federation).await?)
    }

    /// Words as a reader finds them, in the order of keys.
    pub(crate) async fn words(&self, asked: &List) -> Result<(Vec<pb::FoundWord>, String)> {
        let mut catalogue = Catalogue::shipped().clone();
        if let Some(federation) = asked.federation {
            self.desk.federation(federation).await?;
            let on = self.desk.database.read();
            catalogue = own_words(on, federation, &asked.areas, &[asked.language.tag().to_owned()]).await?.0;
        }
        let mut areas = asked.areas.clone();
        areas.sort_unstable_by_key(|area| area.name());
        let tag = asked.language.tag();
        let is_meant = |entry: &Entry<'_>| !asked.own_only || (entry.is_own && entry.word.language == tag);
        let after = asked.page.after.as_deref().unwrap_or_default();
        let most = usize::try_from(asked.page.fetch()).unwrap_or(usize::MAX);
        let all = areas.iter().flat_map(|area| catalogue.words(&asked.language, *area));
        let found = all.filter(|entry| entry.word.key.as_str() > after && is_meant(entry)).take(most);
        let found = found.map(told).collect();
        let key = |last: &pb::FoundWord| last.word.as_ref().map(|word| word.key.clone()).unwrap_or_default();
        Ok(asked.page.cut(found, key))
    }

    /// Writes the words of a language.
    pub(crate) async fn write(&self, attempt: &Attempt, asked: Write) -> Result<Own> {
        self.desk.carry_out(attempt, &asked).await
    }
}

/// The words with which a federation says something of these areas in these languages, and its own among them. Those that the
/// platform has no more are left out.
pub(super) async fn own_words(
    on: &impl ConnectionTrait,
    federation: FederationId,
    areas: &[Area],
    languages: &[String],
) -> std::result::Result<(Catalogue, Vec<Word>), StoreError> {
    let read: Vec<Language> = languages.iter().filter_map(|tag| tag.parse().ok()).collect();
    let mut tags: Vec<String> =
        read.iter().flat_map(Language::fallbacks).map(|language| language.tag().to_owned()).collect();
    tags.sort_unstable();
    tags.dedup();
    let mut words = language::words(on, federation, &tags).await?;
    words.retain(|word| Area::of_key(&word.key).is_some_and(|area| areas.contains(&area)));
    if words.is_empty() {
        return Ok((Catalogue::shipped().clone(), words));
    }
    let (extension, words) = Extension::still(areas, words);
    Ok((Catalogue::shipped().extended(extension), words))
}

impl Change for Write {
    type Told = Own;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        turn.federation(self.federation).await?;
        turn.require(self.federation, Act::Post).await?;
        let tag = self.language.tag();
        let found = language::find(turn.on, self.federation, tag).await?;
        let revision = next(self.seen, found.as_ref().map_or(0, |own| own.revision))?;
        if self.words.is_empty() {
            language::delete(turn.on, self.federation, tag).await?;
            return Ok(self.federation.uuid().into());
        }
        if found.is_none() {
            let count = language::count(turn.on, self.federation).await?;
            room(count, LANGUAGES_MAX as u64, "languages of a federation")?;
        }
        let own = Own {
            federation: self.federation,
            language: self.language.clone(),
            counts: counts(&self.words),
            by: turn.caller.id,
            at: turn.now(),
            // One that was away and comes again has another revision than any that it had.
            revision: if found.is_some() { revision } else { to_micros(turn.now()) },
        };
        language::write(turn.on, &own, &self.words).await?;
        Ok(self.federation.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, _: &Made) -> Result<Own> {
        let found = language::find(turn.on, self.federation, self.language.tag()).await?;
        let none = || Own {
            federation: self.federation,
            language: self.language.clone(),
            counts: BTreeMap::new(),
            by: turn.caller.id,
            at: turn.now(),
            revision: 0,
        };
        Ok(found.unwrap_or_else(none))
    }
}

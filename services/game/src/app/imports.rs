//! Games from records: played through, packed, and counted against their owners.

use std::{collections::HashMap, sync::Arc};

use api::game::v1 as pb;
use chassis::{
    Database,
    auth::Caller,
    background::breathe,
    id::{AccountId, GameId},
    limit::{Amount, Limit},
    page::Page,
};
use time::OffsetDateTime;

use super::{commit::as_sent, queries::Queries, views::GameView};
use crate::{
    app::views::{Finished, Listed, acts_of},
    core::{self, Event, Game, ImportUsage, Replay},
    error::{Error, Result},
    store::{
        EventRow, NewGame, PACK_EVENTS,
        imports::{self, Kept, Model},
        lists, log, micros, pack, summary,
    },
    wire::{ImportRequest, Place},
};

/// What an account may keep.
const QUOTA: ImportUsage = ImportUsage { records: 1000, bytes: 16 << 20 };
/// What a guest may keep.
const QUOTA_GUEST: ImportUsage = ImportUsage { records: 20, bytes: 1 << 20 };

/// The limits of imports.
pub(crate) const LIMITS: &[Limit] = &[
    Limit {
        name: "imported records of an account",
        amount: Amount::Count(QUOTA.records),
        setting: None,
        reason: "the games of a life of play; more can be imported once others are deleted",
    },
    Limit {
        name: "text of the imported records of an account",
        amount: Amount::Bytes(QUOTA.bytes),
        setting: None,
        reason: "a thousand records are seldom longer; it bounds what one account can fill a disk with",
    },
    Limit {
        name: "imported records of a guest",
        amount: Amount::Count(QUOTA_GUEST.records),
        setting: None,
        reason: "a guest is gone tomorrow, and what he has imported stays",
    },
    Limit {
        name: "text of the imported records of a guest",
        amount: Amount::Bytes(QUOTA_GUEST.bytes),
        setting: None,
        reason: "a guest is gone tomorrow, and what he has imported stays",
    },
];

/// An import as its owner sees it.
pub(crate) struct Import {
    /// The game; none if it is being deleted.
    pub game: Option<Arc<Listed>>,
    pub kept: Model,
}

impl From<&Import> for pb::Import {
    fn from(Import { game, kept }: &Import) -> Self {
        pb::Import {
            game_id: kept.game_id.to_string(),
            game: game.as_ref().map(|game| game.shown()),
            bytes: u64::try_from(kept.bytes).unwrap_or_default(),
            published: kept.published,
        }
    }
}

/// What an account may keep.
pub(crate) const fn quota(caller: &Caller) -> ImportUsage {
    if caller.guest { QUOTA_GUEST } else { QUOTA }
}

/// The place of an import in the list of its owner's.
const fn place(kept: &Model) -> Place {
    Place(kept.created_us, kept.game_id)
}

/// A record that has been played through.
struct Played {
    game: Game,
    rows: Vec<EventRow>,
    /// As everybody sees it, with its row; nothing if something of it is hidden.
    finished: Option<(Finished, summary::Model)>,
}

/// What is done with the records that accounts have imported.
pub(crate) struct Imported {
    pub queries: Arc<Queries>,
}

impl Imported {
    fn database(&self) -> &Database {
        &self.queries.registry.database
    }

    /// Imports a record as a finished game. The same request again answers with the same game.
    ///
    /// # Errors
    /// When the record cannot be read or breaks the rules, the account keeps too much already, or the request was
    /// another record.
    pub(crate) async fn import(&self, asked: ImportRequest, caller: &Caller) -> Result<GameView> {
        let ImportRequest { variant, text, request } = asked;
        let id = core::import_of(caller.id, request);
        let digest = digest(variant.id, &text);
        if let Some(there) = imports::find(self.database().read(), id).await? {
            return self.again(&there, &digest).await;
        }
        let quota = quota(caller);
        let usage = self.usage(caller.id).await?;
        if !usage.has_room(text.len() as u64, quota) {
            // Nothing is played for nothing; whether there is room still is asked again when it is written.
            return Err(Error::ImportQuota(usage));
        }
        let bytes = i64::try_from(text.len()).unwrap_or(i64::MAX);
        let (turn, now) = (self.queries.views.import_turn().await?, self.queries.registry.env.now());
        let play = move || (played(variant, &text, id, now), turn);
        let (played, _turn) = chassis::background::spawn(play).await.map_err(|_| api::Error::internal())?;
        let Played { game, rows, finished } = played?;
        let (finished, summary) = finished.unzip();
        let import = Model {
            game_id: id.uuid(),
            account_id: caller.id.uuid(),
            created_us: micros(game.info.created),
            digest,
            bytes,
            published: false,
        };
        let transaction = self.database().begin().await?;
        let kept = imports::keep(&transaction, import.clone(), rows, summary, quota).await;
        match transaction.finish(kept).await? {
            Kept::Written => Ok(match finished {
                Some(finished) => GameView::Finished(self.queries.views.remember(finished)),
                None => GameView::Current(Box::new(game)),
            }),
            Kept::There(there) => self.again(&there, &import.digest).await,
            Kept::Ownerless => self.compare(id, &game).await,
            Kept::Full(usage) => Err(Error::ImportQuota(usage)),
        }
    }

    /// What an account has imported, newest first, and the token of the next page.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) async fn list(&self, account: AccountId, page: &Page<Place>) -> Result<(Vec<Import>, String)> {
        let found = imports::list(self.database().read(), account, page.after, page.fetch()).await?;
        let (kept, next_page_token) = page.cut(found, place);
        let entries =
            lists::ends(self.queries.registry.database.read(), kept.iter().map(place).collect()).await?;
        let headers = self.queries.views.headers(&entries).await?;
        let mut headers: HashMap<GameId, Arc<Listed>> =
            headers.into_iter().map(|header| (header.info.id, header)).collect();
        let import = |kept: Model| Import { game: headers.remove(&kept.game_id.into()), kept };
        Ok((kept.into_iter().map(import).collect(), next_page_token))
    }

    /// How much an account has imported.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) async fn usage(&self, account: AccountId) -> Result<ImportUsage> {
        Ok(imports::usage(self.database().read(), account.uuid()).await?)
    }

    /// Has lists of games show an import, or not show it any more.
    ///
    /// # Errors
    /// When the caller has not imported it, or it cannot be written.
    pub(crate) async fn publish(&self, id: GameId, owner: AccountId, published: bool) -> Result<()> {
        let import = self.own(id, owner).await?;
        if import.published == published {
            return Ok(());
        }
        let listed = if published {
            Some(row(self.queries.view(id, None).await?.info(), import.created_us))
        } else {
            None
        };
        let transaction = self.database().begin().await?;
        let written = match listed {
            Some(row) => imports::publish(&transaction, row).await,
            None => imports::withdraw(&transaction, id).await,
        };
        Ok(transaction.finish(written).await?)
    }

    /// Deletes an import. One that is not there has been deleted already.
    ///
    /// # Errors
    /// When the caller has not imported it, or it cannot be written.
    pub(crate) async fn delete(&self, id: GameId, owner: AccountId) -> Result<()> {
        match self.own(id, owner).await {
            Ok(_) => {
                let transaction = self.database().begin().await?;
                let deleted = imports::delete(&transaction, id).await;
                transaction.finish(deleted).await?;
            }
            Err(Error::UnknownGame) => {}
            Err(error) => return Err(error),
        }
        self.queries.registry.close(id);
        self.queries.views.forget(id);
        Ok(())
    }

    /// The import that a game is, if it is the caller's.
    async fn own(&self, id: GameId, owner: AccountId) -> Result<Model> {
        match imports::find(self.database().read(), id).await? {
            Some(import) if import.account_id == owner.uuid() => Ok(import),
            Some(_) => Err(Error::NotYourImport),
            None => match self.queries.view(id, None).await {
                Ok(_) => Err(Error::NotYourImport),
                Err(error) => Err(error),
            },
        }
    }

    async fn again(&self, there: &Model, digest: &[u8]) -> Result<GameView> {
        if there.digest != digest {
            return Err(Error::RequestIdReused);
        }
        self.queries.view(there.game_id.into(), None).await
    }

    /// An import from before imports had owners: what was sent is not known, but what it became is.
    async fn compare(&self, id: GameId, game: &Game) -> Result<GameView> {
        let there = log::replay(self.queries.registry.database.read(), id, u64::MAX).await?;
        let same = there.game().is_some_and(|there| {
            (there.info.variant, &there.info.options, there.sequence)
                == (game.info.variant, &game.info.options, game.sequence)
                && there.position.view(rules::Viewer::Spectator)
                    == game.position.view(rules::Viewer::Spectator)
        });
        if same { self.queries.view(id, None).await } else { Err(Error::RequestIdReused) }
    }
}

/// Plays a record through and packs its log: the first event by itself, the others many in a row.
fn played(variant: &'static rules::Variant, text: &str, id: GameId, now: OffsetDateTime) -> Result<Played> {
    let log = core::import(variant, text, id, now, breathe)?;
    let mut replay = Replay::default();
    for events in log.chunks(core::ACTS_A_BREATH) {
        breathe();
        events.iter().try_for_each(|event| replay.take(event))?;
    }
    let acts = acts_of(replay.sheet());
    let game = replay.into_game().ok_or(Error::UnknownGame)?;
    let sent = |event: &Event| as_sent(event, game.position.as_ref());
    let mut rows = Vec::new();
    let packed =
        |last: &Event, payload: Vec<u8>| EventRow { sealed: None, ..EventRow::of(id, last, None, payload) };
    if let Some((first, rest)) = log.split_first() {
        rows.push(packed(first, prost::Message::encode_to_vec(&sent(first))));
        for events in plain_runs(rest) {
            match events {
                [one] => rows.push(EventRow::of(id, one, None, prost::Message::encode_to_vec(&sent(one)))),
                [.., last] => {
                    breathe();
                    rows.push(packed(last, pack(&events.iter().map(sent).collect::<Vec<_>>())));
                }
                [] => {}
            }
        }
    }
    let finished = Finished::if_settled(&game, || acts).map(|finished| {
        let summary = finished.summary();
        (finished, summary)
    });
    Ok(Played { game, rows, finished })
}

/// The events in runs that can be packed: what is kept beside an event belongs to a row of its own.
fn plain_runs(events: &[Event]) -> impl Iterator<Item = &[Event]> {
    events
        .chunk_by(|a, b| a.kind.sealed().is_none() && b.kind.sealed().is_none())
        .flat_map(|run| run.chunks(PACK_EVENTS))
}

/// The row by which lists find an import.
fn row(info: &core::GameInfo, created_us: i64) -> NewGame {
    NewGame {
        id: info.id.uuid(),
        variant: info.variant.id.to_owned(),
        first_account: None,
        second_account: None,
        // A record without a result has no players to go on.
        finished: true,
        created_us,
        due_us: None,
        delay_us: 0,
        ended_us: None,
        event_id: None,
        federation_id: None,
        packed: true,
    }
}

fn digest(variant: &str, text: &str) -> Vec<u8> {
    let mut digest = ring::digest::Context::new(&ring::digest::SHA256);
    for part in [variant.as_bytes(), &[0], text.as_bytes()] {
        digest.update(part);
    }
    digest.finish().as_ref().to_vec()
}

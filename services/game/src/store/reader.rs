//! Reading games and logs back.

use api::game::v1::GameEvent;
use chassis::{
    Database,
    id::{AccountId, GameId, RequestId},
};
use prost::Message as _;
use sea_orm::{
    ColumnTrait as _, Condition, DbErr, EntityTrait as _, Order, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    Eyes,
    entity::{events, games},
    micros,
};
use crate::{
    convert::{Malformed, event_from_pb},
    core::{Corrupt, Event},
};

/// Why something could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// The database did not answer.
    #[error("the database did not answer")]
    Driver(#[from] DbErr),
    /// The database holds something that this service never wrote.
    #[error("an event cannot be decoded")]
    Decode(#[from] prost::DecodeError),
    /// Likewise.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// Likewise.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
    /// A key that was written is not there.
    #[error("there is no sealing key")]
    NoKey,
    /// A sealing key cannot be opened.
    #[error(transparent)]
    Vault(#[from] chassis::vault::VaultError),
}

/// Which games to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GameFilter {
    /// Only games of this account.
    pub account: Option<AccountId>,
    /// Only games of this variant.
    pub variant: Option<String>,
    /// Only finished or only running games.
    pub finished: Option<bool>,
    /// As whom to look, for broadcasts with a delay; none for the platform itself.
    pub eyes: Option<Eyes>,
}

/// A game's place in the order of creation: when it was made, in microseconds since the epoch, and its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place(pub i64, pub Uuid);

impl Place {
    /// The game.
    pub(crate) fn game(self) -> GameId {
        self.1.into()
    }
}

/// Reads the tables.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    database: Database,
}

impl Reader {
    pub(crate) const fn new(database: Database) -> Self {
        Reader { database }
    }

    /// The events of a game after a sequence number, in order; empty when there are none or no such game.
    pub(crate) async fn events_after(&self, game: GameId, sequence: u64) -> Result<Vec<Event>, StoreError> {
        self.rows_after(game, sequence).await?.iter().map(decode).collect()
    }

    /// The same as they are sent, without what is sealed in them.
    pub(crate) async fn stored_after(
        &self,
        game: GameId,
        sequence: u64,
    ) -> Result<Vec<GameEvent>, StoreError> {
        let rows = self.rows_after(game, sequence).await?;
        rows.iter().map(|row| Ok(GameEvent::decode(row.payload.as_slice())?)).collect()
    }

    async fn rows_after(&self, game: GameId, sequence: u64) -> Result<Vec<events::Model>, StoreError> {
        let rows = events::Entity::find()
            .filter(events::Column::GameId.eq(game.uuid()))
            .filter(events::Column::Sequence.gt(i64::try_from(sequence).unwrap_or(i64::MAX)))
            .order_by_asc(events::Column::Sequence)
            .all(self.database.read())
            .await?;
        Ok(rows)
    }

    /// The event that a request became.
    pub(crate) async fn event_of_request(
        &self,
        game: GameId,
        request: RequestId,
    ) -> Result<Option<GameEvent>, StoreError> {
        let row = events::Entity::find()
            .filter(events::Column::GameId.eq(game.uuid()))
            .filter(events::Column::RequestId.eq(request.uuid()))
            .one(self.database.read())
            .await?;
        row.map(|row| Ok(GameEvent::decode(row.payload.as_slice())?)).transpose()
    }

    /// First and last event of each of these games, in no particular order.
    pub(crate) async fn ends_of(&self, games: &[GameId]) -> Result<Vec<(Event, Event)>, StoreError> {
        let ids: Vec<Uuid> = games.iter().map(|game| game.uuid()).collect();
        let lasts: Vec<(Uuid, i64)> = events::Entity::find()
            .select_only()
            .column(events::Column::GameId)
            .column_as(events::Column::Sequence.max(), "last")
            .filter(events::Column::GameId.is_in(ids))
            .group_by(events::Column::GameId)
            .into_tuple()
            .all(self.database.read())
            .await?;
        let wanted = lasts.iter().fold(Condition::any(), |any, (game, last)| {
            any.add(
                Condition::all()
                    .add(events::Column::GameId.eq(*game))
                    .add(events::Column::Sequence.is_in([1, *last])),
            )
        });
        if lasts.is_empty() {
            return Ok(Vec::new());
        }
        let rows = events::Entity::find()
            .filter(wanted)
            .order_by_asc(events::Column::GameId)
            .order_by_asc(events::Column::Sequence)
            .all(self.database.read())
            .await?;
        rows.chunk_by(|a, b| a.game_id == b.game_id)
            .filter_map(|ends| Some((ends.first()?, ends.last()?)))
            .map(|(first, last)| Ok((decode(first)?, decode(last)?)))
            .collect()
    }

    /// Games, newest first, before a place in that order.
    pub(crate) async fn list(
        &self,
        filter: &GameFilter,
        before: Option<Place>,
        limit: u64,
    ) -> Result<Vec<Place>, StoreError> {
        self.places(filter, before, Order::Desc, limit).await
    }

    /// Games in which something happens by itself by now.
    pub(crate) async fn due_by(&self, now: OffsetDateTime, limit: u64) -> Result<Vec<GameId>, StoreError> {
        let ids: Vec<Uuid> = games::Entity::find()
            .select_only()
            .column(games::Column::Id)
            .filter(games::Column::DueUs.lte(micros(now)))
            .order_by_asc(games::Column::DueUs)
            .limit(limit)
            .into_tuple()
            .all(self.database.read())
            .await?;
        Ok(ids.into_iter().map(GameId::from).collect())
    }

    /// Running games, oldest first, after a place in that order.
    pub(crate) async fn running(&self, after: Option<Place>, limit: u64) -> Result<Vec<Place>, StoreError> {
        let filter = GameFilter { finished: Some(false), ..GameFilter::default() };
        self.places(&filter, after, Order::Asc, limit).await
    }

    async fn places(
        &self,
        filter: &GameFilter,
        from: Option<Place>,
        order: Order,
        limit: u64,
    ) -> Result<Vec<Place>, StoreError> {
        use games::Column::{CreatedUs, Finished, FirstAccount, Id, SecondAccount, Variant};
        let mut find = games::Entity::find().select_only().column(CreatedUs).column(Id);
        if let Some(account) = filter.account.map(AccountId::uuid) {
            let either = Condition::any().add(FirstAccount.eq(account)).add(SecondAccount.eq(account));
            find = find.filter(either);
        }
        if let Some(variant) = &filter.variant {
            find = find.filter(Variant.eq(variant.as_str()));
        }
        find = match (&filter.eyes, filter.finished) {
            (None, None) => find,
            (None, Some(finished)) => find.filter(Finished.eq(finished)),
            (Some(eyes), finished) => find.filter(eyes.see(finished)),
        };
        if let Some(Place(created_us, id)) = from {
            let tie = Condition::all().add(CreatedUs.eq(created_us));
            find = find.filter(match order {
                Order::Asc => Condition::any().add(CreatedUs.gt(created_us)).add(tie.add(Id.gt(id))),
                _ => Condition::any().add(CreatedUs.lt(created_us)).add(tie.add(Id.lt(id))),
            });
        }
        let rows: Vec<(i64, Uuid)> = find
            .order_by(CreatedUs, order.clone())
            .order_by(Id, order)
            .limit(limit)
            .into_tuple()
            .all(self.database.read())
            .await?;
        Ok(rows.into_iter().map(|(created_us, id)| Place(created_us, id)).collect())
    }
}

fn decode(row: &events::Model) -> Result<Event, StoreError> {
    Ok(event_from_pb(&GameEvent::decode(row.payload.as_slice())?, row.sealed.clone())?)
}

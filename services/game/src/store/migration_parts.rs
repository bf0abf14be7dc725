//! On PostgreSQL events are kept in parts, by the hash of the game's id.

use sea_orm::{ConnectionTrait as _, DbBackend};
use sea_orm_migration::prelude::*;

/// How many parts there are. Each may have a disk of its own, is vacuumed beside the others, and can be divided further without
/// touching the rest, as PostgreSQL takes parts of 8 or 16 beside parts of 4. More at once would make every move dearer: a statement
/// that looks for a game's events opens them all.
const PARTS: u32 = 4;

/// Copies the events into their parts, while nobody else reads or writes any.
pub(super) async fn parts(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    if manager.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    let part = |part| {
        let values = format!("FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {part})");
        format!("CREATE TABLE events_{part} PARTITION OF events {values}")
    };
    let whole = [
        "ALTER TABLE events RENAME TO events_whole",
        "ALTER INDEX events_pkey RENAME TO events_whole_pkey",
        "ALTER INDEX events_request RENAME TO events_whole_request",
        "CREATE TABLE events (LIKE events_whole INCLUDING DEFAULTS) PARTITION BY HASH (game_id)",
    ];
    // Indexes are made when all is there, which is much faster.
    let copied = [
        "INSERT INTO events SELECT * FROM events_whole",
        "ALTER TABLE events ADD PRIMARY KEY (game_id, sequence)",
        "CREATE UNIQUE INDEX events_request ON events (game_id, request_id)",
        "DROP TABLE events_whole",
    ];
    let statements = whole.map(str::to_owned).into_iter().chain((0..PARTS).map(part));
    for statement in statements.chain(copied.map(str::to_owned)) {
        manager.get_connection().execute_unprepared(&statement).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use chassis::testing::databases;
    use sea_orm::{
        ActiveValue::Set, ConnectionTrait as _, DbBackend, EntityTrait as _, QueryOrder as _, Statement,
    };
    use uuid::Uuid;

    use super::super::{Migrator, entity::events};

    /// The events of a game differ in all that they have.
    fn event(game: i64, sequence: i64) -> events::Model {
        let payload = format!("event {sequence} of {game}").repeat(usize::try_from(game).expect("a length"));
        events::Model {
            game_id: Uuid::from_u64_pair(game.unsigned_abs(), 7),
            sequence,
            request_id: (sequence % 3 > 0).then(|| Uuid::from_u64_pair(9, sequence.unsigned_abs())),
            payload: payload.into_bytes(),
            sealed: (sequence % 5 == 0).then(|| "what is sealed".to_owned()),
        }
    }

    fn row(event: events::Model) -> events::ActiveModel {
        events::ActiveModel {
            game_id: Set(event.game_id),
            sequence: Set(event.sequence),
            request_id: Set(event.request_id),
            payload: Set(event.payload),
            sealed: Set(event.sealed),
        }
    }

    #[tokio::test]
    async fn events_of_before_are_in_parts_afterwards_as_they_were() {
        for test in databases().await {
            let database = &test.database;
            let mut steps = crate::audit::schema(database).await.expect("it can be read").pending;
            assert_eq!(steps.pop().as_deref(), Some("m20261129_000092_parts"));
            crate::audit::build(database, &steps).await.expect("the schema of before");
            let before: Vec<_> =
                (1..=60).flat_map(|game| (1..=game % 7 + 1).map(move |it| event(game, it))).collect();
            let rows = before.iter().cloned().map(row);
            events::Entity::insert_many(rows).exec_without_returning(database.write()).await.expect("kept");

            database.migrate::<Migrator>().await.expect("it goes on");
            let sorted = events::Entity::find()
                .order_by_asc(events::Column::GameId)
                .order_by_asc(events::Column::Sequence);
            let after = sorted.all(database.read()).await.expect("read");
            assert_eq!(after, before);
            let again = events::Entity::insert(row(before[0].clone()));
            again.exec_without_returning(database.write()).await.expect_err("its number is taken");
            let asked = before.iter().find(|event| event.request_id.is_some()).expect("one was asked for");
            let again = events::Entity::insert(row(events::Model { sequence: 1000, ..asked.clone() }));
            again.exec_without_returning(database.write()).await.expect_err("it was done already");
            if database.backend() == DbBackend::Postgres {
                let count = "SELECT count(DISTINCT tableoid) FROM events";
                let count = Statement::from_string(DbBackend::Postgres, count);
                let parts = database.read().query_one_raw(count).await.expect("counted").expect("a row");
                assert_eq!(parts.try_get_by_index::<i64>(0).expect("a number"), i64::from(super::PARTS));
            }
        }
    }
}

//! The keys to which moves are sealed. The rows hold their secret parts, which no log line shows.

use std::fmt;

use chassis::Database;
use sea_orm::{ActiveValue::Set, QueryOrder as _, entity::prelude::*, sea_query::OnConflict};

/// A row.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sealing_keys")]
pub struct Model {
    /// The newest key has the highest number.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    /// 32 bytes from which the key is derived.
    pub seed: Vec<u8>,
    pub created_us: i64,
}

/// A key has no relations.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Every key, oldest first.
pub(crate) async fn all(database: &Database) -> Result<Vec<Model>, DbErr> {
    Entity::find().order_by_asc(Column::Number).all(database.read()).await
}

/// Adds a key, unless there is one of its number already.
pub(crate) async fn insert(database: &Database, key: Model) -> Result<(), DbErr> {
    let row = ActiveModel { number: Set(key.number), seed: Set(key.seed), created_us: Set(key.created_us) };
    Entity::insert(row)
        .on_conflict(OnConflict::column(Column::Number).do_nothing().to_owned())
        .exec_without_returning(database.write())
        .await
        .map(drop)
}

/// Written by hand, because the derived one would show the seed.
impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("number", &self.number).finish_non_exhaustive()
    }
}

//! The table `match_tickets`: which ticket became part of which match.

use sea_orm::entity::prelude::*;

/// A row.
#[expect(clippy::struct_field_names, reason = "a row of ids is named like its columns")]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "match_tickets")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub ticket_id: Uuid,
    pub game_id: Uuid,
    pub owner_id: Uuid,
}

/// Rows are read by their keys alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

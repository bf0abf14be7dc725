//! The table `federation_words`: the words of federations of their own, a row for each language.

use std::collections::BTreeMap;

use catalogue::{Area, Word};
use chassis::{database::StoreError, id::FederationId, time::to_micros};
use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec_with_limit};
use sea_orm::{
    ActiveValue::Set, FromQueryResult, PaginatorTrait as _, QueryOrder as _, QuerySelect as _,
    entity::prelude::*, sea_query::OnConflict,
};
use sea_orm_migration::prelude::{ColumnDef, DbErr, Index, SchemaManager, Table};

use super::moment;
use crate::core::language::{Own, WORDS_BYTES_MAX};

const TABLE: &str = "federation_words";
/// How hard words are packed.
const PACKING: u8 = 6;
/// What a packed row comes to at most: the words, and the signs of JSON about each.
const UNPACKED_MAX: usize = 8 * WORDS_BYTES_MAX;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "federation_words")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub federation_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub language: String,
    /// How many words of each area, as JSON.
    pub counts: String,
    /// Pairs and threes of texts as JSON, packed: the key, what is said, and what is said of one.
    pub words: Vec<u8>,
    pub written_by: Uuid,
    pub written_us: i64,
    pub revision: i64,
}

chassis::standalone!();

/// Everything of a row but the words.
#[derive(FromQueryResult)]
struct Heading {
    federation_id: Uuid,
    language: String,
    counts: String,
    written_by: Uuid,
    written_us: i64,
    revision: i64,
}

/// Makes the table.
pub(crate) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table(TABLE)
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("language").text().not_null())
        .col(ColumnDef::new("counts").text().not_null())
        .col(ColumnDef::new("words").binary().not_null())
        .col(ColumnDef::new("written_by").uuid().not_null())
        .col(ColumnDef::new("written_us").big_integer().not_null())
        .col(ColumnDef::new("revision").big_integer().not_null())
        .primary_key(Index::create().col("federation_id").col("language"))
        .to_owned();
    manager.create_table(table).await
}

/// A language of a federation.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    federation: FederationId,
    language: &str,
) -> Result<Option<Own>, StoreError> {
    let found = headings(federation).filter(Column::Language.eq(language));
    found.into_model::<Heading>().one(on).await?.map(TryFrom::try_from).transpose()
}

/// The languages of a federation, in the order of tags.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    federation: FederationId,
) -> Result<Vec<Own>, StoreError> {
    let found = headings(federation).order_by_asc(Column::Language);
    found.into_model::<Heading>().all(on).await?.into_iter().map(TryFrom::try_from).collect()
}

/// How many languages a federation has.
pub(crate) async fn count(on: &impl ConnectionTrait, federation: FederationId) -> Result<u64, StoreError> {
    Ok(Entity::find().filter(Column::FederationId.eq(federation.uuid())).count(on).await?)
}

/// The words of a federation in some languages.
pub(crate) async fn words(
    on: &impl ConnectionTrait,
    federation: FederationId,
    languages: &[String],
) -> Result<Vec<Word>, StoreError> {
    let found = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    let found = found.filter(Column::Language.is_in(languages.iter().map(String::as_str)));
    let rows = found.order_by_asc(Column::Language).all(on).await?;
    let mut words = Vec::new();
    for row in rows {
        let corrupt = || StoreError::Corrupt(TABLE);
        let json = decompress_to_vec_with_limit(&row.words, UNPACKED_MAX).map_err(|_| corrupt())?;
        let read: Vec<(String, String, Option<String>)> =
            serde_json::from_slice(&json).map_err(|_| corrupt())?;
        let word = |(key, text, one)| Word { language: row.language.clone(), key, text, one };
        words.extend(read.into_iter().map(word));
    }
    Ok(words)
}

/// Writes a language with its words in the place of what it was.
pub(crate) async fn write(on: &impl ConnectionTrait, own: &Own, words: &[Word]) -> Result<(), StoreError> {
    let listed: Vec<_> = words.iter().map(|word| (&word.key, &word.text, &word.one)).collect();
    let counts: BTreeMap<&str, u32> = own.counts.iter().map(|(area, count)| (area.name(), *count)).collect();
    let row = ActiveModel {
        federation_id: Set(own.federation.uuid()),
        language: Set(own.language.tag().to_owned()),
        counts: Set(serde_json::to_string(&counts).map_err(|_| StoreError::Corrupt(TABLE))?),
        words: Set(compress_to_vec(
            &serde_json::to_vec(&listed).map_err(|_| StoreError::Corrupt(TABLE))?,
            PACKING,
        )),
        written_by: Set(own.by.uuid()),
        written_us: Set(to_micros(own.at)),
        revision: Set(own.revision),
    };
    let columns = [Column::Counts, Column::Words, Column::WrittenBy, Column::WrittenUs, Column::Revision];
    let over =
        OnConflict::columns([Column::FederationId, Column::Language]).update_columns(columns).to_owned();
    Entity::insert(row).on_conflict(over).exec_without_returning(on).await?;
    Ok(())
}

/// Takes a language away.
pub(crate) async fn delete(
    on: &impl ConnectionTrait,
    federation: FederationId,
    language: &str,
) -> Result<(), StoreError> {
    Entity::delete_by_id((federation.uuid(), language.to_owned())).exec(on).await?;
    Ok(())
}

fn headings(federation: FederationId) -> sea_orm::Select<Entity> {
    let found = Entity::find().filter(Column::FederationId.eq(federation.uuid())).select_only();
    found.columns([
        Column::FederationId,
        Column::Language,
        Column::Counts,
        Column::WrittenBy,
        Column::WrittenUs,
        Column::Revision,
    ])
}

impl TryFrom<Heading> for Own {
    type Error = StoreError;

    fn try_from(row: Heading) -> Result<Own, StoreError> {
        let corrupt = || StoreError::Corrupt(TABLE);
        let counts: BTreeMap<String, u32> = serde_json::from_str(&row.counts).map_err(|_| corrupt())?;
        let area = |name: &str| Area::ALL.into_iter().find(|area| area.name() == name);
        Ok(Own {
            federation: row.federation_id.into(),
            language: row.language.parse().map_err(|_| corrupt())?,
            counts: counts.iter().filter_map(|(name, count)| Some((area(name)?, *count))).collect(),
            by: row.written_by.into(),
            at: moment(row.written_us, TABLE)?,
            revision: row.revision,
        })
    }
}

//! The table `documents`: papers on notice boards, with their pages, which are packed.

use chassis::{
    database::StoreError,
    id::{EventId, FederationId},
    time::to_micros,
};
use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec_with_limit};
use sea_orm::{
    ActiveValue::Set, FromQueryResult, Iterable as _, PaginatorTrait as _, QueryOrder as _, QuerySelect as _,
    Select, entity::prelude::*,
};
use time::OffsetDateTime;

use super::moment;
use crate::core::document::{Board, DOCUMENT_BYTES_MAX, Document, Kind, Subject, Withdrawal};

const TABLE: &str = "documents";
/// How hard pages are packed: a table is a twentieth of itself then, within milliseconds.
const PACKING: u8 = 6;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "documents")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub federation_id: Uuid,
    pub event_id: Option<Uuid>,
    pub kind: i16,
    pub round: i32,
    pub title: String,
    /// Tags, with blanks between them.
    pub languages: String,
    pub posted_by: Uuid,
    pub posted_us: i64,
    pub sequence: i64,
    pub digest: Vec<u8>,
    pub size: i32,
    /// The page; none of one that is withdrawn.
    pub page: Option<Vec<u8>>,
    pub withdrawn_by: Option<Uuid>,
    pub withdrawn_us: Option<i64>,
    pub withdrawn_reason: String,
    pub redacted_us: Option<i64>,
    /// The season or the policy that it is of.
    pub subject_id: Option<Uuid>,
    /// Which list of the policy.
    pub subject_number: Option<i32>,
}

chassis::standalone!();

/// A page as it is kept.
#[derive(Clone)]
pub(crate) struct Packed(Vec<u8>);

impl Packed {
    /// Packs a page. That takes a while for a large one.
    pub(crate) fn of(page: &[u8]) -> Packed {
        Packed(compress_to_vec(page, PACKING))
    }
}

/// Everything of a row but its page.
#[derive(FromQueryResult)]
struct Heading {
    id: Uuid,
    federation_id: Uuid,
    event_id: Option<Uuid>,
    kind: i16,
    round: i32,
    title: String,
    languages: String,
    posted_by: Uuid,
    posted_us: i64,
    sequence: i64,
    digest: Vec<u8>,
    size: i32,
    withdrawn_by: Option<Uuid>,
    withdrawn_us: Option<i64>,
    withdrawn_reason: String,
    redacted_us: Option<i64>,
    subject_id: Option<Uuid>,
    subject_number: Option<i32>,
}

/// The kinds by their numbers in rows, from 1.
const KINDS: [Kind; 10] = [
    Kind::Pairings,
    Kind::Slips,
    Kind::Standings,
    Kind::Crosstable,
    Kind::Matches,
    Kind::Schedule,
    Kind::Roster,
    Kind::Notice,
    Kind::LeagueTable,
    Kind::RatingList,
];

/// The paper of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: Uuid) -> Result<Option<Document>, StoreError> {
    let row = headings(Entity::find_by_id(id)).into_model::<Heading>().one(on).await?;
    row.map(Document::try_from).transpose()
}

/// The page of a paper; none of one that is withdrawn.
pub(crate) async fn page(on: &impl ConnectionTrait, id: Uuid) -> Result<Option<Vec<u8>>, StoreError> {
    let row: Option<Option<Vec<u8>>> =
        Entity::find_by_id(id).select_only().column(Column::Page).into_tuple().one(on).await?;
    let unpack = |packed: Vec<u8>| {
        decompress_to_vec_with_limit(&packed, DOCUMENT_BYTES_MAX).map_err(|_| StoreError::Corrupt(TABLE))
    };
    row.flatten().map(unpack).transpose()
}

/// Papers of a board, the newest first: at most `count` before an id.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    board: Board,
    before: Option<Uuid>,
    count: u64,
) -> Result<Vec<Document>, StoreError> {
    let mut query = of_board(board);
    if let Some(before) = before {
        query = query.filter(Column::Id.lt(before));
    }
    let query = headings(query).order_by_desc(Column::Id).limit(count);
    let rows = query.into_model::<Heading>().all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// How many papers a board has, with those that are withdrawn.
pub(crate) async fn count(on: &impl ConnectionTrait, board: Board) -> Result<u64, StoreError> {
    Ok(of_board(board).count(on).await?)
}

/// Hangs a paper.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    document: &Document,
    page: &Packed,
) -> Result<(), StoreError> {
    let (subject_id, subject_number) = match document.subject {
        None => (None, None),
        Some(Subject::Season(season)) => (Some(season.uuid()), None),
        Some(Subject::RatingList(policy, number)) => (Some(policy.uuid()), Some(number.cast_signed())),
    };
    let row = ActiveModel {
        id: Set(document.id),
        federation_id: Set(document.board.federation.uuid()),
        event_id: Set(document.board.event.map(EventId::uuid)),
        kind: Set(number(document.kind)),
        round: Set(document.round.into()),
        title: Set(document.title.clone()),
        languages: Set(document.languages.join(" ")),
        posted_by: Set(document.posted_by.uuid()),
        posted_us: Set(to_micros(document.posted)),
        sequence: Set(document.sequence.cast_signed()),
        digest: Set(document.digest.to_vec()),
        size: Set(document.size.cast_signed()),
        page: Set(Some(page.0.clone())),
        withdrawn_by: Set(None),
        withdrawn_us: Set(None),
        withdrawn_reason: Set(String::new()),
        redacted_us: Set(None),
        subject_id: Set(subject_id),
        subject_number: Set(subject_number),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

/// Takes a paper down: what it was is known, and its page is not kept.
pub(crate) async fn withdraw(
    on: &impl ConnectionTrait,
    id: Uuid,
    withdrawal: &Withdrawal,
) -> Result<(), StoreError> {
    let row = ActiveModel {
        page: Set(None),
        withdrawn_by: Set(Some(withdrawal.by.uuid())),
        withdrawn_us: Set(Some(to_micros(withdrawal.at))),
        withdrawn_reason: Set(withdrawal.reason.clone()),
        ..Default::default()
    };
    Entity::update_many().set(row).filter(Column::Id.eq(id)).exec(on).await?;
    Ok(())
}

/// The ids of the papers of a federation that were posted at a moment or later, in their order.
pub(crate) async fn ids_since(
    on: &impl ConnectionTrait,
    federation: FederationId,
    since: OffsetDateTime,
) -> Result<Vec<Uuid>, StoreError> {
    let found = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    let found = found.filter(Column::PostedUs.gte(to_micros(since))).order_by_asc(Column::Id);
    Ok(found.select_only().column(Column::Id).into_tuple().all(on).await?)
}

/// What is kept of a paper when somebody is blacked out of it.
pub(crate) struct Redaction {
    /// Its page, with its digest and its size; none of one that is withdrawn.
    pub page: Option<(Packed, [u8; 32], u32)>,
    /// What it is called.
    pub title: String,
    /// Why it was withdrawn.
    pub reason: String,
    /// When.
    pub at: OffsetDateTime,
}

/// Writes a paper without somebody. Nothing is left of what it was: by its hash it could be guessed who that is.
pub(crate) async fn redact(on: &impl ConnectionTrait, id: Uuid, to: Redaction) -> Result<(), StoreError> {
    let mut row = ActiveModel {
        title: Set(to.title),
        withdrawn_reason: Set(to.reason),
        redacted_us: Set(Some(to_micros(to.at))),
        ..Default::default()
    };
    if let Some((page, digest, size)) = to.page {
        row.page = Set(Some(page.0));
        row.digest = Set(digest.to_vec());
        row.size = Set(size.cast_signed());
    }
    Entity::update_many().set(row).filter(Column::Id.eq(id)).exec(on).await?;
    Ok(())
}

fn of_board(board: Board) -> Select<Entity> {
    let of_federation = Entity::find().filter(Column::FederationId.eq(board.federation.uuid()));
    match board.event {
        Some(event) => of_federation.filter(Column::EventId.eq(event.uuid())),
        None => of_federation.filter(Column::EventId.is_null()),
    }
}

/// The columns of [`Heading`]: a list reads no pages.
fn headings(query: Select<Entity>) -> Select<Entity> {
    query.select_only().columns(Column::iter().filter(|column| !matches!(column, Column::Page)))
}

fn number(kind: Kind) -> i16 {
    KINDS.iter().zip(1..).find(|(known, _)| **known == kind).map_or(0, |(_, number)| number)
}

impl TryFrom<Heading> for Document {
    type Error = StoreError;

    fn try_from(row: Heading) -> Result<Self, StoreError> {
        let corrupt = || StoreError::Corrupt(TABLE);
        let place = usize::try_from(row.kind - 1).map_err(|_| corrupt())?;
        let withdrawn = match (row.withdrawn_by, row.withdrawn_us) {
            (Some(by), Some(us)) => {
                Some(Withdrawal { by: by.into(), at: moment(us, TABLE)?, reason: row.withdrawn_reason })
            }
            _ => None,
        };
        Ok(Document {
            id: row.id,
            board: Board {
                federation: FederationId::from(row.federation_id),
                event: row.event_id.map(EventId::from),
            },
            kind: *KINDS.get(place).ok_or_else(corrupt)?,
            round: u16::try_from(row.round).map_err(|_| corrupt())?,
            subject: row.subject_id.map(|id| match row.subject_number {
                None => Subject::Season(id.into()),
                Some(number) => Subject::RatingList(id.into(), number.cast_unsigned()),
            }),
            title: row.title,
            languages: row.languages.split_whitespace().map(str::to_owned).collect(),
            posted_by: row.posted_by.into(),
            posted: moment(row.posted_us, TABLE)?,
            sequence: row.sequence.cast_unsigned(),
            digest: row.digest.try_into().map_err(|_| corrupt())?,
            size: u32::try_from(row.size).map_err(|_| corrupt())?,
            withdrawn,
            redacted: row.redacted_us.map(|us| moment(us, TABLE)).transpose()?,
        })
    }
}

//! The tables.

use chassis::schema::migration;
use sea_orm_migration::prelude::*;

use super::{
    calendar, event, file, language, league, migration_documents, migration_notices, migration_organisations,
    migration_titles, rating_list,
};

/// The migrations of this service.
#[derive(Debug)]
pub(crate) struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            migration("m0001_create_organisations", |manager| {
                Box::pin(migration_organisations::create(manager))
            }),
            migration("m0002_create_events", |manager| Box::pin(event::migration::create_events(manager))),
            migration("m0003_create_line_ups", |manager| {
                Box::pin(event::migration::create_line_ups(manager))
            }),
            migration("m0004_keep_draft_requests", |manager| {
                Box::pin(event::migration::keep_draft_requests(manager))
            }),
            migration("m0005_know_draft_requests", |manager| {
                Box::pin(event::migration::know_draft_requests(manager))
            }),
            migration("m0006_create_rating_lists", |manager| {
                Box::pin(rating_list::migration::create(manager))
            }),
            migration("m0007_create_files", |manager| Box::pin(file::create(manager))),
            migration("m0008_create_notices", |manager| Box::pin(migration_notices::create(manager))),
            migration("m0009_create_titles", |manager| Box::pin(migration_titles::create(manager))),
            migration("m0011_create_leagues", |manager| Box::pin(league::migration::create_leagues(manager))),
            migration("m0012_create_documents", |manager| Box::pin(migration_documents::create(manager))),
            migration("m0013_redact_documents", |manager| Box::pin(migration_documents::redact(manager))),
            migration("m0014_find_persons", |manager| {
                Box::pin(migration_organisations::find_persons(manager))
            }),
            migration("m0015_create_engagements", |manager| Box::pin(event::engagement::create(manager))),
            migration("m0016_create_calendar_feeds", |manager| Box::pin(calendar::create(manager))),
            migration("m0017_create_event_people", |manager| Box::pin(event::person::create(manager))),
            migration("m0018_create_words", |manager| Box::pin(language::create(manager))),
            migration("m0019_post_tables", |manager| Box::pin(migration_documents::post_tables(manager))),
            migration("m0020_trace_what_is_owed", |manager| Box::pin(chassis::outbox::add_trace(manager))),
        ]
    }

    fn migration_table_name() -> DynIden {
        "federation_migrations".into_iden()
    }
}

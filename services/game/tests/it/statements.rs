//! What a service asks its database, counted.

use std::sync::{Arc, Mutex, PoisonError};

use chassis::Database;

use super::fixture::Fixture;

/// The statements of a database so far.
#[derive(Clone, Default)]
pub(crate) struct Statements(Arc<Mutex<Vec<String>>>);

impl Statements {
    /// Has the replicas of a world that are made from now on counted.
    pub(crate) async fn of(fixture: &mut Fixture) -> Statements {
        let statements = Statements::default();
        let mut connection =
            sea_orm::Database::connect(&fixture.database.url).await.expect("the database is there");
        let noted = statements.clone();
        connection.set_metric_callback(move |info| noted.note(&info.statement.sql));
        fixture.database.database = Database::over(connection);
        statements
    }

    /// What was asked since this was called last.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many events were read by number since then, or whole pages of them.
    pub(crate) fn of_logs(&self) -> usize {
        self.take().iter().filter(|sql| sql.contains(r#""events"."payload""#)).count()
    }

    fn note(&self, sql: &str) {
        // The heartbeat asks whenever it likes, and so does who looks for maintenance.
        let on_its_own = ["availability", "outages", "due_us\" <=", "\"maintenance\""];
        if !on_its_own.iter().any(|words| sql.contains(words)) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(sql.to_owned());
        }
    }
}

//! A database on the PostgreSQL server of the tests.

use sea_orm::{ConnectionTrait as _, DbErr};

use crate::{Database, Env};

/// A fresh, empty database, dropped with this value: a run of all tests makes more of them than a small disk holds.
#[derive(Debug)]
pub struct PostgresDatabase {
    server: String,
    name: String,
    url: String,
}

impl PostgresDatabase {
    /// Makes one on this server, whose URL names a database to be connected to meanwhile.
    ///
    /// # Errors
    /// When the server does not answer, or lets nobody make databases.
    pub async fn create(server: &str) -> Result<Self, DbErr> {
        let named = server.rsplit_once('/').map(|(base, _)| base);
        let base = named.ok_or_else(|| DbErr::Custom(format!("{server} names no database")))?;
        let name = format!("test_{}", Env::system().uuid().simple());
        let url = format!("{base}/{name}");
        run(server, &format!("CREATE DATABASE {name}")).await?;
        Ok(PostgresDatabase { server: server.to_owned(), name, url })
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // Who drops it is mostly within a runtime, and waits.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            // Connections that are still open are closed: what was tested has come to its end, or has failed.
            runtime
                .map(|runtime| runtime.block_on(run(&server, &format!("DROP DATABASE {name} WITH (FORCE)"))))
        });
        let _a_server_that_is_gone_keeps_nothing = dropping.join();
    }
}

async fn run(server: &str, statement: &str) -> Result<(), DbErr> {
    let maintenance = Database::open(server).await?;
    let done = maintenance.write().execute_unprepared(statement).await;
    maintenance.close().await;
    done.map(drop)
}

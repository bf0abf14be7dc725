//! Doubles and databases for the tests of services.
//!
//! It is part of the crate, not of its tests, because every service's tests need it; nothing in it is
//! reachable from a running service.

pub mod identity;
mod postgres;

use std::path::PathBuf;

pub use self::postgres::PostgresDatabase;
use crate::{
    Database, Env,
    auth::{Caller, Credential, GrantType, Role, RoleGrant, RoleScope, Scope, with_credential},
    id::EventId,
};
use api::transport::Transport;

/// A fresh, empty database that lasts as long as this value.
#[derive(Debug)]
pub struct TestDatabase {
    /// `sqlite` or `postgres`, for messages.
    pub kind: &'static str,
    /// Its URL, with which it can be opened again.
    pub url: String,
    /// The open database.
    pub database: Database,
    _place: Place,
}

/// Where a database is, which vanishes with it.
#[derive(Debug)]
enum Place {
    Folder(#[expect(dead_code, reason = "held until it is dropped")] Folder),
    Server(#[expect(dead_code, reason = "held until it is dropped")] PostgresDatabase),
}

#[derive(Debug)]
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _best_effort = std::fs::remove_dir_all(&self.0);
    }
}

/// One fresh database of each kind that is present: SQLite always, PostgreSQL when
/// `SHOUTAN_TEST_POSTGRES` is the URL of a server in which databases may be made.
///
/// # Panics
/// When a database cannot be made, or PostgreSQL is absent in CI.
pub async fn databases() -> Vec<TestDatabase> {
    let mut databases = vec![sqlite().await];
    if let Ok(server) = std::env::var("SHOUTAN_TEST_POSTGRES") {
        databases.push(postgres(&server).await);
    } else {
        let in_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(!in_ci, "SHOUTAN_TEST_POSTGRES is not set, and in CI the tests must run on PostgreSQL");
        tracing::warn!("SHOUTAN_TEST_POSTGRES is not set: not tested on PostgreSQL");
    }
    databases
}

pub use crate::auth::as_service;

/// The same transport, calling as this account.
pub fn as_account(transport: Transport, caller: Caller) -> Transport {
    with_credential(transport, Credential::Account(caller))
}

/// A signed-in player with all scopes and no role.
pub fn player(env: &Env, name: &str) -> Caller {
    Caller {
        id: env.uuid().into(),
        name: name.to_owned(),
        guest: false,
        bot: false,
        scopes: Scope::ALL.to_vec(),
        roles: Vec::new(),
        kind: GrantType::SignIn,
    }
}

/// A signed-in official of an event.
pub fn arbiter(env: &Env, name: &str, role: Role, event: EventId) -> Caller {
    let roles = vec![RoleGrant { role, scope: RoleScope::Event(event) }];
    Caller { roles, ..player(env, name) }
}

/// A signed-in moderator of the platform.
pub fn moderator(env: &Env, name: &str) -> Caller {
    let roles = vec![RoleGrant { role: Role::Moderator, scope: RoleScope::Platform }];
    Caller { roles, ..player(env, name) }
}

async fn sqlite() -> TestDatabase {
    let folder = std::env::temp_dir().join(format!("shoutan-test-{}", Env::system().uuid()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    let url = format!("sqlite://{}/test.db", folder.display());
    let database = Database::open(&url).await.expect("a new SQLite file opens");
    TestDatabase { kind: "sqlite", url, database, _place: Place::Folder(Folder(folder)) }
}

async fn postgres(server: &str) -> TestDatabase {
    let place = PostgresDatabase::create(server).await.expect("the tests may make databases");
    let url = place.url().to_owned();
    let database = Database::open(&url).await.expect("the new database opens");
    TestDatabase { kind: "postgres", url, database, _place: Place::Server(place) }
}

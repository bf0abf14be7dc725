//! What is measured of a database's connections.

use sea_orm::{DatabaseConnection, DbBackend};

use super::{Database, Lane};
use crate::metrics::{Kind, Label, Metric, Metrics};

const CONNECTIONS: Metric = Metric {
    name: "shoutan_database_connections",
    kind: Kind::Gauge,
    unit: None,
    labels: &[
        Label { name: "service", of: "services of the platform" },
        Label { name: "purpose", of: "`read` and `write`" },
        Label { name: "state", of: "`idle`, `used`, and `most` for how many there may be" },
    ],
    help: "Connections of a service to its database, but for those that it keeps for one task each",
};

/// What is measured of databases.
pub const METRICS: &[Metric] = &[CONNECTIONS];

/// How many connections a lane has: idle, and in all; nothing of a database that has none.
fn sizes(pool: &DatabaseConnection) -> Option<(usize, u32, u32)> {
    match pool.get_database_backend() {
        DbBackend::Sqlite => {
            let pool = pool.get_sqlite_connection_pool();
            Some((pool.num_idle(), pool.size(), pool.options().get_max_connections()))
        }
        DbBackend::Postgres => {
            let pool = pool.get_postgres_connection_pool();
            Some((pool.num_idle(), pool.size(), pool.options().get_max_connections()))
        }
        _ => None,
    }
}

impl Database {
    /// Has metrics tell of its connections.
    pub(super) fn measure(&self, metrics: &Metrics, service: &'static str) {
        let lanes = [("read", self.read.clone()), ("write", self.write.clone())];
        metrics.read(&CONNECTIONS, move |reader| {
            for (purpose, Lane { pool, .. }) in &lanes {
                let Some((idle, open, most)) = sizes(pool) else { continue };
                let open = usize::try_from(open).unwrap_or(usize::MAX);
                reader.count(&[service, purpose, "idle"], idle as u64);
                reader.count(&[service, purpose, "used"], open.saturating_sub(idle) as u64);
                reader.count(&[service, purpose, "most"], most.into());
            }
        });
    }
}

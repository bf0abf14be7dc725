//! Where a platform keeps what lasts.

use std::{
    os::unix::fs::{DirBuilderExt as _, PermissionsExt as _},
    path::PathBuf,
};

use anyhow::Context as _;
use chassis::Database;
use clap::Args;

use crate::{args::PoolArgs, instance, platform::Service};

/// The data folder, and the database if it is not in there.
#[derive(Clone, Debug, Args)]
pub struct DataArgs {
    /// The folder for databases and everything else that is kept.
    #[arg(
        long = "data",
        global = true,
        value_name = "DATA",
        default_value = ".shoutan",
        env = "SHOUTAN_DATA"
    )]
    pub folder: PathBuf,
    /// The database, postgres://… (over TLS: …?sslmode=verify-full&sslrootcert=FILE) or sqlite://…; a SQLite file for
    /// each service in the data folder when absent.
    #[arg(long, global = true, env = "SHOUTAN_DATABASE", hide_env_values = true)]
    pub database: Option<String>,
}

/// The databases of the services.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Databases")]
pub struct DatabaseArgs {
    #[command(flatten)]
    pools: PoolArgs,
    /// Takes databases that the data folder does not know: new ones, or others than before.
    #[arg(long, global = true)]
    pub new_database: bool,
}

impl DataArgs {
    /// The database of a service: its own file in the data folder, or the one that was named for all.
    pub fn url(&self, service: Service) -> String {
        match &self.database {
            Some(url) => url.clone(),
            None => format!("sqlite://{}", self.folder.join(format!("{}.db", service.name())).display()),
        }
    }

    /// Opens the database of a service to serve from it.
    ///
    /// # Errors
    /// When it cannot be reached, when another process serves from the same file, or when it is not the one that the
    /// data folder knows.
    pub async fn open_to_serve(&self, service: Service, databases: DatabaseArgs) -> anyhow::Result<Database> {
        let (url, settings) = (self.url(service), databases.pools.settings());
        let opening = || format!("opening the database of {}", service.name());
        let database = Database::open_to_serve(&url, settings).await.with_context(opening)?;
        instance::recognise(&database, service.name(), &self.folder, databases.new_database)
            .await
            .with_context(opening)?;
        Ok(database)
    }

    /// Opens the database of a service beside whoever serves from it, for the commands of operators.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub async fn open_beside(&self, service: Service) -> anyhow::Result<Database> {
        let url = self.url(service);
        Database::open(&url).await.with_context(|| format!("opening the database of {}", service.name()))
    }

    /// Makes the data folder, which nobody but its owner may enter.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make_folder(&self) -> anyhow::Result<()> {
        let making = || format!("making {}", self.folder.display());
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder).with_context(making)?;
        let mode = std::fs::metadata(&self.folder).with_context(making)?.permissions().mode();
        if mode & 0o077 != 0 {
            tracing::warn!("others may enter {}: `chmod 700` keeps them out", self.folder.display());
        }
        Ok(())
    }
}

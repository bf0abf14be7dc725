//! `shoutan backup` and `shoutan restore`: all that a platform keeps, in one file, and back.

use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail, ensure};
use chassis::{
    Database, Env,
    database::cut::{cut, digest, fill},
};
use clap::ValueEnum as _;
use indicatif::ProgressBar;
use time::format_description::well_known::Rfc3339;

use super::{files::bytes_bar, password::PasswordArg};
use crate::{
    backup::{Copied, HEAD_BYTES, Kept, Manifest, folder_of, pack, unpack},
    data::DataArgs,
    platform::Service,
};

/// The databases that are meant.
#[derive(Debug, clap::Args)]
struct Place {
    #[command(flatten)]
    data: DataArgs,
    /// The database of one service, where it is another one than --database says: `game=postgres://…`. May be given several times.
    #[arg(long, value_name = "SERVICE=URL", value_parser = database_of)]
    database_of: Vec<(Service, String)>,
}

/// Writes all that the platform keeps into one file, while it runs.
#[derive(Debug, clap::Args)]
pub(crate) struct BackupArgs {
    /// The file, which is made. Beside it is room for as much again while it is being made.
    file: PathBuf,
    #[command(flatten)]
    place: Place,
    /// Seals it with a password.
    #[arg(long)]
    seal: bool,
    #[command(flatten)]
    password: PasswordArg,
}

/// Puts a backup into databases in which nothing is yet.
#[derive(Debug, clap::Args)]
pub(crate) struct RestoreArgs {
    /// The backup.
    file: PathBuf,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    password: PasswordArg,
}

fn database_of(text: &str) -> Result<(Service, String), String> {
    let named = text.split_once('=').and_then(|(name, url)| {
        let service = Service::from_str(name, false).ok()?;
        (service.info().has_database && !url.is_empty()).then(|| (service, url.to_owned()))
    });
    named.ok_or_else(|| "write it as SERVICE=URL, of a service that has a database".to_owned())
}

impl Place {
    fn url(&self, service: Service) -> String {
        let own = self.database_of.iter().find(|(of, _)| *of == service);
        own.map_or_else(|| self.data.url(service), |(_, url)| url.clone())
    }

    /// Each database, with the services that keep in it.
    fn databases(&self) -> Vec<(String, Vec<Service>)> {
        let mut databases: Vec<(String, Vec<Service>)> = Vec::new();
        for service in Service::keeping() {
            let url = self.url(service);
            match databases.iter_mut().find(|(known, _)| *known == url) {
                Some((_, services)) => services.push(service),
                None => databases.push((url, vec![service])),
            }
        }
        databases
    }
}

impl PasswordArg {
    fn needed(&self) -> anyhow::Result<String> {
        let password = self.get()?;
        password.context("a sealed backup takes a password: --password-file FILE, or SHOUTAN_PASSWORD")
    }
}

/// The folder of a file.
fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What was renamed in a folder stays so.
fn settle(folder: &Path) -> anyhow::Result<()> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.with_context(|| format!("writing {}", folder.display()))
}

/// Opens the database of some services, and says which steps of their schemas it has; nobody newer has been there.
async fn steps(url: &str, services: &[Service]) -> anyhow::Result<Vec<Kept>> {
    let opening = || format!("opening the database of {}", names(services));
    let database = Database::open(url).await.with_context(opening)?;
    let mut kept = Vec::new();
    for service in services {
        let schema = service.schema(&database).await.with_context(opening)?;
        ensure!(
            schema.unknown.is_empty(),
            "a later version has been at the database of {}: take that one",
            service.name()
        );
        kept.push(Kept { service: service.name().to_owned(), steps: schema.applied });
    }
    database.close().await;
    Ok(kept)
}

fn names(services: &[Service]) -> String {
    services.iter().map(|service| service.name()).collect::<Vec<_>>().join(", ")
}

/// Makes a backup.
pub(crate) async fn backup(args: BackupArgs) -> anyhow::Result<()> {
    let env = Env::system();
    let password = args.seal.then(|| args.password.needed()).transpose()?;
    ensure!(!fs::exists(&args.file)?, "{} is there already", args.file.display());
    let databases = args.place.databases();
    let mut kept = Vec::new();
    for (url, services) in &databases {
        if let Some(file) = Database::file(url)? {
            let missing = || format!("there is no database of {} at {}", names(services), file.display());
            ensure!(fs::exists(&file)?, missing());
        }
        kept.push(steps(url, services).await?);
    }
    let beside = folder(&args.file);
    let making = || format!("writing beside {}", args.file.display());
    let work = tempfile::Builder::new().prefix(".backup-").tempdir_in(beside).with_context(making)?;
    let urls: Vec<String> = databases.iter().map(|(url, _)| url.clone()).collect();
    let states = cut(&urls).await.context("copying the databases")?;
    let taken = env.now().format(&Rfc3339)?;
    let bar = bytes_bar(0);
    let mut copied = Vec::new();
    for ((number, state), services) in states.into_iter().enumerate().zip(kept) {
        let (folder, bar) = (folder_of(work.path(), number), bar.clone());
        fs::create_dir(&folder).with_context(making)?;
        let parts = state.write(&folder, move |bytes| longer(&bar, bytes)).await;
        copied.push(Copied { services, parts: parts.context("copying the databases")? });
    }
    let manifest = Manifest { version: env!("CARGO_PKG_VERSION").to_owned(), taken, databases: copied };
    let file = tempfile::NamedTempFile::new_in(work.path()).with_context(making)?;
    let head = env.bytes::<HEAD_BYTES>();
    let sealed = password.as_deref().map(|password| (password, &head));
    bar.set_position(0);
    bar.set_length(manifest.bytes());
    pack(&file, work.path(), &manifest, sealed, |bytes| bar.inc(bytes)).with_context(making)?;
    file.as_file().sync_all().with_context(making)?;
    bar.finish_and_clear();
    let written = file.as_file().metadata()?.len();
    file.persist_noclobber(&args.file).map_err(|error| error.error).with_context(making)?;
    settle(beside)?;
    let (file, count) = (args.file.display(), manifest.databases.len());
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{file}: {count} databases as they were at {}, {} bytes in {written}",
        manifest.taken,
        manifest.bytes()
    )?;
    writeln!(out, "The key that opens what is secret in them is not in it: keep it elsewhere.")?;
    Ok(())
}

/// More is there than was known of.
fn longer(bar: &ProgressBar, bytes: u64) {
    bar.inc_length(bytes);
    bar.inc(bytes);
}

/// Where a database of a backup comes to be.
enum Target {
    /// A file that is not there yet, or is this very copy.
    File(PathBuf),
    Server(Box<Database>, String),
}

/// Puts a backup back.
pub(crate) async fn restore(args: RestoreArgs) -> anyhow::Result<()> {
    args.place.data.make_folder()?;
    let data = &args.place.data.folder;
    let work = tempfile::Builder::new().prefix(".restore-").tempdir_in(data);
    let work = work.with_context(|| format!("writing into {}", data.display()))?;
    let reading = || format!("reading {}", args.file.display());
    let file = super::regular_file::open(&args.file).with_context(reading)?;
    let bar = bytes_bar(0);
    let read = |bytes| longer(&bar, bytes);
    let manifest = unpack(file, work.path(), || args.password.needed(), read).with_context(reading)?;
    bar.finish_and_clear();
    // Nothing is put anywhere before all of it is known to have its place.
    let mut targets = Vec::new();
    for database in &manifest.databases {
        targets.push(target(&args.place, database).await?);
    }
    for ((number, database), target) in manifest.databases.iter().enumerate().zip(targets) {
        put(&folder_of(work.path(), number), database, target).await?;
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} databases are as they were at {}.", manifest.databases.len(), manifest.taken)?;
    writeln!(
        out,
        "Start the platform with the key of then, on a Redis that is empty or with another --live-prefix."
    )?;
    writeln!(out, "`shoutan doctor --audit` proves what is there.")?;
    Ok(())
}

/// The services of a database, all of which this build knows.
fn services(database: &Copied) -> anyhow::Result<Vec<Service>> {
    let known = |kept: &Kept| {
        let service = Service::from_str(&kept.service, false).ok();
        service
            .with_context(|| format!("a later version made this backup: it has a service {}", kept.service))
    };
    database.services.iter().map(known).collect()
}

/// This build knows all steps of the schemas.
async fn ensure_known(services: &[Service], database: &Copied) -> anyhow::Result<()> {
    let empty = Database::open("sqlite::memory:").await?;
    for (service, kept) in services.iter().zip(&database.services) {
        let known = service.schema(&empty).await?.pending;
        let is_known = kept.steps.iter().all(|step| known.contains(step));
        ensure!(
            is_known,
            "a later version made this backup: the database of {} has steps of it",
            kept.service
        );
    }
    empty.close().await;
    Ok(())
}

async fn target(place: &Place, database: &Copied) -> anyhow::Result<Target> {
    let services = services(database)?;
    ensure_known(&services, database).await?;
    let of = names(&services);
    let url = services.first().map(|service| place.url(*service)).context("a database of no service")?;
    ensure!(
        services.iter().all(|service| place.url(*service) == url),
        "{of} were in one database, and are to be in several"
    );
    let is_file = database.parts.iter().any(|part| part.table.is_none());
    let Some(file) = Database::file(&url)? else {
        ensure!(!is_file, "{of}: the backup is of SQLite, and this is none");
        let server = Database::open(&url).await.with_context(|| format!("opening the database of {of}"))?;
        ensure!(server.instance().await?.is_none(), "the database of {of} is not empty");
        return Ok(Target::Server(Box::new(server), url));
    };
    let [part] = &*database.parts else { bail!("{of}: the backup is of PostgreSQL, and this is none") };
    ensure!(is_file, "{of}: the backup is of PostgreSQL, and this is none");
    if fs::exists(&file)? {
        // A restore that was cut off is done again to its end.
        let same = digest(File::open(&file)?)? == (part.sha256.clone(), part.bytes);
        ensure!(same, "{} is there already", file.display());
    }
    Ok(Target::File(file))
}

async fn put(copy: &Path, database: &Copied, target: Target) -> anyhow::Result<()> {
    match target {
        Target::File(file) => {
            let putting = || format!("writing {}", file.display());
            for part in &database.parts {
                fs::rename(copy.join(&part.file), &file).with_context(putting)?;
            }
            settle(folder(&file))
        }
        Target::Server(server, url) => {
            for (service, kept) in services(database)?.into_iter().zip(&database.services) {
                let building = || format!("making the tables of {}", service.name());
                service.build(&server, &kept.steps).await.with_context(building)?;
            }
            server.make_instance_table().await?;
            fill(&url, copy, &database.parts).await.context("filling the tables")?;
            server.close().await;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_named_by_a_service_that_has_one() {
        let named = database_of("game=postgres://h/x?sslmode=require");
        assert_eq!(named, Ok((Service::Game, "postgres://h/x?sslmode=require".to_owned())));
        for bad in ["", "game", "game=", "clock=postgres://h/x", "nobody=x", "=x"] {
            assert!(database_of(bad).is_err(), "{bad}");
        }
    }
}

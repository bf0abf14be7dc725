//! Whether a database is the one that it was: an emptied or exchanged one is an error, not a new beginning.

use std::{fs, io::Write as _, os::unix::fs::OpenOptionsExt as _, path::Path};

use anyhow::{Context as _, bail};
use chassis::{Database, Env};
use uuid::Uuid;

/// Compares the id in the database of a service with the one beside the data, and gives both where there is none.
///
/// # Errors
/// When they differ, or when the database has lost what it had; unless it is said to be `new`.
pub async fn recognise(database: &Database, service: &str, data: &Path, new: bool) -> anyhow::Result<()> {
    let file = data.join(format!("{service}.instance"));
    let expected = read(&file)?;
    let found = database.instance().await?;
    let remedy = "if that is as it should be, start once with --new-database";
    let id = match (expected, found) {
        (Some(expected), Some(found)) if expected == found => return Ok(()),
        (Some(expected), Some(found)) if !new => bail!(
            "the database of {service} is not the one that was used here before: its id is {found}, and {} says \
             {expected}. The URL is wrong, or the database was exchanged; {remedy}",
            file.display()
        ),
        // One of before databases had ids has its tables.
        (Some(_), None) if !new && !database.has_table(&format!("{service}_migrations")).await? => bail!(
            "the database of {service} is empty, and {} says that it was not: it was deleted, or the URL is wrong; \
             {remedy}",
            file.display()
        ),
        (_, Some(found)) => found,
        (Some(expected), None) if !new => expected,
        (_, None) => Env::system().uuid(),
    };
    let named = database.name_instance(id).await?;
    write(&file, named)
}

fn read(file: &Path) -> anyhow::Result<Option<Uuid>> {
    match fs::read_to_string(file) {
        Ok(text) => {
            let id = text.trim().parse().with_context(|| format!("{} has no id in it", file.display()))?;
            Ok(Some(id))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("reading {}", file.display())),
    }
}

/// All of it or nothing: what is half written would be refused at the next start.
fn write(file: &Path, id: Uuid) -> anyhow::Result<()> {
    let writing = || format!("writing {}", file.display());
    let draft = file.with_extension("instance.new");
    let mut options = fs::OpenOptions::new();
    let mut new =
        options.write(true).create(true).truncate(true).mode(0o600).open(&draft).with_context(writing)?;
    writeln!(new, "{id}").and_then(|()| new.sync_all()).with_context(writing)?;
    fs::rename(&draft, file).with_context(writing)
}

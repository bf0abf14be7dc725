//! `shoutan record export`: the record of a game on a server.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use crate::commands::{server::GameArgs, terminal::say};

/// Writes the record of a game on a server.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The file to write; a folder for a file named after the game. Standard output when absent.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Carries the command out.
pub(super) async fn run(args: Args) -> anyhow::Result<()> {
    let record = args.game.server.reach().await?.record(&args.game.game_id).await?;
    let Some(out) = args.out else {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(record.text.as_bytes())?;
        return Ok(stdout.flush()?);
    };
    let file = if out.is_dir() { out.join(plain_name(&record.file_name)?) } else { out };
    std::fs::write(&file, &record.text).with_context(|| format!("writing {}", file.display()))?;
    say(format_args!("the record is in {}", file.display()))
}

/// A file name of a server's choice, if it is one: it must not lead out of the folder.
fn plain_name(name: &str) -> anyhow::Result<&str> {
    let plain = Path::new(name).file_name().is_some_and(|it| it == name) && !name.contains(['/', '\\', '\0']);
    anyhow::ensure!(plain, "the server's name for the file is none: {name:?}");
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_does_not_choose_the_folder() {
        assert_eq!(plain_name("go-1.sgf").expect("a name"), "go-1.sgf");
        for name in ["", ".", "..", "../x", "/etc/passwd", "a/b", "a\\b", "a/"] {
            assert!(plain_name(name).is_err(), "{name}");
        }
    }
}

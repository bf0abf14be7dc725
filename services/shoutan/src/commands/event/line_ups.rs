//! Line-ups: declared by their hashes, and handed in.
//!
//! What opens a line-up is kept in a file of the captain's until he hands it in: the server has nothing but the hash before.

use std::{
    fs::OpenOptions,
    io::{Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};
use api::error::reason;
use pairing::{Number, lineup::commitment};
use serde::{Deserialize, Serialize};
use tonic::{Code, Status};

use super::{
    change::{Target, change, told},
    session::Session,
    states::{last_round, own_team},
};
use crate::commands::regular_file;

/// Longer files hold something else: a team has 20 boards at most.
const FILE_BYTES_MAX: u64 = 4096;

/// What is done with line-ups.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Declares the line-up of a team for a round that is public and has not begun, by its captain: the server gets a hash,
    /// and what opens it is kept in a file for `reveal`.
    Declare {
        #[command(flatten)]
        target: Target,
        /// The numbers of the players, board 1 first.
        #[arg(required = true)]
        players: Vec<u32>,
        /// Where to keep what opens the line-up; a file that is not there yet. Nobody else should read it.
        #[arg(long, value_name = "FILE")]
        keep: PathBuf,
        /// The number of the team; when it is not said the one whose captain the account is.
        #[arg(long, default_value_t = 0, hide_default_value = true)]
        team: u32,
        /// The round; the last public one when it is not said.
        #[arg(long)]
        round: Option<u32>,
    },
    /// Hands a declared line-up in. It is public once the other team's is in, too, or the round begins.
    Reveal {
        #[command(flatten)]
        target: Target,
        /// The file that `declare` has kept.
        #[arg(long, value_name = "FILE")]
        kept: PathBuf,
    },
}

/// What opens a line-up.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    event: String,
    round: u32,
    team: u32,
    salt: [u8; 32],
    players: Vec<u32>,
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (target, event) = match command {
        Command::Declare { target, players, keep, team, round } => {
            let team = if team == 0 { own_team(session, &target.event).await? } else { team };
            let round = last_round(session, &target, round).await?;
            let salt = session.server().random();
            let numbers: Vec<Number> = players.iter().copied().map(Number).collect();
            let commitment = commitment(&salt, &numbers).to_vec();
            let kept = Kept { event: target.event.clone(), round, team, salt, players };
            if !target.dry_run {
                // Before it is declared: a hash that nobody can open binds the team to nothing.
                kept.write(&keep).with_context(|| format!("writing {}", keep.display()))?;
            }
            let declared = async {
                change!(session, target, declare_line_up(DeclareLineUpRequest { round, team, commitment }))
            };
            let declared = declared.await;
            if !target.dry_run && declared.as_ref().is_err_and(is_refused) {
                // It opens nothing; the next attempt may have its name.
                drop(std::fs::remove_file(&keep));
            }
            (target, declared?)
        }
        Command::Reveal { target, kept } => {
            let reading = || format!("reading {}", kept.display());
            let Kept { event, round, team, salt, players } = Kept::read(&kept).with_context(reading)?;
            ensure!(event == target.event, "{} opens a line-up of event {event}", kept.display());
            let salt = salt.to_vec();
            let after =
                change!(session, target, reveal_line_up(RevealLineUpRequest { round, team, salt, players }))?;
            (target, after)
        }
    };
    told(session, &target, &event).await
}

/// Whether the server has said no, so that certainly nothing was declared; a call that was not answered may have been heard.
fn is_refused(error: &anyhow::Error) -> bool {
    let status = error.downcast_ref::<Status>();
    status.is_some_and(|it| it.code() != Code::Unavailable && !reason(it).is_empty())
}

impl Kept {
    /// Writes a new file that nobody else may read.
    fn write(&self, path: &Path) -> anyhow::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        Ok(file.sync_all()?)
    }

    fn read(path: &Path) -> anyhow::Result<Kept> {
        let mut text = Vec::new();
        regular_file::open(path)?.take(FILE_BYTES_MAX).read_to_end(&mut text)?;
        serde_json::from_slice(&text).context("this is no line-up that was kept")
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn what_opens_a_line_up_is_for_the_captain_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("kept");
        let kept = Kept { event: "E".to_owned(), round: 2, team: 1, salt: [7; 32], players: vec![3, 1, 2] };
        kept.write(&path).expect("it is written");
        let rights = std::fs::metadata(&path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(rights, 0o600);
        assert_eq!(Kept::read(&path).expect("it is read"), kept);
        assert!(kept.write(&path).is_err(), "another line-up may need it still");
        std::fs::write(&path, "{}").expect("it is written");
        assert!(Kept::read(&path).is_err());
    }
}

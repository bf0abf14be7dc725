//! Clubs.

use anyhow::Context as _;
use api::federation::v1::{Club, CreateClubRequest, DeleteClubRequest, ListClubsRequest, UpdateClubRequest};

use super::{
    print,
    session::{Session, all, ask, mask, name},
    shown::Shown as _,
};

/// What is done with clubs.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Makes a club.
    Add {
        /// The federation's id.
        federation: String,
        /// The name in its own script.
        name: String,
        /// The name in Latin letters, where it is in others.
        #[arg(long)]
        latin: Option<String>,
        /// Where it plays.
        #[arg(long, default_value = "")]
        place: String,
    },
    /// Lists the clubs of a federation.
    List {
        /// The federation's id.
        federation: String,
        /// Only those whose name begins like this.
        #[arg(default_value = "")]
        prefix: String,
        /// Also closed ones.
        #[arg(long)]
        all: bool,
    },
    /// Changes a club.
    Edit {
        /// The club's id.
        club: String,
        /// The name in its own script.
        #[arg(long)]
        name: Option<String>,
        /// The name in Latin letters; with --name.
        #[arg(long, requires = "name")]
        latin: Option<String>,
        /// Where it plays.
        #[arg(long)]
        place: Option<String>,
    },
    /// Closes a club for good; nobody may be in it.
    Close {
        /// The club's id.
        club: String,
    },
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let client = session.federations();
    let club = match command {
        Command::Add { federation, name: native, latin, place } => {
            let name = Some(name(native, latin));
            let club = Club { federation_id: federation, name, place, ..Club::default() };
            let request =
                CreateClubRequest { club: Some(club), request_id: session.new_id(), validate_only: false };
            ask!(client, create_club, request)?.club
        }
        Command::List { federation, prefix, all } => {
            let request = ListClubsRequest {
                federation_id: federation,
                name_prefix: prefix,
                show_closed: all,
                ..Default::default()
            };
            let found = all!(client.clone(), list_clubs, request, clubs);
            let records: Vec<_> = found.iter().map(|club: &Club| club.record()).collect();
            return print::list(session.json, &records);
        }
        Command::Edit { club, name: native, latin, place } => {
            let request = UpdateClubRequest {
                update_mask: mask(&[("name", native.is_some()), ("place", place.is_some())])?,
                club: Some(Club {
                    club_id: club,
                    name: native.map(|native| name(native, latin)),
                    place: place.unwrap_or_default(),
                    ..Club::default()
                }),
                request_id: session.new_id(),
                validate_only: false,
            };
            ask!(client, update_club, request)?.club
        }
        Command::Close { club } => {
            let request =
                DeleteClubRequest { club_id: club, request_id: session.new_id(), ..Default::default() };
            ask!(client, delete_club, request)?.club
        }
    };
    print::one(session.json, &club.context("the server's answer lacks the club")?.record())
}

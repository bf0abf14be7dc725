//! Founding, listing, changing and dissolving federations.

use anyhow::Context as _;
use api::federation::v1::{
    CreateFederationRequest, DeleteFederationRequest, Federation, GetFederationRequest,
    ListFederationsRequest, UpdateFederationRequest,
};

use super::{
    print,
    session::{Session, all, ask, mask, name},
    shown::Shown as _,
};

/// What is done with federations.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Founds a federation; the account is its first administrator.
    Found {
        /// The name in its own script.
        name: String,
        /// The name in Latin letters, where it is in others.
        #[arg(long)]
        latin: Option<String>,
        /// What it says about itself.
        #[arg(long, default_value = "")]
        about: String,
        /// Lets anybody apply for membership.
        #[arg(long)]
        open: bool,
    },
    /// Lists federations.
    List {
        /// Only those whose name begins like this.
        #[arg(default_value = "")]
        prefix: String,
        /// Also dissolved ones.
        #[arg(long)]
        all: bool,
    },
    /// Shows a federation.
    Show {
        /// The federation's id.
        federation: String,
    },
    /// Changes a federation.
    Edit {
        /// The federation's id.
        federation: String,
        /// The name in its own script.
        #[arg(long)]
        name: Option<String>,
        /// The name in Latin letters; with --name.
        #[arg(long, requires = "name")]
        latin: Option<String>,
        /// What it says about itself.
        #[arg(long)]
        about: Option<String>,
        /// Whether anybody may apply for membership.
        #[arg(long)]
        open: Option<bool>,
    },
    /// Dissolves a federation for good.
    Dissolve {
        /// The federation's id.
        federation: String,
    },
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let client = session.federations();
    let federation = match command {
        Command::Found { name: native, latin, about, open } => {
            let name = Some(name(native, latin));
            let federation = Federation { name, about, open, ..Federation::default() };
            let request = CreateFederationRequest {
                federation: Some(federation),
                request_id: session.new_id(),
                validate_only: false,
            };
            ask!(client, create_federation, request)?.federation
        }
        Command::List { prefix, all } => {
            let request =
                ListFederationsRequest { name_prefix: prefix, show_dissolved: all, ..Default::default() };
            let found = all!(client.clone(), list_federations, request, federations);
            let records: Vec<_> = found.iter().map(|federation: &Federation| federation.record()).collect();
            return print::list(session.json, &records);
        }
        Command::Show { federation } => {
            let request = GetFederationRequest { federation_id: federation };
            ask!(client, get_federation, request)?.federation
        }
        Command::Edit { federation, name: native, latin, about, open } => {
            let fields = [("name", native.is_some()), ("about", about.is_some()), ("open", open.is_some())];
            let request = UpdateFederationRequest {
                update_mask: mask(&fields)?,
                federation: Some(Federation {
                    federation_id: federation,
                    name: native.map(|native| name(native, latin)),
                    about: about.unwrap_or_default(),
                    open: open.unwrap_or_default(),
                    ..Federation::default()
                }),
                request_id: session.new_id(),
                validate_only: false,
            };
            ask!(client, update_federation, request)?.federation
        }
        Command::Dissolve { federation } => {
            let request = DeleteFederationRequest {
                federation_id: federation,
                request_id: session.new_id(),
                ..Default::default()
            };
            ask!(client, delete_federation, request)?.federation
        }
    };
    print::one(session.json, &federation.context("the server's answer lacks the federation")?.record())
}

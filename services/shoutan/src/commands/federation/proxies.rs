//! Who acts for members that have no device.

use anyhow::Context as _;
use api::federation::v1::{GiveProxyRequest, ListProxiesRequest, Proxy, WithdrawProxyRequest};

use super::{
    print,
    session::{Session, all, ask},
    shown::Shown as _,
};

/// What is done with proxies.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Lets an account act for a member: by the member himself, or by an administrator, who says how he consented.
    Give {
        /// The member's id.
        member: String,
        /// The name of the account that is to act.
        account: String,
        /// How the member consented, where he does not do so himself.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Withdraws a proxy.
    Withdraw {
        /// The proxy's id.
        proxy: String,
    },
    /// Lists who acts for a member.
    List {
        /// The member's id.
        member: String,
        /// Also those that were withdrawn.
        #[arg(long)]
        all: bool,
    },
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (client, request_id) = (session.membership(), session.new_id());
    let proxy = match command {
        Command::Give { member: member_id, account, reason } => {
            let account_id = session.account(&account).await?;
            let request =
                GiveProxyRequest { member_id, account_id, reason, request_id, validate_only: false };
            ask!(client, give_proxy, request)?.proxy
        }
        Command::Withdraw { proxy: proxy_id } => {
            let request = WithdrawProxyRequest { proxy_id, request_id, validate_only: false };
            ask!(client, withdraw_proxy, request)?.proxy
        }
        Command::List { member: member_id, all } => {
            let request = ListProxiesRequest { member_id, show_withdrawn: all, ..Default::default() };
            let found = all!(client.clone(), list_proxies, request, proxies);
            let records: Vec<_> = found.iter().map(|proxy: &Proxy| proxy.record()).collect();
            return print::list(session.json, &records);
        }
    };
    print::one(session.json, &proxy.context("the server's answer lacks the proxy")?.record())
}

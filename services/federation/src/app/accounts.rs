//! What identity knows of accounts.

use api::{
    client::RetryPolicy,
    identity::v1::{LookUpAccountsRequest, identity_service_client::IdentityServiceClient},
    reason,
    transport::Transport,
};
use chassis::id::AccountId;

use crate::{
    core::refusal::Refusal,
    error::{Error, Result},
};

/// How long identity is asked again before the caller is told to come again.
const PATIENCE: RetryPolicy = RetryPolicy(std::time::Duration::from_secs(1));

/// The accounts of the platform.
#[derive(Clone)]
pub(crate) struct Accounts(pub IdentityServiceClient<Transport>);

impl Accounts {
    /// Makes sure that there is such an account, and that it is no guest's.
    pub(super) async fn require(&self, account: AccountId) -> Result<()> {
        let request = LookUpAccountsRequest { ids: vec![account.to_string()], names: Vec::new() };
        let ask = || async { self.0.clone().look_up_accounts(request.clone()).await };
        let answer = api::client::with_retry(PATIENCE, ask).await.map_err(|_| {
            let message = "the accounts do not answer; try again";
            Error::from(api::Error::unavailable(reason::IDENTITY_UNAVAILABLE, message))
        })?;
        match answer.accounts.first() {
            Some(found) if found.guest => Err(Refusal::Guest.into()),
            Some(_) => Ok(()),
            None => Err(Refusal::UnknownAccount.into()),
        }
    }
}

//! What the handlers of organisations have in common.

use chassis::auth::{self, Scope};
use tonic::{Request, Status};

use crate::{
    app::{Change, Desk},
    error::Error,
    wire::attempt::Mutation,
};

/// Where changes of organisations are handed in.
#[derive(Clone)]
pub(crate) struct Office {
    pub desk: Desk,
}

impl Office {
    /// Carries out what a request asks for, by a caller whose token has this scope.
    pub(super) async fn change<R, C>(&self, request: Request<R>, scope: Scope) -> Result<C::Told, Status>
    where
        R: Mutation,
        C: Change + TryFrom<R, Error = api::Error>,
    {
        Ok(self.try_change::<R, C>(request, scope).await?)
    }

    /// The same, and why not in the words of the service.
    pub(super) async fn try_change<R, C>(&self, request: Request<R>, scope: Scope) -> Result<C::Told, Error>
    where
        R: Mutation,
        C: Change + TryFrom<R, Error = api::Error>,
    {
        let caller = auth::require(&request, scope)?;
        let request = request.into_inner();
        let attempt = request.attempt(caller)?;
        let change = C::try_from(request)?;
        self.desk.carry_out(&attempt, &change).await
    }

    /// The scope for what one does for oneself or as an official: either will do.
    #[expect(clippy::unused_self, reason = "it stands beside what takes it")]
    pub(super) fn own_or_office<T>(&self, request: &Request<T>) -> Scope {
        let own = auth::require(request, Scope::Arbitrate).is_err();
        if own { Scope::Account } else { Scope::Arbitrate }
    }
}

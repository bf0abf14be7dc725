//! Forgets what has expired.

use std::time::Duration;

use super::Identity;
use crate::{
    core::{access_token::DEAD_KEPT, account::GUEST_REPEAT_WINDOW, key::is_forgotten, limit::PLACE_KEPT},
    error::Result,
    store,
};

/// How often. Nothing depends on it: what has expired is refused whether or not it is still there.
pub(crate) const SWEEP_INTERVAL: Duration = Duration::from_mins(10);

impl Identity {
    /// Forgets expired sessions, tokens long dead, and keys whose last token has expired.
    pub(crate) async fn sweep(&self) -> Result<()> {
        let now = self.env.now();
        let on = self.database.write();
        let sessions = store::session::sweep(on, now).await?;
        let access_tokens = store::access_token::sweep(on, now - DEAD_KEPT).await?;
        let places = store::place::sweep(on, now - PLACE_KEPT).await?;
        store::guest_request::sweep(on, now - GUEST_REPEAT_WINDOW).await?;
        let keys = store::key::newest(self.database.read(), &self.vault).await?;
        // A key is retired when the next is made; with the youngest forgotten one go all before it.
        let forgotten = keys.windows(2).find(|pair| is_forgotten(pair[0].created, now));
        let keys = match forgotten {
            Some(pair) => store::key::delete_up_to(on, pair[1].number).await?,
            None => 0,
        };
        tracing::debug!(sessions, access_tokens, places, keys, "what had expired is forgotten");
        Ok(())
    }
}

//! Throws away what nobody reads any more.

use std::time::Duration;

use super::Notices;
use crate::{
    core::notice::{KEPT, KEPT_MAX},
    error::Result,
    store::{notice, notice_box},
};

/// How often that is done.
pub(crate) const INTERVAL: Duration = Duration::from_mins(10);
/// Rows of one statement, and boxes of one look: whoever writes beside it waits for no more.
const AT_ONCE: u64 = 1_000;
/// Statements in one go: a round of ten thousand is swept in one.
const GOES_MAX: u32 = 100;

impl Notices {
    /// Throws away what is too old, and what an account has too many of.
    pub(crate) async fn sweep(&self) -> Result<()> {
        let (on, old) = (self.database.write(), self.env.now() - KEPT);
        for _ in 0..GOES_MAX {
            if notice::prune(on, old, AT_ONCE).await? < AT_ONCE {
                break;
            }
        }
        for (account, up_to) in notice_box::overfull(self.database.read(), KEPT_MAX, AT_ONCE).await? {
            notice::drop_up_to(on, account, up_to).await?;
            notice_box::note_kept(on, account, up_to).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chassis::{Env, Lifecycle, id::AccountId, testing};
    use time::OffsetDateTime;
    use uuid::Uuid;

    use super::*;
    use crate::{
        core::notice::{About, Kind, Telling, To},
        store,
    };

    fn telling(account: AccountId, key: u128) -> Telling {
        let (to, source) = (To::Account(account), Uuid::from_u128(key));
        Telling { to, kind: Kind::Invited, about: About::default(), source, by: None }
    }

    #[tokio::test]
    async fn what_is_old_or_too_much_goes_and_the_rest_stays() {
        for database in testing::databases().await {
            let start = OffsetDateTime::from_unix_timestamp(1_800_000_000).expect("in range");
            let (env, time) = Env::mock(start, 7);
            let live =
                live::connect(&live::Config::new("memory").expect("a place")).await.expect("it is there");
            database.database.migrate::<store::Migrator>().await.expect("tables");
            let on = database.database.read();
            let notices =
                Notices::new(env.clone(), database.database.clone(), Arc::clone(&live), Lifecycle::new());
            let [busy, calm] = [1, 2].map(|id| AccountId::from(Uuid::from_u128(id)));
            notices.put(&[telling(calm, 1)]).await.expect("written");
            time.advance(Duration::from_hours(24));
            let many: Vec<Telling> = (1..=700).map(|key| telling(busy, key)).collect();
            for some in many.chunks(100) {
                notices.put(some).await.expect("written");
            }
            let left = async |account| {
                let found = notice::after(on, account, 0, 1000).await.expect("read");
                found.iter().map(|notice| notice.number).collect::<Vec<u64>>()
            };
            notices.sweep().await.expect("swept");
            assert!(left(busy).await.into_iter().eq(201..=700), "{}", database.kind);
            assert_eq!(left(calm).await, [1]);
            time.advance(Duration::from_hours(90 * 24 - 12));
            notices.sweep().await.expect("swept");
            assert_eq!((left(busy).await.len(), left(calm).await.len()), (500, 0), "{}", database.kind);
            notices.put(&[telling(calm, 2)]).await.expect("written");
            assert_eq!(left(calm).await, [2], "a number is never given again");
        }
    }
}

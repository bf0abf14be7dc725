//! Numbers of which somebody has to be asked who takes his time, such as a database.

use std::{fmt, future::Future, sync::Arc, time::Duration};

use futures::{FutureExt as _, future::BoxFuture};
use parking_lot::Mutex;
use tokio::time::Instant;

/// The values of the labels of a number, and the number.
pub type Answer = (Vec<String>, u64);

/// How long an answer is waited for.
pub(super) const ANSWER_WITHIN: Duration = Duration::from_secs(1);
/// How long answers are told before it is asked anew.
pub(super) const TOLD_FOR: Duration = Duration::from_secs(1);

/// What was last answered.
pub(super) type Told = Arc<Mutex<Vec<Answer>>>;

type Ask = Box<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>;

/// All that is asked.
#[derive(Default)]
pub(super) struct Asked {
    asks: Mutex<Vec<Ask>>,
    refreshed: tokio::sync::Mutex<Option<Instant>>,
}

impl Asked {
    /// Has something asked from now on; where the answers will be.
    pub(super) fn add<F>(&self, ask: impl Fn() -> F + Send + Sync + 'static) -> Told
    where
        F: Future<Output = Option<Vec<Answer>>> + Send + 'static,
    {
        let told = Told::default();
        let answers = Arc::clone(&told);
        self.asks.lock().push(Box::new(move || {
            let (asked, answers) = (ask(), Arc::clone(&answers));
            async move {
                let answered = tokio::time::timeout(ANSWER_WITHIN, asked).await;
                // What was true a while ago is not told for what is.
                *answers.lock() = answered.ok().flatten().unwrap_or_default();
            }
            .boxed()
        }));
        told
    }

    /// Asks for everything, unless somebody just did.
    pub(super) async fn refresh(&self) {
        let mut refreshed = self.refreshed.lock().await;
        if refreshed.is_none_or(|then| then.elapsed() >= TOLD_FOR) {
            let asked: Vec<_> = self.asks.lock().iter().map(|ask| ask()).collect();
            futures::future::join_all(asked).await;
            *refreshed = Some(Instant::now());
        }
    }
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked").field("asks", &self.asks.lock().len()).finish_non_exhaustive()
    }
}

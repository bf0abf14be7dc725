//! What is done for the sake of one call, wherever: each call of a client begins a trace, or goes on with the client's, and the
//! calls that services make for it, and what they come to owe by it, belong to the same.
//!
//! A call knows its trace for as long as it is [under way](current); logs name it. Where its time went is counted by
//! [parts](during), and said of calls that took long. Traces are collected where somebody [says](crate::telemetry) where to.

mod carried;
mod context;

use std::{
    fmt,
    future::Future,
    num::{NonZeroU64, NonZeroU128},
    sync::Arc,
    time::Duration,
};

use http::uri::PathAndQuery;
use parking_lot::Mutex;
use tokio::time::Instant;
use tracing::{Instrument as _, Span};

use crate::Env;

pub use carried::carried;
pub use context::{BadTraceparent, TRACEPARENT, TraceContext};

/// As what everything is logged and collected that tells of traces.
pub const TARGET: &str = "trace";

/// Parts of a call that are told apart; more are counted as the last.
const PARTS_MAX: usize = 16;

tokio::task_local! {
    static CALL: Arc<Call>;
}

/// A call that is under way.
#[derive(Debug)]
pub(crate) struct Call {
    /// What its own calls carry.
    pub context: TraceContext,
    parts: Mutex<Vec<Part>>,
}

/// Where time of a call went.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    of: Of,
    times: u32,
    took: Duration,
}

/// What it was.
#[derive(Clone, Debug, PartialEq)]
enum Of {
    /// Something of the service's own.
    Own(&'static str),
    /// A call of another service.
    Call(PathAndQuery),
}

/// Which calls are sampled, and which are slow.
#[derive(Clone, Debug)]
pub struct Tracing {
    /// Chance.
    pub env: Env,
    /// How many of the traces that begin here are collected, of all: 0 to 1.
    pub sampled: f64,
    /// From when on a call is slow.
    pub slow: Duration,
}

/// What the call that is being answered carries; nothing outside of one.
pub fn current() -> Option<TraceContext> {
    CALL.try_with(|call| call.context).ok()
}

/// Does something and counts the time that it took to the call that is being answered. Parts may lie within each other.
pub async fn during<T>(part: &'static str, work: impl Future<Output = T>) -> T {
    let since = Instant::now();
    let done = work.instrument(tracing::debug_span!(target: TARGET, "part", otel.name = part)).await;
    spent(part, since.elapsed());
    done
}

/// So much of the time of the call that is being answered went there.
pub fn spent(part: &'static str, took: Duration) {
    let _outside_of_a_call = CALL.try_with(|call| call.spent(Of::Own(part), took));
}

/// Goes on with work for the sake of the call that is being answered, wherever it is done.
pub(crate) fn kept<F: Future>(work: F) -> impl Future<Output = F::Output> + use<F> {
    let (call, span) = (CALL.try_with(Arc::clone).ok(), Span::current());
    async move {
        match call {
            Some(call) => CALL.scope(call, work.instrument(span)).await,
            None => work.await,
        }
    }
}

/// Does something for the sake of a call that is over, or under way elsewhere, if there was one.
pub(crate) async fn following<F: Future>(
    context: Option<TraceContext>,
    env: &Env,
    span: Span,
    work: F,
) -> F::Output {
    match context {
        Some(context) => CALL.scope(Call::begin(&span, Some(context), env), work).instrument(span).await,
        None => work.await,
    }
}

impl Call {
    /// A call that begins, as part of a trace, or of a new one, which nobody collects.
    pub(crate) fn begin(span: &Span, of: Option<TraceContext>, env: &Env) -> Arc<Call> {
        let context = crate::telemetry::link(span, of).unwrap_or_else(|| next(of, env));
        Arc::new(Call { context, parts: Mutex::default() })
    }

    /// Answers it.
    pub(crate) fn answer<F: Future>(self: &Arc<Self>, answer: F) -> impl Future<Output = F::Output> + use<F> {
        CALL.scope(Arc::clone(self), answer)
    }

    fn spent(&self, of: Of, took: Duration) {
        let mut parts = self.parts.lock();
        let is_full = parts.len() == PARTS_MAX;
        let known = match parts.iter().position(|part| part.of == of) {
            None if is_full => parts.last_mut(),
            known => known.and_then(|at| parts.get_mut(at)),
        };
        match known {
            Some(part) => {
                part.times += 1;
                part.took += took;
            }
            None => parts.push(Part { of, times: 1, took }),
        }
    }

    /// Where its time went, most of it first.
    pub(crate) fn told(&self) -> String {
        let mut parts = self.parts.lock().clone();
        parts.sort_by_key(|part| std::cmp::Reverse(part.took));
        parts.iter().map(Part::to_string).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Of::Own(name) => f.write_str(name)?,
            Of::Call(path) => f.write_str(path.path().trim_start_matches('/'))?,
        }
        write!(f, " {} ms", self.took.as_millis())?;
        if self.times > 1 { write!(f, " ({} times)", self.times) } else { Ok(()) }
    }
}

impl Tracing {
    /// Whether a trace is collected that somebody began whom we do not know: it is not his to decide.
    pub(crate) fn decide(&self, of: TraceContext) -> TraceContext {
        #[expect(clippy::cast_possible_truncation, reason = "the lower half of it is as good as chance")]
        let drawn = of.trace.get() as u64;
        TraceContext { is_sampled: self.is_within(drawn), ..of }
    }

    #[expect(clippy::cast_precision_loss, reason = "a share of all need not be exact")]
    fn is_within(&self, drawn: u64) -> bool {
        (drawn as f64) < self.sampled * (u64::MAX as f64)
    }
}

/// A part of a trace, or the beginning of one, with a name of its own.
fn next(of: Option<TraceContext>, env: &Env) -> TraceContext {
    let span = NonZeroU64::new(u64::from_be_bytes(env.bytes())).unwrap_or(NonZeroU64::MIN);
    if let Some(of) = of {
        return TraceContext { span, ..of };
    }
    let trace = NonZeroU128::new(u128::from_be_bytes(env.bytes())).unwrap_or(NonZeroU128::MIN);
    TraceContext { trace, span, is_sampled: false }
}

#[cfg(test)]
mod tests;

//! Logs: to standard error, for people or as JSON, filtered by `SHOUTAN_LOG`; and traces, to a collector that speaks OTLP.

mod limits;
#[cfg(feature = "otlp")]
mod otlp;

use std::error::Error;

use tracing::Span;
use tracing_subscriber::{
    EnvFilter, Layer, Registry, fmt, layer::SubscriberExt as _, registry::LookupSpan,
    util::SubscriberInitExt as _,
};

pub use limits::LIMITS;

use crate::trace::TraceContext;

/// What is logged when nobody says otherwise.
const FILTER_DEFAULT: &str = "info,sqlx=warn,sea_orm=warn,h2=warn,hyper=warn";

/// The form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogForm {
    /// Lines for people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Why logging could not be started.
pub type NotStarted = Box<dyn Error + Send + Sync>;

/// Where traces are collected.
#[derive(Clone, Debug, PartialEq)]
pub struct Collector {
    /// The URL of whoever collects them, by OTLP over gRPC.
    pub url: String,
    /// As whom the process tells of itself.
    pub service: String,
    /// How many of the traces that begin here it is told of, of all: 0 to 1.
    pub sampled: f64,
}

/// Starts logging. `filter` is in the language of `tracing` (`info,game=debug`); empty means the default.
///
/// # Errors
/// When the filter cannot be read, or logging was started before.
pub fn start(form: LogForm, filter: &str) -> Result<(), NotStarted> {
    Ok(tracing_subscriber::registry().with(log(form, filter)?).try_init()?)
}

/// Starts logging, and tells a collector of the traces that are sampled; within a runtime of tokio.
///
/// # Errors
/// As [`start`], and when this build cannot tell anybody of traces, or the URL is none.
pub fn start_collected(form: LogForm, filter: &str, collector: &Collector) -> Result<(), NotStarted> {
    #[cfg(feature = "otlp")]
    {
        let traces = otlp::layer(collector)?;
        Ok(tracing_subscriber::registry().with(log(form, filter)?).with(traces).try_init()?)
    }
    #[cfg(not(feature = "otlp"))]
    {
        let _ = (form, filter, collector);
        Err("traces are not in this build: build it with `--features otlp`".into())
    }
}

/// Tells the collector what it was not told yet, and nothing any more; it waits for a few seconds at most.
#[cfg_attr(not(feature = "otlp"), expect(clippy::unused_async, reason = "there is nobody to be told"))]
pub async fn finish() {
    #[cfg(feature = "otlp")]
    otlp::finish().await;
}

/// What a span carries on behalf of a collector, as part of this; nothing where nobody collects it.
pub(crate) fn link(span: &Span, of: Option<TraceContext>) -> Option<TraceContext> {
    #[cfg(feature = "otlp")]
    return otlp::link(span, of);
    #[cfg(not(feature = "otlp"))]
    {
        let _ = (span, of);
        None
    }
}

/// What the calls within a span carry on behalf of a collector; nothing where nobody collects it.
pub(crate) fn context(span: &Span) -> Option<TraceContext> {
    #[cfg(feature = "otlp")]
    return otlp::context(span);
    #[cfg(not(feature = "otlp"))]
    {
        let _ = span;
        None
    }
}

/// The log alone, as a layer: what others want to know does not change what stands in it.
fn log(form: LogForm, filter: &str) -> Result<impl Layer<Registry> + use<>, NotStarted> {
    let filter = EnvFilter::try_new(if filter.is_empty() { FILTER_DEFAULT } else { filter })?;
    Ok(lines(form).with_filter(filter))
}

fn lines<S>(form: LogForm) -> Box<dyn Layer<S> + Send + Sync>
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
{
    match form {
        LogForm::Text => fmt::layer().with_writer(std::io::stderr).boxed(),
        LogForm::Json => fmt::layer().json().with_writer(std::io::stderr).boxed(),
    }
}

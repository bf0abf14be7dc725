//! Traces for a collector: what is sampled goes to it in batches, and what it does not take in time is lost.

use std::num::{NonZeroU64, NonZeroU128};

use opentelemetry::{
    Context, SpanId, TraceFlags, TraceId,
    trace::{SpanContext, TraceContextExt as _, TraceState, TracerProvider as _},
};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::{
    Resource,
    trace::{BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracerProvider},
};
use parking_lot::Mutex;
use tracing::{Span, Subscriber, level_filters::LevelFilter};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::{Layer, filter::Targets, registry::LookupSpan};

use super::{
    Collector, NotStarted,
    limits::{BATCH_WITHIN, LAST_WITHIN, WAITING_MAX},
};
use crate::trace::{TARGET, TraceContext};

/// What tells the collector, as long as it is told.
static PROVIDER: Mutex<Option<SdkTracerProvider>> = Mutex::new(None);

/// The layer that hears of spans: of those of calls and their parts, and of nothing that is only logged.
pub(super) fn layer<S>(collector: &Collector) -> Result<impl Layer<S> + use<S>, NotStarted>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let exporter = SpanExporter::builder()
        .with_tonic()
        .with_endpoint(&collector.url)
        .with_timeout(BATCH_WITHIN)
        .build()?;
    let batches = BatchConfigBuilder::default().with_max_queue_size(WAITING_MAX).build();
    let processor = BatchSpanProcessor::builder(exporter).with_batch_config(batches).build();
    // Of what others have begun it was decided before.
    let sampler = Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(collector.sampled)));
    let resource = Resource::builder_empty().with_service_name(collector.service.clone()).build();
    let provider = SdkTracerProvider::builder()
        .with_span_processor(processor)
        .with_sampler(sampler)
        .with_resource(resource)
        .build();
    let tracer = provider.tracer("shoutan");
    *PROVIDER.lock() = Some(provider);
    let layer = tracing_opentelemetry::layer().with_tracer(tracer).with_location(false).with_threads(false);
    Ok(layer.with_filter(Targets::new().with_target(TARGET, LevelFilter::DEBUG)))
}

/// Tells what was not told yet, and nothing any more.
pub(super) async fn finish() {
    let Some(provider) = PROVIDER.lock().take() else { return };
    // It waits for a thread of its own.
    let told = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(LAST_WITHIN)).await;
    if let Ok(Err(error)) = told {
        tracing::warn!(%error, "the last traces were not collected");
    }
}

/// See [`super::link`].
pub(super) fn link(span: &Span, of: Option<TraceContext>) -> Option<TraceContext> {
    if let Some(of) = of {
        let flags = if of.is_sampled { TraceFlags::SAMPLED } else { TraceFlags::default() };
        let (trace, from) = (TraceId::from(of.trace.get()), SpanId::from(of.span.get()));
        let remote = SpanContext::new(trace, from, flags, true, TraceState::default());
        let _nobody_collects = span.set_parent(Context::new().with_remote_span_context(remote));
    }
    context(span)
}

/// See [`super::context`].
pub(super) fn context(span: &Span) -> Option<TraceContext> {
    let context = span.context();
    let found = context.span();
    let context = found.span_context();
    let trace = NonZeroU128::new(u128::from_be_bytes(context.trace_id().to_bytes()))?;
    let span = NonZeroU64::new(u64::from_be_bytes(context.span_id().to_bytes()))?;
    Some(TraceContext { trace, span, is_sampled: context.is_sampled() })
}

//! Logs: to standard error, for people or as JSON, filtered by `SHOUTAN_LOG`.

use tracing_subscriber::{EnvFilter, fmt, layer::SubscriberExt as _, util::SubscriberInitExt as _};

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

/// Starts logging. `filter` is in the language of `tracing` (`info,game=debug`); empty means the default.
///
/// # Errors
/// When the filter cannot be read, or logging was started before.
pub fn start(form: LogForm, filter: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let filter = EnvFilter::try_new(if filter.is_empty() { FILTER_DEFAULT } else { filter })?;
    let registry = tracing_subscriber::registry().with(filter);
    match form {
        LogForm::Text => registry.with(fmt::layer().with_writer(std::io::stderr)).try_init()?,
        LogForm::Json => registry.with(fmt::layer().json().with_writer(std::io::stderr)).try_init()?,
    }
    Ok(())
}

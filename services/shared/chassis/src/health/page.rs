//! `GET /readyz`: how the parts of a process do, as JSON for people and programs.

use std::collections::BTreeMap;

use axum::{Router, http::StatusCode, http::header::CONTENT_TYPE, response::IntoResponse as _, routing::get};
use serde::{Deserialize, Serialize};
use time::format_description::well_known::Rfc3339;

use super::PartState;
use crate::{Env, Lifecycle};

/// Where it is found.
pub const READY_PATH: &str = "/readyz";

/// What `/readyz` answers: with 200 when all is ready, with 503 otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// Whether every part works and the process is not stopping.
    pub ready: bool,
    /// Whether the process has been told to stop.
    pub stopping: bool,
    /// Every part that has reported, by service and name.
    pub parts: Vec<PartPage>,
    /// The background tasks that have panicked since the start, and how often.
    pub panics: BTreeMap<String, u64>,
}

/// How a part does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartPage {
    /// The service of the platform.
    pub service: String,
    /// What of it: `database`, `live state`.
    pub part: String,
    /// Whether it works.
    pub working: bool,
    /// Why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Since when it is so, in RFC 3339.
    pub since: String,
}

impl Page {
    fn of(lifecycle: &Lifecycle, env: &Env) -> Self {
        let now = env.now();
        let parts = lifecycle.health().list().into_iter().map(|part| PartPage {
            service: part.name.0.to_owned(),
            part: part.name.1.to_owned(),
            working: part.state == PartState::Working,
            reason: match part.state {
                PartState::Working => None,
                PartState::Failing(why) => Some(why),
                PartState::Awaited => Some("it has not answered yet".to_owned()),
            },
            since: (now - part.lasting).format(&Rfc3339).unwrap_or_default(),
        });
        let parts = parts.collect::<Vec<_>>();
        let stopping = lifecycle.stopping().is_cancelled();
        let panics = lifecycle.health().panics().into_iter();
        Page {
            ready: !stopping && parts.iter().all(|part| part.working),
            stopping,
            parts,
            panics: panics.map(|((service, task), count)| (format!("{service} {task}"), count)).collect(),
        }
    }
}

/// The route that answers it.
pub(crate) fn route(lifecycle: &Lifecycle, env: &Env) -> Router {
    let (lifecycle, env) = (lifecycle.clone(), env.clone());
    let answer = move || async move {
        let page = Page::of(&lifecycle, &env);
        let code = if page.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        let text = serde_json::to_string(&page).expect("a page of plain text is written as JSON");
        (code, [(CONTENT_TYPE, "application/json")], text).into_response()
    };
    Router::new().route(READY_PATH, get(answer))
}

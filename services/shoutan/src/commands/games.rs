//! Archives of games, as events and leagues have them written.

use std::{cell::Cell, path::Path};

use api::federation::v1::ExportGamesRequest;
use futures::StreamExt as _;
use serde_json::json;

use super::{files, print, session::Session};

/// Writes the games of an event or a season into a file that is not there yet.
pub(super) async fn write(session: &Session, of: ExportGamesRequest, file: &Path) -> anyhow::Result<()> {
    let (exchange, counts) = (session.exchange(), Cell::new((0, 0)));
    let counted = &counts;
    let ask = async |offset, sha256| {
        let mut answers = exchange
            .clone()
            .export_games(ExportGamesRequest { offset, sha256, ..of.clone() })
            .await?
            .into_inner();
        // Every part says how many there are.
        let first = answers.message().await?.unwrap_or_default();
        counted.set((first.games, first.records));
        let rest = answers.map(|part| part.map(|it| it.part.unwrap_or_default()));
        Ok(futures::stream::iter(first.part.map(Ok)).chain(rest).boxed())
    };
    let bytes = files::receive(ask).await?;
    files::write_new(file, &bytes)?;
    let (games, records) = counts.get();
    let told = vec![
        ("file", json!(file)),
        ("bytes", json!(bytes.len())),
        ("games", json!(games)),
        ("records", json!(records)),
    ];
    print::one(session.json, &told)
}

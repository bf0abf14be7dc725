//! Files that are sent to federations and fetched from them, in parts, with a bar on standard error.

use std::{
    cell::RefCell,
    fs::OpenOptions,
    io::{Read as _, Write as _},
    path::Path,
};

use anyhow::{Context as _, ensure};
use api::{
    client::{RetryPolicy, with_retry},
    federation::v1::{FilePart, ImportProgress, PutFilePartRequest, import_progress::Step},
};
use futures::{StreamExt as _, stream::BoxStream};
use indicatif::{ProgressBar, ProgressStyle};
use sha2::{Digest as _, Sha256};
use tonic::{Response, Status};

use super::{
    regular_file,
    session::{Session, ask},
};

/// The size of the parts that are sent: as much as a slow line takes in a second or two.
const PART_BYTES: usize = 256 << 10;

/// Sends a file for a federation, and gives its id. It follows from what is in it, so that whoever was cut off and sends it
/// again goes on where he stopped.
pub(super) async fn send(session: &Session, federation: &str, file: &Path) -> anyhow::Result<String> {
    let reading = || format!("reading {}", file.display());
    let mut bytes = Vec::new();
    regular_file::open(file).with_context(reading)?.read_to_end(&mut bytes).with_context(reading)?;
    ensure!(!bytes.is_empty(), "{} is empty", file.display());
    let sha256: [u8; 32] = Sha256::digest(&bytes).into();
    let of_federation = Sha256::new().chain_update(federation).chain_update(sha256).finalize();
    let file_id = chassis::id::of_digest(of_federation.into()).to_string();
    let (client, size) = (session.exchange(), bytes.len() as u64);
    let part = |offset: usize, data: &[u8]| PutFilePartRequest {
        file_id: file_id.clone(),
        federation_id: federation.to_owned(),
        size,
        sha256: sha256.to_vec(),
        offset: offset as u64,
        data: data.to_vec(),
    };
    let bar = bytes_bar(size);
    let mut received = ask!(client.clone(), put_file_part, part(0, &[]))?.received;
    while received < size {
        bar.set_position(received);
        let from = usize::try_from(received)?;
        let data = &bytes[from..bytes.len().min(from + PART_BYTES)];
        received = ask!(client.clone(), put_file_part, part(from, data))?.received;
    }
    bar.finish_and_clear();
    Ok(file_id)
}

/// Fetches a file whose rest is asked for by offset and hash, however often the line breaks.
pub(super) async fn receive(
    ask: impl AsyncFn(u64, Vec<u8>) -> Result<BoxStream<'static, Result<FilePart, Status>>, Status>,
) -> anyhow::Result<Vec<u8>> {
    let bar = bytes_bar(0);
    let so_far = RefCell::new((Vec::new(), Vec::new()));
    let call = || async {
        let (offset, sha256) = {
            let (bytes, sha256) = &*so_far.borrow();
            (bytes.len() as u64, sha256.clone())
        };
        let mut parts = ask(offset, sha256).await?;
        while let Some(part) = parts.next().await {
            let FilePart { size, sha256, data, .. } = part?;
            let (bytes, hash) = &mut *so_far.borrow_mut();
            bytes.extend_from_slice(&data);
            *hash = sha256;
            bar.set_length(size);
            bar.set_position(bytes.len() as u64);
        }
        Ok(Response::new(()))
    };
    let fetched = with_retry(RetryPolicy::default(), call).await;
    bar.finish_and_clear();
    fetched?;
    let (bytes, sha256) = so_far.into_inner();
    ensure!(Sha256::digest(&bytes)[..] == sha256, "what came is not what was announced");
    Ok(bytes)
}

/// Writes a file that is not there yet.
pub(super) fn write_new(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let writing = || format!("writing {}", file.display());
    let mut new = OpenOptions::new().write(true).create_new(true).open(file).with_context(writing)?;
    new.write_all(bytes).and_then(|()| new.sync_all()).with_context(writing)
}

/// A bar of what is imported.
pub(super) fn lines_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} {msg}");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Shows how far an import is.
pub(super) fn show(bar: &ProgressBar, progress: &ImportProgress) {
    let what = match progress.step() {
        Step::Writing => "written",
        Step::Reading | Step::Unspecified => "read",
    };
    bar.set_message(what);
    bar.set_length(progress.total.into());
    bar.set_position(progress.done.into());
}

/// A bar of bytes.
pub(super) fn bytes_bar(size: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {bytes} of {total_bytes}");
    ProgressBar::new(size).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

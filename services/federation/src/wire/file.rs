//! Files that come in and go out, between protos and `core`.

use api::{federation::v1 as pb, reason};
use bytes::Bytes;
use chassis::id::{FederationId, FileId};
use tokio::sync::mpsc;

use crate::core::file::{Part, Sent};

/// How much of what is told of an import waits for a slow reader; what does not fit is left out.
const WAITING: usize = 16;

/// How far an import is.
pub(crate) use pb::import_progress::Step;

/// Somebody who wants to know how far an import is, or nobody.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listener(Option<mpsc::Sender<pb::ImportProgress>>);

impl Listener {
    /// One, and where he hears it.
    pub(crate) fn new() -> (Listener, mpsc::Receiver<pb::ImportProgress>) {
        let (tell, told) = mpsc::channel(WAITING);
        (Listener(Some(tell)), told)
    }

    /// Tells how far it is; who is not listening just now hears the next.
    pub(crate) fn tell(&self, step: Step, done: usize, total: usize) {
        if let Some(tell) = &self.0 {
            let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
            let progress = pb::ImportProgress { step: step.into(), done: number(done), total: number(total) };
            let _ = tell.try_send(progress);
        }
    }
}

impl TryFrom<pb::PutFilePartRequest> for Part {
    type Error = api::Error;

    fn try_from(request: pb::PutFilePartRequest) -> Result<Self, api::Error> {
        let pb::PutFilePartRequest { file_id, federation_id, size, sha256, offset, data } = request;
        let of = Sent {
            federation: FederationId::parse(&federation_id, "federation_id")?,
            size,
            sha256: digest(sha256)?,
        };
        Ok(Part { file: FileId::parse(&file_id, "file_id")?, of, offset, data })
    }
}

/// A file that goes out, and from where on.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    /// From which byte on.
    pub offset: u64,
    /// SHA-256 of the file of which the rest is asked for; none to take it as it is.
    pub of: Option<[u8; 32]>,
}

impl Rest {
    /// What is asked for.
    ///
    /// # Errors
    /// INVALID_ARGUMENT with BAD_FILE, of a hash that is none.
    pub(crate) fn parse(offset: u64, sha256: Vec<u8>) -> Result<Rest, api::Error> {
        let of = if sha256.is_empty() { None } else { Some(digest(sha256)?) };
        Ok(Rest { offset, of })
    }
}

/// A part of a file as it is told.
pub(crate) fn told((size, sha256): (u64, [u8; 32]), offset: u64, data: &Bytes) -> pb::FilePart {
    pb::FilePart { offset, size, sha256: sha256.to_vec(), data: data.to_vec() }
}

fn digest(bytes: Vec<u8>) -> Result<[u8; 32], api::Error> {
    bytes.try_into().map_err(|_| api::Error::invalid(reason::BAD_FILE, "sha256", "a SHA-256 has 32 bytes"))
}

//! Files of members between protos and `core`.

use api::{federation::v1 as pb, reason};
use bytes::Bytes;
use chassis::id::{FederationId, FileId};

use super::file::Listener;
use crate::core::{import::Problem, limits::IMPORT_BYTES_MAX};

/// Takes the members of a file in.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    /// Into which federation.
    pub federation: FederationId,
    /// The file.
    pub csv: Bytes,
    /// Who wants to know how far it is.
    pub listener: Listener,
}

/// Takes the members of a file in that was sent in parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RosterFile {
    /// Into which federation.
    pub federation: FederationId,
    /// The file.
    pub file: FileId,
}

/// What a file does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// New members.
    pub created: u32,
    /// Changed members.
    pub changed: u32,
    /// Those who are as the file has them.
    pub unchanged: u32,
}

impl Counts {
    /// As they are kept with the request.
    pub(crate) fn written(self) -> String {
        format!("{} {} {}", self.created, self.changed, self.unchanged)
    }

    /// As they were kept.
    pub(crate) fn read(text: &str) -> Counts {
        let mut numbers = text.split(' ').map(|number| number.parse().unwrap_or_default());
        let mut next = || numbers.next().unwrap_or_default();
        Counts { created: next(), changed: next(), unchanged: next() }
    }
}

impl TryFrom<pb::ImportMembersRequest> for Import {
    type Error = api::Error;

    fn try_from(request: pb::ImportMembersRequest) -> Result<Self, api::Error> {
        let federation = FederationId::parse(&request.federation_id, "federation_id")?;
        if request.csv.len() > IMPORT_BYTES_MAX {
            let message = "a file of more than 2 MiB is sent in parts: ExchangeService.PutFilePart";
            return Err(api::Error::invalid(reason::BAD_IMPORT, "csv", message));
        }
        Ok(Import { federation, csv: request.csv.into(), listener: Listener::default() })
    }
}

impl TryFrom<pb::ImportRosterRequest> for RosterFile {
    type Error = api::Error;

    fn try_from(request: pb::ImportRosterRequest) -> Result<Self, api::Error> {
        let federation = FederationId::parse(&request.federation_id, "federation_id")?;
        Ok(RosterFile { federation, file: FileId::parse(&request.file_id, "file_id")? })
    }
}

/// The answer to an import.
pub(crate) fn told(counts: Counts, problems: &[Problem], problem_count: usize) -> pb::ImportMembersResponse {
    pb::ImportMembersResponse {
        created: counts.created,
        changed: counts.changed,
        unchanged: counts.unchanged,
        problems: problems.iter().map(pb::LineProblem::from).collect(),
        problem_count: u32::try_from(problem_count).unwrap_or(u32::MAX),
    }
}

impl From<&Problem> for pb::LineProblem {
    fn from(problem: &Problem) -> Self {
        pb::LineProblem {
            line: problem.line,
            column: problem.column.clone(),
            reason: problem.reason.to_string(),
            message: problem.message.clone(),
        }
    }
}

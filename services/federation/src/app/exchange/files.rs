//! Files in parts: those that come in are kept until they are imported, and of those that go out the rest can be asked for.

use bytes::Bytes;
use chassis::{
    auth::Caller,
    database::{Transaction, retry_contended},
    id::{FederationId, FileId},
};
use sha2::{Digest as _, Sha256};

use super::Exchange;
use crate::{
    app::turn::Turn,
    core::{
        file::{FILES_BYTES_MAX, FILES_MAX, FILES_PER_ACCOUNT_MAX, Part},
        permit::Act,
        refusal::Refusal,
    },
    error::Result,
    store,
    wire::file::Rest,
};

/// The size of the parts in which files go out: a message of which many fit into a connection's window.
pub(crate) const PART_BYTES: usize = 256 << 10;

/// A file that goes out, from where it was asked for on.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    /// How many bytes are before the rest.
    pub offset: u64,
    /// What is asked for of it.
    pub rest: Bytes,
    /// The size of all of it, and its SHA-256.
    pub whole: (u64, [u8; 32]),
}

impl Outgoing {
    /// The rest of a file.
    ///
    /// # Errors
    /// When another file was meant, or it is shorter.
    pub(super) fn new(mut file: Bytes, rest: &Rest) -> Result<Outgoing, Refusal> {
        let whole = (file.len() as u64, Sha256::digest(&file).into());
        if rest.of.is_some_and(|of| of != whole.1) {
            return Err(Refusal::FileChanged);
        }
        let offset = usize::try_from(rest.offset).ok().filter(|offset| *offset <= file.len());
        let offset = offset.ok_or(Refusal::BadOffset(whole.0))?;
        Ok(Outgoing { offset: rest.offset, rest: file.split_off(offset), whole })
    }
}

impl Exchange {
    /// Takes the next part of a file, and says how much of it is there.
    pub(crate) async fn put(&self, caller: &Caller, part: &Part) -> Result<u64> {
        let desk = &self.desk;
        retry_contended(|| async {
            let transaction = desk.database.begin().await?;
            let written = self.put_in(&transaction, caller, part).await;
            transaction.finish(written).await
        })
        .await
    }

    async fn put_in(&self, on: &Transaction, caller: &Caller, part: &Part) -> Result<u64> {
        let turn = Turn::new(&self.desk, on, caller);
        turn.require(part.of.federation, Act::KeepMembers).await?;
        let known = store::file::find(on, caller.id, part.file).await?;
        let news = part.news(known.as_ref().map(|(sent, received)| (sent, *received)))?;
        let key = (caller.id, part.file);
        if known.is_none() {
            turn.federation(part.of.federation).await?;
            self.find_room(on, caller, part.of.size).await?;
            store::file::insert(on, key, &part.of, self.desk.env.now()).await?;
        }
        let received = known.map_or(0, |(_, received)| received);
        if !news.is_empty() {
            store::file::append(on, key, received, news).await?;
        }
        Ok(received + news.len() as u64)
    }

    async fn find_room(&self, on: &Transaction, caller: &Caller, size: u64) -> Result<()> {
        if store::file::count(on, caller.id).await? >= FILES_PER_ACCOUNT_MAX {
            return Err(Refusal::TooManyFiles(FILES_PER_ACCOUNT_MAX, "files of an account").into());
        }
        let (files, bytes) = store::file::all(on, FILES_MAX).await?;
        if files >= FILES_MAX {
            return Err(Refusal::TooManyFiles(FILES_MAX, "files").into());
        }
        if bytes + size > FILES_BYTES_MAX {
            return Err(Refusal::TooManyFiles(FILES_BYTES_MAX, "bytes of files").into());
        }
        Ok(())
    }

    /// All of a file that the caller has sent for a federation.
    ///
    /// # Errors
    /// When there is none, it is not whole, or it is another than its hash says.
    pub(super) async fn whole(
        &self,
        caller: &Caller,
        (federation, file): (FederationId, FileId),
    ) -> Result<Bytes> {
        let on = self.desk.database.read();
        let found = store::file::find(on, caller.id, file).await?;
        let found = found.filter(|(sent, _)| sent.federation == federation);
        let (sent, received) = found.ok_or(Refusal::UnknownFile)?;
        if received < sent.size {
            return Err(Refusal::BadFile("it is not whole: parts of it are missing").into());
        }
        let bytes = store::file::read(on, caller.id, file).await?;
        if Sha256::digest(&bytes)[..] != sent.sha256 {
            return Err(Refusal::BadFile("it is another than its hash says").into());
        }
        Ok(bytes.into())
    }
}

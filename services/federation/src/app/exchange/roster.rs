//! The members of a federation as a file.

use std::{collections::HashMap, sync::Arc};

use api::federation::v1 as pb;
use bytes::Bytes;
use chassis::{
    auth::Caller,
    background,
    id::{ClubId, FederationId},
};
use tokio::sync::{mpsc, oneshot};

use super::{Exchange, Outgoing};
use crate::{
    app::turn::{sight_of, standings},
    core::{
        club::Club,
        file::FILE_BYTES_MAX,
        member::{Filter, Member, Sight, StateKind},
        permit::{Act, may},
        refusal::Refusal,
        roster,
    },
    error::{Error, Result},
    store,
    wire::{
        attempt::Attempt,
        file::{Listener, Rest},
        import::{Counts, Import, RosterFile},
    },
};

/// Members that are read at once.
const PAGE: u64 = 1_000;

/// What an import tells: how far it is, as it goes on, and what came of it.
pub(crate) struct Told<T> {
    /// How far it is.
    pub progress: mpsc::Receiver<pb::ImportProgress>,
    /// What came of it.
    pub outcome: oneshot::Receiver<Result<T>>,
}

impl Exchange {
    /// Takes the members of a file in that was sent, all or none, and tells how far it is. Who does not listen any more has
    /// it done all the same.
    pub(crate) async fn import_roster(
        self: &Arc<Self>,
        attempt: Attempt,
        wanted: RosterFile,
    ) -> Result<Told<Counts>> {
        self.require(&attempt.caller, wanted.federation).await?;
        let (listener, progress) = Listener::new();
        let (tell, outcome) = oneshot::channel();
        let exchange = Arc::clone(self);
        self.lifecycle.spawn("importing members", async move {
            let counts = exchange.take_roster(&attempt, wanted, listener).await;
            let _ = tell.send(counts);
        });
        Ok(Told { progress, outcome })
    }

    async fn take_roster(&self, attempt: &Attempt, wanted: RosterFile, listener: Listener) -> Result<Counts> {
        let _turn = self.turns.turn().await?;
        // What was taken is told also when its file is forgotten.
        if let Some(made) = self.desk.made_before(attempt).await? {
            return Ok(Counts::read(&made.counts));
        }
        let RosterFile { federation, file } = wanted;
        let csv = self.whole(&attempt.caller, (federation, file)).await?;
        self.desk.carry_out(attempt, &Import { federation, csv, listener }).await
    }

    /// The members of a federation as a file of CSV, from where it is asked for on.
    pub(crate) async fn export_roster(
        &self,
        caller: &Caller,
        federation: FederationId,
        byte_order_mark: bool,
        rest: &Rest,
    ) -> Result<Outgoing> {
        let sight = self.require(caller, federation).await?;
        let _turn = self.turns.turn().await?;
        let clubs = self.club_names(federation).await?;
        let lists = store::member_number::lists(self.desk.database.read(), federation).await?;
        let mut file = roster::Writer::new(&lists, clubs, sight, byte_order_mark);
        let mut after = None;
        loop {
            let page = self.page_of_members(federation, after).await?;
            after = page.last().map(|last| last.id.uuid());
            let is_last = page.len() < usize::try_from(PAGE).unwrap_or(usize::MAX);
            let wrote = background::aside(&self.desk.env, move || {
                // With many lists of numbers a page of members could be more than memory has.
                for member in &page {
                    if file.len() as u64 <= FILE_BYTES_MAX {
                        file.member(member);
                    }
                }
                file
            });
            file = wrote.await.map_err(|_| Error::Stopping)?;
            if file.len() as u64 > FILE_BYTES_MAX {
                return Err(Refusal::BadFile("it would be larger than 32 MiB").into());
            }
            if is_last {
                break;
            }
        }
        Ok(Outgoing::new(Bytes::from(file.finish()), rest)?)
    }

    async fn page_of_members(
        &self,
        federation: FederationId,
        after: Option<uuid::Uuid>,
    ) -> Result<Vec<Member>> {
        let desk = &self.desk;
        let filter =
            Filter { federation, state: StateKind::Active, club: None, prefix: String::new(), account: None };
        let today = desk.env.now().date();
        Ok(store::member::list(desk.database.read(), &filter, today, after, PAGE).await?)
    }

    pub(super) async fn club_names(&self, federation: FederationId) -> Result<HashMap<ClubId, String>> {
        let on = self.desk.database.read();
        let clubs = store::club::list(on, federation, "", false, None, u64::from(u32::MAX)).await?;
        Ok(clubs.into_iter().map(|Club { id, name, .. }| (id, name.native)).collect())
    }

    /// Makes sure that the caller keeps the members of a federation, and says how much he sees of them.
    pub(super) async fn require(&self, caller: &Caller, federation: FederationId) -> Result<Sight> {
        let on = self.desk.database.read();
        store::federation::find(on, federation).await?.ok_or(Refusal::UnknownFederation)?;
        let standings = standings(on, federation, caller.id).await?;
        if may(standings.iter().copied(), Act::KeepMembers) {
            Ok(sight_of(&standings))
        } else {
            Err(Refusal::NotAnOfficial.into())
        }
    }
}

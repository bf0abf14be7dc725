//! What something else writes to the log of an event, in a transaction of its own: the event goes on with it, or neither does.

use std::sync::Arc;

use chassis::{database::Transaction, id::EventId};

use super::{Current, Events, command::numbered, obligations::obligations, published};
use crate::{
    core::{
        event::{Actor, Fact, told},
        notice::Telling,
    },
    error::Result,
    store::event::{
        head, log,
        note::{self, Note},
    },
};

impl Events {
    /// Writes facts as the next entries of an event's log, with the note that stands beside them, and says what they tell.
    ///
    /// # Errors
    /// [`chassis::database::StoreError::Contended`] when somebody else has written to it since.
    pub(crate) async fn write_within(
        &self,
        on: &Transaction,
        current: &Current,
        actor: Actor,
        (facts, note): (Vec<Fact>, Option<Note>),
    ) -> Result<Vec<Telling>> {
        let entries = numbered(&current.event, self.env.now(), actor, None, facts);
        let (mut next, mut owed, mut tellings) = (Arc::clone(&current.event), Vec::new(), Vec::new());
        for entry in &entries {
            tellings.extend(told(&next, entry));
            let event = Arc::make_mut(&mut next);
            event.apply(entry)?;
            owed.extend(obligations(event, &entry.fact));
        }
        let notes: Vec<(u64, Note)> = note
            .into_iter()
            .filter_map(|note| {
                let of = entries.iter().find(|entry| entry.fact.sealed() == Some(note.sealed()))?;
                Some((of.sequence, note))
            })
            .collect();
        let stored = log::sealed(next.id, entries, Some(current.hash));
        log::append(on, next.id, &stored, None).await?;
        head::update(on, &next).await?;
        note::insert(on, next.id, &notes).await?;
        self.outbox.insert(on, owed).await?;
        Ok(tellings)
    }

    /// Has whoever follows an event look at it again: something else has written to its log.
    pub(crate) async fn follow_on(&self, event: EventId) {
        if let Ok(current) = self.current(event).await {
            published::tell(&*self.live, event, current.event.sequence).await;
        }
    }
}

//! Papers: made for whoever asks, and posted on notice boards by officials.

mod source;

use std::sync::Arc;

use chassis::{auth::Caller, database::StoreError, id::MemberId};
use papers::Notice;
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{
    Change, Desk, RatingLists,
    desk::Made,
    event::{
        AsOf, Events,
        queue::{self, Queue},
    },
    league::Leagues,
    turn::{Turn, room, standings},
};
use crate::{
    core::{
        document::{Board, DOCUMENTS_MAX, Document, DocumentFault, Format, Withdrawal},
        event,
        permit::{Act, may},
        refusal::Refusal,
    },
    error::{Error, Result},
    store::{self, document::Packed},
    wire::{
        attempt::Attempt,
        document::{List, Of, Place, Posting, Rendering, Withdrawing},
    },
};

/// Where papers are made and posted.
pub(crate) struct Documents {
    desk: Desk,
    events: Arc<Events>,
    leagues: Leagues,
    lists: RatingLists,
    renderings: Queue,
    /// For whom names are read and papers are made, or who wait for it.
    places: Semaphore,
}

/// A page, or what stands on it.
pub(crate) struct Page {
    /// As it is written.
    pub text: String,
    /// SHA-256 of that.
    pub digest: [u8; 32],
    /// In which languages.
    languages: Vec<String>,
    /// Of which round it is; 0 for none.
    pub round: u16,
    /// The last entry that it knows of.
    pub sequence: u64,
    /// Members whose names stand on it.
    named: Vec<MemberId>,
}

/// Hangs a paper that is made.
struct Post {
    document: Document,
    page: Packed,
    named: Vec<MemberId>,
}

/// Takes a paper down.
struct Withdraw {
    board: Board,
    asked: Withdrawing,
}

impl Documents {
    pub(crate) fn new(desk: Desk, events: Arc<Events>, lists: RatingLists) -> Documents {
        let renderings = Queue::of_papers(&desk.env);
        let leagues = Leagues { desk: desk.clone(), events: Arc::clone(&events) };
        Documents { desk, events, leagues, lists, renderings, places: Semaphore::new(queue::PAPERS_KEPT) }
    }

    /// A paper as somebody may see it.
    pub(crate) async fn render(&self, caller: Option<&Caller>, asked: Rendering) -> Result<Page> {
        let as_of = if asked.sequence == 0 { AsOf::Now } else { AsOf::Sequence(asked.sequence) };
        let _place = self.places.try_acquire().map_err(|_| Error::Busy)?;
        let source = self.source(caller, &asked.which, as_of).await?;
        Ok(self.written(source, asked.which.languages, asked.format).await?.0)
    }

    /// Posts a paper, made as everybody sees what it is of: nobody learns a result sooner by it.
    pub(crate) async fn post(&self, attempt: &Attempt, asked: Posting) -> Result<Document> {
        let board = self.board_to_write(&attempt.caller, asked.place).await?;
        let Posting { which, title, text, .. } = asked;
        let place = self.places.try_acquire().map_err(|_| Error::Busy)?;
        let source = if which.of == Of::Nothing {
            let notice = Notice { title: title.clone(), text, ..Notice::default() };
            self.notice(&attempt.caller, board, notice).await?
        } else {
            self.source(None, &which, AsOf::Now).await?
        };
        source.is_of(board.federation)?;
        let subject = source.subject();
        let (page, packed) = self.written(source, which.languages, Format::Html).await?;
        drop(place);
        let document = Document {
            id: self.desk.env.uuid(),
            board,
            kind: which.kind,
            round: page.round,
            subject,
            title,
            languages: page.languages,
            posted_by: attempt.caller.id,
            posted: self.desk.env.now(),
            sequence: page.sequence,
            digest: page.digest,
            size: u32::try_from(page.text.len()).unwrap_or(u32::MAX),
            withdrawn: None,
            redacted: None,
        };
        self.desk.carry_out(attempt, &Post { document, page: packed, named: page.named }).await
    }

    /// A paper that was posted, with its page while it hangs.
    pub(crate) async fn get(&self, caller: Option<&Caller>, id: Uuid) -> Result<(Document, Vec<u8>)> {
        let document = self.find(id).await?;
        if let Some(event) = document.board.event {
            self.events.admit(caller, event).await.map_err(|error| match error {
                Error::UnknownEvent => DocumentFault::Unknown.into(),
                error => error,
            })?;
        }
        let page = store::document::page(self.desk.database.read(), id).await?;
        Ok((document, page.unwrap_or_default()))
    }

    /// What hangs on a board, or hung there, the newest first.
    pub(crate) async fn list(&self, caller: Option<&Caller>, list: &List) -> Result<(Vec<Document>, String)> {
        let board = match list.place {
            Place::Event(id) => {
                let event = self.events.admit(caller, id).await?.event;
                Board { federation: event.federation, event: Some(id) }
            }
            Place::Federation(id) => {
                self.desk.federation(id).await.map(|it| Board { federation: it.id, event: None })?
            }
        };
        let (on, page) = (self.desk.database.read(), &list.page);
        let found = store::document::list(on, board, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.id))
    }

    /// Withdraws a paper.
    pub(crate) async fn withdraw(&self, attempt: &Attempt, asked: Withdrawing) -> Result<Document> {
        let board = self.find(asked.id).await?.board;
        let place = board.event.map_or(Place::Federation(board.federation), Place::Event);
        self.board_to_write(&attempt.caller, place).await?;
        self.desk.carry_out(attempt, &Withdraw { board, asked }).await
    }

    async fn find(&self, id: Uuid) -> Result<Document> {
        let found = store::document::find(self.desk.database.read(), id).await?;
        Ok(found.ok_or(DocumentFault::Unknown)?)
    }

    /// A board on which somebody may post.
    async fn board_to_write(&self, caller: &Caller, place: Place) -> Result<Board> {
        match place {
            Place::Event(id) => {
                let admitted = self.events.admit(Some(caller), id).await?;
                let (roles, event) = (admitted.roles, admitted.event);
                event::role::allowed(event::Act::Post, &roles, event.stage).map_err(event::Refusal::from)?;
                Ok(Board { federation: event.federation, event: Some(id) })
            }
            Place::Federation(id) => {
                let federation = self.desk.federation(id).await?.id;
                let standings = standings(self.desk.database.read(), federation, caller.id).await?;
                if !may(standings, Act::Post) {
                    return Err(Refusal::NotAnOfficial.into());
                }
                Ok(Board { federation, event: None })
            }
        }
    }
}

impl Change for Post {
    type Told = Document;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let board = self.document.board;
        turn.federation(board.federation).await?;
        let count = store::document::count(turn.on, board).await?;
        room(count, DOCUMENTS_MAX, "papers on a notice board")?;
        // Who was forgotten since the page was made is not on it: whoever posts it comes again, and it is made anew.
        if store::member::has_erased(turn.on, &self.named).await? {
            return Err(StoreError::Contended.into());
        }
        store::document::insert(turn.on, &self.document, &self.page).await?;
        Ok(self.document.id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Document> {
        Ok(store::document::find(turn.on, made.id).await?.ok_or(DocumentFault::Unknown)?)
    }
}

impl Change for Withdraw {
    type Told = Document;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        turn.federation(self.board.federation).await?;
        let id = self.asked.id;
        let found = store::document::find(turn.on, id).await?.ok_or(DocumentFault::Unknown)?;
        if found.withdrawn.is_none() {
            let (by, reason) = (turn.caller.id, self.asked.reason.clone());
            let withdrawal = Withdrawal { by, at: turn.now(), reason };
            store::document::withdraw(turn.on, id, &withdrawal).await?;
        }
        Ok(id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Document> {
        Ok(store::document::find(turn.on, made.id).await?.ok_or(DocumentFault::Unknown)?)
    }
}

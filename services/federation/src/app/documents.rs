//! Papers: made for whoever asks, and posted on notice boards by officials.

use std::{collections::BTreeMap, sync::Arc};

use catalogue::Catalogue;
use chassis::{
    auth::Caller,
    database::StoreError,
    id::{ClubId, MemberId},
};
use papers::{Head, Notice, Paper, Sheet, html};
use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{
    Change, Desk,
    desk::Made,
    event::{
        AsOf, Events,
        queue::{self, Queue},
    },
    turn::{Turn, room, standings},
};
use crate::{
    core::{
        document::{
            Board, DOCUMENT_BYTES_MAX, DOCUMENTS_MAX, Document, DocumentFault, Format, Kind, Withdrawal,
        },
        event::{
            self, Event,
            paper::{Known, Names, moment, told},
        },
        member::Member,
        permit::{Act, may},
        refusal::Refusal,
    },
    error::{Error, Result},
    store::{self, document::Packed},
    wire::{
        attempt::Attempt,
        document::{List, Place, Posting, Rendering, Which, Withdrawing},
    },
};

/// Where papers are made and posted.
pub(crate) struct Documents {
    desk: Desk,
    events: Arc<Events>,
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
    pub(crate) fn new(desk: Desk, events: Arc<Events>) -> Documents {
        let renderings = Queue::of_papers(&desk.env);
        Documents { desk, events, renderings, places: Semaphore::new(queue::PAPERS_KEPT) }
    }

    /// A paper of an event as somebody sees it.
    pub(crate) async fn render(&self, caller: Option<&Caller>, asked: Rendering) -> Result<Page> {
        let as_of = if asked.sequence == 0 { AsOf::Now } else { AsOf::Sequence(asked.sequence) };
        let sight = self.events.look(caller, asked.event, as_of).await?;
        Ok(self.page_of(sight.event, asked.which, asked.format).await?.0)
    }

    /// Posts a paper, made as everybody sees the event: nobody learns a result sooner by it.
    pub(crate) async fn post(&self, attempt: &Attempt, asked: Posting) -> Result<Document> {
        let board = self.board_to_write(&attempt.caller, asked.place).await?;
        let Posting { which, title, text, .. } = asked;
        let (kind, languages) = (which.kind, which.languages.clone());
        let (page, packed) = match (which.kind, board.event) {
            (Kind::Notice, _) => {
                let notice = Notice { title: title.clone(), text, ..Notice::default() };
                self.notice(&attempt.caller, board, notice, languages.clone()).await?
            }
            (_, Some(event)) => {
                let sight = self.events.look(None, event, AsOf::Now).await?;
                self.page_of(sight.event, which, Format::Html).await?
            }
            (_, None) => {
                let why = "on the board of a federation there are notices alone".to_owned();
                return Err(DocumentFault::Bad("kind", why).into());
            }
        };
        let document = Document {
            id: self.desk.env.uuid(),
            board,
            kind,
            round: page.round,
            title,
            languages,
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

    /// Makes a paper of an event, which has nothing in it that its reader may not see.
    async fn page_of(&self, event: Arc<Event>, which: Which, format: Format) -> Result<(Page, Packed)> {
        let _place = self.places.try_acquire().map_err(|_| Error::Busy)?;
        let names = self.names(&event).await?;
        let work = move || {
            let Which { kind, round, languages } = which;
            let sheet = event.paper(kind, round, &names)?.ok_or(Error::UnknownRound)?;
            let of_round = match kind {
                Kind::Schedule | Kind::Roster | Kind::Notice => 0,
                _ if round == 0 => event.next_round() - 1,
                _ => round,
            };
            let paper = Paper { languages, head: event.paper_head(&names), sheet };
            let on_it = names.members.into_iter().filter(|(_, known)| !known.name.is_empty());
            let on_it = on_it.map(|(member, _)| member).collect();
            made(&paper, format, (of_round, event.sequence), on_it)
        };
        self.renderings.work(work).await?
    }

    async fn notice(
        &self,
        caller: &Caller,
        board: Board,
        notice: Notice,
        languages: Vec<String>,
    ) -> Result<(Page, Packed)> {
        let _place = self.places.try_acquire().map_err(|_| Error::Busy)?;
        let on = self.desk.database.read();
        let organiser = told(&self.desk.federation(board.federation).await?.name);
        let signed = store::member::of_account(on, board.federation, caller.id).await?;
        let now = self.desk.env.now();
        let (event, posted) = match board.event {
            Some(event) => {
                let event = self.events.admit(Some(caller), event).await?.event;
                (told(&event.name), event.moment(now))
            }
            None => (papers::Name::default(), moment(now, "UTC")),
        };
        let named = signed.iter().map(|member| member.id).collect();
        let signed = signed.as_ref().map(named_on_paper).unwrap_or_default();
        let sheet = Sheet::Notice(Notice { signed, posted, ..notice });
        let paper = Paper { languages, head: Head { organiser, event, ..Head::default() }, sheet };
        self.renderings.work(move || made(&paper, Format::Html, (0, 0), named)).await?
    }

    /// What the federation calls those whom an event is about.
    async fn names(&self, event: &Event) -> Result<Names> {
        let on = self.desk.database.read();
        let members: Vec<Uuid> = event.participants.iter().map(|it| it.entrant.member.uuid()).collect();
        let members = store::member::find_all(on, &members).await?;
        let today = self.desk.env.now().date();
        let club_of =
            |member: &Member| member.stays.iter().find(|stay| stay.has(today)).map(|stay| stay.club);
        let mut clubs: Vec<ClubId> = members.iter().filter_map(club_of).collect();
        clubs.sort_unstable();
        clubs.dedup();
        let clubs: BTreeMap<ClubId, papers::Name> = store::club::find_all(on, &clubs)
            .await?
            .into_iter()
            .map(|club| (club.id, told(&club.name)))
            .collect();
        let known = |member: &Member| Known {
            name: named_on_paper(member),
            grade: member.person.grade.clone(),
            club: club_of(member).and_then(|club| clubs.get(&club).cloned()).unwrap_or_default(),
        };
        let teams: Vec<_> = event.teams.iter().map(|team| team.entrant.team).collect();
        let teams = store::team::find_all(on, &teams).await?;
        Ok(Names {
            organiser: told(&self.desk.federation(event.federation).await?.name),
            members: members.iter().map(|member| (member.id, known(member))).collect(),
            teams: teams.iter().map(|team| (team.id, told(&team.name))).collect(),
        })
    }
}

/// A member's name as it stands on papers; whose it is stands beside it, so that it can be blacked out.
fn named_on_paper(member: &Member) -> papers::Name {
    let name = told(&member.person.name);
    if name.is_empty() { name } else { name.marked(member.id.to_string()) }
}

/// A paper as it is written, and as that is kept; it is of a round as an event stood after an entry.
fn made(
    paper: &Paper,
    format: Format,
    (round, sequence): (u16, u64),
    named: Vec<MemberId>,
) -> Result<(Page, Packed)> {
    let bad = |error: papers::InvalidPaper| DocumentFault::Bad("languages", error.to_string());
    let text = match format {
        Format::Html => html(paper, Catalogue::shipped()).map_err(bad)?,
        Format::Json => papers::json(paper, &[]),
    };
    if text.len() > DOCUMENT_BYTES_MAX {
        return Err(DocumentFault::TooLarge.into());
    }
    let packed = Packed::of(text.as_bytes());
    let digest = Sha256::digest(text.as_bytes()).into();
    Ok((Page { text, digest, round, sequence, named }, packed))
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

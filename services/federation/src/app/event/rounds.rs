//! Rounds: paired, changed, published, begun, and what came of their boards.

use core::ops::ControlFlow;
use std::sync::Arc;

use chassis::{auth::Caller, database::retry_contended, id::RequestId};
use pairing::{
    Relaxed,
    swiss::{PairingError, Progress},
};
use tokio::sync::mpsc;

use super::{Events, command::Decided, registry::Current};
use crate::{
    core::event::{
        Act, BoardId, BoardResult, Event, Notice, PairingEdit, PublishedRound, Refusal, Unpaired, lifted,
        plan, seeds,
    },
    error::{Error, Result},
    store::event::{
        draft::{self, Draft},
        draft_request, seed,
    },
    wire::event::{notice::NoticeReport, owed::side_of_first, report::GameReport, request::Change},
};

/// How much of a pairing's progress waits for a slow reader; what does not fit is left out.
const PROGRESS_WAITING: usize = 16;

/// What a pairing tells.
pub(crate) enum Pairing {
    /// How far it is.
    Progress(Progress),
    /// What it gave.
    Done(Result<Box<PublishedRound>>),
}

/// A round that is to be paired.
#[derive(Clone, Debug)]
pub(crate) struct ToPair {
    /// Which; the next one.
    pub round: u16,
    /// What is lifted.
    pub relaxed: Relaxed,
    /// Why.
    pub reason: String,
}

impl Events {
    /// Pairs the next round, and tells how far it is. It is worked out by a thread of its own, one event at a time, so that
    /// nobody else waits for it. Whoever does not listen any more has it broken off.
    pub(crate) async fn pair(
        self: &Arc<Self>,
        caller: &Caller,
        change: Change,
        wanted: ToPair,
    ) -> Result<mpsc::Receiver<Pairing>> {
        let current = self.current(change.event).await?;
        let act = if wanted.relaxed == Relaxed::Nothing { Act::Pair } else { Act::Relax };
        self.asker(&current.event, caller, act, None).await?;
        let (tell, told) = mpsc::channel(PROGRESS_WAITING);
        if !change.validate_only && self.is_made(&change).await? {
            let known = self.draft(&current.event, wanted.round).await?;
            let _ = tell.try_send(Pairing::Done(Ok(Box::new(known.round))));
            return Ok(told);
        }
        let draft = draft::find(self.database.read(), change.event).await?;
        if change.expected.is_some_and(|expected| expected != current.event.sequence) {
            return Err(Error::SequenceMoved(current.event.sequence));
        }
        if wanted.round != current.event.next_round() {
            return Err(Refusal::Unpaired(Unpaired::NoMoreRounds).into());
        }
        let events = Arc::clone(self);
        self.lifecycle.spawn("pairing a round", async move {
            let done = events.pair_and_keep(current, (&change, draft), &wanted, &tell).await;
            let _ = tell.send(Pairing::Done(done.map(Box::new))).await;
        });
        Ok(told)
    }

    /// Pairs, and keeps that in place of the draft that was there before, but of no other: a change that was made meanwhile
    /// is not lost.
    async fn pair_and_keep(
        &self,
        current: Current,
        (change, replaced): (&Change, Option<Draft>),
        wanted: &ToPair,
        tell: &mpsc::Sender<Pairing>,
    ) -> Result<PublishedRound> {
        let mut paired = self.paired(&current.event, wanted.relaxed, tell).await?;
        if wanted.relaxed != Relaxed::Nothing {
            paired.edits.push(lifted(wanted.relaxed, &wanted.reason));
        }
        if !change.validate_only {
            let read = replaced.map(|draft| draft.revision);
            self.keep_draft(change, paired.clone(), current.event.sequence, read).await?;
        }
        Ok(paired)
    }

    /// Keeps a draft in place of the one that was read, and by which request it has become what it is.
    async fn keep_draft(
        &self,
        change: &Change,
        round: PublishedRound,
        sequence: u64,
        read: Option<RequestId>,
    ) -> Result<()> {
        let draft = Draft { round, revision: change.request };
        let transaction = self.database.begin().await?;
        let written = async {
            draft::put(&transaction, change.event, &draft, sequence, read).await?;
            draft_request::insert(&transaction, change.event, change.request, &change.digest).await
        };
        let written = written.await;
        Ok(transaction.finish(written).await?)
    }

    /// The next round, worked out aside when its turn comes. It is broken off when nobody listens any more.
    async fn paired(
        &self,
        event: &Arc<Event>,
        relaxed: Relaxed,
        tell: &mpsc::Sender<Pairing>,
    ) -> Result<PublishedRound> {
        let secret = seed::find(self.database.read(), &self.vault, event.id).await?;
        let secret = secret.ok_or(Refusal::Incomplete(vec![crate::core::event::Missing::SeedCommitment]))?;
        let (event, stop, progress) = (Arc::clone(event), self.lifecycle.stopping(), tell.clone());
        let link = seeds::link(&secret, event.next_round());
        let work = move || {
            let mut watch = |so_far: Progress| {
                let _ = progress.try_send(Pairing::Progress(so_far));
                if progress.is_closed() || stop.is_cancelled() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            plan(&event, link, relaxed, &mut watch)
        };
        let planned = tokio::select! {
            biased;
            planned = self.pairings.work(work) => planned?,
            () = tell.closed() => Err(Unpaired::Pairing(PairingError::Stopped)),
        };
        Ok(planned.map_err(Refusal::from)?)
    }

    async fn draft(&self, event: &Event, round: u16) -> Result<Draft> {
        let draft = draft::find(self.database.read(), event.id).await?;
        let draft = draft.filter(|draft| draft.round.round == round && round == event.next_round());
        draft.ok_or(Error::NoDraft)
    }

    /// Changes the draft, as it is after whoever else changes it at the same time. The log does not know of it before the
    /// round is published.
    pub(crate) async fn edit_pairings(
        &self,
        caller: &Caller,
        change: &Change,
        round: u16,
        edits: (&[PairingEdit], &str),
    ) -> Result<Current> {
        retry_contended(|| self.edit_draft(caller, change, round, edits)).await
    }

    async fn edit_draft(
        &self,
        caller: &Caller,
        change: &Change,
        round: u16,
        edits: (&[PairingEdit], &str),
    ) -> Result<Current> {
        let current = self.current(change.event).await?;
        let official = self.asker(&current.event, caller, Act::Pair, None).await?.official();
        // Made once it stays made, also after the round was published.
        if self.is_made(change).await? {
            return Ok(current);
        }
        let draft = self.draft(&current.event, round).await?;
        // By a server of before, which kept its requests with the draft.
        if draft.revision == change.request {
            return Ok(current);
        }
        if change.expected.is_some_and(|expected| expected != current.event.sequence) {
            return Err(Error::SequenceMoved(current.event.sequence));
        }
        let may_relax = match self.asker(&current.event, caller, Act::Relax, None).await {
            Ok(_) => true,
            Err(Error::Event(Refusal::NotAllowed(_))) => false,
            Err(error) => return Err(error),
        };
        let mut edited = draft.round.clone();
        current.event.edit_draft(&mut edited, edits, may_relax)?;
        current.event.not_own_pairs(&draft.round, &edited, &official)?;
        if !change.validate_only {
            self.keep_draft(change, edited, current.event.sequence, Some(draft.revision)).await?;
        }
        Ok(current)
    }

    /// Makes the draft public, if it is what would be paired now. A change that came first is in it.
    pub(crate) async fn publish(&self, caller: &Caller, change: &Change, round: u16) -> Result<Current> {
        retry_contended(|| self.publish_draft(caller, change, round)).await
    }

    async fn publish_draft(&self, caller: &Caller, change: &Change, round: u16) -> Result<Current> {
        let current = self.current(change.event).await?;
        self.asker(&current.event, caller, Act::Pair, None).await?;
        let draft = match self.draft(&current.event, round).await {
            Ok(draft) => draft,
            // Sent again, it is public already; whoever never sent it is told that there is nothing.
            Err(Error::NoDraft) => {
                return self.carry_out(caller, Act::Pair, change, |_, _| Err(Error::NoDraft)).await;
            }
            // That the database did not answer says nothing about the draft.
            Err(error) => return Err(error),
        };
        // Nobody reads how far it is, but that nobody listens any more breaks it off: the call was given up.
        let (tell, _listens) = mpsc::channel(PROGRESS_WAITING);
        let anew = self.paired(&current.event, draft.round.relaxed, &tell).await?;
        self.carry_out(caller, Act::Pair, change, |event, _| {
            if event.sequence != current.event.sequence {
                return Err(Refusal::Stale.into());
            }
            let facts = event.publish_round(draft.round.clone(), &anew)?;
            Ok(Decided { facts, publishes: Some(draft.revision), ..Decided::default() })
        })
        .await
    }

    /// Takes a round back before its first move; games that are made already count for nothing.
    pub(crate) async fn retract(
        &self,
        caller: &Caller,
        change: &Change,
        round: u16,
        reason: String,
    ) -> Result<Current> {
        let current = self.current(change.event).await?;
        self.asker(&current.event, caller, Act::Pair, None).await?;
        let has_moves = self.has_moves(&current.event, round).await?;
        self.carry_out(caller, Act::Pair, change, |event, _| {
            Ok(event.retract_round(round, reason.clone(), has_moves)?.into())
        })
        .await
    }

    /// Starts a round, but not while the platform is worked on, nor when it will be before its games are over.
    pub(crate) async fn start(&self, caller: &Caller, change: &Change, round: u16) -> Result<Current> {
        if self.current(change.event).await?.event.meetings().is_some() {
            return self.start_of_teams(caller, change, round).await;
        }
        self.carry_out(caller, Act::Pair, change, |event, _| {
            self.ensure_ends_before_maintenance(event)?;
            Ok(event.start_round(round)?.into())
        })
        .await
    }

    /// Enters what came of a board in a hall, or decides it.
    pub(crate) async fn enter_result(
        &self,
        caller: &Caller,
        change: &Change,
        board: BoardId,
        result: BoardResult,
    ) -> Result<Current> {
        let is_decision = result.source == crate::core::event::ResultSource::Decision;
        let act = if is_decision { Act::DecideResult } else { Act::EnterResult };
        self.carry_out(caller, act, change, |event, asker| {
            // A board both of whose players play here has a game, whose own end counts.
            let runs = event.find_board(board).is_ok_and(|(_, seat, state)| {
                let here = |number| event.participant(number).is_some_and(|it| it.entrant.account.is_some());
                let waits = state.is_settled() || state.is_to_be_arranged();
                !waits && seat.players.into_iter().all(here)
            });
            Ok(event.enter_result(board, result.clone(), &asker.official(), runs)?.into())
        })
        .await
    }

    /// Confirms what another official has entered.
    pub(crate) async fn confirm_result(
        &self,
        caller: &Caller,
        change: &Change,
        board: BoardId,
    ) -> Result<Current> {
        self.carry_out(caller, Act::ConfirmResult, change, |event, asker| {
            Ok(event.confirm_result(board, &asker.official())?.into())
        })
        .await
    }

    /// Has a board played again.
    pub(crate) async fn play_again(
        &self,
        caller: &Caller,
        change: &Change,
        board: BoardId,
    ) -> Result<Current> {
        self.carry_out(caller, Act::Pair, change, |event, asker| {
            Ok(event.play_again(board, &asker.official())?.into())
        })
        .await
    }

    /// Takes note of what happened in a game.
    pub(crate) async fn note_game(&self, report: &NoticeReport) -> Result<Current> {
        self.carry_out_itself(report.event, |event| {
            let (board, is_last) = event.board_of_game(report.game).ok_or(Refusal::UnknownBoard)?;
            let (_, seat, _) = event.find_board(board)?;
            let player = report.side.map(|side| {
                let place = usize::from(side != side_of_first(event));
                seat.players[place]
            });
            Ok(event.note_game(board, is_last, Notice { player, ..report.notice }))
        })
        .await
    }

    /// Takes what a game's log says. What is known already, or was overtaken, changes nothing.
    pub(crate) async fn record_game(&self, report: &GameReport) -> Result<Current> {
        self.carry_out_itself(report.event, |event| {
            let (board, is_last) = event.board_of_game(report.game).ok_or(Refusal::UnknownBoard)?;
            Ok(event.game_ended(board, is_last, report.of_board(side_of_first(event)))?)
        })
        .await
    }
}

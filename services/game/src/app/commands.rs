//! The way of a command of a player: decide, ask the clocks, write, tell.

use std::{sync::Arc, time::Duration};

use api::game::v1::GameEvent;
use bytes::Bytes;
use chassis::id::{AccountId, GameId, RequestId};
use prost::Message as _;
use rules::{IncidentKind, Reason, Side};
use time::OffsetDateTime;

use super::{ATTEMPTS, Rooms, clocks::Stepped, on_clock};
use crate::{
    app::availability::Reached,
    core::{AdjournmentStep, Command, Draft, Event, Game, Kind, Refusal, TimeStep, decide, flag_event},
    error::CallError,
    store::StoreError,
    wire::event_from_pb,
};

/// A command with its envelope.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub game: GameId,
    pub account: AccountId,
    pub command: Command,
    pub request: RequestId,
    /// When it reached the platform, and over what network.
    pub arrival: Arrival,
    /// How it reached the platform.
    pub reached: Reached,
}

/// When something reached the platform, and how long the network took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// When; the player's clock is read at this moment.
    pub received: OffsetDateTime,
    /// What is known of the lag.
    pub lag: Lag,
}

impl From<OffsetDateTime> for Arrival {
    fn from(received: OffsetDateTime) -> Self {
        Arrival { received, lag: Lag::default() }
    }
}

/// How long the network took for the opponent's act and this one, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lag {
    /// By the platform's measurement.
    pub measured: Option<Duration>,
    /// By what the client says.
    pub claimed: Option<Duration>,
}

/// Who had which seat when the game was made, first side first.
type Seats = [Option<AccountId>; 2];

/// A command that has no answer yet.
struct Waiting<'a> {
    rooms: &'a Rooms,
    order: &'a Order,
}

impl<'a> Waiting<'a> {
    fn new(rooms: &'a Rooms, order: &'a Order) -> Self {
        let who = (order.account, order.request);
        rooms.with_delays(order.game, |delays| delays.came(who, order.arrival.received));
        Waiting { rooms, order }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let Order { game, account, request, arrival, .. } = self.order;
        self.rooms.with_delays(*game, |delays| delays.answered((*account, *request), arrival.received));
    }
}

impl Rooms {
    /// Carries a command out, to its end even if the caller goes away: what is written is also told.
    ///
    /// # Errors
    /// When it is refused, or cannot be carried out now.
    pub(crate) async fn command(self: &Arc<Self>, order: Order) -> Result<GameEvent, CallError> {
        let rooms = Arc::clone(self);
        let work = async move {
            let _waiting = Waiting::new(&rooms, &order);
            let answer = rooms.carry_out(&order).await;
            if answer.as_ref().is_err_and(CallError::is_the_platform_s) {
                let span = (order.arrival.received, rooms.ambient.now());
                rooms.with_delays(order.game, |delays| delays.failed(order.account, order.request, span));
            }
            answer
        };
        self.lifecycle.run(work).await.map_err(|_| CallError::Contended)?
    }

    async fn carry_out(&self, order: &Order) -> Result<GameEvent, CallError> {
        // While nobody can act no room is made, for whatever id.
        self.beat.ensure_fresh(order.reached).await?;
        self.ensure_seated(order.game, order.account).await?;
        let room = self.room(order.game);
        let mut slot = room.game.lock().await;
        for _ in 0..ATTEMPTS {
            let game = self.entered(&mut slot, order.game, order.reached).await?;
            let seats = game.info.seats.each_ref().map(|seat| seat.account);
            let side = game.side_of(order.account).ok_or_else(|| self.not_seated(&game.info))?;
            if game.awaits(side) && order.command != Command::CheckIn {
                // Whoever would do anything in a game has come to it.
                let coming = decide(game, side, &Command::CheckIn, &[])?;
                self.enact(&mut slot, coming, order.arrival.received.into(), None).await?;
                continue;
            }
            let past = if order.command.looks_back(game, side) { self.past(game).await? } else { Vec::new() };
            let draft = match self.checked(game, side, &order.command, &past).await {
                Ok(draft) => draft,
                Err(CallError::Refused(refusal)) => {
                    // Another replica may have written what makes the command right, or wrong.
                    if !refusal.is_malformed() && self.refresh(game).await? > 0 {
                        continue;
                    }
                    return self.repeated_or(order, seats, refusal).await;
                }
                Err(error) => return Err(error),
            };
            let request = Some(order.request);
            let measured = self.attendance.measured(order.game, side);
            let arrival = Arrival { lag: Lag { measured, ..order.arrival.lag }, ..order.arrival };
            if let Some(written) = self.enact(&mut slot, draft, arrival, request).await? {
                self.beat.taken();
                // What it has made due need not wait for the next look.
                if let Err(error) = self.do_what_is_due(&mut slot).await {
                    tracing::warn!(game.id = %order.game, %error, "what is due was not done; it will be tried again");
                }
                return Ok(written);
            }
            if let Some(written) = self.repeated(order, seats).await? {
                return Ok(written);
            }
        }
        Err(CallError::Contended)
    }

    /// Decides a command; of a sealed move also whether it is what it is committed to.
    async fn checked(
        &self,
        game: &Game,
        side: Side,
        command: &Command,
        past: &[Event],
    ) -> Result<Draft, CallError> {
        let draft = decide(game, side, command, past)?;
        if let Command::SealMove(sealed) = command {
            self.keeper.check(game.info.id, game.after.ply, sealed).await?;
        }
        Ok(draft)
    }

    /// Has the clocks read and writes what was decided. Without an answer the room has moved on, because
    /// another replica was faster or a flag had fallen, and it has to be decided again.
    pub(super) async fn enact(
        &self,
        slot: &mut Option<Game>,
        draft: Draft,
        arrival: Arrival,
        request: Option<RequestId>,
    ) -> Result<Option<GameEvent>, CallError> {
        let game = slot.as_ref().ok_or(CallError::UnknownGame)?;
        let received = arrival.received.max(game.updated);
        let owed = self.owed_for_delays(game, request, received).filter(|_| !draft.time_steps.is_empty());
        let mut steps: Vec<TimeStep> = owed.map(|owed| TimeStep::GiveBack(owed.length)).into_iter().collect();
        steps.extend(&draft.time_steps);
        let event = match self.step_all(game, &steps, Arrival { received, ..arrival }).await? {
            Stepped::All(clocked) => draft.finish(game, received, clocked),
            Stepped::FellBefore(side, clocked) => {
                let event = flag_event(game, side, received, clocked);
                self.append(slot, &event, None, None).await?;
                return Ok(None);
            }
        };
        let (id, player) = (game.info.id, on_clock(game));
        let written = self.append(slot, &event, request, draft.position).await?;
        if let Some(owed) = owed.filter(|_| written.is_some()) {
            self.settle_delays(id, player, request, owed.until);
        }
        Ok(written)
    }

    /// The log of a game up to where its room stands; the log may be ahead of it.
    pub(super) async fn past(&self, game: &Game) -> Result<Vec<Event>, CallError> {
        let mut past = self.reader.events_after(game.info.id, 0).await?;
        past.retain(|event| event.sequence <= game.sequence);
        Ok(past)
    }

    /// The event that this very request has become already, or the refusal.
    async fn repeated_or(
        &self,
        order: &Order,
        seats: Seats,
        refusal: Refusal,
    ) -> Result<GameEvent, CallError> {
        if refusal.is_malformed() {
            return Err(refusal.into());
        }
        match self.repeated(order, seats).await? {
            Some(event) => Ok(event),
            None => Err(refusal.into()),
        }
    }

    /// Whether an act of the log is what this text plays there. What was sealed is compared whole: nobody is told that
    /// a bid was taken which was not.
    async fn is_act(&self, id: GameId, sequence: u64, text: &str) -> Result<bool, CallError> {
        let before = sequence.saturating_sub(1);
        let since = self.reader.page(id, before).await?;
        let Some(played) = since.first().and_then(|event| event.kind.played()) else { return Ok(false) };
        if played.whole() == text {
            return Ok(true);
        }
        // It may be written in another way.
        let game = self.reader.replay(id, before).await?.into_game().ok_or(CallError::UnknownGame)?;
        let mut position = game.position;
        Ok(position.act(played.author, text).is_ok_and(|act| act.text == played.whole()))
    }

    async fn repeated(&self, order: &Order, seats: Seats) -> Result<Option<GameEvent>, CallError> {
        let Some(stored) = self.reader.event_of_request(order.game, order.request).await? else {
            return Ok(None);
        };
        let event = event_from_pb(&stored, None).map_err(StoreError::from)?;
        // Whose it is, by the seat that he had then: colours may have been corrected since.
        let author = event.by.side().and_then(|side| {
            let swapped = event.after.course.arbitration.seats_swapped;
            seats[if swapped { side.other() } else { side }.index()]
        });
        let same = match &order.command {
            Command::Play { text, .. } if matches!(event.kind, Kind::Played(_)) => {
                self.is_act(order.game, event.sequence, text).await?
            }
            _ => true,
        };
        if !same || author != Some(order.account) || !is_answer(&event, &order.command) {
            return Err(CallError::RequestIdReused);
        }
        // Whoever wrote it may have died before it was told; who has it already takes no notice.
        self.tell(order.game, Bytes::from(stored.encode_to_vec())).await;
        Ok(Some(stored))
    }
}

/// Whether an event is what a command becomes, but for the text of an act.
fn is_answer(event: &Event, command: &Command) -> bool {
    match (&event.kind, command) {
        (Kind::Played(_), Command::Play { ply, .. }) => event.after.ply == ply + 1,
        (Kind::Ended(outcome), Command::Resign) => outcome.reason == Reason::Resignation,
        (Kind::Ended(outcome), Command::Abort) => outcome.reason == Reason::Aborted,
        (Kind::Ended(outcome), Command::AcceptDraw | Command::OfferDraw) => {
            outcome.reason == Reason::Agreement
        }
        (Kind::DrawOffered, Command::OfferDraw)
        | (Kind::DrawDeclined, Command::DeclineDraw)
        | (Kind::CheckedIn, Command::CheckIn) => true,
        (Kind::Proposed(event) | Kind::Agreed(event), Command::Propose(proposal)) => event == proposal,
        (Kind::ProposalDropped(event), Command::DropProposal(proposal)) => event.same_matter(*proposal),
        (Kind::TimeGiven(event), Command::GiveTime(span)) => event == span,
        (Kind::Petitioned(event), Command::Petition(petition)) => event == petition,
        (Kind::ForbiddenPlayed(event), Command::Play { text, ply }) => {
            event.text == *text && event.incident.ply == *ply
        }
        (Kind::ForbiddenPlayed(event), Command::OfferDraw) => {
            event.incident.kind == IncidentKind::RepeatedOffer
        }
        (Kind::Ended(outcome), Command::ClaimAbandonment { claim, .. }) => {
            let claimed = event.by.side().map(|side| claim.verdict(side));
            outcome.reason == Reason::Abandoned && claimed == Some(outcome.verdict)
        }
        (Kind::Adjournment(AdjournmentStep::Sealed(event)), Command::SealMove(sealed)) => {
            event.commitment == sealed.commitment
        }
        _ => false,
    }
}

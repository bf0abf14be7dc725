//! A game as the fold of its log.

use rules::{Actors, Offers, Outcome, Reason, Side, Verdict};
use time::OffsetDateTime;

use super::{
    AdjournmentStep, By, ClockEntry, Event, EventKind, GameInfo, GameState, Origin, Progress, ProposalCounts,
    Reading, Sealed, Stage, due::expiry, rewind,
};

/// A game at some point of its log: everything that the next decision needs.
#[derive(Clone, Debug)]
pub struct Game {
    /// What does not change.
    pub info: GameInfo,
    /// The position with as much history as the rules look back.
    pub position: Box<dyn rules::Game>,
    /// The number of the last event.
    pub sequence: u64,
    /// When it happened.
    pub updated: OffsetDateTime,
    /// Where the game stands.
    pub state: GameState,
    /// The draw offers, as far as the variant's rules look back.
    pub offers: Offers,
    /// How often each side has asked something of the other.
    pub proposal_counts: ProposalCounts,
    /// Outages up to this moment have been credited.
    pub credited_until: OffsetDateTime,
    /// When each side last did something, first side first.
    pub acted: [Option<OffsetDateTime>; 2],
    /// When the clock that runs began to, whatever was given back since; of no meaning when none does.
    pub turn_began: OffsetDateTime,
    /// The move that was sealed last, encrypted.
    pub sealed_move: Option<Sealed>,
}

/// A log that does not replay: the database holds something that this service never wrote.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {sequence} of the log does not replay: {detail}")]
pub struct Corrupt {
    /// The number of the event.
    pub sequence: u64,
    /// What is wrong with it.
    pub detail: String,
}

/// Something that has happened, and what of it does not follow from the game.
pub(super) struct Transition<'a> {
    pub kind: &'a EventKind,
    pub by: &'a By,
    pub time: OffsetDateTime,
    /// The position after it, if it changes.
    pub position: Option<&'a dyn rules::Game>,
    /// The clocks after it.
    pub clock: Option<Reading>,
    /// What follows from the flags that have fallen by it, if any has.
    pub fallen: Option<Outcome>,
}

impl Game {
    /// The game after its first event.
    ///
    /// # Errors
    /// When that is not the event that made it.
    pub fn begin(event: &Event) -> Result<Self, Corrupt> {
        let corrupt = |detail: String| Corrupt { sequence: event.sequence, detail };
        let EventKind::Created(info) = &event.kind else {
            return Err(corrupt("a log begins with the creation of its game".to_owned()));
        };
        let position = rewind::start(info).map_err(corrupt)?;
        Ok(Game {
            info: info.as_ref().clone(),
            sequence: event.sequence,
            updated: event.time,
            state: event.state.clone(),
            offers: Offers::new(position.variant().offers),
            proposal_counts: ProposalCounts::default(),
            credited_until: info.created,
            acted: [None; 2],
            turn_began: event.time,
            sealed_move: None,
            position,
        })
    }

    /// The game after a whole log.
    ///
    /// # Errors
    /// When the log is empty, has gaps or breaks the rules.
    pub fn replay(log: &[Event]) -> Result<Self, Corrupt> {
        let first = log.first().ok_or(Corrupt { sequence: 0, detail: "the log is empty".to_owned() })?;
        let mut game = Game::begin(first)?;
        for index in 1..log.len() {
            game.apply(&log[index], &log[..index])?;
        }
        Ok(game)
    }

    /// Replays a whole log as [`Game::replay`] does, and works out at each event where the game stands after
    /// it, from nothing but what happened. The log says so too, and must say the same.
    ///
    /// # Errors
    /// When the log does not replay, or says something else anywhere.
    pub fn audit(log: &[Event]) -> Result<Self, Corrupt> {
        let first = log.first().ok_or(Corrupt { sequence: 0, detail: "the log is empty".to_owned() })?;
        let mut game = Game::begin(first)?;
        for index in 1..log.len() {
            let (event, before) = (&log[index], &log[..index]);
            let position = game.position_after(event, |info, ply| rewind::position_at(info, before, ply))?;
            let expected = game.state_after(&Transition {
                kind: &event.kind,
                by: &event.by,
                time: event.time,
                position: position.as_deref(),
                clock: event.state.clock.clone(),
                fallen: fallen(&event.clock_entries),
            });
            if !expected.is_said_by(&event.state) {
                let detail = format!("the log says {:?}, and what follows is {expected:?}", event.state);
                return Err(Corrupt { sequence: event.sequence, detail });
            }
            game.adopt(event, position);
        }
        Ok(game)
    }

    /// Takes the next event of the log. `before` is the log before it; it is looked at only when the event goes
    /// back to an earlier position.
    ///
    /// # Errors
    /// When it is not the next one, or its act breaks the rules.
    pub fn apply(&mut self, event: &Event, before: &[Event]) -> Result<(), Corrupt> {
        self.take(event, |info, ply| rewind::position_at(info, before, ply))
    }

    /// Takes the next event of the log. `back` finds an earlier position, when the event goes back to one.
    pub(super) fn take(
        &mut self,
        event: &Event,
        back: impl FnOnce(&GameInfo, u32) -> Result<Box<dyn rules::Game>, Corrupt>,
    ) -> Result<(), Corrupt> {
        let position = self.position_after(event, back)?;
        self.adopt(event, position);
        Ok(())
    }

    /// Takes an event whose position has been worked out already.
    pub(crate) fn adopt(&mut self, event: &Event, position: Option<Box<dyn rules::Game>>) {
        if let EventKind::OutageCredited { until, .. } = event.kind {
            self.credited_until = until;
        }
        if let EventKind::Adjournment(AdjournmentStep::Sealed(sealed)) = &event.kind {
            self.sealed_move.clone_from(&sealed.sealed);
        }
        self.proposal_counts = self.proposal_counts.after(&event.kind, event.by.side());
        self.offers = self.offers_after(&event.kind, event.by.side());
        if let Some(side) = event.by.side().filter(|_| !event.kind.is_presence()) {
            self.acted[side.index()] = Some(event.time);
        }
        if self.begins_turn(event) {
            self.turn_began = event.time;
        }
        if let Some(position) = position {
            self.position = position;
        }
        self.sequence = event.sequence;
        self.updated = event.time;
        self.state = event.state.clone();
    }

    /// The variant.
    pub fn variant(&self) -> &'static rules::Variant {
        self.position.variant()
    }

    /// Whether the game has ended.
    pub const fn is_over(&self) -> bool {
        self.state.outcome.is_some()
    }

    /// The clocks, unless it is an imported record or none has run yet.
    pub const fn clock(&self) -> Option<&Reading> {
        self.state.clock.as_ref()
    }

    /// What is under way around the board.
    pub const fn progress(&self) -> &Progress {
        &self.state.progress
    }

    /// Whether play begins as soon as both have come, and this side has not.
    pub fn awaits(&self, side: Side) -> bool {
        let check_in = self.progress().check_in.as_ref().filter(|_| self.info.regulations.arrival.is_some());
        check_in.is_some_and(|check_in| !check_in.is_there(side))
    }

    /// Whether a clock begins to run by an event that follows, and did not before.
    pub fn begins_turn(&self, event: &Event) -> bool {
        let runs = |clock: Option<&Reading>| clock.and_then(|clock| clock.running).map(|(side, _)| side);
        runs(event.state.clock.as_ref()).is_some_and(|side| runs(self.clock()) != Some(side))
    }

    /// The side of an account.
    pub fn side_of(&self, account: chassis::id::AccountId) -> Option<Side> {
        let seats = self.info.seats_in(self.progress());
        Side::BOTH.into_iter().find(|side| seats[side.index()].account == Some(account))
    }

    /// Where the game stands after something has happened.
    pub(super) fn state_after(&self, transition: &Transition<'_>) -> GameState {
        let Transition { kind, by, time, position, clock, fallen } = transition;
        let moved = position.is_some();
        let position = position.unwrap_or(self.position.as_ref());
        let outcome = match kind {
            _ if fallen.is_some() => fallen.clone(),
            EventKind::Ended(outcome) => Some(outcome.clone()),
            _ => (self.progress().arbitration.outcome(&self.info, kind, by))
                .or_else(|| self.state.outcome.clone())
                .or_else(|| position.outcome().cloned()),
        };
        let mut progress = self.state.progress.after(&self.info, kind, by, *time, outcome.as_ref());
        if progress.stage == Stage::Sealing && progress.adjournment.sealer.is_none() {
            progress.adjournment.sealer =
                Side::BOTH.into_iter().find(|side| position.actors() == Actors::One(*side));
        }
        let offers = self.offers_after(kind, by.side());
        let lost = self.lost_time(kind, &progress, *time);
        // A record says whose turn it was; nobody is waited for.
        let recorded = self.info.origin == Origin::Import;
        let acted_in = outcome.is_none() && (progress.in_play() || recorded);
        GameState {
            ply: position.ply(),
            phase: position.phase().to_owned(),
            actors: if acted_in { position.actors() } else { Actors::Nobody },
            clock: clock.clone(),
            draw_offer: offers.open().filter(|_| outcome.is_none()),
            colours: Side::BOTH.map(|side| position.colour(side)),
            expires: match kind {
                _ if outcome.is_some() || recorded => None,
                _ if moved => expiry(position, *time, self.state.expires),
                EventKind::Started => expiry(position, *time, None),
                _ => self.state.expires.map(|at| at + lost),
            },
            outcome,
            progress,
            position_hash: (!recorded).then(|| position.hash()),
        }
    }

    /// The time that was nobody's until something happened: while the platform was down, or a pause that it ends
    /// was on. Whatever the players have time for ends so much later.
    fn lost_time(&self, kind: &EventKind, progress: &Progress, time: OffsetDateTime) -> time::Duration {
        match (kind, self.state.progress.paused_since, progress.paused_since) {
            (EventKind::OutageCredited { from, until }, None, _) => *until - *from,
            (_, Some(since), None) => time - since,
            _ => time::Duration::ZERO,
        }
    }

    /// The draw offers after something that this side has brought about. What cannot be, changes nothing.
    pub(super) fn offers_after(&self, kind: &EventKind, author: Option<Side>) -> Offers {
        let mut offers = self.offers;
        let Some(side) = author else { return offers };
        let _refused = match kind {
            EventKind::DrawOffered => offers.offer(side, self.position.actors().include(side)),
            EventKind::DrawDeclined => offers.decline(side),
            kind if kind.played().is_some() => {
                offers.turn_completed(side);
                Ok(())
            }
            _ => Ok(()),
        };
        offers
    }

    /// The position after an event, if the event changes it.
    fn position_after(
        &self,
        event: &Event,
        back: impl FnOnce(&GameInfo, u32) -> Result<Box<dyn rules::Game>, Corrupt>,
    ) -> Result<Option<Box<dyn rules::Game>>, Corrupt> {
        let corrupt = |detail: String| Corrupt { sequence: event.sequence, detail };
        if event.sequence != self.sequence + 1 {
            return Err(corrupt(format!("it does not follow event {}", self.sequence)));
        }
        match &event.kind {
            EventKind::Created(_) => Err(corrupt("a game is made once".to_owned())),
            kind if let Some(played) = kind.played() => {
                let mut position = self.position.clone();
                position
                    .act(played.author, played.whole())
                    .map_err(|refusal| corrupt(refusal.to_string()))?;
                Ok(Some(position))
            }
            kind => match kind.goes_back_to() {
                Some(ply) => back(&self.info, ply).map(Some),
                None => Ok(None),
            },
        }
    }
}

/// The outcome of a game in which this side's flag has fallen.
pub(super) fn time_loss(side: Side) -> Outcome {
    Outcome { verdict: Verdict::Win(side.other()), reason: Reason::Time, score: None }
}

/// What follows from the flags that have fallen by these steps: both sides may have been late by more than they had.
pub(super) fn fallen(entries: &[ClockEntry]) -> Option<Outcome> {
    let fell = |side| entries.iter().any(|entry| entry.fallen == Some(side));
    match (fell(Side::First), fell(Side::Second)) {
        (true, true) => Some(Outcome { verdict: Verdict::BothLose, reason: Reason::Time, score: None }),
        (true, false) => Some(time_loss(Side::First)),
        (false, true) => Some(time_loss(Side::Second)),
        (false, false) => None,
    }
}

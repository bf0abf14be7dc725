//! The progress of a game: what is under way around the board.

use std::collections::BTreeSet;

use chassis::id::GameId;
use rules::{Outcome, Side, SystemAct};
use time::OffsetDateTime;

use super::{
    Adjournment, Arbitration, By, CheckIn, Confirmation, EventKind, Expiry, GameInfo, OfficialAct, Presence,
    rematch_of,
};

/// How long a pause of the players lasts at most: they can agree on another.
const PAUSE_MAX: time::Duration = time::Duration::hours(24);
/// How long after one player proposes to go on a pause ends, so that nobody is kept waiting for ever.
const RESUME_NOTICE: time::Duration = time::Duration::minutes(5);

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The players are expected.
    Waiting,
    /// It is being played.
    Playing,
    /// The side whose turn it is seals its move.
    Sealing,
    /// It is adjourned.
    Adjourned,
    /// It has ended, and its result can still be contested.
    Ended,
    /// Its result is final.
    Final,
}

/// What a side proposes to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// To go back to a ply.
    Undo(u32),
    /// To rest.
    Pause,
    /// To go on after a pause that both agreed on.
    Resume,
    /// To play once more.
    Rematch,
    /// To adjourn the game.
    Adjourn,
    /// To go on with an adjourned game at a time.
    ResumeAt(OffsetDateTime),
}

impl Proposal {
    /// Whether two proposals are about the same matter; a side has one of each matter at most.
    pub fn same_matter(self, other: Proposal) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

/// Why a game is paused. A platform that was down is no pause: that time is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PauseReason {
    /// Both players agreed.
    Players,
    /// An arbiter stopped it.
    Arbiter,
    /// The event has a break.
    EventBreak,
    /// A player is on leave.
    Leave,
    /// The platform is being worked on.
    Maintenance,
}

/// What is under way around the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How far the game has come.
    pub stage: Stage,
    /// What is proposed and not answered, oldest first.
    pub proposals: Vec<(Side, Proposal)>,
    /// Why the game is paused, each reason once.
    pub pauses: BTreeSet<PauseReason>,
    /// Since when it is.
    pub paused_since: Option<OffsetDateTime>,
    /// When the pause of the players ends by itself.
    pub pause_ends: Option<OffsetDateTime>,
    /// The game that follows this one.
    pub rematch: Option<GameId>,
    /// What officials have to do with it.
    pub arbitration: Arbitration,
    /// Who is gone.
    pub presence: Presence,
    /// Who has come, while the game waits for its start.
    pub check_in: Option<CheckIn>,
    /// How an adjournment stands.
    pub adjournment: Adjournment,
}

/// What happens by itself, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// When.
    pub at: OffsetDateTime,
    /// What.
    pub task: Task,
}

/// What happens by itself when its time has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The house acts.
    House(SystemAct),
    /// The pause of the players ends.
    EndPause,
    /// The time to appeal or to contest is over.
    Expiry(Expiry),
    /// Play begins.
    Begin,
    /// Who has not come loses.
    Forfeit,
    /// A move is to be sealed.
    Seal,
    /// It is announced that an adjourned game goes on.
    AnnounceResumption,
    /// The sealed move is opened.
    OpenSealed,
    /// The opened move, or what is ruled in its place, is played.
    PlaySealed,
}

impl Progress {
    /// The progress of a game that begins, or of a record.
    pub fn new(stage: Stage) -> Self {
        Progress {
            stage,
            proposals: Vec::new(),
            pauses: BTreeSet::new(),
            paused_since: None,
            pause_ends: None,
            rematch: None,
            arbitration: Arbitration::default(),
            presence: Presence::NEW,
            check_in: None,
            adjournment: Adjournment::NONE,
        }
    }

    /// The progress of a game that is made.
    pub fn begin(info: &GameInfo) -> Self {
        let check_in = CheckIn::of(&info.regulations, info.created);
        let stage = if check_in.is_some() { Stage::Waiting } else { Stage::Playing };
        Progress { check_in, adjournment: Adjournment::of(&info.regulations), ..Progress::new(stage) }
    }

    /// What a side proposes about the matter of `proposal`.
    pub fn proposed(&self, side: Side, proposal: Proposal) -> Option<Proposal> {
        let same = |open: &&(Side, Proposal)| open.0 == side && open.1.same_matter(proposal);
        self.proposals.iter().find(same).map(|(_, proposal)| *proposal)
    }

    /// The progress after something that has happened. `outcome` is how the game stands then.
    #[must_use]
    pub fn after(
        &self,
        info: &GameInfo,
        kind: &EventKind,
        by: &By,
        time: OffsetDateTime,
        outcome: Option<&Outcome>,
    ) -> Progress {
        let mut progress = self.clone();
        progress.arbitration = self.arbitration.noted(kind, by);
        progress.take(info, kind, by, time);
        let ended = outcome.is_some() && progress.stage < Stage::Ended;
        if ended {
            progress.end();
        }
        let changed = self.arbitration.outcome(info, kind, by).is_some();
        if changed {
            progress.arbitration.decisive = kind.incident().map(|incident| incident.number);
        }
        if progress.stage == Stage::Ended {
            let deadline = time + info.regulations.contest;
            if ended || changed {
                let asked = info.regulations.confirmation != Confirmation::Nobody;
                progress.arbitration.await_confirmation(asked.then_some(deadline));
            }
            progress.arbitration.limit_appeals(deadline);
        }
        progress.confirm(info);
        progress.presence.see(kind, by);
        if !progress.expects_players() {
            progress.presence.forget();
        }
        progress
    }

    /// Whether acts on the board are taken now.
    pub fn in_play(&self) -> bool {
        self.stage == Stage::Playing && self.pauses.is_empty()
    }

    /// Whether the players have to be there now: they may go while the game rests.
    pub fn expects_players(&self) -> bool {
        matches!(self.stage, Stage::Playing | Stage::Sealing) && self.pauses.is_empty()
    }

    /// What of the progress happens by itself, the earliest first.
    pub fn due(&self) -> Option<Due> {
        let pause = self.pause_ends.map(|at| Due { at, task: Task::EndPause });
        let meeting = match self.stage {
            // Who is on leave need not come.
            Stage::Waiting if self.pauses.is_empty() => self.check_in.as_ref().map(CheckIn::due),
            Stage::Adjourned if self.pauses.is_empty() => self.adjournment.due(),
            _ => None,
        };
        [pause, meeting, self.arbitration.due()].into_iter().flatten().min_by_key(|due| due.at)
    }

    /// What something that has happened does of itself.
    fn take(&mut self, info: &GameInfo, kind: &EventKind, by: &By, time: OffsetDateTime) {
        match kind {
            EventKind::Played(_) => {
                self.drop_about(Proposal::Undo(0));
                if self.stage == Stage::Adjourned {
                    self.end_adjournment();
                }
            }
            EventKind::Proposed(proposal) => self.propose(by, *proposal, time),
            EventKind::ProposalDropped(proposal) => self.drop_about(*proposal),
            EventKind::Agreed(proposal) => self.agree(info, *proposal, time),
            // What is given back with the end of a maintenance is not given back twice.
            EventKind::OutageCredited { .. } if self.pauses.contains(&PauseReason::Maintenance) => {}
            EventKind::OutageCredited { from, until } => {
                self.pause_ends = self.pause_ends.map(|ends| ends + (*until - *from));
                self.credit_meeting(*from, *until);
            }
            EventKind::CheckedIn => {
                if let (Some(check_in), Some(side)) = (&mut self.check_in, by.side()) {
                    let counted = self.paused_since.map_or(time, |since| since.min(time));
                    check_in.arrive(side, counted, &info.regulations);
                }
            }
            EventKind::Started => {
                self.stage = Stage::Playing;
                self.check_in = None;
            }
            EventKind::Adjournment(step) => self.adjourn(step, time),
            EventKind::LeaveChanged { on_leave: true, .. } => self.pause(PauseReason::Leave, time),
            EventKind::LeaveChanged { on_leave: false, .. } => {
                if let (Some(check_in), Some(since)) = (&mut self.check_in, self.paused_since) {
                    check_in.credit(since, time);
                }
                self.resume(PauseReason::Leave);
            }
            EventKind::MaintenanceBegun(_) => self.pause(PauseReason::Maintenance, time),
            EventKind::MaintenanceEnded { from } => {
                self.resume(PauseReason::Maintenance);
                self.pause_ends = self.pause_ends.map(|ends| ends + (time - *from));
                self.credit_meeting(*from, time);
            }
            EventKind::Created(_)
            | EventKind::DrawOffered
            | EventKind::DrawDeclined
            | EventKind::TimeGiven(_)
            | EventKind::Petitioned(_)
            | EventKind::Expired(_)
            | EventKind::Ended(_)
            | EventKind::Left { .. }
            | EventKind::Returned => {}
            EventKind::ForbiddenPlayed(forbidden) => {
                if forbidden.counts_as.is_some() {
                    self.drop_about(Proposal::Undo(0));
                }
            }
            EventKind::Ruled(ruling) => match &ruling.act {
                OfficialAct::Pause(reason) => self.pause(*reason, time),
                OfficialAct::Resume(reason) => self.resume(*reason),
                OfficialAct::VoidMoves(_) => self.drop_about(Proposal::Undo(0)),
                _ => {
                    if let Some(step) = ruling.adjournment_step() {
                        self.adjourn(&step, time);
                    }
                }
            },
        }
    }

    fn agree(&mut self, info: &GameInfo, proposal: Proposal, time: OffsetDateTime) {
        self.drop_about(proposal);
        match proposal {
            Proposal::Pause => {
                self.pause(PauseReason::Players, time);
                self.pause_ends = Some(time + PAUSE_MAX);
            }
            Proposal::Resume => {
                self.resume(PauseReason::Players);
                self.pause_ends = None;
            }
            Proposal::Rematch => self.rematch = Some(rematch_of(info.id)),
            Proposal::Undo(_) => {}
            Proposal::Adjourn => self.begin_sealing(),
            Proposal::ResumeAt(at) => self.resume_at(at),
        }
    }

    fn end(&mut self) {
        self.proposals.clear();
        self.pauses.clear();
        self.paused_since = None;
        self.pause_ends = None;
        self.check_in = None;
        self.adjournment = Adjournment::NONE;
        self.stage = Stage::Ended;
    }

    /// Makes the result final once everybody has confirmed it and no claim is open. Who is silent until the time
    /// for contesting it is over has confirmed it then.
    fn confirm(&mut self, info: &GameInfo) {
        let arbitration = &mut self.arbitration;
        if self.stage != Stage::Ended || arbitration.is_contested() && !arbitration.annulled {
            return;
        }
        if arbitration.contest_deadline.is_none() && info.regulations.confirmation != Confirmation::Nobody {
            arbitration.confirmed = [true; 2];
        }
        let confirmed = match info.regulations.confirmation {
            Confirmation::Nobody => true,
            Confirmation::Players => arbitration.confirmed == [true; 2],
            Confirmation::PlayersAndArbiter => {
                arbitration.confirmed == [true; 2] && arbitration.officials_confirmed
            }
        };
        if confirmed || arbitration.annulled {
            arbitration.contest_deadline = None;
            // Whoever has not come yet need not come any more.
            arbitration.calls.clear();
            self.stage = Stage::Final;
        }
    }

    fn propose(&mut self, by: &By, proposal: Proposal, time: OffsetDateTime) {
        let Some(side) = by.side() else { return };
        self.proposals.retain(|(other, open)| *other != side || !open.same_matter(proposal));
        self.proposals.push((side, proposal));
        if proposal == Proposal::Resume {
            self.pause_ends = self.pause_ends.map(|ends| ends.min(time + RESUME_NOTICE));
        }
    }

    pub(super) fn pause(&mut self, reason: PauseReason, time: OffsetDateTime) {
        self.pauses.insert(reason);
        self.paused_since.get_or_insert(time);
    }

    pub(super) fn resume(&mut self, reason: PauseReason) {
        self.pauses.remove(&reason);
        if self.pauses.is_empty() {
            self.paused_since = None;
        }
    }

    pub(super) fn drop_about(&mut self, proposal: Proposal) {
        self.proposals.retain(|(_, open)| !open.same_matter(proposal));
    }
}

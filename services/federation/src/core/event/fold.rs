//! An event as its log says it is: a fold, and nothing that is written anywhere else.

use crate::core::name::Name;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use chassis::id::{AccountId, EventId, FederationId, GameId, MemberId};
use pairing::{Number, Status, Ties, swiss::Prohibited};
use time::OffsetDateTime;

use super::{
    CheckItem, EnteredTeam, Role, Settings, Stage,
    broadcast::Told,
    challenge::Challenges,
    fact::{Actor, BoardId, Digest, Entrant, Fact, IncidentFact, LogEntry, PublishedRound, TimingFact},
    game_id,
    imported::Origin,
    incident::{Incident, Step},
    leave::Leaves,
    round::{BoardState, Round},
    seeds,
};

/// An event after some entry of its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its id.
    pub id: EventId,
    /// The number of the last entry that it reflects.
    pub sequence: u64,
    /// When that was written.
    pub updated: OffsetDateTime,
    /// Whose it is.
    pub federation: FederationId,
    /// What it is called.
    pub name: Name,
    /// What it is.
    pub settings: Arc<Settings>,
    /// The version of its supplement; a change after the adoption makes the next one.
    pub version: u32,
    /// The version that the committee adopted first, and the hash of its text.
    pub adopted: Option<(u32, Digest)>,
    /// How far it is.
    pub stage: Stage,
    /// Where it comes from; none where it is held here.
    pub origin: Option<Arc<Origin>>,
    /// Who has which offices in it.
    pub officials: BTreeMap<AccountId, BTreeSet<Role>>,
    /// What is ticked off.
    pub checked: BTreeSet<CheckItem>,
    /// Who has entered, in the order of numbers.
    pub participants: Vec<Participant>,
    /// Which teams have entered, in the order of numbers.
    pub teams: Vec<EnteredTeam>,
    /// Who must not meet.
    pub prohibited: Vec<Prohibited>,
    /// What the draws are held to: the head of the chain of seeds.
    pub seed: Option<Digest>,
    /// The rounds that were made public and not taken back, in their order.
    pub rounds: Vec<Round>,
    /// How many games each board had before, in rounds that were taken back, too.
    pub(super) attempts: BTreeMap<BoardId, u32>,
    /// Challenges on the ladder, and those that were lost without a game.
    pub(super) challenges: Challenges,
    /// What the committee does with places that no play-off has decided; none where it has said nothing.
    pub ties_settled: Option<Ties>,
    /// Whether the chief arbiter's report is filed.
    pub has_report: bool,
    /// Arbiters who are assessed.
    pub assessed: BTreeSet<AccountId>,
    /// Everybody who ever was an arbiter of it: all of them are assessed.
    pub arbiters: BTreeSet<AccountId>,
    /// Incidents, in the order of numbers.
    pub incidents: Vec<Incident>,
    /// Who has said that he is there, and for which round.
    pub checked_in: BTreeSet<(u16, Number)>,
    /// How many statements each player has made, and under none how many notes officials have.
    pub(super) statements: BTreeMap<Option<Number>, u32>,
    /// Who is on leave, and when.
    pub leaves: Leaves,
    /// What was told of boards within the longest delay of a broadcast, the earliest first.
    pub(super) told: VecDeque<Told>,
}

/// Somebody who has entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// As he entered.
    pub entrant: Entrant,
    /// The version of the supplement that he has accepted last.
    pub accepts: u32,
    /// What he is to the event, in the order in which it was written.
    pub statuses: Vec<Status>,
    /// His team; none where he plays for himself.
    pub team: Option<Number>,
}

/// A log that makes no sense: nothing of it is believed from there on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the log makes no sense at entry {sequence}: {detail}")]
pub struct CorruptLog {
    /// Where.
    pub sequence: u64,
    /// In what way.
    pub detail: &'static str,
}

impl Event {
    /// The event of a log's first entry.
    ///
    /// # Errors
    /// When that is not its creation.
    pub fn begin(id: EventId, first: &LogEntry) -> Result<Event, CorruptLog> {
        let corrupt = |detail| CorruptLog { sequence: first.sequence, detail };
        let Fact::Created { federation, name, settings } = &first.fact else {
            return Err(corrupt("an event begins with its creation"));
        };
        if first.sequence != 1 {
            return Err(corrupt("the creation is the first entry"));
        }
        Ok(Event {
            id,
            sequence: 1,
            updated: first.at,
            federation: *federation,
            name: name.clone(),
            settings: Arc::new(Settings::clone(settings)),
            version: 1,
            adopted: None,
            stage: Stage::Draft,
            origin: None,
            officials: BTreeMap::new(),
            checked: BTreeSet::new(),
            participants: Vec::new(),
            teams: Vec::new(),
            prohibited: Vec::new(),
            seed: None,
            rounds: Vec::new(),
            attempts: BTreeMap::new(),
            challenges: Challenges::default(),
            ties_settled: None,
            has_report: false,
            assessed: BTreeSet::new(),
            arbiters: BTreeSet::new(),
            incidents: Vec::new(),
            checked_in: BTreeSet::new(),
            statements: BTreeMap::new(),
            leaves: Leaves::default(),
            told: VecDeque::new(),
        })
    }

    /// The event of a whole log.
    ///
    /// # Errors
    /// When the log makes no sense, or is empty.
    pub fn replay<'a>(id: EventId, log: impl IntoIterator<Item = &'a LogEntry>) -> Result<Event, CorruptLog> {
        let mut entries = log.into_iter();
        let first = entries.next().ok_or(CorruptLog { sequence: 0, detail: "it is empty" })?;
        let mut event = Event::begin(id, first)?;
        entries.try_for_each(|entry| event.apply(entry))?;
        Ok(event)
    }

    /// Takes the next entry of the log over.
    ///
    /// # Errors
    /// When it does not follow. The event is then not to be used any more.
    pub fn apply(&mut self, entry: &LogEntry) -> Result<(), CorruptLog> {
        let corrupt = |detail| CorruptLog { sequence: entry.sequence, detail };
        if entry.sequence != self.sequence + 1 {
            return Err(corrupt("a number is missing before it"));
        }
        self.remember(entry);
        self.sequence = entry.sequence;
        self.updated = entry.at;
        self.take(entry).map_err(corrupt)
    }

    fn take(&mut self, entry: &LogEntry) -> Result<(), &'static str> {
        match &entry.fact {
            Fact::Created { .. } => return Err("an event is created once"),
            Fact::SettingsChanged { settings, .. } => {
                self.settings = Arc::new(Settings::clone(settings));
                self.version += u32::from(self.adopted.is_some());
            }
            Fact::Adopted { version, text } => {
                self.adopted = Some((*version, *text));
                self.stage = Stage::Adopted;
            }
            Fact::Advanced { to } => {
                self.stage = *to;
                if *to == Stage::Closing {
                    self.settle_last_match();
                }
            }
            Fact::Cancelled { .. } => self.stage = Stage::Cancelled,
            Fact::Imported(origin) => return self.take_origin(origin),
            Fact::Checked { item, done: true } => drop(self.checked.insert(*item)),
            Fact::Checked { item, done: false } => drop(self.checked.remove(item)),
            Fact::Appointed { account, role } => self.add_official(*account, *role),
            Fact::Dismissed { account, role, .. } => self.remove_official(*account, *role),
            Fact::Entered(entrant) => return self.add_participant(entrant),
            Fact::EntryUpdated(update) => self.take_entry(update)?,
            Fact::Accepted { number, version } => self.participant_mut(*number)?.accepts = *version,
            Fact::StatusAdded { number, status, .. } => {
                self.participant_mut(*number)?.statuses.push(*status);
                self.drop_challenges_of_departed();
            }
            Fact::Prohibited { pair: [a, b], from_round, to_round, .. } => {
                let (a, b, from_round, to_round) = (*a, *b, *from_round, *to_round);
                self.prohibited.push(Prohibited { a, b, from_round, to_round });
            }
            Fact::SeedCommitted { head } => self.seed = Some(*head),
            Fact::RoundPublished(round) => return self.publish(round, entry.at),
            Fact::RoundRetracted { round, .. } => return self.retract(*round),
            Fact::RoundStarted { round } => {
                self.open_arranging(*round, entry.at)?;
                let round = self.round_mut(*round)?;
                round.started = Some(entry.at);
                round.note_end(entry.at);
            }
            Fact::Result { board, result } => {
                for item in self.opened_by_results() {
                    self.checked.remove(&item);
                }
                let state = self.board_mut(*board)?;
                state.result = Some(result.clone());
                state.postponed = None;
                state.entered_by = entry.actor.account();
                self.round_mut(board.round)?.note_end(entry.at);
            }
            Fact::ReplayStarted { board } => self.replay_board(*board, entry.at)?,
            Fact::Incident(fact) => return self.take_incident(fact, entry),
            Fact::Timing(fact) => return self.take_timing(*fact, entry.at),
            Fact::FairPlay(fact) => return self.take_fair_play(fact),
            Fact::Arranging(fact) => return self.take_of_arranging(fact, entry.at),
            Fact::Leave(fact) => return self.take_of_leave(fact, entry),
            Fact::ReportFiled { .. } => self.has_report = true,
            Fact::ArbiterAssessed { account, .. } => drop(self.assessed.insert(*account)),
            Fact::Amended { .. } => {}
            Fact::TiesSettled { ties, .. } => self.ties_settled = Some(*ties),
            Fact::Team(fact) => return self.take_of_teams(fact),
            Fact::Ladder(fact) => return self.take_of_ladder(*fact),
        }
        Ok(())
    }

    /// What is ticked off, and is to be done again when a result changes: what was compared before was something else.
    pub(super) fn opened_by_results(&self) -> Vec<CheckItem> {
        let closing = self.stage == Stage::Closing;
        let items = self.checked.iter().filter(|item| closing && item.before() == Stage::Final);
        items.copied().collect()
    }

    fn add_official(&mut self, account: AccountId, role: Role) {
        self.officials.entry(account).or_default().insert(role);
        if matches!(role, Role::Deputy | Role::Arbiter) {
            self.arbiters.insert(account);
        }
    }

    fn remove_official(&mut self, account: AccountId, role: Role) {
        if let Some(roles) = self.officials.get_mut(&account) {
            roles.remove(&role);
            if roles.is_empty() {
                self.officials.remove(&account);
            }
        }
    }

    fn add_participant(&mut self, entrant: &Entrant) -> Result<(), &'static str> {
        if entrant.number != self.next_number() {
            return Err("numbers are given in order");
        }
        let statuses = vec![Status::Active { from_round: entrant.from_round }];
        let accepts = entrant.accepts;
        self.participants.push(Participant { entrant: entrant.clone(), accepts, statuses, team: None });
        Ok(())
    }

    fn take_incident(&mut self, fact: &IncidentFact, entry: &LogEntry) -> Result<(), &'static str> {
        match fact {
            IncidentFact::Reported(report) => {
                if report.number as usize != self.incidents.len() + 1 {
                    return Err("incidents are numbered in order");
                }
                let (report, reported) = (report.clone(), entry.at);
                let (result_before, steps, appeal) = (None, Vec::new(), None);
                self.incidents.push(Incident { report, reported, result_before, steps, appeal });
            }
            IncidentFact::Ruled { number, ruling, granted, reason } => {
                let Actor::Person { account, role, .. } = entry.actor else {
                    return Err("nobody ruled on an incident");
                };
                let board = self.incident(*number).and_then(|incident| incident.report.board);
                let state = board.and_then(|board| self.find_board(board).ok());
                let result_before = state.and_then(|(_, _, state)| state.result.clone());
                let accused = self.incident(*number).and_then(|incident| incident.report.accused);
                let accused = accused.and_then(|accused| self.participant(accused));
                let had_left = accused.is_some_and(|it| super::decide::has_left(&it.statuses));
                let (ruling, granted, reason) = (*ruling, *granted, *reason);
                let incident = self.incident_mut(*number)?;
                if incident.steps.is_empty() {
                    incident.result_before = result_before;
                }
                incident.appeal = None;
                incident.steps.push(Step {
                    by: account,
                    role,
                    at: entry.at,
                    ruling,
                    granted,
                    reason,
                    had_left,
                });
            }
            IncidentFact::Appealed { number, appellant, text } => {
                self.incident_mut(*number)?.appeal = Some((*appellant, *text));
            }
            IncidentFact::Noticed { board, notice } => self.board_mut(*board)?.notices.push(*notice),
        }
        Ok(())
    }

    fn take_timing(&mut self, fact: TimingFact, at: OffsetDateTime) -> Result<(), &'static str> {
        match fact {
            TimingFact::CheckedIn { number, round } => drop(self.checked_in.insert((round, number))),
            TimingFact::PostponementAsked { board, number, until } => {
                return self.ask_to_postpone_board(board, number, until);
            }
            TimingFact::BoardPostponed { board, until } => return self.postpone(board, until),
            TimingFact::BoardStarted { board } => {
                let state = self.board_mut(board)?;
                state.postponed = None;
                state.result = None;
                state.started = Some(at);
            }
        }
        Ok(())
    }

    pub(super) fn incident_mut(&mut self, number: u32) -> Result<&mut Incident, &'static str> {
        self.incidents.get_mut((number as usize).wrapping_sub(1)).ok_or("there is no such incident")
    }

    fn publish(&mut self, round: &PublishedRound, at: OffsetDateTime) -> Result<(), &'static str> {
        if round.round != self.next_round() {
            return Err("rounds are published in their order");
        }
        if self.has_strangers(round) {
            return Err("somebody is paired who has not entered");
        }
        // What was held elsewhere was drawn there.
        let is_drawn = |head| seeds::follows(&round.seed, round.round, &head, 0);
        if self.origin.is_none() && !self.seed.is_some_and(is_drawn) {
            return Err("the seed of the round is not what was committed to");
        }
        self.take_up_challenges(round);
        let boards = round.boards.iter().map(|board| self.fresh(round.round, board)).collect();
        let mut round = Round {
            published: Arc::new(round.clone()),
            published_at: at,
            started: None,
            over: None,
            boards,
            line_ups: BTreeMap::new(),
            ahead: BTreeMap::new(),
            follows: Arc::new(self.followed_by(round)),
            games: Arc::default(),
        };
        round.know_games(self.id);
        self.rounds.push(round);
        Ok(())
    }

    fn retract(&mut self, round: u16) -> Result<(), &'static str> {
        if self.rounds.last().is_none_or(|last| last.published.round != round) {
            return Err("only the last round is taken back");
        }
        self.forget_boards_of(round);
        if let Some(taken) = self.rounds.pop() {
            self.attempts.extend(taken.laid().map(|(board, _, state)| (board, state.attempt)));
            self.challenges.take_back(round);
            self.rosters_hold_from(round);
            self.drop_challenges_of_departed();
        }
        Ok(())
    }

    fn replay_board(&mut self, board: BoardId, at: OffsetDateTime) -> Result<(), &'static str> {
        let arrangement = self.opened(board.table, at).map(Box::new);
        let state = self.board_mut(board)?;
        let arbiters = std::mem::take(&mut state.arbiters);
        *state = BoardState { arbiters, arrangement, ..BoardState::of_attempt(state.attempt + 1) };
        let id = self.id;
        let round = self.round_mut(board.round)?;
        round.over = None;
        round.know_games(id);
        Ok(())
    }

    pub(super) fn participant_mut(&mut self, number: Number) -> Result<&mut Participant, &'static str> {
        let at = (number.0 as usize).wrapping_sub(1);
        self.participants.get_mut(at).ok_or("nobody has this number")
    }

    pub(super) fn round_mut(&mut self, round: u16) -> Result<&mut Round, &'static str> {
        self.rounds.iter_mut().find(|it| it.published.round == round).ok_or("there is no such round")
    }

    pub(super) fn board_mut(&mut self, board: BoardId) -> Result<&mut BoardState, &'static str> {
        let round = self.round_mut(board.round)?;
        let at = round.place_of(board.table);
        at.and_then(|at| round.boards.get_mut(at)).ok_or("there is no such table")
    }

    /// The number of whoever enters next.
    pub fn next_number(&self) -> Number {
        Number(u32::try_from(self.participants.len()).unwrap_or(u32::MAX).saturating_add(1))
    }

    /// The round that is published next.
    pub fn next_round(&self) -> u16 {
        self.rounds.last().map_or(1, |round| round.published.round + 1)
    }

    /// Who has this number.
    pub fn participant(&self, number: Number) -> Option<&Participant> {
        self.participants.get((number.0 as usize).wrapping_sub(1))
    }

    /// Who of the participants is this member. Of one who has changed his team, as he plays for the later.
    pub fn of_member(&self, member: MemberId) -> Option<&Participant> {
        self.participants.iter().rev().find(|it| it.entrant.member == member)
    }

    /// Who of the participants plays with this account. Of one who has changed his team, as he plays for the later.
    pub fn of_account(&self, account: AccountId) -> Option<&Participant> {
        self.participants.iter().rev().find(|it| it.entrant.account == Some(account))
    }

    /// Whether somebody's own game runs: he sits at a board of a round that has begun, and nothing came of it so far.
    pub fn plays_now(&self, account: AccountId) -> bool {
        let Some(own) = self.of_account(account).map(Participant::number) else { return false };
        let begun = self.rounds.iter().rev().filter(|round| round.started.is_some());
        let runs = |state: &BoardState| {
            state.result.is_none() && state.postponed.is_none() && !state.is_to_be_arranged()
        };
        begun.flat_map(Round::laid).any(|(_, board, state)| board.players.contains(&own) && runs(state))
    }

    /// A round that is public.
    pub fn round(&self, round: u16) -> Option<&Round> {
        self.rounds.iter().find(|it| it.published.round == round)
    }

    /// The game that is or was last played at a board.
    pub fn game(&self, board: BoardId) -> Option<GameId> {
        let (_, _, state) = self.find_board(board).ok()?;
        Some(game_id(self.id, board, state.attempt))
    }

    /// The last games of the boards of a round that was taken back, and not published again since.
    pub fn left_behind(&self, round: u16) -> impl Iterator<Item = (BoardId, u32)> {
        let is_back = self.round(round).is_some();
        let of_round = self.attempts.iter().filter(move |(board, _)| board.round == round && !is_back);
        of_round.map(|(board, attempt)| (*board, *attempt))
    }

    /// The board at which a game is or was played, and whether that game is the last of the board.
    pub fn board_of_game(&self, game: GameId) -> Option<(BoardId, bool)> {
        let board = *self.rounds.iter().rev().find_map(|round| round.games.get(&game))?;
        Some((board, self.game(board) == Some(game)))
    }

    /// The roles that somebody has by the event itself: offices, and that he has entered.
    pub fn roles_of(&self, account: AccountId) -> BTreeSet<Role> {
        let mut roles = self.officials.get(&account).cloned().unwrap_or_default();
        if self.of_account(account).is_some() {
            roles.insert(Role::Player);
        }
        if self.captained_by(account).is_some() {
            roles.insert(Role::Captain);
        }
        roles
    }

    /// Who is the chief arbiter.
    pub fn chief_arbiter(&self) -> Option<AccountId> {
        self.officials
            .iter()
            .find(|(_, roles)| roles.contains(&Role::ChiefArbiter))
            .map(|(account, _)| *account)
    }
}

impl Participant {
    /// His number.
    pub const fn number(&self) -> Number {
        self.entrant.number
    }
}

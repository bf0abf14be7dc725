//! What may happen in an event: from what somebody asks to what is written, or why it is not.

use chassis::id::AccountId;
use pairing::{Number, Status};
use time::OffsetDateTime;

use super::{
    CheckItem, Event, Format, GameSettings, Missing, Refusal, Role, Settings, Stage,
    fact::{Board, BoardId, Digest, Entrant, Fact, PublishedRound, Sealed},
    limits::EVENT_OFFICIALS_MAX,
    round::{BoardState, Round},
    supplement,
};

/// The fewest that an event begins with.
const ENTRANTS_MIN: usize = 2;

/// What somebody is said to be from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusChange {
    /// Who.
    pub number: Number,
    /// The row.
    pub status: Status,
    /// Why, beside the log.
    pub reason: Option<Sealed>,
}

impl Event {
    /// Changes the settings. What people have begun with stays: the game and the format once rounds are published.
    ///
    /// # Errors
    /// When they make no sense, or what is settled would change.
    pub fn change_settings(
        &self,
        settings: Settings,
        reason: String,
        now: OffsetDateTime,
    ) -> Result<Vec<Fact>, Refusal> {
        // Times that have passed were checked when they lay ahead.
        let checked = if self.stage == Stage::Running { OffsetDateTime::UNIX_EPOCH } else { now };
        settings.check(checked)?;
        if self.stage >= Stage::Running {
            let old = &self.settings;
            for (what, same) in [
                ("the game", same_game(&old.game, &settings.game)),
                ("the format", same_format(&old.format, &settings.format)),
            ] {
                if !same {
                    return Err(Refusal::Settled(what, self.stage));
                }
            }
        }
        // What is played when a place is shared is settled before anybody can know who will (Art. 28.3).
        if self.adopted.is_some() && self.settings.play_off != settings.play_off {
            return Err(Refusal::Settled("the play-off", self.stage));
        }
        let in_play_off = self.rounds.iter().any(|it| it.published.play_off);
        let is_settled = in_play_off || self.ties_settled.is_some();
        if is_settled && self.settings.format != settings.format {
            return Err(Refusal::Settled("the number of rounds", self.stage));
        }
        if !self.participants.is_empty() && self.settings.teams != settings.teams {
            return Err(Refusal::Settled("what teams are", self.stage));
        }
        if !self.rounds.is_empty() && self.settings.arranging.is_some() != settings.arranging.is_some() {
            return Err(Refusal::Settled("whether games are arranged", self.stage));
        }
        if !self.leaves.all.is_empty() && settings.leave.is_none() {
            return Err(Refusal::Settled("whether there is leave", self.stage));
        }
        if settings == *self.settings {
            return Ok(Vec::new());
        }
        if self.adopted.is_some() && reason.is_empty() {
            return Err(Refusal::NoReason);
        }
        self.times_lie_ahead(&settings, now)?;
        let version = self.version + u32::from(self.adopted.is_some());
        let text = supplement::hash(&supplement::text(&self.name, version, &settings));
        let taken_back = self.taken_back_at_the_end(self.next_round() - 1, &settings.format);
        let changed = Fact::SettingsChanged { settings: Box::new(settings), text, reason };
        Ok(std::iter::once(changed).chain(taken_back).collect())
    }

    /// Rounds that are not public yet are not moved into the past.
    fn times_lie_ahead(&self, settings: &Settings, now: OffsetDateTime) -> Result<(), Refusal> {
        let (old, new) = (&self.settings.schedule.rounds, &settings.schedule.rounds);
        let moved = new.iter().zip(old.iter().map(Some).chain(std::iter::repeat(None)));
        let moved = moved.skip((self.next_round() - 1).into()).filter(|(new, old)| Some(*new) != *old);
        let passed = moved.into_iter().any(|(new, _)| *new <= now);
        let refusal = || super::BadSettings {
            field: "schedule",
            detail: "a round that is not public yet would begin in the past".to_owned(),
        };
        if passed { Err(refusal().into()) } else { Ok(()) }
    }

    /// The text of the supplement as it stands.
    pub fn supplement(&self) -> String {
        supplement::text(&self.name, self.version, &self.settings)
    }

    /// Adopts the supplement as it stands (31.1).
    ///
    /// # Errors
    /// When it was not laid before the committee.
    pub fn adopt(&self, now: OffsetDateTime) -> Result<Vec<Fact>, Refusal> {
        self.settings.check(now)?;
        self.complete_for(Stage::Adopted, now)?;
        let text = supplement::hash(&self.supplement());
        Ok(vec![Fact::Adopted { version: self.version, text }])
    }

    /// What is missing before a stage.
    pub fn missing(&self, stage: Stage, now: OffsetDateTime) -> Vec<Missing> {
        let items = CheckItem::ALL.into_iter().filter(|item| item.before() == stage);
        let open = items.filter(|item| !self.checked.contains(item)).map(Missing::Item);
        let mut missing: Vec<Missing> = open.collect();
        let mut need = |holds: bool, what: Missing| {
            if !holds {
                missing.push(what);
            }
        };
        match stage {
            Stage::Registration => need(self.chief_arbiter().is_some(), Missing::ChiefArbiter),
            Stage::Running => {
                need(self.chief_arbiter().is_some(), Missing::ChiefArbiter);
                let contestants = self.contestants();
                let there = contestants.iter().filter(|(_, statuses)| !has_left(statuses));
                need(there.count() >= ENTRANTS_MIN, Missing::Entries);
                need(self.all_accept(), Missing::Acceptance);
                need(self.seed.is_some(), Missing::SeedCommitment);
            }
            Stage::Closing => {
                let played = self.rounds.iter().all(Round::is_complete) && self.has_no_more_rounds();
                need(played, Missing::Rounds);
                need(!self.is_play_off_due(), Missing::PlayOff);
                need(!self.has_unarranged(), Missing::Unarranged);
            }
            Stage::Final => {
                need(self.rounds.iter().all(Round::is_complete), Missing::Rounds);
                // A late decision may have two share a place; nobody plays any more, and the committee settles it.
                need(!self.is_play_off_due(), Missing::PlayOff);
                // What can still be appealed against is not settled.
                need(!self.has_open_incidents(now), Missing::Incidents);
                need(self.has_report, Missing::Report);
                need(self.arbiters.is_subset(&self.assessed), Missing::Assessments);
            }
            Stage::Draft | Stage::Adopted | Stage::Cancelled => {}
        }
        missing
    }

    /// Whether everybody who is there has accepted the supplement as it stands, with his team or by himself.
    fn all_accept(&self) -> bool {
        let left = |team| self.team(team).is_some_and(|team| has_left(&team.statuses));
        let there = |it: &&super::Participant| !has_left(&it.statuses) && !it.team.is_some_and(left);
        self.participants.iter().filter(there).all(|it| it.accepts == self.version)
    }

    fn complete_for(&self, stage: Stage, now: OffsetDateTime) -> Result<(), Refusal> {
        let missing = self.missing(stage, now);
        if missing.is_empty() { Ok(()) } else { Err(Refusal::Incomplete(missing)) }
    }

    /// Ticks an item of the list off, or opens it again.
    ///
    /// # Errors
    /// When it is not the time for it: nobody has compared results before there are any.
    pub fn check_off(&self, item: CheckItem, done: bool) -> Result<Vec<Fact>, Refusal> {
        if done && (self.stage < item.from() || self.stage >= item.before()) {
            return Err(super::NotAllowed::Stage(self.stage).into());
        }
        let is_new = self.checked.contains(&item) != done;
        Ok(is_new.then_some(Fact::Checked { item, done }).into_iter().collect())
    }

    /// Goes on to the next stage.
    ///
    /// # Errors
    /// When something is missing.
    pub fn advance(&self, now: OffsetDateTime) -> Result<Vec<Fact>, Refusal> {
        let to = self.stage.next().filter(|_| self.stage != Stage::Draft);
        let to = to.ok_or(super::role::NotAllowed::Stage(self.stage))?;
        self.complete_for(to, now)?;
        Ok(vec![Fact::Advanced { to }])
    }

    /// Gives an office.
    ///
    /// # Errors
    /// When it is none, or there is a chief arbiter already; when there are too many officials.
    pub fn appoint(&self, account: AccountId, role: Role) -> Result<Vec<Fact>, Refusal> {
        if !role.is_office() {
            return Err(Refusal::Office("nobody is appointed to that"));
        }
        if self.officials.get(&account).is_some_and(|roles| roles.contains(&role)) {
            return Ok(Vec::new());
        }
        if role == Role::ChiefArbiter && self.chief_arbiter().is_some() {
            return Err(Refusal::Office("there is a chief arbiter; dismiss him first"));
        }
        if self.officials.len() >= EVENT_OFFICIALS_MAX && !self.officials.contains_key(&account) {
            return Err(Refusal::TooManyOfficials(self.officials.len()));
        }
        Ok(vec![Fact::Appointed { account, role }])
    }

    /// Takes an office away.
    ///
    /// # Errors
    /// When he has not got it.
    pub fn dismiss(&self, account: AccountId, role: Role, reason: Sealed) -> Result<Vec<Fact>, Refusal> {
        if !self.officials.get(&account).is_some_and(|roles| roles.contains(&role)) {
            return Err(Refusal::Office("he does not have this office"));
        }
        Ok(vec![Fact::Dismissed { account, role, reason }])
    }

    /// Commits to the seed of the draws.
    ///
    /// # Errors
    /// When that was done.
    pub fn commit_seed(&self, head: Digest) -> Result<Vec<Fact>, Refusal> {
        if self.seed.is_some() { Err(Refusal::SeedCommitted) } else { Ok(vec![Fact::SeedCommitted { head }]) }
    }

    /// Enters somebody: before the first round, or late while the list is open (1.7). Who left before the start can come
    /// again, under his number.
    ///
    /// # Errors
    /// Why he cannot.
    pub fn enter(&self, entrant: Entrant, now: OffsetDateTime) -> Result<Vec<Fact>, Refusal> {
        if self.settings.teams.is_some() {
            return Err(Refusal::OfTeams);
        }
        self.not_entered(&entrant)?;
        if entrant.accepts != self.version {
            return Err(Refusal::OldSupplement(self.version));
        }
        let from_round = self.entry_round(self.participants.len(), now)?;
        let entrant = Entrant { number: self.next_number(), from_round, ..entrant };
        Ok(vec![Fact::Entered(entrant)])
    }

    /// The first round of whoever enters now, where so many have entered.
    pub(super) fn entry_round(&self, entered: usize, now: OffsetDateTime) -> Result<u16, Refusal> {
        let entries = self.settings.entries;
        if entered >= entries.max as usize {
            return Err(Refusal::Full);
        }
        let late = self.stage == Stage::Running;
        let closed = entries.until.is_some_and(|until| now >= until);
        if (late && (!self.has_open_list() || self.next_round() >= entries.late_until_round))
            || (!late && closed)
        {
            return Err(Refusal::EntriesClosed);
        }
        Ok(if late { self.next_round() } else { 1 })
    }

    /// Whether the list of a running event can change: every round follows from the one before, and not from the first.
    pub(super) fn has_open_list(&self) -> bool {
        use Format::{Grading, Ladder, MacMahon, Swiss};
        matches!(self.settings.format, Swiss { .. } | MacMahon { .. } | Grading { .. } | Ladder { .. })
    }

    /// Has somebody accept the supplement as it stands.
    ///
    /// # Errors
    /// When it is another version, or nobody has the number.
    pub fn accept(&self, number: Number, version: u32) -> Result<Vec<Fact>, Refusal> {
        let participant = self.participant(number).ok_or(Refusal::UnknownNumber(number))?;
        if version != self.version {
            return Err(Refusal::OldSupplement(self.version));
        }
        let is_new = participant.accepts != version;
        Ok(is_new.then_some(Fact::Accepted { number, version }).into_iter().collect())
    }

    /// Writes one more row of what somebody is. Who leaves or is annulled in the middle of a round loses what he has not
    /// finished.
    ///
    /// # Errors
    /// When it does not fit what is written.
    pub fn change_status(&self, change: StatusChange) -> Result<Vec<Fact>, Refusal> {
        let StatusChange { number, status, reason } = change;
        let participant = self.participant(number).ok_or(Refusal::UnknownNumber(number))?;
        self.fits(&participant.statuses, status)?;
        if matches!(status, Status::Active { .. }) && self.is_out_of_team(number) {
            return Err(Refusal::Status(
                "he is in the team no more: it takes him back by a change of its players",
            ));
        }
        self.fits_what_was_played(&[number], status)?;
        let mut facts = vec![Fact::StatusAdded { number, status, reason }];
        if matches!(status, Status::Withdrawn { .. } | Status::Expelled { .. } | Status::Annulled) {
            facts.extend(self.forfeits_of(number));
        }
        Ok(facts)
    }

    /// Whether a row can follow those that are written.
    pub(super) fn fits(&self, statuses: &[Status], status: Status) -> Result<(), Refusal> {
        let left = has_left(statuses);
        let published = self.next_round() - 1;
        let refused = match status {
            Status::Registered => Some("who has entered is more than on the list"),
            Status::Withdrawn { after_round } | Status::Expelled { after_round } => match () {
                () if left => Some("he has left already"),
                () if after_round > published => {
                    Some("he leaves after a round that was published, or before the first")
                }
                () if after_round + 1 < published => Some("that round is over"),
                () if after_round < published.min(1) && !self.has_open_list() => {
                    Some("the first round is published, by the list as it was then")
                }
                () => None,
            },
            Status::Active { from_round } => match () {
                () if !left => Some("he has not left"),
                () if from_round <= published => Some("that round is published"),
                () => None,
            },
            Status::Absent { round } | Status::Bye { round, .. } => match () {
                () if left => Some("he has left"),
                () if round <= published => Some("that round is published"),
                () if self.settings.format.rounds().is_none_or(|rounds| round > rounds) => {
                    Some("there is no such round")
                }
                () if statuses.contains(&status) => Some("that is known"),
                () => None,
            },
            Status::Annulled => None,
        };
        refused.map_or(Ok(()), |why| Err(Refusal::Status(why)))
    }

    /// Every board of every round that is public.
    pub fn all_boards(&self) -> impl Iterator<Item = (BoardId, &Board, &super::BoardState)> {
        self.rounds.iter().flat_map(Round::laid)
    }

    /// Forbids two to meet (H4).
    ///
    /// # Errors
    /// When nobody has one of the numbers.
    pub fn prohibit(
        &self,
        pair: [Number; 2],
        rounds: [u16; 2],
        reason: Sealed,
    ) -> Result<Vec<Fact>, Refusal> {
        for number in pair {
            let known = self.contestants().iter().any(|(it, _)| *it == number);
            known.then_some(()).ok_or(Refusal::UnknownNumber(number))?;
        }
        let [from_round, to_round] = rounds;
        if pair[0] == pair[1] || from_round > to_round || from_round < self.next_round() {
            return Err(Refusal::Status(
                "two players, from a round that is not published yet to one not before it",
            ));
        }
        Ok(vec![Fact::Prohibited { pair, from_round, to_round, reason }])
    }

    /// Publishes a round that was paired before, if what it follows from has not changed since: it is paired once more,
    /// which must give what was laid before the chief arbiter.
    ///
    /// # Errors
    /// When it has changed.
    pub fn publish_round(
        &self,
        draft: PublishedRound,
        paired_anew: &PublishedRound,
    ) -> Result<Vec<Fact>, Refusal> {
        if draft.round != self.next_round() || draft.input != paired_anew.input {
            return Err(Refusal::Stale);
        }
        let same = (&draft.boards, &draft.matches, &draft.out, draft.play_off)
            == (&paired_anew.boards, &paired_anew.matches, &paired_anew.out, paired_anew.play_off);
        // By hand some change their places, and nobody comes or goes.
        if (draft.edits.is_empty() && !same) || draft.members() != paired_anew.members() {
            return Err(Refusal::Stale);
        }
        if self.is_within_match(draft.round) && draft.matches != paired_anew.matches {
            return Err(Refusal::Pairing("a match goes on between the same teams".to_owned()));
        }
        let taken_back = self.taken_back_at_the_end(draft.round, &self.settings.format);
        Ok(std::iter::once(Fact::RoundPublished(Box::new(draft))).chain(taken_back).collect())
    }

    /// Takes a round back before its first move; `has_moves` says whether any of its games has one.
    ///
    /// # Errors
    /// When it is not the last, or was played.
    pub fn retract_round(&self, round: u16, reason: String, has_moves: bool) -> Result<Vec<Fact>, Refusal> {
        let last = self.rounds.last().filter(|last| last.published.round == round);
        let last = last.ok_or(Refusal::Round("only the last round that is public is taken back"))?;
        if has_moves || last.boards.iter().any(BoardState::was_played) {
            return Err(Refusal::Round("the round is being played"));
        }
        Ok(vec![Fact::RoundRetracted { round, reason }])
    }

    /// Starts a round: its games are made. A round of teams is started by [`Event::start_round_of_teams`], which lays its
    /// boards.
    ///
    /// # Errors
    /// When it is not the last, has begun, or is of teams.
    pub fn start_round(&self, round: u16) -> Result<Vec<Fact>, Refusal> {
        if self.meetings().is_some() {
            return Err(Refusal::Round("the boards of its teams are laid first"));
        }
        self.begin_round(round)
    }

    /// That a round begins.
    pub(super) fn begin_round(&self, round: u16) -> Result<Vec<Fact>, Refusal> {
        let last = self.rounds.last().filter(|last| last.published.round == round);
        match last {
            None => Err(Refusal::Round("only the round that was published last is started")),
            Some(last) if last.started.is_some() => Err(Refusal::Round("the round has begun already")),
            Some(last) => {
                let mut facts = vec![Fact::RoundStarted { round }];
                facts.extend(self.lost_by_departure(last));
                Ok(facts)
            }
        }
    }

    /// A board with its round.
    ///
    /// # Errors
    /// When there is none.
    pub fn find_board(&self, board: BoardId) -> Result<(&Round, &Board, &super::BoardState), Refusal> {
        let round = self.round(board.round).ok_or(Refusal::UnknownBoard)?;
        let at = round.place_of(board.table).ok_or(Refusal::UnknownBoard)?;
        Ok((round, &round.published.boards[at], &round.boards[at]))
    }
}

pub(super) fn has_left(statuses: &[Status]) -> bool {
    let player = pairing::Player { states: statuses.to_vec(), ..pairing::Player::new(0) };
    player.left_after().is_some() || player.is_annulled()
}

/// Whether two games are one as far as what was played goes: how late one may come and who confirms can change.
fn same_game(one: &GameSettings, other: &GameSettings) -> bool {
    one.variant.id == other.variant.id
        && (&one.rule_set, &one.options) == (&other.rule_set, &other.options)
        && (&one.time_control, one.rated) == (&other.time_control, other.rated)
}

/// Whether two formats are one as far as what was played goes: the number of rounds may change.
fn same_format(one: &Format, other: &Format) -> bool {
    match (one, other) {
        (Format::Swiss { .. }, Format::Swiss { .. }) => true,
        (Format::Grading { by: a, .. }, Format::Grading { by: b, .. }) => a == b,
        (Format::Ladder { reach: a, .. }, Format::Ladder { reach: b, .. }) => a == b,
        (
            Format::MacMahon { bar, floor, reduction, handicap_max, .. },
            Format::MacMahon { bar: b, floor: f, reduction: r, handicap_max: h, .. },
        ) => (bar, floor, reduction, handicap_max) == (b, f, r, h),
        (one, other) => one == other,
    }
}

/// A new event.
///
/// # Errors
/// When its settings make no sense.
pub fn create(
    federation: chassis::id::FederationId,
    name: crate::core::name::Name,
    settings: Settings,
    now: OffsetDateTime,
) -> Result<Vec<Fact>, Refusal> {
    settings.check(now)?;
    Ok(vec![Fact::Created { federation, name, settings: Box::new(settings) }])
}

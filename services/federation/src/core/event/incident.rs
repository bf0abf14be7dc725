//! What happens beside the boards of an event, or is claimed after a game: reported, ruled on, appealed against (1.9).
//! What happens during a game is of the game's log; of that an event takes note.

use std::collections::BTreeSet;

use chassis::id::AccountId;
use pairing::{Number, Reason, ResultCode, Status};
use rules::IncidentKind;
use time::OffsetDateTime;

use super::{
    Event, Official, Refusal, Role,
    fact::{BoardId, BoardResult, Fact, IncidentFact, ResultSource, Sealed},
    result::check_codes,
};

/// Incidents of one event that nobody has ruled on: more than its arbiters could look at.
pub const OPEN_MAX: usize = 200;
/// The same of one player, who would otherwise keep everybody else's out.
pub const OPEN_OF_PLAYER_MAX: usize = 8;

/// What is noted of the games of one board: more than a game lets its players call, claim and appeal.
const NOTICES_MAX: usize = 200;

/// What becomes of the accused, from mild to hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sanction {
    /// Nothing.
    Nothing,
    /// He is admonished (劝告), which does not count.
    Admonition,
    /// He is warned (警告), which counts in the table (B of 28.1).
    Warning,
    /// A violation (违例) is noted.
    Violation,
    /// He loses the game of the board.
    Loss,
    /// He is sent away.
    Expulsion,
}

/// What an instance decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// What becomes of the accused.
    pub sanction: Sanction,
    /// What the board's result is to be where it is not what follows from the sanction.
    pub codes: Option<[ResultCode; 2]>,
}

/// How far an incident is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncidentState {
    /// Nobody has ruled on it.
    Open,
    /// It is ruled on, and can be appealed against.
    Ruled,
    /// The next instance is to rule.
    Appealed,
    /// It is settled for good.
    Final,
}

/// An incident as it is reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Its number in the event, from 1.
    pub number: u32,
    /// What happened.
    pub kind: IncidentKind,
    /// The board that it is about.
    pub board: Option<BoardId>,
    /// Who is accused.
    pub accused: Option<Number>,
    /// Who reports it; none where an official does.
    pub reporter: Option<Number>,
    /// What was said, beside the log.
    pub text: Sealed,
}

/// An incident with what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// As it was reported.
    pub report: Report,
    /// When.
    pub reported: OffsetDateTime,
    /// What the board's result was before anybody ruled on it.
    pub result_before: Option<BoardResult>,
    /// Who ruled on it, the first instance first.
    pub steps: Vec<Step>,
    /// The appeal against the last of them, which nobody has ruled on: who, and what he says, beside the log.
    pub appeal: Option<(Number, Sealed)>,
}

/// One instance that ruled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who did.
    pub by: AccountId,
    /// In which role.
    pub role: Role,
    /// When.
    pub at: OffsetDateTime,
    /// What was decided.
    pub ruling: Ruling,
    /// Whether an appeal was granted by it.
    pub granted: bool,
    /// Why, beside the log.
    pub reason: Sealed,
    /// Whether the accused had left before.
    pub had_left: bool,
}

/// What the log of a game tells its event beside the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matter {
    /// A player calls an arbiter.
    Call,
    /// His call is answered.
    CallAnswered,
    /// An incident was recorded and decided.
    Incident,
    /// A player files a claim.
    Claim,
    /// A claim is decided.
    ClaimDecided,
    /// A decision is appealed against.
    Appeal,
    /// An appeal is decided.
    AppealDecided,
    /// The game was annulled or amended after the event was over.
    LateResult,
}

/// One thing of a game's log that its event takes note of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What.
    pub matter: Matter,
    /// The number of the event of the game's log.
    pub game_sequence: u64,
    /// The number of the call, claim or incident within the game; 0 where there is none.
    pub number: u32,
    /// Who is accused, calls or claims.
    pub player: Option<Number>,
    /// What happened, and what became of the accused; only of incidents.
    pub incident: Option<(IncidentKind, Sanction)>,
}

/// Who rules.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Who he is.
    pub official: Official,
    /// What he is to the event.
    pub roles: BTreeSet<Role>,
    /// Whether he is of the club of somebody whom it is about, and somebody who is not could rule in his place.
    pub should_step_back: bool,
}

impl Incident {
    /// What stands. An appeal that was refused repeats the ruling before it.
    pub fn standing(&self) -> Option<Ruling> {
        self.steps.last().map(|step| step.ruling)
    }

    /// Whatever of it stands beside the log.
    pub fn sealed(&self) -> Vec<Sealed> {
        let reasons = self.steps.iter().map(|step| step.reason);
        reasons.chain(self.appeal.map(|(_, text)| text)).chain([self.report.text]).collect()
    }

    /// The roles of which one rules next, the highest first: any arbiter at first, and on an appeal one role alone.
    fn instances(&self) -> Vec<Role> {
        if self.steps.is_empty() {
            return vec![Role::ChiefArbiter, Role::Deputy, Role::Arbiter];
        }
        self.next_instance().into_iter().collect()
    }

    /// The role that rules next, if anybody can: arbiter, then chief arbiter, then committee (Art. 16.4).
    pub fn next_instance(&self) -> Option<Role> {
        match self.steps.last().map(|step| step.role) {
            None => Some(Role::Arbiter),
            Some(Role::Arbiter | Role::Deputy) => Some(Role::ChiefArbiter),
            Some(Role::ChiefArbiter) => Some(Role::Committee),
            Some(_) => None,
        }
    }
}

impl Event {
    /// An incident.
    pub fn incident(&self, number: u32) -> Option<&Incident> {
        self.incidents.get((number as usize).wrapping_sub(1))
    }

    /// The officials who could rule on an incident next: who have the role for it, and have not ruled on it before.
    pub fn who_could_rule(&self, incident: &Incident) -> Vec<AccountId> {
        let instances = incident.instances();
        let could = self.officials.iter().filter(|(account, roles)| {
            instances.iter().any(|role| roles.contains(role))
                && incident.steps.iter().all(|step| step.by != **account)
        });
        could.map(|(account, _)| *account).collect()
    }

    /// Until when the last ruling can be appealed against: as long as the settings say, or until the next round is public,
    /// whichever is first (1.9).
    ///
    /// The time runs from the ruling and not from the end of the game, which is a choice: "at once" of Art. 16.4 is said of
    /// what somebody has been told, and an official may rule when the game has long been over, or on what has no game. Who
    /// appeals goes by the same count at each instance.
    pub fn appeal_deadline(&self, incident: &Incident) -> Option<OffsetDateTime> {
        incident.next_instance()?;
        let ruled = incident.steps.last()?.at;
        let in_time = ruled + self.settings.appeal_within;
        let next = self.rounds.iter().map(|round| round.published_at).find(|published| *published > ruled);
        Some(next.map_or(in_time, |next| next.min(in_time)))
    }

    /// How many incidents about a board wait for a ruling, first or on appeal.
    pub fn open_incidents_of(&self, board: BoardId) -> u32 {
        let own = self.incidents.iter().filter(|it| it.report.board == Some(board));
        let waits = own.filter(|it| it.steps.is_empty() || it.appeal.is_some());
        u32::try_from(waits.count()).unwrap_or(u32::MAX)
    }

    /// How far an incident is at a moment.
    pub fn incident_state(&self, incident: &Incident, now: OffsetDateTime) -> IncidentState {
        match () {
            () if incident.steps.is_empty() => IncidentState::Open,
            () if incident.appeal.is_some() => IncidentState::Appealed,
            () if self.appeal_deadline(incident).is_some_and(|deadline| now < deadline) => {
                IncidentState::Ruled
            }
            () => IncidentState::Final,
        }
    }

    /// Whether every incident is settled.
    pub fn has_open_incidents(&self, now: OffsetDateTime) -> bool {
        self.incidents.iter().any(|it| self.incident_state(it, now) != IncidentState::Final)
    }

    /// Those whom an incident is about: the accused, who reported it, and the players of the board.
    pub fn parties(&self, report: &Report) -> BTreeSet<Number> {
        let seated = report.board.and_then(|board| self.find_board(board).ok());
        let seated = seated.map(|(_, seat, _)| seat.players);
        report.accused.into_iter().chain(report.reporter).chain(seated.into_iter().flatten()).collect()
    }

    /// Notes an incident.
    ///
    /// # Errors
    /// When there is no such board or player, or too many wait to be ruled on.
    pub fn report_incident(&self, report: &Report) -> Result<Vec<Fact>, Refusal> {
        let board = report.board.map(|board| self.find_board(board)).transpose()?;
        if let Some(accused) = report.accused {
            self.participant(accused).ok_or(Refusal::UnknownNumber(accused))?;
            if board.is_some_and(|(_, seat, _)| !seat.players.contains(&accused)) {
                return Err(Refusal::UnknownNumber(accused));
            }
        }
        let open = self.incidents.iter().filter(|it| it.steps.is_empty() || it.appeal.is_some());
        let own = |it: &&Incident| report.reporter.is_some() && it.report.reporter == report.reporter;
        if open.clone().count() >= OPEN_MAX || open.filter(own).count() >= OPEN_OF_PLAYER_MAX {
            return Err(Refusal::TooManyIncidents);
        }
        let number = u32::try_from(self.incidents.len()).unwrap_or(u32::MAX).saturating_add(1);
        Ok(vec![Fact::Incident(IncidentFact::Reported(Report { number, ..report.clone() }))])
    }

    /// Rules on an incident in the first instance. The facts, and the role in which it is done.
    ///
    /// # Errors
    /// When it is settled, or what is decided cannot be, or the judge is to step back.
    pub fn rule_on_incident(
        &self,
        number: u32,
        ruling: Ruling,
        judge: &Judge,
        reason: Sealed,
    ) -> Result<(Vec<Fact>, Role), Refusal> {
        let incident = self.incident(number).ok_or(Refusal::UnknownIncident)?;
        if !incident.steps.is_empty() {
            return Err(Refusal::IncidentSettled);
        }
        self.may_judge(incident, judge, &[ruling.sanction])?;
        let role = incident.instances().into_iter().find(|role| judge.roles.contains(role));
        let role = role.ok_or(Refusal::NotTheInstance(Role::Arbiter))?;
        check_ruling(incident, ruling, role)?;
        let ruled = IncidentFact::Ruled { number, ruling, granted: false, reason };
        let mut facts = vec![Fact::Incident(ruled)];
        facts.extend(self.consequences(incident, ruling)?);
        Ok((facts, role))
    }

    /// Appeals against the last ruling.
    ///
    /// # Errors
    /// When there is none yet, it is settled, he is none of those it is about, or may not know of it yet.
    pub fn appeal_ruling(
        &self,
        number: u32,
        appellant: Number,
        text: Sealed,
        now: OffsetDateTime,
    ) -> Result<Vec<Fact>, Refusal> {
        let seen = self.incident(number).filter(|it| self.sees_incident(it, Some(appellant), now));
        let incident = seen.ok_or(Refusal::UnknownIncident)?;
        if !self.parties(&incident.report).contains(&appellant) {
            return Err(Refusal::NotAParty);
        }
        match self.incident_state(incident, now) {
            IncidentState::Open => Err(Refusal::IncidentOpen),
            IncidentState::Appealed | IncidentState::Final => Err(Refusal::IncidentSettled),
            IncidentState::Ruled => {
                Ok(vec![Fact::Incident(IncidentFact::Appealed { number, appellant, text })])
            }
        }
    }

    /// Rules on an appeal: `ruling` takes the place of the one before, or that stands when there is none. The facts, and
    /// the role in which it is done.
    ///
    /// # Errors
    /// When nobody has appealed, or the judge is not of the next instance or is to step back.
    pub fn rule_on_appeal(
        &self,
        number: u32,
        ruling: Option<Ruling>,
        judge: &Judge,
        reason: Sealed,
    ) -> Result<(Vec<Fact>, Role), Refusal> {
        let incident = self.incident(number).ok_or(Refusal::UnknownIncident)?;
        if incident.appeal.is_none() {
            return Err(if incident.steps.is_empty() {
                Refusal::IncidentOpen
            } else {
                Refusal::IncidentSettled
            });
        }
        let role = incident.next_instance().ok_or(Refusal::IncidentSettled)?;
        let ruled_before = incident.steps.iter().any(|step| step.by == judge.official.account);
        if !judge.roles.contains(&role) || ruled_before {
            return Err(Refusal::NotTheInstance(role));
        }
        let standing = incident.standing().ok_or(Refusal::IncidentOpen)?;
        self.may_judge(incident, judge, &[standing.sanction, ruling.unwrap_or(standing).sanction])?;
        let Some(ruling) = ruling else {
            let ruled = IncidentFact::Ruled { number, ruling: standing, granted: false, reason };
            return Ok((vec![Fact::Incident(ruled)], role));
        };
        check_ruling(incident, ruling, role)?;
        let ruled = IncidentFact::Ruled { number, ruling, granted: true, reason };
        let mut facts = vec![Fact::Incident(ruled)];
        facts.extend(self.taken_back(incident, standing));
        facts.extend(self.consequences(incident, ruling)?);
        Ok((facts, role))
    }

    /// Nobody judges in a case of his own, and nobody sends away whom he meets.
    fn may_judge(&self, incident: &Incident, judge: &Judge, sanctions: &[Sanction]) -> Result<(), Refusal> {
        if self.has_part(&judge.official, self.parties(&incident.report)) {
            return Err(Refusal::OwnGame);
        }
        if sanctions.contains(&Sanction::Expulsion) {
            self.not_own_entry(incident.report.accused.as_slice(), &judge.official)?;
        }
        if judge.should_step_back { Err(Refusal::OwnClub) } else { Ok(()) }
    }

    /// What follows from a ruling at the board and in the list of entries.
    fn consequences(&self, incident: &Incident, ruling: Ruling) -> Result<Vec<Fact>, Refusal> {
        let report = &incident.report;
        let mut facts = Vec::new();
        if let (Some(codes), Some(board)) = (self.codes_by(incident, ruling), report.board) {
            let (_, _, state) = self.find_board(board)?;
            let decided = BoardResult::decided(codes, Reason::Arbiter);
            // What was counted at the board goes on counting, whoever has won it now.
            let result = match &state.result {
                Some(before) => BoardResult { warnings: before.warnings, ..decided },
                None => decided,
            };
            facts.push(Fact::Result { board, result });
        }
        if let (Sanction::Expulsion, Some(number)) = (ruling.sanction, report.accused) {
            let status = Status::Expelled { after_round: self.next_round() - 1 };
            facts.push(Fact::StatusAdded { number, status, reason: None });
            facts.extend(self.forfeits_of(number));
        }
        Ok(facts)
    }

    /// What is done to take a ruling back: the board is as it was before, unless somebody has decided it otherwise since,
    /// and who was sent away, and had not left by himself, can be paired again and gets back what he lost by it.
    fn taken_back(&self, incident: &Incident, standing: Ruling) -> Vec<Fact> {
        let mut facts = Vec::new();
        if let (Some(codes), Some(board)) = (self.codes_by(incident, standing), incident.report.board) {
            let result = self.find_board(board).ok().and_then(|(_, _, state)| state.result.as_ref());
            let stands = result.is_some_and(|it| it.source == ResultSource::Decision && it.codes == codes);
            match &incident.result_before {
                _ if !stands => {}
                Some(before) => facts.push(Fact::Result { board, result: before.clone() }),
                // It was being played: it is played once more.
                None => facts.push(Fact::ReplayStarted { board }),
            }
        }
        let had_left =
            incident.steps.iter().find(|step| step.ruling == standing).is_some_and(|it| it.had_left);
        if let (Sanction::Expulsion, Some(number), false) =
            (standing.sanction, incident.report.accused, had_left)
        {
            let status = Status::Active { from_round: self.next_round() };
            facts.push(Fact::StatusAdded { number, status, reason: None });
            facts.extend(self.given_back(number));
        }
        facts
    }

    /// What a ruling makes of the board that its incident is about.
    fn codes_by(&self, incident: &Incident, ruling: Ruling) -> Option<[ResultCode; 2]> {
        let (_, seat, _) = self.find_board(incident.report.board?).ok()?;
        ruling.codes.or_else(|| {
            let accused = seat.players.iter().position(|it| Some(*it) == incident.report.accused)?;
            (ruling.sanction == Sanction::Loss).then(|| lost_by(accused))
        })
    }

    /// Takes note of something that the log of a game tells beside its result. What is known already, or is of a game that
    /// its board has left behind, changes nothing.
    pub fn note_game(&self, board: BoardId, is_last: bool, notice: Notice) -> Vec<Fact> {
        let known = self.find_board(board).map_or(&[][..], |(_, _, state)| &state.notices);
        let is_new = is_last && known.len() < NOTICES_MAX && !known.contains(&notice);
        let fact = Fact::Incident(IncidentFact::Noticed { board, notice });
        is_new.then_some(fact).into_iter().collect()
    }

    /// Amends what is final: results of boards.
    ///
    /// # Errors
    /// When there is no such board, a result makes no sense or changes nothing, or it is one of Jiu and no annulment.
    pub fn amend(
        &self,
        reason: String,
        results: &[(BoardId, BoardResult)],
        by: &Official,
    ) -> Result<Vec<Fact>, Refusal> {
        let mut facts = vec![Fact::Amended { reason }];
        let mut named = BTreeSet::new();
        for (board, result) in results {
            let (_, seat, state) = self.find_board(*board)?;
            self.not_own_game(seat, by)?;
            check_codes(result)?;
            if result.codes.iter().any(|code| code.is_provisional()) {
                return Err(Refusal::Result("nothing is played any more when an event is over"));
            }
            if !named.insert(*board) {
                return Err(Refusal::Result("a board is named twice"));
            }
            if state
                .result
                .as_ref()
                .is_some_and(|it| (it.codes, it.warnings) == (result.codes, result.warnings))
            {
                return Err(Refusal::Result("this is what stands there"));
            }
            // A result that players and arbiter have confirmed is changed by nobody (000), but for fraud.
            if self.settings.game.variant.id == "jiu" && result.codes != [ResultCode::Annulled; 2] {
                return Err(Refusal::Result("a confirmed result of Jiu is annulled for fraud, or stands"));
            }
            facts.push(Fact::Result { board: *board, result: result.clone() });
        }
        Ok(facts)
    }

    /// Warnings that somebody has by rulings that stand, beside those of his games.
    pub fn warnings_by_ruling(&self, number: Number) -> u32 {
        let in_play_off = |it: &Incident| {
            it.report.board.and_then(|board| self.round(board.round)).is_some_and(|it| it.published.play_off)
        };
        let of_him = self.incidents.iter().filter(|it| it.report.accused == Some(number) && !in_play_off(it));
        let warned =
            of_him.filter(|it| it.standing().is_some_and(|ruling| ruling.sanction == Sanction::Warning));
        u32::try_from(warned.count()).unwrap_or(u32::MAX)
    }
}

fn lost_by(side: usize) -> [ResultCode; 2] {
    let mut codes = [ResultCode::Win; 2];
    codes[side] = ResultCode::Loss;
    codes
}

/// Whether a ruling can be made about an incident in a role.
fn check_ruling(incident: &Incident, ruling: Ruling, role: Role) -> Result<(), Refusal> {
    let report = &incident.report;
    let bad = |why| Err(Refusal::Ruling(why));
    match ruling.sanction {
        Sanction::Nothing => {}
        _ if report.accused.is_none() => return bad("nobody is accused"),
        Sanction::Loss if report.board.is_none() => return bad("it is about no board"),
        // As in the games themselves: who wins is declared by those who lead the arbiters.
        Sanction::Loss if role == Role::Arbiter => {
            return bad("only the chief arbiter and his deputies declare a game lost");
        }
        Sanction::Expulsion if role != Role::ChiefArbiter && role != Role::Committee => {
            return bad("only the chief arbiter expels");
        }
        _ => {}
    }
    if let Some(codes) = ruling.codes {
        if report.board.is_none() || role == Role::Arbiter {
            return bad("it is about no board, or not for an arbiter to decide");
        }
        check_codes(&BoardResult::decided(codes, Reason::Arbiter))?;
    }
    Ok(())
}

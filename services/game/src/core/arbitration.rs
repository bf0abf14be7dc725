//! What officials have to do with a game, as far as what comes next depends on it: calls, claims, warnings,
//! colours, confirmation. It follows from the log alone.

use std::num::NonZeroU8;

use rules::{Outcome, Reason, Remedy, Sanction, Side, Verdict, Violations};
use time::OffsetDateTime;

use super::{
    By, Claim, ClaimDecision, ClaimKind, ClaimState, ClaimStep, Due, EventKind, Expiry, GameInfo, Incident,
    OfficialAct, Petition, Role, Task,
};

/// Where everything stands that officials have to do with.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arbitration {
    /// The calls that nobody has answered, oldest first.
    pub calls: Vec<Call>,
    /// How often each side has called.
    pub calls_made: [u32; 2],
    /// Every claim, in order of number.
    pub claims: Vec<Claim>,
    /// How many incidents have been recorded.
    pub incidents: u32,
    /// The incident that decided the result, if one did.
    pub decisive: Option<u32>,
    /// The warnings and violations that were given, those that an upheld claim takes back included.
    pub penalties: Vec<Penalty>,
    /// Whether the players have changed sides.
    pub seats_swapped: bool,
    /// Whether the colours were assigned the other way round than the seats.
    pub assigned_swapped: bool,
    /// Which sides have confirmed the result.
    pub confirmed: [bool; 2],
    /// Whether the officials have.
    pub officials_confirmed: bool,
    /// Until when the result can be contested.
    pub contest_deadline: Option<OffsetDateTime>,
    /// Whether the committee has annulled the game.
    pub annulled: bool,
}

/// A call for an arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its number within the game, from 1.
    pub number: u32,
    /// Who calls.
    pub side: Side,
}

/// A warning or a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Penalty {
    /// The incident.
    pub incident: u32,
    /// Who has got it.
    pub side: Side,
    /// A warning or a violation.
    pub sanction: Sanction,
}

impl Arbitration {
    /// The warnings and violations that count: an upheld claim takes back what was given for its incident.
    pub fn penalties(&self) -> impl Iterator<Item = &Penalty> {
        self.penalties.iter().filter(|penalty| {
            !self.claims.iter().any(|claim| claim.upheld && claim.incident == Some(penalty.incident))
        })
    }

    /// The claim of a number.
    pub fn claim(&self, number: u32) -> Option<&Claim> {
        self.claims.iter().find(|claim| claim.number == number)
    }

    /// Whether a claim is not settled.
    pub fn is_contested(&self) -> bool {
        self.claims.iter().any(|claim| claim.state != ClaimState::Final)
    }

    /// The next of it that happens by itself.
    pub fn due(&self) -> Option<Due> {
        let claim = |claim: &Claim| {
            let at = claim.deadline?;
            Some(Due { at, task: Task::Expiry(Expiry::Claim(claim.number)) })
        };
        let contest = self.contest_deadline.map(|at| Due { at, task: Task::Expiry(Expiry::Contest) });
        self.claims.iter().filter_map(claim).chain(contest).min_by_key(|due| due.at)
    }

    /// The result that something makes of a game that stands here; none if it changes nothing about it.
    pub(super) fn outcome(&self, info: &GameInfo, kind: &EventKind, by: &By) -> Option<Outcome> {
        let arbiter = |verdict| Some(Outcome { verdict, reason: Reason::Arbiter, score: None });
        let decided = |incident: &Incident| match (incident.decision.remedy, incident.decision.sanction) {
            (Remedy::Draw, _) => arbiter(Verdict::Draw),
            (Remedy::Replay, _) => {
                Some(Outcome { verdict: Verdict::Void, reason: Reason::Replay, score: None })
            }
            (_, Sanction::Loss) => incident.accused.and_then(|side| arbiter(Verdict::Win(side.other()))),
            _ => None,
        };
        let declared = match kind {
            EventKind::ForbiddenPlayed(forbidden) => decided(&forbidden.incident),
            EventKind::Ruled(ruling) => match &ruling.act {
                OfficialAct::RecordIncident(report) => decided(&report.incident),
                OfficialAct::Declare(declared) => Some(declared.outcome()),
                OfficialAct::Annul => {
                    Some(Outcome { verdict: Verdict::Void, reason: Reason::Committee, score: None })
                }
                OfficialAct::DecideClaim(answer) | OfficialAct::DecideAppeal(answer) => {
                    self.answered(by, *answer)
                }
                _ => None,
            },
            _ => return None,
        };
        declared.or_else(|| self.newly_lost(&self.noted(kind, by), info))
    }

    /// What it is after something that happened, but for the confirmation of the result.
    #[must_use]
    pub(super) fn noted(&self, kind: &EventKind, by: &By) -> Arbitration {
        let mut after = self.clone();
        match kind {
            EventKind::Petitioned(petition) => after.petition(petition, by),
            EventKind::Ruled(ruling) => after.rule(&ruling.act, by),
            EventKind::ForbiddenPlayed(forbidden) => after.record(&forbidden.incident),
            EventKind::Expired(Expiry::Claim(number)) => after.step(*number, ClaimStep::Expire),
            EventKind::Expired(Expiry::Contest) => after.contest_deadline = None,
            EventKind::OutageCredited { from, until } => {
                let later = |at: OffsetDateTime| at + (*until - *from);
                after.contest_deadline = after.contest_deadline.map(later);
                for claim in &mut after.claims {
                    claim.deadline = claim.deadline.map(later);
                }
            }
            _ => {}
        }
        after
    }

    /// The result of a game is there, or is another one: everybody has to confirm it, until this time.
    pub(super) fn await_confirmation(&mut self, deadline: Option<OffsetDateTime>) {
        self.confirmed = [false; 2];
        self.officials_confirmed = false;
        self.contest_deadline = deadline;
    }

    /// The game has ended: what is decided can be appealed against until this time, if no time is set yet.
    pub(super) fn limit_appeals(&mut self, deadline: OffsetDateTime) {
        for claim in self.claims.iter_mut().filter(|claim| claim.state == ClaimState::Decided) {
            claim.deadline.get_or_insert(deadline);
        }
    }

    fn answered(&self, by: &By, answer: ClaimDecision) -> Option<Outcome> {
        if let Some(declared) = answer.result {
            let committee = matches!(by, By::Official(official) if official.role == Role::Committee);
            let outcome = declared.outcome();
            let reason = if committee { Reason::Committee } else { outcome.reason };
            return Some(Outcome { reason, ..outcome });
        }
        let claim = self.claim(answer.claim)?;
        let draw = answer.upheld && !claim.upheld && claim.kind == ClaimKind::NoWinningForce;
        draw.then_some(Outcome { verdict: Verdict::Draw, reason: Reason::NoWinningForce, score: None })
    }

    /// The loss of a side that has too many warnings in `after` and had not before.
    fn newly_lost(&self, after: &Arbitration, info: &GameInfo) -> Option<Outcome> {
        let conduct = info.variant.conduct;
        let max = info.regulations.warnings_max.unwrap_or(conduct.penalties_max);
        let lost = |arbitration: &Arbitration, side| arbitration.counted(max).has_lost(side);
        let loser = Side::BOTH.into_iter().find(|side| lost(after, *side) && !lost(self, *side))?;
        Some(Outcome { verdict: Verdict::Win(loser.other()), reason: conduct.too_many, score: None })
    }

    fn counted(&self, max: NonZeroU8) -> Violations {
        let mut counted = Violations::new(Some(max));
        for penalty in self.penalties() {
            counted.add(penalty.side);
        }
        counted
    }

    fn petition(&mut self, petition: &Petition, by: &By) {
        let Some(side) = by.side() else { return };
        match petition {
            Petition::CallArbiter(_) => {
                self.calls_made[side.index()] += 1;
                self.calls.push(Call { number: self.calls_made.iter().sum(), side });
            }
            Petition::FileClaim(filed) => self.claims.push(Claim {
                number: self.claims.last().map_or(0, |claim| claim.number) + 1,
                side,
                kind: filed.kind,
                incident: filed.incident,
                state: ClaimState::Open,
                upheld: false,
                changed_result: false,
                decided_by: None,
                deadline: None,
            }),
            Petition::Appeal { claim, .. } => self.step(*claim, ClaimStep::Appeal),
            Petition::Confirm => self.confirmed[side.index()] = true,
        }
    }

    fn rule(&mut self, act: &OfficialAct, by: &By) {
        let By::Official(official) = by else { return };
        match act {
            OfficialAct::AnswerCall(number) => self.calls.retain(|call| call.number != *number),
            OfficialAct::RecordIncident(report) => self.record(&report.incident),
            OfficialAct::CorrectColours => {
                self.seats_swapped = true;
                self.assigned_swapped = true;
            }
            OfficialAct::NoteColours => self.assigned_swapped = true,
            OfficialAct::Confirm => self.officials_confirmed = true,
            OfficialAct::Annul => {
                self.annulled = true;
                for claim in &mut self.claims {
                    *claim = Claim { state: ClaimState::Final, deadline: None, ..*claim };
                }
            }
            OfficialAct::DecideClaim(answer) => {
                let changes = self.answered(by, *answer).is_some();
                let step = ClaimStep::Decide { upheld: answer.upheld, role: official.role };
                self.step(answer.claim, step);
                if let Some(claim) = self.claims.iter_mut().find(|claim| claim.number == answer.claim) {
                    claim.changed_result = changes;
                }
            }
            OfficialAct::DecideAppeal(answer) => {
                let step = ClaimStep::DecideAppeal { upheld: answer.upheld, role: official.role };
                self.step(answer.claim, step);
            }
            OfficialAct::AddTime(..)
            | OfficialAct::DeductTime(..)
            | OfficialAct::Pause(_)
            | OfficialAct::Resume(_)
            | OfficialAct::VoidMoves(_)
            | OfficialAct::RepeatAnnouncement(_)
            | OfficialAct::BeginSealing
            | OfficialAct::SetResumption(_)
            | OfficialAct::RuleOnSealed(_)
            | OfficialAct::Declare(_) => {}
        }
    }

    fn record(&mut self, incident: &Incident) {
        self.incidents = incident.number;
        let sanction = incident.decision.sanction;
        if let Some(side) = incident.accused.filter(|_| sanction.counts()) {
            self.penalties.push(Penalty { incident: incident.number, side, sanction });
        }
    }

    /// Takes a claim further; what cannot be, changes nothing.
    fn step(&mut self, number: u32, step: ClaimStep) {
        if let Some(claim) = self.claims.iter_mut().find(|claim| claim.number == number)
            && let Some(after) = claim.after(step)
        {
            *claim = after;
        }
    }
}

//! What an entry of the log tells to whom: a pure function of the event before it.
//!
//! Before and not after, since some entries take away what they tell about: who had a place in a round that is taken back, who
//! had appealed. What an entry adds stands in the entry itself.
//!
//! Nobody is told what he may not see: of a board that is broadcast late its players alone are told, and officials, who see
//! everything at once (15.4). Whatever is held back from others stands in the log when its time has come, and is not told.

mod leave;

use std::collections::BTreeSet;

use chassis::id::AccountId;
use pairing::{Number, Status};
use time::OffsetDateTime;

use super::{
    ArrangingFact, Board, BoardId, BoardResult, Entrant, Event, Fact, LadderFact, LogEntry, Matter,
    Participant, ProposalAnswer, PublishedRound, Report, ResultSource, Role, TeamFact,
    decide::has_left,
    fact::{IncidentFact, TimingFact},
    team::RosterChange,
};
use crate::core::notice::{About, Detail, Kind, OFFICIALS_TOLD_MAX, Telling, To, source};

/// Who is called to a board, and consents to what its players want; the highest first.
const ARBITERS: &[Role] = &[Role::ChiefArbiter, Role::Deputy, Role::Arbiter];
/// Who decides on appeals in games.
const OF_APPEALS: &[Role] = &[Role::ChiefArbiter, Role::Committee];

/// What is told by an entry that follows this event.
pub fn told(event: &Event, entry: &LogEntry) -> Vec<Telling> {
    let mut teller = Teller { event, entry, told: Vec::new() };
    teller.tell();
    teller.told
}

/// Collects what an entry tells.
struct Teller<'a> {
    event: &'a Event,
    entry: &'a LogEntry,
    told: Vec<Telling>,
}

impl Teller<'_> {
    fn tell(&mut self) {
        match &self.entry.fact {
            Fact::RoundPublished(round) => self.published(round),
            Fact::RoundRetracted { round, .. } | Fact::RoundStarted { round } => self.round(*round),
            Fact::Result { board, result } => self.result(*board, result),
            Fact::ReplayStarted { board } => self.board(*board, Kind::BoardReplayed, None),
            Fact::Timing(fact) => self.timing(*fact),
            Fact::Arranging(fact) => self.arranging(fact),
            Fact::Leave(fact) => self.leave(fact),
            Fact::Ladder(fact) => self.ladder(*fact),
            Fact::Incident(fact) => self.incident(fact),
            Fact::Team(fact) => self.team(fact),
            Fact::Appointed { account, role } => self.office(*account, *role, Kind::Appointed),
            Fact::Dismissed { account, role, .. } => self.office(*account, *role, Kind::Dismissed),
            Fact::Entered(entrant) => self.entrant(entrant, Kind::Entered, self.about()),
            Fact::StatusAdded { number, status, .. } => {
                let about = About { round: round_of(*status), ..self.about() };
                self.player(*number, kind_of(*status), about);
            }
            Fact::SettingsChanged { .. } if self.event.adopted.is_some() => self.supplement(),
            Fact::Advanced { to } => {
                self.everybody(
                    Kind::EventAdvanced,
                    About { detail: Some(Detail::Stage(*to)), ..self.about() },
                );
            }
            Fact::Cancelled { .. } => self.everybody(Kind::EventCancelled, self.about()),
            // What is of the event as a whole is no news for one person, and what was said beside the log is not for a notice.
            Fact::Created { .. }
            | Fact::Imported(_)
            | Fact::SettingsChanged { .. }
            | Fact::Adopted { .. }
            | Fact::Checked { .. }
            | Fact::EntryUpdated(_)
            | Fact::Accepted { .. }
            | Fact::Prohibited { .. }
            | Fact::SeedCommitted { .. }
            | Fact::ReportFiled { .. }
            | Fact::ArbiterAssessed { .. }
            | Fact::Amended { .. }
            | Fact::TiesSettled { .. }
            | Fact::FairPlay(_) => {}
        }
    }

    fn about(&self) -> About {
        About {
            federation: Some(self.event.federation),
            event: Some(self.event.id),
            sequence: self.entry.sequence,
            ..About::default()
        }
    }

    fn add(&mut self, to: To, kind: Kind, about: About) {
        // One entry may tell a proxy the same of several players.
        let of = |number: Option<Number>| number.map_or(0, |number| number.0);
        let (sequence, number, team) = (self.entry.sequence, of(about.number), of(about.team));
        let source = source(&format!("event/{sequence}/{kind:?}/{number}/{team}"), &[self.event.id.uuid()]);
        self.told.push(Telling { to, kind, about, source, by: self.entry.actor.account() });
    }

    fn entrant(&mut self, entrant: &Entrant, kind: Kind, about: About) {
        let to = entrant.account.map_or(To::Member(entrant.member), To::Account);
        self.add(to, kind, About { number: Some(entrant.number), ..about });
    }

    fn player(&mut self, number: Number, kind: Kind, about: About) {
        if let Some(participant) = self.event.participant(number) {
            self.entrant(&participant.entrant, kind, about);
        }
    }

    fn captain(&mut self, team: Number, kind: Kind, about: About) {
        if let Some(entered) = self.event.team(team) {
            let to = To::Account(entered.entrant.captain);
            self.add(to, kind, About { team: Some(team), team_id: Some(entered.entrant.team), ..about });
        }
    }

    /// Tells the officials of the event who have one of these roles, as many as are told of one thing.
    fn officials(&mut self, roles: &[Role], kind: Kind, about: About) {
        let officials = &self.event.officials;
        let with = |role: &Role| -> Vec<AccountId> {
            officials.iter().filter(|(_, roles)| roles.contains(role)).map(|(account, _)| *account).collect()
        };
        let accounts: Vec<AccountId> = roles.iter().flat_map(with).collect();
        self.accounts(accounts, kind, about);
    }

    fn accounts(&mut self, accounts: Vec<AccountId>, kind: Kind, about: About) {
        let mut known = BTreeSet::new();
        let each = accounts.into_iter().filter(|account| known.insert(*account)).take(OFFICIALS_TOLD_MAX);
        each.for_each(|account| self.add(To::Account(account), kind, about));
    }

    /// Tells who has a place in a round that is public from now on.
    fn published(&mut self, round: &PublishedRound) {
        let about = About { round: round.round, due: round.start, ..self.about() };
        for seat in &round.boards {
            self.seat(seat, Kind::RoundPublished, about);
        }
        let lines_up = self.event.meetings().filter(|teams| teams.changes());
        let due = lines_up.and_then(|teams| round.start.map(|start| start - teams.lock));
        for meeting in &round.matches {
            for (team, opponent) in both(meeting) {
                let about = About { table: meeting.table, opponent: Some(opponent), ..about };
                self.captain(team, Kind::RoundPublished, about);
                if lines_up.is_some() {
                    self.captain(team, Kind::LineUpDue, About { due, ..about });
                }
            }
        }
        self.left_out(round, Kind::RoundPublished, about);
    }

    fn left_out(&mut self, round: &PublishedRound, kind: Kind, about: About) {
        for (number, _) in &round.out {
            match self.event.meetings() {
                Some(_) => self.captain(*number, kind, about),
                None => self.player(*number, kind, about),
            }
        }
    }

    /// Tells who has a place in a round that is taken back or begins.
    fn round(&mut self, number: u16) {
        let Some(round) = self.event.round(number) else { return };
        let about = About { round: number, ..self.about() };
        if matches!(self.entry.fact, Fact::RoundStarted { .. }) {
            let plays =
                round.laid().filter(|(.., state)| state.postponed.is_none() && state.result.is_none());
            plays.for_each(|(_, seat, _)| self.seat(seat, Kind::RoundBegun, about));
            return;
        }
        round.published.boards.iter().for_each(|seat| self.seat(seat, Kind::RoundRetracted, about));
        for meeting in &round.published.matches {
            meeting.players.iter().for_each(|team| self.captain(*team, Kind::RoundRetracted, about));
        }
        self.left_out(&round.published, Kind::RoundRetracted, about);
    }

    fn seat(&mut self, seat: &Board, kind: Kind, about: About) {
        for (number, opponent) in both(seat) {
            self.player(number, kind, About { table: seat.table, opponent: Some(opponent), ..about });
        }
    }

    /// Tells the players of a board.
    fn board(&mut self, board: BoardId, kind: Kind, due: Option<OffsetDateTime>) {
        let Ok([first, second]) = self.event.players_at(board) else { return };
        for (number, opponent) in [(first, second), (second, first)] {
            self.player(number, kind, About { opponent: Some(opponent), due, ..self.at(board) });
        }
    }

    fn at(&self, board: BoardId) -> About {
        About { round: board.round, table: board.table, ..self.about() }
    }

    /// Tells the players of a board what came of it, unless they have just played it themselves.
    fn result(&mut self, board: BoardId, result: &BoardResult) {
        let Ok((_, _, state)) = self.event.find_board(board) else { return };
        let before = state.result.as_ref();
        let kind = match result.source {
            _ if before.is_some_and(|before| before.codes == result.codes) => return,
            _ if before.is_some_and(BoardResult::is_settled) => Kind::ResultAmended,
            ResultSource::Game { .. } => return,
            ResultSource::OverTheBoard { .. } => Kind::ResultEntered,
            ResultSource::Decision | ResultSource::Departure | ResultSource::Unarranged => {
                Kind::ResultDecided
            }
        };
        self.board(board, kind, None);
    }

    fn timing(&mut self, fact: TimingFact) {
        match fact {
            TimingFact::CheckedIn { .. } => {}
            TimingFact::PostponementAsked { board, number, until } => self.asked(board, number, until),
            TimingFact::BoardPostponed { board, until } => {
                self.board(board, Kind::BoardPostponed, Some(until));
            }
            TimingFact::BoardStarted { board } => self.board(board, Kind::BoardBegun, None),
        }
    }

    /// Tells of a wish for another time: the opponent, and once he has the same wish who consents.
    fn asked(&mut self, board: BoardId, number: Number, until: OffsetDateTime) {
        let Ok((_, players, state)) = self.event.board_or_ahead(board) else { return };
        let about = About { due: Some(until), ..self.at(board) };
        let Some(other) = players.into_iter().find(|it| *it != number) else { return };
        if state.asked.get(&other) == Some(&until) {
            self.officials(ARBITERS, Kind::PostponementWaits, about);
        } else {
            self.player(other, Kind::PostponementAsked, About { opponent: Some(number), ..about });
        }
    }

    fn arranging(&mut self, fact: &ArrangingFact) {
        match *fact {
            ArrangingFact::Proposed { board, number, until, .. } => {
                let players = self.event.players_at(board).into_iter().flatten();
                for other in players.filter(|it| *it != number) {
                    self.side(board, other, Kind::ProposalWaits, Some(until));
                }
            }
            ArrangingFact::Answered { board, number, answer } => match answer {
                ProposalAnswer::Declined | ProposalAnswer::Lapsed => {
                    self.side(board, number, Kind::ProposalDeclined, None);
                }
                // Of what is accepted both are told that their board is postponed to it.
                ProposalAnswer::Accepted | ProposalAnswer::Withdrawn => {}
            },
            ArrangingFact::Reminded { board, deadline } => {
                for number in self.event.players_at(board).into_iter().flatten() {
                    self.side(board, number, Kind::ArrangeDue, Some(deadline));
                }
            }
            ArrangingFact::LeftToArbiter { board } => {
                self.officials(ARBITERS, Kind::ArrangeWaits, self.at(board));
            }
        }
    }

    /// Tells one side of a board: its player, and the captain of his team unless he is the player.
    fn side(&mut self, board: BoardId, number: Number, kind: Kind, due: Option<OffsetDateTime>) {
        let about = About { due, ..self.at(board) };
        self.player(number, kind, about);
        let account = self.event.participant(number).and_then(|it| it.entrant.account);
        if let Some(team) = self.event.team_of(number).filter(|it| !self.is_captain(*it, account)) {
            self.captain(team, kind, about);
        }
    }

    fn is_captain(&self, team: Number, account: Option<AccountId>) -> bool {
        account.is_some() && self.event.team(team).map(|it| it.entrant.captain) == account
    }

    fn ladder(&mut self, fact: LadderFact) {
        let about = self.about();
        match fact {
            LadderFact::Challenged { challenger, holder, until } => {
                let about = About { opponent: Some(challenger), due: until, ..about };
                self.player(holder, Kind::Challenged, about);
            }
            LadderFact::Answered { challenger, holder, answer } => {
                for (number, opponent) in [(challenger, holder), (holder, challenger)] {
                    let detail = Some(Detail::Challenge(answer));
                    let about = About { opponent: Some(opponent), detail, ..about };
                    self.player(number, Kind::ChallengeAnswered, about);
                }
            }
        }
    }

    fn incident(&mut self, fact: &IncidentFact) {
        match fact {
            IncidentFact::Reported(report) => self.reported(report),
            IncidentFact::Ruled { number, .. } => self.ruled(*number),
            IncidentFact::Appealed { number, .. } => {
                let Some(incident) = self.event.incident(*number) else { return };
                let about = self.of_incident(&incident.report);
                self.accounts(self.event.who_could_rule(incident), Kind::AppealWaits, about);
            }
            IncidentFact::Noticed { board, notice } => {
                let about = About { number: notice.player, ..self.at(*board) };
                match notice.matter {
                    Matter::Call | Matter::Claim => self.called(*board, about),
                    Matter::Appeal => self.officials(OF_APPEALS, Kind::AppealWaits, about),
                    Matter::CallAnswered
                    | Matter::Incident
                    | Matter::ClaimDecided
                    | Matter::AppealDecided
                    | Matter::LateResult => {}
                }
            }
        }
    }

    /// Tells those who sit at a board to judge that they are called; where nobody does, all arbiters.
    fn called(&mut self, board: BoardId, about: About) {
        let seated = self.event.find_board(board).map(|(_, _, state)| state.arbiters.clone());
        match seated {
            Ok(seated) if !seated.is_empty() => self.accounts(seated, Kind::ArbiterCalled, about),
            _ => self.officials(ARBITERS, Kind::ArbiterCalled, about),
        }
    }

    fn of_incident(&self, report: &Report) -> About {
        let at = report.board.map_or_else(|| self.about(), |board| self.at(board));
        About { incident: report.number, ..at }
    }

    /// Whether a player may know at once what happens about an incident.
    fn may_know(&self, number: Number, report: &Report) -> bool {
        let shows_all = self.event.unseen_since(self.entry.at).is_none();
        shows_all || report.board.is_none_or(|board| self.event.plays_at(Some(number), board))
    }

    fn reported(&mut self, report: &Report) {
        let about = self.of_incident(report);
        if let Some(accused) = report.accused.filter(|accused| self.may_know(*accused, report)) {
            self.player(accused, Kind::Incident, about);
        }
        if report.reporter.is_some() {
            self.officials(ARBITERS, Kind::IncidentWaits, about);
        }
    }

    /// Tells of a ruling: who has appealed, and whom else it concerns.
    fn ruled(&mut self, number: u32) {
        let Some(incident) = self.event.incident(number) else { return };
        let (report, about) = (&incident.report, self.of_incident(&incident.report));
        let appellant = incident.appeal.map(|(appellant, _)| appellant);
        let players = report.board.and_then(|board| self.event.players_at(board).ok()).into_iter().flatten();
        let concerned: BTreeSet<Number> = players.chain(report.accused).chain(report.reporter).collect();
        for number in concerned.into_iter().filter(|number| Some(*number) != appellant) {
            if self.may_know(number, report) {
                self.player(number, Kind::Ruling, about);
            }
        }
        if let Some(appellant) = appellant.filter(|appellant| self.may_know(*appellant, report)) {
            self.player(appellant, Kind::AppealAnswered, about);
        }
    }

    fn team(&mut self, fact: &TeamFact) {
        let about = self.about();
        match fact {
            TeamFact::Entered { team, entrants } => {
                let (number, team_id) = (Some(team.number), Some(team.team));
                let about = About { team: number, team_id, ..about };
                self.add(To::Account(team.captain), Kind::Entered, about);
                let others = entrants.iter().filter(|it| it.account != Some(team.captain));
                others.for_each(|entrant| self.entrant(entrant, Kind::Entered, about));
            }
            TeamFact::StatusAdded { team, status, .. } => {
                self.captain(*team, kind_of(*status), About { round: round_of(*status), ..about });
            }
            TeamFact::CaptainChanged { team, captain, .. } => {
                let about = About { account: Some(*captain), ..about };
                self.captain(*team, Kind::CaptainChanged, about);
                self.add(To::Account(*captain), Kind::CaptainChanged, About { team: Some(*team), ..about });
            }
            TeamFact::RosterChanged(change) => self.roster(change),
            TeamFact::Revealed { round, team, .. } => self.revealed(*round, *team),
            TeamFact::Accepted { .. }
            | TeamFact::Declared { .. }
            | TeamFact::HandedIn { .. }
            // They are laid when their round begins, of which their players are told.
            | TeamFact::BoardsLaid { .. } => {}
        }
    }

    /// Tells of other players of a team: its captain, who comes, and who leaves.
    fn roster(&mut self, change: &RosterChange) {
        let Some(entered) = self.event.team(change.team) else { return };
        let (team, team_id) = (Some(change.team), Some(entered.entrant.team));
        let about = About { round: change.from_round, team, team_id, ..self.about() };
        self.captain(change.team, Kind::RosterChanged, about);
        change.entrants.iter().for_each(|entrant| self.entrant(entrant, Kind::Entered, about));
        change.returned.iter().for_each(|number| self.player(*number, Kind::Readmitted, about));
        let after = About { round: change.from_round.saturating_sub(1), ..about };
        let there = |it: &&Participant| !has_left(&it.statuses);
        let event = self.event;
        let left = change.left.iter().filter_map(|number| event.participant(*number)).filter(there);
        left.for_each(|it| self.entrant(&it.entrant, Kind::Withdrawn, after));
    }

    /// Tells both captains of a match that a line-up is public.
    fn revealed(&mut self, round: u16, team: Number) {
        let matches = self.event.round(round).into_iter().flat_map(|it| &it.published.matches);
        let Some(meeting) = matches.into_iter().find(|it| it.players.contains(&team)) else { return };
        for captain in meeting.players {
            let about = About { round, table: meeting.table, opponent: Some(team), ..self.about() };
            self.captain(captain, Kind::LineUpPublished, about);
        }
    }

    fn office(&mut self, account: AccountId, role: Role, kind: Kind) {
        let detail = Some(Detail::EventRole(role));
        self.add(To::Account(account), kind, About { detail, ..self.about() });
    }

    /// Tells of a new version of the supplement who has to accept it: players for themselves, captains for their teams.
    fn supplement(&mut self) {
        let about = About { version: self.event.version + 1, ..self.about() };
        let alone = self.event.participants.iter().filter(|it| it.team.is_none());
        alone.filter(|it| !has_left(&it.statuses)).for_each(|it| {
            self.entrant(&it.entrant, Kind::SupplementChanged, about);
        });
        for team in self.event.teams.iter().filter(|team| !has_left(&team.statuses)) {
            self.captain(team.number(), Kind::SupplementChanged, about);
        }
    }

    /// Tells everybody who has a part in the event, once.
    fn everybody(&mut self, kind: Kind, about: About) {
        let there = self.event.participants.iter().filter(|it| !has_left(&it.statuses));
        let players: Vec<&Participant> = there.collect();
        let mut known: BTreeSet<AccountId> = players.iter().filter_map(|it| it.entrant.account).collect();
        for player in players {
            self.entrant(&player.entrant, kind, about);
        }
        let captains = self.event.teams.iter().map(|team| team.entrant.captain);
        let others: Vec<AccountId> = captains.chain(self.event.officials.keys().copied()).collect();
        for account in others.into_iter().filter(|account| known.insert(*account)) {
            self.add(To::Account(account), kind, about);
        }
    }
}

/// Each of the two of a board, with the other.
fn both(seat: &Board) -> [(Number, Number); 2] {
    let [first, second] = seat.players;
    [(first, second), (second, first)]
}

const fn kind_of(status: Status) -> Kind {
    match status {
        Status::Registered => Kind::Entered,
        Status::Active { .. } => Kind::Readmitted,
        Status::Absent { .. } | Status::Bye { .. } => Kind::AbsenceNoted,
        Status::Withdrawn { .. } => Kind::Withdrawn,
        Status::Expelled { .. } => Kind::Expelled,
        Status::Annulled => Kind::Annulled,
    }
}

/// The round of which a status says something; 0 of none.
const fn round_of(status: Status) -> u16 {
    match status {
        Status::Active { from_round: round }
        | Status::Absent { round }
        | Status::Bye { round, .. }
        | Status::Withdrawn { after_round: round }
        | Status::Expelled { after_round: round } => round,
        Status::Registered | Status::Annulled => 0,
    }
}

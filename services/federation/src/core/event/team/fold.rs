//! What the log says of teams, taken over.

use std::sync::Arc;

use pairing::{Number, Status};

use super::{EnteredTeam, LineUp, TeamEntrant, TeamFact};
use crate::core::event::{
    Event, Participant,
    fact::{Board, BoardId, Entrant, PublishedRound},
    round::{BoardState, Round},
};

impl Event {
    /// Takes over what happened to teams.
    pub(in crate::core::event) fn take_of_teams(&mut self, fact: &TeamFact) -> Result<(), &'static str> {
        match fact {
            TeamFact::Entered { team, entrants } => self.add_team(team, entrants),
            TeamFact::StatusAdded { team, status, .. } => {
                self.team_mut(*team)?.statuses.push(*status);
                Ok(())
            }
            TeamFact::CaptainChanged { team, captain, .. } => {
                self.team_mut(*team)?.entrant.captain = *captain;
                Ok(())
            }
            TeamFact::RosterChanged(change) => self.take_roster(change),
            TeamFact::Accepted { team, version } => self.accept_for_team(*team, *version),
            TeamFact::Declared { round, team, commitment } => {
                let line_ups = &mut self.open_round(*round)?.line_ups;
                let declared = line_ups.get(team).map_or(0, |known| known.declared).saturating_add(1);
                let (commitment, handed_in, revealed) = (*commitment, false, None);
                line_ups.insert(*team, LineUp { commitment, declared, handed_in, revealed });
                Ok(())
            }
            TeamFact::HandedIn { round, team } => {
                self.line_up_mut(*round, *team)?.handed_in = true;
                Ok(())
            }
            TeamFact::Revealed { round, team, opening } => {
                self.line_up_mut(*round, *team)?.revealed = Some(opening.players.clone());
                Ok(())
            }
            TeamFact::BoardsLaid { round, boards } => self.take_boards(*round, boards),
        }
    }

    fn add_team(&mut self, team: &TeamEntrant, entrants: &[Entrant]) -> Result<(), &'static str> {
        if team.number != self.next_team() {
            return Err("teams are numbered in order");
        }
        for entrant in entrants {
            self.add_member(team.number, entrant)?;
        }
        if team.members().any(|member| self.participant(member).is_none_or(|it| it.team != Some(team.number)))
        {
            return Err("a team has its own players");
        }
        let statuses = vec![Status::Active { from_round: team.from_round }];
        self.teams.push(EnteredTeam {
            entrant: team.clone(),
            accepts: team.accepts,
            statuses,
            changes: Vec::new(),
        });
        Ok(())
    }

    /// Adds somebody who plays for a team.
    pub(super) fn add_member(&mut self, team: Number, entrant: &Entrant) -> Result<(), &'static str> {
        if entrant.number != self.next_number() {
            return Err("numbers are given in order");
        }
        self.participants.push(Participant {
            entrant: entrant.clone(),
            accepts: entrant.accepts,
            statuses: vec![Status::Active { from_round: entrant.from_round }],
            team: Some(team),
        });
        Ok(())
    }

    fn accept_for_team(&mut self, team: Number, version: u32) -> Result<(), &'static str> {
        self.team_mut(team)?.accepts = version;
        for participant in self.participants.iter_mut().filter(|it| it.team == Some(team)) {
            participant.accepts = version;
        }
        Ok(())
    }

    fn take_boards(&mut self, round: u16, boards: &[Board]) -> Result<(), &'static str> {
        let unknown = |number: &Number| self.participant(*number).is_none();
        if boards.iter().flat_map(|board| &board.players).any(unknown) {
            return Err("somebody has a board who has not entered");
        }
        let mut states: Vec<BoardState> = boards.iter().map(|board| self.fresh(round, board)).collect();
        let id = self.id;
        let open = self.open_round(round)?;
        for (board, state) in boards.iter().zip(&mut states) {
            if let Some(ahead) = open.ahead.remove(&board.table) {
                ahead.hand_over(board, state);
            }
        }
        Arc::make_mut(&mut open.published).boards = boards.to_vec();
        open.boards = states;
        open.know_games(id);
        Ok(())
    }

    /// How a board stands when it is laid: its games before, in rounds that were taken back, are counted.
    pub(in crate::core::event) fn fresh(&self, round: u16, board: &Board) -> BoardState {
        let before = self.attempts.get(&BoardId { round, table: board.table }).copied().unwrap_or(0);
        BoardState::of_attempt(before + 1)
    }

    /// Whether somebody is in a round who has not entered: teams where teams meet, and players elsewhere.
    pub(in crate::core::event) fn has_strangers(&self, round: &PublishedRound) -> bool {
        let out = round.out.iter().map(|(number, _)| number);
        if self.meetings().is_some() {
            let paired = round.matches.iter().flat_map(|meeting| &meeting.players);
            return !round.boards.is_empty() || paired.chain(out).any(|number| self.team(*number).is_none());
        }
        let paired = round.boards.iter().flat_map(|board| &board.players);
        !round.matches.is_empty() || paired.chain(out).any(|number| self.participant(*number).is_none())
    }

    pub(super) fn team_mut(&mut self, number: Number) -> Result<&mut EnteredTeam, &'static str> {
        self.teams.get_mut((number.0 as usize).wrapping_sub(1)).ok_or("no team has this number")
    }

    /// A round that is public and has not begun.
    fn open_round(&mut self, round: u16) -> Result<&mut Round, &'static str> {
        let found = self.rounds.iter_mut().find(|it| it.published.round == round);
        found.filter(|it| it.started.is_none()).ok_or("line-ups are of a round that has not begun")
    }

    fn line_up_mut(&mut self, round: u16, team: Number) -> Result<&mut LineUp, &'static str> {
        self.open_round(round)?.line_ups.get_mut(&team).ok_or("no line-up was declared")
    }
}

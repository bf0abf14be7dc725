//! The way of a line-up: declared by its hash, handed in to the server, and public once both of a match are in.

use pairing::{
    Number, Player,
    lineup::{self, LineupError},
};
use time::OffsetDateTime;

use super::{EnteredTeam, LineUp, Opening, TeamFact, TeamSettings};
use crate::core::event::{
    Event, Fact, Format, Refusal,
    fact::{Board, Digest},
    round::Round,
};

/// How often a team can declare a line-up for one round: a captain changes his mind a few times. What is declared stays in
/// the log for good.
pub const DECLARED_MAX: u32 = 20;

/// Whose line-up is asked for: a team in a round.
pub type OfRound = (u16, Number);

impl Event {
    /// Declares a line-up by its hash.
    ///
    /// # Errors
    /// When the boards are fixed, the team is in no match, the time is over, or it has declared too often.
    pub fn declare_line_up(
        &self,
        (round, team): OfRound,
        commitment: Digest,
        now: OffsetDateTime,
    ) -> Result<Vec<Fact>, Refusal> {
        let (settings, _, open) = self.to_line_up(round, team)?;
        let closes = open.published.start.map(|start| start - settings.lock);
        if closes.is_some_and(|closes| now >= closes) {
            return Err(Refusal::LineUpClosed);
        }
        match open.line_ups.get(&team) {
            Some(known) if known.commitment == commitment => Ok(Vec::new()),
            Some(known) if known.handed_in => Err(Refusal::LineUpClosed),
            Some(known) if known.declared >= DECLARED_MAX => Err(Refusal::AskedTooOften(DECLARED_MAX)),
            _ => Ok(vec![Fact::Team(TeamFact::Declared { round, team, commitment })]),
        }
    }

    /// Hands in a line-up that was declared. `held` is what the server has kept of the round so far; where the other team's
    /// is there, both become public.
    ///
    /// # Errors
    /// When it is not what was declared, or the team may not sit so.
    pub fn hand_in(
        &self,
        (round, team): OfRound,
        opening: &Opening,
        held: &[(Number, Opening)],
    ) -> Result<Vec<Fact>, Refusal> {
        let (settings, entered, open) = self.to_line_up(round, team)?;
        let declared = open.line_ups.get(&team).ok_or(LineupError::Opened)?;
        opens(settings, entered, declared, opening)?;
        if declared.handed_in {
            return Ok(Vec::new());
        }
        let mut facts = vec![Fact::Team(TeamFact::HandedIn { round, team })];
        let other = opponent(open, team).and_then(|other| held.iter().find(|(number, _)| *number == other));
        if let Some((other, theirs)) = other.filter(|(other, _)| is_handed_in(open, *other)) {
            facts.extend(
                [(team, opening), (*other, theirs)].map(|(team, opening)| revealed(round, team, opening)),
            );
        }
        Ok(facts)
    }

    /// Whose openings a round still needs: of those who handed in, and whose line-ups are not public.
    pub fn awaited_openings(&self, round: u16) -> Vec<Number> {
        let open = self.round(round).into_iter().flat_map(|round| &round.line_ups);
        let awaited = open.filter(|(_, line_up)| line_up.handed_in && line_up.revealed.is_none());
        awaited.map(|(team, _)| *team).collect()
    }

    /// What becomes public of the line-ups as a round begins.
    pub(super) fn open_all(&self, round: u16, held: &[(Number, Opening)]) -> Vec<Fact> {
        let awaited = self.awaited_openings(round);
        let opened = held.iter().filter(|(team, _)| awaited.contains(team));
        opened.map(|(team, opening)| revealed(round, *team, opening)).collect()
    }

    /// Who sits where for a team: as was made public, else in the order of the team, with reserves for those who are away
    /// where the law has them.
    pub(super) fn line_up(&self, round: &Round, team: &EnteredTeam) -> Vec<Number> {
        if let Some(public) = round.line_ups.get(&team.number()).and_then(|it| it.revealed.clone()) {
            return public;
        }
        let number = round.published.round;
        let away: Vec<Number> = team.entrant.members().filter(|it| !self.is_there(*it, number)).collect();
        // In an arena who is away has lost his game, and keeps his place in the order.
        let changes =
            self.settings.format != Format::Arena && self.meetings().is_some_and(TeamSettings::changes);
        let filled = team.entrant.roster().ok().filter(|_| changes).and_then(|roster| roster.without(&away));
        filled.unwrap_or_else(|| team.entrant.players.clone())
    }

    /// Whether a player and his team are there in the round that is the next to begin.
    pub(in crate::core::event) fn is_there(&self, number: Number, round: u16) -> bool {
        // Who leaves before the boards are laid does not sit down, whatever round he leaves after.
        let plays = |states: &[_]| {
            let player = Player { states: states.to_vec(), ..Player::new(0) };
            player.plays_in(round) && player.left_after().is_none()
        };
        self.participant(number).is_some_and(|it| {
            let team = it.team.and_then(|team| self.team(team));
            plays(&it.statuses) && team.is_none_or(|team| plays(&team.statuses))
        })
    }

    fn to_line_up(&self, round: u16, team: Number) -> Result<(&TeamSettings, &EnteredTeam, &Round), Refusal> {
        let settings = self.meetings().ok_or(Refusal::OfTeams)?;
        let entered = self.team(team).ok_or(Refusal::UnknownNumber(team))?;
        let open = self.round(round).ok_or(Refusal::UnknownMatch)?;
        opponent(open, team).ok_or(Refusal::UnknownMatch)?;
        if !settings.changes() {
            return Err(LineupError::NotFixed { board: 1 }.into());
        }
        // The order of an arena is that of its first game.
        let settled = self.settings.format == Format::Arena && round > 1;
        if settled || open.started.is_some() {
            return Err(Refusal::LineUpClosed);
        }
        Ok((settings, entered, open))
    }
}

/// Whether an opening is of what was declared, and the team may sit so.
pub(in crate::core::event) fn opens(
    settings: &TeamSettings,
    team: &EnteredTeam,
    declared: &LineUp,
    opening: &Opening,
) -> Result<(), LineupError> {
    if lineup::commitment(&opening.salt, &opening.players) != declared.commitment {
        return Err(LineupError::Opened);
    }
    team.entrant.roster()?.check(settings.line_up, &opening.players)
}

fn revealed(round: u16, team: Number, opening: &Opening) -> Fact {
    Fact::Team(TeamFact::Revealed { round, team, opening: opening.clone() })
}

fn is_handed_in(round: &Round, team: Number) -> bool {
    round.line_ups.get(&team).is_some_and(|line_up| line_up.handed_in && line_up.revealed.is_none())
}

/// Whom a team meets in a round.
fn opponent(round: &Round, team: Number) -> Option<Number> {
    let meets = |meeting: &Board| {
        let side = meeting.players.iter().position(|it| *it == team)?;
        Some(meeting.players[1 - side])
    };
    round.published.matches.iter().find_map(meets)
}

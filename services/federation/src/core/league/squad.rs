//! Squads: who plays for whom in a season.

use std::collections::BTreeSet;

use chassis::id::{ClubId, MemberId, SeasonId};
use time::{Date, OffsetDateTime};

use super::{EntrantId, Refusal, Rules};
use crate::core::{
    member::{Member, State},
    team::Part,
};

/// A squad, or the right to register one in a division.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Squad {
    /// The season.
    pub season: SeasonId,
    /// The team, or the member where players enter for themselves.
    pub entrant: EntrantId,
    /// The division, from 1.
    pub division: u32,
    /// The place within it before the season, from 1.
    pub seed: u32,
    /// Whether it is registered.
    pub registered: bool,
    /// Who is in it, board 1 first, players before reserves.
    pub members: Vec<(MemberId, Part)>,
    /// Whether it does not want to go up.
    pub stays_down: bool,
    /// When it was changed last.
    pub updated: OffsetDateTime,
    /// Grows with every change.
    pub revision: i64,
}

impl Squad {
    /// Whether it is one by the rules: nobody twice, as many as there are boards, not too many, players before reserves.
    ///
    /// # Errors
    /// [`Refusal::Squad`].
    pub fn check(&self, rules: &Rules) -> Result<(), Refusal> {
        let members: BTreeSet<MemberId> = self.members.iter().map(|(member, _)| *member).collect();
        let players = self.members.iter().filter(|(_, part)| *part == Part::Player).count();
        let first_reserve = self.members.iter().position(|(_, part)| *part == Part::Substitute);
        if members.len() < self.members.len() {
            return Err(Refusal::Squad("a member stands in it twice"));
        }
        if players != rules.boards() as usize {
            return Err(Refusal::Squad("it has as many players, besides its reserves, as there are boards"));
        }
        if first_reserve.is_some_and(|first| first < players) {
            return Err(Refusal::Squad("players stand before reserves"));
        }
        if self.members.len() > rules.squad_max() as usize {
            return Err(Refusal::Squad("it has more members than the rules allow"));
        }
        Ok(())
    }
}

/// Whether a member may play for a squad of a club: he is one now, has been since a day, and is in the club since then.
///
/// # Errors
/// [`Refusal::NotEligible`].
pub fn eligible(
    member: &Member,
    club: Option<ClubId>,
    since: Option<Date>,
    today: Date,
) -> Result<(), Refusal> {
    let refuse = |why| Err(Refusal::NotEligible(member.id, why));
    if member.state != State::Active {
        return refuse("he is no member now");
    }
    if since.is_some_and(|since| member.joined > since) {
        return refuse("he has not been a member for long enough");
    }
    let Some(club) = club else { return Ok(()) };
    let from = since.unwrap_or(today);
    // He may leave and come back: what counts is the stay in which he is now.
    let there = member.stays.iter().any(|stay| stay.club == club && stay.has(today) && stay.from <= from);
    if there { Ok(()) } else { refuse("he is not in the club, or has not been for long enough") }
}

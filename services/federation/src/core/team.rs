//! Teams. That they are of equal size is for events to ask.

use std::collections::HashSet;

use chassis::id::{ClubId, FederationId, MemberId, TeamId};
use time::OffsetDateTime;

use super::{limits::TEAM_MEMBERS_MAX, name::Name, refusal::Refusal};

/// What somebody is in a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// One who plays.
    Player,
    /// One who plays when another does not.
    Substitute,
}

/// A team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// Its id.
    pub id: TeamId,
    /// Its federation.
    pub federation: FederationId,
    /// Its name.
    pub name: Name,
    /// Its club.
    pub club: Option<ClubId>,
    /// Who speaks for it.
    pub captain: Option<MemberId>,
    /// Who is in it, in the order of boards.
    pub members: Vec<(MemberId, Part)>,
    /// When it was made.
    pub made: OffsetDateTime,
    /// When it was disbanded.
    pub disbanded: Option<OffsetDateTime>,
    /// Grows with every change.
    pub revision: i64,
}

/// Makes a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// Of which federation.
    pub federation: FederationId,
    /// Its name.
    pub name: Name,
    /// Its club.
    pub club: Option<ClubId>,
    /// Who speaks for it.
    pub captain: Option<MemberId>,
    /// Who is in it.
    pub members: Vec<(MemberId, Part)>,
}

/// Changes a team: what is `None` stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Which.
    pub id: TeamId,
    /// The revision that was seen.
    pub revision: Option<i64>,
    /// The name.
    pub name: Option<Name>,
    /// The club.
    pub club: Option<Option<ClubId>>,
    /// Who speaks for it.
    pub captain: Option<Option<MemberId>>,
    /// Who is in it.
    pub members: Option<Vec<(MemberId, Part)>>,
}

/// Disbands a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disband {
    /// Which.
    pub id: TeamId,
    /// The revision that was seen.
    pub revision: Option<i64>,
}

/// Which teams to list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Of which federation.
    pub federation: FederationId,
    /// Of which club.
    pub club: Option<ClubId>,
    /// With which member.
    pub member: Option<MemberId>,
    /// The beginning of the name.
    pub prefix: String,
    /// Also disbanded ones.
    pub disbanded: bool,
}

impl Team {
    /// Whether it is one: nobody twice, not too many, and a captain who is in it.
    ///
    /// # Errors
    /// [`Refusal::BadTeam`].
    pub fn check(&self) -> Result<(), Refusal> {
        let members: HashSet<MemberId> = self.members.iter().map(|(member, _)| *member).collect();
        if members.len() > TEAM_MEMBERS_MAX {
            return Err(Refusal::BadTeam("a team has 50 members at most"));
        }
        if members.len() < self.members.len() {
            return Err(Refusal::BadTeam("a member stands in it twice"));
        }
        match self.captain {
            Some(captain) if !members.contains(&captain) => Err(Refusal::BadTeam("the captain is not in it")),
            _ => Ok(()),
        }
    }

    /// Takes somebody out.
    pub fn remove(&mut self, member: MemberId) {
        self.members.retain(|(other, _)| *other != member);
        self.captain = self.captain.filter(|captain| *captain != member);
    }

    /// Puts somebody in another's place, unless he is in it already.
    pub fn replace(&mut self, old: MemberId, new: MemberId) {
        if self.captain == Some(old) {
            self.captain = Some(new);
        }
        if self.members.iter().any(|(member, _)| *member == new) {
            self.members.retain(|(member, _)| *member != old);
        } else if let Some(place) = self.members.iter_mut().find(|(member, _)| *member == old) {
            place.0 = new;
        }
    }
}

impl Edit {
    /// Whether only who plays is changed, which the captain may.
    pub const fn is_line_up(&self) -> bool {
        self.name.is_none() && self.club.is_none() && self.captain.is_none()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn team(captain: u128, members: &[u128]) -> Team {
        let id = Uuid::from_u128(1);
        Team {
            id: id.into(),
            federation: id.into(),
            name: Name::default(),
            club: None,
            captain: (captain > 0).then(|| Uuid::from_u128(captain).into()),
            members: members.iter().map(|member| (Uuid::from_u128(*member).into(), Part::Player)).collect(),
            made: OffsetDateTime::UNIX_EPOCH,
            disbanded: None,
            revision: 1,
        }
    }

    #[test]
    fn a_team_has_nobody_twice_and_a_captain_of_its_own() {
        assert_eq!(team(2, &[1, 2, 3]).check(), Ok(()));
        assert_eq!(team(0, &[]).check(), Ok(()));
        for bad in [team(4, &[1, 2]), team(1, &[1, 2, 1]), team(0, &(1..=51).collect::<Vec<_>>())] {
            assert!(matches!(bad.check(), Err(Refusal::BadTeam(_))), "{bad:?}");
        }
    }

    #[test]
    fn who_takes_another_s_place_is_in_it_once() {
        let mut one = team(1, &[1, 2, 3]);
        one.replace(Uuid::from_u128(1).into(), Uuid::from_u128(9).into());
        assert_eq!(one, team(9, &[9, 2, 3]));
        one.replace(Uuid::from_u128(9).into(), Uuid::from_u128(3).into());
        assert_eq!(one, team(3, &[2, 3]));
        one.remove(Uuid::from_u128(3).into());
        assert_eq!(one, team(0, &[2]));
    }
}

//! What leagues are asked for.

use chassis::id::{FederationId, LeagueId, MemberId, SeasonId};
use time::{Date, OffsetDateTime};

use super::{EntrantId, Rules, State};
use crate::core::{event::Schedule, name::Name, team::Part};

/// Makes a league.
#[derive(Clone, Debug)]
pub struct Create {
    /// Of which federation.
    pub federation: FederationId,
    /// Its name.
    pub name: Name,
    /// Its rules.
    pub rules: Rules,
}

/// Changes a league: what is `None` stays.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Which.
    pub id: LeagueId,
    /// The revision that was seen.
    pub revision: Option<i64>,
    /// The name.
    pub name: Option<Name>,
    /// The rules.
    pub rules: Option<Rules>,
}

/// Makes a season.
#[derive(Clone, Debug)]
pub struct NewSeason {
    /// Of which league.
    pub league: LeagueId,
    /// Its name.
    pub name: Name,
    /// From which it follows.
    pub from: Option<SeasonId>,
    /// When its rounds begin.
    pub schedule: Option<Schedule>,
    /// When squads change.
    pub windows: Vec<(Date, Date)>,
    /// When squads change while it runs.
    pub transfers: Vec<(OffsetDateTime, OffsetDateTime)>,
    /// Since when whoever plays must have been a member.
    pub eligible_since: Option<Date>,
}

/// Changes the dates of a season: what is `None` stays.
#[derive(Clone, Debug)]
pub struct EditSeason {
    /// Which.
    pub id: SeasonId,
    /// The revision that was seen.
    pub revision: Option<i64>,
    /// When its rounds begin.
    pub schedule: Option<Option<Schedule>>,
    /// When squads change.
    pub windows: Option<Vec<(Date, Date)>>,
    /// When squads change while it runs.
    pub transfers: Option<Vec<(OffsetDateTime, OffsetDateTime)>>,
    /// Since when whoever plays must have been a member.
    pub eligible_since: Option<Option<Date>>,
}

/// Takes a season on.
#[derive(Clone, Debug)]
pub struct Advance {
    /// Which.
    pub id: SeasonId,
    /// To which state.
    pub to: State,
    /// The revision that was seen.
    pub revision: Option<i64>,
    /// Why.
    pub reason: String,
}

/// Places somebody in a division, or takes him out.
#[derive(Clone, Debug)]
pub struct Place {
    /// In which season.
    pub season: SeasonId,
    /// Whom.
    pub entrant: EntrantId,
    /// The division from 1; none to take him out.
    pub division: Option<u32>,
    /// Why.
    pub reason: String,
}

/// Registers a squad.
#[derive(Clone, Debug)]
pub struct Register {
    /// In which season.
    pub season: SeasonId,
    /// Whose.
    pub entrant: EntrantId,
    /// Who is in it; empty for those who are in the team now.
    pub members: Vec<(MemberId, Part)>,
    /// The revision that was seen.
    pub revision: Option<i64>,
    /// Why.
    pub reason: String,
}

/// Withdraws a squad before the season starts.
#[derive(Clone, Debug)]
pub struct Withdraw {
    /// In which season.
    pub season: SeasonId,
    /// Whose.
    pub entrant: EntrantId,
    /// Why.
    pub reason: String,
}

/// Says whether somebody wants to go up.
#[derive(Clone, Copy, Debug)]
pub struct StayDown {
    /// In which season.
    pub season: SeasonId,
    /// Who.
    pub entrant: EntrantId,
    /// Whether he wants to stay where he is.
    pub stays_down: bool,
}

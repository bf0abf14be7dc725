//! What holds in a league.

use chassis::id::{AccountId, FederationId, LeagueId};
use pairing::lineup::LineupLaw;
use time::OffsetDateTime;

use super::{
    Border, Refusal,
    limits::{DIVISION_SIZE_MAX, DIVISIONS_MAX, OFFICIALS_MAX, SQUADS_MAX},
};
use crate::core::{
    event::{self, EntrySettings, Format, Schedule, Settings, Starts, settings::TEXT_CHARS_MAX},
    name::Name,
};

/// A league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct League {
    /// Its id.
    pub id: LeagueId,
    /// Its federation.
    pub federation: FederationId,
    /// Its name.
    pub name: Name,
    /// The latest version of its rules, from 1.
    pub version: u32,
    /// When it was made.
    pub made: OffsetDateTime,
    /// Grows with every change.
    pub revision: i64,
}

/// The rules of a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// What the event of every division is, but for how many enter, until when, and when rounds begin.
    pub event: Box<Settings>,
    /// The divisions from the top.
    pub divisions: Vec<Division>,
    /// What is exchanged between each two neighbours.
    pub borders: Vec<Border>,
    /// What squads must be.
    pub squads: SquadRules,
    /// Whether two meet twice in a play-off, and not once.
    pub play_offs_double: bool,
    /// Who officiates in every event.
    pub officials: Vec<(AccountId, event::Role)>,
    /// What else they say.
    pub text: String,
}

/// A division.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// Its name.
    pub name: Name,
    /// How many play in it.
    pub size: u32,
    /// With how few it begins.
    pub size_min: u32,
}

/// What squads must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquadRules {
    /// How many are in one at most; 0 for as many as an event takes.
    pub members_max: u32,
    /// Whether everybody is in the club of the team.
    pub of_club: bool,
    /// How many games somebody must have played to be in a play-off.
    pub play_off_games_min: u32,
}

impl Rules {
    /// Makes sure that they make sense together and keep the limits.
    ///
    /// # Errors
    /// [`Refusal::Rules`].
    pub fn check(&self, now: OffsetDateTime) -> Result<(), Refusal> {
        let count = self.divisions.len();
        ensure((1..=DIVISIONS_MAX).contains(&count), "divisions", || {
            format!("1 to {DIVISIONS_MAX} divisions")
        })?;
        ensure(self.borders.len() + 1 == count, "borders", || {
            "one fewer than there are divisions".to_owned()
        })?;
        for (at, division) in self.divisions.iter().enumerate() {
            let field = format!("divisions[{at}].size");
            ensure((2..=DIVISION_SIZE_MAX).contains(&division.size), &field, || {
                format!("2 to {DIVISION_SIZE_MAX}")
            })?;
            let field = format!("divisions[{at}].size_min");
            ensure((2..=division.size).contains(&division.size_min), &field, || "2 to the size".to_owned())?;
            let moving = self.moving(at);
            ensure(moving <= division.size_min, &format!("borders[{at}]"), || {
                format!("{moving} would go up or down, or play for it, and the division begins with fewer")
            })?;
        }
        let squads: u32 = self.divisions.iter().map(|it| it.size).sum();
        ensure(squads <= SQUADS_MAX, "divisions", || format!("at most {SQUADS_MAX} squads in all"))?;
        self.check_event(now)?;
        ensure(self.officials.len() <= OFFICIALS_MAX, "officials", || format!("at most {OFFICIALS_MAX}"))?;
        let offices = self.officials.iter().all(|(_, role)| role.is_office());
        ensure(offices, "officials", || "nobody is appointed to that".to_owned())?;
        ensure(self.chiefs() <= 1, "officials", || "one chief arbiter".to_owned())?;
        let chars = self.text.chars().count();
        ensure(chars <= TEXT_CHARS_MAX, "text", || format!("{chars} characters, at most {TEXT_CHARS_MAX}"))
    }

    fn check_event(&self, now: OffsetDateTime) -> Result<(), Refusal> {
        let format = matches!(self.event.format, Format::RoundRobin { .. } | Format::Swiss { .. });
        ensure(format, "event.format", || "a round robin or a Swiss".to_owned())?;
        let teams = self.event.teams.as_ref();
        let meet = teams.is_none_or(|it| it.line_up != LineupLaw::SumOfMembers);
        ensure(meet, "event.teams.line_up", || "in a league teams meet teams".to_owned())?;
        ensure(self.event.schedule.rounds.is_empty(), "event.schedule.round_times", || {
            "the times of rounds are a season's".to_owned()
        })?;
        // Two who meet twice are told apart without more.
        ensure(self.event.play_off.is_none(), "event.play_off", || "places are not played for".to_owned())?;
        let (most, boards) = self.squad_sizes();
        let fits = self.squads.members_max == 0 || (boards..=most).contains(&self.squads.members_max);
        ensure(fits, "squads.members_max", || format!("{boards} to {most} with these events"))?;
        let mut largest = self.of_division(self.largest(), None);
        // When rounds begin is checked with the season that says so.
        largest.schedule.starts = Starts::ByHand;
        let checked = largest.check(now).and_then(|()| self.of_play_off().check(now));
        checked.map_err(|bad| Refusal::Rules { field: format!("event.{}", bad.field), detail: bad.detail })
    }

    /// How many of a division, by the borders above and below it, could go up or down.
    fn moving(&self, at: usize) -> u32 {
        let of = |border: Option<&Border>| border.map_or(0, |it| it.direct.saturating_add(it.play_offs));
        let above = at.checked_sub(1).and_then(|above| self.borders.get(above));
        of(above).saturating_add(of(self.borders.get(at)))
    }

    fn chiefs(&self) -> usize {
        self.officials.iter().filter(|(_, role)| *role == event::Role::ChiefArbiter).count()
    }

    /// Whether there is somebody without whom no event begins.
    pub fn has_chief(&self) -> bool {
        self.chiefs() > 0
    }

    /// Whether teams play, and not players for themselves.
    pub const fn of_teams(&self) -> bool {
        self.event.teams.is_some()
    }

    /// How many an event takes of a squad at most, and how many it takes to play.
    fn squad_sizes(&self) -> (u32, u32) {
        self.event.teams.as_ref().map_or((1, 1), |it| (it.boards + it.reserves_max, it.boards))
    }

    /// How many can be in a squad.
    pub fn squad_max(&self) -> u32 {
        let most = self.squad_sizes().0;
        if self.squads.members_max == 0 { most } else { most.min(self.squads.members_max) }
    }

    /// How many players, without reserves, are in a squad.
    pub fn boards(&self) -> u32 {
        self.squad_sizes().1
    }

    /// What the event of a division is in which so many play; its rounds begin as the season says, where it does.
    #[must_use]
    pub fn of_division(&self, entrants: u32, schedule: Option<&Schedule>) -> Settings {
        let entries = EntrySettings { max: entrants, until: None, late_until_round: 0 };
        let schedule = schedule.unwrap_or(&self.event.schedule).clone();
        Settings { entries, schedule, ..Settings::clone(&self.event) }
    }

    /// How many play in the largest division.
    pub fn largest(&self) -> u32 {
        self.divisions.iter().map(|it| it.size).max().unwrap_or(2)
    }

    /// What the event of a play-off is. Its chief arbiter says when it begins.
    #[must_use]
    pub fn of_play_off(&self) -> Settings {
        use pairing::standings::Cycles;
        let cycles = if self.play_offs_double { Cycles::Double } else { Cycles::Single };
        let mut settings = self.of_division(2, None);
        settings.format = Format::RoundRobin { cycles };
        settings.schedule.starts = Starts::ByHand;
        settings.schedule.rounds.clear();
        settings.schedule.check_in = false;
        settings
    }
}

fn ensure(holds: bool, field: &str, detail: impl FnOnce() -> String) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::Rules { field: field.to_owned(), detail: detail() }) }
}

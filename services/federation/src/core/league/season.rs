//! A season: from who has the right to play in which division to who goes up and down.

use std::collections::BTreeSet;

use chassis::id::{EventId, FederationId, LeagueId, SeasonId};
use time::{Date, OffsetDateTime};

use super::{EntrantId, FinalTable, Move, Ranked, Refusal, Rules, Squad, Tables, Tie, limits::WINDOWS_MAX};
use crate::core::{event::Schedule, event::fact::Digest, name::Name};

/// How far a season is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Who plays in which division is being written.
    Draft,
    /// Squads are registered.
    Registration,
    /// The divisions are played.
    Running,
    /// The play-offs are played.
    PlayOffs,
    /// It is over.
    Closed,
    /// It was given up before it started.
    Abandoned,
}

impl State {
    /// Its name, in lower case with underscores.
    pub const fn name(self) -> &'static str {
        match self {
            State::Draft => "draft",
            State::Registration => "registration",
            State::Running => "running",
            State::PlayOffs => "play_offs",
            State::Closed => "closed",
            State::Abandoned => "abandoned",
        }
    }

    /// Whether it can go on to another; whether there are play-offs is for the tables to say.
    pub const fn leads_to(self, to: State) -> bool {
        use State::{Abandoned, Closed, Draft, PlayOffs, Registration, Running};
        matches!(
            (self, to),
            (Draft, Registration | Abandoned)
                | (Registration, Running | Abandoned)
                | (Running, PlayOffs | Closed)
                | (PlayOffs, Closed)
        )
    }

    /// Whether it has not started, so that who plays in it can still change.
    pub const fn is_before_start(self) -> bool {
        matches!(self, State::Draft | State::Registration)
    }
}

/// A season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Season {
    /// Its id.
    pub id: SeasonId,
    /// Its league.
    pub league: LeagueId,
    /// Its federation.
    pub federation: FederationId,
    /// Its name.
    pub name: Name,
    /// Which of the league, from 1.
    pub number: u32,
    /// How far it is.
    pub state: State,
    /// The version of the rules that holds; the latest until squads are registered.
    pub version: u32,
    /// From which it follows.
    pub from: Option<SeasonId>,
    /// When the rounds of its divisions begin; as the rules say where there is none.
    pub schedule: Option<Schedule>,
    /// The days on which squads change, both included.
    pub windows: Vec<(Date, Date)>,
    /// The spans in which squads change while it runs: from when, and until before when.
    pub transfers: Vec<(OffsetDateTime, OffsetDateTime)>,
    /// Since when whoever plays must have been a member.
    pub eligible_since: Option<Date>,
    /// When it was made.
    pub made: OffsetDateTime,
    /// Grows with every change.
    pub revision: i64,
    /// The divisions that have an event, by their names, from the top.
    pub divisions: Vec<Name>,
    /// The play-offs, with their events.
    pub ties: Vec<(Tie, EventId)>,
}

/// How a season ended. Of one whose play-offs are played it has the tables, which do not change any more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The divisions from the top.
    pub tables: Vec<FinalTable>,
    /// How the play-offs ended.
    pub play_offs: Vec<PlayOffEnd>,
    /// Who plays in which division next.
    pub next: Vec<Vec<EntrantId>>,
}

/// How a play-off ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayOffEnd {
    /// Who played.
    pub tie: Tie,
    /// The event.
    pub event: EventId,
    /// Up to which entry of its log this was read.
    pub sequence: u64,
    /// The hash of that entry.
    pub hash: Digest,
    /// Whether the upper keeps his place.
    pub upper_holds: bool,
}

impl Season {
    /// Makes sure that it keeps the limits.
    ///
    /// # Errors
    /// [`Refusal::Season`].
    pub fn check(&self) -> Result<(), Refusal> {
        if self.windows.len() > WINDOWS_MAX {
            return Err(Refusal::Season("a season has 12 windows at most"));
        }
        if self.windows.iter().any(|(first, last)| first > last) {
            return Err(Refusal::Season("a window ends before it begins"));
        }
        if self.transfers.len() > WINDOWS_MAX {
            return Err(Refusal::Season("a season has 12 transfer windows at most"));
        }
        if self.transfers.iter().any(|(opens, closes)| opens >= closes) {
            return Err(Refusal::Season("a transfer window closes before it opens"));
        }
        Ok(())
    }

    /// That something happens before it has started.
    ///
    /// # Errors
    /// [`Refusal::State`].
    pub const fn before_start(&self) -> Result<(), Refusal> {
        if self.state.is_before_start() { Ok(()) } else { Err(Refusal::State(self.state)) }
    }

    /// That squads change on a day.
    ///
    /// # Errors
    /// [`Refusal::State`], [`Refusal::Closed`].
    pub fn squads_change(&self, today: Date) -> Result<(), Refusal> {
        if self.state != State::Registration {
            return Err(Refusal::State(self.state));
        }
        let open = self.windows.is_empty()
            || self.windows.iter().any(|(first, last)| (*first..=*last).contains(&today));
        if open { Ok(()) } else { Err(Refusal::Closed) }
    }

    /// That squads change at a moment while it runs.
    ///
    /// # Errors
    /// [`Refusal::TransfersClosed`], with when they open next.
    pub fn transfers_open(&self, now: OffsetDateTime) -> Result<(), Refusal> {
        if self.transfers.iter().any(|(opens, closes)| (*opens..*closes).contains(&now)) {
            return Ok(());
        }
        let next = self.transfers.iter().map(|(opens, _)| *opens).filter(|opens| *opens > now).min();
        Err(Refusal::TransfersClosed(next))
    }

    /// The name of one of its events.
    ///
    /// # Errors
    /// [`Refusal::Season`] when it would be too long.
    pub fn event_name(&self, part: &Name) -> Result<Name, Refusal> {
        let native = format!("{} {}", self.name.native, part.native);
        let latin = format!("{} {}", self.name.latin, part.latin);
        Name::parse(&native, &latin)
            .map_err(|_| Refusal::Season("the names of season and division are too long for an event's"))
    }

    /// Squads that are registered, by division, in the order of their seeds.
    ///
    /// # Errors
    /// [`Refusal::TooSmall`] where a division has too few.
    pub fn started<'a>(&self, rules: &Rules, squads: &'a [Squad]) -> Result<Vec<Vec<&'a Squad>>, Refusal> {
        let of = |(number, division): (u32, &super::Division)| {
            let mut there: Vec<&Squad> =
                squads.iter().filter(|it| it.division == number && it.registered).collect();
            there.sort_by_key(|it| (it.seed, it.entrant));
            let registered = u32::try_from(there.len()).unwrap_or(u32::MAX);
            if registered < division.size_min {
                return Err(Refusal::TooSmall { division: number, registered, needed: division.size_min });
            }
            Ok(there)
        };
        (1..).zip(&rules.divisions).map(of).collect()
    }
}

impl Outcome {
    /// The tables as the movement wants them.
    pub fn ranked(&self) -> Vec<Vec<Ranked>> {
        let ranked = |table: &FinalTable| {
            let lines = table.lines.iter();
            lines.map(|it| Ranked { entrant: it.entrant, withdrawn: it.withdrawn }).collect()
        };
        self.tables.iter().map(ranked).collect()
    }

    /// Who play for a place.
    pub fn ties(&self, rules: &Rules, squads: &[Squad]) -> Vec<Tie> {
        self.movement(rules, squads).0
    }

    /// The same outcome with who plays in which division next.
    #[must_use]
    pub fn closed(mut self, rules: &Rules, squads: &[Squad]) -> Outcome {
        self.next = self.movement(rules, squads).1;
        self
    }

    /// Who play for a place, and who plays in which division next by what came of that.
    fn movement(&self, rules: &Rules, squads: &[Squad]) -> (Vec<Tie>, Vec<Vec<EntrantId>>) {
        let stay_down = squads.iter().filter(|it| it.stays_down).map(|it| it.entrant).collect();
        let lower_wins = self.play_offs.iter().filter(|it| !it.upper_holds).map(|it| it.tie).collect();
        let sizes: Vec<u32> = rules.divisions.iter().map(|it| it.size).collect();
        let (divisions, borders) = (&self.ranked()[..], &rules.borders[..]);
        let tables = Tables { divisions, sizes: &sizes, borders, stay_down: &stay_down };
        (tables.ties(), tables.next(&lower_wins))
    }

    /// Where everybody plays next, seen from where he has played.
    pub fn moves(&self) -> std::collections::BTreeMap<EntrantId, Move> {
        let (divisions, none) = (self.ranked(), BTreeSet::new());
        Tables { divisions: &divisions, sizes: &[], borders: &[], stay_down: &none }.moves(&self.next)
    }
}

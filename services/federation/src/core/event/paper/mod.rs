//! What stands on the papers of an event: from the event, as somebody sees it, and the names of whom it is about.
//!
//! An event knows people by their ids alone; their names are what the federation has of them when the paper is made.

mod lists;
mod rounds;
mod tables;

use std::collections::BTreeMap;

use chassis::id::{MemberId, TeamId};
use pairing::{Number, ResultCode};
use papers::{Bye, Code, Colours, Head, Name, Person, Sheet};
use rules::Side;
use time::{OffsetDateTime, UtcOffset};

use super::{Event, zone};
use crate::core::document::{DocumentFault, Kind};

/// A member as a paper names him.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// What he is called; empty of one who is forgotten.
    pub name: Name,
    /// His grade, as it is written.
    pub grade: String,
    /// The club in which he is.
    pub club: Name,
}

/// The names of whom an event is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The federation.
    pub organiser: Name,
    /// Its members who have entered, by every id under which they have.
    pub members: BTreeMap<MemberId, Known>,
    /// Its teams that have.
    pub teams: BTreeMap<TeamId, Name>,
}

impl Known {
    /// His name, or what stands in the place of one that nobody knows any more.
    pub fn shown_name(&self) -> Name {
        if self.name.is_empty() { Name::new(NAMELESS, "") } else { self.name.clone() }
    }
}

/// What stands in the place of a name that nobody knows any more.
const NAMELESS: &str = "—";

impl Event {
    /// What stands above its papers.
    pub fn paper_head(&self, names: &Names) -> Head {
        Head {
            organiser: names.organiser.clone(),
            event: told(&self.name),
            venue: String::new(),
            as_of: self.moment(self.updated),
            sequence: self.sequence,
        }
    }

    /// What stands on a paper of it. The event is as its reader sees it: nothing else is held back here.
    ///
    /// # Errors
    /// When the event has no such paper, or it would be too large; none in place of the sheet where there is no such round.
    pub fn paper(&self, kind: Kind, round: u16, names: &Names) -> Result<Option<Sheet>, DocumentFault> {
        let last = self.next_round() - 1;
        let number = if round == 0 { last } else { round };
        if number > last {
            return Ok(None);
        }
        let round = self.round(number);
        let bad = |why: &str| DocumentFault::Bad("kind", why.to_owned());
        Ok(match kind {
            Kind::Pairings => round.map(|round| Sheet::Pairings(self.pairings_sheet(round, names))),
            Kind::Slips => round.map(|round| Sheet::Slips(self.pairings_sheet(round, names).slips())),
            Kind::Matches if self.meetings().is_none() => return Err(bad("no teams meet in the event")),
            Kind::Matches => round.map(|round| Sheet::Matches(self.matches_sheet(round, names))),
            Kind::Standings => Some(Sheet::Standings(self.standings_sheet(number, names))),
            Kind::Crosstable if self.meetings().is_some() => {
                return Err(bad("there is a crosstable of players alone, and here teams meet"));
            }
            Kind::Crosstable => Some(Sheet::Crosstable(self.crosstable_sheet(number, names)?)),
            Kind::Schedule => Some(Sheet::Schedule(self.schedule_sheet())),
            Kind::Roster => Some(Sheet::Roster(self.roster_sheet(names))),
            Kind::Notice | Kind::LeagueTable | Kind::RatingList => {
                return Err(bad("it is the paper of no event"));
            }
        })
    }

    /// A moment as the clocks show it where the event thinks.
    pub fn moment(&self, at: OffsetDateTime) -> String {
        moment(zone::local(at, &self.settings.schedule.zone), &self.settings.schedule.zone)
    }

    fn person(&self, number: Number, names: &Names) -> Person {
        let participant = self.participant(number);
        let known = participant.and_then(|it| names.members.get(&it.entrant.member));
        let rating = participant.and_then(|it| it.entrant.rating);
        let known = known.cloned().unwrap_or_default();
        let name = known.shown_name();
        let Known { grade, club, .. } = known;
        Person { number: number.0, name, club, grade, rating }
    }

    fn team_person(&self, number: Number, names: &Names) -> Person {
        let name = self.team(number).and_then(|team| names.teams.get(&team.entrant.team)).cloned();
        let name = name.unwrap_or_else(|| Name::new(NAMELESS, ""));
        Person { number: number.0, name, ..Person::default() }
    }

    /// Whoever has a number: a team where teams meet.
    fn entrant_person(&self, number: Number, names: &Names) -> Person {
        if self.meetings().is_some() { self.team_person(number, names) } else { self.person(number, names) }
    }

    /// Which colour those have who stand first at boards.
    fn colours(&self) -> Colours {
        match self.settings.game.variant.moves_first {
            Some(Side::First) => Colours::BlackFirst,
            Some(Side::Second) => Colours::WhiteFirst,
            None => Colours::Open,
        }
    }
}

/// A name as papers have it.
pub fn told(name: &crate::core::name::Name) -> Name {
    Name::new(&name.native, &name.latin)
}

/// A moment to the minute, with the name of its zone.
pub fn moment(at: OffsetDateTime, zone: &str) -> String {
    let zone = if at.offset() == UtcOffset::UTC { "UTC" } else { zone };
    let (date, time) = (crate::core::day::text(at.date()), at.time());
    format!("{date} {:02}:{:02} ({zone})", time.hour(), time.minute())
}

fn code(code: ResultCode) -> Code {
    match code {
        ResultCode::Win => Code::Win,
        ResultCode::Loss => Code::Loss,
        ResultCode::Draw => Code::Draw,
        ResultCode::ForfeitWin => Code::ForfeitWin,
        ResultCode::ForfeitLoss => Code::ForfeitLoss,
        ResultCode::DoubleForfeit => Code::DoubleForfeit,
        ResultCode::Adjourned => Code::Adjourned,
        ResultCode::ReplayOrdered => Code::ReplayOrdered,
        ResultCode::Annulled => Code::Annulled,
        ResultCode::Pab | ResultCode::ByeFull | ResultCode::ByeHalf | ResultCode::ByeZero => {
            Code::Bye(bye(code))
        }
    }
}

/// Why somebody has no game. What is none of the byes is an absence.
fn bye(code: ResultCode) -> Bye {
    match code {
        ResultCode::Pab => Bye::Pab,
        ResultCode::ByeFull => Bye::ByeFull,
        ResultCode::ByeHalf => Bye::ByeHalf,
        _ => Bye::ByeZero,
    }
}

//! What an event is: its format, its game, and what of it the seed leaves to those who come and go.

use std::time::Duration;

use api::federation::v1 as pb;

use crate::{
    rng::Rng,
    table::{short_control, short_games},
};

/// Players of an event: at least and at most. With an odd number somebody has the bye.
const PLAYERS: (usize, usize) = (3, 5);
/// The fewest that begin a Swiss: two are left when somebody has left and another one is away.
const SWISS_MIN: usize = 4;
/// Rounds of a Swiss: at least and at most.
const ROUNDS: (usize, usize) = (2, 3);
/// Teams of an event: at least and at most.
const TEAMS: (usize, usize) = (2, 3);
/// Boards of a match of teams. Whoever has more accounts made for more of them pays for each password that is hashed.
pub(super) const BOARDS: usize = 2;
/// How likely somebody plays in a hall, whose boards have no game here.
const HALL: f64 = 0.4;
/// How likely the last player of a Swiss comes when it has begun.
const LATE: f64 = 0.6;
/// Before which round of a Swiss somebody can still come in; the one before it is the last that he can be paired in.
const LATE_UNTIL_ROUND: u32 = 3;
/// How long after a ruling it can be appealed against: the least that an event can have.
const APPEAL: Duration = Duration::from_mins(1);

/// What meets in an event, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Players, by their points.
    Swiss,
    /// Players, all of them.
    RoundRobin,
    /// Players, until one is left.
    KnockOut,
    /// Teams, all of them, with line-ups that are declared.
    Teams,
}

/// How many take part in an event, and as what.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// What meets.
    pub kind: Kind,
    /// Players with an account: those of all teams together.
    pub players: usize,
    /// Teams; none where players play for themselves.
    pub teams: usize,
    /// Whether the last of the players comes late.
    pub late: bool,
    /// Whether one more plays in a hall.
    pub hall: bool,
}

impl Plan {
    /// What the seed wants.
    pub(super) fn new(rng: &Rng) -> Plan {
        let between = |(least, most): (usize, usize)| least + rng.below(most - least + 1);
        let kinds = [(Kind::Swiss, 6), (Kind::RoundRobin, 4), (Kind::KnockOut, 5), (Kind::Teams, 5)];
        let weighed: Vec<(&Kind, u32)> = kinds.iter().map(|(kind, weight)| (kind, *weight)).collect();
        let kind = rng.weighed(weighed).copied().unwrap_or(Kind::Swiss);
        let late = kind == Kind::Swiss && rng.chance(LATE);
        let teams = if kind == Kind::Teams { between(TEAMS) } else { 0 };
        let players = match kind {
            Kind::Teams => teams * (BOARDS + 1),
            Kind::Swiss => between(PLAYERS).max(SWISS_MIN) + usize::from(late),
            Kind::RoundRobin | Kind::KnockOut => between(PLAYERS),
        };
        let hall = matches!(kind, Kind::Swiss | Kind::RoundRobin) && players < PLAYERS.1 && rng.chance(HALL);
        Plan { kind, players, teams, late, hall }
    }

    /// The settings of it: a small event with short games.
    pub(super) fn settings(&self, rng: &Rng) -> pb::EventSettings {
        let (variant, options) = *rng.pick(&short_games());
        let seconds = |least, most| {
            Some(api::time::duration(rng.between(Duration::from_secs(least), Duration::from_secs(most))))
        };
        let entries =
            if self.kind == Kind::Teams { self.teams } else { self.players + usize::from(self.hall) };
        pb::EventSettings {
            game: Some(pb::EventGame {
                variant: variant.id.to_owned(),
                options: options
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect(),
                time_control: Some(short_control(variant, rng).into()),
                rated: rng.chance(0.7),
                lateness_duration: seconds(10, 40),
                arbiter_confirms: rng.chance(0.3),
                adjournable: rng.chance(0.4),
                ..pb::EventGame::default()
            }),
            format: Some(pb::EventFormat { format: Some(self.format(rng)) }),
            entries_max: u32::try_from(entries).unwrap_or(u32::MAX),
            late_until_round: if self.late { LATE_UNTIL_ROUND } else { 0 },
            schedule: Some(pb::EventSchedule {
                zone: "Asia/Shanghai".to_owned(),
                start: if rng.chance(0.5) { pb::RoundStart::WhenComplete } else { pb::RoundStart::ByHand }
                    .into(),
                ..pb::EventSchedule::default()
            }),
            appeal_duration: Some(api::time::duration(APPEAL)),
            teams: (self.kind == Kind::Teams).then(|| pb::TeamSettings {
                boards: u32::try_from(BOARDS).unwrap_or(1),
                line_up: pb::LineUpLaw::DeclaredBoards.into(),
                reserves_max: 1,
                ..pb::TeamSettings::default()
            }),
            ..pb::EventSettings::default()
        }
    }

    fn format(&self, rng: &Rng) -> pb::event_format::Format {
        use pb::event_format::{Format, KnockOut, RoundRobin, Swiss};
        match self.kind {
            Kind::Swiss => {
                let rounds = u32::try_from(ROUNDS.0 + rng.below(ROUNDS.1 - ROUNDS.0 + 1)).unwrap_or(1);
                Format::Swiss(Swiss { rounds })
            }
            Kind::RoundRobin | Kind::Teams => Format::RoundRobin(RoundRobin { double: false }),
            Kind::KnockOut => Format::KnockOut(KnockOut { lives: 1, third_place: rng.chance(0.5) }),
        }
    }
}

//! Games that begin at a time on which two have agreed.

use std::collections::HashMap;

use chassis::id::{AccountId, ChallengeId, GameId, TicketId};
use rules::Side;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{LIFE_MAX, Pair, Player, Settings};

/// How soon a game may be arranged for: both need a moment to see it.
pub const START_MIN: Duration = Duration::minutes(1);
/// How late, as long as a challenge can be accepted: nobody knows what he does in half a year.
pub const START_MAX: Duration = LIFE_MAX;
/// The most games that an account may have before it: several a day for as long as can be arranged.
pub const COMING_MAX: u64 = 100;
/// How long before a game of his somebody leaves the queue at the latest.
pub(super) const LEAVE_BEFORE: Duration = Duration::minutes(10);
/// What is expected to take so long is played by correspondence, beside other games.
const BESIDE: Duration = Duration::days(1);
/// Two games that begin within this of each other are warned of.
pub const SAME_HOUR: Duration = Duration::hours(1);

/// Where a list of arranged games goes on: behind the one that begins then, in microseconds, of this id.
pub type ArrangedPlace = (i64, Uuid);

/// A game on which two have agreed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arranged {
    /// The game's id, known before there is a game.
    pub game: GameId,
    /// The challenge that it came of.
    pub challenge: ChallengeId,
    /// What is to be played.
    pub settings: Settings,
    /// Who asked, and who has accepted.
    pub players: [Player; 2],
    /// The side of who asked, if he has chosen it.
    pub side: Option<Side>,
    /// When it begins.
    pub starts: OffsetDateTime,
    /// Since when it is arranged.
    pub since: OffsetDateTime,
    /// What has become of it.
    pub state: ArrangedState,
    /// Who has called it off, if one of the two has.
    pub called_off_by: Option<AccountId>,
}

/// What has become of an arranged game. It only ever leaves `Coming`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrangedState {
    /// It begins at its time.
    Coming,
    /// It has begun.
    Begun,
    /// It was called off.
    CalledOff,
}

impl Arranged {
    /// Who plays it.
    pub fn accounts(&self) -> [AccountId; 2] {
        self.players.each_ref().map(|player| player.account)
    }

    /// Whether an account plays it.
    pub fn is_of(&self, account: AccountId) -> bool {
        self.accounts().contains(&account)
    }

    /// The two who play it, with these tickets.
    pub fn pair(&self, tickets: [TicketId; 2]) -> Pair {
        let [asked, accepted] = self.players.clone();
        let [one, other] = tickets;
        let players = [Player { ticket: one, ..asked }, Player { ticket: other, ..accepted }];
        Pair { game: self.game, settings: self.settings.clone(), players }
    }
}

/// What begins at a time, and keeps somebody from playing on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appointment {
    /// When.
    pub starts: OffsetDateTime,
    /// Which.
    pub occasion: Occasion,
}

/// What begins then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// One on which two have agreed.
    Arranged(GameId),
    /// One of an event.
    Board {
        /// The event.
        event: Uuid,
        /// The round.
        round: u32,
        /// The table.
        table: u32,
    },
    /// The platform is worked on, for everybody.
    Maintenance {
        /// Until when.
        ends: OffsetDateTime,
    },
}

impl Appointment {
    /// When somebody leaves the queue for it who waits for games of these: ten minutes before it, or when they could not end any
    /// more. Nothing where he can play them beside it, by correspondence.
    pub fn leaves_at<'a>(&self, settings: impl Iterator<Item = &'a Settings>) -> Option<OffsetDateTime> {
        let length = |settings: &Settings| {
            let of_each = settings.time_control().expected()?;
            Some(Duration::try_from(of_each.saturating_mul(2)).unwrap_or(Duration::MAX))
        };
        let longest = settings.filter_map(length).filter(|length| *length < BESIDE).max()?;
        Some(self.starts.saturating_sub(longest.max(LEAVE_BEFORE)))
    }
}

/// The next games of accounts, as one replica knows them.
#[derive(Clone, Debug, Default)]
pub struct Appointments(HashMap<AccountId, Appointment>);

impl Appointments {
    /// Just these.
    pub fn of(all: impl Iterator<Item = (AccountId, Appointment)>) -> Self {
        let mut appointments = Appointments::default();
        for (account, appointment) in all {
            appointments.add(account, appointment);
        }
        appointments
    }

    /// One more.
    pub fn add(&mut self, account: AccountId, appointment: Appointment) {
        let next = self.0.entry(account).or_insert(appointment);
        if appointment.starts < next.starts {
            *next = appointment;
        }
    }

    /// What an account plays next now, if anything.
    pub fn put(&mut self, account: AccountId, next: Option<Appointment>) {
        match next {
            Some(next) => self.0.insert(account, next),
            None => self.0.remove(&account),
        };
    }

    /// Forgets those that were to begin before a moment.
    pub fn forget_before(&mut self, moment: OffsetDateTime) {
        self.0.retain(|_, next| next.starts >= moment);
    }

    /// The next game of an account.
    pub fn next(&self, account: AccountId) -> Option<Appointment> {
        self.0.get(&account).copied()
    }
}

/// Who plays soon.
#[derive(Clone, Debug, Default)]
pub struct Soon {
    /// A game on which two have agreed.
    pub arranged: Appointments,
    /// How often one was agreed on or called off since it was learnt first: what was read before is not the latest.
    pub changes: u64,
    /// A game of an event.
    pub of_events: Appointments,
    /// When the platform is worked on.
    pub maintenance: Option<Appointment>,
}

impl Soon {
    /// What an account leaves the queue for that waits for games of these, and when.
    pub fn leaves<'a>(
        &self,
        account: AccountId,
        settings: &(impl Iterator<Item = &'a Settings> + Clone),
    ) -> Option<(OffsetDateTime, Appointment)> {
        let next = [self.arranged.next(account), self.of_events.next(account), self.maintenance];
        let leaves = |next: Appointment| Some((next.leaves_at(settings.clone())?, next));
        next.into_iter().flatten().filter_map(leaves).min_by_key(|(leaves, _)| *leaves)
    }
}

#[cfg(test)]
mod tests {
    use rules::RuleSet;

    use super::*;

    fn settings(control: &str) -> Settings {
        let control = control.parse().expect("a time control");
        Settings::new("go", &RuleSet::named(""), control, false).expect("it can be played")
    }

    #[test]
    fn who_waits_leaves_for_his_own_game_in_time() {
        let starts = OffsetDateTime::UNIX_EPOCH + Duration::days(1);
        let appointment = Appointment { starts, occasion: Occasion::Arranged(Uuid::from_u128(1).into()) };
        let leaves = |controls: &[&str]| {
            let all: Vec<Settings> = controls.iter().map(|control| settings(control)).collect();
            appointment.leaves_at(all.iter()).map(|at| starts - at)
        };
        assert_eq!(leaves(&["3m"]), Some(LEAVE_BEFORE), "six minutes are less than ten");
        assert_eq!(leaves(&["20m"]), Some(Duration::minutes(40)));
        assert_eq!(leaves(&["3m", "20m", "3d/move"]), Some(Duration::minutes(40)), "whichever he may get");
        assert_eq!(leaves(&["3d/move"]), None);
        assert_eq!(leaves(&["none"]), None);
    }

    #[test]
    fn the_next_of_somebodys_games_counts() {
        let at = |hours, game| {
            let starts = OffsetDateTime::UNIX_EPOCH + Duration::hours(hours);
            Appointment { starts, occasion: Occasion::Arranged(Uuid::from_u128(game).into()) }
        };
        let [one, other] = [1, 2].map(|number| AccountId::from(Uuid::from_u128(number)));
        let mut all = Appointments::of([(one, at(3, 1)), (one, at(2, 2)), (other, at(5, 3))].into_iter());
        assert_eq!((all.next(one), all.next(other)), (Some(at(2, 2)), Some(at(5, 3))));
        all.add(other, at(9, 4));
        assert_eq!(all.next(other), Some(at(5, 3)));
        assert_eq!(all.next(Uuid::from_u128(3).into()), None);
        let of_event = Occasion::Board { event: Uuid::from_u128(9), round: 1, table: 2 };
        let soon = Soon {
            arranged: all,
            changes: 0,
            of_events: Appointments::of(std::iter::once((
                one,
                Appointment { occasion: of_event, ..at(1, 0) },
            ))),
            maintenance: None,
        };
        let blitz = [settings("3m")];
        let leaves = |account| soon.leaves(account, &blitz.iter()).map(|(_, next)| next.occasion);
        assert_eq!(leaves(one), Some(of_event), "whichever begins first");
        assert_eq!(leaves(other), Some(at(5, 3).occasion));
        let ends = OffsetDateTime::UNIX_EPOCH + Duration::hours(9);
        let occasion = Occasion::Maintenance { ends };
        let soon = Soon { maintenance: Some(Appointment { occasion, ..at(4, 0) }), ..soon.clone() };
        let leaves = |account| soon.leaves(account, &blitz.iter()).map(|(_, next)| next.occasion);
        assert_eq!(leaves(one), Some(of_event));
        assert_eq!(leaves(other), Some(occasion), "it is everybody's");
        let mut left = soon.of_events.clone();
        left.forget_before(at(1, 0).starts);
        assert!(left.next(one).is_some(), "it begins");
        left.forget_before(at(2, 0).starts);
        assert_eq!(left.next(one), None);
    }
}

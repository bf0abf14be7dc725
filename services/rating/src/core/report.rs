//! Reports of who may lose on purpose, or lets others win, and what becomes of them.

use chassis::id::{AccountId, EventId, GameId};
use scrutiny::{Finding, Scrutinised, Suspicion};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{book::Change, category::Category, game::Game};

/// The time that is looked back on: long enough for who plays a game a day, short enough that who has stopped it is left alone.
pub const WINDOW: Duration = Duration::days(90);
/// Games of a category that are looked at, the latest: 80 MB while they are.
pub const GAMES_MAX: u64 = 1_000_000;
/// Games that are kept of each finding, the latest: nobody looks at more.
pub const EVIDENCE_MAX: usize = 200;
/// How many times worse something has to be than what was decided about before, to be reported soon after.
const WORSE: f64 = 1.2;

/// What is suspicious of somebody in one category.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported {
    /// The category.
    pub category: Category,
    /// Whose games they are.
    pub account: AccountId,
    /// What he was called in the last of them.
    pub name: String,
    /// What is found of him, also what is not suspicious.
    pub scrutinised: Scrutinised,
    /// The games that each suspicious finding rests on, in their order.
    pub evidence: Vec<(Finding, Vec<GameId>)>,
}

/// A report, as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Its id.
    pub id: Uuid,
    /// The category.
    pub category: Category,
    /// Whom it is about.
    pub account: AccountId,
    /// What he was called.
    pub name: String,
    /// How many games he had played.
    pub games: u32,
    /// How many of them he had lost early.
    pub lost_early: u32,
    /// What he had scored in the others, and was expected to.
    pub others: (f64, f64),
    /// What is suspicious, with how much of it there is, and how many games each rests on.
    pub found: Vec<(Suspicion, f64, u32)>,
    /// When it was found first.
    pub since: OffsetDateTime,
    /// When it was brought up to date last.
    pub updated: OffsetDateTime,
    /// What was decided about it.
    pub settled: Option<Settlement>,
}

/// What a moderator decided about a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// Whether it is so.
    pub upheld: bool,
    /// When he did.
    pub at: OffsetDateTime,
    /// Who.
    pub by: Moderator,
    /// Why.
    pub reason: String,
}

/// A moderator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moderator {
    /// His account.
    pub id: AccountId,
    /// What he is called.
    pub name: String,
}

/// What a moderator did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// He found nothing in this report.
    Dismissed(Uuid),
    /// He found that this report is so.
    Upheld(Uuid),
    /// He annulled a game, for the sake of a report or of none.
    Annulled(GameId, Option<Uuid>),
    /// He had a game count again.
    Reinstated(GameId),
}

/// What a moderator did, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// Its id: acts sort by them.
    pub id: Uuid,
    /// When.
    pub at: OffsetDateTime,
    /// Who.
    pub by: Moderator,
    /// What.
    pub deed: Deed,
    /// Why.
    pub reason: String,
}

/// A game that a report rests on, with what it did to whom the report is about.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// What is suspicious of it.
    pub suspicion: Suspicion,
    /// The game.
    pub game: Game,
    /// What it did.
    pub change: Change,
}

/// Which reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those with games of this event.
    pub event: Option<EventId>,
    /// Only those about this account.
    pub account: Option<AccountId>,
    /// Only those about which nothing was decided.
    pub open: bool,
}

/// What is to be done where something is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// It is reported.
    Report,
    /// It is in this report already, which is brought up to date.
    Update(Uuid),
    /// Nothing: it was decided about.
    Nothing,
}

impl Reported {
    /// By how many times its limit the most suspicious is exceeded.
    pub fn beyond(&self) -> f64 {
        beyond(self.evidence.iter().map(|(finding, _)| (finding.suspicion, finding.score)))
    }

    /// What is to be done about it, after the last report of the same account and category.
    pub fn due(&self, last: Option<&Report>, now: OffsetDateTime) -> Due {
        let Some(last) = last else { return Due::Report };
        let Some(settled) = &last.settled else { return Due::Update(last.id) };
        let before = beyond(last.found.iter().map(|(suspicion, score, _)| (*suspicion, *score)));
        let is_new = now - settled.at >= WINDOW || self.beyond() >= WORSE * before;
        if is_new { Due::Report } else { Due::Nothing }
    }

    /// The same as a report of now.
    pub fn report(&self, id: Uuid, (since, now): (OffsetDateTime, OffsetDateTime)) -> Report {
        let count = |games: usize| u32::try_from(games).unwrap_or(u32::MAX);
        let found = |(finding, games): &(Finding, Vec<GameId>)| {
            (finding.suspicion, finding.score, count(games.len()))
        };
        Report {
            id,
            category: self.category.clone(),
            account: self.account,
            name: self.name.clone(),
            games: count(self.scrutinised.games),
            lost_early: count(self.scrutinised.lost_early),
            others: self.scrutinised.others,
            found: self.evidence.iter().map(found).collect(),
            since,
            updated: now,
            settled: None,
        }
    }
}

/// By how many times its limit the most suspicious is exceeded.
fn beyond(found: impl Iterator<Item = (Suspicion, f64)>) -> f64 {
    found.map(|(suspicion, score)| score / suspicion.limit()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::category::{Speed, Variant};

    const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    fn reported(score: f64) -> Reported {
        let finding = |suspicion, score| Finding { suspicion, score, games: vec![0] };
        let findings = Suspicion::ALL.map(|suspicion| finding(suspicion, 0.0));
        Reported {
            category: Category { variant: Variant::parse("go").expect("a name"), speed: Speed::Blitz },
            account: Uuid::from_u128(1).into(),
            name: "p".to_owned(),
            scrutinised: Scrutinised { games: 50, lost_early: 9, others: (30.0, 20.0), findings },
            evidence: vec![(finding(Suspicion::Streaks, score), vec![Uuid::from_u128(2).into()])],
        }
    }

    fn settled(score: f64, at: OffsetDateTime) -> Report {
        let by = Moderator { id: Uuid::from_u128(9).into(), name: "m".to_owned() };
        let settled = Settlement { upheld: false, at, by, reason: "tilt".to_owned() };
        Report { settled: Some(settled), ..reported(score).report(Uuid::from_u128(3), (NOW, NOW)) }
    }

    #[test]
    fn what_was_decided_about_comes_back_only_when_it_is_worse_or_new() {
        let open = reported(9.0).report(Uuid::from_u128(3), (NOW, NOW));
        assert_eq!(reported(9.0).due(None, NOW), Due::Report);
        assert_eq!(reported(5.0).due(Some(&open), NOW), Due::Update(open.id));
        let last = settled(10.0, NOW);
        assert_eq!(reported(11.9).due(Some(&last), NOW + WINDOW - Duration::SECOND), Due::Nothing);
        assert_eq!(reported(12.0).due(Some(&last), NOW), Due::Report);
        assert_eq!(reported(5.0).due(Some(&last), NOW + WINDOW), Due::Report);
    }
}

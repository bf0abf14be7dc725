//! Titles and grades: what a federation awards, who proposes it, and who awards it.

use chassis::{
    id::{AccountId, EventId, FederationId, MemberId, of_digest},
    limit::{Amount, Limit},
};
use pairing::Number;
use sha2::{Digest as _, Sha256};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::{limits::GRADE_CHARS_MAX, name::Name};

/// Titles of a federation, also retired ones.
pub const TITLES_MAX: usize = 200;
/// Events that show why a title is proposed.
pub const EVENTS_MAX: usize = 16;
/// Proposals by hand that wait in a federation.
pub const PROPOSALS_MAX: u64 = 5_000;

/// The limits of titles.
pub const LIMITS: &[Limit] = &[
    count(
        "titles of a federation",
        TITLES_MAX as u64,
        "fifty grades, with what there was before; all are listed at once",
    ),
    count(
        "events that show why a title is proposed",
        EVENTS_MAX as u64,
        "as many as somebody plays in a season",
    ),
    count(
        "proposals of titles that wait in a federation",
        PROPOSALS_MAX,
        "more than its officials could look at",
    ),
];

const fn count(name: &'static str, count: u64, reason: &'static str) -> Limit {
    Limit { name, amount: Amount::Count(count), setting: None, reason }
}

/// What a title is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A grade of players, which has an order.
    Grade,
    /// An honorary title.
    Honorary,
    /// A title of arbiters.
    Arbiter,
}

/// A title that a federation awards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// Its id.
    pub id: Uuid,
    /// The federation.
    pub federation: FederationId,
    /// Its name.
    pub name: Name,
    /// What it is.
    pub kind: Kind,
    /// Of a grade its place in the order; higher is better.
    pub rank: i32,
    /// When it was retired.
    pub retired: Option<OffsetDateTime>,
}

/// Adds a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Create {
    /// To which federation.
    pub federation: FederationId,
    /// Its name.
    pub name: Name,
    /// What it is.
    pub kind: Kind,
    /// Of a grade its place in the order.
    pub rank: i32,
}

/// Retires a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retire {
    /// Which.
    pub id: Uuid,
}

/// Proposes a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Propose {
    /// Which.
    pub title: Uuid,
    /// For whom.
    pub member: MemberId,
    /// Why.
    pub reason: String,
    /// The events that show it.
    pub events: Vec<EventId>,
}

/// Answers a proposal, or revokes what was awarded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decide {
    /// Which award.
    pub id: Uuid,
    /// What.
    pub verdict: Verdict,
}

/// What is done with an award.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is awarded, from a day on; from today if it is not said.
    Award(Option<Date>),
    /// It is refused, and why.
    Refuse(String),
    /// It is revoked, and why.
    Revoke(String),
}

/// How far an award is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It waits for a second person.
    Proposed,
    /// It is awarded.
    Awarded,
    /// It was refused.
    Refused,
    /// It was awarded, and revoked.
    Revoked,
}

/// That a member has a title, or is to have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Award {
    /// Its id.
    pub id: Uuid,
    /// The federation.
    pub federation: FederationId,
    /// The title.
    pub title: Uuid,
    /// The member.
    pub member: MemberId,
    /// How far it is.
    pub state: State,
    /// Why it is proposed.
    pub reason: String,
    /// The events that show it.
    pub events: Vec<EventId>,
    /// Who proposed it.
    pub proposed_by: AccountId,
    /// When.
    pub proposed: OffsetDateTime,
    /// Who awarded or refused it, and when.
    pub decided: Option<(AccountId, OffsetDateTime)>,
    /// From which day it holds.
    pub effective: Option<Date>,
    /// Why it was refused.
    pub refusal: String,
    /// Who revoked it, and when.
    pub revoked: Option<(AccountId, OffsetDateTime)>,
    /// Why.
    pub revocation: String,
}

/// Who decides about an award.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judge {
    /// His account.
    pub account: AccountId,
    /// Whether he is the member, or acts for him.
    pub is_partial: bool,
}

/// Why a decision about an award is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// It does not wait for this decision.
    Decided,
    /// It takes somebody else.
    SecondPerson,
    /// It cannot hold from that day on.
    Date,
}

impl Create {
    /// Makes sure that a title can be like this.
    ///
    /// # Errors
    /// In what way it cannot.
    pub fn check(&self) -> Result<(), &'static str> {
        match self.kind {
            Kind::Grade if self.name.native.chars().count() > GRADE_CHARS_MAX => {
                Err("the native name of a grade has 16 characters at most")
            }
            Kind::Honorary | Kind::Arbiter if self.rank != 0 => Err("only grades have a rank"),
            Kind::Grade | Kind::Honorary | Kind::Arbiter => Ok(()),
        }
    }
}

impl Award {
    /// The award after a decision.
    ///
    /// # Errors
    /// When it does not wait for that, when it takes a second person, or with a day that is to come.
    pub fn decide(mut self, verdict: &Verdict, by: Judge, now: OffsetDateTime) -> Result<Award, Undecided> {
        let awaited = if matches!(verdict, Verdict::Revoke(_)) { State::Awarded } else { State::Proposed };
        if self.state != awaited {
            return Err(Undecided::Decided);
        }
        match verdict {
            Verdict::Award(_) if by.is_partial || by.account == self.proposed_by => {
                return Err(Undecided::SecondPerson);
            }
            Verdict::Award(from) => {
                let from = from.unwrap_or_else(|| now.date());
                if from > now.date() {
                    return Err(Undecided::Date);
                }
                (self.state, self.effective) = (State::Awarded, Some(from));
                self.decided = Some((by.account, now));
            }
            Verdict::Refuse(why) => {
                (self.state, self.refusal) = (State::Refused, why.clone());
                self.decided = Some((by.account, now));
            }
            Verdict::Revoke(why) => {
                (self.state, self.revocation) = (State::Revoked, why.clone());
                self.revoked = Some((by.account, now));
            }
        }
        Ok(self)
    }

    /// Whether everybody may know of it.
    pub const fn is_public(&self) -> bool {
        matches!(self.state, State::Awarded | State::Revoked)
    }
}

/// The best grade among the titles that somebody has.
pub fn best_grade<'a>(held: impl IntoIterator<Item = &'a Title>) -> Option<&'a Title> {
    held.into_iter().filter(|title| title.kind == Kind::Grade).max_by_key(|title| title.rank)
}

/// The id of the award that an event for grades proposes: proposed again, it is the same.
pub fn proposed_by_event(event: EventId, number: Number) -> Uuid {
    let hash = Sha256::new_with_prefix(b"shoutan/award-of-event\0").chain_update(event.uuid().as_bytes());
    of_digest(hash.chain_update(number.0.to_be_bytes()).finalize().into())
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;

    const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    fn account(id: u128) -> AccountId {
        Uuid::from_u128(id).into()
    }

    fn proposed() -> Award {
        Award {
            id: Uuid::from_u128(1),
            federation: Uuid::from_u128(2).into(),
            title: Uuid::from_u128(3),
            member: Uuid::from_u128(4).into(),
            state: State::Proposed,
            reason: "three wins".to_owned(),
            events: Vec::new(),
            proposed_by: account(5),
            proposed: NOW,
            decided: None,
            effective: None,
            refusal: String::new(),
            revoked: None,
            revocation: String::new(),
        }
    }

    fn judge(id: u128, is_partial: bool) -> Judge {
        Judge { account: account(id), is_partial }
    }

    #[test]
    fn nobody_awards_what_he_has_proposed_nor_to_himself() {
        let award = Verdict::Award(None);
        for (by, expected) in [
            (judge(5, false), Err(Undecided::SecondPerson)),
            (judge(6, true), Err(Undecided::SecondPerson)),
            (judge(6, false), Ok(State::Awarded)),
        ] {
            assert_eq!(proposed().decide(&award, by, NOW).map(|it| it.state), expected, "{by:?}");
        }
        let taken_back = proposed().decide(&Verdict::Refuse("a mistake".to_owned()), judge(5, false), NOW);
        assert_eq!(taken_back.map(|it| it.state), Ok(State::Refused), "his own proposal he takes back");
    }

    #[test]
    fn a_decision_is_made_once_and_a_title_is_revoked_only_where_it_holds() {
        let (award, revoke) = (Verdict::Award(None), Verdict::Revoke("he cheated".to_owned()));
        let by = judge(6, false);
        assert_eq!(proposed().decide(&revoke, by, NOW), Err(Undecided::Decided));
        let awarded = proposed().decide(&award, by, NOW).expect("awarded");
        assert_eq!(awarded.clone().decide(&award, by, NOW), Err(Undecided::Decided));
        let revoked = awarded.decide(&revoke, judge(5, false), NOW).expect("revoked");
        assert_eq!((revoked.state, revoked.effective), (State::Revoked, Some(NOW.date())));
        assert_eq!(revoked.decide(&revoke, by, NOW), Err(Undecided::Decided));
    }

    #[test]
    fn a_title_holds_from_today_or_before() {
        let award = |days| Verdict::Award(Some((NOW + Duration::days(days)).date()));
        for (days, holds) in [(-400, true), (0, true), (1, false)] {
            assert_eq!(proposed().decide(&award(days), judge(6, false), NOW).is_ok(), holds, "{days}");
        }
    }

    #[test]
    fn the_best_grade_is_the_one_of_the_highest_rank_and_no_other_title() {
        let title = |kind, rank: i32| Title {
            id: Uuid::from_u128(u128::from(rank.cast_unsigned())),
            federation: Uuid::from_u128(2).into(),
            name: Name::default(),
            kind,
            rank,
            retired: None,
        };
        let titles = [title(Kind::Grade, 3), title(Kind::Honorary, 0), title(Kind::Grade, 5)];
        assert_eq!(best_grade(&titles).map(|it| it.rank), Some(5));
        assert_eq!(best_grade(&titles[1..2]), None);
    }
}

//! Members: people as a federation knows them, with or without an account.

use std::collections::BTreeMap;

use chassis::id::{AccountId, ClubId, FederationId, MemberId};
use time::Date;

use super::{name::Name, stay::Stay};

/// A sex, for events that are for one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sex {
    /// Female.
    Female,
    /// Male.
    Male,
}

/// How a member stands to the federation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// A member.
    Active,
    /// A member until a day.
    Left(Date),
    /// A double of another.
    Merged(MemberId),
    /// Forgotten, but for the id.
    Erased,
}

/// What is known of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// The name; empty of an erased person.
    pub name: Name,
    /// The sex.
    pub sex: Option<Sex>,
    /// The day of birth. Private.
    pub born: Option<Date>,
    /// The grade.
    pub grade: String,
    /// Numbers in other lists, by the list.
    pub numbers: BTreeMap<String, String>,
    /// How to reach the person. Private.
    pub note: String,
}

/// A member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The id, for ever this person's.
    pub id: MemberId,
    /// The federation.
    pub federation: FederationId,
    /// What is known.
    pub person: Person,
    /// The account.
    pub account: Option<AccountId>,
    /// How he stands.
    pub state: State,
    /// From when on.
    pub joined: Date,
    /// Grows with every change.
    pub revision: i64,
    /// The clubs, the earliest first.
    pub stays: Vec<Stay>,
}

/// How much of a member somebody is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sight {
    /// What is public.
    Public,
    /// The account, too.
    Accounts,
    /// Everything.
    All,
}

/// A member as somebody is told of him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The member.
    pub member: Member,
    /// How much is told.
    pub sight: Sight,
}

/// Makes somebody a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enrol {
    /// Of which federation.
    pub federation: FederationId,
    /// Who.
    pub person: Person,
    /// The account.
    pub account: Option<AccountId>,
    /// The first club.
    pub club: Option<ClubId>,
    /// From when on; today if it is not said.
    pub joined: Option<Date>,
    /// Whether another of the same name and day of birth is known to be somebody else.
    pub namesake: bool,
}

/// Changes a member: what is `None` stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Whom.
    pub id: MemberId,
    /// The revision that was seen.
    pub revision: Option<i64>,
    /// The name.
    pub name: Option<Name>,
    /// The sex.
    pub sex: Option<Option<Sex>>,
    /// The day of birth.
    pub born: Option<Option<Date>>,
    /// The grade.
    pub grade: Option<String>,
    /// All numbers.
    pub numbers: Option<BTreeMap<String, String>>,
    /// The note.
    pub note: Option<String>,
}

/// What is done with a member as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dismiss {
    /// Whom.
    pub id: MemberId,
    /// The revision that was seen.
    pub revision: Option<i64>,
    /// What.
    pub how: Departure,
}

/// How a member goes, or comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// He leaves.
    Leave,
    /// He comes back.
    Return,
    /// He is forgotten.
    Erase,
}

/// Moves a member to another club.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Whom.
    pub id: MemberId,
    /// The revision that was seen.
    pub revision: Option<i64>,
    /// Where; none to be in no club.
    pub club: Option<ClubId>,
    /// On which day; today if it is not said.
    pub day: Option<Date>,
}

/// Makes one member of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merge {
    /// Who stays.
    pub keep: MemberId,
    /// Whose id leads to him from now on.
    pub double: MemberId,
}

/// Gives a member an account, or takes it away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bind {
    /// Whom.
    pub id: MemberId,
    /// The revision that was seen.
    pub revision: Option<i64>,
    /// Which account; none to take it away.
    pub account: Option<AccountId>,
}

/// Which members to list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Of which federation.
    pub federation: FederationId,
    /// In which state.
    pub state: StateKind,
    /// In which club, on which day (today if it is not said).
    pub club: Option<(ClubId, Option<Date>)>,
    /// The beginning of the name.
    pub prefix: String,
    /// With which account.
    pub account: Option<AccountId>,
}

/// A state without what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateKind {
    /// A member.
    Active,
    /// One who left.
    Left,
    /// A double.
    Merged,
    /// A forgotten one.
    Erased,
}

impl State {
    /// Which it is.
    pub const fn kind(self) -> StateKind {
        match self {
            State::Active => StateKind::Active,
            State::Left(_) => StateKind::Left,
            State::Merged(_) => StateKind::Merged,
            State::Erased => StateKind::Erased,
        }
    }

    /// The one to whom the id of a double leads.
    pub const fn merged_into(self) -> Option<MemberId> {
        match self {
            State::Merged(into) => Some(into),
            State::Active | State::Left(_) | State::Erased => None,
        }
    }
}

impl Person {
    /// Takes over what the other knows and this one does not. Numbers in the same list stay as they are.
    pub fn complete(&mut self, other: Person) {
        self.sex = self.sex.or(other.sex);
        self.born = self.born.or(other.born);
        for (mine, theirs) in [(&mut self.grade, other.grade), (&mut self.note, other.note)] {
            if mine.is_empty() {
                *mine = theirs;
            }
        }
        for (list, number) in other.numbers {
            self.numbers.entry(list).or_insert(number);
        }
    }
}

impl Edit {
    /// What is known of the person then.
    #[must_use]
    pub fn on(&self, person: &Person) -> Person {
        let text = |new: &Option<String>, old: &String| new.clone().unwrap_or_else(|| old.clone());
        Person {
            name: self.name.clone().unwrap_or_else(|| person.name.clone()),
            sex: self.sex.unwrap_or(person.sex),
            born: self.born.unwrap_or(person.born),
            grade: text(&self.grade, &person.grade),
            numbers: self.numbers.clone().unwrap_or_else(|| person.numbers.clone()),
            note: text(&self.note, &person.note),
        }
    }
}

/// Whether a list of numbers can be called this: "fide".
pub fn is_list(text: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=16).contains(&text.len()) && text.bytes().all(letter)
}

/// Whether a number in a list can be this.
pub fn is_number(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

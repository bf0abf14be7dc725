//! Who plays.

use pairing::Number;

use super::Grade;
use crate::text::is_latin;

/// The name of a person in its own script and in Latin letters; one of the two is enough.
///
/// It has one form only: what is in Latin letters stands in `last` and `first`, unless there is another form of it there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonName {
    /// In its own script, as a whole.
    pub native: String,
    /// The family name, or the whole name, in Latin letters; without a comma.
    pub last: String,
    /// The given name in Latin letters.
    pub first: String,
}

impl PersonName {
    /// A name in its one form: without blanks at the ends or twice, and with the Latin form where it belongs.
    ///
    /// ```
    /// use exchange::PersonName;
    /// let name = PersonName::new("Dorje, Tashi", "", "");
    /// assert_eq!((name.last.as_str(), name.first.as_str(), name.native.as_str()), ("Dorje", "Tashi", ""));
    /// let name = PersonName::new("བཀྲ་ཤིས་", " Tashi ", "");
    /// assert_eq!((name.last.as_str(), name.native.as_str()), ("Tashi", "བཀྲ་ཤིས་"));
    /// ```
    pub fn new(native: &str, last: &str, first: &str) -> PersonName {
        let words = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
        let part = |it: &str| words(&it.replace(',', " "));
        let native = words(native);
        let (mut last, mut first) = (part(last), part(first));
        if last.is_empty() {
            (last, first) = (first, String::new());
        }
        if !is_latin(&last) || !is_latin(&first) {
            let whole = words(&format!("{last} {first}"));
            let native = if native.is_empty() { whole } else { native };
            return PersonName { native, ..PersonName::default() };
        }
        if !last.is_empty() || !is_latin(&native) {
            return PersonName { native, last, first };
        }
        let (family, given) = native.split_once(',').unwrap_or((&native, ""));
        let given = part(given);
        let (last, first) =
            if part(family).is_empty() { (given, String::new()) } else { (part(family), given) };
        PersonName { native: String::new(), last, first }
    }

    /// A name as a line of text has it, `Last, First` where it is in Latin letters.
    pub fn of(text: &str) -> PersonName {
        if is_latin(text) {
            PersonName::new(text, "", "")
        } else {
            PersonName::new(&text.replace(',', " "), "", "")
        }
    }

    /// `Last, First`; empty where there is nothing in Latin letters.
    pub fn latin(&self) -> String {
        if self.first.is_empty() { self.last.clone() } else { format!("{}, {}", self.last, self.first) }
    }

    /// The native name where there is one, else the other.
    pub fn shown(&self) -> String {
        if self.native.is_empty() { self.latin() } else { self.native.clone() }
    }
}

/// The numbers of a person in the lists of players, by which he is known whatever his name is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ids {
    /// Our own.
    pub member: String,
    /// The pin of the European federation.
    pub egf: String,
    /// Of the American association.
    pub aga: String,
    /// Of the world federation of chess, and of other lists that reports of its form have.
    pub fide: String,
}

/// A player of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// His number in the event.
    pub number: Number,
    /// His name.
    pub name: PersonName,
    /// His club.
    pub club: String,
    /// The code of his country or federation.
    pub country: String,
    /// His rating when the event began.
    pub rating: Option<i32>,
    /// His grade.
    pub grade: Option<Grade>,
    /// His title, as reports have it: up to three letters.
    pub title: String,
    /// His numbers in lists.
    pub ids: Ids,
}

impl Player {
    /// The furthest from nought that a rating is.
    pub const RATING_MAX: i32 = 9_999;

    /// A player of whom nothing but the number is known.
    pub fn new(number: u32) -> Player {
        Player { number: Number(number), ..Player::default() }
    }
}

//! Every reason for which a call is refused or fails: one name, one meaning, one remedy.
//!
//! A reason crosses the wire as the `reason` of `google.rpc.ErrorInfo` and never changes its name or meaning.
//! Services have no other way to make an [`Error`](crate::Error) than with one of these constants, so the
//! table that `shoutan reasons` prints has all of them. The rules of the games know no wire; their reasons are
//! strings there and rows of [`RULES`] here, and a test holds the two together.

mod accounts;
mod arranging;
mod calls;
mod events;
mod exchange;
mod federations;
mod games;
mod leagues;
mod leave;
mod lists;
mod meeting;
mod notices;
mod papers;
mod rules;
mod titles;

use std::fmt;

pub use self::{
    accounts::*, arranging::*, calls::*, events::*, exchange::*, federations::*, games::*, leagues::*,
    leave::*, lists::*, meeting::*, notices::*, papers::*, rules::*, titles::*,
};

/// Why a call is refused or fails. See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reason {
    name: &'static str,
    meaning: &'static str,
    remedy: &'static str,
}

/// The whole table, part by part, in the order in which a client meets them.
pub const ALL: &[(&str, &[Reason])] = &[
    ("The call", CALL),
    ("Who calls", ACCESS),
    ("The platform itself", PLATFORM),
    ("Accounts", ACCOUNTS),
    ("Games", GAMES),
    ("Around the board", TABLE),
    ("Officials and claims", OFFICIALS),
    ("Chat", CHAT),
    ("Clocks", CLOCKS),
    ("Matchmaking", MATCHMAKING),
    ("Ratings", RATINGS),
    ("Federations", FEDERATIONS),
    ("Events of federations", EVENTS),
    ("Files that come in and go out", EXCHANGE),
    ("Notices", NOTICES),
    ("Games that players arrange", ARRANGING),
    ("Leave", LEAVE),
    ("Papers of events", PAPERS),
    ("Leagues of federations", LEAGUES),
    ("Rating lists of federations", RATING_LISTS),
    ("Titles and grades", TITLES),
    ("The rules of the games", RULES),
    ("The engine protocol and the checks of records", ENGINE),
];

impl Reason {
    /// The stable name, in `UPPER_SNAKE_CASE`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// What it says, in one sentence.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        self.meaning
    }

    /// What the caller can do, in one sentence.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        self.remedy
    }

    /// The reason of this name; `None` if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Reason> {
        ALL.iter().flat_map(|(_, rows)| *rows).copied().find(|reason| reason.name == name)
    }

    /// The reason for which the rules of a game refuse something; [`RULE_BROKEN`] for one that the table lacks.
    #[must_use]
    pub fn of_rules(name: &str) -> Reason {
        RULES
            .iter()
            .copied()
            .find(|reason| reason.name == name)
            .or_else(|| Reason::named(name))
            .unwrap_or(crate::reason::RULE_BROKEN)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq<str> for Reason {
    fn eq(&self, name: &str) -> bool {
        self.name == name
    }
}

impl PartialEq<&str> for Reason {
    fn eq(&self, name: &&str) -> bool {
        self.name == *name
    }
}

impl PartialEq<Reason> for String {
    fn eq(&self, reason: &Reason) -> bool {
        self == reason.name
    }
}

/// Makes a constant of each row, named as the reason is, and the table of them all.
macro_rules! reasons {
    ($(#[$about:meta])* $table:ident: $($name:ident $meaning:literal => $remedy:literal;)+) => {
        $(
            #[doc = $meaning]
            #[doc = ""]
            #[doc = $remedy]
            pub const $name: $crate::reason::Reason =
                $crate::reason::Reason { name: stringify!($name), meaning: $meaning, remedy: $remedy };
        )+

        $(#[$about])*
        pub const $table: &[$crate::reason::Reason] = &[$($name),+];
    };
}
use reasons;

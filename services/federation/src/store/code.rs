//! Numbers as the tables have them.

use crate::core::{
    application::Answer,
    member::{Sex, StateKind},
    official::Role,
    team::Part,
    title::{Kind as TitleKind, State as AwardState},
};

/// Writes what an enum is in a table, both ways.
macro_rules! codes {
    ($kind:ident { $($variant:ident = $number:literal),+ }, $to:ident, $of:ident) => {
        /// The number.
        pub(super) const fn $to(value: $kind) -> i16 {
            match value { $($kind::$variant => $number),+ }
        }

        /// What has the number.
        pub(super) const fn $of(number: i16) -> Option<$kind> {
            match number { $($number => Some($kind::$variant),)+ _ => None }
        }
    };
}

codes!(Sex { Female = 1, Male = 2 }, sex, to_sex);
codes!(StateKind { Active = 1, Left = 2, Merged = 3, Erased = 4 }, state, to_state);
codes!(Part { Player = 1, Substitute = 2 }, part, to_part);
codes!(TitleKind { Grade = 1, Honorary = 2, Arbiter = 3 }, title_kind, to_title_kind);
codes!(AwardState { Proposed = 1, Awarded = 2, Refused = 3, Revoked = 4 }, award, to_award);
codes!(Answer { Pending = 1, Accepted = 2, Refused = 3, Withdrawn = 4 }, answer, to_answer);
codes!(
    Role { Administrator = 1, Committee = 2, ChiefArbiter = 3, Deputy = 4, Arbiter = 5, Scorer = 6 },
    role,
    to_role
);

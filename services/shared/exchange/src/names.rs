//! Enums whose values have stable names for machines and sentences for people.

/// An enum of things that can be said of a file: each with a name that stays, and a sentence without its full stop.
macro_rules! sayings {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])* $case:ident = $word:literal: $sentence:expr,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$doc])* $case,)+
        }

        impl $name {
            /// Every value.
            pub const ALL: &'static [$name] = &[$($name::$case),+];

            /// Its stable name: lower case, words joined by underscores.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$case => $word,)+
                }
            }

            /// What it means, as a sentence begins.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $($name::$case => $sentence,)+
                }
            }
        }
    };
}

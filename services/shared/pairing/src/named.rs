//! Enums whose values have names by which they are stored and shown.

/// An enum with a name for each value; the first value is the default.
macro_rules! named {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])* $case:ident = $word:literal,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$doc])* $case,)+
        }

        impl $name {
            /// Every value; the first is the default.
            pub const ALL: &'static [$name] = &[$($name::$case),+];

            /// The name by which it is stored: lower case, words joined by underscores.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$case => $word,)+
                }
            }

            /// The value with this name, if there is one.
            pub fn named(name: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|it| it.name() == name)
            }
        }

        impl Default for $name {
            fn default() -> $name {
                $name::ALL[0]
            }
        }
    };
}

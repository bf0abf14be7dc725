/// An enum whose cases have stable names, by which rule sets, positions and records call them: all of its cases in
/// order, and the way from each to its name and back. One more case, behind `..`, may hold a name of somebody else's.
macro_rules! named {
    (
        $(#[$about:meta])*
        $vis:vis enum $name:ident {
            $($(#[$doc:meta])* $case:ident => $word:literal,)+
            $(.. $(#[$other_doc:meta])* $other:ident($inner:ty),)?
        }
    ) => {
        $(#[$about])*
        $vis enum $name {
            $($(#[$doc])* $case,)+
            $($(#[$other_doc])* $other($inner),)?
        }

        impl $name {
            /// All of them, in the order of their declaration.
            $vis const ALL: [$name; [$($word),+].len()] = [$($name::$case),+];

            /// Its name, which stays as it is.
            $vis const fn name(self) -> &'static str {
                match self {
                    $($name::$case => $word,)+
                    $($name::$other(name) => name,)?
                }
            }

            /// The one of this name; `None` if there is none. It undoes `name`.
            $vis fn named(name: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|it| it.name() == name)
            }
        }

        impl $crate::options::Named for $name {
            const NAMES: &'static [(&'static str, $name)] = &[$(($word, $name::$case)),+];
        }
    };
}

/// An enum all of whose cases are asked for in order.
macro_rules! listed {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$doc:meta])* $case:ident,)+ }) => {
        $(#[$about])*
        pub enum $name {
            $($(#[$doc])* $case,)+
        }

        impl $name {
            /// All of them, in the order of their declaration.
            pub const ALL: [$name; [$(stringify!($case)),+].len()] = [$($name::$case),+];
        }
    };
}

/// An enum of what can be wrong with an act: behind each case the stable name of its reason, its kind where that is
/// not `Illegal`, and its sentence as `thiserror` takes it. Cases in brackets are errors that tell all this themselves.
macro_rules! reasons {
    (
        $(#[$about:meta])*
        pub enum $name:ident $(: [$($(#[$wrapped_doc:meta])* $wrapped:ident($inner:ty),)+])? {
            $(
                $(#[$doc:meta])*
                $case:ident $(($($part:ty),+))? $({$($fields:tt)*})? =>
                $reason:literal $(as $kind:ident)? ($($sentence:tt)+),
            )+
        }
    ) => {
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        $(#[$about])*
        pub enum $name {
            $($($(#[$wrapped_doc])* #[error(transparent)] $wrapped(#[from] $inner),)+)?
            $($(#[$doc])* #[error($($sentence)+)] $case $(($($part),+))? $({$($fields)*})?,)+
        }

        impl $name {
            /// The stable name of what is wrong.
            pub const fn reason(&self) -> &'static str {
                match self {
                    $($(Self::$wrapped(inner) => inner.reason(),)+)?
                    $(Self::$case { .. } => $reason,)+
                }
            }

            /// What kind of fault it is.
            pub(crate) const fn kind(&self) -> $crate::ActErrorKind {
                match self {
                    $($(Self::$wrapped(inner) => inner.kind(),)+)?
                    $(Self::$case { .. } => reasons!(@kind $($kind)?),)+
                }
            }
        }

        impl From<$name> for $crate::ActError {
            fn from(error: $name) -> Self {
                let detail = alloc::string::ToString::to_string(&error).into();
                $crate::ActError { kind: error.kind(), reason: error.reason(), detail }
            }
        }
    };
    (@kind) => { $crate::ActErrorKind::Illegal };
    (@kind $kind:ident) => { $crate::ActErrorKind::$kind };
}

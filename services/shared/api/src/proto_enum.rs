//! Enums of the protos and plain ones that say the same.

/// The field names no value of its enum that stands for anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the value is not specified")]
pub struct Unspecified;

/// Writes the conversions between a plain enum and the proto's with the same variants, both ways; `Unspecified` is never
/// a value. `proto_enum!(Speed = pb::SpeedClass { Blitz, Rapid })` makes `From<Speed> for pb::SpeedClass` and
/// `TryFrom<pb::SpeedClass> for Speed`, in the crate that has the plain enum.
#[macro_export]
macro_rules! proto_enum {
    ($plain:ty = $proto:ty { $($variant:ident),+ $(,)? }) => {
        impl From<$plain> for $proto {
            fn from(value: $plain) -> Self {
                match value {
                    $(<$plain>::$variant => <$proto>::$variant,)+
                }
            }
        }

        impl TryFrom<$proto> for $plain {
            type Error = $crate::Unspecified;

            fn try_from(value: $proto) -> Result<Self, Self::Error> {
                match value {
                    $(<$proto>::$variant => Ok(<$plain>::$variant),)+
                    <$proto>::Unspecified => Err($crate::Unspecified),
                }
            }
        }
    };
}

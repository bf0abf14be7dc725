//! Enums of the protos and plain ones that say the same.

/// The field names no value of its enum that stands for anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the value is not specified")]
pub struct Unspecified;

/// A plain enum by the numbers of its proto, as the fields of messages have them.
pub trait ProtoEnum: Sized {
    /// Its number.
    fn number(self) -> i32;

    /// What has this number; none for a number that stands for nothing.
    fn of(number: i32) -> Option<Self>;
}

/// What may be nothing is `Unspecified` then.
impl<T: ProtoEnum> ProtoEnum for Option<T> {
    fn number(self) -> i32 {
        self.map_or(0, T::number)
    }

    fn of(number: i32) -> Option<Self> {
        if number == 0 { Some(None) } else { T::of(number).map(Some) }
    }
}

/// Writes the conversions between a plain enum and the proto's with the same variants, both ways and by number;
/// `Unspecified` is never a value. `proto_enum!(Speed = pb::SpeedClass { Blitz, Rapid })` makes
/// `From<Speed> for pb::SpeedClass`, `TryFrom<pb::SpeedClass> for Speed` and `ProtoEnum for Speed`, in the crate that
/// has the plain enum. Without variants it adds only the last, for conversions that are written out.
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

        $crate::proto_enum!($plain = $proto);
    };
    ($plain:ty = $proto:ty) => {
        impl $crate::ProtoEnum for $plain {
            fn number(self) -> i32 {
                <$proto>::from(self) as i32
            }

            fn of(number: i32) -> Option<Self> {
                <$proto>::try_from(number).ok()?.try_into().ok()
            }
        }
    };
}

//! Sides and verdicts of the rules, as they cross the wire.

use rules::{Side, Verdict};

use crate::{Unspecified, board::v1 as pb, proto_enum};

proto_enum!(Side = pb::Side { First, Second });

impl From<Verdict> for pb::Verdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Win(Side::First) => pb::Verdict::FirstWins,
            Verdict::Win(Side::Second) => pb::Verdict::SecondWins,
            Verdict::Draw => pb::Verdict::Draw,
            Verdict::BothLose => pb::Verdict::BothLose,
            Verdict::Void => pb::Verdict::Void,
        }
    }
}

impl TryFrom<pb::Verdict> for Verdict {
    type Error = Unspecified;

    fn try_from(verdict: pb::Verdict) -> Result<Self, Unspecified> {
        match verdict {
            pb::Verdict::FirstWins => Ok(Verdict::Win(Side::First)),
            pb::Verdict::SecondWins => Ok(Verdict::Win(Side::Second)),
            pb::Verdict::Draw => Ok(Verdict::Draw),
            pb::Verdict::BothLose => Ok(Verdict::BothLose),
            pb::Verdict::Void => Ok(Verdict::Void),
            pb::Verdict::Unspecified => Err(Unspecified),
        }
    }
}

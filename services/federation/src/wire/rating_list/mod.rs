//! Rating lists between protos and `core`.

pub(crate) mod policy;
mod request;
mod system;
mod told;

pub(crate) use request::{
    Export, Import, ListEntries, ListLists, ListPolicies, ListVouched, Part, Publish, Which,
};
pub(crate) use told::{Preview, Shown, counts, entry, verified};

use api::{ProtoEnum as _, clock::v1 as clock, federation::v1 as pb, time_control::TimeControl};

use crate::core::rating_list::{FormatKind, Place, Speed};

api::proto_enum!(
    FormatKind = pb::EventFormatKind { Swiss, RoundRobin, KnockOut, Match, MacMahon, Grading, Arena, Ladder }
);
api::proto_enum!(Speed = clock::SpeedClass { Blitz, Rapid, Classical, Correspondence });
api::proto_enum!(Place = pb::GamePlace { Online, OverTheBoard });

/// The speed class of a time control.
pub(crate) fn speed(control: &TimeControl) -> Option<Speed> {
    Speed::of(control.speed_class() as i32)
}

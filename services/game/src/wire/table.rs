//! Tables of plain values with their protos.

use api::identity::v1::Role as RolePb;

use crate::core::Role;

/// What stands for a value; every value is in its table.
pub(super) fn to_pb<T: Copy + PartialEq, P: Copy + Default>(table: &[(T, P)], value: T) -> P {
    table.iter().find(|(own, _)| *own == value).map(|(_, other)| *other).unwrap_or_default()
}

/// The value that a number stands for.
pub(super) fn from_pb<T: Copy, P: Copy + TryFrom<i32> + PartialEq>(
    table: &[(T, P)],
    number: i32,
) -> Option<T> {
    let wanted = P::try_from(number).ok()?;
    table.iter().find(|(_, other)| *other == wanted).map(|(own, _)| *own)
}

/// Offices with their protos.
pub(super) const ROLES: &[(Role, RolePb)] = &[
    (Role::ChiefArbiter, RolePb::ChiefArbiter),
    (Role::Deputy, RolePb::Deputy),
    (Role::Arbiter, RolePb::Arbiter),
    (Role::Committee, RolePb::Committee),
    (Role::Scorer, RolePb::Scorer),
];

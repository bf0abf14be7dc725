//! Fields that many requests have: names, texts, dates, revisions, masks.

use api::{federation::v1 as pb, reason};
use chassis::id::{AccountId, ClubId, MemberId};
use prost_types::FieldMask;
use time::Date;
use uuid::Uuid;

use crate::core::{
    day,
    name::{InvalidName, Name, text},
};

/// A name; `field` is where it stands.
pub(super) fn name(asked: Option<&pb::Name>, field: &str) -> Result<Name, api::Error> {
    let empty = pb::Name::default();
    let pb::Name { native, latin } = asked.unwrap_or(&empty);
    Name::parse(native, latin).map_err(|error| {
        let (part, fault) = match error {
            InvalidName::Native(fault) => ("native", fault),
            InvalidName::Latin(fault) => ("latin", fault),
        };
        api::Error::invalid(reason::BAD_ORGANISATION_NAME, &format!("{field}.{part}"), fault.to_string())
    })
}

/// A text of at most so many characters.
pub(super) fn words(asked: &str, chars_max: usize, field: &str) -> Result<String, api::Error> {
    text(asked, chars_max).ok_or_else(|| {
        let message = format!("{chars_max} characters at most, without those that cannot be seen");
        api::Error::invalid(reason::BAD_TEXT, field, message)
    })
}

/// A date, or none where there is none.
pub(super) fn date(asked: &str, field: &str) -> Result<Option<Date>, api::Error> {
    if asked.is_empty() {
        return Ok(None);
    }
    let bad = || api::Error::invalid(reason::BAD_DATE, field, "a date as 2026-12-31");
    day::parse(asked).map(Some).ok_or_else(bad)
}

/// The revision that was seen; 0 is none.
pub(super) fn revision(asked: u64) -> Option<i64> {
    (asked != 0).then(|| i64::try_from(asked).unwrap_or(i64::MAX))
}

/// A revision as it is told.
pub(super) fn told_revision(revision: i64) -> u64 {
    u64::try_from(revision).unwrap_or_default()
}

/// A name as it is told.
pub(super) fn told_name(name: &Name) -> Option<pb::Name> {
    let Name { native, latin } = name;
    (!native.is_empty()).then(|| pb::Name { native: native.clone(), latin: latin.clone() })
}

/// An id, or none where there is none.
pub(crate) fn optional<T>(
    asked: &str,
    field: &str,
    parse: impl Fn(&str, &str) -> Result<T, api::Error>,
) -> Result<Option<T>, api::Error> {
    if asked.is_empty() { Ok(None) } else { parse(asked, field).map(Some) }
}

/// An account, or none.
pub(super) fn account(asked: &str, field: &str) -> Result<Option<AccountId>, api::Error> {
    optional(asked, field, AccountId::parse)
}

/// A club, or none.
pub(super) fn club(asked: &str, field: &str) -> Result<Option<ClubId>, api::Error> {
    optional(asked, field, ClubId::parse)
}

/// A member, or none.
pub(super) fn member(asked: &str, field: &str) -> Result<Option<MemberId>, api::Error> {
    optional(asked, field, MemberId::parse)
}

/// An id that has no type of its own.
pub(crate) fn id(asked: &str, field: &str) -> Result<Uuid, api::Error> {
    let bad = || api::Error::invalid(reason::BAD_ID, field, "not a UUID");
    Uuid::try_parse(asked).ok().filter(|id| !id.is_nil()).ok_or_else(bad)
}

/// Which fields are to be changed.
#[derive(Clone, Debug)]
pub(super) struct Mask(Vec<String>);

impl Mask {
    /// The fields of a mask, or, if it has none, those that are set.
    pub(super) fn of(asked: Option<&FieldMask>, fields: &[(&str, bool)]) -> Result<Mask, api::Error> {
        let known = |path: &str| fields.iter().any(|(field, _)| *field == path);
        let paths = asked.map_or(&[][..], |mask| &mask.paths);
        if paths.is_empty() {
            let set = fields.iter().filter(|(_, set)| *set);
            return Ok(Mask(set.map(|(field, _)| (*field).to_owned()).collect()));
        }
        if paths == ["*"] {
            return Ok(Mask(fields.iter().map(|(field, _)| (*field).to_owned()).collect()));
        }
        match paths.iter().find(|path| !known(path)) {
            None => Ok(Mask(paths.to_vec())),
            Some(path) => {
                let message = format!("{path} is no field that can be changed here");
                Err(api::Error::invalid(reason::BAD_FIELD_MASK, "update_mask", message))
            }
        }
    }

    /// Whether a field is to be changed.
    pub(super) fn has(&self, field: &str) -> bool {
        self.0.iter().any(|path| path == field)
    }

    /// The value of a field that is to be changed.
    pub(super) fn get<T>(
        &self,
        field: &str,
        value: impl FnOnce() -> Result<T, api::Error>,
    ) -> Result<Option<T>, api::Error> {
        self.has(field).then(value).transpose()
    }
}

/// What a request must have.
pub(super) fn required<T>(asked: Option<T>, field: &str) -> Result<T, api::Error> {
    asked.ok_or_else(|| api::Error::invalid(reason::BAD_ID, field, "required"))
}

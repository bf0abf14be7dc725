//! Policies between protos and `core`; they are stored as the messages by which they are told.

use std::collections::{BTreeMap, BTreeSet};

use api::{ProtoEnum, federation::v1 as pb, reason, time::timestamp};
use chassis::id::{EventId, FederationId, RatingPolicyId};
use prost::Message as _;

use super::{
    super::fields::{date, words},
    system,
};
use crate::core::{
    day,
    limits::NOTE_CHARS_MAX,
    rating_list::{
        Counted, Create, Policy, Update,
        limits::{EXCLUDED_MAX, NAME_CHARS_MAX},
    },
};

/// What a version of a policy says.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// What it is called.
    pub name: String,
    /// Which games count.
    pub counted: Counted,
    /// What is done with them.
    pub rating: strength::Policy,
}

/// A policy as it is stored: what it says.
pub(crate) fn encode(policy: &Policy) -> Vec<u8> {
    let told = pb::RatingPolicy::from(policy);
    let said = pb::RatingPolicy {
        name: told.name,
        counted: told.counted,
        system: told.system,
        listed_from_games: told.listed_from_games,
        ..pb::RatingPolicy::default()
    };
    said.encode_to_vec()
}

/// What a stored policy says.
pub(crate) fn decode(body: &[u8]) -> Result<Body, api::Error> {
    let said = pb::RatingPolicy::decode(body)
        .map_err(|_| api::Error::invalid(reason::BAD_RATING_POLICY, "policy", "no message"))?;
    read(&said)
}

fn read(asked: &pb::RatingPolicy) -> Result<Body, api::Error> {
    Ok(Body {
        name: words(&asked.name, NAME_CHARS_MAX, "policy.name")?,
        counted: read_counted(asked.counted.clone().unwrap_or_default())?,
        rating: strength::Policy {
            system: system::read(asked.system.as_ref())?,
            listed_from: asked.listed_from_games,
        },
    })
}

fn read_counted(asked: pb::CountedGames) -> Result<Counted, api::Error> {
    if asked.excluded.len() > EXCLUDED_MAX {
        return Err(system::bad("counted.excluded", "at most 500 events"));
    }
    let mut excluded = BTreeMap::new();
    for event in asked.excluded {
        let id = EventId::parse(&event.event_id, "policy.counted.excluded.event_id")?;
        let why = words(&event.reason, NOTE_CHARS_MAX, "policy.counted.excluded.reason")?;
        excluded.insert(id, why);
    }
    Ok(Counted {
        variant: asked.variant,
        from: date(&asked.from_date, "policy.counted.from_date")?,
        formats: all(&asked.formats, "policy.counted.formats")?,
        speeds: all(&asked.speed_classes, "policy.counted.speed_classes")?,
        place: one(asked.place, "policy.counted.place")?,
        rounds_min: asked.rounds_min,
        unrated_events: asked.unrated_events,
        forfeits: asked.forfeits,
        handicaps: asked.handicaps,
        excluded,
    })
}

fn all<T: ProtoEnum + Ord>(numbers: &[i32], field: &str) -> Result<BTreeSet<T>, api::Error> {
    numbers.iter().map(|number| one(*number, field)).collect()
}

fn one<T: ProtoEnum>(number: i32, field: &str) -> Result<T, api::Error> {
    T::of(number).ok_or_else(|| api::Error::invalid(reason::UNKNOWN_VALUE, field, "there is no such value"))
}

impl TryFrom<pb::CreateRatingPolicyRequest> for Create {
    type Error = api::Error;

    fn try_from(request: pb::CreateRatingPolicyRequest) -> Result<Self, api::Error> {
        let asked = request.policy.unwrap_or_default();
        let federation = FederationId::parse(&asked.federation_id, "policy.federation_id")?;
        let Body { name, counted, rating } = read(&asked)?;
        Ok(Create { federation, name, counted, rating })
    }
}

impl TryFrom<pb::UpdateRatingPolicyRequest> for Update {
    type Error = api::Error;

    fn try_from(request: pb::UpdateRatingPolicyRequest) -> Result<Self, api::Error> {
        let asked = request.policy.unwrap_or_default();
        let id = RatingPolicyId::parse(&asked.policy_id, "policy.policy_id")?;
        let Body { name, counted, rating } = read(&asked)?;
        let version = (asked.version != 0).then_some(asked.version);
        Ok(Update { id, version, name, counted, rating })
    }
}

impl From<&Policy> for pb::RatingPolicy {
    fn from(policy: &Policy) -> Self {
        pb::RatingPolicy {
            policy_id: policy.id.to_string(),
            federation_id: policy.federation.to_string(),
            version: policy.version,
            name: policy.name.clone(),
            counted: Some(told_counted(&policy.counted)),
            system: system::told(&policy.rating.system),
            listed_from_games: policy.rating.listed_from,
            make_time: Some(timestamp(policy.made)),
            made_by: policy.by.to_string(),
        }
    }
}

fn told_counted(counted: &Counted) -> pb::CountedGames {
    let excluded = counted
        .excluded
        .iter()
        .map(|(event, reason)| pb::ExcludedEvent { event_id: event.to_string(), reason: reason.clone() });
    pb::CountedGames {
        variant: counted.variant.clone(),
        from_date: counted.from.map(day::text).unwrap_or_default(),
        formats: counted.formats.iter().map(|format| format.number()).collect(),
        speed_classes: counted.speeds.iter().map(|speed| speed.number()).collect(),
        place: counted.place.number(),
        rounds_min: counted.rounds_min,
        unrated_events: counted.unrated_events,
        forfeits: counted.forfeits,
        handicaps: counted.handicaps,
        excluded: excluded.collect(),
    }
}

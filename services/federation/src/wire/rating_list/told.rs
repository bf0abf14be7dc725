//! What is told of rating lists.

use api::{federation::v1 as pb, time::timestamp};
use chassis::id::{ClubId, EventId, MemberId};
use time::Date;
use uuid::Uuid;

use super::super::{fields::told_name, import::Counts};
use crate::core::{
    day,
    import::Problem,
    name::Name,
    rating_list::{Published, import::Vouched, plan::Verdict},
};

/// What a list says of a member, with what he is called now.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// His place.
    pub place: Option<u32>,
    /// Who.
    pub member: MemberId,
    /// What he is called.
    pub name: Name,
    /// His club on the day of the list.
    pub club: Option<ClubId>,
    /// The rating.
    pub rating: strength::Points,
    /// Its deviation.
    pub deviation: u32,
    /// By how much it has changed.
    pub change: strength::Points,
    /// Games in all.
    pub games: u32,
    /// Games since the list before.
    pub new_games: u32,
    /// Whether it is provisional.
    pub provisional: bool,
    /// Of which list.
    pub number: u32,
    /// Of which day.
    pub day: Date,
}

/// What is new in a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preview {
    /// Events, the entry up to which each was read, how many of its games count, and the list that counted it first.
    pub events: Vec<(EventId, u64, usize, u32)>,
    /// Who has a rating for the first time, as far as they are told, and how many they are.
    pub newcomers: (Vec<Shown>, usize),
    /// Whose rating moves, likewise.
    pub movers: (Vec<Shown>, usize),
    /// Events that changed too late.
    pub too_old: usize,
}

/// What a list says of a member, as it is told.
pub(crate) fn entry(shown: &Shown) -> pb::RatingListEntry {
    pb::RatingListEntry {
        place: shown.place.unwrap_or_default(),
        member_id: shown.member.to_string(),
        name: told_name(&shown.name),
        club_id: shown.club.map(|club| club.to_string()).unwrap_or_default(),
        rating: shown.rating.0,
        deviation: shown.deviation,
        change: shown.change.0,
        games: shown.games,
        new_games: shown.new_games,
        provisional: shown.provisional,
        number: shown.number,
        date: day::text(shown.day),
    }
}

impl From<&Published> for pb::RatingList {
    fn from(list: &Published) -> Self {
        pb::RatingList {
            policy_id: list.policy.to_string(),
            number: list.number,
            date: day::text(list.day),
            publish_time: Some(timestamp(list.at)),
            published_by: list.by.to_string(),
            policy_version: list.version,
            input_digest: list.input.to_vec(),
            list_digest: list.list.to_vec(),
            listed_count: list.listed,
            game_count: list.games,
            event_count: list.events,
            recomputed_from: list.recomputed_from,
        }
    }
}

impl From<&Preview> for pb::RatingListPreview {
    fn from(preview: &Preview) -> Self {
        let event = |(event, sequence, games, counted_in): &(EventId, u64, usize, u32)| pb::RatedEvent {
            event_id: event.to_string(),
            sequence: *sequence,
            game_count: number(*games),
            counted_in: *counted_in,
        };
        pb::RatingListPreview {
            events: preview.events.iter().map(event).collect(),
            newcomers: preview.newcomers.0.iter().map(entry).collect(),
            newcomer_count: number(preview.newcomers.1),
            movers: preview.movers.0.iter().map(entry).collect(),
            mover_count: number(preview.movers.1),
            too_old_count: number(preview.too_old),
        }
    }
}

impl From<&Vouched> for pb::ImportedRating {
    fn from(vouched: &Vouched) -> Self {
        pb::ImportedRating {
            member_id: vouched.member.to_string(),
            rating: vouched.rating.0,
            games: vouched.games,
            date: day::text(vouched.day),
            vouched_by: vouched.by.clone(),
            number: vouched.known_by.unwrap_or_default(),
        }
    }
}

/// What came of making a step once more, as it is told.
pub(crate) fn verified((step, input, verdict): &(u32, strength::Digest, Verdict)) -> pb::VerifiedStep {
    let differing = verdict.differing.iter().map(|id| Uuid::from_bytes(*id).to_string());
    pb::VerifiedStep {
        number: *step,
        input_digest: input.to_vec(),
        list_digest: verdict.list.to_vec(),
        fault: verdict.fault.clone().unwrap_or_default(),
        differing_member_ids: differing.collect(),
    }
}

/// The answer to an import.
pub(crate) fn counts(
    counts: Counts,
    problems: &[Problem],
    problem_count: usize,
) -> pb::ImportRatingsResponse {
    pb::ImportRatingsResponse {
        created: counts.created,
        changed: counts.changed,
        unchanged: counts.unchanged,
        problems: problems.iter().map(pb::LineProblem::from).collect(),
        problem_count: number(problem_count),
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

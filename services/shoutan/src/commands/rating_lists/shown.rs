//! Rating lists as they are printed.

use api::federation::v1::{
    ImportedRating, RatedEvent, RatingList, RatingListEntry, RatingPolicy, rating_system::System,
};
use serde_json::{Value, json};

use crate::commands::{
    federation::shown::{names, time},
    print::Record,
};

/// A rating in points: `1613.25`.
pub(super) fn points(hundredths: i32) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100)
}

/// A policy on a line, or whole.
pub(super) fn policy(policy: &RatingPolicy) -> Record {
    let system = match policy.system.as_ref().and_then(|it| it.system.as_ref()) {
        Some(System::Elo(elo)) => format!("elo, K {} otherwise", elo.k),
        Some(System::Glicko2(_)) => "glicko2".to_owned(),
        None => String::new(),
    };
    let counted = policy.counted.clone().unwrap_or_default();
    let excluded: Vec<Value> = counted
        .excluded
        .iter()
        .map(|event| json!({ "event": event.event_id, "reason": event.reason }))
        .collect();
    vec![
        ("policy", json!(policy.policy_id)),
        ("name", json!(policy.name)),
        ("version", json!(policy.version)),
        ("variant", json!(counted.variant)),
        ("system", json!(system)),
        ("listed_from_games", json!(policy.listed_from_games)),
        ("from", json!(counted.from_date)),
        ("excluded", if excluded.is_empty() { json!("") } else { json!(excluded) }),
        ("made", time(policy.make_time.as_ref())),
        ("federation", json!(policy.federation_id)),
    ]
}

/// A list.
pub(super) fn list(list: &RatingList) -> Record {
    vec![
        ("number", json!(list.number)),
        ("date", json!(list.date)),
        ("listed", json!(list.listed_count)),
        ("games", json!(list.game_count)),
        ("events", json!(list.event_count)),
        ("recomputed_from", json!(list.recomputed_from)),
        ("policy_version", json!(list.policy_version)),
        ("published", time(list.publish_time.as_ref())),
        ("input", json!(hex(&list.input_digest))),
        ("list", json!(hex(&list.list_digest))),
    ]
}

/// What a list says of a member.
pub(super) fn entry(entry: &RatingListEntry) -> Record {
    let (native, latin) = names(entry.name.as_ref());
    let change = if entry.change > 0 { format!("+{}", points(entry.change)) } else { points(entry.change) };
    vec![
        ("list", json!(entry.number)),
        ("place", json!(entry.place)),
        ("name", native),
        ("latin", latin),
        ("rating", json!(points(entry.rating))),
        ("deviation", json!(if entry.deviation == 0 { String::new() } else { hundredths(entry.deviation) })),
        ("change", json!(change)),
        ("games", json!(entry.games)),
        ("new", json!(entry.new_games)),
        ("provisional", json!(entry.provisional)),
        ("member", json!(entry.member_id)),
        ("club", json!(entry.club_id)),
    ]
}

/// An event that a list counts.
pub(super) fn event(event: &RatedEvent) -> Record {
    vec![
        ("event", json!(event.event_id)),
        ("games", json!(event.game_count)),
        ("counted_in", json!(event.counted_in)),
        ("sequence", json!(event.sequence)),
    ]
}

/// A rating that was taken in.
pub(super) fn imported(rating: &ImportedRating) -> Record {
    vec![
        ("member", json!(rating.member_id)),
        ("rating", json!(points(rating.rating))),
        ("games", json!(rating.games)),
        ("date", json!(rating.date)),
        ("vouched_by", json!(rating.vouched_by)),
        ("list", json!(rating.number)),
    ]
}

/// Bytes as text.
pub(super) fn hex(bytes: &[u8]) -> String {
    hex::encode(bytes)
}

fn hundredths(number: u32) -> String {
    format!("{}.{:02}", number / 100, number % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_in_points() {
        assert_eq!([161_325, -5, -1250, 0].map(points), ["1613.25", "-0.05", "-12.50", "0.00"]);
        assert_eq!(hundredths(15_152), "151.52");
    }
}

//! The rating list of a season.

use api::{
    federation::v1::{self as pb, rating_list_service_client::RatingListServiceClient},
    transport::Transport,
};
use chassis::Env;
use tests::{Bot, call};

use super::{script::RATINGS, stage::Stage};

/// Where everybody begins, in hundredths of a point.
const START: i32 = 150_000;

fn ratings(who: &Bot) -> RatingListServiceClient<Transport> {
    RatingListServiceClient::new(who.transport())
}

/// Elo with a K of 20, in which everybody begins at 1500.
fn policy(stage: &Stage) -> pb::RatingPolicy {
    let start = pb::StartRating { otherwise: START / 100, ..Default::default() };
    let elo = pb::EloSystem {
        k: 20,
        first: Some(pb::FirstRating { first: Some(pb::first_rating::First::Start(start)) }),
        ..Default::default()
    };
    pb::RatingPolicy {
        federation_id: stage.federation.id.clone(),
        name: "Leagues".to_owned(),
        counted: Some(pb::CountedGames {
            variant: "go".to_owned(),
            unrated_events: true,
            ..Default::default()
        }),
        system: Some(pb::RatingSystem { system: Some(pb::rating_system::System::Elo(elo)) }),
        ..Default::default()
    }
}

/// A list is published of what was played, has what was written by hand, and is made again out of what is stored.
pub(super) async fn listed(stage: &Stage) {
    let founder = stage.founder();
    let (policy, request_id) = (Some(policy(stage)), founder.new_id());
    let request = pb::CreateRatingPolicyRequest { policy, request_id, validate_only: false };
    let policy = call!(ratings(founder), create_rating_policy, request).expect("a policy").policy;
    let policy_id = policy.expect("it is told").policy_id;
    let request = pb::PublishRatingListRequest {
        policy_id: policy_id.clone(),
        date: Env::system().now().date().to_string(),
        request_id: founder.new_id(),
        validate_only: false,
    };
    let list = call!(ratings(founder), publish_rating_list, request).expect("published").list;
    let list = list.expect("it is told");
    // Ten boards of each division, and two of the play-off; a board that was forfeited is no game.
    assert_eq!((list.number, list.event_count, list.game_count), (1, 3, 22));
    let request =
        pb::ListRatingEntriesRequest { policy_id: policy_id.clone(), page_size: 200, ..Default::default() };
    let entries = call!(ratings(founder), list_rating_entries, request).expect("entries").entries;
    let gained = |member_id: &str| {
        let entry = entries.iter().find(|entry| entry.member_id == member_id);
        entry.map_or(0, |entry| entry.rating - START)
    };
    for (named, captain, others) in RATINGS {
        let [first, second, reserve] = &stage.side(named).team.members[..] else { panic!("three") };
        let told = (gained(&first.member_id), gained(&second.member_id) + gained(&reserve.member_id));
        assert_eq!(told, (captain * 100, others * 100), "{named}: {entries:?}");
    }
    let request = pb::VerifyRatingListRequest { policy_id, number: 1 };
    let verified = call!(ratings(founder), verify_rating_list, request).expect("it is made again");
    assert!(verified.equal, "{verified:?}");
}

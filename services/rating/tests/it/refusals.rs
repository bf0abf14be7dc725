//! What is refused, and with which reason.

use std::time::Duration;

use api::{
    board::v1::Verdict,
    clock::v1::SpeedClass,
    error::reason,
    rating::v1::{
        ApplyResultRequest, ApplyResultsRequest, GetGraphRequest, GetHeadToHeadRequest, GetRatingRequest,
        ListGameChangesRequest, ListHistoryRequest, ListLeadersRequest, ListRatingsRequest,
        LookUpRatingsRequest, rating_internal_service_client::RatingInternalServiceClient,
    },
    time::timestamp,
};
use chassis::{
    page,
    testing::{as_account, player},
};
use prost_types::Timestamp;
use tonic::{Code, Response, Status};
use tonic_types::StatusExt as _;

use crate::fixture::fixtures;

pub(crate) fn refused<T>(outcome: Result<Response<T>, Status>) -> (Code, String) {
    let status = outcome.err().expect("refused");
    (status.code(), reason(&status))
}

pub(crate) fn invalid(reason: &str) -> (Code, String) {
    (Code::InvalidArgument, reason.to_owned())
}

#[tokio::test]
async fn ratings_are_told_by_the_hundred_to_services_alone() {
    for fixture in fixtures().await {
        let key = (fixture.env.uuid(), "go", SpeedClass::Blitz);
        let look_up = async |keys: &[_]| fixture.replica.look_up(keys).await.map(Response::new);
        assert_eq!(look_up(&vec![key; 256]).await.expect("told").into_inner().len(), 256);
        assert_eq!(refused(look_up(&vec![key; 257]).await), invalid("BAD_RATING_KEYS"));
        assert_eq!(refused(look_up(&[(key.0, "GO", key.2)]).await), invalid("UNKNOWN_VARIANT"));
        let unknown = (key.0, "go", SpeedClass::Unspecified);
        assert_eq!(refused(look_up(&[key, unknown]).await), invalid("UNKNOWN_VARIANT"));
        let request = LookUpRatingsRequest::default();
        let outcome =
            RatingInternalServiceClient::new(fixture.replica.bare.clone()).look_up_ratings(request).await;
        assert_eq!(refused(outcome), (Code::PermissionDenied, "SERVICES_ONLY".to_owned()));
    }
}

#[tokio::test]
async fn only_services_may_report_results() {
    for fixture in fixtures().await {
        let game = fixture.game(fixture.env.uuid(), fixture.env.uuid(), Verdict::FirstWins);
        let as_player = as_account(fixture.replica.bare.clone(), player(&fixture.env, "mallory"));
        for transport in [as_player, fixture.replica.bare.clone()] {
            let outcome = RatingInternalServiceClient::new(transport).apply_result(game.clone()).await;
            assert_eq!(refused(outcome), (Code::PermissionDenied, "SERVICES_ONLY".to_owned()));
        }
        let many = ApplyResultsRequest { results: vec![game.clone()] };
        let outcome =
            RatingInternalServiceClient::new(fixture.replica.bare.clone()).apply_results(many).await;
        assert_eq!(refused(outcome), (Code::PermissionDenied, "SERVICES_ONLY".to_owned()));
        let first = game.first_id.parse().expect("ours");
        assert_eq!(fixture.replica.rating(first).await.games, 0);
    }
}

#[tokio::test]
async fn results_that_make_no_sense() {
    type Spoil = fn(&mut ApplyResultRequest);
    const SPOILT: &[(&str, Spoil)] = &[
        ("BAD_ID", |game| game.game_id = "7".to_owned()),
        ("BAD_ID", |game| game.first_id.clear()),
        ("BAD_ID", |game| game.second_id = uuid::Uuid::nil().to_string()),
        ("BAD_RESULT", |game| game.second_id = game.first_id.to_uppercase()),
        ("BAD_RESULT", |game| game.variant = "Go!".to_owned()),
        ("BAD_RESULT", |game| game.variant = "g".repeat(33)),
        ("BAD_RESULT", |game| game.speed_class = 0),
        ("BAD_RESULT", |game| game.speed_class = 77),
        ("BAD_RESULT", |game| game.verdict = 0),
        ("BAD_RESULT", |game| game.verdict = -1),
        ("BAD_RESULT", |game| game.end_time = None),
        ("BAD_RESULT", |game| game.end_time = Some(Timestamp { seconds: i64::MAX, nanos: 0 })),
        ("BAD_RESULT", |game| game.end_time = Some(Timestamp { seconds: -1, nanos: 0 })),
        ("BAD_RESULT", |game| game.first_name.clear()),
        ("BAD_RESULT", |game| game.second_name = "a\0b".to_owned()),
        ("BAD_RESULT", |game| game.second_name = "名".repeat(65)),
    ];
    for fixture in fixtures().await {
        let mut internal = fixture.replica.internal.clone();
        for (number, (reason, spoil)) in SPOILT.iter().enumerate() {
            let mut game = fixture.game(fixture.env.uuid(), fixture.env.uuid(), Verdict::Draw);
            spoil(&mut game);
            assert_eq!(refused(internal.apply_result(game).await), invalid(reason), "number {number}");
        }
    }
}

#[tokio::test]
async fn too_many_results_at_once_are_refused_and_none_of_them_is_applied() {
    for fixture in fixtures().await {
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        let results = (0..129).map(|_| fixture.game(one, two, Verdict::Draw)).collect();
        let outcome = fixture.replica.internal.clone().apply_results(ApplyResultsRequest { results }).await;
        assert_eq!(refused(outcome), invalid("BAD_RESULT"));
        assert_eq!(fixture.replica.rating(one).await.games, 0);
    }
}

#[tokio::test]
async fn a_known_game_told_otherwise() {
    for fixture in fixtures().await {
        let mut internal = fixture.replica.internal.clone();
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        let game = fixture.game(one, two, Verdict::FirstWins);
        internal.apply_result(game.clone()).await.expect("applied");
        let before = fixture.replica.rating(one).await;

        let stranger = ApplyResultRequest { second_id: fixture.env.uuid().to_string(), ..game.clone() };
        let drawn = ApplyResultRequest { verdict: Verdict::Draw.into(), ..game.clone() };
        let other = ApplyResultRequest { variant: "jiu".to_owned(), ..game.clone() };
        for otherwise in [stranger, drawn, other] {
            assert_eq!(refused(internal.apply_result(otherwise).await), invalid("BAD_RESULT"));
        }
        assert_eq!(fixture.replica.rating(one).await, before);
    }
}

#[tokio::test]
async fn an_end_in_the_future_is_now() {
    for fixture in fixtures().await {
        let one = fixture.env.uuid();
        let mut game = fixture.game(one, fixture.env.uuid(), Verdict::Draw);
        game.end_time = Some(timestamp(fixture.env.now() + Duration::from_hours(1000)));
        fixture.replica.apply(game).await.expect("applied");
        assert_eq!(fixture.replica.rating(one).await.update_time, Some(timestamp(fixture.env.now())));
    }
}

#[tokio::test]
async fn questions_that_make_no_sense() {
    for fixture in fixtures().await {
        let mut public = fixture.replica.public.clone();
        let id = fixture.env.uuid().to_string();
        let rating = |account_id: &str, variant: &str, speed_class| GetRatingRequest {
            account_id: account_id.to_owned(),
            variant: variant.to_owned(),
            speed_class,
            without_standing: false,
        };
        assert_eq!(refused(public.get_rating(rating("x", "go", 1)).await), invalid("BAD_ID"));
        assert_eq!(refused(public.get_rating(rating(&id, "GO", 1)).await), invalid("UNKNOWN_VARIANT"));
        assert_eq!(refused(public.get_rating(rating(&id, "go", 0)).await), invalid("UNKNOWN_VARIANT"));
        let nobody = ListRatingsRequest { account_id: String::new() };
        assert_eq!(refused(public.list_ratings(nobody).await), invalid("BAD_ID"));

        let history = ListHistoryRequest {
            account_id: id.clone(),
            variant: "go".to_owned(),
            speed_class: 1,
            page_size: 0,
            page_token: page::encode(&format!("history/{id}/go/1"), &-1),
        };
        assert_eq!(refused(public.list_history(history).await), invalid("BAD_PAGE_TOKEN"));
        let leaders = |page_token| ListLeadersRequest {
            provisional: false,
            variant: "go".to_owned(),
            speed_class: 1,
            page_size: 0,
            page_token,
            ..ListLeadersRequest::default()
        };
        let account = fixture.env.uuid();
        let not_a_number = format!(
            "{{\"rating_bits\":{},\"account\":\"{account}\",\"position\":1,\"rank\":1}}",
            f64::NAN.to_bits()
        );
        let forged: serde_json::Value = serde_json::from_str(&not_a_number).expect("JSON");
        for token in [
            "%".to_owned(),
            page::encode("leaders/go/1/false", &7),
            page::encode("leaders/go/1/false", &forged),
        ] {
            assert_eq!(refused(public.list_leaders(leaders(token)).await), invalid("BAD_PAGE_TOKEN"));
        }

        let at = |second| Some(Timestamp { seconds: second, nanos: 0 });
        let graph = |start_time, end_time| GetGraphRequest {
            account_id: id.clone(),
            variant: "go".to_owned(),
            speed_class: 1,
            start_time,
            end_time,
            steps: u32::MAX,
        };
        for (start, end) in [(at(9), at(9)), (at(9), at(8)), (at(i64::MAX), None), (None, at(i64::MIN))] {
            assert_eq!(refused(public.get_graph(graph(start, end)).await), invalid("BAD_PERIOD"));
        }
        let utmost = graph(at(-62_135_596_800), at(253_402_300_799));
        assert!(public.get_graph(utmost).await.expect("it is empty").into_inner().points.is_empty());
        let two = |one: &str, other: &str| GetHeadToHeadRequest {
            account_id: one.to_owned(),
            opponent_id: other.to_owned(),
        };
        assert_eq!(refused(public.get_head_to_head(two(&id, "")).await), invalid("BAD_ID"));
        assert_eq!(refused(public.get_head_to_head(two(&id, &id)).await), invalid("OWN_ACCOUNT"));
        let of = |game_ids: Vec<String>| ListGameChangesRequest { game_ids };
        assert_eq!(refused(public.list_game_changes(of(vec!["x".to_owned()])).await), invalid("BAD_ID"));
        assert_eq!(refused(public.list_game_changes(of(vec![id.clone(); 101])).await), invalid("BAD_BATCH"));
    }
}

#[tokio::test]
async fn a_database_that_is_gone_is_an_outage_and_not_an_error() {
    for fixture in fixtures().await {
        let (one, other) = (fixture.env.uuid(), fixture.env.uuid());
        fixture.lose_database().await;
        let outcomes = [
            fixture
                .replica
                .apply(fixture.game(one, other, Verdict::FirstWins))
                .await
                .expect_err("there is no table"),
            fixture
                .replica
                .public
                .clone()
                .get_rating(GetRatingRequest {
                    account_id: one.to_string(),
                    variant: "go".to_owned(),
                    speed_class: SpeedClass::Blitz.into(),
                    without_standing: false,
                })
                .await
                .expect_err("there is no table"),
        ];
        for status in outcomes {
            assert!(status.get_details_retry_info().is_some(), "{}", fixture.kind());
            let expected = (Code::Unavailable, "DATABASE_UNAVAILABLE".to_owned());
            assert_eq!((status.code(), reason(&status)), expected, "{}", fixture.kind());
        }
    }
}

//! The public service.

use api::{
    clock::v1::{
        DescribeTimeControlRequest, GetTimeRequest, ListTimeControlsRequest, Maintenance, SpeedClass,
        TimeControl,
        time_control::{ByoYomi, Control, Fischer},
    },
    error,
};
use prost_types::Duration;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::fixture::{Fixture, START};

#[tokio::test(start_paused = true)]
async fn it_tells_the_platforms_time() {
    let fixture = Fixture::new();
    let mut client = fixture.replica().public();
    let told = client.get_time(GetTimeRequest {}).await.expect("needs no token").into_inner();
    assert_eq!(told.server_time, Some(api::time::timestamp(START)));
}

#[tokio::test(start_paused = true)]
async fn it_tells_of_maintenance_until_it_is_over() {
    let mut fixture = Fixture::new();
    let mut client = fixture.replica().public();
    let [begin_time, end_time] =
        [60, 120].map(|second| Some(api::time::timestamp(START + std::time::Duration::from_secs(second))));
    let planned = Maintenance { begin_time, end_time, reason: "new disks".to_owned() };
    fixture.games.plan(planned.clone());
    for (seconds, told) in [(6, Some(&planned)), (53, Some(&planned)), (41, Some(&planned)), (21, None)] {
        fixture.quiet(std::time::Duration::from_secs(seconds)).await;
        let answer = client.get_time(GetTimeRequest {}).await.expect("needs no token").into_inner();
        assert_eq!(answer.maintenance.as_ref(), told, "{seconds} s later");
    }
}

#[tokio::test(start_paused = true)]
async fn it_lists_what_is_usual_for_a_variant() {
    let mut client = Fixture::new().replica().public();
    let mut texts = async |variant: &str| -> Result<Vec<String>, Status> {
        let request = ListTimeControlsRequest { variant: variant.to_owned() };
        let listed = client.list_time_controls(request).await?.into_inner();
        Ok(listed.time_controls.into_iter().map(|named| named.text).collect())
    };
    let all = texts("").await.expect("needs no token");
    for variant in rules::VARIANTS {
        let usual = texts(variant.id).await.expect("every variant has some");
        assert_eq!(usual, variant.time_controls, "{}", variant.id);
        assert!(usual.iter().all(|text| all.contains(text)), "{}", variant.id);
    }
    let refused = texts("halma").await.expect_err("there is no such variant");
    assert_eq!(
        (refused.code(), error::reason(&refused).as_str()),
        (Code::InvalidArgument, "UNKNOWN_VARIANT")
    );
}

#[tokio::test(start_paused = true)]
async fn it_describes_a_control_in_both_forms() {
    let mut client = Fixture::new().replica().public();
    let mut describe =
        async |request| client.describe_time_control(request).await.map(tonic::Response::into_inner);
    let byo_yomi = TimeControl {
        control: Some(Control::ByoYomi(ByoYomi {
            main_duration: Some(Duration { seconds: 1200, nanos: 0 }),
            period_duration: Some(Duration { seconds: 30, nanos: 0 }),
            periods: 3,
        })),
        second: None,
    };
    let by_control = DescribeTimeControlRequest { time_control: Some(byo_yomi), text: String::new() };
    let by_text = DescribeTimeControlRequest { time_control: None, text: "20m+3x30s".to_owned() };
    let told = describe(by_control).await.expect("a control");
    assert_eq!(Ok(&told), describe(by_text).await.as_ref().map_err(|_| ()));
    let named = told.time_control.expect("the control");
    assert_eq!((named.text.as_str(), named.speed_class()), ("20m+3x30s", SpeedClass::Rapid));
    assert_eq!(told.expected_duration, Some(Duration { seconds: 2 * (1200 + 60 * 30 / 2), nanos: 0 }));
}

#[tokio::test(start_paused = true)]
async fn it_refuses_what_is_no_control_and_names_the_field() {
    let mut client = Fixture::new().replica().public();
    let mut refused = async |time_control, text: &str| {
        let request = DescribeTimeControlRequest { time_control, text: text.to_owned() };
        let status = client.describe_time_control(request).await.expect_err("no control");
        assert_eq!(
            (status.code(), error::reason(&status).as_str()),
            (Code::InvalidArgument, "BAD_TIME_CONTROL")
        );
        status.get_details_bad_request().expect("fields").field_violations.remove(0).field
    };
    let fischer = |increment| TimeControl {
        control: Some(Control::Fischer(Fischer {
            main_duration: None,
            increment_duration: Some(Duration { seconds: increment, nanos: 0 }),
            cap_duration: None,
        })),
        second: None,
    };
    assert_eq!(refused(None, "").await, "time_control");
    assert_eq!(refused(None, "ten minutes").await, "text");
    assert_eq!(refused(None, &"9".repeat(100_000)).await, "text");
    assert_eq!(refused(Some(fischer(5)), "5m").await, "time_control");
    assert_eq!(refused(Some(fischer(-5)), "").await, "time_control.increment_duration");
    assert_eq!(refused(Some(TimeControl::default()), "").await, "time_control");
}

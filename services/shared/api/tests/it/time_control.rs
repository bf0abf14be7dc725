//! Laws and examples of time controls.

use std::time::Duration;

use api::{
    clock::v1 as pb,
    time_control::{Control, TimeControl},
};
use proptest::prelude::*;

fn any_control() -> impl Strategy<Value = Control> {
    let span = |range: std::ops::RangeInclusive<u64>| range.prop_map(Duration::from_millis);
    let main = || span(0..=86_400_000);
    let step = || span(1000..=3_600_000);
    prop_oneof![
        span(1000..=86_400_000).prop_map(|main| Control::Absolute { main }),
        (span(0..=40_000_000), step(), proptest::option::of(span(40_000_000..=86_400_000)))
            .prop_map(|(main, increment, cap)| Control::Fischer { main, increment, cap }),
        (main(), step()).prop_map(|(main, delay)| Control::UsDelay { main, delay }),
        (main(), step()).prop_map(|(main, delay)| Control::Bronstein { main, delay }),
        (main(), step(), 1..=100_u32).prop_map(|(main, period, periods)| Control::ByoYomi {
            main,
            period,
            periods
        }),
        (span(6_000_000..=86_400_000), 1..=100_u32)
            .prop_map(|(main, minutes)| Control::Reserved { main, minutes }),
        (main(), step(), 1..=100_u32).prop_map(|(main, period, moves)| Control::Canadian {
            main,
            period,
            moves
        }),
        step().prop_map(|time| Control::PerMove { time }),
        (1..=30_u32).prop_map(|days| Control::Correspondence { days }),
        Just(Control::Unlimited),
    ]
}

fn any_time_control() -> impl Strategy<Value = TimeControl> {
    prop_oneof![
        any_control().prop_map(TimeControl::same),
        (any_control(), any_control()).prop_map(|(first, second)| TimeControl { first, second }),
    ]
}

proptest! {
    #[test]
    fn text_and_proto_round_trip(control in any_time_control()) {
        prop_assert_eq!(control.checked(), Ok(control));
        prop_assert_eq!(control.to_string().parse::<TimeControl>(), Ok(control));
        prop_assert_eq!(TimeControl::try_from(&pb::TimeControl::from(control)), Ok(control));
        prop_assert!(control.to_string().len() <= 100);
    }

    #[test]
    fn any_text_is_read_or_refused(text in prop_oneof![
        ".{0,40}",
        "[0-9]{1,12}(ms|s|m|h|d)?([+:<x/-]|in|keep|move|d|b)?[0-9]{0,12}(ms|s|m|h|d)?(/move|x[0-9]{1,3}s)?",
    ]) {
        if let Ok(control) = text.parse::<TimeControl>() {
            prop_assert_eq!(control.checked(), Ok(control));
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }
    }

    #[test]
    fn every_control_has_a_speed_class_that_grows_with_the_expected_time(
        one in any_time_control(),
        other in any_time_control(),
    ) {
        prop_assert_ne!(one.speed_class(), pb::SpeedClass::Unspecified);
        let days = |control: TimeControl| control.speed_class() == pb::SpeedClass::Correspondence;
        if !days(one) && !days(other) && one.expected() <= other.expected() {
            prop_assert!(one.speed_class() as i32 <= other.speed_class() as i32);
        }
    }
}

#[test]
fn speed_classes_follow_the_expected_time() {
    let class = |text: &str| text.parse::<TimeControl>().map(TimeControl::speed_class);
    for (text, expected) in [
        ("5m+3s", pb::SpeedClass::Blitz),
        ("5m+d3s", pb::SpeedClass::Blitz),
        ("10s/move", pb::SpeedClass::Blitz),
        ("10m", pb::SpeedClass::Rapid),
        ("30m-keep1m", pb::SpeedClass::Rapid),
        ("10m+25in5m", pb::SpeedClass::Rapid),
        ("1h", pb::SpeedClass::Classical),
        ("50m+5x60s", pb::SpeedClass::Classical),
        ("1h-keep5m", pb::SpeedClass::Classical),
        ("1h/move", pb::SpeedClass::Classical),
        ("5m:1m", pb::SpeedClass::Blitz),
        ("5m:15m", pb::SpeedClass::Rapid),
        ("1d/move", pb::SpeedClass::Correspondence),
        ("none", pb::SpeedClass::Correspondence),
        ("5m:none", pb::SpeedClass::Correspondence),
    ] {
        assert_eq!(class(text), Ok(expected), "{text}");
    }
}

#[test]
fn limits_hold() {
    for text in [
        "0s",
        "25h",
        "5m+0s",
        "5m+2h",
        "5m+0x30s",
        "5m+101x30s",
        "10m+5s<5m",
        "",
        "5",
        "+",
        "x",
        "5m+d0s",
        "5m+b2h",
        "5m-keep6m",
        "5m-keep0m",
        "2h-keep101m",
        "1m+0in5m",
        "1m+101in5m",
        "1m+5in0s",
        "0s/move",
        "2h/move",
        "0d/move",
        "31d/move",
        "1m:2m:3m",
        "1m:",
        ":1m",
        "none+1s",
        "1m+d",
        "1d",
        "5m+ 3s",
        "5m+-3s",
        "5m++3x3s",
        "+5m",
        "1m+3xx3s",
        "99999999999999999999h",
        "4294967296d/move",
        "NONE",
        "5m+d3s<6m",
    ] {
        assert!(text.parse::<TimeControl>().is_err(), "{text}");
    }
    assert!("9".repeat(1_000_000).parse::<TimeControl>().is_err());
}

#[test]
fn a_second_side_is_named_when_it_is_at_fault() {
    let field = |text: &str| text.parse::<TimeControl>().expect_err("a fault").field;
    assert_eq!(field("1m:25h"), "second.main_duration");
    assert_eq!(field("25h:1m"), "main_duration");
    let nested = pb::TimeControl {
        second: Some(Box::new(pb::TimeControl::from("1m:2m".parse::<TimeControl>().expect("a control")))),
        ..pb::TimeControl::from(TimeControl::same(Control::Unlimited))
    };
    assert_eq!(TimeControl::try_from(&nested).expect_err("nested").field, "second.second");
    let empty = pb::TimeControl { second: Some(Box::default()), ..nested };
    assert_eq!(TimeControl::try_from(&empty).expect_err("empty").field, "second");
}

#[test]
fn a_variant_may_ask_for_half_an_hour() {
    let half_an_hour = Some(Duration::from_mins(30));
    let enough = |text: &str, least| text.parse::<TimeControl>().expect("a control").at_least(least);
    for text in ["30m", "1h", "30m+5s", "3d/move", "none", "40m:30m"] {
        assert_eq!(enough(text, half_an_hour), Ok(()), "{text}");
    }
    for (text, field) in
        [("29m", "main_duration"), ("30s/move", "main_duration"), ("1h:1799s", "second.main_duration")]
    {
        assert_eq!(enough(text, half_an_hour).map_err(|bad| bad.field), Err(field), "{text}");
        assert_eq!(enough(text, None), Ok(()), "{text}");
    }
}

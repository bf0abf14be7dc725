//! Time controls, and the variants that they are offered for.

use api::{
    clock::v1::{self as pb, DescribeTimeControlRequest, DescribeTimeControlResponse, NamedTimeControl},
    time_control::{BadTimeControl, TimeControl},
};
use rules::Variant;

use crate::error::{Error, Result};

/// The variant of an id; none when not said.
pub(crate) fn variant(id: &str) -> Result<Option<&'static Variant>> {
    match id {
        "" => Ok(None),
        id => rules::variant(id).map(Some).ok_or(Error::UnknownVariant),
    }
}

/// A time control that must be there.
pub(super) fn time_control(control: Option<&pb::TimeControl>) -> Result<TimeControl, BadTimeControl> {
    let absent = pb::TimeControl::default();
    TimeControl::try_from(control.unwrap_or(&absent))
}

/// The control that is asked about, by exactly one of its two forms.
pub(crate) fn described_time_control(
    request: &DescribeTimeControlRequest,
) -> Result<TimeControl, BadTimeControl> {
    match (&request.time_control, request.text.as_str()) {
        (Some(control), "") => TimeControl::try_from(control),
        (None, text) if !text.is_empty() => text.parse(),
        _ => Err(BadTimeControl { field: "time_control", detail: "either this or the text" }),
    }
}

/// What a control means.
pub(crate) fn description(control: TimeControl) -> DescribeTimeControlResponse {
    DescribeTimeControlResponse {
        time_control: Some(named_time_control(control)),
        expected_duration: control.expected().map(|expected| api::time::duration(expected * 2)),
    }
}

/// A control with what it is called.
pub(crate) fn named_time_control(control: TimeControl) -> NamedTimeControl {
    NamedTimeControl {
        time_control: Some(control.into()),
        text: control.to_string(),
        speed_class: control.speed_class().into(),
    }
}

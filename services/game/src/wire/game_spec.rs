//! Games that are to be made.

use api::{game::v1 as pb, reason, time_control::BadTimeControl};
use chassis::id::GameId;

use super::{DecodeError, optional, request::variant, required};
use crate::core::{GameSpec, InvalidGameSpec, InvalidRegulations, Regulations, Seat, TimeControl};

impl TryFrom<pb::CreateGameRequest> for GameSpec {
    type Error = api::Error;

    fn try_from(request: pb::CreateGameRequest) -> Result<Self, api::Error> {
        let bad_control =
            |field: &str, detail: &str| api::Error::invalid(reason::BAD_TIME_CONTROL, field, detail);
        let control = request.time_control.as_ref();
        let control = control.ok_or_else(|| bad_control("time_control", "required"))?;
        let bad = |error: BadTimeControl| bad_control(&format!("time_control.{}", error.field), error.detail);
        let time_control = TimeControl::try_from(control).map_err(bad)?;
        let spec = GameSpec {
            id: GameId::parse(&request.game_id, "game_id")?,
            variant: variant(&request.variant)?,
            rule_set: request.rule_set,
            options: request.options.into_iter().collect(),
            time_control,
            rated: request.rated,
            seats: [seat(request.first.as_ref(), "first")?, seat(request.second.as_ref(), "second")?],
            regulations: regulations(request.regulations.as_ref())?,
        };
        let message = |error: InvalidGameSpec| error.to_string();
        spec.checked().map_err(|error| match error {
            InvalidGameSpec::TimeControl(error) => bad(error),
            InvalidGameSpec::OpponentIsSelf => {
                api::Error::invalid(reason::OPPONENT_IS_SELF, "second", message(error))
            }
            InvalidGameSpec::Regulations(InvalidRegulations { field, .. }) => {
                api::Error::invalid(reason::BAD_REGULATIONS, &format!("regulations.{field}"), message(error))
            }
        })
    }
}

impl From<GameSpec> for pb::CreateGameRequest {
    fn from(spec: GameSpec) -> pb::CreateGameRequest {
        let [first, second] = spec.seats.each_ref().map(|seat| Some(seat.into()));
        pb::CreateGameRequest {
            game_id: spec.id.to_string(),
            variant: spec.variant.id.to_owned(),
            rule_set: spec.rule_set,
            options: spec.options.into_iter().collect(),
            time_control: Some(spec.time_control.into()),
            rated: spec.rated,
            first,
            second,
            regulations: Some((&spec.regulations).into()),
        }
    }
}

fn seat(seat: Option<&pb::Seat>, field: &str) -> Result<Seat, api::Error> {
    let bad = || api::Error::invalid(reason::BAD_ID, field, "an account's seat");
    let seat: Seat = required(seat, "a seat").map_err(|_| bad())?;
    if seat.account.is_none() { Err(bad()) } else { Ok(seat) }
}

fn regulations(regulations: Option<&pb::Regulations>) -> Result<Regulations, api::Error> {
    let bad = |error: DecodeError| api::Error::invalid(reason::BAD_REGULATIONS, "regulations", error.0);
    Ok(optional(regulations).map_err(bad)?.unwrap_or_default())
}

//! Games that are to be made.

use api::{game::v1 as pb, reason};
use chassis::id::GameId;

use super::{
    control_to_pb,
    regulations::{regulations_from_pb, regulations_to_pb},
    seat_from_pb, seat_to_pb,
};
use crate::core::{GameSpec, Regulations, Seat, TimeControl};

impl TryFrom<pb::CreateGameRequest> for GameSpec {
    type Error = api::Error;

    fn try_from(request: pb::CreateGameRequest) -> Result<Self, api::Error> {
        let control = request.time_control.as_ref().ok_or_else(|| no_control("required"))?;
        let time_control = TimeControl::try_from(control).map_err(|error| no_control(error.detail))?;
        let variant =
            rules::variant(&request.variant).ok_or_else(|| api::Error::unknown_variant("variant"))?;
        time_control.at_least(variant.main_time_min).map_err(|error| no_control(error.detail))?;
        let seats = [seat(request.first.as_ref(), "first")?, seat(request.second.as_ref(), "second")?];
        if seats[0].account == seats[1].account {
            return Err(api::Error::invalid(
                reason::OPPONENT_IS_SELF,
                "second",
                "nobody plays against himself",
            ));
        }
        Ok(GameSpec {
            id: GameId::parse(&request.game_id, "game_id")?,
            variant,
            rule_set: request.rule_set,
            options: request.options.into_iter().collect(),
            time_control,
            rated: request.rated,
            seats,
            regulations: regulations(request.regulations.as_ref())?,
        })
    }
}

impl From<GameSpec> for pb::CreateGameRequest {
    fn from(spec: GameSpec) -> pb::CreateGameRequest {
        let [first, second] = spec.seats.each_ref().map(|seat| Some(seat_to_pb(seat)));
        pb::CreateGameRequest {
            game_id: spec.id.to_string(),
            variant: spec.variant.id.to_owned(),
            rule_set: spec.rule_set,
            options: spec.options.into_iter().collect(),
            time_control: Some(control_to_pb(spec.time_control)),
            rated: spec.rated,
            first,
            second,
            regulations: Some(regulations_to_pb(&spec.regulations)),
        }
    }
}

fn seat(seat: Option<&pb::Seat>, field: &str) -> Result<Seat, api::Error> {
    let bad = || api::Error::invalid(reason::BAD_ID, field, "an account's seat");
    let seat = seat_from_pb(seat.ok_or_else(bad)?).map_err(|_| bad())?;
    if seat.account.is_none() { Err(bad()) } else { Ok(seat) }
}

fn regulations(regulations: Option<&pb::Regulations>) -> Result<Regulations, api::Error> {
    let bad = |detail: &str| api::Error::invalid(reason::BAD_REGULATIONS, "regulations", detail);
    let Some(regulations) = regulations else { return Ok(Regulations::default()) };
    let regulations = regulations_from_pb(regulations).map_err(|malformed| bad(malformed.0))?;
    regulations.check().map_err(bad)?;
    Ok(regulations)
}

fn no_control(detail: &'static str) -> api::Error {
    api::Error::invalid(reason::BAD_TIME_CONTROL, "time_control", detail)
}

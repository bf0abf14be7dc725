//! Games that are to be made.

use api::{fault::Fault, game::v1 as pb, reason};
use chassis::id::GameId;

use super::{regulations_from_pb, seat_from_pb};
use crate::{
    core::{Regulations, Seat, TimeControl},
    rooms::Commission,
};

/// What is asked of the game service to make.
///
/// # Errors
/// INVALID_ARGUMENT when it cannot be.
pub(crate) fn commission_from_pb(request: pb::CreateGameRequest) -> Result<Commission, Fault> {
    let seat = |seat: Option<&pb::Seat>, field: &str| -> Result<Seat, Fault> {
        let bad = || Fault::invalid(reason::BAD_ID, field, "an account's seat");
        let seat = seat_from_pb(seat.ok_or_else(bad)?).map_err(|_| bad())?;
        if seat.account.is_none() { Err(bad()) } else { Ok(seat) }
    };
    let control = request.time_control.as_ref().ok_or_else(|| no_control("required"))?;
    let time_control = TimeControl::try_from(control).map_err(|error| no_control(error.detail))?;
    let main_min = rules::variant(&request.variant).and_then(|variant| variant.main_time_min);
    time_control.at_least(main_min).map_err(|error| no_control(error.detail))?;
    let seats = [seat(request.first.as_ref(), "first")?, seat(request.second.as_ref(), "second")?];
    if seats[0].account == seats[1].account {
        return Err(Fault::invalid(reason::OPPONENT_IS_SELF, "second", "nobody plays against himself"));
    }
    Ok(Commission {
        id: GameId::parse(&request.game_id, "game_id")?,
        variant: request.variant,
        rule_set: request.rule_set,
        options: request.options.into_iter().collect(),
        time_control,
        rated: request.rated,
        seats,
        regulations: regulations(request.regulations.as_ref())?,
    })
}

fn regulations(regulations: Option<&pb::Regulations>) -> Result<Regulations, Fault> {
    let bad = |detail: &str| Fault::invalid(reason::BAD_REGULATIONS, "regulations", detail);
    let Some(regulations) = regulations else { return Ok(Regulations::default()) };
    let regulations = regulations_from_pb(regulations).map_err(|malformed| bad(malformed.0))?;
    regulations.check().map_err(bad)?;
    Ok(regulations)
}

fn no_control(detail: &'static str) -> Fault {
    Fault::invalid(reason::BAD_TIME_CONTROL, "time_control", detail)
}

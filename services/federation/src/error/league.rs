//! What the refusals of leagues are on the wire.

use api::reason;
use time::format_description::well_known::Rfc3339;
use tonic::Code;

use crate::core::league::Refusal;

/// A refusal as it is told.
pub(super) fn told(refusal: &Refusal) -> api::Error {
    let text = refusal.to_string();
    let precondition = |reason| api::Error::new(Code::FailedPrecondition, reason, text.clone());
    let not_found = |reason| api::Error::new(Code::NotFound, reason, text.clone());
    match refusal {
        Refusal::UnknownLeague => not_found(reason::UNKNOWN_LEAGUE),
        Refusal::UnknownSeason => not_found(reason::UNKNOWN_SEASON),
        Refusal::UnknownSquad => not_found(reason::UNKNOWN_SQUAD),
        Refusal::Rules { field, .. } => {
            api::Error::invalid(reason::BAD_LEAGUE_RULES, &format!("league.rules.{field}"), text)
        }
        Refusal::Season(_) => api::Error::invalid(reason::BAD_SEASON, "season", text),
        Refusal::State(state) => precondition(reason::SEASON_STATE).with_metadata("state", state.name()),
        Refusal::TooSmall { division, .. } => {
            precondition(reason::DIVISION_TOO_SMALL).with_metadata("division", division.to_string())
        }
        Refusal::DivisionFull(division) => {
            precondition(reason::DIVISION_FULL).with_metadata("division", division.to_string())
        }
        Refusal::Squad(_) => precondition(reason::BAD_SQUAD),
        Refusal::NotEligible(member, _) => {
            precondition(reason::MEMBER_NOT_ELIGIBLE).with_metadata("member_id", member.to_string())
        }
        Refusal::TwoSquads { member, other, squad } => precondition(reason::MEMBER_IN_TWO_SQUADS)
            .with_metadata("member_id", member.to_string())
            .with_metadata("entrant_id", squad.to_string())
            .with_metadata("other_entrant_id", other.to_string()),
        Refusal::Closed => precondition(reason::SQUADS_CLOSED),
        Refusal::TransfersClosed(next) => {
            let next = next.and_then(|next| next.format(&Rfc3339).ok()).unwrap_or_default();
            precondition(reason::TRANSFER_WINDOW_CLOSED).with_metadata("open_time", next)
        }
        Refusal::PlayedElsewhere { member, .. } => {
            precondition(reason::PLAYED_FOR_ANOTHER_TEAM).with_metadata("member_id", member.to_string())
        }
        Refusal::NoChief => precondition(reason::LEAGUE_WITHOUT_CHIEF),
        Refusal::Unfinished(event) => {
            precondition(reason::SEASON_UNFINISHED).with_metadata("event_id", event.to_string())
        }
    }
}

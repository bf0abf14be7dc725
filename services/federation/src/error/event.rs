//! Why an event does not do what it is asked for, on the wire.

use std::collections::BTreeSet;

use api::reason;
use pairing::{Number, check::Fault, swiss::PairingError};
use time::format_description::well_known::Rfc3339;
use tonic::Code;

use crate::core::event::{BadRoster, Leaveless, NotAllowed, Refusal, Unarrangeable, Unpaired};

/// Numbers named in metadata at most: headers are small.
const NUMBERS_MAX: usize = 100;

/// What a refusal is to whoever asked.
pub(super) fn refused(refusal: &Refusal) -> api::Error {
    let text = refusal.to_string();
    let precondition = |reason| api::Error::new(Code::FailedPrecondition, reason, text.clone());
    let exhausted = |reason| api::Error::new(Code::ResourceExhausted, reason, text.clone());
    let not_found = |reason| api::Error::new(Code::NotFound, reason, text.clone());
    match refusal {
        Refusal::NotAllowed(NotAllowed::Role(_)) => {
            api::Error::new(Code::PermissionDenied, reason::EVENT_ROLE_MISSING, text)
        }
        Refusal::NotAllowed(NotAllowed::Stage(stage)) => {
            precondition(reason::EVENT_STAGE).with_metadata("stage", stage.name())
        }
        Refusal::Settings(bad) => {
            api::Error::invalid(reason::BAD_EVENT_SETTINGS, &format!("settings.{}", bad.field), text)
        }
        Refusal::Settled(..) => precondition(reason::EVENT_SETTLED),
        Refusal::NoReason => api::Error::invalid(reason::BAD_TEXT, "reason", text),
        Refusal::Incomplete(missing) => {
            let names: Vec<&str> = missing.iter().map(|it| it.name()).collect();
            precondition(reason::EVENT_INCOMPLETE).with_metadata("missing", names.join(","))
        }
        Refusal::Entered(number) => {
            precondition(reason::ALREADY_ENTERED).with_metadata("number", number.to_string())
        }
        Refusal::EntriesClosed => precondition(reason::ENTRIES_CLOSED),
        Refusal::Full => precondition(reason::EVENT_FULL),
        Refusal::OldSupplement(version) => {
            precondition(reason::OLD_SUPPLEMENT).with_metadata("version", version.to_string())
        }
        Refusal::UnknownNumber(_) => not_found(reason::UNKNOWN_ENTRANT),
        Refusal::Status(_) => precondition(reason::BAD_ENTRY_CHANGE),
        Refusal::SeedCommitted => precondition(reason::SEED_COMMITTED),
        Refusal::Unpaired(why) => unpaired(why),
        Refusal::Stale => precondition(reason::PAIRING_STALE),
        Refusal::Pairing(_) => precondition(reason::BAD_PAIRING),
        Refusal::Rules(faults) => {
            let rules: BTreeSet<&str> = faults.iter().filter_map(Fault::rule).collect();
            let rules = rules.into_iter().collect::<Vec<_>>().join(",");
            api::Error::new(Code::PermissionDenied, reason::PAIRING_BREAKS_RULE, text)
                .with_metadata("rules", rules)
        }
        Refusal::TooManyEdits(_) => exhausted(reason::TOO_MANY_EDITS),
        Refusal::UnknownBoard => not_found(reason::UNKNOWN_BOARD),
        Refusal::Round(_) => precondition(reason::BAD_ROUND),
        Refusal::Playing => precondition(reason::BOARD_PLAYING),
        Refusal::OwnEntry => precondition(reason::OWN_ENTRY),
        Refusal::OwnGame => precondition(reason::OWN_GAME),
        Refusal::Result(_) => precondition(reason::BAD_BOARD_RESULT),
        Refusal::TooManyOfficials(_) => exhausted(reason::TOO_MANY_OFFICIALS),
        Refusal::Office(_) => precondition(reason::BAD_OFFICE),
        Refusal::OfTeams => precondition(reason::NOT_OF_TEAMS),
        Refusal::LineUp(error) => precondition(reason::BAD_LINE_UP).with_metadata("what", error.reason()),
        Refusal::Captain(_) => precondition(reason::BAD_CAPTAIN),
        Refusal::NotCaptain => api::Error::new(Code::PermissionDenied, reason::NOT_THE_CAPTAIN, text),
        Refusal::NobodyLeads => precondition(reason::TEAM_WITHOUT_CAPTAIN),
        Refusal::LineUpClosed => precondition(reason::LINE_UP_CLOSED),
        Refusal::UnknownMatch => not_found(reason::UNKNOWN_MATCH),
        Refusal::Held(_) => api::Error::invalid(reason::BAD_EVENT_FILE, "file_id", text),
        Refusal::Challenge(_) => precondition(reason::BAD_CHALLENGE),
        Refusal::Arranging(why) => unarrangeable(*why),
        Refusal::Leave(why) => leaveless(*why),
        Refusal::Roster(why) => bad_roster(*why),
        Refusal::UnknownIncident => not_found(reason::UNKNOWN_INCIDENT),
        Refusal::TooManyChallenges => exhausted(reason::TOO_MANY_CHALLENGES),
        Refusal::TooManyIncidents => exhausted(reason::TOO_MANY_INCIDENTS),
        Refusal::TooManyStatements => exhausted(reason::TOO_MANY_STATEMENTS),
        Refusal::IncidentOpen => precondition(reason::INCIDENT_OPEN),
        Refusal::IncidentSettled => precondition(reason::INCIDENT_SETTLED),
        Refusal::NotAParty => precondition(reason::NOT_A_PARTY),
        Refusal::NotTheInstance(role) => {
            precondition(reason::NOT_THE_INSTANCE).with_metadata("role", role.name())
        }
        Refusal::OwnClub => precondition(reason::OWN_CLUB),
        Refusal::Ruling(_) => precondition(reason::BAD_EVENT_RULING),
        Refusal::CheckIn(_) => precondition(reason::BAD_CHECK_IN),
        Refusal::Postponement(_) => precondition(reason::BAD_POSTPONEMENT),
        Refusal::AskedTooOften(_) => exhausted(reason::WISHED_TOO_OFTEN),
    }
}

fn unarrangeable(why: Unarrangeable) -> api::Error {
    let error = |code, reason| api::Error::new(code, reason, why.to_string());
    let precondition = |reason| error(Code::FailedPrecondition, reason);
    match why {
        Unarrangeable::NotArranged => precondition(reason::GAMES_NOT_ARRANGED),
        Unarrangeable::NotOpen => precondition(reason::BOARD_NOT_OPEN),
        Unarrangeable::NotAtBoard => error(Code::PermissionDenied, reason::NOT_AT_BOARD),
        Unarrangeable::ByCaptains => error(Code::PermissionDenied, reason::CAPTAINS_ARRANGE),
        Unarrangeable::Past => precondition(reason::PROPOSAL_IN_THE_PAST),
        Unarrangeable::TooSoon(_) => precondition(reason::PROPOSAL_TOO_SOON),
        Unarrangeable::Outside(closes) => {
            let closes = closes.format(&Rfc3339).unwrap_or_default();
            precondition(reason::PROPOSAL_OUTSIDE_WINDOW).with_metadata("close_time", closes)
        }
        Unarrangeable::OnLeave(until) => {
            let until = until.format(&Rfc3339).unwrap_or_default();
            precondition(reason::PROPOSAL_ON_LEAVE).with_metadata("until_time", until)
        }
        Unarrangeable::TooMany(most) => error(Code::ResourceExhausted, reason::TOO_MANY_TIMES)
            .with_metadata("times_max", most.to_string()),
        Unarrangeable::Engaged(number, place) => {
            let refused = precondition(reason::ALREADY_ARRANGED).with_metadata("number", number.to_string());
            match place {
                Some((event, board)) => refused
                    .with_metadata("event_id", event.to_string())
                    .with_metadata("round", board.round.to_string())
                    .with_metadata("table", board.table.to_string()),
                None => refused,
            }
        }
        Unarrangeable::NoProposal => precondition(reason::NO_SUCH_PROPOSAL),
    }
}

fn leaveless(why: Leaveless) -> api::Error {
    let error = |code, reason| api::Error::new(code, reason, why.to_string());
    let precondition = |reason| error(Code::FailedPrecondition, reason);
    match why {
        Leaveless::None(_) => precondition(reason::NO_LEAVE),
        Leaveless::Past => precondition(reason::LEAVE_IN_THE_PAST),
        Leaveless::TooLate(ahead) => {
            precondition(reason::LEAVE_TOO_LATE).with_metadata("notice_seconds", ahead.as_secs().to_string())
        }
        Leaveless::TooFar => precondition(reason::LEAVE_TOO_FAR),
        Leaveless::Length(_) => precondition(reason::BAD_LEAVE_LENGTH),
        Leaveless::OverBudget(left) => error(Code::ResourceExhausted, reason::LEAVE_BUDGET_SPENT)
            .with_metadata("left_seconds", left.as_secs().to_string()),
        Leaveless::TooOften(_) => error(Code::ResourceExhausted, reason::LEAVE_TAKEN_TOO_OFTEN),
        Leaveless::Overlaps(other) => {
            precondition(reason::LEAVE_OVERLAPS).with_metadata("leave", other.to_string())
        }
        Leaveless::OverAgreedTime { board, .. } => precondition(reason::LEAVE_OVER_AGREED_TIME)
            .with_metadata("round", board.round.to_string())
            .with_metadata("table", board.table.to_string()),
        Leaveless::Unknown => error(Code::NotFound, reason::UNKNOWN_LEAVE),
        Leaveless::Over => precondition(reason::LEAVE_IS_OVER),
        Leaveless::NotOwn => error(Code::PermissionDenied, reason::NOT_YOUR_LEAVE),
    }
}

fn bad_roster(why: BadRoster) -> api::Error {
    let text = why.to_string();
    let precondition = |reason| api::Error::new(Code::FailedPrecondition, reason, text.clone());
    match why {
        BadRoster::Fixed => precondition(reason::ROSTER_FIXED),
        BadRoster::Late(round) => {
            precondition(reason::ROSTER_CLOSED).with_metadata("until_round", round.to_string())
        }
        BadRoster::TooOften(_) => {
            api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_ROSTER_CHANGES, text)
        }
        BadRoster::Sealed => precondition(reason::LINE_UP_SEALED),
        BadRoster::Left(number) => {
            precondition(reason::BAD_ENTRY_CHANGE).with_metadata("number", number.to_string())
        }
        BadRoster::Played { number, .. } | BadRoster::Unfinished(number) => {
            precondition(reason::PLAYED_FOR_ANOTHER_TEAM).with_metadata("number", number.to_string())
        }
        BadRoster::NoReason => api::Error::invalid(reason::BAD_TEXT, "reason", text),
        BadRoster::OfLeague => precondition(reason::ROSTER_OF_LEAGUE),
    }
}

fn unpaired(why: &Unpaired) -> api::Error {
    let text = why.to_string();
    let precondition = |reason| api::Error::new(Code::FailedPrecondition, reason, text.clone());
    match why {
        Unpaired::Incomplete(_) => precondition(reason::ROUND_INCOMPLETE),
        Unpaired::NoMoreRounds => precondition(reason::NO_MORE_ROUNDS),
        Unpaired::Undecided(_) => precondition(reason::BOARD_UNDECIDED),
        Unpaired::Pairing(PairingError::NoLegalPairing(blocking) | PairingError::NoBye(blocking)) => {
            precondition(reason::NO_LEGAL_PAIRING).with_metadata("players", numbers(&blocking.players))
        }
        Unpaired::Pairing(PairingError::Stopped | PairingError::Thread) => {
            api::Error::unavailable(reason::STOPPING, text)
        }
        Unpaired::TooFew | Unpaired::Pairing(_) => precondition(reason::NO_LEGAL_PAIRING),
    }
}

fn numbers(players: &[Number]) -> String {
    players.iter().take(NUMBERS_MAX).map(Number::to_string).collect::<Vec<_>>().join(",")
}

//! What officials do and what is asked of them, in words.

use api::{
    board::v1::Side,
    game::v1::{
        DeclaredResult, Expiry, Incident, Petition, Remedy, Ruling, Sanction, expiry::Expiry as Ending,
        petition::Petition as Asked, ruling::Act,
    },
};

use super::{Sides, sanitize};

/// One sentence about a petition.
pub(super) fn petition(petition: &Petition, author: &str) -> Option<String> {
    Some(match petition.petition.as_ref()? {
        Asked::CallArbiter(call) => format!("{author} calls an arbiter: {}", sanitize(&call.text)),
        Asked::FileClaim(claim) => format!("{author} files a claim: {}", sanitize(&claim.text)),
        Asked::Appeal(appeal) => {
            format!("{author} appeals in claim {}: {}", appeal.claim, sanitize(&appeal.text))
        }
        Asked::Confirm(_) => format!("{author} confirms the result"),
    })
}

/// One sentence about an act of an official, with his reason.
pub(super) fn ruling(ruling: &Ruling, official: &str, sides: &Sides) -> Option<String> {
    let side = |side: i32| sides.name(Side::try_from(side).unwrap_or_default());
    let done = match ruling.act.as_ref()? {
        Act::AnswerCall(_) => "answers the call".to_owned(),
        Act::RecordIncident(incident) => {
            format!("records an incident of {}{}", side(incident.accused), consequence(incident))
        }
        Act::AddTime(add) => {
            format!("gives {} {} s", side(add.side), add.added_duration.map_or(0, |span| span.seconds))
        }
        Act::DeductTime(take) => {
            format!(
                "takes {} s from {}",
                take.deducted_duration.map_or(0, |span| span.seconds),
                side(take.side)
            )
        }
        Act::Pause(_) => "stops the game for a while".to_owned(),
        Act::Resume(_) => "lets the game go on".to_owned(),
        Act::VoidMoves(void) => format!("makes every move after {} void", void.ply),
        Act::CorrectColours(_) => "has the players change sides".to_owned(),
        Act::NoteColours(_) => "notes that the colours were mixed up".to_owned(),
        Act::RepeatAnnouncement(_) => "has the count repeated".to_owned(),
        Act::Confirm(_) => "confirms the result".to_owned(),
        Act::Declare(declare) => format!("declares {}", declared(declare.result(), sides)),
        Act::Annul(_) => "annuls the game".to_owned(),
        Act::DecideClaim(answer) => decided("claim", answer.claim, answer.upheld),
        Act::DecideAppeal(answer) => decided("the appeal in claim", answer.claim, answer.upheld),
        Act::BeginSealing(_) => "has the next move sealed".to_owned(),
        Act::SetResumption(_) => "sets when the game goes on".to_owned(),
        Act::RuleOnSealed(_) => "rules on the sealed move".to_owned(),
    };
    Some(format!("{} {done} ({})", sanitize(official), sanitize(&ruling.reason)))
}

/// What follows from an incident, in words that end a sentence; nothing if nothing does.
pub(super) fn consequence(incident: &Incident) -> String {
    let Some(decision) = incident.decision else { return String::new() };
    let remedy = match decision.remedy() {
        Remedy::Void => Some("the move is void"),
        Remedy::Pass => Some("it counts as a pass"),
        Remedy::Restored => Some("the stones go back"),
        Remedy::Stands => Some("it stands"),
        Remedy::ReasonablePoint => Some("the stone goes to a reasonable point"),
        Remedy::Rebuilt => Some("the position is set up again"),
        Remedy::FreeChoice => Some("the stone may be played anywhere"),
        Remedy::Reported => Some("the committee is told"),
        Remedy::Draw => Some("it is a draw"),
        Remedy::Replay => Some("the game is replayed"),
        Remedy::Nothing | Remedy::Unspecified => None,
    };
    let sanction = match decision.sanction() {
        Sanction::Admonition => Some("an admonition"),
        Sanction::Warning => Some("a warning"),
        Sanction::Violation => Some("a violation"),
        Sanction::Loss => Some("the game is lost"),
        Sanction::Nothing | Sanction::Unspecified => None,
    };
    let both: Vec<_> = remedy.into_iter().chain(sanction).collect();
    if both.is_empty() { String::new() } else { format!(": {}", both.join(", ")) }
}

/// One sentence about a time that is over.
pub(super) fn expiry(expiry: Expiry) -> Option<String> {
    Some(match expiry.expiry? {
        Ending::Claim(claim) => format!("the decision of claim {} is final", claim.claim),
        Ending::Contest(_) => "the time to contest the result is over".to_owned(),
    })
}

fn declared(declared: DeclaredResult, sides: &Sides) -> String {
    match declared {
        DeclaredResult::Draw => "a draw".to_owned(),
        DeclaredResult::FirstLoses => format!("that {} loses", sides.name(Side::First)),
        DeclaredResult::SecondLoses => format!("that {} loses", sides.name(Side::Second)),
        DeclaredResult::BothLose => "that both lose".to_owned(),
        DeclaredResult::Replay => "that the game is replayed".to_owned(),
        DeclaredResult::Unspecified => "a result".to_owned(),
    }
}

fn decided(what: &str, claim: u32, upheld: bool) -> String {
    format!("{} {what} {claim}", if upheld { "upholds" } else { "rejects" })
}

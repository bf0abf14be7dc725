//! What the event of a game is told of beside its result: calls for an arbiter, incidents, claims and appeals.

use chassis::id::{EventId, GameId};
use rules::{IncidentKind, Sanction, Side};

use super::{Event, EventKind, Game, OfficialAct, Petition};

/// Something that happened in a game of an event, by how its players were seated when it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventNotice {
    /// The event.
    pub event: EventId,
    /// The game.
    pub game: GameId,
    /// The number of the event of its log that this follows from.
    pub sequence: u64,
    /// What.
    pub matter: NoticeMatter,
    /// The number of the call, claim or incident within the game.
    pub number: u32,
    /// Who is accused, calls or claims.
    pub side: Option<Side>,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeMatter {
    /// A player calls an arbiter.
    Call,
    /// His call is answered.
    CallAnswered,
    /// An incident was recorded and decided.
    Incident(IncidentKind, Sanction),
    /// A player files a claim.
    Claim,
    /// A claim is decided.
    ClaimDecided,
    /// A decision is appealed against.
    Appeal,
    /// An appeal is decided.
    AppealDecided,
}

/// What the event of a game is told of once this event of its log is written.
pub(super) fn event_notice(game: &Game, event: &Event) -> Option<EventNotice> {
    let (matter, number, side) = noticed(event)?;
    let swapped = event.state.progress.arbitration.seats_swapped;
    Some(EventNotice {
        event: game.info.regulations.event?,
        game: game.info.id,
        sequence: event.sequence,
        matter,
        number,
        side: side.map(|side| if swapped { side.other() } else { side }),
    })
}

fn noticed(event: &Event) -> Option<(NoticeMatter, u32, Option<Side>)> {
    let arbitration = &event.state.progress.arbitration;
    let author = event.by.side();
    if let Some(incident) = event.kind.incident() {
        let matter = NoticeMatter::Incident(incident.kind, incident.decision.sanction);
        return Some((matter, incident.number, incident.accused));
    }
    match &event.kind {
        EventKind::Petitioned(Petition::CallArbiter(_)) => {
            Some((NoticeMatter::Call, arbitration.calls_made.iter().sum(), author))
        }
        EventKind::Petitioned(Petition::FileClaim(_)) => {
            Some((NoticeMatter::Claim, arbitration.claims.last()?.number, author))
        }
        EventKind::Petitioned(Petition::Appeal { claim, .. }) => Some((NoticeMatter::Appeal, *claim, author)),
        EventKind::Ruled(ruling) => match &ruling.act {
            OfficialAct::AnswerCall(number) => Some((NoticeMatter::CallAnswered, *number, None)),
            OfficialAct::DecideClaim(answer) => Some((NoticeMatter::ClaimDecided, answer.claim, None)),
            OfficialAct::DecideAppeal(answer) => Some((NoticeMatter::AppealDecided, answer.claim, None)),
            _ => None,
        },
        _ => None,
    }
}

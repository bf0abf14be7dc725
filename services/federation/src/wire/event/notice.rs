//! What happened in games, from the game service.

use api::{ProtoEnum as _, federation::v1 as pb, reason};
use chassis::id::{EventId, GameId};
use rules::{IncidentKind, Side};

use crate::core::event::{Matter, Notice, Sanction};

/// What a game tells, by the sides of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoticeReport {
    /// Of which event.
    pub event: EventId,
    /// Which game.
    pub game: GameId,
    /// Who is accused, calls or claims.
    pub side: Option<Side>,
    /// The rest; it names no player yet.
    pub notice: Notice,
}

impl TryFrom<pb::NoteGameRequest> for NoticeReport {
    type Error = api::Error;

    fn try_from(it: pb::NoteGameRequest) -> Result<NoticeReport, api::Error> {
        let unknown = |field| api::Error::invalid(reason::UNKNOWN_VALUE, field, "there is no such value");
        let matter = Matter::of(it.matter).filter(|matter| *matter != Matter::LateResult);
        let matter = matter.ok_or_else(|| unknown("matter"))?;
        let incident = if matter == Matter::Incident {
            let kind = IncidentKind::of(it.kind).ok_or_else(|| unknown("kind"))?;
            Some((kind, sanction(it.sanction).ok_or_else(|| unknown("sanction"))?))
        } else {
            None
        };
        let (game_sequence, number) = (it.sequence, it.number);
        Ok(NoticeReport {
            event: EventId::parse(&it.event_id, "event_id")?,
            game: GameId::parse(&it.game_id, "game_id")?,
            side: Side::of(it.side),
            notice: Notice { matter, game_sequence, number, player: None, incident },
        })
    }
}

/// A sanction of a game, in its event.
fn sanction(number: i32) -> Option<Sanction> {
    Some(match rules::Sanction::of(number)? {
        rules::Sanction::Nothing => Sanction::Nothing,
        rules::Sanction::Admonition => Sanction::Admonition,
        rules::Sanction::Warning => Sanction::Warning,
        rules::Sanction::Violation => Sanction::Violation,
        rules::Sanction::Loss => Sanction::Loss,
    })
}

//! How seasons ended, as it is told, stored and hashed.

use std::collections::BTreeMap;

use api::{DecodeError, ProtoEnum as _, federation::v1 as pb, proto_enum};
use chassis::id::MemberId;
use sha2::{Digest as _, Sha256};

use super::season::{entrant, id, tie_of, tie_told};
use crate::core::{
    event::fact::Digest,
    league::{EntrantId, FinalLine, FinalTable, Move, Outcome, PlayOffEnd},
};

proto_enum!(Move = pb::SeasonMove { Stays, Up, Down });

/// What every hash of an outcome begins with, so that it is that of nothing else.
const LABEL: &[u8] = b"shoutan-federation/1/season-outcome\0";

/// The hash of an outcome, by its bytes.
pub(crate) fn digest(bytes: &[u8]) -> Digest {
    Sha256::new_with_prefix(LABEL).chain_update(bytes).finalize().into()
}

impl From<&Outcome> for pb::SeasonOutcome {
    fn from(it: &Outcome) -> pb::SeasonOutcome {
        // Before it is known who plays where next nobody has moved.
        let moves = if it.next.is_empty() { BTreeMap::new() } else { it.moves() };
        let table = |(at, table): (u32, &FinalTable)| pb::DivisionOutcome {
            division: at,
            event_id: table.event.to_string(),
            event_sequence: table.sequence,
            event_hash: table.hash.to_vec(),
            lines: table.lines.iter().map(|line| told_line(line, &moves)).collect(),
            next_entrant_ids: next_of(it, at).iter().map(ToString::to_string).collect(),
        };
        let play_off = |it: &PlayOffEnd| pb::PlayOffOutcome {
            play_off: Some(tie_told(&it.tie, it.event)),
            event_sequence: it.sequence,
            event_hash: it.hash.to_vec(),
            upper_holds: it.upper_holds,
        };
        pb::SeasonOutcome {
            divisions: (1..).zip(&it.tables).map(table).collect(),
            play_offs: it.play_offs.iter().map(play_off).collect(),
        }
    }
}

fn next_of(outcome: &Outcome, division: u32) -> &[EntrantId] {
    let at = (division as usize).saturating_sub(1);
    outcome.next.get(at).map_or(&[], Vec::as_slice)
}

fn told_line(line: &FinalLine, moves: &BTreeMap<EntrantId, Move>) -> pb::OutcomeLine {
    pb::OutcomeLine {
        entrant_id: line.entrant.to_string(),
        place: line.place,
        points: line.points,
        withdrawn: line.withdrawn,
        r#move: moves.get(&line.entrant).copied().number(),
        games: line.games.iter().map(|(member, games)| (member.to_string(), *games)).collect(),
    }
}

impl TryFrom<pb::SeasonOutcome> for Outcome {
    type Error = DecodeError;

    fn try_from(it: pb::SeasonOutcome) -> Result<Outcome, DecodeError> {
        let next = it.divisions.iter().map(|it| it.next_entrant_ids.iter().map(|id| entrant(id)).collect());
        let next: Vec<Vec<EntrantId>> = next.collect::<Result<_, _>>()?;
        let next = if next.iter().all(Vec::is_empty) { Vec::new() } else { next };
        Ok(Outcome {
            tables: it.divisions.iter().map(table).collect::<Result<_, _>>()?,
            play_offs: it.play_offs.into_iter().map(play_off).collect::<Result<_, _>>()?,
            next,
        })
    }
}

fn table(it: &pb::DivisionOutcome) -> Result<FinalTable, DecodeError> {
    Ok(FinalTable {
        event: id(&it.event_id)?,
        sequence: it.event_sequence,
        hash: hash(&it.event_hash)?,
        lines: it.lines.iter().map(line).collect::<Result<_, _>>()?,
    })
}

fn line(it: &pb::OutcomeLine) -> Result<FinalLine, DecodeError> {
    let games = it.games.iter().map(|(member, games)| Ok((id::<MemberId>(member)?, *games)));
    Ok(FinalLine {
        entrant: entrant(&it.entrant_id)?,
        place: it.place,
        points: it.points,
        withdrawn: it.withdrawn,
        games: games.collect::<Result<_, DecodeError>>()?,
    })
}

fn play_off(it: pb::PlayOffOutcome) -> Result<PlayOffEnd, DecodeError> {
    let (tie, event) = tie_of(&it.play_off.ok_or(DecodeError("a play-off"))?)?;
    Ok(PlayOffEnd {
        tie,
        event,
        sequence: it.event_sequence,
        hash: hash(&it.event_hash)?,
        upper_holds: it.upper_holds,
    })
}

fn hash(bytes: &[u8]) -> Result<Digest, DecodeError> {
    bytes.try_into().map_err(|_| DecodeError("a hash"))
}

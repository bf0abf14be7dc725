//! Rounds of a knock-out after several losses: players are grouped by the lives they have left instead of by points.

use core::ops::ControlFlow;

use super::{
    Input, PairingError, Round, bye,
    field::{Field, Float},
    pool, round,
};
use crate::{Entry, Player, Relaxed, ResultCode};

/// Whether an entry has cost a life.
pub(crate) const fn is_lost(entry: &Entry) -> bool {
    matches!(entry.code, ResultCode::Loss | ResultCode::ForfeitLoss | ResultCode::DoubleForfeit)
}

/// Lives that are left before a round.
pub(crate) fn lives_before(player: &Player, lives: u32, round: u16) -> u32 {
    let lost = player.history.iter().filter(|it| it.round < round && is_lost(it)).count();
    lives.saturating_sub(crate::count(lost))
}

/// Pairs a round among those who have a life left, with as little lifted as can be. Where nothing less than rematches
/// helps, all are one pool, with as few rematches as can be.
pub(crate) fn pair(input: &Input, lives: u32) -> Result<Round, PairingError> {
    input.validate()?;
    let mut input = input.clone();
    let mut made = Err(PairingError::TooFewPlayers(0));
    for relaxed in Relaxed::ALL {
        input.settings.relaxed = *relaxed;
        made = attempt(&input, lives);
        if !matches!(made, Err(PairingError::NoLegalPairing(_) | PairingError::NoBye(_))) {
            break;
        }
    }
    made
}

fn attempt(input: &Input, lives: u32) -> Result<Round, PairingError> {
    let mut field = field(input, lives);
    if field.candidates.len() < 2 {
        return Err(PairingError::TooFewPlayers(field.candidates.len()));
    }
    let mut out = Vec::new();
    if let Some(free) = bye::choose(&field)? {
        out.push(super::Out { number: field.candidates[free].number, code: ResultCode::Pab });
        field.candidates.remove(free);
    }
    let pools = if input.settings.relaxed >= Relaxed::Rematches {
        pool::solve_as_one(&field)?
    } else {
        pool::solve(&field, &mut |_| ControlFlow::Continue(()))?
    };
    Ok(round::assemble(input, &field, &pools, out))
}

/// The candidates with lives for points, those without any left out.
fn field(input: &Input, lives: u32) -> Field<'_> {
    let mut field = Field::of(input);
    let find = |number| {
        let at = input.players.binary_search_by_key(&number, |it| it.number).ok()?;
        Some(&input.players[at])
    };
    let float = |player: &Player, back: u16| {
        let entry = player.entry(input.round.checked_sub(back)?)?;
        if entry.code == ResultCode::Pab {
            return Some(Float::Down);
        }
        let of = |it: &Player| lives_before(it, lives, entry.round);
        match of(player).cmp(&of(find(entry.opponent?)?)) {
            core::cmp::Ordering::Greater => Some(Float::Down),
            core::cmp::Ordering::Less => Some(Float::Up),
            core::cmp::Ordering::Equal => None,
        }
    };
    for candidate in &mut field.candidates {
        let player = find(candidate.number);
        candidate.points = player.map_or(0, |it| lives_before(it, lives, input.round));
        candidate.floats = [1, 2].map(|back| float(player?, back));
    }
    field.candidates.retain(|it| it.points > 0);
    // A stable sort: whoever has as many lives stays in the order of numbers, or of the draw.
    field.candidates.sort_by_key(|it| core::cmp::Reverse(it.points));
    field
}

//! Going back: the acts of a log that still stand, and the positions they lead to.

use rules::{Author, RuleSet};

use super::{Corrupt, Event, GameInfo, Played};

/// The acts of a log that still stand, in order: those that were not taken back or made void.
pub fn effective_acts<'a>(log: impl IntoIterator<Item = &'a Event>) -> Vec<&'a Played> {
    let mut acts = Vec::new();
    for event in log {
        if let Some(played) = event.kind.played() {
            acts.push(played);
        } else if let Some(ply) = event.kind.goes_back_to() {
            acts.truncate(usize::try_from(ply).unwrap_or(usize::MAX));
        }
    }
    acts
}

/// Whether everything after a ply is known to everybody and was done by the players, so that it can be taken
/// back without anybody having learnt what he should not know.
pub(super) fn is_plain_since(log: &[Event], ply: u32) -> bool {
    effective_acts(log).into_iter().skip(usize::try_from(ply).unwrap_or(usize::MAX)).all(|played| {
        matches!(played.author, Author::Side(_)) && played.sealed.is_none() && played.revealed.is_empty()
    })
}

/// The position before anything was played.
///
/// # Errors
/// When there is no such game.
pub(super) fn start(info: &GameInfo) -> Result<Box<dyn rules::Game>, String> {
    let rule_set = RuleSet { id: info.rule_set.clone(), options: info.options.clone() };
    (info.variant.start)(&rule_set).map_err(|error| error.to_string())
}

/// The position at a ply of what still stands of a log.
///
/// # Errors
/// When the log does not replay.
pub(super) fn position_at(info: &GameInfo, log: &[Event], ply: u32) -> Result<Box<dyn rules::Game>, Corrupt> {
    let acts = effective_acts(log).into_iter().map(|played| (played.author, played.whole()));
    position_of(info, acts, ply)
}

/// The position at a ply of acts that stand.
///
/// # Errors
/// When the rules refuse one.
pub(super) fn position_of<'a>(
    info: &GameInfo,
    acts: impl Iterator<Item = (Author, &'a str)>,
    ply: u32,
) -> Result<Box<dyn rules::Game>, Corrupt> {
    let corrupt = |detail: String| Corrupt { sequence: 1, detail };
    let mut position = start(info).map_err(corrupt)?;
    for (author, text) in acts.take(usize::try_from(ply).unwrap_or(usize::MAX)) {
        position.act(author, text).map_err(|refusal| corrupt(refusal.to_string()))?;
    }
    Ok(position)
}

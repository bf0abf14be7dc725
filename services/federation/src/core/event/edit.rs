//! Changes of a round that was paired and is not public yet, by the chief arbiter.

use pairing::{Number, ResultCode};

use super::{Refusal, fact::PublishedRound};

/// A change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingEdit {
    /// Two change their places, of whom one may be without a game.
    Swap(Number, Number),
    /// The colours of a table are turned.
    Turn(u32),
}

/// Changes a draft, and notes what was changed and why. What was said of the pairs that are no more is left out.
///
/// # Errors
/// When somebody is not in the round, or two would change who already meet, or who both have no game.
pub fn edit(draft: &mut PublishedRound, edits: &[PairingEdit], reason: &str) -> Result<(), Refusal> {
    // Where teams meet, what is edited is their matches.
    let of_teams = !draft.matches.is_empty();
    if of_teams {
        core::mem::swap(&mut draft.boards, &mut draft.matches);
    }
    let edited = edit_boards(draft, edits, reason);
    if of_teams {
        core::mem::swap(&mut draft.boards, &mut draft.matches);
    }
    edited
}

fn edit_boards(draft: &mut PublishedRound, edits: &[PairingEdit], reason: &str) -> Result<(), Refusal> {
    for change in edits {
        let text = match *change {
            PairingEdit::Swap(one, other) => {
                swap(draft, one, other)?;
                format!("{one} and {other} changed places")
            }
            PairingEdit::Turn(table) => {
                turn(draft, table)?;
                format!("the colours of table {table} were turned")
            }
        };
        draft.edits.push(format!("{text}: {reason}"));
    }
    Ok(())
}

/// Where somebody is in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Board(usize, usize),
    Out(usize),
}

fn find(draft: &PublishedRound, number: Number) -> Result<Place, Refusal> {
    let seat = |(at, board): (usize, &super::Board)| {
        let side = board.players.iter().position(|it| *it == number)?;
        Some(Place::Board(at, side))
    };
    let at_board = draft.boards.iter().enumerate().find_map(seat);
    let out = || draft.out.iter().position(|(it, _)| *it == number).map(Place::Out);
    at_board.or_else(out).ok_or_else(|| Refusal::Pairing(format!("{number} is not in the round")))
}

fn swap(draft: &mut PublishedRound, one: Number, other: Number) -> Result<(), Refusal> {
    let refuse = |why: &str| Err(Refusal::Pairing(format!("{one} and {other} {why}")));
    // Who is in which place of a bracket follows from what was decided, and not from the boards.
    if draft.boards.iter().any(|board| board.place.is_some()) {
        return refuse("have their places in the bracket");
    }
    if draft.play_off {
        return refuse("meet in a play-off whom they share a place with");
    }
    // Who is away, or has asked for a bye, gives it to nobody.
    let is_free = |at: usize| draft.out.get(at).is_some_and(|(_, code)| *code == ResultCode::Pab);
    match (find(draft, one)?, find(draft, other)?) {
        (Place::Out(_), Place::Out(_)) => return refuse("both have no game"),
        (Place::Board(a, _), Place::Board(b, _)) if a == b => return refuse("meet each other"),
        (Place::Board(a, side), Place::Board(b, other_side)) => {
            draft.boards[a].players[side] = other;
            draft.boards[b].players[other_side] = one;
            draft.boards[a].reasons.clear();
            draft.boards[b].reasons.clear();
        }
        (Place::Board(..), Place::Out(at)) | (Place::Out(at), Place::Board(..)) if !is_free(at) => {
            return refuse("do not change places: one is away, or has asked for a bye");
        }
        (Place::Board(a, side), Place::Out(at)) => {
            draft.boards[a].players[side] = other;
            draft.boards[a].reasons.clear();
            draft.out[at].0 = one;
        }
        (Place::Out(at), Place::Board(b, side)) => {
            draft.boards[b].players[side] = one;
            draft.boards[b].reasons.clear();
            draft.out[at].0 = other;
        }
    }
    draft.out.sort_unstable_by_key(|(number, _)| *number);
    Ok(())
}

fn turn(draft: &mut PublishedRound, table: u32) -> Result<(), Refusal> {
    let board = draft.boards.iter_mut().find(|board| board.table == table);
    let board = board.ok_or_else(|| Refusal::Pairing(format!("there is no table {table}")))?;
    if !board.coloured {
        return Err(Refusal::Pairing("the game decides on the colours".to_owned()));
    }
    board.players.reverse();
    Ok(())
}

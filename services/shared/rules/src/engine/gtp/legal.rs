//! Which points a side may play.

use super::{Answered, Gtp, syntax};
use crate::{Side, prelude::*};

pub(super) fn is_legal(gtp: &Gtp, words: &[&str]) -> Answered {
    let [colour, vertex] = words else { return Err(syntax("a colour and a vertex")) };
    let (side, vertex) = (gtp.side(colour)?, checked_vertex(vertex)?);
    let legal = gtp.engine.clone().play_any(side, vertex).is_ok();
    Ok(u8::from(legal).to_string())
}

pub(super) fn all_legal(gtp: &Gtp, words: &[&str]) -> Answered {
    let [colour] = words else { return Err(syntax("a colour")) };
    Ok(legal_points(gtp, gtp.side(colour)?).join(" "))
}

/// The legal moves of a side as if it were its turn, the pass among them.
pub(super) fn legal_points(gtp: &Gtp, side: Side) -> Vec<String> {
    let mut game = gtp.engine.game().boxed_clone();
    if !game.actors().include(side) || game.hints(side).iter().all(|hint| hint.text != "pass") {
        game.give_turn(side);
    }
    let hints = game.hints(side).into_iter().map(|hint| hint.text);
    hints.filter(|text| checked_vertex(&text.as_str()).is_ok()).collect()
}

/// GTP knows no other moves than points and passes.
pub(super) fn checked_vertex<'a>(word: &'a &str) -> Result<&'a str, String> {
    let is_point = matches!(word.as_bytes(),
        [letter, digits @ ..] if letter.is_ascii_alphabetic()
            && (1..=2).contains(&digits.len())
            && digits.iter().all(u8::is_ascii_digit));
    if is_point || word.eq_ignore_ascii_case("pass") { Ok(word) } else { Err(syntax("a vertex")) }
}

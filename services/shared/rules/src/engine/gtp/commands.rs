//! The table of commands, and those that only look or play.

use super::{
    super::{Host, render},
    Answered, Gtp, NAME, files, genmove, handicap, illegal,
    legal::{all_legal, checked_vertex, is_legal, legal_points},
    rules, syntax,
};
use crate::{Act, Game, Side, StoneColour, prelude::*, rows};

type Handler = fn(&mut Gtp, &[&str], &mut dyn Host) -> Answered;

/// Every command with what carries it out, in alphabetical order.
pub(super) const COMMANDS: &[(&str, Handler)] = &[
    ("all_legal", |gtp, words, _| all_legal(gtp, words)),
    ("boardsize", |gtp, words, _| rules::boardsize(gtp, words)),
    ("captures", |gtp, words, _| captures(gtp, words)),
    ("clear_board", |gtp, _, _| rules::clear_board(gtp)),
    ("color", |gtp, words, _| colour(gtp, words)),
    ("final_score", |gtp, _, _| final_score(gtp)),
    ("final_status_list", |gtp, words, _| final_status_list(gtp, words)),
    ("fixed_handicap", |gtp, words, _| handicap::fixed(gtp, words)),
    ("genmove", genmove::genmove),
    ("get_komi", |gtp, _, _| Ok(rules::komi_points(gtp))),
    ("gg-undo", |gtp, words, _| undo(gtp, words)),
    ("gogui-rules_board", |gtp, _, _| Ok(gogui_board(gtp))),
    ("gogui-rules_board_size", |gtp, _, _| Ok(gtp.size().to_string())),
    ("gogui-rules_final_result", |gtp, _, _| final_score(gtp)),
    ("gogui-rules_game_id", |gtp, _, _| Ok(gtp.engine.variant().name().into())),
    ("gogui-rules_legal_moves", |gtp, _, _| Ok(gogui_legal_moves(gtp))),
    ("gogui-rules_side_to_move", |gtp, _, _| Ok(side_to_move(gtp))),
    ("is_legal", |gtp, words, _| is_legal(gtp, words)),
    ("kgs-game_over", |_, _, _| Ok(String::new())),
    ("kgs-genmove_cleanup", genmove::genmove),
    ("kgs-rules", |gtp, words, _| rules::kgs_rules(gtp, words)),
    ("kgs-time_settings", |_, words, _| rules::kgs_time_settings(words)),
    ("known_command", |_, words, _| Ok(names().any(|name| words.first() == Some(&name)).to_string())),
    ("komi", |gtp, words, _| rules::komi(gtp, words)),
    ("last_move", |gtp, _, _| last_move(gtp)),
    ("list_commands", |_, _, _| Ok(names().collect::<Vec<_>>().join("\n"))),
    ("list_stones", |gtp, words, _| list_stones(gtp, words)),
    ("loadsgf", files::loadsgf),
    ("move_history", |gtp, _, _| Ok(move_history(gtp))),
    ("name", |_, _, _| Ok(NAME.into())),
    ("place_free_handicap", |gtp, words, _| handicap::place_free(gtp, words)),
    ("play", |gtp, words, _| play(gtp, words)),
    ("printsgf", |gtp, _, _| Ok(gtp.engine.record())),
    ("protocol_version", |_, _, _| Ok("2".into())),
    ("query_boardsize", |gtp, _, _| Ok(gtp.size().to_string())),
    ("quit", |gtp, _, _| {
        gtp.ended = true;
        Ok(String::new())
    }),
    ("reg_genmove", genmove::reg_genmove),
    ("set_free_handicap", |gtp, words, _| handicap::set_free(gtp, words)),
    ("shoutan-act", |gtp, words, _| act(gtp, words)),
    ("shoutan-rules", |gtp, words, _| rules::shoutan_rules(gtp, words)),
    ("showboard", |gtp, _, _| Ok(format!("\n{}", render(gtp.engine.game())))),
    ("time_left", |gtp, words, _| rules::time_left(gtp, words)),
    ("time_settings", |_, words, _| rules::time_settings(words)),
    ("undo", |gtp, _, _| undo(gtp, &[])),
    ("version", |_, _, _| Ok(env!("CARGO_PKG_VERSION").into())),
];

fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, _)| *name)
}

fn play(gtp: &mut Gtp, words: &[&str]) -> Answered {
    let [colour, vertex] = words else { return Err(syntax("a colour and a vertex")) };
    let side = gtp.side(colour)?;
    gtp.engine.play_any(side, checked_vertex(vertex)?).map_err(|failure| illegal(&failure))?;
    Ok(String::new())
}

/// Any act of the variant, as the engine protocol has it.
fn act(gtp: &mut Gtp, words: &[&str]) -> Answered {
    let Some((colour, words)) = words.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return Err(syntax("a colour and an act"));
    };
    let side = gtp.side(colour)?;
    let played = gtp.engine.play_any(side, &words.join(" ")).map_err(|failure| illegal(&failure))?;
    Ok(played.text)
}

fn undo(gtp: &mut Gtp, words: &[&str]) -> Answered {
    let count = words.first().map_or(Ok(1), |word| word.parse().map_err(|_| syntax("a number")))?;
    gtp.engine.undo(count).map_err(|_| String::from("cannot undo"))?;
    Ok(String::new())
}

fn colour(gtp: &Gtp, words: &[&str]) -> Answered {
    let [vertex] = words else { return Err(syntax("a vertex")) };
    let vertex = vertex.to_ascii_uppercase();
    for (owner, name) in [(None, "empty"), (Some(Side::First), "first"), (Some(Side::Second), "second")] {
        if gtp.points(owner).contains(&vertex) {
            return Ok(owner.map_or(name.into(), |side| colour_name(gtp, side)));
        }
    }
    Err(syntax("a vertex"))
}

fn colour_name(gtp: &Gtp, side: Side) -> String {
    gtp.engine.game().colour_drawn(side).name().to_ascii_lowercase()
}

fn list_stones(gtp: &Gtp, words: &[&str]) -> Answered {
    let [colour] = words else { return Err(syntax("a colour")) };
    Ok(gtp.points(Some(gtp.side(colour)?)).join(" "))
}

fn captures(gtp: &Gtp, words: &[&str]) -> Answered {
    let [colour] = words else { return Err(syntax("a colour")) };
    let fact = ["captures-first", "captures-second"][gtp.side(colour)?.index()];
    let facts = gtp.engine.game().view(crate::Viewer::Spectator).facts;
    let found = facts.into_iter().find(|(name, _)| *name == fact);
    found.map(|(_, value)| value).ok_or_else(|| "captures are not counted".into())
}

fn last_move(gtp: &Gtp) -> Answered {
    let act = gtp.engine.acts().last().ok_or("no previous move known")?;
    Ok(written(gtp, act))
}

/// An act with whose it is.
fn written(gtp: &Gtp, act: &Act) -> String {
    let by = act.side().map_or_else(|| act.author.name().into(), |side| colour_name(gtp, side));
    format!("{by} {}", act.text)
}

fn move_history(gtp: &Gtp) -> String {
    let acts = gtp.engine.acts().iter().rev();
    acts.map(|act| written(gtp, act)).collect::<Vec<_>>().join("\n")
}

fn final_score(gtp: &Gtp) -> Answered {
    let score = gtp.engine.game().score();
    score.map(|score| score.points).ok_or_else(|| "cannot score".into())
}

/// What stands proposed as dead is dead, or off the board already; where nothing does, what is suggested. Nothing is
/// called seki.
fn final_status_list(gtp: &Gtp, words: &[&str]) -> Answered {
    let view = proposed(gtp).view(crate::Viewer::Spectator);
    let is_dead = |at| view.marks.iter().any(|mark| mark.at == at && mark.kind == "dead");
    let stones = view.stones.iter().map(|stone| stone.at);
    let name = |at| gtp.engine.game().point_name(at);
    match words {
        ["alive"] => Ok(stones.filter(|at| !is_dead(*at)).map(name).collect::<Vec<_>>().join(" ")),
        ["dead"] => Ok(stones.filter(|at| is_dead(*at)).map(name).collect::<Vec<_>>().join(" ")),
        ["seki"] => Ok(String::new()),
        _ => Err(syntax("alive, dead or seki")),
    }
}

/// The game with a proposal: the one that stands, or else the one that is suggested, if any is.
fn proposed(gtp: &Gtp) -> Box<dyn Game> {
    let mut game = gtp.engine.game().boxed_clone();
    let facts = game.view(crate::Viewer::Spectator).facts;
    if facts.iter().any(|(name, _)| *name == "proposal") {
        return game;
    }
    if let (Some(act), Some(side)) = (game.suggestion(), game.on_clock()) {
        // A refusal leaves the game as it was, with nothing proposed.
        let _ = game.play(side, &act);
    }
    game
}

fn side_to_move(gtp: &Gtp) -> String {
    gtp.engine.game().on_clock().map_or_else(String::new, |side| colour_name(gtp, side))
}

fn gogui_legal_moves(gtp: &Gtp) -> String {
    let side = gtp.engine.game().on_clock();
    side.map_or_else(String::new, |side| legal_points(gtp, side).join(" ").replace("pass", "PASS"))
}

/// Rows of `X`, `O` and `.` with blanks between them, as gogui draws a board.
fn gogui_board(gtp: &Gtp) -> String {
    let sign = |colour| if colour == StoneColour::Black { 'X' } else { 'O' };
    let apart = |row: String| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
    rows(gtp.engine.game(), sign).into_iter().map(apart).collect::<Vec<_>>().join("\n")
}

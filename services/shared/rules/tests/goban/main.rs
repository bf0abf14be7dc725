//! What holds of every game on a Go board: behind the frame, and in records.

#[path = "../support/dice.rs"]
#[expect(dead_code, reason = "here the dice draw numbers alone")]
mod dice;
#[path = "../support/follow.rs"]
mod follow;
mod frame;
#[path = "../tianyi/play.rs"]
#[expect(dead_code, reason = "here the dice play alone")]
mod play;
mod sgf;

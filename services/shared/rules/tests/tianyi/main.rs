//! The rules of Tianyi Go: the draw against another program, the placement counted out, the count against worked
//! positions, and what nobody may know before its time.

#[path = "../support/dice.rs"]
#[expect(dead_code, reason = "here the dice draw numbers alone")]
mod dice;
#[path = "../support/follow.rs"]
mod follow;
mod play;
#[path = "../go/shared.rs"]
mod shared;
mod tianyi_bids;
mod tianyi_design;
mod tianyi_draw;
mod tianyi_ends;
mod tianyi_laws;
mod tianyi_placement;
mod tianyi_score;
mod tianyi_secrets;

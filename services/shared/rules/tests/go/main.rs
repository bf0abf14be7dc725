//! The rules of Go against a slow reference, against worked positions and against recorded games.

#[path = "../support/dice.rs"]
mod dice;
#[path = "../support/follow.rs"]
mod follow;
mod go_board;
mod go_conformance;
mod go_counts;
mod go_dead;
mod go_frame;
mod go_perft;
mod go_positions;
mod go_records;
mod go_rules;
mod go_sgf;
mod index;
#[path = "../perft/file.rs"]
mod perft_file;
mod reference;
mod shared;

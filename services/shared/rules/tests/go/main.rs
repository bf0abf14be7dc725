//! The rules of Go against a slow reference, against worked positions and against recorded games.

#[path = "../support/dice.rs"]
mod dice;
mod go_board;
mod go_conformance;
mod go_counts;
mod go_dead;
mod go_perft;
mod go_positions;
mod go_records;
mod go_rules;
mod index;
#[path = "../perft/file.rs"]
mod perft_file;
mod reference;
mod shared;

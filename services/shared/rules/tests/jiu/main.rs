//! Jiu against its source: the printed game, hand-made positions for every rule, laws over random games, and a
//! second, naive implementation of the rules.

#[path = "../support/dice.rs"]
mod dice;
mod jiu_endings;
mod jiu_formations;
mod jiu_frame;
mod jiu_laws;
mod jiu_oracle;
mod jiu_perft;
mod jiu_records;
mod jiu_renqing;
mod jiu_turns;
mod naive;
#[path = "../perft/file.rs"]
mod perft_file;
mod play;

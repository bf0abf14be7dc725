//! Jirige against its worked examples, laws over random games, and a second, naive implementation of the rules.

#[path = "../support/dice.rs"]
mod dice;
mod example;
mod jirige_examples;
mod jirige_frame;
mod jirige_laws;
mod jirige_oracle;
mod jirige_perft;
mod jirige_records;
mod jirige_rules;
mod naive;
mod play;
mod runner;

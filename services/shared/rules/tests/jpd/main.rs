//! Ji Ping Dian Go against a slow model, against the author's examples and against worked positions.

#[path = "../support/dice.rs"]
mod dice;
#[path = "../go/index.rs"]
mod index;
mod jpd_acts;
mod jpd_agreement;
mod jpd_article_38;
mod jpd_counting;
mod jpd_end;
mod jpd_example;
mod jpd_facts;
mod jpd_perft;
mod jpd_positions;
mod jpd_scripts;
mod naive;
mod play;
#[path = "../go/reference.rs"]
#[expect(dead_code, reason = "the model of Go has parts of its own besides the board that is used here")]
mod reference;
#[path = "../go/shared.rs"]
mod shared;

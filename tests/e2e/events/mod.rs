//! Events of federations by script, through the public API, on the real processes: who takes part, what is played and
//! what the rules make of it is laid down here, and the tables are held to what follows from the printed rules.

mod appeal;
mod audited;
mod captains;
mod colours;
mod demo;
mod formats;
mod kills;
mod league;
mod presence;
mod rules;
mod script;
mod secrets;
mod swiss;
mod table;
mod team_script;
mod teams;
mod terminal;

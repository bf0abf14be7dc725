//! What federation decides. Everything here is a function of its arguments; time and chance are passed in.

pub mod application;
pub mod club;
pub mod day;
pub mod document;
pub mod event;
pub mod federation;
pub mod file;
pub mod held;
pub mod import;
pub mod import_plan;
pub mod invitation;
pub mod league;
pub mod limits;
pub mod member;
pub mod name;
pub mod notice;
pub mod official;
pub mod permit;
pub mod proxy;
pub mod rating_list;
pub mod refusal;
pub mod roster;
pub mod rows;
pub mod stay;
pub mod team;
pub mod title;

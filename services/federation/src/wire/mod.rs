//! Between protos and the types of `core`.

pub(crate) mod attempt;
pub(crate) mod calendar;
pub(crate) mod club;
pub(crate) mod document;
pub(crate) mod event;
pub(crate) mod exchange;
pub(crate) mod federation;
pub(crate) mod fields;
pub(crate) mod file;
pub(crate) mod import;
pub(crate) mod joining;
pub(crate) mod language;
pub(crate) mod league;
pub(crate) mod member;
pub(crate) mod member_accounts;
pub(crate) mod notice;
pub(crate) mod office;
pub(crate) mod person;
pub(crate) mod rating_list;
pub(crate) mod report;
pub(crate) mod team;
pub(crate) mod title;

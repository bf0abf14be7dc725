//! The tables of leagues and their seasons.

pub(crate) mod act;
#[expect(clippy::module_inception, reason = "the file of a table has the name of what it keeps")]
pub(crate) mod league;
pub(crate) mod migration;
pub(crate) mod rules;
pub(crate) mod season;
pub(crate) mod squad;
pub(crate) mod squad_member;

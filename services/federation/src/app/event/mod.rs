//! Events: a file a use case.

mod acts;
mod arranging;
pub(crate) mod boards;
mod command;
pub(crate) mod convey;
pub(crate) mod delivery;
mod engaging;
mod fair_play;
pub(crate) mod follow;
mod founding;
mod handing_on;
mod import;
mod incidents;
mod leave;
mod obligations;
pub(crate) mod people;
mod promotions;
mod published;
mod queries;
pub(crate) mod queue;
mod registry;
mod reports;
mod resting;
mod rounds;
pub(crate) mod schedule;
mod teams;
mod within;

pub(crate) use acts::{Entry, NewEvent};
pub(crate) use founding::write_founded;
pub(crate) use handing_on::unanswered;
pub(crate) use import::FromElsewhere;
pub(crate) use incidents::NewIncident;
pub(crate) use queries::{AsOf, Sight};
pub(crate) use registry::{Current, Events};
pub(crate) use rounds::{Pairing, ToPair};
pub(crate) use teams::{RosterEntry, TeamEntry};

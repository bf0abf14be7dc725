//! What each call asks for: read, decide, write.

mod accounts;
mod applications;
pub(crate) mod calendars;
mod clubs;
mod delivery;
mod desk;
pub(crate) mod documents;
pub(crate) mod event;
pub(crate) mod exchange;
mod federations;
mod imports;
mod invitations;
pub(crate) mod languages;
pub(crate) mod league;
mod lists;
mod member_accounts;
mod members;
mod merge;
pub(crate) mod notices;
mod officials;
pub(crate) mod persons;
mod proxies;
mod rating_list;
mod teams;
mod titles;
mod turn;

pub(crate) use accounts::Accounts;
pub(crate) use delivery::{KINDS, deliver};
pub(crate) use desk::{Change, Desk};
pub(crate) use imports::problems_of;
pub(crate) use member_accounts::{member_accounts, official_accounts};
pub(crate) use rating_list::RatingLists;
use titles::WHO_AWARDS;

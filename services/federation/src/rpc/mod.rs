//! The service on the wire: protos in, protos out, nothing decided.

mod calendar;
mod document;
mod event;
mod event_arranging;
mod event_entry;
mod event_incident;
mod event_leave;
mod event_read;
mod event_result;
mod event_team;
mod exchange;
mod federation;
mod internal;
mod language;
mod league;
mod membership;
mod notice;
mod office;
mod pairing;
mod rating_list;
mod report;
mod title;

pub(crate) use calendar::{CalendarApi, calendar_route};
pub(crate) use document::DocumentApi;
pub(crate) use event::PublicEvents;
pub(crate) use exchange::ExchangeApi;
pub(crate) use federation::FederationApi;
pub(crate) use internal::InternalEvents;
pub(crate) use language::LanguageApi;
pub(crate) use league::LeagueApi;
pub(crate) use membership::MembershipApi;
pub(crate) use notice::PublicNotices;
pub(crate) use office::Office;
pub(crate) use rating_list::RatingListApi;
pub(crate) use report::PublicPairing;
pub(crate) use title::TitleApi;

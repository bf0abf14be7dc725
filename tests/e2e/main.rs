//! The whole platform, end to end: the real processes, in one and in six, on the embedded stores and on
//! real servers.

mod arrival;
mod calendars;
mod certificates;
mod challenges;
mod cluster;
mod connections;
mod crash;
mod database_tls;
mod dependencies;
mod disk;
mod doctor;
mod events;
mod faults;
mod federation;
mod follow;
mod hidden;
mod keys;
mod languages;
mod load;
mod main_job;
mod moderation;
mod notation;
mod notices;
mod owners;
mod pauses;
mod progress;
mod proxies;
mod reads;
mod refusals;
mod rolling;
mod standard;
mod stopping;
mod tls;
mod variants;
mod walk;

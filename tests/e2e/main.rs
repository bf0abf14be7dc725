//! The whole platform, end to end: the real processes, in one and in five, on the embedded stores and on
//! real servers.

mod course;
mod crash;
mod disk;
mod hidden;
mod main_job;
mod refusals;
mod rolling;
mod standard;
mod walk;

//! The identity service, called as its callers call it, on every database at hand.

mod access_tokens;
mod fixture;
mod guests;
mod keys;
mod look_up;
mod outage;
mod passwords;
mod refresh;
mod register;
mod role_lists;
mod roles;
mod sealed;
mod secrets;
mod sessions;
mod sweep;
mod throttles;
mod verifying;

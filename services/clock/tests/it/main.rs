//! The clocks: what they decide, against worked examples and models; the service, through its clients.

mod examples;
mod laws;
mod many;
mod ticks;

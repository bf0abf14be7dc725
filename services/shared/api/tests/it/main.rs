//! Tests of what the API has beside generated code. They stand outside of it: what is generated is compiled once.

mod enums;
mod reason;
mod retry;
mod sealing;
mod time_control;
mod watch;
mod whole;

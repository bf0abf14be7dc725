//! What the service decides: plain types, with time and chance passed in.

pub mod access_token;
pub mod account;
pub mod attempt;
pub mod claims;
pub mod key;
pub mod limit;
pub mod name;
pub mod password;
pub mod role;
pub mod secret;
pub mod session;
pub mod token_pair;

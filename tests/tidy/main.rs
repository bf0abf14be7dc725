//! The rules of the house that a machine can check.

mod dependencies;
mod examples;
mod files;

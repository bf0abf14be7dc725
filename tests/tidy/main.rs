//! The rules of the house that a machine can check.

mod chance;
mod dependencies;
mod deployment;
mod examples;
mod files;
mod layers;
mod reasons;
mod rules;
mod words;

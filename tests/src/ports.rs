//! Ports for processes that are started soon.

use std::{
    net::TcpListener,
    ops::Range,
    sync::atomic::{AtomicU16, Ordering},
};

use anyhow::Context as _;

/// Those that no system hands out by itself: what is free among others may be the near end of somebody's connection in a moment.
const PORTS: Range<u16> = 10_240..32_768;
/// How many a process of tests looks at before it comes to those that another process begins with.
const A_PROCESS: u16 = 32;

/// Ports that are free now, each given out once here. Another process of tests begins elsewhere, so that it hardly takes one
/// before it is used.
///
/// # Errors
/// When all are taken.
pub fn free_ports(count: usize) -> anyhow::Result<Vec<u16>> {
    static GIVEN: AtomicU16 = AtomicU16::new(0);
    let all = PORTS.end - PORTS.start;
    let own = u16::try_from(std::process::id() % u32::from(all / A_PROCESS))? * A_PROCESS;
    let next = || PORTS.start + (own + GIVEN.fetch_add(1, Ordering::Relaxed) % all) % all;
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let ports: Vec<u16> = (0..all).map(|_| next()).filter(is_free).take(count).collect();
    (ports.len() == count).then_some(ports).context("all ports are taken")
}

//! The `shoutan` command: runs the whole platform or one of its services, and is a client of it.

use tikv_jemallocator::Jemalloc;

/// Gives memory back to the system when it is idle. The usual allocator keeps what a busy minute took.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

fn main() -> std::process::ExitCode {
    shoutan::cli::run()
}

//! Programs of others that tests need.

use std::path::PathBuf;

/// Where a program is: at what a variable of the environment names, or among the commands. In CI it must be somewhere; elsewhere
/// a line says what is not tested without it.
///
/// # Panics
/// When it is absent in CI.
#[expect(clippy::print_stderr, reason = "what is not tested must be seen")]
pub fn tool(name: &str, variable: &str, without: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        named.or_else(|| std::env::split_paths(&path).map(|it| it.join(name)).find(|it| it.is_file()));
    let in_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(!in_ci || found.is_some(), "in CI {name} must be there: without it {without}");
    if found.is_none() {
        eprintln!("NOTE: {name} is absent: {without}");
    }
    found
}

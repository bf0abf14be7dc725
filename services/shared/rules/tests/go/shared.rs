//! Where the shared material lies, which is read in place: worked positions and recorded games.

use std::{io::Write, path::PathBuf, sync::Once};

/// Several tests ask; one line says it.
static SAID: Once = Once::new();

/// The folder of the shared material, or `None`, said aloud, where it is not at hand. It is `SHOUTAN_SHARED`
/// or `shared` beside the workspace; continuous integration must have it.
pub(crate) fn folder() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared");
    let folder = std::env::var_os("SHOUTAN_SHARED").map_or_else(beside, PathBuf::from);
    if folder.join("records/go/index.csv").is_file() {
        return Some(folder);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "no shared material in {}", folder.display());
    SAID.call_once(|| {
        // Past the capture of test output: a check that is left out must be seen.
        let line = format!("NOT CHECKED: no shared material in {}; set SHOUTAN_SHARED", folder.display());
        writeln!(std::io::stderr(), "{line}").expect("standard error can be written");
    });
    None
}

//! Where the shared material lies, which is read in place.

use std::{io::Write, path::PathBuf, sync::Once};

/// Several tests ask; one line says it.
static SAID: Once = Once::new();

/// The reports of the shared material, or `None`, said aloud, where it is not at hand. It is `SHOUTAN_SHARED` or `shared`
/// beside the workspace; continuous integration must have it.
pub(crate) fn reports() -> Option<Vec<(String, Vec<u8>)>> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared");
    let shared = std::env::var_os("SHOUTAN_SHARED").map_or_else(beside, PathBuf::from);
    let folder = shared.join("conformance/trf");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "no reports in {}", folder.display());
        SAID.call_once(|| {
            // Past the capture of test output: a check that is left out must be seen.
            let line = format!("NOT CHECKED: no reports in {}; set SHOUTAN_SHARED", folder.display());
            writeln!(std::io::stderr(), "{line}").expect("standard error can be written");
        });
        return None;
    };
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("a name");
            (name, std::fs::read(entry.path()).expect("it can be read"))
        })
        .collect();
    files.sort();
    Some(files)
}

//! Every line of the worked examples, and of any other folder of such files that `SHOUTAN_EXAMPLES` names.

use std::path::{Path, PathBuf};

use crate::{example, runner::Runner};

/// Runs every file of a folder; says how many lines were run, and what went wrong.
fn run(folder: &Path) -> (usize, Vec<String>) {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .collect();
    files.sort();
    let (mut lines, mut faults) = (0, Vec::new());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("readable");
        for example in example::parse(&text) {
            let mut runner = Runner::new(&example);
            for line in &example.lines {
                lines += 1;
                if let Err(found) = runner.line(line) {
                    let place = format!("{}:{} ({})", file.display(), line.number, example.name);
                    faults.push(format!(
                        "{place}: {} => {} {:?}: {found}",
                        line.what, line.verdict, line.expects
                    ));
                }
            }
        }
    }
    (lines, faults)
}

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/jirige")
}

#[test]
fn every_example_holds() {
    let (lines, faults) = run(&golden());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(lines > 150, "only {lines} lines were found");
}

#[test]
fn every_example_of_the_folder_named_holds() {
    let Some(folder) = std::env::var_os("SHOUTAN_EXAMPLES") else { return };
    let (lines, faults) = run(Path::new(&folder));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(lines > 0, "there is no example");
}

/// The runner sees faults: an example that does not hold is reported.
#[test]
fn a_wrong_example_is_found() {
    for line in [
        "do: D4 => ok turn=dark",
        "do: D4 => illegal OCCUPIED",
        "do: A1 => ok",
        "do: A1 => illegal OCCUPIED",
        "perft: 1 => n=9",
        "match: 0 dark offer => illegal NO_OFFER",
        "do: D4 => ok moon=full",
    ] {
        let examples = example::parse(&format!("name: wrong\n{line}\n"));
        assert!(Runner::new(&examples[0]).line(&examples[0].lines[0]).is_err(), "{line}");
    }
}

//! Every report of the shared material, read in place: it is an event, and comes back from every format that takes it.

use std::{io::Write, path::PathBuf};

use exchange::{Format, Tournament};
use pairing::{ColourLaw, trf};

#[test]
fn every_report_is_an_event_and_comes_back() {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared");
    let folder =
        std::env::var_os("SHOUTAN_SHARED").map_or_else(beside, PathBuf::from).join("conformance/trf");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "no reports in {}", folder.display());
        // Past the capture of test output: a check that is left out must be seen.
        let line = format!("NOT CHECKED: no reports in {}; set SHOUTAN_SHARED", folder.display());
        writeln!(std::io::stderr(), "{line}").expect("standard error can be written");
        return;
    };
    let mut read = 0;
    for entry in entries {
        let path = entry.expect("an entry").path();
        let (name, bytes) = (path.display(), std::fs::read(&path).expect("it can be read"));
        // Some files are the rounds that an engine has answered, and no reports.
        if path.extension().is_some_and(|it| it == "expected") {
            let error = Format::Trf26.read(&bytes).expect_err("it is no report");
            assert_eq!((error.fault.name(), error.line, error.column), ("tag", 1, 1), "{name}: {error}");
            continue;
        }
        let report = trf::Report::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        read += 1;
        let format = Format::detect(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (event, _) = format.read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let judged = trf::Event::of(&report, ColourLaw::Open).unwrap();
        assert_eq!(event.paired_rounds(), judged.paired, "{name}");
        // White moves first in chess; games, byes and their points are those that the checker of pairings sees.
        let histories = event.histories(pairing::Colour::First);
        for (own, theirs) in histories.iter().zip(&judged.players) {
            assert_eq!(own.history.len(), theirs.history.len(), "{name}: player {}", own.number);
            for (own, theirs) in own.history.iter().zip(&theirs.history) {
                assert_eq!((own.opponent, own.code), (theirs.opponent, theirs.code), "{name}");
                assert_eq!(own.colour(), theirs.colour(), "{name}");
            }
        }
        for format in Format::ALL {
            let Ok((bytes, losses)) = format.write(&event) else {
                assert!(matches!(format, Format::Trf16 | Format::H9), "{name} as {}", format.name());
                continue;
            };
            let (again, _) = format.read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(Ok(&again), event.as_carried_by(format).as_ref(), "{name} as {}", format.name());
            // Field by field: in its own format nothing of it is lost, and a table has all of players and games.
            match format {
                Format::Trf26 => assert_eq!((&again, losses), (&event, Vec::new()), "{name}"),
                Format::Csv => {
                    assert_eq!(again.players, event.players, "{name}");
                    let played = |it: &Tournament| {
                        it.rounds.iter().map(|it| (it.games.clone(), it.byes.clone())).collect::<Vec<_>>()
                    };
                    assert_eq!(played(&again), played(&event), "{name}");
                }
                _ => {}
            }
        }
    }
    assert!(read >= 35, "no more than {read} reports in {}", folder.display());
}

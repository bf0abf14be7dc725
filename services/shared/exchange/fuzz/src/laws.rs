//! What holds of any bytes.

use exchange::{Format, Tournament, csv};

/// Any bytes are an event or an error in every format. What is read is an event; it is written in every format that takes it
/// and read back as it was carried, and what was carried loses nothing more.
pub fn read(bytes: &[u8]) {
    let _ = Format::detect(bytes);
    for format in Format::ALL {
        match format.read(bytes) {
            Ok((event, _)) => comes_back(&event),
            Err(error) => assert!(error.line > 0 && error.column > 0, "{error}"),
        }
    }
    let mut event = Tournament::default();
    event.players.extend([7, 8, 9].map(exchange::Player::new));
    if csv::read_results(&mut event, bytes).is_ok() {
        comes_back(&event);
    }
}

/// What was read is written in every format and read back as that format carries it.
pub fn comes_back(event: &Tournament) {
    assert_eq!(event.check(), Ok(()), "what was read is an event");
    for format in Format::ALL {
        let Ok((bytes, losses)) = format.write(event) else { continue };
        let name = format.name();
        let carried = event.as_carried_by(format).expect("what was written can be carried");
        let (read, _) = format.read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read, carried, "{name}: {}", String::from_utf8_lossy(&bytes));
        assert_eq!(losses.is_empty(), carried == *event, "{name}: {losses:?}");
        let (again, losses) = format.write(&carried).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(
            (classless(&again), losses),
            (classless(&bytes), Vec::new()),
            "{name}: nothing more is lost"
        );
    }
}

/// A file without the class of H9, which follows from more of the time control than the file has.
pub fn classless(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split(|it| *it == b'\n').filter(|it| !it.starts_with(b"; CL[")).collect()
}

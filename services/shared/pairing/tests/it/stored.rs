//! Stored rounds, read again.

use pairing::{
    Reason,
    swiss::{self, Input, InputFault},
};

use crate::events::{Chance, play, random_event};

/// The same input with what is not stored as it is read.
fn as_stored(input: &Input) -> Input {
    let mut stored = input.clone();
    for player in &mut stored.players {
        (player.warnings, player.rating) = (0, None);
        for entry in &mut player.history {
            entry.played = entry.assigned;
            entry.reason = if entry.opponent.is_some() { Reason::Normal } else { Reason::NotPlayed };
        }
    }
    stored
}

#[test]
fn a_stored_round_is_paired_again_as_it_was() {
    for seed in 0..60 {
        let mut chance = Chance::new(seed);
        let mut event = random_event(&mut chance, 4 + u32::try_from(seed % 40).unwrap(), 9);
        while event.round <= event.rounds {
            let again = Input::read(&event.bytes()).unwrap_or_else(|error| panic!("{seed}: {error}"));
            assert_eq!((&again, again.bytes()), (&as_stored(&event), event.bytes()), "event {seed}");
            let Ok(round) = swiss::pair(&event) else { break };
            assert_eq!(swiss::pair(&again).as_ref(), Ok(&round), "event {seed}");
            play(&mut chance, &mut event, &round);
        }
    }
}

#[test]
fn any_bytes_are_an_input_or_an_error() {
    let (mut read, mut refused) = (0, 0);
    for seed in 0..4_000 {
        let mut chance = Chance::new(seed);
        let mut event = random_event(&mut chance, 6, 4);
        if let Ok(round) = swiss::pair(&event) {
            play(&mut chance, &mut event, &round);
        }
        let mut bytes = event.bytes();
        for _ in 0..=chance.below(3) {
            let at = chance.below(u32::try_from(bytes.len()).unwrap()) as usize;
            match chance.below(8) {
                0 => bytes[at] = u8::try_from(chance.below(256)).unwrap(),
                1..=5 if !bytes[at].is_ascii_digit() => {}
                1..=5 => bytes[at] = b'0' + u8::try_from(chance.below(10)).unwrap(),
                6 => drop(bytes.remove(at)),
                _ => bytes.truncate(at.max(1)),
            }
        }
        match Input::read(&bytes) {
            Ok(input) => {
                assert_eq!(input.bytes(), bytes, "{seed}");
                // It may make no sense; then it is refused, too.
                let _ = swiss::pair(&input);
                read += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(read > 200 && refused > 200, "{read} read, {refused} refused");
}

#[test]
fn what_is_written_otherwise_is_refused_with_its_line() {
    let input = Input::new(2, 5, vec![pairing::Player::new(1), pairing::Player::new(2)]);
    let text = String::from_utf8(input.bytes()).unwrap();
    let fault = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let error = Input::read(changed.as_bytes()).unwrap_err();
        (error.line, error.fault)
    };
    assert_eq!(fault("swiss 1", "swiss 2"), (1, InputFault::Line));
    assert_eq!(fault("round 2", "round +2"), (2, InputFault::NotCanonical));
    assert_eq!(fault("round 2", "round 70000"), (2, InputFault::Value));
    assert_eq!(fault("seed 00", "seed 0"), (3, InputFault::Value));
    assert_eq!(fault("colours balance", "colours none"), (4, InputFault::Value));
    assert_eq!(fault("active 1\n", "active 1 \n"), (9, InputFault::NotCanonical));
    assert_eq!(fault(" active 1\n", " alive 1\n"), (9, InputFault::Line));
    assert_eq!(fault("pab 2", "pab 2 "), (6, InputFault::NotCanonical));
    assert_eq!(Input::read(&text.as_bytes()[..text.len() - 1]).unwrap_err().fault, InputFault::NotCanonical);
    assert_eq!(Input::read(b"").unwrap_err().fault, InputFault::Line);
    assert_eq!(Input::read(&[0xff]).unwrap_err().fault, InputFault::Value);
    let large = vec![b' '; swiss::INPUT_BYTES_MAX + 1];
    assert_eq!(Input::read(&large).unwrap_err().fault, InputFault::TooLarge);
}

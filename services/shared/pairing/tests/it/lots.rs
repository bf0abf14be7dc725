//! Draws of lots, against values worked out elsewhere.

use pairing::lots;

#[test]
fn the_stream_is_that_of_the_standard() {
    // With two places one word decides, and the first of the stream under a key of zeros is known (RFC 8439, A.1: the
    // block begins 76 b8 e0 ad): it is even, and so the last place is swapped with the first.
    let mut places = [1, 2];
    lots::shuffle(&[0; 32], &mut places);
    assert_eq!(places, [2, 1]);
}

#[test]
fn every_order_is_drawn_about_as_often() {
    let mut counts = std::collections::BTreeMap::new();
    for round in 0..2400_u32 {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&round.to_le_bytes());
        let mut places = [1, 2, 3, 4];
        lots::shuffle(&seed, &mut places);
        *counts.entry(places).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 24);
    assert!(counts.values().all(|count| (60..=140).contains(count)), "{counts:?}");
}

#[test]
fn nothing_and_one_thing_stay_as_they_are() {
    lots::shuffle::<u8>(&[7; 32], &mut []);
    let mut one = [1];
    lots::shuffle(&[7; 32], &mut one);
    assert_eq!(one, [1]);
}

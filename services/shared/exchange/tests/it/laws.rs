//! What is written is read back, field by field, as the format carries it.

use exchange::{Format, Tournament, csv};
use proptest::prelude::*;

use crate::{
    events::{event, in_teams},
    fuzzed::classless,
};

/// Writes, reads, and compares.
fn comes_back(event: &Tournament, format: Format) -> Result<(), TestCaseError> {
    prop_assert_eq!(event.check(), Ok(()));
    let carried = event.as_carried_by(format).map_err(|it| TestCaseError::fail(it.to_string()))?;
    let (bytes, losses) = format.write(event).map_err(|it| TestCaseError::fail(it.to_string()))?;
    let (read, doubts) = format.read(&bytes).map_err(|it| TestCaseError::fail(it.to_string()))?;
    prop_assert_eq!(&read, &carried, "{}", String::from_utf8_lossy(&bytes));
    prop_assert_eq!(doubts, vec![], "{}", String::from_utf8_lossy(&bytes));
    prop_assert_eq!(losses.is_empty(), carried == *event, "{:?}", losses);
    let (again, none) = format.write(&carried).map_err(|it| TestCaseError::fail(it.to_string()))?;
    prop_assert_eq!((classless(&again), none), (classless(&bytes), vec![]));
    Ok(())
}

/// An event of players with some of its rounds played.
fn events() -> impl Strategy<Value = Tournament> {
    (any::<u64>(), 2_u32..24, 1_u16..9, 0_u16..9)
        .prop_map(|(seed, players, rounds, played)| event(seed, players, rounds, played))
}

/// One in four of them of teams.
fn any_events() -> impl Strategy<Value = Tournament> {
    (events(), any::<u64>())
        .prop_map(|(event, seed)| if seed % 4 == 0 { in_teams(seed, event) } else { event })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn a_thousand_events_come_back_from_trf26(event in any_events()) {
        comes_back(&event, Format::Trf26)?;
    }

    #[test]
    fn a_thousand_events_come_back_from_opengotha(event in any_events()) {
        comes_back(&event, Format::OpenGotha)?;
    }

    #[test]
    fn a_thousand_events_come_back_from_a_crosstable(event in any_events()) {
        comes_back(&event, Format::Csv)?;
    }

    #[test]
    fn a_thousand_events_come_back_from_trf16(event in any_events()) {
        comes_back(&event, Format::Trf16)?;
    }

    #[test]
    fn a_thousand_events_come_back_from_h9(event in any_events()) {
        comes_back(&event, Format::H9)?;
    }

    #[test]
    fn players_and_results_are_the_crosstable_in_two(event in events(), bom in any::<bool>()) {
        let mark = if bom { csv::Mark::Bom } else { csv::Mark::None };
        let carried = event.as_carried_by(Format::Csv).unwrap();
        let (mut read, _) = Format::Csv.read(&csv::players(&event, mark).unwrap()).unwrap();
        csv::read_results(&mut read, &csv::results(&event, mark).unwrap()).unwrap();
        // Rounds of which nothing is told are not in the table of results.
        read.rounds.resize(carried.rounds.len(), exchange::Round::default());
        prop_assert_eq!(read, carried);
    }

    #[test]
    fn histories_give_the_same_rounds_again(event in events()) {
        let mut input = pairing::swiss::Input::new(event.paired_rounds() + 1, 1, event.histories(pairing::Colour::Second));
        input.rounds = u16::try_from(event.rounds.len()).unwrap();
        let mut again = Tournament::default();
        again.take(&input, pairing::Colour::Second);
        let bare = |it: &Tournament| {
            let mut rounds = it.rounds.clone();
            for round in &mut rounds {
                round.date = None;
                round.games.sort_by_key(|it| it.white.min(it.black));
                for (board, game) in (1..).zip(&mut round.games) {
                    (game.board, game.handicap) = (board, 0);
                }
            }
            rounds
        };
        prop_assert_eq!(bare(&again), bare(&event));
    }
}

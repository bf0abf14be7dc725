//! Play-offs (1.6, D): who meets whom, and that nobody else's place changes by them.

use std::collections::BTreeMap;

use pairing::{
    Colour, Number, ResultCode,
    ResultCode::{Draw, Loss, Win},
    StandingsSettings, Ties,
    generate::{self, Shape},
    play_off::{self, PLAYERS_MAX, PlayOff, Played},
    standings::{Line, Settled, Sheet, individual, settle},
};
use proptest::prelude::*;

fn of(numbers: &[u32], games: u32) -> PlayOff {
    PlayOff { players: numbers.iter().copied().map(Number).collect(), games, opening_colour: Colour::Second }
}

fn played(first: u32, second: u32, code: ResultCode) -> Played {
    let other = match code {
        Win => Loss,
        Loss => Win,
        same => same,
    };
    Played { players: [Number(first), Number(second)], codes: [code, other] }
}

/// Plays a play-off to its end, and gives what was played.
fn play(it: &PlayOff, mut outcome: impl FnMut([Number; 2]) -> ResultCode) -> (Vec<Played>, usize) {
    let (mut all, mut rounds) = (Vec::new(), 0);
    loop {
        let due = it.due(&all);
        if due.is_empty() {
            return (all, rounds);
        }
        rounds += 1;
        all.extend(due.into_iter().map(|pair| played(pair[0].0, pair[1].0, outcome(pair))));
    }
}

#[test]
fn two_play_with_alternating_colours_until_one_cannot_be_reached() {
    let two = of(&[3, 8], 3);
    let (all, rounds) = play(&two, |_| Draw);
    let colours: Vec<[u32; 2]> = all.iter().map(|it| it.players.map(|it| it.0)).collect();
    assert_eq!((rounds, colours), (3, vec![[8, 3], [3, 8], [8, 3]]), "the drawn colour is the first's");
    assert_eq!(two.score(Number(3), &all), [3, 3]);
    let (all, rounds) = play(&two, |pair| if pair[0] == Number(3) { Win } else { Loss });
    assert_eq!((rounds, two.score(Number(3), &all)), (2, [4, 0]), "two wins of three are enough");
}

#[test]
fn more_than_two_meet_once_each_in_the_order_of_the_table_of_a_round_robin() {
    let four = of(&[7, 1, 9, 4], 2);
    let (all, rounds) = play(&four, |_| Draw);
    let games: Vec<[u32; 2]> = all.iter().map(|it| it.players.map(|it| it.0)).collect();
    // FIDE's table of four, with 7, 1, 9 and 4 for 1 to 4.
    assert_eq!((rounds, games), (3, vec![[7, 4], [1, 9], [4, 9], [7, 1], [1, 4], [9, 7]]));
    let strangers = [played(7, 2, Win), played(5, 4, Win)];
    assert_eq!(four.due(&strangers), four.due(&[]), "games of others are nothing to it");
    assert_eq!(four.score(Number(7), &strangers), [0, 0]);
}

fn line(number: u32, place: u32) -> Line {
    Line { number: Number(number), place: Some(place), points: 0, criteria: Vec::new(), provisional: false }
}

#[test]
fn only_those_who_share_one_of_the_first_places_play_for_it() {
    let table = [line(5, 1), line(2, 2), line(4, 2), line(1, 4), line(3, 4), line(6, 4)];
    let groups = |places| {
        let found = play_off::groups(&table, places);
        found.into_iter().map(|it| it.into_iter().map(|it| it.0).collect()).collect::<Vec<Vec<u32>>>()
    };
    assert_eq!(groups(1), Vec::<Vec<u32>>::new(), "the first place is nobody else's");
    assert_eq!(groups(2), [vec![2, 4]]);
    assert_eq!(groups(3), [vec![2, 4]]);
    assert_eq!(groups(4), [vec![2, 4], vec![1, 3, 6]]);
}

proptest! {
    /// Whatever comes of the play-offs of the first places: those who play for a place get the places that they shared,
    /// each his own, and everybody else keeps his.
    #[test]
    fn a_play_off_changes_the_order_of_its_players_alone(
        from in any::<u64>(),
        count in 4_u32..14,
        rounds in 1_u16..4,
        places in 1_u32..14,
        lot in any::<bool>(),
        outcomes in prop::collection::vec(0_u8..3, 200),
    ) {
        let event = generate::event(from, Shape { players: count, rounds }).expect("an event");
        let (players, seed) = (event.players, event.seed);
        let shared = StandingsSettings::default();
        let sheet = Sheet { players: &players, rounds, settings: &shared, seed };
        let before = individual::swiss(&sheet);
        let mut outcome = outcomes.into_iter().cycle();
        let groups: Vec<(Vec<Number>, Settled)> = play_off::groups(&before, places)
            .into_iter()
            .map(|group| {
                let it = PlayOff { players: group.clone(), games: 2, opening_colour: Colour::First };
                if group.len() > PLAYERS_MAX as usize {
                    return (group, Settled::Lot);
                }
                let (all, rounds) = play(&it, |_| [Win, Draw, Loss][usize::from(outcome.next().unwrap_or(0))]);
                assert!(u32::try_from(rounds).is_ok_and(|rounds| rounds <= play_off::rounds_at_most(2)));
                let scores: BTreeMap<Number, [u32; 2]> =
                    group.iter().map(|number| (*number, it.score(*number, &all))).collect();
                (group, Settled::PlayOff(scores))
            })
            .collect();
        let ties = if lot { Ties::Lot } else { Ties::Shared };
        let settings = StandingsSettings { ties, ..shared.clone() };
        let after = settle(&Sheet { settings: &settings, ..sheet }, before.clone(), &groups);
        let place_in = |table: &[Line], number| table.iter().find(|it| it.number == number).and_then(|it| it.place);
        for line in &before {
            let now = place_in(&after, line.number);
            let Some((group, settled)) = groups.iter().find(|(group, _)| group.contains(&line.number)) else {
                prop_assert!(lot || now == line.place, "{} had {:?}", line.number, line.place);
                continue;
            };
            let (top, now) = (line.place.unwrap_or(0), now.unwrap_or(0));
            let below = top + u32::try_from(group.len()).expect("few");
            prop_assert!((top..below).contains(&now));
            for other in group.iter().filter(|other| **other != line.number) {
                let his = place_in(&after, *other).unwrap_or(0);
                prop_assert_ne!(now, his, "nobody shares it any more");
                if let Settled::PlayOff(scores) = settled {
                    let better = scores[&line.number][0] > scores[other][0];
                    prop_assert!(!better || now < his);
                }
            }
        }
    }
}

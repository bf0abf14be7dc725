//! Knock-outs, matches of several games, and the arena.

use std::collections::BTreeMap;

use pairing::{
    Colour, Duel, DuelState, Number, ResultCode,
    arena::{self, ArenaGame, ArenaResult, ArenaState},
    knockout::{Bracket, Decision, GrandFinal, MatchId, Part, Resolved, Slot},
};

use crate::events::Chance;

fn seeds(entrants: u32) -> Vec<Number> {
    (1..=entrants).map(Number).collect()
}

/// Plays everything that is due until nothing is.
fn play_out(
    bracket: &Bracket,
    entrants: u32,
    mut decide: impl FnMut(&Resolved) -> Decision,
) -> Vec<Resolved> {
    let mut decided = BTreeMap::new();
    loop {
        let resolved = bracket.resolve(&seeds(entrants), &decided);
        let Some(due) = resolved.iter().find(|it| it.is_due()) else { return resolved };
        decided.insert(due.id, decide(due));
    }
}

fn champion(resolved: &[Resolved]) -> Slot {
    resolved.last().expect("there are matches").winner
}

/// The smaller number wins.
fn by_seed(due: &Resolved) -> Decision {
    match due.slots {
        [Slot::Taken(a), Slot::Taken(b)] if a > b => Decision::Second,
        _ => Decision::First,
    }
}

#[test]
fn one_loss_is_the_end() {
    for entrants in 2..=33 {
        let bracket = Bracket::single(entrants);
        let mut games = 0;
        let resolved = play_out(&bracket, entrants, |due| {
            games += 1;
            by_seed(due)
        });
        assert_eq!((champion(&resolved), games), (Slot::Taken(Number(1)), entrants - 1), "{entrants}");
        let last = resolved.last().unwrap();
        assert_eq!(last.loser, Slot::Taken(Number(2)), "{entrants}");
    }
    assert!(Bracket::single(1).matches().is_empty());
}

#[test]
fn a_double_forfeit_lets_the_next_walk_over() {
    let bracket = Bracket::single(4);
    let first = MatchId { part: Part::Winners, round: 1, place: 0 };
    let resolved =
        play_out(&bracket, 4, |due| if due.id == first { Decision::Neither } else { Decision::First });
    assert_eq!(champion(&resolved), Slot::Taken(Number(2)));
    let nobody = play_out(&bracket, 4, |_| Decision::Neither);
    assert_eq!(champion(&nobody), Slot::Vacant);
}

/// How often each has lost, and who has won, by chance with forfeits.
fn losses(entrants: u32, grand_final: GrandFinal, seed: u64) -> (BTreeMap<Number, u32>, Slot) {
    let mut chance = Chance::new(seed);
    let bracket = Bracket::double(entrants, grand_final);
    let mut losses: BTreeMap<Number, u32> = seeds(entrants).into_iter().map(|it| (it, 0)).collect();
    let resolved = play_out(&bracket, entrants, |due| {
        let lost: &[usize] = match chance.below(20) {
            0 => &[0, 1],
            1..=10 => &[0],
            _ => &[1],
        };
        for side in lost {
            if let Slot::Taken(number) = due.slots[*side] {
                *losses.entry(number).or_default() += 1;
            }
        }
        match lost {
            [0] => Decision::Second,
            [1] => Decision::First,
            _ => Decision::Neither,
        }
    });
    (losses, champion(&resolved))
}

#[test]
fn two_losses_are_the_end_and_no_fewer() {
    for seed in 0..600 {
        let entrants = 2 + u32::try_from(seed % 31).unwrap();
        let (losses, champion) = losses(entrants, GrandFinal::Reset, seed);
        for (number, lost) in losses {
            if champion == Slot::Taken(number) {
                assert!(lost <= 1, "{seed}: champion {number} lost {lost} times");
            } else {
                assert_eq!(lost, 2, "{seed}: {number} of {entrants}, champion {champion:?}");
            }
        }
    }
}

#[test]
fn a_simple_final_is_one_game() {
    let bracket = Bracket::double(8, GrandFinal::Simple);
    let resolved = play_out(&bracket, 8, |due| match due.id.part {
        Part::Final => Decision::Second,
        _ => by_seed(due),
    });
    assert_eq!(champion(&resolved), Slot::Taken(Number(2)));
    let bracket = Bracket::double(8, GrandFinal::Reset);
    let resolved = play_out(&bracket, 8, |due| match due.id.part {
        Part::Final if due.id.round == 1 => Decision::Second,
        _ => by_seed(due),
    });
    assert_eq!(champion(&resolved), Slot::Taken(Number(1)));
}

#[test]
fn a_double_forfeit_in_the_final_leaves_the_unbeaten_finalist() {
    let bracket = Bracket::double(8, GrandFinal::Reset);
    let resolved =
        play_out(
            &bracket,
            8,
            |due| if due.id.part == Part::Final { Decision::Neither } else { by_seed(due) },
        );
    assert_eq!(champion(&resolved), Slot::Taken(Number(1)));
}

#[test]
fn nobody_meets_again_before_the_losers_are_few() {
    // With 8, 16 and 32 entrants the first rematch that any order leaves possible is in these rounds of the losers.
    for (entrants, round) in [(8, 3), (16, 4), (32, 5)] {
        for seed in 0..200 {
            let mut chance = Chance::new(seed);
            let bracket = Bracket::double(entrants, GrandFinal::Reset);
            let by_chance =
                |_: &Resolved| if chance.percent(50) { Decision::First } else { Decision::Second };
            let mut met = Vec::new();
            for played in play_out(&bracket, entrants, by_chance) {
                let [Slot::Taken(a), Slot::Taken(b)] = played.slots else { continue };
                let pair = (a.min(b), a.max(b));
                let early = played.id.part == Part::Losers && played.id.round < round;
                assert!(!early || !met.contains(&pair), "{pair:?} meet again in {:?}", played.id);
                met.push(pair);
            }
        }
    }
}

#[test]
fn ten_games_stop_when_decided_unless_all_are_played() {
    let wins = [[ResultCode::Win, ResultCode::Loss]; 6];
    let duel = |play_all| Duel { games: 10, play_all, opening_colour: Colour::Second };
    assert_eq!(duel(false).state(&wins), DuelState::Won { first: true });
    assert_eq!(duel(true).state(&wins), DuelState::Running { game: 7, colour: Colour::Second });
    assert_eq!(duel(false).state(&wins[..5]), DuelState::Running { game: 6, colour: Colour::First });
    assert_eq!(duel(false).state(&[[ResultCode::Draw; 2]; 10]), DuelState::Level);
}

#[test]
fn in_the_arena_the_winner_stays_and_two_draws_or_two_losers_remove_both() {
    use ArenaResult::{Draw, First, Neither, Second};
    // Each game is that of those whom the games before it lead to.
    let after = |results: &[ArenaResult]| {
        let mut games = Vec::new();
        for result in results {
            let next = arena::state([2, 2], Colour::First, &games);
            let ArenaState::Game { first, second, colour } = next else { panic!("it is over: {games:?}") };
            games.push(ArenaGame { players: [first, second], colour, result: *result });
        }
        arena::state([2, 2], Colour::First, &games)
    };
    assert_eq!(after(&[Draw]), ArenaState::Game { first: 0, second: 0, colour: Colour::Second });
    assert_eq!(after(&[Draw, Draw]), ArenaState::Game { first: 1, second: 1, colour: Colour::First });
    assert_eq!(after(&[Draw, Draw, Draw, Draw]), ArenaState::Drawn);
    assert_eq!(after(&[First, Second]), ArenaState::Game { first: 1, second: 1, colour: Colour::First });
    assert_eq!(after(&[Second, Second]), ArenaState::Won { first: false });
    assert_eq!(after(&[Neither]), ArenaState::Game { first: 1, second: 1, colour: Colour::First });
    assert_eq!(after(&[Draw, Neither, Second]), ArenaState::Won { first: false });
    assert_eq!(after(&[First, Neither]), ArenaState::Won { first: true }, "the second side has nobody left");
    assert_eq!(after(&[Neither, Neither]), ArenaState::Drawn);
}

/// What is decided late of a game is of those who sat at it.
#[test]
fn in_the_arena_a_late_decision_puts_out_nobody_who_has_not_sat_down() {
    use ArenaResult::{Draw, First, Second};
    let game = |players, colour, result| ArenaGame { players, colour, result };
    let after = |games: &[ArenaGame]| arena::state([3, 3], Colour::First, games);
    let second = game([0, 1], Colour::Second, First);
    // The first of the first side had won both of his games; of the first he loses the point, and is out.
    let next = after(&[game([0, 0], Colour::First, Second), second]);
    assert_eq!(next, ArenaState::Game { first: 1, second: 0, colour: Colour::First });
    // Had that game been drawn, it is played again, by who stayed with the colour that he is owed.
    let next = after(&[game([0, 0], Colour::First, Draw), second]);
    assert_eq!(next, ArenaState::Game { first: 0, second: 0, colour: Colour::First });
    let again = game([0, 0], Colour::First, Draw);
    let next = after(&[game([0, 0], Colour::First, Draw), second, again]);
    assert_eq!(
        next,
        ArenaState::Game { first: 1, second: 2, colour: Colour::First },
        "the same two drew twice"
    );
}

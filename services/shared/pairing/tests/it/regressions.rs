//! Faults that others had (section 3), each as a test. Those that have theirs where the thing itself is tested:
//!
//! | fault | test |
//! | --- | --- |
//! | a second pairing bye because the first was written `F` | `verdicts::each_rule_that_is_broken_is_found`, `swiss::a_full_bye_bars_the_pairing_bye_and_a_half_bye_does_not` |
//! | a bye of the round to come taken for a round played | `trf::a_bye_of_the_round_to_come_is_no_round_that_was_played`, `swiss::a_bye_of_the_round_to_come_does_not_mean_that_it_was_played` |
//! | a colour beside an absence stops the event | `trf::a_round_that_makes_no_sense_is_named_with_its_column` |
//! | paired although everybody withdrew | `swiss::nobody_is_left_where_everybody_withdrew` |
//! | greed repeats an opponent | `swiss::a_legal_pairing_is_found_where_greed_repeats_an_opponent` |
//! | byes of losers, a double forfeit in the final | `brackets::two_losses_are_the_end_and_no_fewer`, `brackets::a_double_forfeit_in_the_final_leaves_the_unbeaten_finalist` |
//! | a late entrant | `swiss::a_late_entrant_is_paired_when_he_comes` |
//! | tie-breaks believed to drive the pairing | `swiss::reasons_say_when_two_have_met` |
//! | names lost on the way | `trf::names_in_any_script_come_back_natively_or_by_id` |
//! | `152 w` refused | `trf::a_lower_case_initial_colour_is_a_colour` |

use std::collections::BTreeSet;

use pairing::{
    Colour, Entry, FirstRound, Number, Player, ResultCode, Status, check,
    swiss::{self, Input, PairingError},
};

use crate::events::Chance;

fn event(players: u32, round: u16, rounds: u16) -> Input {
    let mut event = Input::new(round, rounds, (1..=players).map(Player::new).collect());
    event.settings.first_round = FirstRound::Fold;
    event
}

/// The first of the two has won.
fn game(event: &mut Input, round: u16, first: u32, second: u32) {
    let games = [
        (first, Entry::game(round, Number(second), Colour::First, ResultCode::Win)),
        (second, Entry::game(round, Number(first), Colour::Second, ResultCode::Loss)),
    ];
    for (number, entry) in games {
        event.players[number as usize - 1].history.push(entry);
    }
}

fn pairing_byes(round: &swiss::Round) -> Vec<Number> {
    round.out.iter().filter(|it| it.code == ResultCode::Pab).map(|it| it.number).collect()
}

#[test]
fn a_pairing_bye_for_half_a_win_bars_the_next_one_too() {
    let mut event = event(3, 2, 3);
    event.settings.pab_points = 1;
    game(&mut event, 1, 1, 2);
    event.players[2].history.push(Entry::bye(1, ResultCode::Pab));
    let round = swiss::pair(&event).expect("it can be paired");
    // Number 2 has nothing and comes before 3, who has one point and had the bye.
    assert_eq!(pairing_byes(&round), [Number(2)]);
    game(&mut event, 2, 3, 1);
    event.players[1].history.push(Entry::bye(2, ResultCode::Pab));
    event.round = 3;
    let round = swiss::pair(&event).expect("it can be paired");
    assert_eq!(pairing_byes(&round), [Number(1)]);
}

#[test]
fn a_round_that_is_paired_twice_is_one_round() {
    let event = event(9, 1, 3);
    assert_eq!(swiss::pair(&event), swiss::pair(&event));
}

#[test]
fn a_player_taken_off_the_list_leaves_nobody_with_himself() {
    let mut event = event(6, 2, 3);
    for (first, second) in [(1, 4), (2, 5), (3, 6)] {
        game(&mut event, 1, first, second);
    }
    let mut without = event.clone();
    without.players.remove(1);
    let error = swiss::pair(&without).unwrap_err();
    assert_eq!(error, PairingError::History { number: Number(5), round: 1 });
    // To annul him is the way.
    event.players[1].states.push(Status::Annulled);
    let round = swiss::pair(&event).expect("it can be paired");
    assert_eq!(check::round(&event, &round), []);
    assert!(round.pairs.iter().all(|it| it.players[0] != it.players[1] && !it.players.contains(&Number(2))));
}

#[test]
fn byes_that_were_asked_for_bring_no_more_than_one_pairing_bye() {
    for players in 4..=12 {
        for asked in 0..=2_u32 {
            let mut event = event(players, 1, 3);
            for player in event.players.iter_mut().take(asked as usize) {
                player.states.push(Status::Bye { round: 1, code: ResultCode::ByeHalf });
            }
            let round = swiss::pair(&event).expect("it can be paired");
            let free = ((players - asked) % 2) as usize;
            assert_eq!((pairing_byes(&round).len(), round.out.len()), (free, free + asked as usize));
        }
    }
}

#[test]
fn who_had_byes_do_not_seek_each_other() {
    // Games between two who both had the bye, beside those that chance would make among players of equal points.
    let (mut met, mut expected) = (0.0, 0.0);
    for seed in 0..60 {
        let mut chance = Chance::new(seed);
        let mut event = event(21, 1, 7);
        let mut had: BTreeSet<Number> = BTreeSet::new();
        while event.round <= event.rounds {
            let Ok(round) = swiss::pair(&event) else { break };
            for pool in &round.pools {
                let (size, byes) =
                    (pool.members.len(), pool.members.iter().filter(|it| had.contains(it)).count());
                if size > 1 && byes > 1 {
                    let pairs = f64::from(u32::try_from(byes * (byes - 1)).unwrap());
                    expected += pairs / f64::from(u32::try_from(2 * (size - 1)).unwrap());
                }
            }
            met += f64::from(
                u32::try_from(
                    round.pairs.iter().filter(|it| it.players.iter().all(|it| had.contains(it))).count(),
                )
                .unwrap(),
            );
            had.extend(pairing_byes(&round));
            let played = event.round;
            for pair in &round.pairs {
                let (first, second) = pair.by_colour().expect("colours are given");
                let (first, second) = if chance.percent(50) { (first, second) } else { (second, first) };
                game(&mut event, played, first.0, second.0);
            }
            for out in &round.out {
                event.players[out.number.0 as usize - 1].history.push(Entry::bye(played, out.code));
            }
            event.round += 1;
        }
    }
    assert!(expected > 20.0 && met < 1.3 * expected, "{met} games, {expected} by chance");
}

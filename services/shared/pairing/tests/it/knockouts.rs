//! Knock-outs stage by stage, and those after three losses or more.

use std::collections::{BTreeMap, BTreeSet};

use pairing::{
    Number,
    knockout::{Bracket, Decision, Due, Knockout, MatchId, Slot, Stage},
};

use crate::events::Chance;

/// What has happened to everybody.
#[derive(Default)]
struct Record {
    losses: BTreeMap<Number, u32>,
    met: BTreeSet<(Number, Number)>,
}

impl Record {
    fn note(&mut self, game: &Due, decision: Decision) {
        let [a, b] = game.players;
        if decision != Decision::First {
            *self.losses.entry(a).or_default() += 1;
        }
        if decision != Decision::Second {
            *self.losses.entry(b).or_default() += 1;
        }
        // Who forfeits has met nobody.
        if decision != Decision::Neither {
            self.met.insert((a.min(b), a.max(b)));
        }
    }

    fn lost(&self, number: Number) -> u32 {
        self.losses.get(&number).copied().unwrap_or(0)
    }

    fn have_met(&self, a: Number, b: Number) -> bool {
        self.met.contains(&(a.min(b), a.max(b)))
    }

    /// The fewest rematches of all ways to pair these, one of them left out of an odd number.
    fn fewest_rematches(&self, players: &[Number]) -> u32 {
        let Some((first, others)) = players.split_first() else { return 0 };
        let with = |at: usize| {
            let rest: Vec<Number> =
                others.iter().enumerate().filter(|(it, _)| *it != at).map(|(_, it)| *it).collect();
            u32::from(self.have_met(*first, others[at])) + self.fewest_rematches(&rest)
        };
        let without = (players.len() % 2 == 1).then(|| self.fewest_rematches(others));
        (0..others.len()).map(with).chain(without).min().unwrap_or(0)
    }
}

/// Plays stage by stage; `look` sees each stage before it is played.
fn play_out(
    knockout: &Knockout,
    mut decide: impl FnMut(&Due) -> Decision,
    mut look: impl FnMut(&Record, &Stage),
) -> (Record, Slot) {
    let (mut decided, mut record): (BTreeMap<MatchId, Decision>, Record) = Default::default();
    for _ in 0..200 {
        let stage = knockout.stage(&decided).expect("it can be paired");
        if stage.due.is_empty() {
            return (record, stage.champion);
        }
        assert_eq!(stage.champion, Slot::Open);
        look(&record, &stage);
        for game in stage.due {
            let decision = decide(&game);
            record.note(&game, decision);
            decided.insert(game.id, decision);
        }
    }
    panic!("it never ends");
}

fn by_chance(chance: &mut Chance) -> Decision {
    match chance.below(20) {
        0 => Decision::Neither,
        1..=10 => Decision::First,
        _ => Decision::Second,
    }
}

#[test]
fn so_many_losses_are_the_end_and_no_fewer() {
    for seed in 0..240 {
        let entrants = 2 + u32::try_from(seed % 19).unwrap();
        let losses = 3 + u32::try_from(seed % 3).unwrap();
        let mut chance = Chance::new(seed);
        // Numbers need not be places in the list.
        let knockout = Knockout::new((1..=entrants).rev().map(|it| Number(10 * it)).collect(), losses);
        let (record, champion) = play_out(&knockout, |_| by_chance(&mut chance), |_, _| ());
        for number in &knockout.seeds {
            if champion == Slot::Taken(*number) {
                assert!(record.lost(*number) < losses, "{seed}: the champion is out");
            } else {
                assert_eq!(record.lost(*number), losses, "{seed}: {number} of {entrants}");
            }
        }
    }
}

#[test]
fn equal_losses_meet_and_one_floats_of_an_odd_group() {
    let mut chance = Chance::new(5);
    let knockout = Knockout::new((1..=64).map(Number).collect(), 4);
    let mut stages = 0;
    let mut early = 0;
    play_out(
        &knockout,
        |_| if chance.percent(50) { Decision::First } else { Decision::Second },
        |record, stage| {
            stages += 1;
            let unequal =
                stage.due.iter().filter(|it| record.lost(it.players[0]) != record.lost(it.players[1]));
            let groups: BTreeSet<u32> =
                stage.due.iter().flat_map(|it| it.players).map(|it| record.lost(it)).collect();
            // While nobody has to avoid anybody, no more than one leaves each group.
            if stages <= 4 {
                early += 1;
                assert!(unequal.count() < groups.len().max(1), "stage {stages}: {:?}", stage.due);
            }
        },
    );
    assert_eq!(early, 4);
}

#[test]
fn rematches_are_only_where_they_cannot_be_avoided() {
    let (mut rematches, mut stages) = (0, 0);
    for seed in 0..150 {
        let mut chance = Chance::new(seed);
        let knockout = Knockout::new((1..=3 + u32::try_from(seed % 6).unwrap()).map(Number).collect(), 3);
        play_out(
            &knockout,
            |_| by_chance(&mut chance),
            |record, stage| {
                let again =
                    stage.due.iter().filter(|it| record.have_met(it.players[0], it.players[1])).count();
                let paired: Vec<Number> = stage.due.iter().flat_map(|it| it.players).collect();
                let all: Vec<Number> = paired.iter().copied().chain(stage.free).collect();
                stages += 1;
                if again > 0 {
                    rematches += 1;
                    assert!(record.fewest_rematches(&all) > 0, "seed {seed}: {:?}", stage.due);
                    assert_eq!(
                        u32::try_from(again).unwrap(),
                        record.fewest_rematches(&paired),
                        "seed {seed}"
                    );
                }
            },
        );
    }
    assert!(rematches > 50 && stages > 2 * rematches, "{rematches} of {stages}");
}

#[test]
fn nobody_is_free_twice_while_somebody_has_not_been() {
    let mut chance = Chance::new(3);
    let knockout = Knockout::new((1..=9).map(Number).collect(), 3);
    let mut free: Vec<Number> = Vec::new();
    play_out(
        &knockout,
        |_| if chance.percent(50) { Decision::First } else { Decision::Second },
        |_, stage| {
            if let Some(number) = stage.free {
                assert!(!free.contains(&number) || free.len() >= 3, "{number} after {free:?}");
                free.push(number);
            }
        },
    );
    assert!(!free.is_empty());
}

#[test]
fn one_loss_and_two_are_their_brackets() {
    for (losses, bracket) in
        [(1, Bracket::single(7)), (2, Bracket::double(7, pairing::knockout::GrandFinal::Reset))]
    {
        let knockout = Knockout::new((1..=7).map(Number).collect(), losses);
        let mut decided = BTreeMap::new();
        loop {
            let stage = knockout.stage(&decided).unwrap();
            let resolved = bracket.resolve(&knockout.seeds, &decided);
            let due: Vec<MatchId> = resolved.iter().filter(|it| it.is_due()).map(|it| it.id).collect();
            assert_eq!(stage.due.iter().map(|it| it.id).collect::<Vec<_>>(), due);
            assert_eq!(stage.champion, resolved.last().unwrap().winner);
            if due.is_empty() {
                break;
            }
            decided.extend(due.into_iter().map(|id| (id, Decision::Second)));
        }
    }
}

#[test]
fn an_empty_list_and_one_name_are_over_at_once() {
    for losses in 1..=4 {
        let stage = |seeds| Knockout::new(seeds, losses).stage(&BTreeMap::new()).unwrap();
        assert_eq!((stage(vec![]).due.len(), stage(vec![]).champion), (0, Slot::Vacant), "{losses}");
        assert_eq!(stage(vec![Number(4)]).champion, Slot::Taken(Number(4)), "{losses}");
    }
}

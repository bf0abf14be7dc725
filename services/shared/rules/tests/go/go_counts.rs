//! The count by stones, step by step.

use proptest::prelude::*;
use rules::{Count, Game, RuleSet, Side, go::GoGame};

use crate::dice::Dice;

/// A game from a board of 7 lines on which both confirm the end and these stones are proposed as dead.
fn proposed(board: &str, dead: &str) -> GoGame {
    let rule_set = RuleSet::named("").with("size", "7").with("komi", "0").with("setup", board);
    let mut game = GoGame::new(&rule_set).expect("the rule set is right");
    for (side, act) in [(Side::First, "pass"), (Side::Second, "pass"), (Side::First, dead)] {
        game.play(side, act).expect("a legal act");
    }
    game
}

fn texts(count: &Count) -> Vec<&str> {
    count.steps.iter().map(|step| step.text.as_str()).collect()
}

#[test]
fn go_the_example_on_seven_lines_step_by_step() {
    let mut game = proposed(".X.XXO./.XXXO.O/..XOOOO/XXXXOXO/OOOXXXX/O.XOOXX/.OOOOOX", "dead C2");
    let wanted = [
        "both agree on the dead stones",
        "the dead stones are taken off: 1 black, 0 white",
        "Black has 19 stones, 5 enclosed points and 0 as half of the shared ones: 24 zi",
        "half of the board is 24 1/2 zi and Black gives 0: W+1/2 zi",
    ];
    let counts = game.counts();
    assert_eq!(texts(&counts[0]), wanted);
    let boards: Vec<_> = counts[0].steps.iter().filter_map(|step| step.board.as_ref()).collect();
    let stones: Vec<_> = boards.iter().map(|board| board.stones.len()).collect();
    assert_eq!(stones, [40, 39, 39]);
    let marks =
        |board: usize, kind: &str| boards[board].marks.iter().filter(|mark| mark.kind == kind).count();
    assert_eq!((marks(0, "dead"), marks(1, "dead"), marks(2, "dead")), (1, 0, 0));
    assert_eq!((marks(2, "territory-first"), marks(2, "territory-second"), marks(2, "shared")), (5, 5, 0));
    // Accepted, the count is what it was proposed to be.
    game.play(Side::Second, "accept").unwrap();
    assert_eq!(game.counts(), counts);
    assert_eq!(game.outcome().unwrap().score.as_ref(), Some(&counts[0].result));
}

#[test]
fn go_without_dead_stones_nothing_is_taken_off() {
    let game = proposed(".X.XXO./.XXXO.O/..XOOOO/XXXXOXO/OOOXXXX/O.XOOXX/.OOOOOX", "dead -");
    let counts = game.counts();
    let [count] = &counts[..] else { panic!("one method: {counts:?}") };
    assert_eq!(
        texts(count),
        [
            "Black has 20 stones, 5 enclosed points and 1/2 as half of the shared ones: 25 1/2 zi",
            "half of the board is 24 1/2 zi and Black gives 0: B+1 zi",
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// There is a count exactly when there is something to count, and it is the outcome.
    #[test]
    fn go_counts_come_to_the_outcome(seed: u64) {
        let mut game = GoGame::new(&RuleSet::named("").with("size", "5")).expect("the rule set is right");
        let mut dice = Dice(seed);
        while let Some(side) = game.on_clock() {
            let proposed = game.position().agreement().is_some_and(|agreement| agreement.proposal.is_some());
            prop_assert_eq!(game.counts().len(), usize::from(proposed));
            let hints = game.hints(side);
            let pass = hints.iter().any(|hint| hint.text == "pass") && dice.below(4) == 0;
            let text = if pass { "pass".to_owned() } else { hints[dice.below(hints.len())].text.clone() };
            game.play(side, &text).expect("a hint is legal");
        }
        let outcome = game.outcome().expect("an end");
        let counted: Vec<_> = game.counts().into_iter().map(|count| count.result).collect();
        prop_assert_eq!(counted, Vec::from_iter(outcome.score.clone()));
    }
}

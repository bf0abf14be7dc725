//! Where the drawn stones fall, counted out.

use std::collections::BTreeMap;

use rules::{
    Side,
    goban::{Colour, Point, Size},
    tianyi::{Grabs, Method, Phase, Position, Quadrants, Rules},
};

use crate::{dice::Dice, play::Table};

/// How often each point comes up among the 324 equally likely remainders.
fn weights(quadrants: Quadrants) -> BTreeMap<(u8, u8), u32> {
    let mut weights = BTreeMap::new();
    for referee in 1..=4 {
        for (x, y) in (1..=9).flat_map(|x| (1..=9).map(move |y| (x, y))) {
            let at = Grabs { referee, x, y }.point(Size::NINETEEN, quadrants).expect("a centre");
            *weights.entry((at.column(), at.row())).or_default() += 1;
        }
    }
    weights
}

#[test]
fn tianyi_the_324_outcomes_fall_on_289_points() {
    let weights = weights(Quadrants::default());
    assert_eq!((weights.len(), weights.values().sum::<u32>()), (289, 324));
    for (&(column, row), &weight) in &weights {
        assert!((1..=17).contains(&column) && (1..=17).contains(&row), "nothing falls on the first line");
        let axes = u32::from(column == 9) + u32::from(row == 9);
        assert_eq!(weight, 1 << axes, "{column} {row}");
    }
    let on_axes: u32 =
        weights.iter().filter(|((x, y), _)| *x == 9 || *y == 9).map(|(_, weight)| weight).sum();
    assert_eq!(on_axes * 81, 17 * 324);
    let other: Quadrants = "se sw nw ne".parse().expect("a table");
    assert_eq!(weights, self::weights(other), "the numbering does not change the chances");
}

/// The chance that some of `stones` stones falls on an earlier one: 1 − n! eₙ(p), with the elementary symmetric
/// polynomial of the points' chances.
fn void_chance(chances: &[f64], stones: usize) -> f64 {
    let mut sums = vec![0.0; stones + 1];
    sums[0] = 1.0;
    for chance in chances {
        for nth in (1..=stones).rev() {
            sums[nth] += sums[nth - 1] * chance;
        }
    }
    let orders: f64 = (1..=stones).map(|n| f64::from(u32::try_from(n).expect("small"))).product();
    1.0 - orders * sums[stones]
}

#[test]
fn tianyi_the_chance_of_a_void_stone() {
    let grabbed: Vec<f64> = weights(Quadrants::default()).values().map(|n| f64::from(*n) / 324.0).collect();
    let even = [1.0 / 289.0; 289];
    for (chances, stones, percent) in
        [(&grabbed[..], 4, 2.27), (&grabbed, 8, 10.2), (&even, 4, 2.06), (&even, 8, 9.3)]
    {
        let chance = 100.0 * void_chance(chances, stones);
        let digits = if stones == 4 { 0.005 } else { 0.05 };
        assert!((chance - percent).abs() < digits, "{chance} of {percent}");
    }
}

/// The points of whole draws are as likely as they should be: 4,000 games by each method.
#[test]
fn tianyi_drawn_games_fall_as_they_should() {
    for (method, name) in [(Method::Grab, "tianyi2014"), (Method::Uniform, "uniform")] {
        let mut dice = Dice(7);
        let (mut centre, mut axes, mut all, mut void) = (0u32, 0u32, 0u32, 0u32);
        for _ in 0..4000 {
            let mut position = Position::new(Rules { method, ..Rules::default() });
            let seed = rules::tianyi::Act::Seed(dice.opening());
            position.act(rules::Author::System, &seed).expect("due");
            position.act(rules::Author::System, &rules::tianyi::Act::Expire).expect("due");
            let placed = position.placed();
            let colours: Vec<Colour> = placed.iter().map(|stone| stone.colour).collect();
            assert_eq!(colours, [Colour::White, Colour::Black, Colour::White, Colour::Black]);
            let standing = placed.iter().filter(|stone| stone.stands).count();
            let board = position.board();
            assert_eq!(standing, usize::from(board.count(Colour::Black) + board.count(Colour::White)));
            for (nth, stone) in placed.iter().enumerate() {
                let (x, y) = (stone.at.column().abs_diff(9), stone.at.row().abs_diff(9));
                assert!(x <= 8 && y <= 8);
                assert_eq!(stone.stands, placed[..nth].iter().all(|other| other.at != stone.at));
                all += 1;
                axes += u32::from(x == 0 || y == 0);
                centre += u32::from(x == 0 && y == 0);
            }
            void += u32::from(standing < placed.len());
        }
        // Five standard deviations around what is expected of 16,000 points and 4,000 games.
        let near = |count: u32, of: u32, chance: f64| {
            let (of, deviation) = (f64::from(of), (f64::from(of) * chance).sqrt());
            assert!((f64::from(count) - of * chance).abs() < 5.0 * deviation, "{name}: {count} of {of}");
        };
        let (on_axis, middle, empty) = if method == Method::Grab {
            (17.0 / 81.0, 4.0 / 324.0, 0.0227)
        } else {
            (33.0 / 289.0, 1.0 / 289.0, 0.0206)
        };
        near(axes, all, on_axis);
        near(centre, all, middle);
        near(void, 4000, empty);
    }
}

#[test]
fn tianyi_placements_on_every_size() {
    for lines in 5..=25u8 {
        let size = Size::new(lines).expect("a size");
        for (method, name) in [(Method::Grab, "tianyi2014"), (Method::Uniform, "uniform")] {
            let rule_set = rules::RuleSet::named(name).with("size", &lines.to_string()).with("stones", "8");
            if !method.fits(size) {
                let fault = Rules::read(&rule_set).expect_err("no centre");
                assert_eq!(fault.option, "placement");
                continue;
            }
            let mut table = Table::new(&rule_set);
            let mut dice = Dice(u64::from(lines));
            while table.game.phase() == "placement" {
                assert!(table.step(&mut dice));
            }
            let mut position = Position::new(Rules::read(&rule_set).expect("right"));
            for act in &table.acts {
                let act_read = rules::tianyi::Act::parse(&act.text, size).expect("an act");
                position.act(act.author, &act_read).expect("legal");
            }
            assert!(matches!(position.phase(), Phase::Bidding(_)));
            assert_eq!(position.placed().len(), 8);
            let inside =
                |at: Point| (1..lines - 1).contains(&at.column()) && (1..lines - 1).contains(&at.row());
            assert!(position.placed().iter().all(|stone| inside(stone.at)));
            assert_eq!(position.start().map(|setup| setup.to_move()), Some(Colour::White));
            assert!(Side::BOTH.into_iter().all(|side| table.game.actors().include(side)));
        }
    }
}

//! The paper's example, `skillratings` as an oracle, and the laws of the scale.

use proptest::{collection::vec, prelude::*};
use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2_rating_period},
};

use super::*;

fn any_rating() -> impl Strategy<Value = Rating> {
    (RATING_RANGE, 20.0..=350.0, VOLATILITY_RANGE).prop_map(|(value, deviation, volatility)| Rating {
        value,
        deviation,
        volatility,
    })
}

fn any_score() -> impl Strategy<Value = Score> {
    prop_oneof![Just(Score::Win), Just(Score::Draw), Just(Score::Loss)]
}

fn any_games() -> impl Strategy<Value = Vec<Played>> {
    vec(
        (any_rating(), any_score()).prop_map(|(opponent, score)| Played { opponent, score, ahead: 0.0 }),
        1..20,
    )
}

fn any_periods() -> impl Strategy<Value = Periods> {
    prop_oneof![Just(0.0), 0.0..1.0, 0.0..1e6].prop_map(Periods)
}

fn theirs(rating: Rating) -> Glicko2Rating {
    Glicko2Rating { rating: rating.value, deviation: rating.deviation, volatility: rating.volatility }
}

/// As exact as we are.
const CONFIG: Glicko2Config = Glicko2Config { tau: TAU, convergence_tolerance: 1e-10 };

/// What the oracle says, brought into our ranges.
fn oracle(player: Rating, games: &[Played], periods: u32) -> Rating {
    let games: Vec<_> = games
        .iter()
        .map(|game| {
            let outcome = match game.score {
                Score::Win => Outcomes::WIN,
                Score::Draw => Outcomes::DRAW,
                Score::Loss => Outcomes::LOSS,
            };
            (theirs(game.opponent), outcome)
        })
        .collect();
    let idle = (1..periods).fold(theirs(player), |player, _| decay_deviation(&player));
    let after = glicko2_rating_period(&idle, &games, &CONFIG);
    Rating {
        value: within(&RATING_RANGE, after.rating),
        deviation: within(&DEVIATION_RANGE, after.deviation),
        volatility: within(&VOLATILITY_RANGE, after.volatility),
    }
}

fn assert_close(ours: f64, theirs: f64) {
    assert!((ours - theirs).abs() < 1e-6, "{ours} is not {theirs}");
}

#[test]
fn the_example_of_the_paper() {
    let against = |value, deviation, score| Played {
        opponent: Rating::new(value, deviation, 0.06).expect("in range"),
        score,
        ahead: 0.0,
    };
    let player = Rating::new(1500.0, 200.0, 0.06).expect("in range");
    let games = [
        against(1400.0, 30.0, Score::Win),
        against(1550.0, 100.0, Score::Loss),
        against(1700.0, 300.0, Score::Loss),
    ];
    let after = player.update(&games, Periods::whole(1));
    assert!((after.value - 1464.05).abs() < 0.01, "{after:?}");
    assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
    assert!((after.volatility - 0.059_996).abs() < 0.000_001, "{after:?}");
}

#[test]
fn what_is_expected_of_a_game() {
    let of = |value, deviation| Rating::new(value, deviation, 0.06).expect("in range");
    // Of 400 points one part in eleven is left, of players who are known; of newcomers nearly everything is open.
    let known = expected(of(1900.0, 1e-9), of(1500.0, 1e-9), 0.0);
    assert_close(known, 10.0 / 11.0);
    assert_close(expected(of(1500.0, 1e-9), of(1500.0, 1e-9), 400.0), known);
    let unknown = expected(of(1900.0, 350.0), of(1500.0, 350.0), 0.0);
    assert!(0.5 < unknown && unknown < 0.83, "{unknown}");
    assert_close(
        expected(of(1500.0, 60.0), of(1700.0, 90.0), 30.0)
            + expected(of(1700.0, 90.0), of(1500.0, 60.0), -30.0),
        1.0,
    );
}

#[test]
fn a_settled_player_is_provisional_after_a_year() {
    let settled = Rating::new(1500.0, 60.0, 0.06).expect("in range");
    let provisional_after =
        |days: u64| settled.idle(Periods::of(Duration::from_hours(days * 24))).is_provisional();
    assert!(!provisional_after(364) && provisional_after(366));
    assert_eq!(Rating::INITIAL.ranked_for(), None);
}

#[test]
fn nothing_but_numbers_in_range_becomes_a_rating() {
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 5000.0] {
        assert_eq!(Rating::new(odd, 350.0, 0.06), None, "rating {odd}");
        assert_eq!(Rating::new(1500.0, odd, 0.06), None, "deviation {odd}");
        assert_eq!(Rating::new(1500.0, 350.0, odd), None, "volatility {odd}");
    }
    let Rating { value, deviation, volatility } = Rating::INITIAL;
    assert_eq!(Rating::new(value, deviation, volatility), Some(Rating::INITIAL));
}

proptest! {
    #[test]
    fn whole_periods_agree_with_skillratings(
        player in any_rating(), games in any_games(), periods in 1..40_u32,
    ) {
        let ours = player.update(&games, Periods::whole(periods));
        let theirs = oracle(player, &games, periods);
        assert_close(ours.value, theirs.value);
        assert_close(ours.deviation, theirs.deviation);
        assert_close(ours.volatility, theirs.volatility);
    }

    #[test]
    fn idle_time_agrees_with_skillratings_and_adds_up(
        player in any_rating(), periods in 0..200_u32, part in 0.0..1.0,
    ) {
        let decayed = (0..periods).fold(theirs(player), |player, _| decay_deviation(&player));
        let total = Periods::whole(periods);
        assert_close(player.idle(total).deviation, decayed.deviation);
        let first = Periods(total.0 * part);
        let rest = Periods(total.0 - first.0);
        assert_close(player.idle(first).idle(rest).deviation, player.idle(total).deviation);
    }

    #[test]
    fn everything_stays_in_range(player in any_rating(), games in any_games(), elapsed in any_periods()) {
        let after = player.update(&games, elapsed);
        prop_assert!(RATING_RANGE.contains(&after.value));
        prop_assert!(DEVIATION_RANGE.contains(&after.deviation));
        prop_assert!(VOLATILITY_RANGE.contains(&after.volatility));
    }

    #[test]
    fn a_win_never_lowers_and_a_loss_never_raises(
        player in any_rating(), opponent in any_rating(), elapsed in any_periods(), ahead in -5000.0..5000.0_f64,
    ) {
        let after = |score| player.update(&[Played { opponent, score, ahead }], elapsed).value;
        prop_assert!(after(Score::Win) >= player.value);
        prop_assert!(after(Score::Loss) <= player.value);
        prop_assert!(after(Score::Loss) <= after(Score::Draw) && after(Score::Draw) <= after(Score::Win));
    }

    #[test]
    fn sides_do_not_matter(
        one in (any_rating(), any_periods(), any_score()), two in (any_rating(), any_periods(), any_score()),
        advantage in -5000.0..5000.0_f64,
    ) {
        let (first, second) = play(one, two, advantage);
        prop_assert_eq!(play(two, one, -advantage), (second, first));
    }

    #[test]
    fn who_is_ahead_is_judged_like_who_is_rated_higher(
        value in 1000.0..2000.0_f64, deviation in 45.0..350.0, volatility in VOLATILITY_RANGE,
        opponent in any_rating(), ahead in -500.0..500.0_f64, elapsed in any_periods(), score in any_score(),
    ) {
        let player = Rating { value, deviation, volatility };
        let higher = Rating { value: value + ahead, ..player };
        let with = player.update(&[Played { opponent, score, ahead }], elapsed);
        let without = higher.update(&[Played { opponent, score, ahead: 0.0 }], elapsed);
        // At the ends of the range both are cut, and not alike.
        prop_assume!([with, without].iter().all(|after| RATING_RANGE.contains(&(after.value - 0.001))));
        assert_close(with.value - player.value, without.value - higher.value);
        assert_close(with.deviation, without.deviation);
        assert_close(with.volatility, without.volatility);
    }

    #[test]
    fn equals_move_by_the_same_amount(
        value in 1000.0..2000.0_f64, deviation in 45.0..350.0, volatility in VOLATILITY_RANGE,
        elapsed in any_periods(),
    ) {
        let player = Rating { value, deviation, volatility };
        let (winner, loser) = play((player, elapsed, Score::Win), (player, elapsed, Score::Loss), 0.0);
        assert_close(winner.value + loser.value, 2.0 * value);
        assert_close(winner.deviation, loser.deviation);
        let (first, second) = play((player, elapsed, Score::Draw), (player, elapsed, Score::Draw), 0.0);
        assert_close(first.value, value);
        prop_assert_eq!(first, second);
    }

    #[test]
    fn the_order_of_games_in_a_period_does_not_matter(player in any_rating(), mut games in any_games()) {
        let forth = player.update(&games, Periods::whole(1));
        games.reverse();
        let back = player.update(&games, Periods::whole(1));
        assert_close(forth.value, back.value);
        assert_close(forth.deviation, back.deviation);
    }

    #[test]
    fn ranked_for_says_when_it_becomes_provisional(player in any_rating()) {
        let Some(ranked) = player.ranked_for() else {
            prop_assert!(player.is_provisional());
            return Ok(());
        };
        let second = Duration::from_secs(1);
        prop_assert!(!player.idle(Periods::of(ranked.saturating_sub(second))).is_provisional());
        prop_assert!(player.idle(Periods::of(ranked + second)).is_provisional());
    }
}

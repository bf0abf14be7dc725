//! Rules that the worked examples do not show, each in a position of its own.

use rules::{
    Reason, RuleSet, Side, Verdict,
    jirige::{Illegal, Options, Orientation, Phase, Position, Setup, Turn},
};

fn position(text: &str) -> Position {
    position_under(&[], text)
}

fn position_under(options: &[(&str, &str)], text: &str) -> Position {
    let rule_set = options.iter().fold(RuleSet::named(""), |set, (name, value)| set.with(name, value));
    let options = Options::from_rule_set(&rule_set).expect("known rules");
    let setup: Setup = text.parse().expect("an arrangement");
    Position::from_setup(&setup, options).expect("a position")
}

fn turn(text: &str) -> Turn {
    text.parse().expect("a turn")
}

/// Plays a turn and says how many squares and what spear it made.
fn play(position: &mut Position, text: &str) -> (u8, String) {
    let legal = position.play(&turn(text)).unwrap_or_else(|illegal| panic!("{text}: {illegal}"));
    (legal.squares(), legal.spear().map(|line| line.to_string()).unwrap_or_default())
}

fn refusal(position: &Position, text: &str) -> &'static str {
    let mut tried = position.clone();
    let illegal = tried.play(&turn(text)).expect_err(text);
    assert_eq!(tried, *position, "a refused turn changes nothing");
    illegal.reason()
}

#[test]
fn a_flight_closes_four_squares() {
    let mut position = position(
        "x.x.x.x.x/x.......x/........./..ooo..../..o.o..../..ooo..../........./........./o.......x move light",
    );
    assert_eq!(refusal(&position, "A1-D5*A9*C9*E9"), "TOO_FEW_REMOVALS");
    assert_eq!(play(&mut position, "A1-D5*A9*C9*E9*G9"), (4, String::new()));
    assert_eq!(position.board().count(Side::First), 4);
}

#[test]
fn a_chain_that_comes_back_has_closed_nothing() {
    // C3 takes D3, E4, D5 and C4 in a round; its square with A, B is as it was.
    let mut position = position(
        "x.x.x.x.x/........./x.x.x.x.x/........./...x...../..x.x..../.oox...../.oo....../o.o.o.o.o move light",
    );
    assert_eq!(refusal(&position, "C3xE3xE5xC5xC3*A9"), "TOO_MANY_REMOVALS");
    assert_eq!(refusal(&position, "C3xE3xE5xC5xC3/row"), "NO_REMOVAL_DUE");
    assert_eq!(play(&mut position, "C3xE3xE5xC5xC3"), (0, String::new()));
    assert_eq!((position.board().count(Side::First), position.quiet_plies()), (10, 0));
}

#[test]
fn where_no_stone_is_loose_any_may_be_taken_and_a_broken_square_is_loose() {
    let mut position = position(
        "........./........./..oo...../..o.o..../........./xx.....xx/xx.....xx/........./o.o.o.o.o move light",
    );
    assert_eq!(play(&mut position, "E6-D6*A4"), (1, String::new()));
    // Three stones of the square stand loose now, and the other square is safe.
    assert!(position.board().to_string().contains("/.x.....xx/xx.....xx/"));
    let position = self::position(
        "........./........./..oo...../..o.o..../........./.x.....xx/xx.....xx/........./o.o.o.o.o move light",
    );
    assert_eq!(refusal(&position, "E6-D6*H4"), "PROTECTED_SQUARE");
    assert!(position.is_legal(&turn("E6-D6*B4")));
}

#[test]
fn two_removals_of_one_turn_look_at_the_board_one_after_the_other() {
    // Two squares closed, and dark has one square and nothing loose: the first breaks it, the second may go on.
    let position = position(
        "........./........./........./..ooo..../..o.o..../...o...../xx......./xx......./o.o.o.o.o move light",
    );
    assert!(position.is_legal(&turn("D4-D5*A3")), "down to three, no more is owed");
    assert_eq!(refusal(&position, "D4-D5*A3*B3"), "TOO_MANY_REMOVALS");
    let position = position_under(
        &[("lose_at", "2")],
        "........./........./........./..ooo..../..o.o..../...o...../xx......./xx......./o.o.o.o.o move light",
    );
    assert!(position.is_legal(&turn("D4-D5*A3*B3")));
    assert_eq!(refusal(&position, "D4-D5*A3*A3"), "NOT_ENEMY_STONE");
}

#[test]
fn an_opening_spear_is_worth_its_line_or_one() {
    let text = "ooxoxoxoo/oxoxoxoxo/xoxoxoxox/oxoxoxoxo/xxxx.xxxx/oxoxoxoxo/xoxoxoxox/oxoxoxoxo/ooxoxoxoo place dark";
    for (worth, pending) in [("value", 10), ("one", 2)] {
        let mut position = position_under(&[("spear_placement", worth)], text);
        assert_eq!(play(&mut position, "E5"), (0, "row:5".to_owned()));
        assert_eq!((position.phase(), position.pending()), (Phase::Open, 1));
        play(&mut position, "*E5");
        assert_eq!(position.pending(), pending);
    }
}

#[test]
fn a_split_opening_takes_one_stone_each_first() {
    // Worked example 03 with a square of dark.
    let text = "xoxoxoxoo/oxoxoxoxo/xoxoxooox/oxoxoxoxo/xoxo.oxox/oxoxoxoxo/xoxoxoxox/xxoxoxoxo/xxxoxoxox place dark";
    let mut position = position_under(&[("opening_order", "split")], text);
    for (text, to_move, phase, pending) in [
        ("E5", Side::Second, Phase::Open, 1),
        ("*C1", Side::First, Phase::Open, 1),
        ("*A4", Side::First, Phase::Open, 1),
        ("*G7", Side::Second, Phase::Move, 0),
    ] {
        play(&mut position, text);
        assert_eq!(
            (position.to_move(), position.phase(), position.pending()),
            (to_move, phase, pending),
            "{text}"
        );
    }
}

#[test]
fn an_opening_may_end_the_game() {
    // Whatever is owed, no more than leads to the losing count.
    let rows = "xxxxxxxxx/xxxxxxxxx/xxxxxxxxx/xxxxxxxxx/xxxxxoooo/ooooooooo/ooooooooo/ooooooooo/ooooooooo";
    let mut position = position(&format!("{rows} open light"));
    // 24 squares of light's, and no spear was recorded for it.
    assert_eq!(position.pending(), 1 + position.board().squares(Side::Second).len());
    let spears = format!("{rows} open light light:row:1+row:2+row:3+row:4");
    let capped = self::position(&spears);
    assert_eq!(capped.pending(), 38);
    position = capped;
    let mut removed = String::new();
    while position.outcome().is_none() {
        let action = position.actions()[0];
        removed += &Turn::from(action).to_string();
        let _ = position.act(action).expect("listed");
    }
    let outcome = position.outcome().expect("ended");
    assert_eq!((outcome.verdict, outcome.reason), (Verdict::Win(Side::Second), Reason::TooFewStones));
    assert_eq!(
        self::position(&spears).play(&turn(&removed)).map(|legal| legal.turn().clone()),
        Ok(turn(&removed))
    );
}

#[test]
fn who_is_blocked_loses_or_draws() {
    let text = "xxxxxxxxx/xxxxxxxxx/xooooooox/ooooooooo/ooo..oooo/ooooooooo/xooooooox/xxxxxxxxx/xxxxxxxxx move light";
    for (blocked, verdict) in [("loss", Verdict::Win(Side::Second)), ("draw", Verdict::Draw)] {
        let mut position = position_under(&[("blocked", blocked)], text);
        play(&mut position, "F5-E5");
        let outcome = position.outcome().expect("ended");
        assert_eq!((outcome.verdict, outcome.reason), (verdict, Reason::NoMoves));
    }
}

#[test]
fn a_single_jump_is_no_way_out_where_it_is_barred() {
    // Dark's stone in the corner could only jump, and light flies.
    let text =
        "ooooooooo/x......../........./........./........./........./........./ox......./xox...... move dark";
    let position = position(text);
    assert!(position.outcome().is_none(), "others can move");
    assert_eq!(refusal(&position, "A1xC1"), "OCCUPIED");
    assert_eq!(refusal(&position, "A1xA3"), "SINGLE_JUMP_IN_FLIGHT");
}

#[test]
fn a_repetition_is_one_of_stones_side_and_rights() {
    let mut position = position(
        "x...x...x/........./..x...x../........./........./........./..o...o../........./o...o...o move light",
    );
    for n in 0..2 {
        assert_eq!(position.occurrences(), n + 1);
        assert_eq!(position.claimable(), Err(Illegal::NotClaimable));
        for text in ["A1-A2", "I9-I8", "A2-A1", "I8-I9"] {
            play(&mut position, text);
        }
    }
    assert_eq!(position.claimable(), Ok(Reason::Repetition));
    let mut drawn = position.clone();
    play(&mut drawn, "claim");
    assert_eq!(drawn.outcome().map(|it| (it.verdict, it.reason)), Some((Verdict::Draw, Reason::Repetition)));
    assert_ne!(drawn.hash(), position.hash());
    // Completing a line without taking changes the rights, so nothing has come back.
    let board = "o...x...x/o......../o.x...x../o......../.o......./o......../o.o...o../o......../o...o...o";
    let [with, without] =
        [" light:col:A", ""].map(|spears| self::position(&format!("{board} move light{spears}")).hash());
    assert_ne!(with, without);
}

/// The last stone of the placement fills a row and a column.
#[test]
fn of_two_lines_the_one_allowed_or_chosen_counts() {
    // Row 4 is worth 8, column E 9.
    let cross = "....x..../....x..../....x..../....x..../....x..../xxxx.xxxx/....x..../....x..../....x....";
    let spear = |options: &str, text: &str| {
        let mut position = position(&format!("{cross} place dark{options}"));
        let played = position.play(&turn(text));
        played.map(|legal| (legal.spear().map(|line| line.to_string()), legal.turn().to_string()))
    };
    let counted = |line: &str, text: &str| Ok((Some(line.to_owned()), text.to_owned()));
    let none = |text: &str| Ok((None, text.to_owned()));
    assert_eq!(spear("", "E4"), counted("col:E", "E4"));
    assert_eq!(spear("", "E4/col"), counted("col:E", "E4"));
    assert_eq!(spear("", "E4/row"), counted("row:4", "E4/row"));
    assert_eq!(spear(" dark:row:5", "E4"), counted("row:4", "E4"));
    assert_eq!(spear(" dark:row:5", "E4/row"), counted("row:4", "E4"));
    assert_eq!(spear(" dark:row:5", "E4/col"), Err(Illegal::NoRemovalDue(Some(Orientation::Column))));
    assert_eq!(spear(" dark:row:4", "E4"), none("E4"));
    assert_eq!(spear(" dark:col:A light:row:4", "E4"), counted("col:E", "E4"));
}

#[test]
fn arrangements_that_cannot_be_are_refused() {
    use rules::jirige::SetupError;
    let empty = "........./........./........./........./........./........./........./........./.........";
    let full = empty.replace('.', "x");
    let few = empty.replacen("...", "xxx", 1).replacen("......", "oooooo", 1);
    for (text, error) in [
        (format!("{full} move dark"), SetupError::TooManyStones(Side::First)),
        (format!("{few} move light"), SetupError::TooFewStones(Side::First)),
        (format!("{empty} open light"), SetupError::TooFewStones(Side::First)),
        (format!("{empty} place dark quiet:1"), SetupError::Quiet),
        (format!("{empty} place dark owed:1+0+0+0"), SetupError::Owed),
    ] {
        let setup: Setup = text.parse().expect("well formed");
        assert_eq!(Position::from_setup(&setup, Options::default()).map(|_| ()), Err(error), "{text}");
    }
}

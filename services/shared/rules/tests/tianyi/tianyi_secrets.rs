//! What is sealed is in nothing that others see: two games that differ in the secret alone look the same to
//! everybody else, whatever they look at.

use proptest::prelude::*;
use rules::{
    Author, Game, Opening, Played, RuleSet, Side, Verdict, Viewer,
    engine::{self, Engine},
    tianyi::VARIANT,
};

use crate::{
    dice::Dice,
    play::{Table, bidding, draw, parts, play, start, system},
};

/// Everything that a viewer can get out of a game.
fn seen(game: &dyn Game, viewer: Viewer) -> String {
    let hints = match viewer {
        Viewer::Seat(side) => game.hints(side),
        Viewer::Spectator => Vec::new(),
    };
    let common = (game.ply(), game.phase(), game.actors(), game.on_clock(), game.hash(), game.outcome());
    let house = (game.system_due(), game.sealed(), Side::BOTH.map(|side| game.colour(side)));
    format!("{:?} {hints:?} {common:?} {house:?} {game:?}", game.view(viewer))
}

/// What others are told of an act.
fn told(played: &Played) -> String {
    format!("{} {:?}", played.public.as_ref().unwrap_or(&played.text), played.effects)
}

proptest! {
    #[test]
    fn tianyi_a_sealed_bid_shows_nowhere(one in -25i16..=25, other in -25i16..=25, first: bool) {
        let side = if first { Side::First } else { Side::Second };
        let text = |halves: i16| format!("bid {}", rules::tianyi::Bid::of_halves(halves));
        let (mut left, mut right) = (bidding(&[]), bidding(&[]));
        let (left_told, right_told) = (play(&mut left, side, &text(one)), play(&mut right, side, &text(other)));
        prop_assert_eq!(told(&left_told), told(&right_told));
        let shown = [&left_told, &right_told].map(|played| format!("{played:?}"));
        prop_assert_eq!(&shown[0], &shown[1]);
        for viewer in [Viewer::Spectator, Viewer::Seat(side.other())] {
            prop_assert_eq!(seen(&*left, viewer), seen(&*right, viewer));
        }
        // Its maker sees his own bid, and nothing else differs.
        let own = |game: &dyn Game| game.view(Viewer::Seat(side)).facts.into_iter().find(|(name, _)| *name == "own-bid");
        prop_assert_eq!(own(&*left).map(|(_, bid)| format!("bid {bid}")), Some(text(one)));
        // Refusals, too, are the same, whoever asks for what.
        for author in Author::ALL {
            for attempt in ["bid 1.5", "bid 13", "expire", "choose white", "seed 0 0", "C3", "accept"] {
                let (mut left, mut right) = (left.clone(), right.clone());
                let (left, right) = (left.act(author, attempt), right.act(author, attempt));
                if let (Err(left), Err(right)) = (&left, &right) {
                    prop_assert_eq!(left, right);
                }
                prop_assert_eq!(left.is_ok(), right.is_ok(), "{} by {:?}", attempt, author);
            }
        }
        prop_assert!(left_told.effects.revealed.is_empty());
    }

    /// The commitment of the house is open and fixes its seed; nothing else depends on the seed while it is
    /// sealed, and no text holds a piece of it.
    #[test]
    fn tianyi_the_seed_of_the_house_shows_nowhere(seed: u64, late in 0usize..4) {
        let mut dice = Dice(seed);
        let all = [dice.opening(), dice.opening(), dice.opening()];
        let secret = all[0].text();
        let pieces = [&secret[..16], &secret[48..64], &secret[65..81], &secret[113..]];
        let mut game = start(&RuleSet::named(""));
        let mut told_of = vec![told(&system(&mut game, &format!("seed {secret}")))];
        let commit = |side: Side| format!("commit {}", all[1 + side.index()].commitment());
        let reveal = |side: Side| format!("reveal {}", all[1 + side.index()].text());
        let check = |game: &dyn Game, told_of: &[String]| {
            let views = [Viewer::Spectator, Viewer::Seat(Side::First), Viewer::Seat(Side::Second)];
            let seen: String = views.iter().map(|viewer| seen(game, *viewer)).chain(told_of.iter().cloned()).collect();
            prop_assert!(pieces.iter().all(|piece| !seen.contains(piece)));
            let wrong = game.boxed_clone().play(Side::First, &format!("reveal {secret}"));
            let shown = format!("{wrong:?}");
            prop_assert!(!shown.contains(pieces[0]));
            Ok(())
        };
        check(&*game, &told_of)?;
        for (nth, side) in Side::BOTH.into_iter().enumerate() {
            if nth != late {
                told_of.push(told(&play(&mut game, side, &commit(side))));
                check(&*game, &told_of)?;
            }
        }
        if late < 2 {
            told_of.push(told(&system(&mut game, "expire")));
            check(&*game, &told_of)?;
        }
        let last = Side::BOTH.into_iter().rfind(|side| side.index() != late).expect("one is in time");
        for side in Side::BOTH.into_iter().filter(|side| side.index() != late && *side != last) {
            told_of.push(told(&play(&mut game, side, &reveal(side))));
            check(&*game, &told_of)?;
        }
        prop_assert_eq!(game.phase(), "placement");
        let opened = play(&mut game, last, &reveal(last));
        prop_assert_eq!(opened.effects.revealed, [(1, format!("seed {secret}"))]);
        prop_assert_eq!(game.phase(), "bidding");
    }

    /// Every sealed act is opened once and in full, and until then listed with just the text that was public.
    #[test]
    fn tianyi_what_is_sealed_is_opened_once(seed: u64, name in prop::sample::select(&["tianyi2014", "design", "uniform"][..])) {
        let mut table = Table::new(&RuleSet::named(name).with("size", "5"));
        let mut dice = Dice(seed);
        let mut sealed: Vec<(u32, String)> = Vec::new();
        while table.game.phase() != "play" && table.step(&mut dice) {
            let played = table.played.last().expect("played");
            let now = table.game.ply();
            for (ply, text) in &played.effects.revealed {
                let place = sealed.iter().position(|(known, _)| known == ply);
                sealed.remove(place.expect("only what is sealed is opened"));
                prop_assert_eq!(text, &table.acts[usize::try_from(*ply).expect("small") - 1].text);
            }
            sealed.extend(played.public.clone().map(|public| (now, public)));
            prop_assert_eq!(&table.game.sealed(), &sealed);
        }
        prop_assert!(sealed.is_empty());
    }
}

/// The running game is exported without what is sealed, and the file can be read.
#[test]
fn tianyi_a_running_record_has_no_secret() {
    let mut game = start(&RuleSet::named("").with("size", "9"));
    let mut acts = Vec::new();
    let mut record = |game: &dyn Game, author: Author, played: &Played| {
        acts.push(rules::Act::by(author, played.text.clone()));
        let rule_set = game.rule_set().clone();
        let whole = rules::Record {
            variant: "tianyi",
            rule_set,
            headings: vec![],
            acts: acts.clone(),
            outcome: None,
        };
        let open = whole.without_sealed(&game.sealed());
        let file = rules::tianyi::sgf::print(&open);
        assert_eq!(rules::tianyi::sgf::parse(file.as_bytes()), Ok(open));
        file
    };
    let all = parts(1);
    let played = system(&mut game, &format!("seed {}", all[0].text()));
    let file = record(&*game, Author::System, &played);
    assert!(file.contains("H commit") && !file.contains("seed"), "{file}");
    let played = play(&mut game, Side::First, &format!("commit {}", all[1].commitment()));
    record(&*game, Side::First.into(), &played);
    let played = system(&mut game, "expire");
    record(&*game, Author::System, &played);
    let played = play(&mut game, Side::First, &format!("reveal {}", all[1].text()));
    let file = record(&*game, Side::First.into(), &played);
    assert!(file.contains("H seed") && file.contains("SHD[placement]") && file.contains("PL[W]"), "{file}");
    let played = play(&mut game, Side::Second, "bid 7.5");
    let file = record(&*game, Side::Second.into(), &played);
    assert!(file.contains("[2 bid]") && !file.contains("7.5") && !file.contains("SHB"), "{file}");
    let played = play(&mut game, Side::First, "bid 7.5");
    let file = record(&*game, Side::First.into(), &played);
    assert!(file.contains("SHB[first 7.5][second 7.5]"), "{file}");
    draw(&mut game, parts(7));
    assert!(game.sealed().is_empty());
}

#[test]
fn tianyi_the_engines_record_keeps_what_is_sealed() {
    let mut engine = Engine::new(&VARIANT).expect("a game");
    engine.start(RuleSet::named("design").with("size", "9"), None).expect("a game");
    for (side, act) in [(0, "propose B E5 W C3"), (1, "accept"), (0, "bid 3.5")] {
        engine.play_any(Side::BOTH[side], act).expect("legal");
    }
    let sealed = engine.record();
    assert!(sealed.contains("[1 bid]") && !sealed.contains("3.5"), "{sealed}");
    engine.play_any(Side::Second, "bid 1").expect("legal");
    assert!(engine.record().contains("3.5"), "both are open");

    let mut engine = Engine::new(&VARIANT).expect("a game");
    let seed = Opening::new([1; 32], [2; 32]);
    engine.play_any(Author::System, &format!("seed {}", seed.text())).expect("legal");
    let sealed = engine.record();
    assert!(sealed.contains(&format!("commit {}", seed.commitment())), "{sealed}");
    assert!(!sealed.contains(&seed.text()), "{sealed}");
}

#[test]
fn tianyi_a_win_of_a_first_side_that_is_white_is_written_as_whites() {
    let mut engine = Engine::new(&VARIANT).expect("a game");
    let setup = "to-move: w; white: first; komi: 1; board: ...../.x.../...../...o./.....";
    engine.start(RuleSet::named(""), Some(setup.to_owned())).expect("a position");
    for (side, act) in [(0, "pass"), (1, "pass"), (0, "dead B4"), (1, "accept")] {
        engine.play_any(Side::BOTH[side], act).expect("legal");
    }
    let won = engine.game().outcome().expect("over").verdict;
    assert_eq!(won, Verdict::Win(Side::First));
    let record = engine.record();
    assert!(record.contains("RE[W+"), "{record}");
    let report = engine::check(&VARIANT, &RuleSet::named(""), record.as_bytes());
    assert!(report.is_clean() && report.acts == 4, "{report}\n{record}");
    let sgf = &record[record.find('(').expect("a tree")..];
    let read = (VARIANT.parse_record)(sgf).expect("readable");
    assert_eq!(read.outcome.as_ref().map(|outcome| outcome.verdict), Some(won));
    assert_eq!((VARIANT.print_record)(&read), sgf, "reading and writing change nothing");
}

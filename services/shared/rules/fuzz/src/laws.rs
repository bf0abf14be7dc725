//! What holds of any bytes, for every variant.

use std::ops::ControlFlow;

use rules::{
    Author, Game, Hint, RuleSet, SetupText, Side, VARIANTS, Variant,
    engine::{Engine, Gtp, Host, Session, check, render},
};

/// A law and the name of its target and corpus.
pub type Law = (&'static str, fn(&[u8]));

/// Every law.
pub const LAWS: &[Law] = &[
    ("act_round_trip", act_round_trip),
    ("engine_takes_any_bytes", engine_takes_any_bytes),
    ("gtp_takes_any_bytes", gtp_takes_any_bytes),
    ("hash_follows_play", hash_follows_play),
    ("legal_is_listed", legal_is_listed),
    ("position_round_trip", position_round_trip),
    ("record_round_trip", record_round_trip),
    ("record_takes_any_bytes", record_takes_any_bytes),
];

/// How many acts a game of a law has at most: enough for every phase of a small game.
const ACTS_MAX: usize = 300;

/// Any bytes are a record or none, and a check of them ends; neither depends on what is no UTF-8.
pub fn record_takes_any_bytes(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for variant in VARIANTS {
        let _ = (variant.parse_record)(&text);
        let report = check(variant, &RuleSet::named(""), bytes);
        assert_eq!(report.to_string().lines().count(), report.faults.len() + 1, "a fault has a line");
    }
}

/// What was read as a record is written, and is the same when it is read again.
pub fn record_round_trip(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for variant in VARIANTS {
        let Ok(record) = (variant.parse_record)(&text) else { continue };
        let written = (variant.print_record)(&record);
        let again = (variant.parse_record)(&written)
            .unwrap_or_else(|error| panic!("{}: its own record is refused: {error}\n{written}", variant.id));
        // Reading brings headings and acts into the form of the file; from then on nothing changes any more.
        let settled = (variant.print_record)(&again);
        assert_eq!((variant.parse_record)(&settled).as_ref(), Ok(&again), "{}: {settled}", variant.id);
        assert_eq!(record.acts.len(), again.acts.len(), "{}", variant.id);
        assert_eq!(record.outcome, again.outcome, "{}", variant.id);
    }
}

/// An act that is accepted is answered in a text that is accepted in its place, and does the same.
pub fn act_round_trip(bytes: &[u8]) {
    for_each_game(bytes, |game, side, choice| {
        let text = String::from_utf8_lossy(choice);
        let before = (game.hash(), game.ply(), game.view(rules::Viewer::Spectator));
        let mut first = game.boxed_clone();
        if let Ok(played) = first.play(side, &text) {
            let mut second = game.boxed_clone();
            let again = second.play(side, &played.text).expect("its own text");
            assert_eq!(played, again, "{text}");
            assert_eq!(first.hash(), second.hash(), "{text}");
            assert_eq!(first.ply(), before.1 + 1, "{text}");
        } else {
            let after = (first.hash(), first.ply(), first.view(rules::Viewer::Spectator));
            assert_eq!(after, before, "a refused act changes nothing: {text}");
        }
    });
}

/// Every listed act is legal, and an act of which nothing is listed is not.
pub fn legal_is_listed(bytes: &[u8]) {
    for_each_game(bytes, |game, side, choice| {
        let hints = game.hints(side);
        assert!(game.actors().include(side) || hints.is_empty(), "who may not act is shown nothing");
        let act = pick(&hints, choice).and_then(|it| completed(game, side, it.clone(), choice));
        if let Some(act) = act {
            let played = game.boxed_clone().play(side, &act.text).expect("a listed act is legal");
            assert_eq!(played.text, act.text, "a listed act is canonical");
        }
        // What is suggested, either side may play. While it is still played nothing is, which costs nothing to ask.
        if let Some(act) = game.suggestion() {
            let played = game.boxed_clone().play(side, &act).expect("a suggested act is legal");
            assert_eq!(played.text, act, "a suggested act is canonical");
        }
        // A point by its name is an act in every variant, or it is none.
        let (column, row) = (choice.first().copied().unwrap_or(0), choice.get(1).copied().unwrap_or(0));
        let view = game.view(rules::Viewer::Spectator);
        let point = rules::Point { column: column % view.columns.max(1), row: row % view.rows.max(1) };
        let name = game.point_name(point);
        let legal = game.boxed_clone().play(side, &name).is_ok_and(|played| played.text == name);
        let listed = hints.iter().any(|hint| hint.text == name && hint.choices_left == 0);
        assert_eq!(legal, listed, "{name} for {side:?}");
    });
}

/// The hash after an act differs from the one before, taking the act back restores it, and playing it again comes
/// to the same; and the record of it all, checked, has no fault.
pub fn hash_follows_play(bytes: &[u8]) {
    let (variant, bytes) = variant_of(bytes);
    let Ok(mut engine) = Engine::new(variant) else { return };
    if engine.start(small(variant), None).is_err() {
        return;
    }
    for choice in bytes.chunks(2).take(ACTS_MAX) {
        let Some((author, act)) = chosen(engine.game(), choice) else { break };
        let before = engine.game().hash();
        engine.play_any(author, &act).expect("a listed act");
        let after = engine.game().hash();
        assert_ne!(before, after, "{act}");
        if choice[0] % 8 == 0 {
            engine.undo(1).expect("it was played just now");
            assert_eq!(engine.game().hash(), before, "{act} taken back");
            engine.play_any(author, &act).expect("a listed act");
            assert_eq!(engine.game().hash(), after, "{act} played again");
        }
    }
    let record = engine.record();
    let report = check(variant, &RuleSet::named(""), record.as_bytes());
    // What is sealed still is not in the record, and nobody can check what he is not told.
    let unchecked = engine.acts().is_empty() || !engine.game().sealed().is_empty();
    assert!(report.is_clean() || unchecked, "{report}\n{record}");
}

/// Any text is a position or none; one that was read is written, and is the same when it is read again.
pub fn position_round_trip(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = SetupText::read(&text).map(|setup| (setup.grid(), setup.to_move(), setup.only(&[])));
    for variant in VARIANTS {
        let Ok(game) = (variant.position)(&RuleSet::named(""), &text) else { continue };
        let _ = render(&*game);
        let Some(written) = game.setup_text() else { continue };
        let again = (variant.position)(&RuleSet::named(""), &written).unwrap_or_else(|error| {
            panic!("{}: its own position is refused: {error}\n{written}", variant.id)
        });
        assert_eq!(again.setup_text(), Some(written), "{}", variant.id);
        assert_eq!(again.hash(), game.hash(), "{}", variant.id);
    }
}

/// The engine answers any bytes, in pieces of any size alike, and its answers are framed.
pub fn engine_takes_any_bytes(bytes: &[u8]) {
    let (variant, bytes) = variant_of(bytes);
    talk(bytes, || Session::new(variant));
}

/// The same with GTP.
pub fn gtp_takes_any_bytes(bytes: &[u8]) {
    let (variant, bytes) = variant_of(bytes);
    let gtp = Gtp::new(variant).or_else(|_| Gtp::new(&rules::go::VARIANT)).expect("Go speaks GTP");
    talk(bytes, || Session::gtp(gtp.clone()));
}

fn talk(bytes: &[u8], session: impl Fn() -> Session) {
    let (mut whole, mut pieces) = (String::new(), String::new());
    let mut one = session();
    one.feed(bytes, &mut Fuzzed, &mut whole);
    one.finish(&mut Fuzzed, &mut whole);
    let mut other = session();
    for piece in bytes.chunks(7) {
        other.feed(piece, &mut Fuzzed, &mut pieces);
    }
    other.finish(&mut Fuzzed, &mut pieces);
    assert_eq!(whole, pieces, "answers do not depend on how the bytes come");
    for answer in whole.split_terminator("\n\n") {
        assert!(answer.starts_with(['=', '?']), "no answer: {answer:?}");
    }
    assert!(whole.is_empty() || whole.ends_with("\n\n"), "an answer ends with an empty line");
}

/// A host that stops counts early, so that a target runs fast.
struct Fuzzed;

impl Host for Fuzzed {
    fn counting(&mut self, counted: u64) -> ControlFlow<()> {
        if counted > 200 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn below(&mut self, bound: usize) -> usize {
        bound / 2
    }

    fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        // What is named is its own content.
        Ok(name.as_bytes().to_vec())
    }
}

/// Plays a game as the bytes choose among the listed acts, and shows `look` each position with what is left.
fn for_each_game(bytes: &[u8], look: impl Fn(&dyn Game, Side, &[u8])) {
    let (variant, mut bytes) = variant_of(bytes);
    let Ok(mut game) = (variant.start)(&small(variant)) else { return };
    for _ in 0..ACTS_MAX {
        let view = game.view(rules::Viewer::Spectator);
        assert!(
            variant.lines.contains(&view.columns) && variant.lines.contains(&view.rows),
            "{}",
            variant.id
        );
        for mark in &view.marks {
            assert!(
                variant.marks.iter().any(|info| info.kind == mark.kind),
                "{} says nothing of {mark:?}",
                variant.id
            );
        }
        let Some((choice, rest)) = bytes.split_at_checked(2) else { return };
        bytes = rest;
        for side in Side::BOTH {
            look(&*game, side, &bytes[..bytes.len().min(64)]);
        }
        let Some((author, act)) = chosen(&*game, choice) else { return };
        game.act(author, &act).expect("a listed act is legal");
    }
}

/// The variant that the first byte chooses. One below this chooses a place in the list for good, so that what the files
/// of the corpus mean stays the same when a game is added at the end.
const PLACES: usize = 16;

fn variant_of(bytes: &[u8]) -> (&'static Variant, &[u8]) {
    let (first, rest) = bytes.split_first().map_or((0, bytes), |(first, rest)| (usize::from(*first), rest));
    let place = first % PLACES;
    (VARIANTS.get(place).unwrap_or(&VARIANTS[place % VARIANTS.len()]), rest)
}

/// The default rules, made for a short game.
fn small(variant: &Variant) -> RuleSet {
    let changed = variant.short_games.first().copied().unwrap_or_default();
    changed.iter().fold(RuleSet::named(""), |rule_set, (name, value)| rule_set.with(name, value))
}

/// The listed act that two bytes choose, complete, and whose it is; where there is none, what the house has to do.
fn chosen(game: &dyn Game, choice: &[u8]) -> Option<(Author, String)> {
    let first = usize::from(choice.first().copied().unwrap_or(0) / 128);
    for side in [Side::BOTH[first], Side::BOTH[1 - first]] {
        let act = pick(&game.hints(side), choice).and_then(|it| completed(game, side, it.clone(), choice));
        if let Some(act) = act {
            return Some((Author::Side(side), act.text));
        }
    }
    let mut bytes = [0x0a, 0x5c].into_iter().cycle();
    let mut fixed = || [bytes.next().unwrap_or_default(); 32];
    Some((Author::System, game.system_due()?.act(&mut fixed)))
}

/// A step with all that it owes; `None` where what it owes is no stone but a value that cannot be listed.
fn completed(game: &dyn Game, side: Side, mut act: Hint, choice: &[u8]) -> Option<Hint> {
    while act.choices_left > 0 {
        act = pick(&game.choices(side, &act), choice)?.clone();
    }
    Some(act)
}

fn pick<'a>(hints: &'a [Hint], choice: &[u8]) -> Option<&'a Hint> {
    let number = choice.iter().take(2).fold(0, |number, byte| 256 * number + usize::from(*byte));
    hints.get(number.checked_rem(hints.len())?)
}

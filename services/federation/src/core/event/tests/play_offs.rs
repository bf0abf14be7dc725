//! Play-offs (1.6, D): tables by hand, and that they change nobody else's place.

use pairing::{
    Number,
    ResultCode::{self, Draw, Loss, Win},
    Status, Ties,
    standings::{Cycles, Line},
};
use proptest::prelude::*;

use super::{Book, by_number, official, settings};
use crate::core::event::{
    Act, BoardId, BoardResult, Event, Fact, Format, Missing, PairingEdit, PlayOffSettings, Refusal, Role,
    Settings, Stage, Unpaired, edit, role::allowed,
};

const ROBIN: Format = Format::RoundRobin { cycles: Cycles::Single };

fn played_off(format: Format, places: u32, games: u32) -> Settings {
    let settings = settings("go", format);
    let entries = crate::core::event::EntrySettings { max: 30, ..settings.entries };
    let play_off = PlayOffSettings {
        places,
        games,
        time_control: "5m".parse().expect("a time"),
        rule_set: settings.game.rule_set.clone(),
        options: settings.game.options.clone(),
    };
    Settings { play_off: Some(play_off), entries, ..settings }
}

/// A round robin that is played: of so many the first ones draw with each other, and the lower number wins else.
fn robin(of: Settings, players: u32, level: u32) -> Book {
    let mut book = Book::running(of, players);
    while !book.event.has_no_more_rounds() {
        book.begin_round().expect("a round");
        book.play(
            |table, pair| {
                if pair.iter().all(|it| it.0 <= level) { [Draw, Draw] } else { by_number(table, pair) }
            },
        );
    }
    book
}

fn missing(book: &Book) -> Vec<Missing> {
    book.event.missing(Stage::Closing, book.now)
}

/// The lines without what a play-off adds to them.
fn before(book: &Book) -> Vec<Line> {
    book.event.table(book.event.last_round_of_all()).lines
}

fn after(book: &Book) -> Vec<Line> {
    book.event.table(book.event.next_round() - 1).lines
}

fn line(lines: &[Line], number: u32) -> &Line {
    lines.iter().find(|it| it.number == Number(number)).expect("his line")
}

fn told(lines: &[Line], number: u32) -> Vec<String> {
    let line = line(lines, number);
    let decides = line.criteria.iter().filter(|it| ["play_off", "lot"].contains(&it.name));
    decides.map(pairing::standings::Criterion::explain).collect()
}

#[test]
fn two_who_share_the_first_place_play_for_it_with_alternating_colours() {
    let mut book = robin(played_off(ROBIN, 1, 2), 4, 2);
    assert_eq!(book.places(), [(1, 1), (1, 2), (3, 3), (4, 4)]);
    assert_eq!(missing(&book), [Missing::PlayOff]);
    let refused = book.event.advance(book.now).expect_err("a place is shared");
    assert_eq!(refused, Refusal::Incomplete(vec![Missing::PlayOff]));
    let mut colours = Vec::new();
    for _ in 0..2 {
        book.begin_round().expect("a game");
        let round = book.event.rounds.last().expect("a round").clone();
        assert!(round.published.play_off && round.published.out.is_empty());
        colours.push(round.published.boards.iter().map(|it| it.players).collect::<Vec<_>>());
        assert_eq!(missing(&book), [Missing::Rounds, Missing::PlayOff]);
        assert_eq!(after(&book), before(&book), "it decides once it is over");
        book.play(|_, pair| if pair[0] == Number(2) { [Win, Loss] } else { [Loss, Win] });
    }
    let one: Vec<[Number; 2]> = colours[0].iter().map(|[a, b]| [*b, *a]).collect();
    assert_eq!(colours[1], one, "the same two, with the colours turned");
    assert_eq!(book.places(), [(1, 2), (2, 1), (3, 3), (4, 4)]);
    let table = after(&book);
    assert_eq!(
        (told(&table, 2), told(&table, 1)),
        (vec!["play-off 4:0".to_owned()], vec!["play-off 0:4".to_owned()])
    );
    for number in 1..=4 {
        let (then, now) = (before(&book), after(&book));
        assert_eq!(line(&then, number).points, line(&now, number).points);
        let shared = line(&then, number).criteria.len();
        assert_eq!(line(&now, number).criteria[..shared], line(&then, number).criteria);
    }
    assert_eq!(missing(&book), []);
    assert_eq!(book.plan(), Err(Unpaired::NoMoreRounds));
    assert_eq!(book.verified().findings, []);
    book.event.advance(book.now).expect("it is decided");
}

#[test]
fn three_meet_once_each_and_the_lot_parts_who_is_level_then() {
    let mut book = robin(played_off(ROBIN, 3, 2), 6, 3);
    let shared = before(&book);
    assert_eq!([1, 2, 3].map(|it| line(&shared, it).place), [Some(1); 3]);
    let mut games = Vec::new();
    for _ in 0..3 {
        book.begin_round().expect("a round");
        let round = book.event.rounds.last().expect("a round").clone();
        games.extend(round.published.boards.iter().map(|it| it.players.map(|it| it.0)));
        // 3 wins both, and 1 draws with 2.
        book.play(|_, pair| match pair.map(|it| it.0) {
            [3, _] => [Win, Loss],
            [_, 3] => [Loss, Win],
            _ => [Draw, Draw],
        });
    }
    let mut pairs: Vec<[u32; 2]> = games.into_iter().map(|[a, b]| [a.min(b), a.max(b)]).collect();
    pairs.sort_unstable();
    assert_eq!(pairs, [[1, 2], [1, 3], [2, 3]]);
    let table = after(&book);
    assert_eq!((line(&table, 3).place, told(&table, 3)), (Some(1), vec!["play-off 4:0".to_owned()]));
    let [one, two] = [1, 2].map(|it| (line(&table, it).place, told(&table, it)));
    assert_eq!([&one.1[0], &two.1[0]], ["play-off 1:3", "play-off 1:3"]);
    assert_eq!((one.1.len(), two.1.len()), (2, 2), "the lot is told of");
    let mut places = [one.0, two.0];
    places.sort_unstable();
    assert_eq!(places, [Some(2), Some(3)]);
    assert_eq!([4, 5, 6].map(|it| line(&table, it).place), [Some(4), Some(5), Some(6)]);
    assert_eq!(book.verified().findings, []);
}

#[test]
fn only_places_that_are_to_be_played_for_are() {
    // Nobody wins against another of the last four, and all of them lose to 1 and 2.
    let all_draw = |of: Settings| {
        let mut book = Book::running(of, 4);
        for _ in 0..3 {
            book.begin_round().expect("a round");
            book.play(
                |table, pair| {
                    if pair.iter().all(|it| it.0 > 2) { [Draw, Draw] } else { by_number(table, pair) }
                },
            );
        }
        book
    };
    let book = all_draw(played_off(ROBIN, 1, 2));
    assert_eq!(book.places(), [(1, 1), (2, 2), (3, 3), (3, 4)]);
    assert_eq!((missing(&book), book.plan()), (vec![], Err(Unpaired::NoMoreRounds)));
    let book = all_draw(played_off(ROBIN, 3, 2));
    assert_eq!(missing(&book), [Missing::PlayOff]);
    let two = book.plan().expect("they play for the third place").boards;
    assert_eq!(two.len(), 1);
    assert!(two[0].players.contains(&Number(3)) && two[0].players.contains(&Number(4)));
    let without = all_draw(settings("go", ROBIN));
    assert_eq!((missing(&without), without.plan()), (vec![], Err(Unpaired::NoMoreRounds)));
}

#[test]
fn the_committee_has_places_shared_or_drawn_where_no_play_off_can_be_held() {
    for (ties, alone) in [(Ties::Shared, false), (Ties::Lot, true)] {
        let mut book = robin(played_off(ROBIN, 1, 2), 4, 2);
        book.begin_round().expect("a game");
        let running = book.event.settle_ties(ties, "a storm".to_owned(), &official(3000));
        assert_eq!(running, Err(Refusal::Round("the last round is not complete")));
        book.play(|_, _| [Win, Loss]);
        book.write(
            book.event.settle_ties(ties, "a storm".to_owned(), &official(3000)).expect("the committee may"),
        );
        let table = after(&book);
        assert_eq!(
            line(&table, 1).place != line(&table, 2).place,
            alone,
            "what was begun counts for nothing"
        );
        assert_eq!((told(&table, 1).len(), told(&table, 3).len()), (usize::from(alone), 0));
        assert_eq!((missing(&book), book.plan()), (vec![], Err(Unpaired::NoMoreRounds)));
        let again = book.event.settle_ties(ties, "a storm".to_owned(), &official(3000));
        assert_eq!(again, Err(Refusal::Round("no place is left to be played for")));
        assert_eq!(book.verified().findings, []);
    }
}

#[test]
fn more_than_eight_draw_lots_at_once() {
    let book = robin(played_off(ROBIN, 1, 1), 9, 9);
    let table = after(&book);
    let places: Vec<Option<u32>> = table.iter().map(|it| it.place).collect();
    assert_eq!(places, (1..=9).map(Some).collect::<Vec<_>>());
    assert_eq!((missing(&book), told(&table, 1).len()), (vec![], 1));
}

#[test]
fn what_is_not_settled_before_the_adoption_is_not_played() {
    let without = Settings { play_off: None, ..played_off(ROBIN, 1, 2) };
    let mut book = Book::running(without.clone(), 4);
    let later = Settings { play_off: played_off(ROBIN, 1, 2).play_off, ..without };
    let refused = book.event.change_settings(later, "a tie".to_owned(), book.now);
    assert_eq!(refused, Err(Refusal::Settled("the play-off", Stage::Running)));
    book.begin_round().expect("a round");
    let swiss = Format::Swiss { rounds: 2 };
    let mut book = Book::running(played_off(swiss, 1, 2), 2);
    book.begin_round().expect("a round");
    book.play(|_, _| [Draw, Draw]);
    let shorter = Settings { format: Format::Swiss { rounds: 1 }, ..Settings::clone(&book.event.settings) };
    book.write(book.event.change_settings(shorter, "late".to_owned(), book.now).expect("fewer rounds"));
    book.begin_round().expect("the play-off");
    let longer = Settings { format: swiss, ..Settings::clone(&book.event.settings) };
    let refused = book.event.change_settings(longer, "time".to_owned(), book.now);
    assert_eq!(refused, Err(Refusal::Settled("the number of rounds", Stage::Running)));
}

#[test]
fn settings_that_no_play_off_follows_from_are_refused() {
    let good = played_off(Format::Swiss { rounds: 5 }, 1, 2);
    let book = Book::open(settings("go", ROBIN));
    let field = |settings: Settings| settings.check(book.now).err().map(|bad| bad.field);
    assert_eq!(field(good.clone()), None);
    let with = |change: &dyn Fn(&mut PlayOffSettings)| {
        let mut settings = good.clone();
        change(settings.play_off.as_mut().expect("there is one"));
        settings
    };
    assert_eq!(field(with(&|it| it.places = 0)), Some("play_off.places"));
    assert_eq!(field(with(&|it| it.games = 0)), Some("play_off.games"));
    assert_eq!(field(with(&|it| it.rule_set = "none".to_owned())), Some("play_off"));
    assert_eq!(
        field(Settings { format: Format::KnockOut { lives: 1, third_place: false }, ..good.clone() }),
        Some("play_off")
    );
    let long = Settings { format: Format::Swiss { rounds: 98 }, ..good };
    assert_eq!(field(long), Some("play_off.games"), "the chain of seeds has a hundred links");
}

#[test]
fn games_of_a_play_off_are_played_by_its_own_rules() {
    let mut of = played_off(ROBIN, 1, 2);
    let nine = |options: &mut std::collections::BTreeMap<String, String>| {
        options.insert("size".to_owned(), "9".to_owned());
    };
    nine(&mut of.play_off.as_mut().expect("there is one").options);
    let text = crate::core::event::supplement::text(
        &crate::core::name::Name { native: "a".to_owned(), latin: "a".to_owned() },
        1,
        &of,
    );
    assert!(
        text.contains("Play-off (Art. 28.3): places 1 to 1") && text.contains("Time of the play-off: 5m")
    );
    let mut book = robin(of, 4, 2);
    book.begin_round().expect("a game");
    let board = |round| BoardId { round, table: 1 };
    let event = &book.event;
    assert_eq!(event.options_at(board(4)).get("size").map(String::as_str), Some("9"));
    assert_ne!(event.options_at(board(1)).get("size").map(String::as_str), Some("9"));
    assert!(event.play_off_at(board(4)).is_some() && event.play_off_at(board(1)).is_none());
}

#[test]
fn who_leaves_in_a_play_off_has_lost_it() {
    let mut book = robin(played_off(ROBIN, 1, 2), 4, 2);
    book.begin_round().expect("a game");
    book.change(1, Status::Withdrawn { after_round: 4 }).expect("he leaves");
    book.begin_round().expect("the other game is laid");
    assert_eq!(missing(&book), [], "and lost as it begins");
    assert_eq!(book.places(), [(1, 2), (2, 1), (3, 3), (4, 4)]);
    assert_eq!(book.verified().findings, []);
}

#[test]
fn others_than_those_who_share_the_place_are_found_in_a_log() {
    let mut book = robin(played_off(ROBIN, 1, 2), 4, 2);
    let mut draft = book.plan().expect("a game");
    let refused = edit(&mut draft, &[PairingEdit::Swap(Number(1), Number(2))], "why not");
    assert!(matches!(refused, Err(Refusal::Pairing(_))));
    edit(&mut draft, &[PairingEdit::Turn(1)], "the other hall").expect("colours may be turned");
    let turned = Fact::RoundPublished(Box::new(draft.clone()));
    let mut honest = book.clone();
    honest.write(vec![turned]);
    assert_eq!(honest.verified().findings, []);
    draft.boards[0].players = [Number(1), Number(3)];
    book.write(vec![Fact::RoundPublished(Box::new(draft))]);
    let found: Vec<String> = book.verified().findings.into_iter().map(|it| it.detail).collect();
    assert_eq!(found, ["round 4 has others play for a place than those who share it"]);
}

fn codes(pick: u8) -> [ResultCode; 2] {
    [[Win, Loss], [Draw, Draw], [Loss, Win]][usize::from(pick) % 3]
}

/// Plays a Swiss with its play-offs, all results as drawn.
fn swiss(players: u32, rounds: u16, places: u32, picks: &[u8]) -> (Book, Event) {
    let mut picks = picks.iter().copied().cycle();
    let mut book = Book::running(played_off(Format::Swiss { rounds }, places, 2), players);
    for _ in 0..rounds {
        book.begin_round().expect("a round");
        let of_round: Vec<u8> = (0..players).map(|_| picks.next().unwrap_or(0)).collect();
        book.play(|table, _| codes(of_round[table as usize - 1]));
    }
    let regular = book.event.clone();
    while book.begin_round().is_ok() {
        let of_round: Vec<u8> = (0..players).map(|_| picks.next().unwrap_or(0)).collect();
        book.play(|table, _| codes(of_round[table as usize - 1]));
    }
    (book, regular)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// Points, totals and the opponents' sums are what they were; whoever is in no play-off keeps his place, who is in one
    /// keeps his group's; and the log is as it must be.
    #[test]
    fn a_play_off_changes_nothing_else(
        players in 4_u32..11,
        rounds in 1_u16..3,
        places in 1_u32..8,
        picks in prop::collection::vec(any::<u8>(), 60),
    ) {
        let (book, regular) = swiss(players, rounds, places, &picks);
        let (then, now) = (regular.table(rounds).lines, after(&book));
        for old in &then {
            let new = line(&now, old.number.0);
            let plain = |it: &Line| {
                let own = it.criteria.iter().filter(|it| !["play_off", "lot"].contains(&it.name));
                own.cloned().collect::<Vec<_>>()
            };
            prop_assert_eq!((old.points, plain(old)), (new.points, plain(new)));
            let first = old.place.expect("everybody has played");
            let sharing = u32::try_from(then.iter().filter(|it| it.place == old.place).count()).expect("few");
            if first <= places {
                prop_assert!(new.place.is_some_and(|it| (first..first + sharing).contains(&it)));
            } else {
                prop_assert_eq!(old.place, new.place);
            }
        }
        for place in 1..=places.min(players) {
            prop_assert!(now.iter().filter(|it| it.place == Some(place)).count() <= 1);
        }
        prop_assert_eq!(book.event.missing(Stage::Closing, book.now), vec![]);
        prop_assert_eq!(book.verified().findings, vec![]);
    }
}

#[test]
fn a_game_that_both_have_lost_decides_no_play_off() {
    for winner in [1, 2] {
        let mut book = robin(played_off(ROBIN, 1, 3), 4, 2);
        book.begin_round().expect("a game");
        book.play(|_, _| [Loss, Loss]);
        for game in 2..=3 {
            book.begin_round().unwrap_or_else(|error| panic!("game {game}, {winner} has won: {error}"));
            book.play(|_, [one, _]| if one == Number(winner) { [Win, Loss] } else { [Loss, Win] });
        }
        assert_eq!((missing(&book), book.plan()), (vec![], Err(Unpaired::NoMoreRounds)));
        assert_eq!(line(&after(&book), winner).place, Some(1));
        assert_eq!(book.verified().findings, []);
    }
}

#[test]
fn a_place_that_a_late_decision_has_two_share_is_settled_before_the_end() {
    let mut book = robin(played_off(ROBIN, 1, 2), 4, 1);
    assert_eq!(book.places(), [(1, 1), (2, 2), (3, 3), (4, 4)]);
    book.write(book.event.advance(book.now).expect("nothing is shared"));
    let both = |pair: [Number; 2]| pair.iter().all(|it| it.0 <= 2);
    let of_them = book.event.all_boards().find(|(_, board, _)| both(board.players)).expect("they met").0;
    let draw = BoardResult::decided([Draw, Draw], pairing::Reason::Arbiter);
    let facts = book.event.enter_result(of_them, draw, &official(2001), false);
    book.write(facts.expect("decided late"));
    let for_final = |book: &Book| book.event.missing(Stage::Final, book.now);
    assert!(for_final(&book).contains(&Missing::PlayOff), "{:?}", for_final(&book));
    let committee = [Role::Committee].into();
    assert_eq!(allowed(Act::SettleTies, &committee, Stage::Closing), Ok(Role::Committee));
    let drawn = book.event.settle_ties(Ties::Lot, "nobody is there any more".to_owned(), &official(3000));
    book.write(drawn.expect("the committee may"));
    assert!(!for_final(&book).contains(&Missing::PlayOff));
    let mut places: Vec<u32> = book.places().into_iter().map(|(place, _)| place).collect();
    places.sort_unstable();
    assert_eq!(places, [1, 2, 3, 4]);
    assert_eq!(book.verified().findings, []);
}

#[test]
fn rounds_are_not_added_to_what_the_committee_has_settled() {
    let mut book = Book::running(played_off(Format::Swiss { rounds: 1 }, 1, 2), 2);
    book.begin_round().expect("a round");
    book.play(|_, _| [Draw, Draw]);
    book.write(
        book.event
            .settle_ties(Ties::Shared, "a storm".to_owned(), &official(3000))
            .expect("the committee may"),
    );
    let longer = Settings { format: Format::Swiss { rounds: 2 }, ..Settings::clone(&book.event.settings) };
    let refused = book.event.change_settings(longer, "time".to_owned(), book.now);
    assert_eq!(refused, Err(Refusal::Settled("the number of rounds", Stage::Running)));
}

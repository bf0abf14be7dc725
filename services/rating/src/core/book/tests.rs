//! Laws of the book: in order, nothing lost; and the scores of each verdict.

use std::collections::BTreeMap;

use proptest::{collection::vec, prelude::*};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::*;
use crate::core::{
    advantage::{Advantage, Edition},
    category::{Category, Speed, Variant},
    game::Player,
    glicko2::{Periods, Score, play},
};

const VERDICTS: [Verdict; 5] =
    [Verdict::Win(Side::First), Verdict::Win(Side::Second), Verdict::Draw, Verdict::BothLose, Verdict::Void];

/// The minute in the middle.
const HALF: u16 = u16::MAX / 2;

fn category(speed: Speed) -> Category {
    Category { variant: Variant::parse("go").expect("a name"), speed }
}

fn account(number: u8) -> AccountId {
    Uuid::from_u128(u128::from(number) + 1).into()
}

fn key(number: u8) -> Key {
    Key { account: account(number), category: category(Speed::Blitz) }
}

fn minute(minute: u16) -> OffsetDateTime {
    OffsetDateTime::UNIX_EPOCH + Duration::minutes(minute.into())
}

fn game(id: u16, players: (u8, u8), verdict: Verdict, ended: u16) -> Game {
    let player = |number| Player { id: account(number), name: format!("p{number}") };
    Game {
        id: Uuid::from_u128(u128::from(id) + 1).into(),
        category: category(Speed::Blitz),
        players: [player(players.0), player(players.1)],
        told: verdict,
        annulled: false,
        event: None,
        federation: None,
        ended: minute(ended),
        sequence: 0,
        handicap: 0,
        acts: 100,
        ending: None,
    }
}

fn any_game() -> impl Strategy<Value = Game> {
    (0..60_u16, 0..5_u8, 1..5_u8, prop::sample::select(&VERDICTS[..]), any::<u16>(), 0..=9_u8).prop_map(
        |(id, first, step, verdict, ended, handicap)| {
            let (annulled, handicap) = (ended % 7 == 0, if ended % 2 == 0 { 0 } else { handicap });
            Game { annulled, handicap, ..game(id, (first, (first + step) % 5), verdict, ended) }
        },
    )
}

/// In the second half of all minutes the first move is worth 40 points, and a stone 80.
fn advantages() -> Advantages {
    let advantage = Advantage::new(40.0, 80.0).expect("in range");
    Advantages::new([Edition {
        variant: category(Speed::Blitz).variant,
        from: minute(HALF),
        advantage,
        games: 0,
    }])
}

/// The same by the plainest reading.
fn ahead(game: &Game) -> f64 {
    let (first_move, stone) = if game.ended >= minute(HALF) { (40.0, 80.0) } else { (0.0, 66.0) };
    if game.handicap == 0 { first_move } else { (f64::from(game.handicap) - 0.5) * stone }
}

/// Everybody's rating by the plainest reading of the rules: in the order of the games.
fn model(games: &[Game]) -> BTreeMap<Key, (glicko2::Rating, u32)> {
    let mut state: BTreeMap<Key, (glicko2::Rating, u32, OffsetDateTime)> = BTreeMap::new();
    for game in games {
        let (one, two) = match game.told {
            _ if game.annulled => continue,
            Verdict::Win(Side::First) => (Score::Win, Score::Loss),
            Verdict::Win(Side::Second) => (Score::Loss, Score::Win),
            Verdict::Draw => (Score::Draw, Score::Draw),
            Verdict::BothLose => (Score::Loss, Score::Loss),
            Verdict::Void => continue,
        };
        let keys = game.players.each_ref().map(|player| game.key_of(player));
        let [first, second] =
            keys.each_ref().map(|key| *state.get(key).unwrap_or(&(glicko2::Rating::INITIAL, 0, game.ended)));
        let idle = |since: OffsetDateTime| Periods::of((game.ended - since).try_into().unwrap_or_default());
        let (a, b) = play((first.0, idle(first.2), one), (second.0, idle(second.2), two), ahead(game));
        let [first_key, second_key] = keys;
        state.insert(first_key, (a, first.1 + 1, first.2.max(game.ended)));
        state.insert(second_key, (b, second.1 + 1, second.2.max(game.ended)));
    }
    state.into_iter().map(|(key, (rating, games, _))| (key, (rating, games))).collect()
}

proptest! {
    #[test]
    fn games_are_rated_in_order(games in vec(any_game(), 0..120)) {
        let (mut book, mut played) = (Book::new(advantages()), Book::new(advantages()));
        for game in &games {
            book.rate(game);
            played.play(game);
        }
        let ratings: BTreeMap<Key, (glicko2::Rating, u32)> = book
            .ratings()
            .into_iter()
            .map(|(key, player)| (key.clone(), (player.rating, player.games)))
            .collect();
        prop_assert_eq!(ratings, model(&games));
        prop_assert_eq!(played.ratings(), book.ratings());
    }

    #[test]
    fn changes_link_up(games in vec(any_game(), 0..120)) {
        let mut book = Book::default();
        let changes: Vec<Change> = games.iter().flat_map(|game| book.rate(game)).collect();
        let mut last: BTreeMap<&Key, &PlayerRating> = BTreeMap::new();
        let initial = PlayerRating::INITIAL;
        for change in &changes {
            let before = last.get(&change.key).copied().unwrap_or(&initial);
            prop_assert_eq!(&change.before, before);
            prop_assert!(change.after.updated >= before.updated);
            if change.verdict == Verdict::Void {
                prop_assert_eq!(&change.after, before);
            } else {
                prop_assert_eq!(change.after.games, before.games + 1);
            }
            last.insert(&change.key, &change.after);
        }
    }
}

#[test]
fn what_each_verdict_does() {
    let moves = VERDICTS.map(|verdict| {
        let mut book = Book::default();
        let changes = book.rate(&game(0, (0, 1), verdict, 0));
        assert_eq!(book.ratings().len(), if verdict == Verdict::Void { 0 } else { 2 });
        changes.map(|change| change.after.rating.value().total_cmp(&change.before.rating.value()).is_gt())
    });
    assert_eq!(moves, [[true, false], [false, true], [false, false], [false, false], [false, false]]);

    let mut book = Book::default();
    let both_lost = book.rate(&game(0, (0, 1), Verdict::BothLose, 0));
    assert!(both_lost.iter().all(|change| change.after.rating.value() < change.before.rating.value()));
    let mut book = Book::default();
    let drawn = book.rate(&game(0, (0, 1), Verdict::Draw, 0));
    assert!(drawn.iter().all(|change| change.after.rating.deviation() < 350.0 && change.after.games == 1));
}

#[test]
fn a_rating_is_ranked_until_the_moment_it_says() {
    let mut book = Book::default();
    for id in 0..40 {
        book.rate(&game(id, (0, 1), VERDICTS[usize::from(id % 2)], id));
    }
    let player = book.rating(&key(0));
    let until = player.ranked_until().expect("forty games settle a rating");
    let provisional = |now| player.clone().at(now).rating.is_provisional();
    assert!(!provisional(until - Duration::seconds(1)));
    assert!(provisional(until + Duration::seconds(1)));
    assert_eq!(PlayerRating::INITIAL.ranked_until(), None);
}

//! From the input of a list, and the list before, to the list.

use std::collections::BTreeMap;

use crate::{
    BadInput, BadPolicy, Elo, Entry, First, Glicko2, Id, List, ListInput, Player, Points, Rating, Score,
    System, bytes,
    elo::GAME,
    first::Evidence,
    glicko2::{self, Periods, Played},
};

/// Why there is no list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The rows make no sense.
    #[error(transparent)]
    Input(#[from] BadInput),
    /// The policy makes no sense.
    #[error(transparent)]
    Policy(#[from] BadPolicy),
    /// The list before is another one.
    #[error("the list before is not the one that the input names")]
    Before,
    /// The list before is not earlier.
    #[error("the list before is not earlier")]
    Day,
}

/// Everybody by his id, while a list is made.
type People = BTreeMap<Id, Entry>;

/// Makes a list.
///
/// Doubles become those into whom they were merged: of the two entries of one person the one with more games stays, with the
/// games of both. Imported ratings are taken by those who have none. Every game is reckoned from the ratings as they were
/// before all games of this list, so that their order decides nothing.
///
/// # Errors
/// When the input makes no sense, or `before` is not the list that it names.
pub fn compute(input: &ListInput, before: Option<&List>) -> Result<List, Fault> {
    input.check()?;
    input.policy.check()?;
    if before.map(bytes::digest_of_list) != input.before {
        return Err(Fault::Before);
    }
    let days = before.map(|before| i64::from(input.day) - i64::from(before.day));
    if days.is_some_and(|days| days <= 0) {
        return Err(Fault::Day);
    }
    let people = gather(input, before);
    let games = Games::of(input);
    let entries = match &input.policy.system {
        System::Elo(elo) => by_elo(elo, people, &games),
        System::Glicko2(glicko) => {
            let days = days.map(|days| u32::try_from(days).unwrap_or(u32::MAX));
            by_glicko2(glicko, people, &games, days)
        }
    };
    let entries = entries.into_values().collect();
    let mut list =
        List { number: input.number, day: input.day, input: bytes::digest_of_input(input), entries };
    list.rank(input.policy.listed_from);
    Ok(list)
}

/// Everybody of the list before and of the input, doubles being one.
fn gather(input: &ListInput, before: Option<&List>) -> People {
    let doubles: BTreeMap<Id, Id> = input.merged.iter().copied().collect();
    let stays = |id: Id| doubles.get(&id).copied().unwrap_or(id);
    let mut people = People::new();
    for entry in before.map_or(&[][..], |before| &before.entries) {
        let member = stays(entry.member);
        let carried = Entry { member, change: 0, new_games: 0, place: None, ..*entry };
        people.entry(member).and_modify(|one| *one = unite(*one, carried)).or_insert(carried);
    }
    for player in &input.players {
        let member = stays(player.member);
        people.entry(member).or_insert_with(|| Entry::new(member));
    }
    for imported in &input.imported {
        let Some(entry) = people.get_mut(&stays(imported.member)) else { continue };
        if entry.rating.is_none() {
            entry.rating = Some(Rating { points: imported.rating, deviation: 0, volatility: 0 });
            entry.games = entry.games.saturating_add(imported.games);
            entry.evidence = Evidence::default();
        }
    }
    people
}

/// One entry of two of the same person: a rating before none, then the one with more games.
fn unite(one: Entry, other: Entry) -> Entry {
    let weight = |entry: &Entry| (entry.rating.is_some(), entry.games, entry.rating.map(|it| it.points));
    let stays = if weight(&other) > weight(&one) { other } else { one };
    Entry { games: one.games.saturating_add(other.games), ..stays }
}

/// The games by player, each with the opponent and the score, and grades.
struct Games {
    by_player: BTreeMap<Id, Vec<(Id, Score)>>,
    grades: BTreeMap<Id, i32>,
}

impl Games {
    /// Those that were played by two: two doubles of one person who have met have played no game.
    fn of(input: &ListInput) -> Games {
        let doubles: BTreeMap<Id, Id> = input.merged.iter().copied().collect();
        let stays = |id: Id| doubles.get(&id).copied().unwrap_or(id);
        let mut by_player: BTreeMap<Id, Vec<(Id, Score)>> = BTreeMap::new();
        for game in input.games() {
            let [one, other] = game.players.map(stays);
            if one != other {
                by_player.entry(one).or_default().push((other, game.scores[0]));
                by_player.entry(other).or_default().push((one, game.scores[1]));
            }
        }
        // Of a double and who stays, the latter's grade is the one: his row is put in last.
        let (gone, there): (Vec<&Player>, Vec<&Player>) =
            input.players.iter().partition(|player| doubles.contains_key(&player.member));
        let rows = gone.into_iter().chain(there);
        let grades = rows.filter_map(|player| Some((stays(player.member), player.grade?))).collect();
        Games { by_player, grades }
    }

    fn of_player(&self, member: &Id) -> &[(Id, Score)] {
        self.by_player.get(member).map_or(&[], Vec::as_slice)
    }

    fn grade(&self, member: &Id) -> Option<i32> {
        self.grades.get(member).copied()
    }
}

fn by_elo(elo: &Elo, mut people: People, games: &Games) -> People {
    if let First::Start(start) = &elo.first {
        begin(&mut people, games, |grade| of_points(start.of(grade)));
    }
    let before: BTreeMap<Id, Points> =
        people.values().filter_map(|entry| Some((entry.member, entry.rating?.points))).collect();
    for entry in people.values_mut() {
        let played = games.of_player(&entry.member).iter();
        // Whoever has no rating yet counts for nobody else.
        let counted = played.filter_map(|(other, score)| Some((*before.get(other)?, *score)));
        match before.get(&entry.member) {
            Some(own) => move_by_elo(elo, entry, *own, games.grade(&entry.member), counted),
            None => first_by_elo(elo, entry, counted),
        }
        entry.provisional = entry.rating.is_none() || entry.games < elo.provisional_below;
    }
    people
}

fn move_by_elo(
    elo: &Elo,
    entry: &mut Entry,
    own: Points,
    grade: Option<i32>,
    counted: impl Iterator<Item = (Points, Score)>,
) {
    let (mut surplus, mut count) = (0, 0_u32);
    for (opponent, score) in counted {
        surplus += i64::from(score.halves()) * GAME / 2 - elo.expected(own, opponent);
        count += 1;
    }
    let after = match count {
        0 => own,
        _ => elo.after(own, elo.k(own, grade, entry.games, count), surplus),
    };
    entry.rating = Some(of_points(after));
    entry.change = after.0 - own.0;
    add_games(entry, count);
}

fn first_by_elo(elo: &Elo, entry: &mut Entry, counted: impl Iterator<Item = (Points, Score)>) {
    let mut count = 0;
    for (opponent, score) in counted {
        entry.evidence.add(opponent, score.halves());
        count += 1;
    }
    add_games(entry, count);
    if let First::Performance { games, drawn, max } = elo.first
        && let Some(first) = entry.evidence.rating(games, drawn, max)
    {
        entry.rating = Some(of_points(elo.not_below_floor(first)));
        entry.evidence = Evidence::default();
    }
}

fn by_glicko2(glicko: &Glicko2, mut people: People, games: &Games, days: Option<u32>) -> People {
    let new = |points| Rating { points, deviation: glicko.deviation, volatility: glicko.volatility };
    begin(&mut people, games, |grade| new(glicko.start.of(grade)));
    let period = u32::from(glicko.period_days);
    let elapsed = days.map_or(Periods::whole(1), |days| Periods::parts(days, period));
    let before: BTreeMap<Id, glicko2::Rating> =
        people.values().filter_map(|entry| Some((entry.member, to_glicko2(glicko, entry.rating?)))).collect();
    for entry in people.values_mut() {
        let Some(own) = before.get(&entry.member) else { continue };
        let played = games.of_player(&entry.member).iter().filter_map(|(other, score)| {
            let opponent = before.get(other)?.idle(elapsed.before_last());
            Some(Played { opponent, score: to_score(*score), ahead: 0.0 })
        });
        let played: Vec<Played> = played.collect();
        let after = from_glicko2(own.update(&played, elapsed));
        entry.change = after.points.0 - from_glicko2(*own).points.0;
        entry.rating = Some(after);
        add_games(entry, u32::try_from(played.len()).unwrap_or(u32::MAX));
        entry.provisional = after.deviation > glicko.provisional_above;
    }
    people
}

/// Gives a rating to everybody who plays and has none.
fn begin(people: &mut People, games: &Games, first: impl Fn(Option<i32>) -> Rating) {
    for entry in people.values_mut() {
        if entry.rating.is_none() && !games.of_player(&entry.member).is_empty() {
            entry.rating = Some(first(games.grade(&entry.member)));
            entry.evidence = Evidence::default();
        }
    }
}

fn add_games(entry: &mut Entry, count: u32) {
    entry.games = entry.games.saturating_add(count);
    entry.new_games = count;
}

const fn of_points(points: Points) -> Rating {
    Rating { points, deviation: 0, volatility: 0 }
}

/// A rating that the system made as its arithmetic takes it; one that comes from elsewhere has the deviation that the policy
/// gives to those.
fn to_glicko2(glicko: &Glicko2, rating: Rating) -> glicko2::Rating {
    let value = rating.points.real().clamp(*glicko2::RATING_RANGE.start(), *glicko2::RATING_RANGE.end());
    let (deviation, volatility) = match rating.deviation {
        0 => (glicko.imported_deviation, glicko.volatility),
        known => (known, rating.volatility),
    };
    let (deviation, volatility) = (f64::from(deviation) / 100.0, f64::from(volatility) / 1_000_000.0);
    glicko2::Rating::new(value, deviation, volatility).unwrap_or(glicko2::Rating::INITIAL)
}

/// It in whole numbers: what is carried to the next list is what everybody reads.
fn from_glicko2(rating: glicko2::Rating) -> Rating {
    let whole = |real: f64| u32::try_from(crate::points::to_i32(libm::round(real))).unwrap_or(0);
    Rating {
        points: Points::near(rating.value()),
        deviation: whole(rating.deviation() * 100.0),
        volatility: whole(rating.volatility() * 1_000_000.0),
    }
}

const fn to_score(score: Score) -> glicko2::Score {
    match score {
        Score::Win => glicko2::Score::Win,
        Score::Draw => glicko2::Score::Draw,
        Score::Loss => glicko2::Score::Loss,
    }
}

#[cfg(test)]
mod tests;

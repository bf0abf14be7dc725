//! A pool as it is: honest players with their tempers and their friends, and among them those who lose on purpose.
//!
//! It was written before what finds them, and is not changed to make that look better. The strengths, results and ratings are
//! played out: everybody is rated by Glicko-2 from 1500 on, and meets whoever is rated about alike.
//!
//! - The honest: strengths of N(1500, 300). One of ten is a newcomer who gains 200 to 500 points within the time. Each gives up or
//!   leaves early in a part of his games of his own, which is Beta(2, 78): one of forty on average, one of twelve for the most
//!   impatient of a hundred. After two lost games in a row one in three is on tilt: for his next three games he plays 100 points
//!   weaker, and gives up early three times as often. One of ten has a friend, whom he asks for a third of the games that he
//!   wants, whatever the difference of their strengths.
//! - Whoever loses on purpose is like an honest player otherwise, and loses a part of his games on purpose: of these three of four
//!   by giving up early, and the fourth by playing badly to the end.

use rand::{RngExt as _, rngs::StdRng};
use scrutiny::{Ending, Game, Player};
use strength::glicko2::{self, Periods, Rating, SCALE, Score};

/// For how many days they play.
pub(crate) const DAYS: u32 = 90;
/// The length of a usual game, in acts.
pub(crate) const USUAL_ACTS: f64 = 200.0;
/// In what part of the games that he wants somebody asks his friend.
const FRIENDLY: f64 = 1.0 / 3.0;
const DAY_S: i64 = 86_400;

/// Who loses on purpose to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Company {
    /// To whoever he meets.
    Alone,
    /// To one other, who is always the same.
    Pair,
    /// To one of four others; all five take turns at being let win, a week each.
    Ring,
}

/// When somebody loses on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Manner {
    /// Now and then, with the same probability in every game.
    Slowly,
    /// Five to twelve times in a row.
    Streaks,
}

/// How somebody loses on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Strategy {
    /// To whom.
    pub company: Company,
    /// When.
    pub manner: Manner,
    /// In how many of a hundred games.
    pub percent: u8,
}

/// Every strategy.
pub(crate) fn strategies() -> impl Iterator<Item = Strategy> {
    let companies = [Company::Alone, Company::Pair, Company::Ring];
    companies.into_iter().flat_map(|company| {
        [Manner::Slowly, Manner::Streaks]
            .into_iter()
            .flat_map(move |manner| [5, 10, 20, 30].map(|percent| Strategy { company, manner, percent }))
    })
}

/// A pool after its days.
#[derive(Debug)]
pub(crate) struct Population {
    /// What each player does on purpose; nothing of the honest. In a pair the first lets the second win.
    pub strategies: Vec<Option<Strategy>>,
    /// In how many games each has lost on purpose, or was let win: seldom somebody has come to none in his days.
    pub on_purpose: Vec<u32>,
    /// All rated games, in the order of their ends.
    pub games: Vec<Game>,
}

/// A player.
#[derive(Clone, Debug)]
struct Member {
    strength: f64,
    /// By how much he gets stronger in all.
    gain: f64,
    rating: Rating,
    /// How many games he wants a day.
    games_a_day: f64,
    /// In what part of his games he gives up or leaves early.
    impatience: f64,
    /// Whether he tilts at all.
    tilts: bool,
    lost_in_a_row: u32,
    /// Games that he still plays on tilt.
    tilted: u32,
    friend: Option<Player>,
    strategy: Option<Strategy>,
    /// The others of his pair or ring.
    company: Vec<Player>,
    /// Whom he has met last.
    last_met: Option<Player>,
    /// How many games he is still to lose in this streak.
    streak: u32,
}

/// What somebody is about to do in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Will {
    Play,
    GiveUp,
    PlayBadly,
}

/// A pool of so many honest players; of each strategy there are four who are alone, two pairs, or one ring.
pub(crate) fn population(honest: u32, rng: &mut StdRng) -> Population {
    let mut members: Vec<Member> = (0..honest).map(|_| member(rng)).collect();
    befriend(&mut members, rng);
    for strategy in strategies() {
        let (groups, size) = match strategy.company {
            Company::Alone => (4, 1),
            Company::Pair => (2, 2),
            Company::Ring => (1, 5),
        };
        for _ in 0..groups {
            let from = number(members.len());
            let group: Vec<Player> = (from..from + size).collect();
            // Who keeps company is about equally strong, as one person's accounts are.
            let strength = member(rng).strength;
            for own in &group {
                let company = group.iter().copied().filter(|other| other != own).collect();
                let of = member(rng);
                members.push(Member { strength, gain: 0.0, strategy: Some(strategy), company, ..of });
            }
        }
    }
    let strategies = members.iter().map(|member| member.strategy).collect();
    let mut pool = Pool { on_purpose: vec![0; members.len()], members, games: Vec::new() };
    for day in 0..DAYS {
        pool.play_day(day, rng);
    }
    Population { strategies, on_purpose: pool.on_purpose, games: pool.games }
}

fn member(rng: &mut StdRng) -> Member {
    let gain = if rng.random_bool(0.1) { rng.random_range(200.0..500.0) } else { 0.0 };
    // Beta(2, 78) is the second smallest of 79 equal parts' ends.
    let mut ends: Vec<f64> = (0..79).map(|_| rng.random()).collect();
    ends.sort_by(f64::total_cmp);
    Member {
        strength: 1500.0 + 300.0 * bell(rng),
        gain,
        rating: Rating::INITIAL,
        games_a_day: rng.random_range(1.0..4.0),
        impatience: ends[1],
        tilts: rng.random_bool(1.0 / 3.0),
        lost_in_a_row: 0,
        tilted: 0,
        friend: None,
        strategy: None,
        company: Vec::new(),
        last_met: None,
        streak: 0,
    }
}

/// Gives one of ten a friend.
fn befriend(members: &mut [Member], rng: &mut StdRng) {
    for pair in 0..members.len() / 20 {
        let one = rng.random_range(0..members.len());
        let other = (one + 1 + pair) % members.len();
        if one != other && members[one].friend.is_none() && members[other].friend.is_none() {
            members[one].friend = Some(number(other));
            members[other].friend = Some(number(one));
        }
    }
}

struct Pool {
    members: Vec<Member>,
    on_purpose: Vec<u32>,
    games: Vec<Game>,
}

impl Pool {
    fn play_day(&mut self, day: u32, rng: &mut StdRng) {
        let mut wanted: Vec<u32> =
            self.members.iter().map(|member| poisson(member.games_a_day, rng)).collect();
        let rounds = wanted.iter().copied().max().unwrap_or(0);
        for round in 0..rounds {
            let ended = i64::from(day) * DAY_S + i64::from(round) * DAY_S / i64::from(rounds);
            let mut waiting: Vec<(f64, Player)> = Vec::new();
            for (own, wanted) in wanted.iter_mut().enumerate() {
                if *wanted == 0 {
                    continue;
                }
                *wanted -= 1;
                match self.asked(own, day, rng) {
                    Some(other) => {
                        // The other plays it beside what he wants.
                        let wills = self.wills(own, other as usize, true, rng);
                        self.play([number(own), other], wills, (day, ended), rng);
                    }
                    None => waiting.push((self.members[own].rating.value() + 50.0 * bell(rng), number(own))),
                }
            }
            waiting.sort_by(|one, other| one.0.total_cmp(&other.0));
            self.match_up(waiting.into_iter().map(|(_, player)| player).collect(), (day, ended), rng);
        }
    }

    /// Pairs neighbours, but nobody at once with whom he has just met.
    fn match_up(&mut self, waiting: Vec<Player>, at: (u32, i64), rng: &mut StdRng) {
        let mut left: Option<Player> = None;
        for player in waiting {
            match left {
                Some(other) if self.members[player as usize].last_met != Some(other) => {
                    left = None;
                    let players = if rng.random() { [other, player] } else { [player, other] };
                    let wills = self.wills(players[0] as usize, players[1] as usize, false, rng);
                    self.play(players, wills, at, rng);
                }
                Some(_) => {}
                None => left = Some(player),
            }
        }
    }

    /// Whom somebody asks for a game instead of waiting for one.
    fn asked(&mut self, own: usize, day: u32, rng: &mut StdRng) -> Option<Player> {
        let member = &self.members[own];
        if let Some(friend) = member.friend {
            return rng.random_bool(FRIENDLY).then_some(friend);
        }
        let strategy = member.strategy.filter(|strategy| strategy.company != Company::Alone)?;
        // In a pair the second only wins.
        let favoured = match strategy.company {
            Company::Ring => {
                let group = ring(&member.company, number(own));
                group[(day / 7) as usize % group.len()]
            }
            Company::Pair | Company::Alone => number(own).max(member.company[0]),
        };
        (favoured != number(own) && self.loses_on_purpose(own, strategy, rng)).then_some(favoured)
    }

    /// Whether somebody loses his next game on purpose.
    fn loses_on_purpose(&mut self, own: usize, strategy: Strategy, rng: &mut StdRng) -> bool {
        let part = f64::from(strategy.percent) / 100.0;
        match strategy.manner {
            Manner::Slowly => rng.random_bool(part),
            Manner::Streaks => {
                let member = &mut self.members[own];
                if member.streak == 0 {
                    // Streaks of 8.5 on average, so often that they are that part of all games.
                    if rng.random_bool(part / (8.5 * (1.0 - part) + part)) {
                        member.streak = rng.random_range(5..=12);
                    } else {
                        return false;
                    }
                }
                member.streak -= 1;
                true
            }
        }
    }

    fn wills(&mut self, one: usize, other: usize, agreed: bool, rng: &mut StdRng) -> [Will; 2] {
        [one, other].map(|own| {
            let on_purpose = match self.members[own].strategy {
                // Who has asked his company for a game has done it to lose.
                Some(strategy) if strategy.company != Company::Alone => agreed && own == one,
                Some(strategy) => self.loses_on_purpose(own, strategy, rng),
                None => false,
            };
            match on_purpose {
                true if rng.random_bool(0.75) => Will::GiveUp,
                true => Will::PlayBadly,
                false => Will::Play,
            }
        })
    }

    fn play(&mut self, players: [Player; 2], wills: [Will; 2], (day, ended): (u32, i64), rng: &mut StdRng) {
        let places = players.map(|player| player as usize);
        let strengths = [0, 1].map(|side| self.strength(places[side], day));
        let early = [0, 1].map(|side| wills[side] == Will::Play && self.gives_up(places[side], rng));
        let length = USUAL_ACTS * (0.35 * bell(rng)).exp();
        let (winner, acts, ending) = if let Some(loser) = (0..2).find(|side| wills[*side] != Will::Play) {
            self.note_purpose(places[loser], places[1 - loser]);
            let acts = if wills[loser] == Will::GiveUp { short(rng) } else { length };
            let ending = if wills[loser] == Will::GiveUp { Ending::Resigned } else { Ending::Played };
            (Some(1 - loser), acts, ending)
        } else if let Some(loser) = (0..2).find(|side| early[*side]) {
            let ending = if rng.random() { Ending::Resigned } else { Ending::Left };
            (Some(1 - loser), short(rng), ending)
        } else {
            let expected = 1.0 / (1.0 + (-(strengths[0] - strengths[1]) / SCALE).exp());
            let is_drawn = rng.random_bool(0.02);
            let winner = (!is_drawn).then(|| usize::from(!rng.random_bool(expected)));
            let resigned = !is_drawn && rng.random_bool(0.6);
            let part = if resigned { rng.random_range(0.3..1.0) } else { 1.0 };
            (winner, length * part, if resigned { Ending::Resigned } else { Ending::Played })
        };
        self.enter(places, winner, (acts, ending), ended);
    }

    /// Notes that somebody loses on purpose, and who is let win if they belong together.
    fn note_purpose(&mut self, loser: usize, winner: usize) {
        self.on_purpose[loser] += 1;
        if self.members[loser].company.contains(&number(winner)) {
            self.on_purpose[winner] += 1;
        }
    }

    fn strength(&self, own: usize, day: u32) -> f64 {
        let member = &self.members[own];
        let tilt = if member.tilted > 0 { 100.0 } else { 0.0 };
        member.strength + member.gain * f64::from(day) / f64::from(DAYS) - tilt
    }

    /// Whether somebody gives up or leaves early, not on purpose.
    fn gives_up(&self, own: usize, rng: &mut StdRng) -> bool {
        let member = &self.members[own];
        let tilt = if member.tilted > 0 { 3.0 } else { 1.0 };
        rng.random_bool((member.impatience * tilt).min(1.0))
    }

    /// Rates a game, and notes what it does to tempers.
    fn enter(
        &mut self,
        places: [usize; 2],
        winner: Option<usize>,
        (acts, ending): (f64, Ending),
        ended: i64,
    ) {
        let [one, other] = places.map(|place| self.members[place].rating);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hundred acts")]
        let acts = acts as u32;
        let expected = glicko2::expected(one, other, 0.0);
        let game = Game { ended, players: places.map(number), winner, expected, acts, ending };
        let score = |side| match winner {
            None => Score::Draw,
            Some(winner) if winner == side => Score::Win,
            Some(_) => Score::Loss,
        };
        // The idle time between games of a day is nothing that matters here.
        let idle = Periods::ZERO;
        let after = glicko2::play((one, idle, score(0)), (other, idle, score(1)), 0.0);
        for (side, rating) in [after.0, after.1].into_iter().enumerate() {
            let met = number(places[1 - side]);
            let member = &mut self.members[places[side]];
            member.rating = rating;
            member.last_met = Some(met);
            member.lost_in_a_row = if game.is_lost(side) { member.lost_in_a_row + 1 } else { 0 };
            member.tilted = member.tilted.saturating_sub(1);
            if member.tilts && member.lost_in_a_row >= 2 {
                member.tilted = 3;
            }
        }
        self.games.push(game);
    }
}

/// The length of a game that somebody gives up early, in acts.
fn short(rng: &mut StdRng) -> f64 {
    rng.random_range(2.0..USUAL_ACTS / 4.0)
}

/// A ring, in the order in which they take turns.
fn ring(others: &[Player], own: Player) -> Vec<Player> {
    let mut group: Vec<Player> = others.iter().copied().chain([own]).collect();
    group.sort_unstable();
    group
}

/// A number of N(0, 1), by twelve of [0, 1).
fn bell(rng: &mut StdRng) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// A number of Poisson's distribution, for small means.
fn poisson(mean: f64, rng: &mut StdRng) -> u32 {
    let (least, mut product, mut count) = ((-mean).exp(), rng.random::<f64>(), 0);
    while product > least {
        product *= rng.random::<f64>();
        count += 1;
    }
    count
}

fn number(place: usize) -> Player {
    u32::try_from(place).unwrap_or(u32::MAX)
}

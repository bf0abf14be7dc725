//! Whole-history ratings of many games: 20,000 players over ten years, whose strength moves, and who meet whoever is near. Prints how
//! long it takes and how much memory, and ends with an error when it takes more than a minute. With a folder, it also writes the
//! games and the curves of a tenth of them there, for another implementation to be held to.
//!
//! ```text
//! cargo run --release -p strength --example whr [FOLDER]
//! ```
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::disallowed_methods, reason = "it measures real time, outside of every service")]

use std::{
    error::Error,
    fmt::Write as _,
    fs,
    path::Path,
    time::{Duration, Instant},
};

use strength::{
    Score,
    whr::{Game, History, Parameters},
};

const PLAYERS: u32 = 20_000;
const GAMES: usize = 1_000_000;
const DAYS: i32 = 3_650;
/// What it may take to rate a million games.
const LONGEST: Duration = Duration::from_mins(1);
/// When nothing moves by more than this any more, in points, it is done.
const SETTLED: f64 = 0.002;
const SWEEPS_MAX: usize = 1_000;
/// The part of players and games that the other implementation gets.
const PART: u32 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let took = rate(PLAYERS, GAMES, None)?;
    if let Some(folder) = std::env::args().nth(1) {
        rate(PLAYERS / PART, GAMES / PART as usize, Some(Path::new(&folder)))?;
    }
    if took > LONGEST { Err(format!("it took {took:?}, and may take {LONGEST:?}").into()) } else { Ok(()) }
}

fn rate(players: u32, count: usize, folder: Option<&Path>) -> Result<Duration, Box<dyn Error>> {
    let games = games(players, count);
    let began = Instant::now();
    let mut history = History::new(players, &games, Parameters::default())?;
    let (sweeps, moved) = history.settle(SETTLED, SWEEPS_MAX);
    let took = began.elapsed();
    println!(
        "{count} games of {players} players: {:.2} s, {sweeps} sweeps; the most memory until now {}",
        took.as_secs_f64(),
        peak_memory()
    );
    if moved > SETTLED {
        return Err(format!("after {sweeps} sweeps something still moves by {moved} points").into());
    }
    if let Some(folder) = folder {
        write(folder, players, &games, &history)?;
    }
    Ok(took)
}

/// Games between players who are near each other, some draws among them.
fn games(players: u32, count: usize) -> Vec<Game> {
    let mut lots = Lots(0x9e37_79b9_7f4a_7c15);
    let starts: Vec<f64> = (0..players).map(|_| 300.0 * lots.bell()).collect();
    let drifts: Vec<f64> = (0..players).map(|_| 100.0 * lots.bell()).collect();
    let mut order: Vec<u32> = (0..players).collect();
    order.sort_by(|one, other| starts[*one as usize].total_cmp(&starts[*other as usize]));
    let strength = |player: u32, day: i32| {
        starts[player as usize] + drifts[player as usize] * f64::from(day) / f64::from(DAYS)
    };
    (0..count)
        .map(|number| {
            let day =
                i32::try_from(number as u64 * u64::from(DAYS.unsigned_abs()) / count as u64).unwrap_or(DAYS);
            let place = lots.below(players);
            let near = (place + 1 + lots.below(200)) % players;
            let (first, second) = (order[place as usize], order[near as usize]);
            let advantage = 15.0;
            let ahead = strength(first, day) + advantage - strength(second, day);
            let expected = 1.0 / (1.0 + 10_f64.powf(-ahead / 400.0));
            let score = match lots.part() {
                lot if lot < 0.05 => Score::Draw,
                lot if (lot - 0.05) / 0.95 < expected => Score::Win,
                _ => Score::Loss,
            };
            Game { first, second, day, score, advantage }
        })
        .collect()
}

fn write(folder: &Path, players: u32, games: &[Game], history: &History) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for Game { first, second, day, score, advantage } in games {
        let winner = match score {
            Score::Win => 'B',
            Score::Draw => 'D',
            Score::Loss => 'W',
        };
        writeln!(text, "{first},{second},{winner},{day},{advantage}")?;
    }
    fs::write(folder.join("games.csv"), text)?;
    let mut text = String::new();
    for player in 0..players {
        for point in history.curve(player) {
            writeln!(text, "{player},{},{}", point.day, point.rating)?;
        }
    }
    Ok(fs::write(folder.join("curves.csv"), text)?)
}

fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or_else(|| "is not known here".to_owned(), |peak| peak.trim().to_owned())
}

/// Marsaglia's xorshift.
struct Lots(u64);

impl Lots {
    #[expect(clippy::cast_precision_loss, reason = "53 bits are enough for a lot")]
    fn part(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is below a number of 32 bits"
    )]
    fn below(&mut self, end: u32) -> u32 {
        (self.part() * f64::from(end)) as u32
    }

    /// About normal, of variance 1.
    fn bell(&mut self) -> f64 {
        (0..12).map(|_| self.part()).sum::<f64>() - 6.0
    }
}

//! Events by chance: who comes late, stays away, asks for a bye, leaves, forfeits and wins follows from one number. For
//! tests of whoever pairs, writes or reads events; as a report with [`crate::trf::Report::of`].
//!
//! ```
//! use pairing::{ColourLaw, check, generate::{Shape, event}, trf::Report};
//! let played = event(7, Shape { players: 21, rounds: 7 })?;
//! assert_eq!(played, event(7, Shape { players: 21, rounds: 7 })?);
//! let report = Report::of(&played, |number| format!("Player {number}"));
//! assert!(check::report(&report, ColourLaw::Balance)?.is_clean());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{
    Colour, Entry, FirstRound, Number, Player, Reason, ResultCode, Status,
    lots::{Seed, Words},
    swiss::{self, Input, PairingError, Round},
    trf,
};

/// How large an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// From 2 to [`trf::PLAYERS_MAX`].
    pub players: u32,
    /// From 1 to [`trf::ROUNDS_MAX`]. With more rounds than half the players the event may end early, where no legal
    /// pairing is left.
    pub rounds: u16,
}

/// Why an event was not generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// Players or rounds out of range.
    #[error("an event has 2 to {} players and 1 to {} rounds", trf::PLAYERS_MAX, trf::ROUNDS_MAX)]
    Shape,
    /// A round could not be paired for a reason that is no matter of chance.
    #[error(transparent)]
    Pairing(#[from] PairingError),
}

/// In percent of the players: who comes late, by the third round at the latest.
const LATE: u32 = 5;
/// Who is away for a round.
const ABSENT: u32 = 8;
/// Who asks for a bye in a round.
const ASKS: u32 = 8;
/// Who leaves; half of them come back.
const LEAVES: u32 = 6;
/// In percent of the games: those that are forfeited by one side.
const FORFEITS: u32 = 4;
/// And by both.
const DOUBLE_FORFEITS: u32 = 1;
/// And drawn.
const DRAWS: u32 = 15;

/// An event from its first round to its last, paired as a Swiss with default settings, the first round by fold.
pub fn event(seed: u64, shape: Shape) -> Result<Input, GenerateError> {
    event_until(seed, shape, shape.rounds)
}

/// The same event after so many of its rounds, with what is known of those to come.
pub fn event_until(seed: u64, shape: Shape, played: u16) -> Result<Input, GenerateError> {
    let Shape { players, rounds } = shape;
    if !(2..=trf::PLAYERS_MAX).contains(&players) || !(1..=trf::ROUNDS_MAX).contains(&rounds) {
        return Err(GenerateError::Shape);
    }
    let mut bytes: Seed = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut chance = Chance(Words::new(&bytes));
    let players = (1..=players).map(|number| player(&mut chance, number, rounds)).collect();
    let mut input = Input::new(1, rounds, players);
    input.seed = bytes;
    input.settings.first_round = FirstRound::Fold;
    while input.round <= rounds.min(played) {
        match swiss::pair(&input) {
            Ok(round) => play(&mut chance, &mut input, &round),
            Err(PairingError::TooFewPlayers(_)) => input.round += 1,
            Err(PairingError::NoLegalPairing(_) | PairingError::NoBye(_)) => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(input)
}

struct Chance(Words);

impl Chance {
    fn percent(&mut self, share: u32) -> bool {
        self.0.below(100) < share
    }

    /// From 1 to the last.
    fn round(&mut self, last: u16) -> u16 {
        u16::try_from(1 + self.0.below(last.into())).unwrap_or(last)
    }
}

fn player(chance: &mut Chance, number: u32, rounds: u16) -> Player {
    let mut player = Player::new(number);
    player.rating = i32::try_from(2_800_u32.saturating_sub(number)).ok();
    if chance.percent(LATE) {
        player.states = vec![Status::Active { from_round: chance.round(rounds.min(3)) }];
    }
    if chance.percent(ABSENT) {
        player.states.push(Status::Absent { round: chance.round(rounds) });
    }
    if chance.percent(ASKS) {
        let codes = [ResultCode::ByeFull, ResultCode::ByeHalf, ResultCode::ByeZero];
        let code = codes[chance.0.below(3) as usize];
        player.states.push(Status::Bye { round: chance.round(rounds), code });
    }
    if chance.percent(LEAVES) {
        let after_round = chance.round(rounds);
        player.states.push(Status::Withdrawn { after_round });
        if chance.percent(50) {
            player.states.push(Status::Active { from_round: after_round + 2 });
        }
    }
    player
}

/// Results by chance; the lower number wins more often.
fn play(chance: &mut Chance, input: &mut Input, round: &Round) {
    use ResultCode::{DoubleForfeit, Draw, ForfeitLoss, ForfeitWin, Loss, Win};
    for pair in &round.pairs {
        let [a, b] = pair.players;
        let decided = 100 - DOUBLE_FORFEITS - FORFEITS - DRAWS;
        let first_wins = (a < b) == chance.percent(60);
        let (code, reply) = match chance.0.below(100) {
            it if it < decided => {
                if first_wins {
                    (Win, Loss)
                } else {
                    (Loss, Win)
                }
            }
            it if it < decided + DRAWS => (Draw, Draw),
            it if it < decided + DRAWS + FORFEITS => {
                if first_wins {
                    (ForfeitWin, ForfeitLoss)
                } else {
                    (ForfeitLoss, ForfeitWin)
                }
            }
            _ => (DoubleForfeit, DoubleForfeit),
        };
        let colour = pair.colour.unwrap_or_default();
        add(input, a, game(input.round, b, colour, code));
        add(input, b, game(input.round, a, colour.opposite(), reply));
    }
    for out in &round.out {
        add(input, out.number, Entry::bye(input.round, out.code));
    }
    input.round += 1;
}

fn game(round: u16, opponent: Number, colour: Colour, code: ResultCode) -> Entry {
    let reason = if code.is_met() { Reason::Normal } else { Reason::Late };
    let played = code.is_met().then_some(colour);
    Entry { reason, played, ..Entry::game(round, opponent, colour, code) }
}

fn add(input: &mut Input, number: Number, entry: Entry) {
    if let Ok(at) = input.players.binary_search_by_key(&number, |it| it.number) {
        input.players[at].history.push(entry);
    }
}

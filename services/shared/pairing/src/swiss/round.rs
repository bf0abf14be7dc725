//! What a pairing is made of, and what it gives.

use std::collections::BTreeMap;

use super::{PairReason, PairingError, colours, explain, field::Field, pool::Solved};
use crate::{Colour, Number, Player, ResultCode, SwissSettings, count, lots::Seed};

/// The most players of an event: the largest for which every field of the costs has been shown to fit.
pub const PLAYERS_MAX: usize = 16_384;

/// The most points with which a player begins: many times what any list of grades spans.
pub const START_MAX: u32 = 100_000;

/// Two players who must not meet (1.3 H4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prohibited {
    /// One.
    pub a: Number,
    /// The other.
    pub b: Number,
    /// The first round it holds for.
    pub from_round: u16,
    /// The last round it holds for.
    pub to_round: u16,
}

/// Everything a round is paired from. The pairing is a function of it and of nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The round to pair, from 1.
    pub round: u16,
    /// How many rounds were declared.
    pub rounds: u16,
    /// Everybody, also those who are not there, in the order of their numbers.
    pub players: Vec<Player>,
    /// Pairs that must not be.
    pub prohibited: Vec<Prohibited>,
    /// The readings of the event.
    pub settings: SwissSettings,
    /// What lots and coins are drawn from.
    pub seed: Seed,
}

impl Input {
    /// A round with default settings, a seed of zeros and nothing prohibited.
    pub fn new(round: u16, rounds: u16, players: Vec<Player>) -> Input {
        let settings = SwissSettings::default();
        Input { round, rounds, players, prohibited: Vec::new(), settings, seed: [0; 32] }
    }

    /// Who is in the event but not paired: byes asked for, and absences.
    pub fn without_game(&self) -> impl Iterator<Item = Out> {
        let is_in = |player: &Player| {
            let begun = player.states.iter().any(
                |state| matches!(state, crate::Status::Active { from_round } if *from_round <= self.round),
            );
            begun && player.left_after().is_none_or(|after| after >= self.round) && !player.is_annulled()
        };
        let away = self.players.iter().filter(move |player| !player.plays_in(self.round) && is_in(player));
        away.map(|player| Out {
            number: player.number,
            code: player.asked_bye(self.round).unwrap_or(ResultCode::ByeZero),
        })
    }

    pub(super) fn validate(&self) -> Result<(), PairingError> {
        if self.round == 0 || self.round > self.rounds {
            return Err(PairingError::NoSuchRound { round: self.round, rounds: self.rounds });
        }
        if self.players.len() > PLAYERS_MAX {
            return Err(PairingError::TooManyPlayers(self.players.len()));
        }
        let out_of_range =
            |it: &&Player| it.start > START_MAX || self.settings.pab_points > crate::WIN_POINTS;
        if let Some(player) = self.players.iter().find(out_of_range) {
            return Err(PairingError::Points(player.number));
        }
        if let Some(pair) = self.players.windows(2).find(|pair| pair[0].number >= pair[1].number) {
            return Err(PairingError::Unordered(pair[1].number));
        }
        let players: BTreeMap<Number, &Player> =
            self.players.iter().map(|player| (player.number, player)).collect();
        self.players.iter().try_for_each(|player| self.validate_history(player, &players))?;
        match self.players.iter().filter(|player| player.plays_in(self.round)).count() {
            few @ (0 | 1) => Err(PairingError::TooFewPlayers(few)),
            _ => Ok(()),
        }
    }

    /// Rounds in order and before the one to be paired, and every opponent has the same game in his own history.
    fn validate_history(
        &self,
        player: &Player,
        players: &BTreeMap<Number, &Player>,
    ) -> Result<(), PairingError> {
        let mut before = 0;
        for entry in &player.history {
            let theirs = |opponent: Number| players.get(&opponent)?.entry(entry.round)?.opponent;
            let shared =
                entry.opponent.is_none_or(|it| it != player.number && theirs(it) == Some(player.number));
            if entry.round <= before || entry.round >= self.round || !shared {
                return Err(PairingError::History { number: player.number, round: entry.round });
            }
            before = entry.round;
        }
        Ok(())
    }
}

/// What the pairs of a pool cost in all, the first difference deciding (1.3 S2 to S7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tiers {
    /// S2: players who leave the pool.
    pub left_over: u64,
    /// Pairs who have met, where the Chief Arbiter has lifted that rule: as few as can be.
    pub rematches: u64,
    /// Pairs with two odd or two even numbers, in a first round by `ODD_EVEN` (1.11, 17).
    pub same_parity: u64,
    /// S3: pairs who share an affiliation, in the rounds in which that counts.
    pub same_affiliation: u64,
    /// S4: squared differences of the scores; and for everybody who leaves the pool the number of its members below him,
    /// and its size more if he floated in the last round.
    pub gap: u64,
    /// S5: repeated floats: two each for the last round, one for that before.
    pub floats: u64,
    /// S6: pairs of whom both need the same colour at least strongly.
    pub strong_colour: u64,
    /// S6: other pairs of whom both would have the same colour.
    pub mild_colour: u64,
    /// S7: squared deviations from the fold.
    pub fold: u64,
}

/// A pool as it was solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolReport {
    /// Its members in order of rank, those from above first.
    pub members: Vec<Number>,
    /// How many of them came from above.
    pub from_above: u32,
    /// Who left it downwards.
    pub left_over: Vec<Number>,
    /// What its pairs cost.
    pub tiers: Tiers,
}

/// A game of the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The table, from 1.
    pub table: u32,
    /// The two, the higher ranked one first.
    pub players: [Number; 2],
    /// The colour of the first of them; none where the game itself gives the colours.
    pub colour: Option<Colour>,
    /// The pool they met in, as a place in [`Round::pools`].
    pub pool: u32,
    /// Why these two and not others.
    pub reasons: Vec<PairReason>,
}

impl Pair {
    /// Who has the first colour, and who the second.
    pub fn by_colour(&self) -> Option<(Number, Number)> {
        let [higher, lower] = self.players;
        self.colour.map(|colour| if colour == Colour::First { (higher, lower) } else { (lower, higher) })
    }
}

/// Somebody without a game in the round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Out {
    /// Who.
    pub number: Number,
    /// The pairing bye, the bye that was asked for, or [`ResultCode::ByeZero`] of one who is away.
    pub code: ResultCode,
}

/// A paired round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The games in the order of their tables.
    pub pairs: Vec<Pair>,
    /// Who of those still in the event has no game, in the order of numbers.
    pub out: Vec<Out>,
    /// The pools from the top.
    pub pools: Vec<PoolReport>,
    /// SHA-256 of [`Input::bytes`].
    pub input_hash: [u8; 32],
}

/// Puts the pairs at their tables, gives the colours and says why.
pub(super) fn assemble(input: &Input, field: &Field<'_>, pools: &[Solved], mut out: Vec<Out>) -> Round {
    let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
    for (at, pool) in pools.iter().enumerate() {
        pairs.extend(pool.pairs.iter().map(|(a, b)| (*a.min(b), *a.max(b), at)));
    }
    // Candidates are in order of rank, so that the lower index is the higher rank.
    pairs.sort_by_key(|&(a, b, _)| {
        let (high, low) = (field.candidates[a].points, field.candidates[b].points);
        (core::cmp::Reverse((high + low, high)), a)
    });
    out.sort_by_key(|out| out.number);
    let paired = pairs.iter().enumerate().map(|(at, &(a, b, pool))| {
        let table = count(at) + 1;
        Pair {
            table,
            players: [a, b].map(|it| field.candidates[it].number),
            colour: colours::allocate(field, a, b, table),
            pool: count(pool),
            reasons: explain::reasons(field, &pools[pool], a, b),
        }
    });
    let numbers = |members: &[usize]| members.iter().map(|it| field.candidates[*it].number).collect();
    let report = |pool: &Solved| PoolReport {
        members: numbers(&pool.members),
        from_above: count(pool.from_above),
        left_over: numbers(&pool.left_over),
        tiers: pool.tiers,
    };
    Round {
        pairs: paired.collect(),
        out,
        pools: pools.iter().map(report).collect(),
        input_hash: input.hash(),
    }
}

//! Knock-outs after one loss, two or more, stage by stage in the same way (`KO1`, `KO2`, `KOn`).

use std::collections::BTreeMap;

use super::{Bracket, Decision, GrandFinal, MatchId, Part, Slot};
use crate::{
    Colour, Entry, FirstRound, Number, Player, Reason, ResultCode, SwissSettings,
    lots::Seed,
    swiss::{self, Input, PairingError, lives},
};

/// A knock-out: who plays, and after how many losses he is out.
///
/// After one loss or two there is a bracket. After more there is none: each round pairs players with equal numbers of losses
/// by the matching of a Swiss (section 2), of an odd group one floats down, and of an odd number in all one has a bye, until
/// one player is left. Two meet again only where it cannot be avoided, and then as few pairs as can be.
///
/// ```
/// use std::collections::BTreeMap;
/// use pairing::{Number, knockout::{Decision, Knockout, Slot}};
/// for losses in 1..=4 {
///     let knockout = Knockout::new((1..=6).map(Number).collect(), losses);
///     let mut decided = BTreeMap::new();
///     loop {
///         let stage = knockout.stage(&decided)?;
///         if stage.due.is_empty() {
///             assert_eq!(stage.champion, Slot::Taken(Number(1)));
///             break;
///         }
///         // The lower number always wins.
///         for game in stage.due {
///             let [a, b] = game.players;
///             decided.insert(game.id, if a < b { Decision::First } else { Decision::Second });
///         }
///     }
/// }
/// # Ok::<(), pairing::swiss::PairingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knockout {
    /// The entrants from the first seed on, each once.
    pub seeds: Vec<Number>,
    /// After how many losses one is out, from 1.
    pub losses: u32,
    /// How a knock-out after two losses ends.
    pub grand_final: GrandFinal,
    /// After more than two losses: how rounds are paired. The first is by fold unless it says otherwise; clubs, colours and
    /// the rest are as in a Swiss.
    pub settings: SwissSettings,
    /// What lots are drawn from.
    pub seed: Seed,
}

/// A game that can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// Which. After more than two losses, the round and the table, the table from 0.
    pub id: MatchId,
    /// The two.
    pub players: [Number; 2],
    /// The colour of the first of them; none in a bracket, where colours are drawn, and where the game itself gives them.
    pub colour: Option<Colour>,
}

/// What can be played now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Games; none when it is over.
    pub due: Vec<Due>,
    /// Who is free in this round, after more than two losses.
    pub free: Option<Number>,
    /// Who has won; [`Slot::Vacant`] where nobody is left.
    pub champion: Slot,
}

impl Knockout {
    /// With default settings and a seed of zeros.
    pub fn new(seeds: Vec<Number>, losses: u32) -> Knockout {
        let settings = SwissSettings { first_round: FirstRound::Fold, ..SwissSettings::default() };
        Knockout { seeds, losses, grand_final: GrandFinal::default(), settings, seed: [0; 32] }
    }

    /// What can be played after these decisions. Nothing is kept: the same decisions give the same stage.
    ///
    /// # Errors
    /// After more than two losses, where there are too many entrants for a Swiss, or no thread to pair a round.
    pub fn stage(&self, decided: &BTreeMap<MatchId, Decision>) -> Result<Stage, PairingError> {
        match self.losses {
            0 | 1 => Ok(self.of_bracket(&Bracket::single(crate::count(self.seeds.len())), decided)),
            2 => {
                let bracket = Bracket::double(crate::count(self.seeds.len()), self.grand_final);
                Ok(self.of_bracket(&bracket, decided))
            }
            _ => self.of_lives(decided),
        }
    }

    fn of_bracket(&self, bracket: &Bracket, decided: &BTreeMap<MatchId, Decision>) -> Stage {
        let resolved = bracket.resolve(&self.seeds, decided);
        let due = resolved.iter().filter(|it| it.is_due()).filter_map(|it| match it.slots {
            [Slot::Taken(a), Slot::Taken(b)] => Some(Due { id: it.id, players: [a, b], colour: None }),
            _ => None,
        });
        let alone = self.seeds.first().map_or(Slot::Vacant, |it| Slot::Taken(*it));
        Stage { due: due.collect(), free: None, champion: resolved.last().map_or(alone, |it| it.winner) }
    }

    /// What can be played in a round after more than two losses, by what came of the rounds before it: those were played as
    /// they are in the histories, whatever would be paired from them now. Of the players those count who are among the seeds.
    ///
    /// # Errors
    /// As [`Knockout::stage`], and where a history makes no sense.
    pub fn stage_after(&self, round: u16, players: &[Player]) -> Result<Stage, PairingError> {
        let mut input = self.input(round);
        let places: BTreeMap<Number, Number> = self.seeds.iter().copied().zip((1..).map(Number)).collect();
        for player in players {
            let Some(place) = places.get(&player.number) else { continue };
            let among = |entry: &Entry| {
                let opponent = entry.opponent.and_then(|it| places.get(&it).copied());
                Entry { opponent, ..*entry }
            };
            input.players[place.0 as usize - 1].history = player.history.iter().map(among).collect();
        }
        Ok(self.next(&input)?.0)
    }

    /// Every round is paired anew from the decisions before it, up to the first that is not decided.
    fn of_lives(&self, decided: &BTreeMap<MatchId, Decision>) -> Result<Stage, PairingError> {
        let mut input = self.input(1);
        loop {
            let (mut stage, round) = self.next(&input)?;
            stage.due.retain(|due| !decided.contains_key(&due.id));
            match round {
                Some(round) if stage.due.is_empty() => play(&mut input, &round, decided),
                _ => return Ok(stage),
            }
        }
    }

    /// A round before anything was played. Ranks are places in the list of seeds; numbers come back at the end.
    fn input(&self, round: u16) -> Input {
        let players = (1..=crate::count(self.seeds.len())).map(Player::new).collect();
        let mut input = Input::new(round, u16::MAX, players);
        (input.settings, input.seed) = (self.settings.clone(), self.seed);
        input
    }

    /// A round with how it was paired, where two are left.
    fn next(&self, input: &Input) -> Result<(Stage, Option<swiss::Round>), PairingError> {
        let alive = |it: &&Player| lives::lives_before(it, self.losses, input.round) > 0;
        let left: Vec<Number> = input.players.iter().filter(alive).map(|it| it.number).collect();
        if left.len() < 2 {
            let champion = left.first().map_or(Slot::Vacant, |it| Slot::Taken(self.seed_at(*it)));
            return Ok((Stage { due: Vec::new(), free: None, champion }, None));
        }
        let round = lives::pair(input, self.losses)?;
        let due = round.pairs.iter().map(|pair| Due {
            id: id(input, pair),
            players: pair.players.map(|it| self.seed_at(it)),
            colour: pair.colour,
        });
        let free = round.out.first().map(|it| self.seed_at(it.number));
        Ok((Stage { due: due.collect(), free, champion: Slot::Open }, Some(round)))
    }

    fn seed_at(&self, place: Number) -> Number {
        self.seeds.get(place.0 as usize - 1).copied().unwrap_or(place)
    }
}

const fn id(input: &Input, pair: &swiss::Pair) -> MatchId {
    MatchId { part: Part::Winners, round: input.round, place: pair.table - 1 }
}

/// Writes the decisions of a round into the histories.
fn play(input: &mut Input, round: &swiss::Round, decided: &BTreeMap<MatchId, Decision>) {
    for pair in &round.pairs {
        let codes = match decided.get(&id(input, pair)) {
            Some(Decision::First) => [ResultCode::Win, ResultCode::Loss],
            Some(Decision::Second) => [ResultCode::Loss, ResultCode::Win],
            Some(Decision::Neither) | None => [ResultCode::DoubleForfeit; 2],
        };
        let [a, b] = pair.players;
        let colours = pair.colour.map_or([None; 2], |it| [Some(it), Some(it.opposite())]);
        for ((number, opponent), (code, assigned)) in
            [(a, b), (b, a)].into_iter().zip(codes.into_iter().zip(colours))
        {
            let entry = Entry {
                round: input.round,
                opponent: Some(opponent),
                code,
                reason: Reason::Normal,
                assigned,
                played: assigned,
            };
            input.players[number.0 as usize - 1].history.push(entry);
        }
    }
    for out in &round.out {
        input.players[out.number.0 as usize - 1].history.push(Entry::bye(input.round, out.code));
    }
    input.round += 1;
}

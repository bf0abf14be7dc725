//! Knock-outs after more than two losses (多败淘汰, `KOn`): no bracket, but rounds among those who have lost as often.

use std::collections::BTreeMap;

use pairing::{
    Colour, ColourLaw, FirstRound, Number, Player, ResultCode,
    knockout::{Decision, Due, Knockout, MatchId, Slot},
    lots::Seed,
    standings::{Line, Sheet},
};

use super::{
    Event,
    fact::{Board, PublishedRound},
    plan::{Unpaired, order_hash, seeded, starters, winner},
    round::Round,
    table::PLACE_AFTER_VACANT,
};

/// A knock-out with what was decided in it.
struct Standing {
    knockout: Knockout,
    decided: BTreeMap<MatchId, Decision>,
}

impl Standing {
    fn of(event: &Event, lives: u8, seed: Seed) -> Result<Standing, Unpaired> {
        let seed = event.rounds.first().map_or(seed, |first| first.published.seed);
        let of_game = match event.settings.colours_of_game() {
            (ColourLaw::Parity, first) => (ColourLaw::Parity, first),
            (law, _) => (law, FirstRound::Fold),
        };
        let settings = event.settings.readings.swiss(of_game);
        let knockout = Knockout { settings, seed, ..Knockout::new(seeded(event, seed), lives.into()) };
        let mut standing = Standing { knockout, decided: BTreeMap::new() };
        for round in &event.rounds {
            standing.note(round)?;
        }
        Ok(standing)
    }

    /// Takes over what a round decided. Colours may have been turned since it was worked out.
    fn note(&mut self, round: &Round) -> Result<(), Unpaired> {
        let stage = self.knockout.stage(&self.decided)?;
        for (_, board, state) in round.laid() {
            let due = stage.due.iter().find(|due| Some(due.id) == board.place);
            let (Some(due), Some(result)) = (due, &state.result) else { continue };
            let turned = due.players[0] != board.players[0];
            let decision = match winner(result).ok_or(Unpaired::Undecided(board.table))? {
                None => Decision::Neither,
                Some(at) if (at == 0) == turned => Decision::Second,
                Some(_) => Decision::First,
            };
            self.decided.insert(due.id, decision);
        }
        Ok(())
    }
}

/// The next round.
pub(super) fn plan(event: &Event, mut round: PublishedRound, lives: u8) -> Result<PublishedRound, Unpaired> {
    let standing = Standing::of(event, lives, round.seed)?;
    round.input = order_hash(&standing.knockout.seeds);
    let stage = standing.knockout.stage(&standing.decided)?;
    round.boards = (1..).zip(stage.due).map(|(table, due)| board(table, &due)).collect();
    round.out = stage.free.map(|number| (number, ResultCode::Pab)).into_iter().collect();
    if round.boards.is_empty() { Err(Unpaired::NoMoreRounds) } else { Ok(round) }
}

fn board(table: u32, due: &Due) -> Board {
    let [one, other] = due.players;
    let players = if due.colour == Some(Colour::Second) { [other, one] } else { [one, other] };
    Board {
        table,
        players,
        coloured: due.colour.is_some(),
        place: Some(due.id),
        reasons: Vec::new(),
        handicap: 0,
    }
}

impl Event {
    /// Places by when each was out: the losers of one round share theirs, and who is still in has none.
    pub(super) fn survivors(&self, sheet: &Sheet<'_>, lives: u8) -> Vec<Line> {
        let began = starters(self);
        let players: Vec<&Player> = sheet.players.iter().filter(|it| began.contains(&it.number)).collect();
        let out: BTreeMap<Number, u16> =
            players.iter().filter_map(|player| Some((player.number, out_in(player, lives)?))).collect();
        let champion = self.champion(sheet, lives);
        let place = |number: Number| {
            if champion == Some(number) {
                return Some(1);
            }
            let round = *out.get(&number)?;
            // The places of a round are known once all of it is played.
            self.round(round).filter(|round| round.is_complete())?;
            let still_in = players.len() - out.values().filter(|it| **it <= round).count();
            u32::try_from(still_in + 1).ok().map(|place| place.max(PLACE_AFTER_VACANT))
        };
        let shown = |player: &&Player| Line {
            number: player.number,
            place: place(player.number),
            points: player.points(sheet.settings.pab_points),
            criteria: Vec::new(),
            provisional: false,
        };
        let mut table: Vec<Line> = players.iter().map(shown).collect();
        table.sort_by_key(|line| (line.place.unwrap_or(0), line.number));
        table
    }

    fn champion(&self, sheet: &Sheet<'_>, lives: u8) -> Option<Number> {
        let then = self.before(sheet.rounds.saturating_add(1));
        let standing = Standing::of(&then, lives, sheet.seed).ok()?;
        match standing.knockout.stage(&standing.decided).ok()?.champion {
            Slot::Taken(number) if !then.rounds.is_empty() => Some(number),
            _ => None,
        }
    }
}

/// The round in which a player lost his last life.
fn out_in(player: &Player, lives: u8) -> Option<u16> {
    let lost = player.history.iter().filter(|entry| {
        matches!(entry.code, ResultCode::Loss | ResultCode::ForfeitLoss | ResultCode::DoubleForfeit)
    });
    lost.map(|entry| entry.round).nth(usize::from(lives) - 1)
}

//! Knock-outs after more than two losses (多败淘汰, `KOn`): no bracket, but rounds among those who have lost as often.

use std::collections::{BTreeMap, BTreeSet};

use pairing::{
    Colour, ColourLaw, FirstRound, Number, Player, ResultCode,
    knockout::{Due, Knockout},
    lots::Seed,
    standings::{Line, Sheet},
};

use super::{
    Event,
    fact::{Board, PublishedRound},
    plan::{Unpaired, order_hash, seeded, starters, winner},
    table::{PLACE_AFTER_VACANT, how_far},
};

/// The next round. It is paired from the rounds as they were public, and from what came of their boards: a late decision
/// counts for the lives that are left, and nobody has met anybody else by it (1.9).
pub(super) fn plan(event: &Event, mut round: PublishedRound, lives: u8) -> Result<PublishedRound, Unpaired> {
    all_decided(event)?;
    let knockout = knockout(event, lives, round.seed);
    round.input = order_hash(&knockout.seeds);
    let stage = knockout.stage_after(round.round, &event.players(round.round))?;
    round.boards = (1..).zip(stage.due).map(|(table, due)| board(table, &due)).collect();
    round.out = stage.free.map(|number| (number, ResultCode::Pab)).into_iter().collect();
    if round.boards.is_empty() { Err(Unpaired::NoMoreRounds) } else { Ok(round) }
}

fn knockout(event: &Event, lives: u8, seed: Seed) -> Knockout {
    let seed = event.rounds.first().map_or(seed, |first| first.published.seed);
    let of_game = match event.settings.colours_of_game() {
        (ColourLaw::Parity, first) => (ColourLaw::Parity, first),
        (law, _) => (law, FirstRound::Fold),
    };
    let settings = event.settings.readings.swiss(of_game);
    Knockout { settings, seed, ..Knockout::new(seeded(event, seed), lives.into()) }
}

/// That every board has cost somebody a life. Where the next round is public already, one that was struck out or drawn by a
/// late decision has cost nobody any, and only what is played again is waited for.
fn all_decided(event: &Event) -> Result<(), Unpaired> {
    let last = event.next_round() - 1;
    for (id, board, state) in event.all_boards() {
        match &state.result {
            None => return Err(Unpaired::Incomplete(board.table)),
            Some(result) if winner(result.codes).is_none() && (id.round == last || !result.is_settled()) => {
                return Err(Unpaired::Undecided(board.table));
            }
            Some(_) => {}
        }
    }
    Ok(())
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
    /// Places by when each was out: the losers of one round share theirs, and who is still in has none. Who is annulled is out
    /// of the table as out of that of a bracket.
    pub(super) fn survivors(&self, sheet: &Sheet<'_>, lives: u8) -> Vec<Line> {
        let began: BTreeSet<Number> = starters(self).into_iter().collect();
        let players: Vec<&Player> = sheet.players.iter().filter(|it| began.contains(&it.number)).collect();
        let out: BTreeMap<Number, u16> =
            players.iter().filter_map(|player| Some((player.number, out_in(player, lives)?))).collect();
        let place = |number: Number| {
            let Some(round) = out.get(&number) else {
                // Who is left alone is the champion.
                return (sheet.rounds > 0 && out.len() + 1 == players.len()).then_some(1);
            };
            // The places of a round are known once all of it is played.
            self.round(*round).filter(|round| round.is_complete())?;
            let still_in = players.len() - out.values().filter(|it| *it <= round).count();
            u32::try_from(still_in + 1).ok().map(|place| place.max(PLACE_AFTER_VACANT))
        };
        let places = players.iter().filter_map(|it| Some((it.number, place(it.number)?))).collect();
        how_far(sheet, &began, &places)
    }
}

/// The round in which a player lost his last life.
fn out_in(player: &Player, lives: u8) -> Option<u16> {
    let lost = player.history.iter().filter(|entry| {
        matches!(entry.code, ResultCode::Loss | ResultCode::ForfeitLoss | ResultCode::DoubleForfeit)
    });
    lost.map(|entry| entry.round).nth(usize::from(lives) - 1)
}

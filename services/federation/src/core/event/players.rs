//! The participants as the pairing and the tables want them.

use std::collections::BTreeMap;

use pairing::{Colour, Entry, Number, Player, Reason, ResultCode, macmahon};

use super::{
    Event, Format, Participant,
    fact::{Board, BoardResult},
    round::{BoardState, Round},
};

impl Event {
    /// Everybody with what came of the rounds before this one, in the order of numbers. A board of which nothing is known
    /// yet counts as one that is adjourned: the two have met, and what they get is open. Play-offs are none of it.
    pub fn players(&self, before_round: u16) -> Vec<Player> {
        let mut players: BTreeMap<Number, Player> =
            self.participants.iter().map(|it| (it.number(), self.player(it, before_round))).collect();
        let counted = |round: &&Round| round.published.round < before_round && !round.published.play_off;
        for round in self.rounds.iter().filter(counted) {
            add_round(&mut players, round);
        }
        players.into_values().collect()
    }

    fn player(&self, participant: &Participant, round: u16) -> Player {
        let entrant = &participant.entrant;
        let start = match self.settings.format {
            Format::MacMahon { bar, floor, .. } => {
                macmahon::initial(entrant.grade.unwrap_or(floor), bar, floor)
            }
            _ => 0,
        };
        Player {
            number: entrant.number,
            affiliations: entrant.affiliations.clone(),
            states: self.statuses(participant, round),
            history: Vec::new(),
            warnings: self.warnings_by_ruling(entrant.number),
            start,
            rating: entrant.rating,
        }
    }
}

fn add_round(players: &mut BTreeMap<Number, Player>, round: &Round) {
    let number = round.published.round;
    for (_, board, state) in round.laid() {
        for side in 0..2 {
            if let Some(player) = players.get_mut(&board.players[side]) {
                player.history.push(entry(number, board, state, side));
                player.warnings += state.result.as_ref().map_or(0, |result| result.warnings[side]);
            }
        }
    }
    for (out, code) in &round.published.out {
        if let Some(player) = players.get_mut(out) {
            player.history.push(Entry::bye(number, *code));
        }
    }
}

fn entry(round: u16, board: &Board, state: &BoardState, side: usize) -> Entry {
    let own = if side == 0 { Colour::First } else { Colour::Second };
    let opponent = Some(board.players[1 - side]);
    // Whose colour follows from his strength is owed none for it.
    let assigned = (board.coloured && board.handicap == 0).then_some(own);
    match &state.result {
        None => Entry {
            round,
            opponent,
            code: ResultCode::Adjourned,
            reason: Reason::NotPlayed,
            assigned,
            played: assigned,
        },
        Some(result) => Entry {
            round,
            opponent,
            code: result.codes[side],
            reason: result.reason,
            // 1.4: later pairings use the colour that was assigned, not the one that was played.
            assigned: assigned.map(|own| if result.assigned_turned { own.opposite() } else { own }),
            played: played(result, own),
        },
    }
}

/// The colour that was played; none in a game that was not.
fn played(result: &BoardResult, own: Colour) -> Option<Colour> {
    result.codes[0].is_met().then_some(if result.played_turned { own.opposite() } else { own })
}

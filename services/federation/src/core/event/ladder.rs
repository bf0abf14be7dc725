//! A challenge ladder in rounds (`LADDER`, 1.2): whoever wins against somebody above him takes his place. A round is the
//! challenges that were accepted before it; how long it lasts is for its schedule to say.

use std::collections::{BTreeMap, BTreeSet};

use pairing::{
    Number, Player, ResultCode, ladder, lots,
    standings::{Line, Sheet},
};

use super::{
    Event,
    challenge::Challenge,
    fact::{Board, PublishedRound},
    plan::{Unpaired, coloured, order_hash},
    round::Round,
    table::points,
};

impl Event {
    /// The ladder before a round, its top first: in the order of entries at first, and who comes late below. What was
    /// forfeited while a round was public follows after it.
    pub fn ladder(&self, before_round: u16) -> Vec<Number> {
        let mut order: Vec<Number> = Vec::new();
        let mut entering =
            self.participants.iter().map(|it| (it.entrant.from_round, it.number())).collect::<Vec<_>>();
        entering.sort_unstable();
        let mut entering = entering.into_iter().peekable();
        for round in self.rounds.iter().filter(|it| it.published.round < before_round) {
            while let Some((_, number)) = entering.next_if(|(from, _)| *from <= round.published.round) {
                order.push(number);
            }
            self.challenges.settle_forfeits(&mut order, round.published.round);
            settle(&mut order, round);
        }
        order.extend(entering.map(|(_, number)| number));
        self.challenges.settle_forfeits(&mut order, before_round);
        order.retain(|number| self.stays(*number));
        order
    }

    pub(super) fn stays(&self, number: Number) -> bool {
        self.participant(number).is_some_and(|it| {
            let player = Player { states: it.statuses.clone(), ..Player::new(0) };
            player.left_after().is_none() && !player.is_annulled()
        })
    }

    /// The table of a ladder is the ladder; who has left it, or is annulled, comes last, without a place. Places that were
    /// taken from him, or by him, stay taken, but nobody has points of it (1.11, 8).
    pub(super) fn ladder_lines(&self, sheet: &Sheet<'_>) -> Vec<Line> {
        let order = self.ladder(sheet.rounds.saturating_add(1));
        let places: BTreeMap<Number, u32> = order.into_iter().zip(1..).collect();
        let points = points(sheet);
        let line = |player: &Player| Line {
            number: player.number,
            place: places.get(&player.number).copied(),
            points: points.get(&player.number).copied().unwrap_or(0),
            criteria: Vec::new(),
            provisional: player.history.iter().any(|entry| entry.code.is_provisional()),
        };
        let mut lines: Vec<Line> = sheet.players.iter().map(line).collect();
        lines.sort_by_key(|line| (line.place.is_none(), line.place, line.number));
        lines
    }
}

/// Moves those who won their challenges of a round. Of the two at a board the lower one has challenged.
fn settle(order: &mut Vec<Number>, round: &Round) {
    for (_, board, state) in round.laid() {
        let place = |number: Number| order.iter().position(|it| *it == number);
        let lower = usize::from(place(board.players[0]) < place(board.players[1]));
        let (challenger, holder) = (board.players[lower], board.players[1 - lower]);
        let won = state
            .result
            .as_ref()
            .is_some_and(|it| matches!(it.codes[lower], ResultCode::Win | ResultCode::ForfeitWin));
        // The reach was asked about when the challenge was made; others may have come between since.
        if let Ok(after) = ladder::settle(order, challenger, holder, usize::MAX, won) {
            *order = after;
        }
    }
}

/// The challenges of the next round: nobody is in two of them, which logs have where who had left has come back.
pub(super) fn plan(event: &Event, mut round: PublishedRound) -> Result<PublishedRound, Unpaired> {
    round.input = order_hash(&event.ladder(round.round));
    let there = |pair: &[Number; 2]| pair.iter().all(|number| event.is_there(*number, round.round));
    let mut seated = BTreeSet::new();
    let mut is_free = |pair: &[Number; 2]| {
        let is_free = !pair.iter().any(|number| seated.contains(number));
        if is_free {
            seated.extend(*pair);
        }
        is_free
    };
    let accepted = event.waiting_challenges().filter(|it| it.until.is_none());
    let pairs = accepted.map(Challenge::pair).filter(there).filter(|pair| is_free(pair));
    for (table, mut players) in (1..).zip(pairs) {
        if lots::coin(&round.seed, round.round.into(), table) {
            players.reverse();
        }
        let coloured = coloured(event);
        round.boards.push(Board { table, players, coloured, place: None, reasons: Vec::new(), handicap: 0 });
    }
    if round.boards.is_empty() { Err(Unpaired::TooFew) } else { Ok(round) }
}

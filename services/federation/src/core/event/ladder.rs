//! A challenge ladder in rounds (`LADDER`, 1.2): whoever wins against somebody above him takes his place. A round is the
//! challenges that were made before it; how long it lasts is for its schedule to say, seven days in most leagues.

use std::collections::BTreeMap;

use pairing::{
    Number, Player, ResultCode, ladder, lots,
    standings::{Line, Sheet},
};

use super::{
    Event, Fact, Format, Refusal,
    fact::{Board, PublishedRound},
    fold::Round,
    plan::{Unpaired, coloured, order_hash},
};

impl Event {
    /// The ladder before a round, its top first: in the order of entries at first, and who comes late below.
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
            settle(&mut order, round);
        }
        order.extend(entering.map(|(_, number)| number));
        order.retain(|number| self.stays(*number));
        order
    }

    fn stays(&self, number: Number) -> bool {
        self.participant(number).is_some_and(|it| {
            let player = Player { states: it.statuses.clone(), ..Player::new(0) };
            player.left_after().is_none() && !player.is_annulled()
        })
    }

    /// Challenges somebody above for the next round.
    ///
    /// # Errors
    /// When he is not above, or too far; when one of the two is in another challenge; or while a round is played, as the
    /// ladder is not known then.
    pub fn challenge(&self, challenger: Number, holder: Number) -> Result<Vec<Fact>, Refusal> {
        let refuse = |why: &str| Err(Refusal::Challenge(why.to_owned()));
        let Format::Ladder { rounds, reach } = self.settings.format else {
            return refuse("this event is no ladder");
        };
        self.participant(holder).ok_or(Refusal::UnknownNumber(holder))?;
        let next = self.next_round();
        if self.rounds.last().is_some_and(|last| !last.is_complete()) {
            return refuse("a round is being played, and the ladder is known after it");
        }
        if next > rounds {
            return refuse("there are no more rounds");
        }
        let pair = [challenger, holder];
        if self.challenges.iter().flatten().any(|number| pair.contains(number)) {
            return refuse("one of the two is in another challenge of the round");
        }
        let there = |number: &Number| self.is_there(*number, next);
        if !pair.iter().all(there) {
            return refuse("one of the two is away in the round");
        }
        let (ladder, reach) = (self.ladder(next), usize::try_from(reach).unwrap_or(usize::MAX));
        match ladder::challenge(&ladder, challenger, holder, reach) {
            Ok(_) => Ok(vec![Fact::Challenged { challenger, holder }]),
            Err(error) => Err(Refusal::Challenge(error.to_string())),
        }
    }

    /// The table of a ladder is the ladder; who has left it comes last, without a place.
    pub(super) fn ladder_lines(&self, sheet: &Sheet<'_>) -> Vec<Line> {
        let order = self.ladder(sheet.rounds.saturating_add(1));
        let places: BTreeMap<Number, u32> = order.into_iter().zip(1..).collect();
        let line = |player: &Player| Line {
            number: player.number,
            place: places.get(&player.number).copied(),
            points: player.points(sheet.settings.pab_points),
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

/// The challenges of the next round.
pub(super) fn plan(event: &Event, mut round: PublishedRound) -> Result<PublishedRound, Unpaired> {
    round.input = order_hash(&event.ladder(round.round));
    let there = |pair: &&[Number; 2]| pair.iter().all(|number| event.is_there(*number, round.round));
    let challenges: Vec<[Number; 2]> = event.challenges.iter().filter(there).copied().collect();
    for (table, mut players) in (1..).zip(challenges) {
        if lots::coin(&round.seed, round.round.into(), table) {
            players.reverse();
        }
        let coloured = coloured(event);
        round.boards.push(Board { table, players, coloured, place: None, reasons: Vec::new(), handicap: 0 });
    }
    if round.boards.is_empty() { Err(Unpaired::TooFew) } else { Ok(round) }
}

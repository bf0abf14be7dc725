//! The arena of two teams (擂台赛, 1.2): a round is one game, the winner stays, and the loser's next comes.

use pairing::{
    Colour, Number, ResultCode,
    arena::{ArenaGame, ArenaResult, ArenaState, state},
};

use super::{EnteredTeam, MatchBoard};
use crate::core::event::{Event, plan::Unpaired, round::Round};

impl Event {
    /// How the arena stands, for the team of the lower number as the first side. `opening` is the colour that was drawn
    /// for it.
    pub(in crate::core::event) fn arena(&self, opening: Colour) -> Result<ArenaState, Unpaired> {
        let teams = self.two_teams().ok_or(Unpaired::TooFew)?;
        let sides = teams.map(|team| team.entrant.players.len());
        let Some(first) = self.rounds.first() else { return Ok(state(sides, opening, &[])) };
        let orders = teams.map(|team| self.line_up(first, team));
        let mut games = Vec::new();
        for round in &self.rounds {
            for meeting in self.matches(round) {
                let turned = meeting.teams[0] != teams[0].number();
                for board in &meeting.boards {
                    let undecided = Unpaired::Undecided(board.table);
                    games.push(game(board, turned, &orders).ok_or(undecided)?);
                }
            }
        }
        Ok(state(sides, opening, &games))
    }

    /// The colour that was drawn for the first game.
    pub(in crate::core::event) fn opening(&self, seed: pairing::lots::Seed) -> Colour {
        let seed = self.rounds.first().map_or(seed, |first| first.published.seed);
        Colour::first_if(pairing::lots::coin(&seed, 1, 1))
    }
}

/// A game for the team of the lower number, which stands second in its match where that is turned; none where an arbiter has
/// to decide it.
fn game(board: &MatchBoard, turned: bool, orders: &[Vec<Number>; 2]) -> Option<ArenaGame> {
    let ([mut first, mut second], mut codes) = (board.players, board.codes?);
    let mut colour = Colour::first_if(board.first_moves_first);
    if turned {
        (first, second, colour) = (second, first, colour.opposite());
        codes.reverse();
    }
    let place = |side: usize, player: Number| orders[side].iter().position(|it| *it == player);
    Some(ArenaGame { players: [place(0, first)?, place(1, second)?], colour, result: result(codes)? })
}

/// What a game of the arena came to; who does not come has lost. None where an arbiter has to decide it.
fn result(codes: [ResultCode; 2]) -> Option<ArenaResult> {
    use ResultCode::{DoubleForfeit, Draw, ForfeitLoss, ForfeitWin, Loss, Win};
    match codes {
        [Win | ForfeitWin, _] => Some(ArenaResult::First),
        [_, Win | ForfeitWin] => Some(ArenaResult::Second),
        [Draw, _] => Some(ArenaResult::Draw),
        [DoubleForfeit | ForfeitLoss | Loss, DoubleForfeit | ForfeitLoss | Loss] => {
            Some(ArenaResult::Neither)
        }
        _ => None,
    }
}

/// The two who meet in a round that is public, in the order of its match. Their order is that of the first round.
pub(super) fn next_of(event: &Event, round: &Round, teams: [&EnteredTeam; 2]) -> Option<[Number; 2]> {
    let before = event.before(round.published.round);
    let ArenaState::Game { first, second, .. } = before.arena(before.opening(round.published.seed)).ok()?
    else {
        return None;
    };
    let order = event.rounds.first()?;
    let lower = teams[0].number() < teams[1].number();
    let places = if lower { [first, second] } else { [second, first] };
    let [ours, theirs] = teams.map(|team| event.line_up(order, team));
    Some([*ours.get(places[0])?, *theirs.get(places[1])?])
}

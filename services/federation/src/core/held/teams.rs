//! Teams of events of other places: whether teams met or were the sums of their members, who met whom in a round, and who
//! sat at which board.

use std::collections::{BTreeMap, BTreeSet};

use exchange::{Game, MatchForfeit, Round, Team, Tournament};
use pairing::{Number, Reason, ResultCode, lineup::LineupLaw};

use super::Refusal;

/// How the teams of a file played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Whether teams met teams, each with whoever it sent; else each was the sum of its members.
    pub law: LineupLaw,
    /// The boards of a match, or the most members of a team.
    pub boards: u32,
    /// The most who were in a team beside as many as there are boards.
    pub reserves: u32,
}

impl Played {
    /// Whether teams met teams.
    pub fn meets(&self) -> bool {
        self.law != LineupLaw::SumOfMembers
    }
}

/// A match of a round.
pub(super) struct Meeting {
    /// The two teams by their places in the file, from 0; the first has the first seat of board 1.
    pub teams: [usize; 2],
    /// Its boards.
    pub seats: Vec<Seat>,
}

/// A board of a match.
pub(super) enum Seat {
    /// One at which a game was played, or not.
    Game(Game),
    /// One of which the file has no game: who would have sat there, the first moving first, and what they got.
    Empty([Number; 2], [ResultCode; 2], Reason),
}

fn refused(why: String) -> Refusal {
    Refusal::Held(why)
}

/// How the teams of a file played: as it is said, else as the file shows; none where it has none.
///
/// # Errors
/// When somebody is in no team, or teams met in one round and not in another.
pub fn played(event: &Tournament, said: Option<LineupLaw>) -> Result<Option<Played>, Refusal> {
    if event.teams.is_empty() {
        return Ok(None);
    }
    let teams = event.team_of_players();
    if let Some(alone) = event.players.iter().find(|player| !teams.contains_key(&player.number)) {
        return Err(refused(format!(
            "number {} is in no team: say without_teams to take the event over as one of players",
            alone.number.0
        )));
    }
    let size = event.teams.iter().map(|team| team.players.len()).max().unwrap_or(0);
    let fault = (1..).zip(&event.rounds).find_map(|(round, it)| stranger(event, round, it).err());
    let says_so = |round: &Round| {
        !(round.line_ups.is_empty() && round.team_byes.is_empty() && round.forfeited.is_empty())
    };
    let meets = !event.header.white_boards.is_empty() || event.rounds.iter().any(says_so);
    let most =
        event.rounds.iter().flat_map(|round| matches_of(event, round).into_values()).map(|it| it.len());
    let law = match (said, fault) {
        (Some(LineupLaw::SumOfMembers), _) => LineupLaw::SumOfMembers,
        (None, Some(_)) if !meets => LineupLaw::SumOfMembers,
        (_, Some(fault)) => return Err(fault),
        (said, None) => said.unwrap_or(LineupLaw::DeclaredBoards),
    };
    let boards = match (law, event.header.white_boards.len()) {
        (LineupLaw::SumOfMembers, _) => size,
        (_, 0) => most.max().unwrap_or(size).max(1),
        (_, boards) => boards,
    };
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(Some(Played { law, boards: number(boards), reserves: number(size.saturating_sub(boards)) }))
}

/// Makes sure that every team met one other team in a round at most.
fn stranger(event: &Tournament, number: u16, round: &Round) -> Result<(), Refusal> {
    let teams = event.team_of_players();
    let met = event.opponents_of_teams(round);
    for game in &round.games {
        let [white, black] = [game.white, game.black].map(|player| teams.get(&player));
        let (Some(white), Some(black)) = (white, black) else { continue };
        if white == black || met.get(white) != Some(black) || met.get(black) != Some(white) {
            return Err(refused(format!(
                "round {number}: team {white} has a game with team {black}, and meets another: say without_teams to take the \
                 event over as one of players"
            )));
        }
    }
    Ok(())
}

/// The games of each two teams that met in a round, by the lower number first.
fn matches_of<'a>(event: &Tournament, round: &'a Round) -> BTreeMap<(u32, u32), Vec<&'a Game>> {
    let teams = event.team_of_players();
    let mut matches: BTreeMap<(u32, u32), Vec<&Game>> = BTreeMap::new();
    for game in &round.games {
        if let (Some(white), Some(black)) = (teams.get(&game.white), teams.get(&game.black)) {
            matches.entry((*white.min(black), *white.max(black))).or_default().push(game);
        }
    }
    for it in &round.forfeited {
        matches.entry((it.white.min(it.black), it.white.max(it.black))).or_default();
    }
    matches
}

/// Who met whom in a round, and at which boards.
///
/// # Errors
/// When a match has more games than boards, or a team had nobody to sit at one.
pub(super) fn meetings(
    event: &Tournament,
    number: u16,
    boards: usize,
    white_begins: bool,
) -> Result<Vec<Meeting>, Refusal> {
    let Some(round) = event.rounds.get(usize::from(number) - 1) else { return Ok(Vec::new()) };
    let place = |team: u32| event.teams.iter().position(|it| it.number == team);
    let mut meetings = Vec::new();
    for ((one, other), games) in matches_of(event, round) {
        let (Some(first), Some(second)) = (place(one), place(other)) else { continue };
        if games.len() > boards {
            return Err(refused(format!(
                "round {number}: teams {one} and {other} have {} games, and a match has {boards} boards",
                games.len()
            )));
        }
        let hall = Hall { event, round, number, boards, white_begins };
        meetings.push(hall.meeting([first, second], &games)?);
    }
    Ok(meetings)
}

/// A round of matches in a file.
struct Hall<'a> {
    event: &'a Tournament,
    round: &'a Round,
    number: u16,
    boards: usize,
    white_begins: bool,
}

impl Hall<'_> {
    fn meeting(&self, places: [usize; 2], games: &[&Game]) -> Result<Meeting, Refusal> {
        let teams = places.map(|place| &self.event.teams[place]);
        let order = teams.map(|team| self.order(team));
        let mut seats: Vec<Option<Game>> = vec![None; self.boards];
        let mut later = Vec::new();
        for game in games {
            match seat_of(&order, game).filter(|at| *at < self.boards && seats[*at].is_none()) {
                Some(at) => seats[at] = Some(**game),
                None => later.push(**game),
            }
        }
        // Whoever has no place in an order sits at the first boards that are free.
        for game in later {
            if let Some(free) = seats.iter_mut().find(|seat| seat.is_none()) {
                *free = Some(game);
            }
        }
        let mut sitting: BTreeSet<Number> = games.iter().flat_map(|game| [game.white, game.black]).collect();
        let seats = (0..).zip(seats).map(|(at, game)| match game {
            Some(game) => Ok(Seat::Game(game)),
            None => self.empty(teams, &order, at, &mut sitting),
        });
        let seats = seats.collect::<Result<Vec<Seat>, Refusal>>()?;
        let first = match seats.first() {
            Some(Seat::Game(game)) if self.white_begins => game.white,
            Some(Seat::Game(game)) => game.black,
            Some(Seat::Empty([first, _], ..)) => *first,
            None => Number(0),
        };
        let is_turned = teams[1].players.contains(&first);
        Ok(Meeting { teams: if is_turned { [places[1], places[0]] } else { places }, seats })
    }

    /// Who sits at each board for a team, as far as the file says.
    fn order(&self, team: &Team) -> Vec<Option<Number>> {
        let said = self.round.line_ups.iter().find(|it| it.team == team.number);
        said.map_or_else(
            || team.players.iter().take(self.boards).copied().map(Some).collect(),
            |it| it.players.clone(),
        )
    }

    /// A board of which the file has no game: its seats are given to whoever is said to have been there, or to somebody who sat
    /// nowhere.
    fn empty(
        &self,
        teams: [&Team; 2],
        order: &[Vec<Option<Number>>; 2],
        at: usize,
        sitting: &mut BTreeSet<Number>,
    ) -> Result<Seat, Refusal> {
        let mut seated = [Number(0); 2];
        for side in 0..2 {
            let wanted = order[side].get(at).copied().flatten();
            let rank = |player: &Number| {
                let code = self.code(*player);
                (Some(*player) != wanted, code != Some(ResultCode::ForfeitWin), code.is_none())
            };
            let free = teams[side].players.iter().filter(|player| !sitting.contains(*player));
            let found = free.min_by_key(|player| rank(player)).copied().ok_or_else(|| {
                refused(format!(
                    "round {}: nobody of team {} is left for board {}",
                    self.number,
                    teams[side].number,
                    at + 1
                ))
            })?;
            sitting.insert(found);
            seated[side] = found;
        }
        let codes = self.forfeit(teams).unwrap_or_else(|| {
            let won = seated.map(|player| self.code(player) == Some(ResultCode::ForfeitWin));
            match won {
                [true, true] => [ResultCode::ForfeitWin; 2],
                [true, false] => [ResultCode::ForfeitWin, ResultCode::ForfeitLoss],
                [false, true] => [ResultCode::ForfeitLoss, ResultCode::ForfeitWin],
                [false, false] => [ResultCode::DoubleForfeit; 2],
            }
        });
        let [a, b] = seated;
        let [of_a, of_b] = codes;
        // The first team has the first colour on boards of odd numbers.
        if at.is_multiple_of(2) {
            Ok(Seat::Empty([a, b], [of_a, of_b], Reason::Late))
        } else {
            Ok(Seat::Empty([b, a], [of_b, of_a], Reason::Late))
        }
    }

    /// What the file says of somebody who had no game.
    fn code(&self, player: Number) -> Option<ResultCode> {
        self.round.byes.iter().find(|bye| bye.player == player).map(|bye| bye.code)
    }

    /// What a match came to that was not played.
    fn forfeit(&self, teams: [&Team; 2]) -> Option<[ResultCode; 2]> {
        let numbers = teams.map(|team| team.number);
        let is_it = |it: &&exchange::ForfeitedMatch| {
            numbers == [it.white, it.black] || numbers == [it.black, it.white]
        };
        let found = self.round.forfeited.iter().find(is_it)?;
        let winner = match found.won {
            MatchForfeit::White => found.white,
            MatchForfeit::Black => found.black,
            MatchForfeit::Neither => return Some([ResultCode::DoubleForfeit; 2]),
        };
        let code = |team: u32| {
            if team == winner { ResultCode::ForfeitWin } else { ResultCode::ForfeitLoss }
        };
        Some(numbers.map(code))
    }
}

/// The board of a game, by the order of either side.
fn seat_of([one, other]: &[Vec<Option<Number>>; 2], game: &Game) -> Option<usize> {
    let at = |order: &[Option<Number>]| {
        order.iter().position(|it| *it == Some(game.white) || *it == Some(game.black))
    };
    at(one).or_else(|| at(other))
}

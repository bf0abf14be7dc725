//! Tables of teams (Art. 28.2): matches make match points, boards make game points.

use std::cmp::Reverse;

use super::{
    Criterion, Cycles, Line, Sheet, Unplaced, has_results, individual::Scores, is_provisional, place,
    robin::Robin,
};
use crate::{
    DRAW_POINTS, Entry, Fraction, Number, Player, Reason, ResultCode, StandingsSettings, Status, SumOf,
    WIN_POINTS, lots::Seed, whole,
};

/// A match of a team in one round, from its own side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamMatch {
    /// From 1.
    pub round: u16,
    /// None in a round without one.
    pub opponent: Option<Number>,
    /// What came of each board, board 1 first; empty without an opponent. Where everybody meets everybody, so for each round
    /// of the match, one after the other.
    pub boards: Vec<ResultCode>,
    /// What a round without an opponent was.
    pub bye: Option<ResultCode>,
}

/// A team of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// Its number.
    pub number: Number,
    /// What it is to the event; a whole team that leaves is taken as a player who does (1.10, 25).
    pub states: Vec<Status>,
    /// Its matches, in order of rounds.
    pub matches: Vec<TeamMatch>,
}

/// What a table of teams is made from.
#[derive(Clone, Copy, Debug)]
pub struct TeamSheet<'a> {
    /// Every team.
    pub teams: &'a [Team],
    /// Rounds so far.
    pub rounds: u16,
    /// Boards of a match.
    pub boards: u32,
    /// Games at each board of a match: 1, or as many as boards where everybody meets everybody.
    pub games: u32,
    /// The readings of the event; tie-breaks other than those of Art. 28.2 are not asked for.
    pub settings: &'a StandingsSettings,
    /// What the order of equal teams is drawn from.
    pub seed: Seed,
}

/// The table of a team Swiss (Art. 28.2.2): T over match points, then those who stayed, then the order of the team
/// round robin: match points, game points, those of board 1, of board 2 and so on.
pub fn swiss(sheet: &TeamSheet<'_>) -> Vec<Line> {
    let players = as_players(sheet);
    let inner = inner(sheet, &players);
    let scores = Scores::of(&inner, sheet.settings.team_leaves);
    let lines = sheet.teams.iter().zip(&players).map(|(team, player)| {
        let points = scores.points(player);
        let mut criteria =
            vec![scores.total(player), scores.stayed(player), Criterion::plain("points", points)];
        let counted = team.matches.iter().filter(|it| it.round <= sheet.rounds);
        criteria.extend(game_points(sheet, &boards_of(sheet, counted, 0)));
        unplaced(&inner, player, points, criteria)
    });
    place(&inner, lines.collect())
}

/// The table of a team round robin (Art. 28.2.1): match points, game points, those of board 1, of board 2 and so on.
/// Who leaves early is void, who leaves late loses what remains, board by board (29.2).
pub fn round_robin(sheet: &TeamSheet<'_>, cycles: Cycles) -> Vec<Line> {
    let players = as_players(sheet);
    let inner = inner(sheet, &players);
    let robin = Robin::of(&inner, cycles, sheet.settings.team_leaves);
    let lines = sheet.teams.iter().zip(&players).map(|(team, player)| {
        let games = robin.games(team.number);
        let counted = team.matches.iter().filter(|it| games.iter().any(|game| game.round == Some(it.round)));
        let given = games.iter().filter(|game| game.round.is_none()).count();
        let points = robin.points(team.number);
        let mut criteria = vec![Criterion::plain("points", points)];
        criteria.extend(game_points(sheet, &boards_of(sheet, counted, crate::count(given))));
        let mut unplaced = unplaced(&inner, player, points, criteria);
        unplaced.counts &= !robin.is_void(team.number);
        unplaced
    });
    place(&inner, lines.collect())
}

fn inner<'a>(sheet: &TeamSheet<'a>, players: &'a [Player]) -> Sheet<'a> {
    Sheet { players, rounds: sheet.rounds, settings: sheet.settings, seed: sheet.seed }
}

fn unplaced(inner: &Sheet<'_>, player: &Player, points: u32, criteria: Vec<Criterion>) -> Unplaced {
    let provisional = is_provisional(player, inner.rounds);
    let counts = !player.is_annulled() && has_results(player, inner.rounds);
    Unplaced { line: Line { number: player.number, place: None, points, criteria, provisional }, counts }
}

/// Each team as a player whose games are its matches.
fn as_players(sheet: &TeamSheet<'_>) -> Vec<Player> {
    let entry = |of: &TeamMatch| {
        let code = match of.opponent {
            Some(_) => match_code(&of.boards),
            None => of.bye.unwrap_or(ResultCode::ByeZero),
        };
        let reason = Reason::Normal;
        Entry { round: of.round, opponent: of.opponent, code, reason, assigned: None, played: None }
    };
    let player = |team: &Team| Player {
        number: team.number,
        affiliations: Vec::new(),
        states: team.states.clone(),
        history: team.matches.iter().map(entry).collect(),
        warnings: 0,
        start: 0,
        rating: None,
    };
    sheet.teams.iter().map(player).collect()
}

/// What came of a match for a team, from its boards: more game points win it (Art. 28.2), and while one is open, so is the
/// match. Forfeits on both sides of every board are a loss for both (1.11, 10).
///
/// ```
/// use pairing::{ResultCode, standings::team::match_code};
/// use ResultCode::{Adjourned, Draw, Loss, Win};
/// assert_eq!(match_code(&[Win, Draw, Loss, Draw]), Draw);
/// assert_eq!(match_code(&[Win, Draw, Adjourned]), Adjourned);
/// ```
pub fn match_code(boards: &[ResultCode]) -> ResultCode {
    let all = |code: ResultCode| !boards.is_empty() && boards.iter().all(|it| *it == code);
    if boards.iter().any(|it| it.is_provisional()) {
        return ResultCode::Adjourned;
    }
    for code in
        [ResultCode::DoubleForfeit, ResultCode::ForfeitWin, ResultCode::ForfeitLoss, ResultCode::Annulled]
    {
        if all(code) {
            return code;
        }
    }
    let own: u32 = boards.iter().map(|it| it.points(0)).sum();
    let theirs: u32 = boards.iter().map(|it| of_opponent(*it)).sum();
    match own.cmp(&theirs) {
        core::cmp::Ordering::Greater => ResultCode::Win,
        core::cmp::Ordering::Equal => ResultCode::Draw,
        core::cmp::Ordering::Less => ResultCode::Loss,
    }
}

/// What the other side of a board has.
fn of_opponent(code: ResultCode) -> u32 {
    match code {
        ResultCode::Loss | ResultCode::ForfeitLoss => WIN_POINTS,
        ResultCode::Draw => DRAW_POINTS,
        _ => 0,
    }
}

/// Game points of each board. A pairing bye gives every board what the event says, a match that the opponents left a win.
fn boards_of<'a>(
    sheet: &TeamSheet<'_>,
    matches: impl Iterator<Item = &'a TeamMatch>,
    given: u32,
) -> Vec<u32> {
    let mut boards = vec![given * sheet.games * WIN_POINTS; sheet.boards as usize];
    for played in matches {
        let free = played.opponent.is_none() && played.bye == Some(ResultCode::Pab);
        for (at, sum) in boards.iter_mut().enumerate() {
            *sum += if free { sheet.games * sheet.settings.team_pab_game_points } else { 0 };
            let games = played.boards.iter().skip(at).step_by((sheet.boards as usize).max(1));
            *sum += games.map(|it| it.points(0)).sum::<u32>();
        }
    }
    boards
}

fn game_points(sheet: &TeamSheet<'_>, boards: &[u32]) -> Vec<Criterion> {
    let all = Criterion::plain("game_points", boards.iter().sum::<u32>());
    let each = boards.iter().take(sheet.boards as usize).map(|it| Criterion::plain("board", *it));
    core::iter::once(all).chain(each).collect()
}

/// What a member has made for a team that is the sum of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Points.
    pub points: u32,
    /// The total T of Art. 28.1.2; the points where there is none.
    pub total: Fraction,
}

impl Member {
    fn worth(&self, by: SumOf) -> Fraction {
        match by {
            SumOf::Points => whole(self.points),
            SumOf::Total => self.total,
        }
    }
}

/// A team that is the sum of its members (`SUM_OF_MEMBERS`, section 1.2): the best `best` of them count; of equals the
/// one with the best single member is first, then with the next. Each team is its number with its members.
///
/// ```
/// use pairing::{Number, SumOf, standings::team::{Member, sum_of_members}, whole};
/// let member = |points: u32, total: u32| Member { points, total: whole(total) };
/// let teams = [(Number(1), vec![member(6, 3), member(4, 2)]), (Number(2), vec![member(5, 4), member(5, 4)])];
/// // Of equal sums the one with the best member is first; by totals it is 8 to 5.
/// assert_eq!(sum_of_members(&teams, 2, SumOf::Points)[0].number, Number(1));
/// assert_eq!(sum_of_members(&teams, 2, SumOf::Total)[0].number, Number(2));
/// ```
pub fn sum_of_members(teams: &[(Number, Vec<Member>)], best: usize, by: SumOf) -> Vec<Line> {
    let settings = StandingsSettings::default();
    let sheet = Sheet { players: &[], rounds: 0, settings: &settings, seed: [0; 32] };
    let most = teams.iter().map(|(_, members)| members.len().min(best)).max().unwrap_or(0);
    let lines = teams.iter().map(|(number, members)| {
        let mut members = members.clone();
        members.sort_unstable_by_key(|it| Reverse((it.worth(by), it.points)));
        members.truncate(most);
        let mut worths: Vec<Fraction> = members.iter().map(|it| it.worth(by)).collect();
        worths.resize(most, whole(0));
        let exact = |name, value| Criterion { value, ..Criterion::plain(name, 0) };
        let sum = exact(by.name(), worths.iter().fold(whole(0), |sum, it| sum + it));
        let each = worths.into_iter().map(|it| exact("member", it));
        let criteria = core::iter::once(sum).chain(each).collect();
        let points = members.iter().map(|it| it.points).sum();
        Unplaced {
            line: Line { number: *number, place: None, points, criteria, provisional: false },
            counts: true,
        }
    });
    place(&sheet, lines.collect())
}

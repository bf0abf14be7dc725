//! From a report to the histories of its teams: an event whose players are teams.

use std::collections::BTreeMap;

use super::{
    Against, Doubt, Event, EventError, Report, Side, Team, TeamRound, Tenths,
    event::{bye, prohibit},
    matches::Matches,
};
use crate::{
    ColourLaw, DRAW_POINTS, Entry, Number, Player, Reason, ResultCode, Status, SwissSettings, WIN_POINTS,
};

impl Event {
    /// The event of the teams of records 310, as players whose numbers are those of teams, so that byes and prohibitions,
    /// which are those of teams, can be judged; none where no team has a number. Of colours that on the first board counts.
    pub fn of_teams(report: &Report, colours: ColourLaw) -> Result<Option<Event>, EventError> {
        if report.teams.is_empty() {
            return Ok(None);
        }
        let matches = Matches::of(report);
        let paired = matches.rounds();
        let rounds = report.rounds.unwrap_or(paired).max(paired);
        let mut teams: Vec<&Team> = report.teams.iter().collect();
        teams.sort_by_key(|team| team.number);
        let had = |team: &Team| (1..=paired).map(|round| matches.round(team, round)).collect();
        let all: BTreeMap<u32, Vec<TeamRound>> = teams.iter().map(|it| (it.number, had(it))).collect();
        let mut players: Vec<Player> = teams.iter().map(|team| player(&matches, &all, team)).collect();
        for (round, team, mark) in matches.asked() {
            if let Ok(at) = teams.binary_search_by_key(&team, |it| it.number) {
                players[at].states.push(Status::Bye { round, code: bye(mark) });
            }
        }
        let pab = pab_as_result(report);
        let settings =
            SwissSettings { colours, pab_points: pab.unwrap_or(WIN_POINTS), ..SwissSettings::default() };
        let prohibited = prohibit(report, rounds)?;
        let mut doubts = doubts(report, &matches, &players, pab);
        doubts.extend((colours != ColourLaw::Open).then_some(Doubt::TeamColours));
        Ok(Some(Event { rounds, paired, players, prohibited, is_of_teams: false, settings, doubts }))
    }
}

fn player(matches: &Matches<'_>, all: &BTreeMap<u32, Vec<TeamRound>>, team: &Team) -> Player {
    let mut player = Player::new(team.number);
    player.states.clear();
    for (round, had) in (1..).zip(all.get(&team.number).into_iter().flatten()) {
        player.history.extend(entry(matches, all, team, round, had));
    }
    player
}

fn entry(
    matches: &Matches<'_>,
    all: &BTreeMap<u32, Vec<TeamRound>>,
    team: &Team,
    round: u16,
    had: &TeamRound,
) -> Option<Entry> {
    let (opponent, colour) = match had.against {
        Against::Nobody => return None,
        Against::Bye(mark) => return Some(Entry::bye(round, bye(mark))),
        Against::Team { opponent, colour } => (opponent, colour),
    };
    let theirs = all.get(&opponent).and_then(|it| it.get(usize::from(round) - 1)).and_then(|it| it.points);
    let (own, theirs) = (had.points.unwrap_or_default(), theirs.unwrap_or_default());
    let code = match (had.forfeited, own.cmp(&theirs)) {
        (true, core::cmp::Ordering::Greater) => ResultCode::ForfeitWin,
        (true, core::cmp::Ordering::Less) => ResultCode::ForfeitLoss,
        (true, core::cmp::Ordering::Equal) => ResultCode::DoubleForfeit,
        (false, _) if matches.is_open(team, round) => ResultCode::Adjourned,
        (false, core::cmp::Ordering::Greater) => ResultCode::Win,
        (false, core::cmp::Ordering::Less) => ResultCode::Loss,
        (false, core::cmp::Ordering::Equal) => ResultCode::Draw,
    };
    let reason = if had.forfeited { Reason::Late } else { Reason::Normal };
    let colour = colour.filter(|_| code.is_met()).map(Side::colour);
    Some(Entry { round, opponent: Some(Number(opponent)), code, reason, assigned: colour, played: colour })
}

/// The match points of the pairing bye in the scale of 2 for a win and 1 for a draw; none where they are those of no result.
fn pab_as_result(report: &Report) -> Option<u32> {
    let stated = |it: Option<Tenths>, default: i32| it.unwrap_or(Tenths(default));
    let points = &report.team_points;
    let of = [stated(points.win, 20), stated(points.draw, 10), stated(points.loss, 0)];
    let pab = report.team_byes.as_ref().and_then(|it| it.match_points).unwrap_or(of[0]);
    let worth = [WIN_POINTS, DRAW_POINTS, 0].into_iter().zip(of).find(|(_, it)| *it == pab);
    worth.map(|(worth, _)| worth)
}

fn doubts(report: &Report, matches: &Matches<'_>, teams: &[Player], pab: Option<u32>) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    doubts.extend((!matches.have_all()).then_some(Doubt::Teams));
    doubts.extend(report.rounds.is_none().then_some(Doubt::NoRounds));
    doubts.extend(report.board_colours.is_empty().then_some(Doubt::NoBoardColours));
    doubts.extend(report.prohibitions.is_empty().then_some(Doubt::NoProhibitions));
    doubts.extend(report.byes.is_empty().then_some(Doubt::NoAbsences));
    let entries = teams.iter().flat_map(|it| &it.history);
    let open = entries.filter(|it| it.code == ResultCode::Adjourned).map(|it| it.round);
    let open: std::collections::BTreeSet<u16> = open.collect();
    doubts.extend(open.into_iter().map(|round| Doubt::Unfinished { round }));
    doubts.extend(pab.is_none().then_some(Doubt::PabPoints));
    doubts.extend((!report.odd_points.is_empty()).then_some(Doubt::OddPoints));
    doubts
}

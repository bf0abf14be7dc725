//! The records of teams.

use super::side;
use crate::{
    Number,
    trf::{
        BoardOrder, ForfeitKind, ForfeitedMatch, OldTeam, PLAYERS_MAX, Report, Side, TEAMS_MAX, Team,
        TeamByes, TrfError, TrfFault, columns::Line, header::COUNT_MAX,
    },
};

pub(super) fn record(report: &mut Report, line: &Line, tag: &str) -> Result<(), TrfError> {
    line.blank(4, 4)?;
    match tag {
        "013" => report.old_teams.push(OldTeam { name: line.text(5, 36), players: line.players(37, 1)? }),
        "300" => report.board_orders.push(board_order(line)?),
        "310" => {
            let team = team(line)?;
            if report.teams.iter().any(|it| it.number == team.number) {
                return Err(line.fault(5, TrfFault::Repeated));
            }
            report.teams.push(team);
        }
        "320" => {
            let byes = team_byes(line)?;
            super::state(line, &mut report.team_byes, byes)?;
        }
        "330" => report.forfeited_matches.push(forfeited(line)?),
        "352" => {
            let colours =
                (5..=line.end()).map(|at| side(line, at)?.ok_or_else(|| line.fault(at, TrfFault::Code)));
            let colours = colours.collect::<Result<Vec<Side>, TrfError>>()?;
            if !report.board_colours.is_empty() && report.board_colours != colours {
                return Err(line.fault(1, TrfFault::Repeated));
            }
            report.board_colours = colours;
        }
        _ => team_points(report, line)?,
    }
    Ok(())
}

fn team(line: &Line) -> Result<Team, TrfError> {
    for gap in [8, 41, 47, 54, 61, 68, 72, 73] {
        line.blank(gap, gap)?;
    }
    Ok(Team {
        number: line.counted(5, 7, TEAMS_MAX)?,
        name: line.text(9, 40),
        nickname: line.text(42, 46),
        strength: line.number(48, 53, COUNT_MAX)?,
        match_points: line.points(55, 60)?,
        game_points: line.points(62, 67)?,
        rank: line.number(69, 71, TEAMS_MAX)?,
        players: line.players(74, 0)?,
    })
}

fn team_byes(line: &Line) -> Result<TeamByes, TrfError> {
    line.blank(9, 9)?;
    line.blank(14, 14)?;
    let teams = line.numbers(15, 3, TEAMS_MAX)?;
    Ok(TeamByes {
        match_points: line.points(5, 8)?,
        game_points: line.points(10, 13)?,
        teams: teams.into_iter().map(|it| Some(it).filter(|it| *it != 0)).collect(),
    })
}

fn forfeited(line: &Line) -> Result<ForfeitedMatch, TrfError> {
    for gap in [7, 11, 15] {
        line.blank(gap, gap)?;
    }
    line.ends_at(18)?;
    Ok(ForfeitedMatch {
        kind: ForfeitKind::named(&line.text(5, 6)).ok_or_else(|| line.fault(5, TrfFault::Code))?,
        round: line.round(8, 10)?,
        white: line.counted(12, 14, TEAMS_MAX)?,
        black: line.counted(16, 18, TEAMS_MAX)?,
    })
}

fn board_order(line: &Line) -> Result<BoardOrder, TrfError> {
    for gap in [8, 12, 16] {
        line.blank(gap, gap)?;
    }
    let players = line.numbers(17, 4, PLAYERS_MAX)?;
    Ok(BoardOrder {
        round: line.round(5, 7)?,
        team: line.counted(9, 11, TEAMS_MAX)?,
        opponent: line.counted(13, 15, TEAMS_MAX)?,
        players: players.into_iter().map(|it| Some(Number(it)).filter(|it| it.0 != 0)).collect(),
    })
}

/// Codes of two letters in columns 5, 14 and 23, with points in the four columns after each.
fn team_points(report: &mut Report, line: &Line) -> Result<(), TrfError> {
    for at in (5..=line.end()).step_by(9) {
        line.blank(at + 6, at + 8)?;
        let points = line.needed_points(at + 2, at + 5)?;
        let place = match line.text(at, at + 1).to_ascii_uppercase().as_str() {
            "TW" => &mut report.team_points.win,
            "TD" => &mut report.team_points.draw,
            "TL" => &mut report.team_points.loss,
            _ => return Err(line.fault(at, TrfFault::Code)),
        };
        if place.is_some_and(|it| it != points) {
            return Err(line.fault(at, TrfFault::Repeated));
        }
        *place = Some(points);
    }
    Ok(())
}

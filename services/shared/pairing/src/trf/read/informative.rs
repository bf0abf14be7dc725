//! The records of teams that repeat others for people: 801 and 802.

use super::side;
use crate::trf::{
    Against, BoardMark, BoardsOfRound, Report, TEAMS_MAX, TeamBoards, TeamResults, TeamRound, TrfError,
    TrfFault,
    columns::Line,
    team::{BYES, RESULTS_WIDTH, boards_width},
};

/// Takes a record over, typed if its columns are those that are known. Nothing follows from these records, so that one of
/// another shape is kept as it stands and makes no file unreadable.
pub(super) fn record(report: &mut Report, line: &Line, tag: &str) {
    let is_typed = match tag {
        "801" => boards(line).map(|it| report.team_boards.push(it)).is_ok(),
        _ => results(line).map(|it| report.team_results.push(it)).is_ok(),
    };
    if !is_typed {
        report.other.push(line.whole());
    }
}

fn results(line: &Line) -> Result<TeamResults, TrfError> {
    for gap in [4, 8, 14, 21, 28] {
        line.blank(gap, gap)?;
    }
    let rounds = (29..=line.end()).step_by(RESULTS_WIDTH).map(|at| round(line, at));
    Ok(TeamResults {
        number: line.counted(5, 7, TEAMS_MAX)?,
        nickname: line.text(9, 13),
        match_points: line.points(15, 20)?,
        game_points: line.points(22, 27)?,
        rounds: rounds.collect::<Result<_, _>>()?,
    })
}

fn round(line: &Line, at: usize) -> Result<TeamRound, TrfError> {
    for gap in [at + 3, at + 5, at + 11, at + 12] {
        line.blank(gap, gap)?;
    }
    let said = line.text(at, at + 2);
    let colour = side(line, at + 4)?;
    let bye = BYES.iter().find(|(name, _)| *name == said).map(|(_, mark)| *mark);
    let against = match (bye, said.is_empty()) {
        (Some(mark), _) => Against::Bye(mark),
        (None, true) => Against::Nobody,
        (None, false) => Against::Team { opponent: line.counted(at, at + 2, TEAMS_MAX)?, colour },
    };
    if line.character(at + 4).is_some() && !matches!(against, Against::Team { .. }) {
        return Err(line.fault(at + 4, TrfFault::Colour));
    }
    let forfeited = match line.character(at + 10) {
        None => false,
        Some('f' | 'F') => true,
        Some(_) => return Err(line.fault(at + 10, TrfFault::Code)),
    };
    Ok(TeamRound { against, points: line.points(at + 6, at + 9)?, forfeited })
}

fn boards(line: &Line) -> Result<TeamBoards, TrfError> {
    for gap in [7, 13, 18, 23] {
        line.blank(gap, gap)?;
    }
    // The marks of the first round end with the first blank behind them.
    let marks =
        line.words(30).first().filter(|(column, _)| *column == 30).map_or(0, |(_, it)| it.chars().count());
    if marks == 0 && line.end() > 23 {
        return Err(line.fault(30, TrfFault::Missing));
    }
    let starts = (24..=line.end()).step_by(boards_width(marks));
    Ok(TeamBoards {
        number: line.counted(4, 6, TEAMS_MAX)?,
        nickname: line.text(8, 12),
        match_points: line.points(14, 17)?,
        game_points: line.points(19, 22)?,
        rounds: starts.map(|at| boards_of_round(line, at, marks)).collect::<Result<_, _>>()?,
    })
}

fn boards_of_round(line: &Line, at: usize, boards: usize) -> Result<BoardsOfRound, TrfError> {
    let seats_at = at + 7 + boards;
    for gap in [at + 3, at + 5, seats_at - 1, seats_at + boards] {
        line.blank(gap, gap)?;
    }
    let colour = side(line, at + 4)?;
    let against = line.number(at, at + 2, TEAMS_MAX)?.map(|opponent| (opponent, colour));
    if colour.is_some() && against.is_none() {
        return Err(line.fault(at + 4, TrfFault::Colour));
    }
    let mark = |column: usize| {
        let letter = line.character(column).ok_or_else(|| line.fault(column, TrfFault::Missing))?;
        BoardMark::named(&letter.to_string()).ok_or_else(|| line.fault(column, TrfFault::Code))
    };
    let seat = |column: usize| {
        let place = line.counted_from_zero(column, column)?;
        Ok(Some(place).filter(|it| *it != 0))
    };
    let said = !line.text(seats_at, seats_at + boards - 1).is_empty();
    let seats = (seats_at..seats_at + boards).filter(|_| said).map(seat);
    Ok(BoardsOfRound {
        against,
        marks: (at + 6..at + 6 + boards).map(mark).collect::<Result<_, _>>()?,
        seats: seats.collect::<Result<_, _>>()?,
    })
}

//! The records of players.

use super::side;
use crate::{
    Number,
    trf::{
        ByeMark, GameMark, National, PLAYERS_MAX, PlayerRecord, Report, Slot, TrfError, TrfFault,
        columns::Line,
    },
};

pub(super) fn player(report: &mut Report, line: &Line) -> Result<(), TrfError> {
    let fixed = national(line, "")?;
    line.blank(80, 80)?;
    let points = line.points(81, 84)?;
    line.blank(85, 85)?;
    let rank = line.number(86, 89, PLAYERS_MAX)?;
    line.blank(90, 91)?;
    let mut rounds = (92..=line.end())
        .step_by(10)
        .map(|at| slot(line, at, fixed.number))
        .collect::<Result<Vec<_>, _>>()?;
    while rounds.last() == Some(&Slot::Blank) {
        rounds.pop();
    }
    report.players.push(PlayerRecord {
        number: fixed.number,
        sex: fixed.sex,
        title: fixed.class,
        name: fixed.name,
        rating: fixed.rating,
        federation: fixed.origin,
        id: fixed.id,
        birth: fixed.birth,
        points,
        rank,
        rounds,
    });
    Ok(())
}

/// The columns that the records of players and those of federations have in common.
pub(super) fn national(line: &Line, federation: &str) -> Result<National, TrfError> {
    for gap in [4, 9, 14, 48, 53, 57, 69] {
        line.blank(gap, gap)?;
    }
    if !federation.is_empty() {
        line.ends_at(79)?;
    }
    let sex = line.character(10);
    if sex.is_some_and(|it| !it.is_ascii_alphabetic()) {
        return Err(line.fault(10, TrfFault::Code));
    }
    Ok(National {
        federation: federation.to_owned(),
        number: line.player(5, 8)?,
        sex,
        class: line.text(11, 13),
        name: line.text(15, 47),
        rating: line.number(49, 52, 9_999)?,
        origin: line.text(54, 56),
        id: line.text(58, 68),
        birth: line.text(70, 79),
    })
}

/// A round: opponent, colour and result in eight columns, and two more between rounds.
fn slot(line: &Line, at: usize, own: Number) -> Result<Slot, TrfError> {
    for gap in [at + 4, at + 6, at + 8, at + 9] {
        line.blank(gap, gap)?;
    }
    let said = line.number(at, at + 3, PLAYERS_MAX)?;
    let opponent = said.filter(|it| *it != 0).map(Number);
    let colour = side(line, at + 5)?;
    let mark = line.character(at + 7).map(|it| it.to_ascii_uppercase().to_string());
    let Some(opponent) = opponent else {
        if colour.is_some() {
            return Err(line.fault(at + 5, TrfFault::Colour));
        }
        let is_blank = said.is_none() && line.character(at + 5).is_none();
        return match mark {
            None if is_blank => Ok(Slot::Blank),
            None => Ok(Slot::Bye(ByeMark::Zero)),
            Some(mark) => without_opponent(line, at, &mark),
        };
    };
    if opponent == own {
        return Err(line.fault(at, TrfFault::Himself));
    }
    let Some(mark) = mark else {
        return Ok(Slot::Game { opponent, colour, result: None });
    };
    let Some(result) = GameMark::named(&mark) else {
        let is_bye = ByeMark::named(&mark).is_some();
        return Err(line.fault(at + 7, if is_bye { TrfFault::Opponent } else { TrfFault::Code }));
    };
    if colour.is_none() && !result.is_forfeit() {
        return Err(line.fault(at + 5, TrfFault::Colour));
    }
    Ok(Slot::Game { opponent, colour, result: Some(result) })
}

fn without_opponent(line: &Line, at: usize, mark: &str) -> Result<Slot, TrfError> {
    match GameMark::named(mark) {
        Some(GameMark::ForfeitWin) => Ok(Slot::Walkover { won: true }),
        Some(GameMark::ForfeitLoss) => Ok(Slot::Walkover { won: false }),
        // Half-point byes were written so before they had a letter.
        Some(GameMark::Draw) => Ok(Slot::Bye(ByeMark::Half)),
        Some(_) => Err(line.fault(at, TrfFault::Opponent)),
        None => ByeMark::named(mark).map(Slot::Bye).ok_or_else(|| line.fault(at + 7, TrfFault::Code)),
    }
}

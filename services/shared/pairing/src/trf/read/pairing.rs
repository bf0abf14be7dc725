//! The records about pairing, and those by which engines have extended TRF16.

use super::state;
use crate::{
    Number,
    trf::{
        Acceleration, AskedByes, ByeKind, OddKind, OddPoints, PLAYERS_MAX, PlayerAcceleration, PointCode,
        Prohibition, ROUNDS_MAX, Report, Side, Tenths, TimeControl, TrfError, TrfFault, columns::Line,
    },
};

/// Whether it is one of these records.
pub(super) fn record(report: &mut Report, line: &Line, tag: &str) -> Result<bool, TrfError> {
    line_gap(line, tag)?;
    match tag {
        "162" => point_system(report, line)?,
        "222" => {
            let code = line.rest()?;
            let control = TimeControl::parse(&code).ok_or_else(|| line.fault(5, TrfFault::TimeControl))?;
            state(line, &mut report.time_control, control)?;
        }
        "240" => report.byes.push(byes(line)?),
        "250" => report.accelerations.push(acceleration(line)?),
        "260" => report.prohibitions.push(prohibition(line)?),
        "299" => report.odd_points.push(odd_points(line)?),
        "XXA" => report.player_accelerations.push(player_acceleration(line)?),
        "XXC" => configuration(report, line)?,
        "XXP" => {
            let who = listed(line)?;
            if who.len() < 2 {
                return Err(line.fault(line.end() + 1, TrfFault::Missing));
            }
            report.prohibitions.push(Prohibition { rounds: None, who });
        }
        "XXS" => point_codes(report, line)?,
        "XXZ" => report.absent.extend(listed(line)?),
        _ => match PointCode::named(tag).filter(|it| it.is_record()) {
            Some(code) => report.point_codes.push((code, line.needed_points(5, usize::MAX)?)),
            None => return Ok(false),
        },
    }
    Ok(true)
}

/// The column behind the three characters of a record that is known here.
fn line_gap(line: &Line, tag: &str) -> Result<(), TrfError> {
    let known = ["162", "222", "240", "250", "260", "299"].contains(&tag) || tag.starts_with("XX");
    if known { line.blank(4, 4) } else { Ok(()) }
}

/// Letters in columns 6, 15, 24 and so on, with points in the four columns after each.
fn point_system(report: &mut Report, line: &Line) -> Result<(), TrfError> {
    line.blank(5, 5)?;
    for at in (6..=line.end()).step_by(9) {
        line.blank(at + 5, at + 8)?;
        let letter = line.character(at).ok_or_else(|| line.fault(at, TrfFault::Missing))?;
        let points = line.needed_points(at + 1, at + 4)?;
        let place = report.points.at_mut(letter.to_ascii_uppercase());
        let place = place.ok_or_else(|| line.fault(at, TrfFault::Code))?;
        if place.is_some_and(|it| it != points) {
            return Err(line.fault(at, TrfFault::Repeated));
        }
        *place = Some(points);
    }
    Ok(())
}

fn byes(line: &Line) -> Result<AskedByes, TrfError> {
    let kind = line.character(5).ok_or_else(|| line.fault(5, TrfFault::Missing))?;
    let kind = ByeKind::named(&kind.to_ascii_uppercase().to_string());
    let kind = kind.ok_or_else(|| line.fault(5, TrfFault::Code))?;
    line.blank(6, 6)?;
    line.blank(10, 10)?;
    Ok(AskedByes { kind, round: line.round(7, 9)?, who: line.players(11, 1)? })
}

fn acceleration(line: &Line) -> Result<Acceleration, TrfError> {
    for gap in [9, 14, 18, 22, 27] {
        line.blank(gap, gap)?;
    }
    line.ends_at(31)?;
    let rounds = (line.round(15, 17)?, line.round(19, 21)?);
    let who = (line.player(23, 26)?, line.player(28, 31)?);
    if rounds.0 > rounds.1 {
        return Err(line.fault(19, TrfFault::Range));
    }
    if who.0 > who.1 {
        return Err(line.fault(28, TrfFault::Range));
    }
    let (match_points, points) = (line.points(5, 8)?, line.points(10, 13)?);
    if match_points.or(points).is_none() {
        return Err(line.fault(10, TrfFault::Missing));
    }
    Ok(Acceleration { match_points, points, rounds, who })
}

fn prohibition(line: &Line) -> Result<Prohibition, TrfError> {
    line.blank(8, 8)?;
    line.blank(12, 12)?;
    let rounds = (line.round(5, 7)?, line.round(9, 11)?);
    if rounds.0 > rounds.1 {
        return Err(line.fault(9, TrfFault::Range));
    }
    Ok(Prohibition { rounds: Some(rounds), who: line.players(13, 2)? })
}

/// Points may have a sign in the column before their field.
fn odd_points(line: &Line) -> Result<OddPoints, TrfError> {
    for gap in [6, 12, 18, 19, 23] {
        line.blank(gap, gap)?;
    }
    let kind = match line.character(5) {
        None => None,
        Some(letter) => {
            let kind = OddKind::named(&letter.to_ascii_uppercase().to_string());
            Some(kind.ok_or_else(|| line.fault(5, TrfFault::Code))?)
        }
    };
    let round = line.number(20, 22, ROUNDS_MAX.into())?.filter(|it| *it != 0);
    Ok(OddPoints {
        kind,
        match_points: line.points(7, 11)?,
        points: line.points(13, 17)?,
        round: round.and_then(|it| u16::try_from(it).ok()),
        who: line.players(24, 1)?,
    })
}

/// A blank field is a round without virtual points.
fn player_acceleration(line: &Line) -> Result<PlayerAcceleration, TrfError> {
    line.blank(9, 9)?;
    let number = line.player(5, 8)?;
    let mut points = Vec::new();
    for at in (10..=line.end()).step_by(5) {
        line.blank(at + 4, at + 4)?;
        points.push(line.points(at, at + 3)?.unwrap_or(Tenths(0)));
    }
    Ok(PlayerAcceleration { number, points })
}

fn configuration(report: &mut Report, line: &Line) -> Result<(), TrfError> {
    for (column, word) in line.words(5) {
        match word.as_str() {
            "rank" => report.by_rank = true,
            "white1" => state(line, &mut report.initial_colour, Side::White)?,
            "black1" => state(line, &mut report.initial_colour, Side::Black)?,
            _ => return Err(line.fault(column, TrfFault::Code)),
        }
    }
    Ok(())
}

fn point_codes(report: &mut Report, line: &Line) -> Result<(), TrfError> {
    for (column, word) in line.words(5) {
        let (code, points) = word.split_once('=').ok_or_else(|| line.fault(column, TrfFault::Code))?;
        let code = PointCode::named(code).filter(|it| !it.is_record());
        let code = code.ok_or_else(|| line.fault(column, TrfFault::Code))?;
        let points = Tenths::parse(points).ok_or_else(|| line.fault(column, TrfFault::Points))?;
        report.point_codes.push((code, points));
    }
    Ok(())
}

/// Players as words.
fn listed(line: &Line) -> Result<Vec<Number>, TrfError> {
    let number = |(column, word): (usize, String)| {
        let is_number = word.bytes().all(|it| it.is_ascii_digit());
        let number = word.parse().ok().filter(|it| is_number && (1..=PLAYERS_MAX).contains(it));
        let fault = if is_number { TrfFault::Range } else { TrfFault::Number };
        number.map(Number).ok_or_else(|| line.fault(column, fault))
    };
    line.words(5).into_iter().map(number).collect()
}

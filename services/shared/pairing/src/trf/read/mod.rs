//! From bytes to a report.

mod informative;
mod pairing;
mod players;
mod teams;

use std::collections::BTreeSet;

use super::{
    FILE_BYTES_MAX, LINES_MAX, Report, Side, TrfError, TrfFault,
    columns::Line,
    header::{COUNT_MAX, COUNTS, TEXTS},
};

impl Report {
    /// Reads a file in either form; bytes from anywhere give a report or an error.
    ///
    /// ```
    /// use pairing::trf::{Report, TrfFault};
    /// let error = Report::read(b"012 Spring\n001    1 m    Wang, Wei                         15x0\n").unwrap_err();
    /// assert_eq!((error.line, error.column, error.fault), (2, 49, TrfFault::Number));
    /// assert_eq!(error.to_string(), "line 2, column 49: this is not a whole number");
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Report, TrfError> {
        let at = |line: usize, fault| TrfError { line: crate::count(line), column: 1, fault };
        if bytes.len() > FILE_BYTES_MAX {
            return Err(at(1, TrfFault::FileTooLarge));
        }
        let text = core::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
        let mut report = Report::default();
        let (mut last, mut numbers) = (0, BTreeSet::new());
        for (number, line) in (1..).zip(lines(text.strip_prefix('\u{feff}').unwrap_or(text))) {
            if number > LINES_MAX {
                return Err(at(number, TrfFault::TooManyLines));
            }
            let line = Line::new(crate::count(number), line)?;
            if line.end() > 0 {
                let before = report.players.len();
                record(&mut report, &line)?;
                if report.players[before..].iter().any(|it| !numbers.insert(it.number)) {
                    return Err(line.fault(5, TrfFault::Repeated));
                }
            }
            last = number;
        }
        if report.players.is_empty() { Err(at(last.max(1), TrfFault::NoPlayers)) } else { Ok(report) }
    }
}

/// Lines that end with CR, LF, or CR and LF; what is behind the last end counts where there is any of it.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(['\r', '\n']).unwrap_or(rest.len());
        let (line, behind) = rest.split_at(end);
        let ends = if behind.starts_with("\r\n") { 2 } else { behind.len().min(1) };
        rest = &behind[ends..];
        Some(line)
    })
}

/// Where the bytes stop being UTF-8.
fn not_utf8(bytes: &[u8], good: usize) -> TrfError {
    let text = core::str::from_utf8(&bytes[..good]).unwrap_or_default();
    let before = lines(text).count();
    let (line, column) = match lines(text).last() {
        Some(last) if !text.ends_with(['\r', '\n']) => (before, last.chars().count() + 1),
        _ => (before + 1, 1),
    };
    TrfError { line: crate::count(line), column: crate::count(column), fault: TrfFault::NotUtf8 }
}

fn record(report: &mut Report, line: &Line) -> Result<(), TrfError> {
    let tag = line.tag()?;
    if let Some((_, _, slot)) = TEXTS.iter().find(|it| it.0 == tag) {
        return state_text(line, slot(&mut report.header));
    }
    if let Some((_, _, slot)) = COUNTS.iter().find(|it| it.0 == tag) {
        line.blank(4, 4)?;
        return match line.number(5, usize::MAX, COUNT_MAX)? {
            None => Ok(()),
            Some(number) => state(line, slot(&mut report.header), number),
        };
    }
    match tag.as_str() {
        "###" => {}
        "001" => players::player(report, line)?,
        "112" => report.header.deputies.extend(Some(line.rest()?).filter(|it| !it.is_empty())),
        "132" => dates(report, line)?,
        "142" | "XXR" => {
            line.blank(4, 4)?;
            let rounds = line.round(5, usize::MAX)?;
            state(line, &mut report.rounds, rounds)?;
        }
        "152" => {
            line.blank(4, 4)?;
            let colour = side(line, 5)?.ok_or_else(|| line.fault(5, TrfFault::Missing))?;
            line.ends_at(5)?;
            state(line, &mut report.initial_colour, colour)?;
        }
        "013" | "300" | "310" | "320" | "330" | "352" | "362" => teams::record(report, line, &tag)?,
        "801" | "802" => informative::record(report, line, &tag),
        _ if pairing::record(report, line, &tag)? => {}
        other if is_federation(other) => report.national.push(players::national(line, other)?),
        _ => report.other.push(line.whole()),
    }
    Ok(())
}

/// Three capital letters that no engine has taken for itself.
fn is_federation(tag: &str) -> bool {
    tag.bytes().all(|it| it.is_ascii_uppercase()) && !tag.starts_with("XX") && !tag.starts_with("BB")
}

/// What a record says of something that may be said once, or more often in the same way.
fn state<T: PartialEq>(line: &Line, place: &mut Option<T>, said: T) -> Result<(), TrfError> {
    if place.as_ref().is_some_and(|it| *it != said) {
        return Err(line.fault(1, TrfFault::Repeated));
    }
    *place = Some(said);
    Ok(())
}

fn state_text(line: &Line, place: &mut String) -> Result<(), TrfError> {
    let said = line.rest()?;
    if said.is_empty() {
        return Ok(());
    }
    if !place.is_empty() && *place != said {
        return Err(line.fault(1, TrfFault::Repeated));
    }
    *place = said;
    Ok(())
}

/// Eight columns for a date and two between them, which dates with the whole year take too.
fn dates(report: &mut Report, line: &Line) -> Result<(), TrfError> {
    line.blank(4, 91)?;
    let mut dates: Vec<String> = (92..=line.end()).step_by(10).map(|at| line.text(at, at + 9)).collect();
    while dates.last().is_some_and(String::is_empty) {
        dates.pop();
    }
    if !report.header.dates.is_empty() && report.header.dates != dates {
        return Err(line.fault(1, TrfFault::Repeated));
    }
    report.header.dates = dates;
    Ok(())
}

/// A colour in either case; none where there is none, or a dash.
fn side(line: &Line, column: usize) -> Result<Option<Side>, TrfError> {
    match line.character(column) {
        None | Some('-') => Ok(None),
        Some('w' | 'W') => Ok(Some(Side::White)),
        Some('b' | 'B') => Ok(Some(Side::Black)),
        Some(_) => Err(line.fault(column, TrfFault::Code)),
    }
}

//! Policies as bytes.

use super::{
    BadBytes,
    wire::{Reader, Writer},
};
use crate::{Elo, Expectation, First, Glicko2, KRule, Policy, Start, System};

/// The tags of what has several forms. None is ever used anew.
const ELO: u8 = 1;
const GLICKO_2: u8 = 2;
const TABLE: u8 = 1;
const LOGISTIC: u8 = 2;
const START: u8 = 1;
const PERFORMANCE: u8 = 2;

pub(super) fn write(out: &mut Writer, policy: &Policy) {
    out.put(&policy.listed_from);
    match &policy.system {
        System::Elo(elo) => {
            out.put(&ELO);
            write_elo(out, elo);
        }
        System::Glicko2(glicko) => {
            out.put(&GLICKO_2);
            let Glicko2 { start, deviation, volatility, imported_deviation, period_days, provisional_above } =
                glicko;
            write_start(out, start);
            out.put(deviation);
            out.put(volatility);
            out.put(imported_deviation);
            out.put(period_days);
            out.put(provisional_above);
        }
    }
}

pub(super) fn read(reader: &mut Reader<'_>) -> Result<Policy, BadBytes> {
    let listed_from = reader.take()?;
    let system = match reader.take::<u8>()? {
        ELO => System::Elo(read_elo(reader)?),
        GLICKO_2 => System::Glicko2(Glicko2 {
            start: read_start(reader)?,
            deviation: reader.take()?,
            volatility: reader.take()?,
            imported_deviation: reader.take()?,
            period_days: reader.take()?,
            provisional_above: reader.take()?,
        }),
        _ => return Err(BadBytes("of a system that is not known here")),
    };
    Ok(Policy { system, listed_from })
}

fn write_elo(out: &mut Writer, elo: &Elo) {
    out.put(match elo.expectation {
        Expectation::Table => &TABLE,
        Expectation::Logistic => &LOGISTIC,
    });
    out.put(&elo.difference_max);
    out.rows(&elo.k, |out, rule| {
        out.put(&rule.games_below);
        out.put(&rule.rating_below);
        out.put(&rule.grade_from);
        out.put(&rule.grade_below);
        out.put(&rule.k);
    });
    out.put(&elo.k_otherwise);
    out.put(&elo.k_times_games_max);
    match &elo.first {
        First::Start(start) => {
            out.put(&START);
            write_start(out, start);
        }
        First::Performance { games, drawn, max } => {
            out.put(&PERFORMANCE);
            out.put(games);
            out.put(drawn);
            out.put(max);
        }
    }
    out.put(&elo.floor);
    out.put(&elo.whole_points);
    out.put(&elo.provisional_below);
}

fn read_elo(reader: &mut Reader<'_>) -> Result<Elo, BadBytes> {
    Ok(Elo {
        expectation: match reader.take::<u8>()? {
            TABLE => Expectation::Table,
            LOGISTIC => Expectation::Logistic,
            _ => return Err(BadBytes("of an expectation that is not known here")),
        },
        difference_max: reader.take()?,
        k: reader.rows(|reader| {
            Ok(KRule {
                games_below: reader.take()?,
                rating_below: reader.take()?,
                grade_from: reader.take()?,
                grade_below: reader.take()?,
                k: reader.take()?,
            })
        })?,
        k_otherwise: reader.take()?,
        k_times_games_max: reader.take()?,
        first: match reader.take::<u8>()? {
            START => First::Start(read_start(reader)?),
            PERFORMANCE => {
                First::Performance { games: reader.take()?, drawn: reader.take()?, max: reader.take()? }
            }
            _ => return Err(BadBytes("of a first rating that is not known here")),
        },
        floor: reader.take()?,
        whole_points: reader.take()?,
        provisional_below: reader.take()?,
    })
}

fn write_start(out: &mut Writer, start: &Start) {
    out.rows(&start.by_grade, Writer::put);
    out.put(&start.otherwise);
}

fn read_start(reader: &mut Reader<'_>) -> Result<Start, BadBytes> {
    Ok(Start { by_grade: reader.rows(Reader::take)?, otherwise: reader.take()? })
}

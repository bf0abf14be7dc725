//! Rating systems between protos and `strength`.

use api::{federation::v1 as pb, reason};
use strength::{Elo, Expectation, First, Glicko2, KRule, Start, System};

/// A field that says what it cannot.
pub(super) fn bad(field: &str, detail: &str) -> api::Error {
    api::Error::invalid(reason::BAD_RATING_POLICY, &format!("policy.{field}"), detail)
}

/// A number that is within what is reckoned with. Its range is looked at later.
pub(super) fn small<T: TryFrom<u32>>(asked: u32, field: &str) -> Result<T, api::Error> {
    T::try_from(asked).map_err(|_| bad(field, "too large"))
}

/// The system of a request; Elo as FIDE reckons it if none is said.
pub(super) fn read(asked: Option<&pb::RatingSystem>) -> Result<System, api::Error> {
    match asked.and_then(|it| it.system.as_ref()) {
        None => Ok(System::Elo(Elo::default())),
        Some(pb::rating_system::System::Elo(elo)) => Ok(System::Elo(read_elo(elo)?)),
        Some(pb::rating_system::System::Glicko2(glicko)) => Ok(System::Glicko2(read_glicko2(glicko)?)),
    }
}

/// A system as it is told.
pub(super) fn told(system: &System) -> Option<pb::RatingSystem> {
    let system = match system {
        System::Elo(elo) => pb::rating_system::System::Elo(told_elo(elo)),
        System::Glicko2(glicko) => pb::rating_system::System::Glicko2(told_glicko2(glicko)),
        // A system that is not told is none that this release makes lists by.
        _ => return None,
    };
    Some(pb::RatingSystem { system: Some(system) })
}

fn read_elo(asked: &pb::EloSystem) -> Result<Elo, api::Error> {
    let expectation = match asked.expectation() {
        pb::EloExpectation::Unspecified | pb::EloExpectation::Table => Expectation::Table,
        pb::EloExpectation::Logistic => Expectation::Logistic,
    };
    let rule = |rule: &pb::KRule| {
        Ok(KRule {
            games_below: rule.games_below,
            rating_below: rule.rating_below,
            grade_from: rule.grade_from,
            grade_below: rule.grade_below,
            k: small(rule.k, "system.elo.k_rules.k")?,
        })
    };
    Ok(Elo {
        expectation,
        difference_max: asked
            .difference_max
            .map(|most| small(most, "system.elo.difference_max"))
            .transpose()?,
        k: asked.k_rules.iter().map(rule).collect::<Result<_, api::Error>>()?,
        k_otherwise: small(asked.k, "system.elo.k")?,
        k_times_games_max: asked.k_times_games_max,
        first: read_first(asked.first.as_ref())?,
        floor: asked.floor,
        whole_points: asked.whole_points,
        provisional_below: asked.provisional_below_games,
    })
}

fn told_elo(elo: &Elo) -> pb::EloSystem {
    let expectation = match elo.expectation {
        Expectation::Table => pb::EloExpectation::Table,
        Expectation::Logistic => pb::EloExpectation::Logistic,
    };
    let rule = |rule: &KRule| pb::KRule {
        games_below: rule.games_below,
        rating_below: rule.rating_below,
        grade_from: rule.grade_from,
        grade_below: rule.grade_below,
        k: rule.k.into(),
    };
    pb::EloSystem {
        expectation: expectation.into(),
        difference_max: elo.difference_max.map(u32::from),
        k_rules: elo.k.iter().map(rule).collect(),
        k: elo.k_otherwise.into(),
        k_times_games_max: elo.k_times_games_max,
        first: Some(told_first(&elo.first)),
        floor: elo.floor,
        whole_points: elo.whole_points,
        provisional_below_games: elo.provisional_below,
    }
}

fn read_first(asked: Option<&pb::FirstRating>) -> Result<First, api::Error> {
    Ok(match asked.and_then(|it| it.first.as_ref()) {
        None => Elo::default().first,
        Some(pb::first_rating::First::Start(start)) => First::Start(read_start(start)),
        Some(pb::first_rating::First::Performance(asked)) => First::Performance {
            games: asked.games,
            drawn: match asked.drawn_count {
                0 => None,
                count => {
                    Some((asked.drawn_rating, small(count, "system.elo.first.performance.drawn_count")?))
                }
            },
            max: asked.max,
        },
    })
}

fn told_first(first: &First) -> pb::FirstRating {
    let first = match first {
        First::Start(start) => pb::first_rating::First::Start(told_start(start)),
        First::Performance { games, drawn, max } => {
            let (drawn_rating, drawn_count) = drawn.unwrap_or_default();
            pb::first_rating::First::Performance(pb::PerformanceRating {
                games: *games,
                drawn_count: drawn_count.into(),
                drawn_rating,
                max: *max,
            })
        }
    };
    pb::FirstRating { first: Some(first) }
}

fn read_start(asked: &pb::StartRating) -> Start {
    let by_grade = asked.by_grade.iter().map(|row| (row.grade, row.rating)).collect();
    Start { by_grade, otherwise: asked.otherwise }
}

fn told_start(start: &Start) -> pb::StartRating {
    let row = |(grade, rating): &(i32, i32)| pb::GradeRating { grade: *grade, rating: *rating };
    pb::StartRating { by_grade: start.by_grade.iter().map(row).collect(), otherwise: start.otherwise }
}

fn read_glicko2(asked: &pb::Glicko2System) -> Result<Glicko2, api::Error> {
    let usual = Glicko2::default();
    let or = |asked: u32, usual: u32| if asked == 0 { usual } else { asked };
    Ok(Glicko2 {
        start: asked.start.as_ref().map_or(usual.start, read_start),
        deviation: or(asked.deviation, usual.deviation),
        volatility: or(asked.volatility, usual.volatility),
        imported_deviation: or(asked.imported_deviation, usual.imported_deviation),
        period_days: small(or(asked.period_days, usual.period_days.into()), "system.glicko2.period_days")?,
        provisional_above: or(asked.provisional_above, usual.provisional_above),
    })
}

fn told_glicko2(glicko: &Glicko2) -> pb::Glicko2System {
    pb::Glicko2System {
        start: Some(told_start(&glicko.start)),
        deviation: glicko.deviation,
        volatility: glicko.volatility,
        imported_deviation: glicko.imported_deviation,
        period_days: glicko.period_days.into(),
        provisional_above: glicko.provisional_above,
    }
}

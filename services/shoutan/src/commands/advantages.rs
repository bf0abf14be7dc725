//! `shoutan advantages`: what the first move and handicap stones are worth.

use std::io::{self, Write};

use anyhow::{Context as _, anyhow, bail};
use chassis::Env;
use rating::{
    admin::{Found, NotSet, Worths},
    core::{
        advantage::{Advantage, Edition, FIRST_MOVE_RANGE, STONE_RANGE},
        category::Variant,
        estimate::Worth,
    },
};
use time::OffsetDateTime;

use super::{
    doctor::progress,
    event::moment,
    zone::{Zone, ZoneArg},
};
use crate::{data::DataArgs, platform::Service};

/// How many games must say something before it is adopted: a worth is then known to some ten points.
const GAMES_MIN: u64 = 1_000;

/// Looks after what the first move and handicap stones are worth in ratings, beside the data of the platform.
///
/// Ratings expect the first side of an even game to be stronger by the worth of the first move, and with a handicap of n by that of
/// n - 1/2 stones. What is said holds for the games that end from its moment on, also when they are rated anew; nothing that was
/// said is ever changed.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Lists what was said, by variant and moment.
    List(List),
    /// Estimates it from the rated games of settled players, with one standard deviation; and says, if so asked, that it holds.
    Estimate(Box<Estimate>),
    /// Says what holds from a moment on, such as what another platform has found.
    Set(Box<Set>),
}

/// Where, and how moments are shown.
#[derive(Debug, clap::Args)]
pub(crate) struct List {
    #[command(flatten)]
    zone: ZoneArg,
    #[command(flatten)]
    data: DataArgs,
}

/// Of what to estimate it.
#[derive(Debug, clap::Args)]
pub(crate) struct Estimate {
    /// The variant, with the board behind it where that is rated apart, such as go-9; all when it is not said.
    #[arg(value_parser = variant)]
    variant: Option<Variant>,
    /// Has what at least 1000 games say hold from then on, an hour ahead at least, such as 2026-12-01T00:00:00+08:00. What fewer
    /// say stays as it is.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    adopt_from: Option<OffsetDateTime>,
    #[command(flatten)]
    data: DataArgs,
}

/// What holds.
#[derive(Debug, clap::Args)]
pub(crate) struct Set {
    /// The variant, with the board behind it where that is rated apart, such as go-9.
    #[arg(value_parser = variant)]
    variant: Variant,
    /// What the first move of an even game is worth, from -500 to 500.
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    first_move: f64,
    /// What a handicap stone is worth, from 0 to 500.
    #[arg(long, value_name = "POINTS")]
    stone: f64,
    /// From when on, an hour ahead at least, such as 2026-12-01T00:00:00+08:00.
    #[arg(long = "from", value_name = "TIME", value_parser = moment)]
    from: OffsetDateTime,
    #[command(flatten)]
    data: DataArgs,
}

/// Where the rating service keeps its games.
async fn open(data: &DataArgs) -> anyhow::Result<Worths> {
    let database = data.open_beside(Service::Rating).await?;
    Ok(Worths::open(&database, &Env::system()).await?)
}

/// Carries the command out.
pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::List(list) => {
            let said = open(&list.data).await?.said().await?;
            let (zone, mut out) = (list.zone.get(), io::stdout().lock());
            if said.is_empty() {
                writeln!(
                    out,
                    "nothing was said: the first move is worth 0, a stone {:.0}",
                    Advantage::INITIAL.stone()
                )?;
            }
            for edition in said {
                writeln!(out, "{}", line(&edition, &zone))?;
            }
        }
        Command::Estimate(estimate) => estimate.run().await?,
        Command::Set(set) => {
            let [first_move, stone] =
                [FIRST_MOVE_RANGE, STONE_RANGE].map(|range| format!("{} to {}", range.start(), range.end()));
            let advantage = Advantage::new(set.first_move, set.stone)
                .with_context(|| format!("the first move is worth {first_move} points, a stone {stone}"))?;
            let edition = Edition { variant: set.variant, from: set.from, advantage, games: 0 };
            say_it(&open(&set.data).await?, &edition).await?;
            writeln!(io::stdout().lock(), "{}", line(&edition, &Zone::here()))?;
        }
    }
    Ok(())
}

async fn say_it(worths: &Worths, edition: &Edition) -> anyhow::Result<()> {
    worths.set(edition).await.map_err(|error| match error {
        NotSet::TooSoon(moment) => {
            let moment = Zone::here().told(moment);
            anyhow!("it can hold from {moment} on at the earliest: games that end before are rated already, or about to be")
        }
        NotSet::Said => {
            anyhow!("something is said to hold from that moment already, and nothing that was said is changed")
        }
        NotSet::Store(error) => error.into(),
    })
}

impl Estimate {
    async fn run(&self) -> anyhow::Result<()> {
        let worths = open(&self.data).await?;
        let bar = progress(worths.games(self.variant.as_ref()).await?);
        let found = worths.estimate(self.variant.as_ref(), |games| bar.inc(games)).await?;
        bar.finish_and_clear();
        if found.is_empty() {
            bail!("no game was rated yet");
        }
        for found in &found {
            writeln!(io::stdout().lock(), "{}", found_line(found))?;
            if let Some(from) = self.adopt_from {
                self.adopt(&worths, found, from).await?;
            }
        }
        Ok(())
    }

    async fn adopt(&self, worths: &Worths, found: &Found, from: OffsetDateTime) -> anyhow::Result<()> {
        let Found { variant, estimate, holds } = found;
        let advantage = estimate.advantage(GAMES_MIN, *holds);
        if advantage == *holds {
            return Ok(writeln!(
                io::stdout().lock(),
                "{variant}  stays as it is: fewer than {GAMES_MIN} games say otherwise"
            )?);
        }
        let games = estimate.first_move.games + estimate.stone.games;
        let edition = Edition { variant: variant.clone(), from, advantage, games };
        say_it(worths, &edition).await.with_context(|| variant.to_string())?;
        Ok(writeln!(io::stdout().lock(), "{}", line(&edition, &Zone::here()))?)
    }
}

/// `go  first move 12.3  stone 66.0  from 2026-12-01 00:00:00 +08:00  by 5120 games`.
fn line(edition: &Edition, zone: &Zone) -> String {
    let Edition { variant, from, advantage, games } = edition;
    let by = if *games == 0 { "set by hand".to_owned() } else { format!("by {games} games") };
    format!(
        "{variant}  first move {:.1}  stone {:.1}  from {}  {by}",
        advantage.first_move(),
        advantage.stone(),
        zone.told(*from)
    )
}

/// `go  first move 12.3 ± 4.5 (5000 games, now 0.0)  stone 70.1 ± 9.0 (120 games, now 66.0)`.
fn found_line(Found { variant, estimate, holds }: &Found) -> String {
    let worth = |worth: &Worth, now: f64| {
        format!("{:.1} ± {:.1} ({} games, now {now:.1})", worth.points, worth.deviation, worth.games)
    };
    format!(
        "{variant}  first move {}  stone {}",
        worth(&estimate.first_move, holds.first_move()),
        worth(&estimate.stone, holds.stone())
    )
}

/// A variant as it is rated.
pub(super) fn variant(name: &str) -> Result<Variant, String> {
    let known = Variant::parse(name).filter(|variant| rules::variant(variant.base()).is_some());
    known.ok_or_else(|| format!("there is no variant {name}"))
}

#[cfg(test)]
mod tests {
    use rating::core::estimate;

    use super::*;

    #[test]
    fn a_variant_is_one_that_is_played() {
        for name in ["go", "go-9", "jiu", "tianyi"] {
            assert!(variant(name).is_ok(), "{name}");
        }
        assert!(["halma", "Go", ""].iter().all(|name| variant(name).is_err()));
    }

    #[test]
    fn worths_are_told_with_what_they_rest_on() {
        let worth = |points, deviation, games| Worth { points, deviation, games };
        let found = Found {
            variant: variant("go-9").expect("a name"),
            estimate: estimate::Estimate {
                first_move: worth(-12.34, 4.56, 5_000),
                stone: worth(70.0, 9.0, 120),
            },
            holds: Advantage::INITIAL,
        };
        assert_eq!(
            found_line(&found),
            "go-9  first move -12.3 ± 4.6 (5000 games, now 0.0)  stone 70.0 ± 9.0 (120 games, now 66.0)"
        );
        let edition = Edition {
            variant: found.variant,
            from: OffsetDateTime::UNIX_EPOCH,
            advantage: found.estimate.advantage(GAMES_MIN, found.holds),
            games: 0,
        };
        let told = line(&edition, &Zone::find("UTC").expect("a zone"));
        assert_eq!(told, "go-9  first move -12.3  stone 66.0  from 1970-01-01 00:00:00 +00:00  set by hand");
    }
}

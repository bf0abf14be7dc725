//! `shoutan scrutiny`: who loses on purpose, by what results say.

use std::time::Duration;

use api::clock::v1::SpeedClass;
use chassis::{Env, id::GameId};
use rating::{
    admin::{Finding, Reported, Scrutiny, Suspicion, Worths},
    core::category::Variant,
};
use serde_json::json;

use super::{
    advantages::variant,
    doctor::progress,
    print::{self, Record},
    speed,
};
use crate::{data::DataArgs, platform::Service};

/// Reports who may lose on purpose, or lets others win, by what rated games say of him, beside the data of the platform.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The variant, with the board behind it where that is rated apart, such as go-9; all when it is not said.
    #[arg(value_parser = variant)]
    variant: Option<Variant>,
    /// Of the games of how many days.
    #[arg(long, default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=3_650))]
    days: u32,
    /// Also the ids of the games that each report rests on.
    #[arg(long)]
    games: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataArgs,
}

impl Args {
    /// Whether a script reads what is printed.
    pub(crate) const fn prints_json(&self) -> bool {
        self.json
    }
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let database = args.data.open_beside(Service::Rating).await?;
    let (env, scrutiny) = (Env::system(), Scrutiny::open(&database).await?);
    let since = env.now() - Duration::from_hours(24 * u64::from(args.days));
    let games = Worths::open(&database, &env).await?.games(args.variant.as_ref()).await?;
    let bar = progress(games);
    let reported = scrutiny.reported(args.variant.as_ref(), since, |games| bar.inc(games)).await?;
    bar.finish_and_clear();
    let with_games = args.games || args.json;
    let records: Vec<Record> = reported.iter().flat_map(|it| records(it, with_games)).collect();
    print::list(args.json, &records)
}

/// What is reported of somebody: a record for each suspicion.
fn records(it: &Reported, with_games: bool) -> impl Iterator<Item = Record> {
    let (scored, expected) = it.scrutinised.others;
    it.evidence.iter().map(move |(finding, games)| {
        let Finding { suspicion, score, .. } = finding;
        let mut record: Record = vec![
            ("name", json!(it.name)),
            ("variant", json!(it.category.variant.as_str())),
            ("speed", json!(speed::told(SpeedClass::from(it.category.speed).into()))),
            ("suspicion", json!(told(*suspicion))),
            ("score", json!(format!("{score:.1} of {:.1}", suspicion.limit()))),
            ("games", json!(it.scrutinised.games)),
            ("given_up", json!(it.scrutinised.lost_early)),
            ("others", json!(format!("{scored:.1} of {expected:.1} expected"))),
            ("account", json!(it.account.to_string())),
        ];
        if with_games {
            let games: Vec<String> = games.iter().map(GameId::to_string).collect();
            record.push(("evidence", json!(games.join(" "))));
        }
        record
    })
}

const fn told(suspicion: Suspicion) -> &'static str {
    match suspicion {
        Suspicion::Alone => "alone",
        Suspicion::Streaks => "streaks",
        Suspicion::Company => "company",
    }
}

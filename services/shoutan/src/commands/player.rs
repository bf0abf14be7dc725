//! `shoutan player`: how strong players are, and how that has moved.

use std::time::Duration;

use api::{
    clock::v1::SpeedClass,
    rating::v1::{
        GetGraphRequest, GetHeadToHeadRequest, GetPolicyRequest, GraphPoint, HeadToHead, HistoryRating,
        ListLeadersRequest, ListPeriodsRequest, ListRatingsRequest, Period, PolicyRule, Rating,
        rating_service_client::RatingServiceClient,
    },
    transport::Transport,
};
use clap::Subcommand;
use serde_json::{Value, json};

use super::{
    print::{self, Record},
    session::{Session, Who, all, ask},
    speed::{self, Speed},
    variants,
};

/// Shows ratings of players: where they stand, who leads, how they moved, and what two came to.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    who: Who,
}

impl Args {
    /// Whether a script reads what is printed.
    pub(crate) const fn prints_json(&self) -> bool {
        self.who.json
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Shows all ratings of a player, with his rank and an estimate of his grade.
    Show {
        /// Its name or its id.
        account: String,
    },
    /// Lists the players with the highest ratings.
    Leaders {
        #[command(flatten)]
        category: Category,
        /// Those whose ratings are provisional instead.
        #[arg(long)]
        provisional: bool,
        /// How many.
        #[arg(long, value_name = "NUMBER", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=200))]
        first: u32,
        /// As they stood at the end of a month, such as 2026-11; now when it is not said.
        #[arg(long, value_name = "MONTH", conflicts_with = "provisional")]
        period: Option<String>,
        /// Among the members of a federation, of which one must be a member with an account or an official (--as); its id.
        #[arg(long, value_name = "FEDERATION")]
        federation: Option<String>,
    },
    /// Lists the months of which leaderboards were kept, newest first.
    Periods {
        #[command(flatten)]
        category: Category,
        /// Of the members of a federation, of which one must be a member with an account or an official (--as); its id.
        #[arg(long, value_name = "FEDERATION")]
        federation: Option<String>,
    },
    /// Draws how a rating moved.
    Graph {
        /// Its name or its id.
        account: String,
        #[command(flatten)]
        category: Category,
        /// Over how many days until now; since the first game when absent.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=36_500))]
        days: Option<u32>,
    },
    /// Counts what the rated games of two players came to.
    Compare {
        /// Its name or its id.
        account: String,
        /// The other's.
        opponent: String,
    },
    /// Says what is rated, and how.
    Policy,
}

/// What is rated by itself.
#[derive(Debug, clap::Args)]
struct Category {
    #[arg(long, help = variants::help("The variant, with its board if that is a smaller one, as go-9"))]
    variant: String,
    /// How fast the games are.
    #[arg(long, value_enum)]
    speed: Speed,
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let session = Session::open(&args.who).await?;
    let done = carry_out(&session, args.command).await;
    session.close().await;
    done
}

async fn carry_out(session: &Session, command: Command) -> anyhow::Result<()> {
    let client: RatingServiceClient<Transport> = RatingServiceClient::new(session.transport());
    match command {
        Command::Show { account } => {
            let account_id = session.account(&account).await?;
            let shown = ask!(client, list_ratings, ListRatingsRequest { account_id })?;
            print::list(session.json, &shown.ratings.iter().map(rating).collect::<Vec<_>>())
        }
        Command::Leaders {
            category: Category { variant, speed },
            provisional,
            first,
            period,
            federation,
        } => {
            let request = ListLeadersRequest {
                variant,
                speed_class: SpeedClass::from(speed).into(),
                page_size: first,
                provisional,
                period: period.unwrap_or_default(),
                federation_id: federation.unwrap_or_default(),
                ..Default::default()
            };
            let shown = ask!(client, list_leaders, request)?;
            print::list(session.json, &shown.leaders.iter().map(leader).collect::<Vec<_>>())
        }
        Command::Periods { category: Category { variant, speed }, federation } => {
            let speed_class = SpeedClass::from(speed).into();
            let federation_id = federation.unwrap_or_default();
            let request = ListPeriodsRequest { variant, speed_class, federation_id, ..Default::default() };
            let periods = all!(client.clone(), list_periods, request, periods);
            let kept = |it: &Period| {
                vec![
                    ("period", json!(it.period)),
                    ("ranked", json!(it.ranked)),
                    ("kept", session.time(it.keep_time.as_ref())),
                ]
            };
            print::list(session.json, &periods.iter().map(kept).collect::<Vec<_>>())
        }
        Command::Graph { account, category: Category { variant, speed }, days } => {
            let start = days.map(|days| {
                let span = Duration::from_hours(24 * u64::from(days));
                api::time::timestamp(session.server().now() - span)
            });
            let request = GetGraphRequest {
                account_id: session.account(&account).await?,
                variant,
                speed_class: SpeedClass::from(speed).into(),
                start_time: start,
                steps: STEPS,
                ..Default::default()
            };
            let graph = ask!(client, get_graph, request)?;
            let point = |it: &GraphPoint| point(it, session.time(it.time.as_ref()), &graph.points);
            print::list(session.json, &graph.points.iter().map(point).collect::<Vec<_>>())
        }
        Command::Policy => {
            let policy = ask!(client, get_policy, GetPolicyRequest {})?;
            print::list(session.json, &policy.rules.iter().map(rule).collect::<Vec<_>>())
        }
        Command::Compare { account, opponent } => {
            let (account_id, opponent_id) =
                (session.account(&account).await?, session.account(&opponent).await?);
            let shown = ask!(client, get_head_to_head, GetHeadToHeadRequest { account_id, opponent_id })?;
            let record = |it: &HeadToHead| record(it, session.time(it.last_time.as_ref()));
            print::list(session.json, &shown.records.iter().map(record).collect::<Vec<_>>())
        }
    }
}

/// A rule of what is rated.
fn rule(it: &PolicyRule) -> Record {
    // Without what all cases begin with.
    let case = it.case().as_str_name().splitn(3, '_').last().unwrap_or_default().to_lowercase();
    vec![("case", json!(case)), ("rated", json!(it.rated)), ("how", json!(it.text))]
}

/// The steps of a graph: lines of a screen.
const STEPS: u32 = 40;
/// The longest bar of a graph.
const BAR: f64 = 40.0;

/// A rating of a player.
fn rating(it: &Rating) -> Record {
    let mut record: Record =
        vec![("variant", json!(it.variant)), ("speed", json!(speed::told(it.speed_class)))];
    record.extend(standing(it));
    record
}

/// A player of a leaderboard.
fn leader(it: &Rating) -> Record {
    let mut record: Record = vec![("name", json!(it.name))];
    record.extend(standing(it));
    record.push(("account", json!(it.account_id)));
    record
}

fn standing(it: &Rating) -> Record {
    let standing = it.standing.unwrap_or_default();
    let rank =
        if standing.rank == 0 { String::new() } else { format!("{} of {}", standing.rank, standing.ranked) };
    let percentile = if standing.rank == 0 { String::new() } else { format!("{:.1}", standing.percentile) };
    vec![
        ("rating", json!(rounded(it.rating))),
        ("deviation", json!(rounded(it.deviation))),
        ("provisional", json!(it.provisional)),
        ("rank", json!(rank)),
        ("percentile", json!(percentile)),
        ("about", json!(it.estimated_grade.map(grade).unwrap_or_default())),
        ("by_all_games", json!(it.by_history.map(by_all_games).unwrap_or_default())),
        ("games", json!(it.games)),
    ]
}

/// Where somebody stands by all games of a small pool: `1662 ± 80, 3 kyu`.
fn by_all_games(it: HistoryRating) -> String {
    let about = it.grade.map(|it| format!(", {}", grade(it))).unwrap_or_default();
    format!("{} ± {}{about}", rounded(it.rating), rounded(it.deviation))
}

/// A grade as it is told: `3 dan`, `1 kyu`.
fn grade(grade: i32) -> String {
    if grade > 0 { format!("{grade} dan") } else { format!("{} kyu", 1 - grade) }
}

fn rounded(points: f64) -> String {
    format!("{points:.0}")
}

/// A point of a graph, with a bar as long as it is high among all.
fn point(it: &GraphPoint, time: Value, all: &[GraphPoint]) -> Record {
    let ratings = || all.iter().map(|point| point.rating);
    let (lowest, highest) = (ratings().fold(f64::MAX, f64::min), ratings().fold(f64::MIN, f64::max));
    let share = (it.rating - lowest) / (highest - lowest).max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 1 and 41")]
    let length = 1 + (share * BAR) as usize;
    vec![
        ("time", time),
        ("rating", json!(rounded(it.rating))),
        ("deviation", json!(rounded(it.deviation))),
        ("games", json!(it.games)),
        ("height", json!("#".repeat(length))),
    ]
}

/// What two came to.
fn record(it: &HeadToHead, last: Value) -> Record {
    vec![
        ("variant", json!(it.variant)),
        ("speed", json!(speed::told(it.speed_class))),
        ("won", json!(it.wins)),
        ("lost", json!(it.losses)),
        ("drawn", json!(it.draws)),
        ("last", last),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_are_told_as_players_tell_them() {
        assert_eq!([3, 1, 0, -19].map(grade), ["3 dan", "1 dan", "1 kyu", "20 kyu"]);
    }

    #[test]
    fn the_highest_point_has_the_longest_bar() {
        let points = [1480.0, 1520.0, 1500.0].map(|rating| GraphPoint { rating, ..GraphPoint::default() });
        let bar = |it| print::object(&point(it, json!(""), &points))["height"].as_str().map_or(0, str::len);
        assert_eq!([bar(&points[0]), bar(&points[1]), bar(&points[2])], [1, 41, 21]);
        let level = [GraphPoint { rating: 1500.0, ..GraphPoint::default() }];
        assert_eq!(print::object(&point(&level[0], json!(""), &level))["height"], json!("#"));
    }

    #[test]
    fn a_rating_by_all_games_is_told_with_how_sure_it_is() {
        let of =
            |grade| by_all_games(HistoryRating { rating: 1661.6, deviation: 79.9, grade, read_time: None });
        assert_eq!((of(Some(-2)).as_str(), of(None).as_str()), ("1662 ± 80, 3 kyu", "1662 ± 80"));
    }

    #[test]
    fn who_is_provisional_has_no_rank() {
        let printed =
            print::object(&rating(&Rating { provisional: true, rating: 1662.4, ..Rating::default() }));
        assert_eq!((&printed["rank"], &printed["rating"]), (&json!(""), &json!("1662")));
    }
}

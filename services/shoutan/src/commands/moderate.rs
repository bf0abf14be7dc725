//! `shoutan moderate`: what moderators of the platform see and do.

use std::time::Duration;

use api::{
    board::v1::{Side, Verdict},
    matchmaking::v1::{
        EndPausesRequest, ListPauseActsRequest, ListPausesOfRequest, PauseAccountRequest, PauseAct,
        pause_service_client::PauseServiceClient,
    },
    rating::v1::{
        AnnulGamesRequest, Finding, GetReportRequest, ListActsRequest, ListReportsRequest, ModerationAct,
        ReinstateGamesRequest, Report, SettleReportRequest, SuspectGame,
        moderation_service_client::ModerationServiceClient,
    },
    transport::Transport,
};
use clap::Subcommand;
use prost_types::Timestamp;
use serde_json::{Value, json};

use super::{
    pauses,
    print::{self, Record},
    session::{Session, Who, all, ask, first},
    speed,
};

/// Games that are annulled, or count again, in one call.
const GAMES_MAX: usize = 128;
/// Acts that are shown when nobody says how many.
const ACTS: usize = 50;

/// Shows moderators of the platform reports of how people play, and has them do something about it.
///
/// `shoutan roles grant NAME moderator --platform` makes somebody one. What moderators do is written down with its reason, for all of
/// them to read; arbiters see the reports with games of their event, and decide nothing.
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
    /// Lists reports of who may lose on purpose, or lets others win, those found last first.
    ///
    /// Every day the rated games of the last 90 days are looked at. Of a hundred honest players about one is reported, too: look at
    /// the games.
    Reports {
        /// Only those about this account: its name or its id.
        #[arg(long)]
        account: Option<String>,
        /// Only those with games of this event, as an arbiter of it.
        #[arg(long, value_name = "ID")]
        event: Option<String>,
        /// Also those that were decided about.
        #[arg(long)]
        all: bool,
    },
    /// Shows a report with the games that it rests on, the latest first.
    Report {
        /// Its id.
        #[arg(value_name = "ID")]
        report: String,
        /// As an arbiter of this event, with its games only.
        #[arg(long, value_name = "ID")]
        event: Option<String>,
    },
    /// Finds that a report is so.
    Uphold(Decision),
    /// Finds nothing in a report; its account is left alone for 90 days, unless it gets worse by a fifth.
    Dismiss(Decision),
    /// Annuls games for the ratings: they count for nothing, and what followed from them is rated anew.
    ///
    /// What they came to in their events, and in the game itself, stays.
    Annul {
        /// Their ids; without any, all games that the report rests on.
        #[arg(value_name = "GAME")]
        games: Vec<String>,
        /// The report for whose sake it is done.
        #[arg(long, value_name = "ID", required_unless_present = "games")]
        report: Option<String>,
        #[command(flatten)]
        why: Why,
    },
    /// Has games count again that were annulled.
    Reinstate {
        /// Their ids.
        #[arg(value_name = "GAME", required = true)]
        games: Vec<String>,
        #[command(flatten)]
        why: Why,
    },
    /// Has an account pause from the queue. It is told until when, and why.
    Pause {
        /// Its name or its id.
        account: String,
        #[command(flatten)]
        length: Length,
        #[command(flatten)]
        why: Why,
    },
    /// Ends the pauses that an account is in, whatever they are for.
    Resume {
        /// Its name or its id.
        account: String,
        #[command(flatten)]
        why: Why,
    },
    /// Lists the pauses of an account in the last year, the latest first.
    Pauses {
        /// Its name or its id.
        account: String,
    },
    /// Lists what moderators have done, the latest first.
    Log {
        /// How many acts.
        #[arg(long, value_name = "NUMBER", default_value_t = ACTS)]
        first: usize,
    },
}

/// What is decided about a report.
#[derive(Debug, clap::Args)]
struct Decision {
    /// Its id.
    #[arg(value_name = "ID")]
    report: String,
    #[command(flatten)]
    why: Why,
}

/// Why.
#[derive(Debug, clap::Args)]
struct Why {
    /// Why, in a few words: it is written down.
    #[arg(long, value_name = "TEXT")]
    because: String,
}

/// For how long.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Length {
    /// For how many hours.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=8_784))]
    hours: Option<u32>,
    /// For how many days.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=366))]
    days: Option<u32>,
}

impl Length {
    fn duration(&self) -> prost_types::Duration {
        let hours = self.hours.unwrap_or_default() + 24 * self.days.unwrap_or_default();
        api::time::duration(Duration::from_hours(hours.into()))
    }
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let session = Session::open(&args.who).await?;
    let done = carry_out(&session, args.command).await;
    session.close().await;
    done
}

async fn carry_out(session: &Session, command: Command) -> anyhow::Result<()> {
    let client = ModerationServiceClient::new(session.transport());
    let of_pauses = PauseServiceClient::new(session.transport());
    match command {
        Command::Reports { account, event, all } => {
            let request = ListReportsRequest {
                event_id: event.unwrap_or_default(),
                account_id: session.account(&account.unwrap_or_default()).await?,
                include_settled: all,
                page_size: 200,
                page_token: String::new(),
            };
            let reports = all!(client.clone(), list_reports, request, reports);
            let records: Vec<Record> = reports.iter().map(|it| report(session, it)).collect();
            print::list(session.json, &records)
        }
        Command::Report { report: report_id, event } => {
            let found = get(&client, report_id, event.unwrap_or_default()).await?;
            show(session, &found)
        }
        Command::Uphold(decision) => settle(session, client, decision, true).await,
        Command::Dismiss(decision) => settle(session, client, decision, false).await,
        Command::Annul { games, report, why } => annul(session, client, games, report, why).await,
        Command::Reinstate { games, why } => {
            let mut changed = 0;
            for games in games.chunks(GAMES_MAX) {
                let request = ReinstateGamesRequest { game_ids: games.to_vec(), reason: why.because.clone() };
                changed += ask!(client.clone(), reinstate_games, request)?.changed;
            }
            print::one(session.json, &vec![("reinstated", json!(changed))])
        }
        Command::Pause { account, length, why } => {
            let request = PauseAccountRequest {
                account_id: session.account(&account).await?,
                length: Some(length.duration()),
                reason: why.because,
                request_id: session.new_id(),
            };
            let set = ask!(of_pauses, pause_account, request)?.pause.unwrap_or_default();
            print::one(session.json, &pauses::record(&set, |time| session.time(time)))
        }
        Command::Resume { account, why } => {
            let account_id = session.account(&account).await?;
            let request = EndPausesRequest { account_id, reason: why.because };
            let ended = ask!(of_pauses, end_pauses, request)?.ended;
            print::one(session.json, &vec![("account", json!(account)), ("ended", json!(ended))])
        }
        Command::Pauses { account } => {
            let account_id = session.account(&account).await?;
            let request = ListPausesOfRequest { account_id, page_size: 200, page_token: String::new() };
            let found = all!(of_pauses.clone(), list_pauses_of, request, pauses);
            let told = |it| pauses::record(it, |time| session.time(time));
            print::list(session.json, &found.iter().map(told).collect::<Vec<_>>())
        }
        Command::Log { first } => log(session, client, of_pauses, first).await,
    }
}

async fn get(
    client: &ModerationServiceClient<Transport>,
    report_id: String,
    event_id: String,
) -> anyhow::Result<Report> {
    Ok(ask!(client.clone(), get_report, GetReportRequest { report_id, event_id })?.report.unwrap_or_default())
}

async fn settle(
    session: &Session,
    client: ModerationServiceClient<Transport>,
    Decision { report: report_id, why }: Decision,
    upheld: bool,
) -> anyhow::Result<()> {
    let request = SettleReportRequest { report_id, upheld, reason: why.because };
    let settled = ask!(client, settle_report, request)?.report.unwrap_or_default();
    print::one(session.json, &report(session, &settled))
}

async fn annul(
    session: &Session,
    client: ModerationServiceClient<Transport>,
    mut games: Vec<String>,
    for_report: Option<String>,
    why: Why,
) -> anyhow::Result<()> {
    let report_id = for_report.unwrap_or_default();
    if games.is_empty() {
        let rests_on = get(&client, report_id.clone(), String::new()).await?;
        games = rests_on.findings.into_iter().flat_map(|it| it.evidence).map(|game| game.game_id).collect();
        games.sort_unstable();
        games.dedup();
    }
    let mut changed = 0;
    for games in games.chunks(GAMES_MAX) {
        let request = AnnulGamesRequest {
            game_ids: games.to_vec(),
            report_id: report_id.clone(),
            reason: why.because.clone(),
        };
        changed += ask!(client.clone(), annul_games, request)?.changed;
    }
    print::one(session.json, &vec![("annulled", json!(changed))])
}

/// What moderators have done in both services, the latest first.
async fn log(
    session: &Session,
    client: ModerationServiceClient<Transport>,
    of_pauses: PauseServiceClient<Transport>,
    count: usize,
) -> anyhow::Result<()> {
    let request = ListActsRequest { page_size: 200, page_token: String::new() };
    let of_ratings: Vec<ModerationAct> = first!(client.clone(), list_acts, request, acts, count);
    let request = ListPauseActsRequest { page_size: 200, page_token: String::new() };
    let of_pauses: Vec<PauseAct> = first!(of_pauses.clone(), list_pause_acts, request, acts, count);
    let mut acts: Vec<(Option<Timestamp>, Record)> = of_ratings
        .iter()
        .map(|act| (act.time, of_rating(session, act)))
        .chain(of_pauses.iter().map(|act| (act.time, of_pause(session, act))))
        .collect();
    acts.sort_by_key(|(time, _)| {
        std::cmp::Reverse(time.as_ref().map_or((0, 0), |time| (time.seconds, time.nanos)))
    });
    let records: Vec<Record> = acts.into_iter().take(count).map(|(_, record)| record).collect();
    print::list(session.json, &records)
}

fn of_rating(session: &Session, act: &ModerationAct) -> Record {
    let about = if act.game_id.is_empty() { &act.report_id } else { &act.game_id };
    let kind = act.kind().as_str_name().trim_start_matches("MODERATION_KIND_").to_lowercase();
    entry(session.time(act.time.as_ref()), &act.moderator_name, &kind, about, json!(""), &act.reason)
}

fn of_pause(session: &Session, act: &PauseAct) -> Record {
    let kind = if act.until_time.is_some() { "account_paused" } else { "pauses_ended" };
    let until = session.time(act.until_time.as_ref());
    entry(session.time(act.time.as_ref()), &act.moderator_name, kind, &act.account_id, until, &act.reason)
}

fn entry(time: Value, moderator: &str, did: &str, about: &str, until: Value, because: &str) -> Record {
    vec![
        ("time", time),
        ("moderator", json!(moderator)),
        ("did", json!(did)),
        ("to", json!(about)),
        ("until", until),
        ("because", json!(because)),
    ]
}

/// A report in a line.
fn report(session: &Session, it: &Report) -> Record {
    let suspicions: Vec<String> = it.findings.iter().map(found).collect();
    vec![
        ("report", json!(it.report_id)),
        ("name", json!(it.account_name)),
        ("variant", json!(it.variant)),
        ("speed", json!(speed::told(it.speed_class))),
        ("suspicion", json!(suspicions.join(", "))),
        ("games", json!(it.games)),
        ("given_up", json!(it.lost_early)),
        ("others", json!(format!("{:.1} of {:.1} expected", it.others_scored, it.others_expected))),
        ("found", session.time(it.find_time.as_ref())),
        ("state", json!(it.state().as_str_name().trim_start_matches("REPORT_STATE_").to_lowercase())),
        ("decided_by", json!(it.settled_by_name)),
        ("because", json!(it.settle_reason)),
        ("account", json!(it.account_id)),
    ]
}

/// What is suspicious, by how much, and in how many games.
fn found(it: &Finding) -> String {
    let name = it.suspicion().as_str_name().trim_start_matches("SUSPICION_").to_lowercase();
    format!("{name} {:.1} of {:.1} in {}", it.score, it.limit, it.games)
}

/// A report with its games.
fn show(session: &Session, it: &Report) -> anyhow::Result<()> {
    let games: Vec<Record> = it
        .findings
        .iter()
        .flat_map(|finding| finding.evidence.iter().map(move |game| suspect(session, finding, game)))
        .collect();
    if session.json {
        let mut whole = report(session, it);
        whole.push(("evidence", json!(games.iter().map(print::object).collect::<Vec<_>>())));
        return print::one(true, &whole);
    }
    print::one(false, &report(session, it))?;
    print::list(false, &games)
}

fn suspect(session: &Session, finding: &Finding, game: &SuspectGame) -> Record {
    let is_won = match (game.verdict(), game.side()) {
        (Verdict::FirstWins, Side::First) | (Verdict::SecondWins, Side::Second) => "won",
        (Verdict::FirstWins | Verdict::SecondWins, _) => "lost",
        _ => "drawn",
    };
    vec![
        (
            "suspicion",
            json!(finding.suspicion().as_str_name().trim_start_matches("SUSPICION_").to_lowercase()),
        ),
        ("ended", session.time(game.end_time.as_ref())),
        ("opponent", json!(game.opponent_name)),
        ("result", json!(is_won)),
        ("acts", json!(game.acts)),
        ("rating", json!(format!("{:.0} to {:.0}", game.rating_before, game.rating_after))),
        ("annulled", json!(if game.annulled { "yes" } else { "" })),
        ("event", json!(game.event_id)),
        ("game", json!(game.game_id)),
    ]
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn parsed(line: &str) -> Result<Command, clap::Error> {
        Line::try_parse_from(["moderate"].into_iter().chain(line.split(' '))).map(|line| line.args.command)
    }

    #[test]
    fn every_act_says_what_and_why() {
        for good in [
            "annul 7 8 --because seen",
            "annul --report 7 --because seen",
            "reinstate 7 --because seen",
            "pause anna --days 3 --because seen",
            "uphold 7 --because seen",
        ] {
            parsed(good).expect(good);
        }
        for bad in [
            "annul 7",
            "annul --because seen",
            "reinstate --because seen",
            "pause anna --because seen",
            "pause anna --days 3 --hours 3 --because seen",
            "pause anna --days 0 --because seen",
            "pause anna --days 367 --because seen",
            "dismiss 7",
            "resume anna",
        ] {
            assert!(parsed(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_length_is_in_hours_or_days() {
        let length = |hours, days| Length { hours, days }.duration().seconds;
        assert_eq!((length(Some(5), None), length(None, Some(2))), (5 * 3_600, 2 * 86_400));
    }
}

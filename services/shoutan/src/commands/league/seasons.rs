//! Seasons: made, shown, listed, changed, and taken from one state to the next.

use std::path::PathBuf;

use anyhow::Context as _;
use api::federation::v1::{
    AdvanceSeasonRequest, CreateSeasonRequest, DateRange, EventSchedule, GetSeasonRequest,
    ListSeasonsRequest, Season, SeasonState, TransferWindow, UpdateSeasonRequest,
};
use api::time::timestamp;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{
    event::settings,
    print,
    session::{Session, all, ask, mask, name},
    shown,
};

/// What is done with seasons.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Makes a season of a league, as a draft.
    Add {
        /// The league's id.
        league: String,
        /// The name, with which those of its events begin, in its own script.
        name: String,
        /// The name in Latin letters, where it is in others.
        #[arg(long)]
        latin: Option<String>,
        #[command(flatten)]
        dates: Dates,
    },
    /// Shows a season: how far it is, and its events; once it is closed who goes up and down.
    Show {
        /// The season's id.
        season: String,
    },
    /// Lists the seasons of a league.
    List {
        /// The league's id.
        league: String,
    },
    /// Changes the dates of a season that has not started.
    Edit {
        /// The season's id.
        season: String,
        #[command(flatten)]
        dates: Dates,
    },
}

/// The dates of a season.
#[derive(Debug, clap::Args)]
pub(super) struct Dates {
    /// A file with the "schedule" of the season's events: {"zone": …, "start": …, "round_times": […]}.
    #[arg(long, value_name = "FILE")]
    schedule: Option<PathBuf>,
    /// Days on which squads can change, as 2027-01-01..2027-01-31; may be repeated. Any day when there are none.
    #[arg(long = "window", value_name = "FIRST..LAST", value_parser = window)]
    windows: Vec<DateRange>,
    /// When squads can change while the season runs, as 2027-06-01T00:00:00Z..2027-07-01T00:00:00Z; may be repeated. Squads
    /// stand after the start when there are none.
    #[arg(long = "transfers", value_name = "OPEN..CLOSE", value_parser = transfers)]
    transfers: Vec<TransferWindow>,
    /// Since when whoever plays must have been a member, as 2026-12-31.
    #[arg(long, value_name = "DATE", default_value = "", hide_default_value = true)]
    eligible_since: String,
}

impl Dates {
    fn season(self) -> anyhow::Result<Season> {
        let schedule = self.schedule.map(|file| settings::read::<settings::Schedule>(&file)).transpose()?;
        Ok(Season {
            schedule: schedule.map(EventSchedule::from),
            windows: self.windows,
            transfer_windows: self.transfers,
            eligible_since_date: self.eligible_since,
            ..Default::default()
        })
    }
}

fn window(text: &str) -> Result<DateRange, String> {
    let (first, last) = text.split_once("..").ok_or("write FIRST..LAST, such as 2027-01-01..2027-01-31")?;
    Ok(DateRange { first_date: first.to_owned(), last_date: last.to_owned() })
}

fn transfers(text: &str) -> Result<TransferWindow, String> {
    let example = "write OPEN..CLOSE, such as 2027-06-01T00:00:00Z..2027-07-01T00:00:00Z";
    let (open, close) = text.split_once("..").ok_or(example)?;
    let time =
        |text: &str| OffsetDateTime::parse(text, &Rfc3339).map(timestamp).map_err(|_| example.to_owned());
    Ok(TransferWindow { open_time: Some(time(open)?), close_time: Some(time(close)?) })
}

/// What takes a season on.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Step {
    /// Opens the registration of squads.
    Open(Which),
    /// Starts a season: makes an event of every division, with its teams entered. All of them, or none.
    Start(Which),
    /// Makes the events of the play-offs, once the events of all divisions are final.
    PlayOffs(Which),
    /// Closes a season: says who goes up and who goes down, for ever.
    Close(Which),
    /// Gives a season up that has not started.
    Abandon {
        #[command(flatten)]
        which: Which,
        /// Why.
        #[arg(long)]
        reason: String,
    },
    /// Begins the next season from one that is closed: everybody is in the division into which it has put him.
    Next {
        /// The id of the closed season.
        season: String,
        /// The name of the next one in its own script.
        name: String,
        /// The name in Latin letters, where it is in others.
        #[arg(long)]
        latin: Option<String>,
        #[command(flatten)]
        dates: Dates,
    },
}

/// Which season goes on.
#[derive(Debug, clap::Args)]
pub(super) struct Which {
    /// The season's id.
    season: String,
    /// Only says whether it could be done.
    #[arg(long)]
    dry_run: bool,
}

/// Carries a command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let client = session.leagues();
    match command {
        Command::Add { league: league_id, name: native, latin, dates } => {
            create(session, Season { league_id, name: Some(name(native, latin)), ..dates.season()? }).await
        }
        Command::Show { season } => tell(session, Some(find(session, season).await?)),
        Command::List { league: league_id } => {
            let request = ListSeasonsRequest { league_id, ..Default::default() };
            let found = all!(client.clone(), list_seasons, request, seasons);
            let records: Vec<_> = found.iter().map(shown::season_row).collect();
            print::list(session.json, &records)
        }
        Command::Edit { season: season_id, dates } => {
            let season = dates.season()?;
            let update_mask = mask(&[
                ("schedule", season.schedule.is_some()),
                ("windows", !season.windows.is_empty()),
                ("transfer_windows", !season.transfer_windows.is_empty()),
                ("eligible_since_date", !season.eligible_since_date.is_empty()),
            ])?;
            let season = Some(Season { season_id, ..season });
            let request_id = session.new_id();
            let request = UpdateSeasonRequest { season, update_mask, request_id, validate_only: false };
            tell(session, ask!(client, update_season, request)?.season)
        }
    }
}

/// Takes a season on.
pub(super) async fn step(session: &Session, step: Step) -> anyhow::Result<()> {
    let (which, state, reason) = match step {
        Step::Open(which) => (which, SeasonState::Registration, String::new()),
        Step::Start(which) => (which, SeasonState::Running, String::new()),
        Step::PlayOffs(which) => (which, SeasonState::PlayOffs, String::new()),
        Step::Close(which) => (which, SeasonState::Closed, String::new()),
        Step::Abandon { which, reason } => (which, SeasonState::Abandoned, reason),
        Step::Next { season: from, name: native, latin, dates } => {
            let league_id = find(session, from.clone()).await?.league_id;
            let name = Some(name(native, latin));
            let next = Season { league_id, name, from_season_id: from, ..dates.season()? };
            return create(session, next).await;
        }
    };
    let request = AdvanceSeasonRequest {
        season_id: which.season.clone(),
        state: state.into(),
        reason,
        request_id: session.new_id(),
        validate_only: which.dry_run,
        ..Default::default()
    };
    let season = ask!(session.leagues(), advance_season, request)?.season;
    if which.dry_run {
        return tell(session, season);
    }
    // How it ended is told with the season alone.
    tell(session, Some(find(session, which.season).await?))
}

async fn create(session: &Session, season: Season) -> anyhow::Result<()> {
    let request_id = session.new_id();
    let request = CreateSeasonRequest { season: Some(season), request_id, validate_only: false };
    tell(session, ask!(session.leagues(), create_season, request)?.season)
}

/// A season.
pub(super) async fn find(session: &Session, season_id: String) -> anyhow::Result<Season> {
    let season = ask!(session.leagues(), get_season, GetSeasonRequest { season_id })?.season;
    season.context("the server's answer lacks the season")
}

fn tell(session: &Session, season: Option<Season>) -> anyhow::Result<()> {
    print::one(session.json, &shown::season(&season.context("the server's answer lacks the season")?))
}

//! `shoutan calendar`: calendars that a program of calendars follows, from the terminal.

use anyhow::Context as _;
use api::federation::v1::{
    CalendarFeed, CreateCalendarFeedRequest, DeleteCalendarFeedRequest, ListCalendarFeedsRequest,
    calendar_service_client::CalendarServiceClient,
};
use clap::Subcommand;
use serde_json::json;

use super::{
    print,
    session::{Session, Who, ask},
};

/// Makes calendars of rounds and agreed boards that a program of calendars follows, and ends them.
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
    /// Makes a calendar and prints its address, which is told this once: whoever has it reads the calendar.
    Create {
        /// The event whose calendar it is; without one it has what the account plays in and officiates at.
        event: Option<String>,
        /// The language of its words; Chinese when none is said.
        #[arg(long = "lang", value_name = "LANGUAGE", default_value = "", hide_default_value = true)]
        language: String,
        /// Ends this calendar, whose place it takes: so an address that has become known is renewed.
        #[arg(long, value_name = "CALENDAR", default_value = "", hide_default_value = true)]
        replace: String,
    },
    /// Lists the account's calendars, without their addresses.
    List,
    /// Ends a calendar: its address opens nothing any more.
    Delete {
        /// The id of the calendar.
        calendar: String,
    },
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let session = Session::open(&args.who).await?;
    let done = carry_out(&session, args.who.url(), args.command).await;
    session.close().await;
    done
}

async fn carry_out(session: &Session, server: &str, command: Command) -> anyhow::Result<()> {
    let client = CalendarServiceClient::new(session.transport());
    match command {
        Command::Create { event, language, replace } => {
            let request = CreateCalendarFeedRequest {
                event_id: event.unwrap_or_default(),
                language,
                replaces_feed_id: replace,
                request_id: session.new_id(),
                validate_only: false,
            };
            let answer = ask!(client, create_calendar_feed, request)?;
            let feed = answer.feed.context("the server's answer lacks the calendar")?;
            let mut record = record(session, &feed);
            record.push(("address", json!(format!("{}{}", server.trim_end_matches('/'), answer.path))));
            print::one(session.json, &record)
        }
        Command::List => {
            let feeds = ask!(client, list_calendar_feeds, ListCalendarFeedsRequest {})?.feeds;
            let records: Vec<_> = feeds.iter().map(|feed| record(session, feed)).collect();
            print::list(session.json, &records)
        }
        Command::Delete { calendar } => {
            let (feed_id, request_id) = (calendar.clone(), session.new_id());
            let request = DeleteCalendarFeedRequest { feed_id, request_id, validate_only: false };
            ask!(client, delete_calendar_feed, request)?;
            print::one(session.json, &vec![("ended", json!(calendar))])
        }
    }
}

/// A calendar as it is printed.
fn record(session: &Session, it: &CalendarFeed) -> print::Record {
    vec![
        ("calendar", json!(it.feed_id)),
        ("event", json!(it.event_id)),
        ("language", json!(it.language)),
        ("made", session.time(it.create_time.as_ref())),
    ]
}

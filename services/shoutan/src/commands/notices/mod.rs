//! `shoutan notices`: what an account is told, from the terminal.

mod words;

use std::{collections::BTreeMap, time::Duration};

use api::{
    client::RetryPolicy,
    federation::v1::{
        GetEventRequest, GetFederationRequest, ListNoticesRequest, MarkNoticesReadRequest, Name, Notice,
        NoticeAbout, WatchNoticesRequest, notice_service_client::NoticeServiceClient,
    },
    transport::Transport,
};
use serde_json::{Value, json};

use super::{
    federation::shown,
    print::{self, Record},
    render::planned_maintenance,
    session::{Session, Who, all, ask},
    terminal::say,
};

/// How long to wait before asking again for a stream that broke.
const PAUSE: Duration = Duration::from_millis(200);

/// Shows what the account is told: rounds and results of its own, what waits for its answer, offices.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Only those that are not read.
    #[arg(long)]
    unread: bool,
    /// Goes on with each as it comes, until it is interrupted.
    #[arg(long)]
    follow: bool,
    /// Only those after this number.
    #[arg(long, value_name = "NUMBER", requires = "follow", default_value_t = 0, hide_default_value = true)]
    after: u64,
    /// Ends after so many.
    #[arg(long, value_name = "COUNT", requires = "follow")]
    count: Option<usize>,
    #[command(flatten)]
    who: Who,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Marks notices as read: those of these numbers, or all.
    Read {
        /// Their numbers; all that there are when none is named.
        numbers: Vec<u64>,
    },
}

impl Args {
    /// Whether a script reads what is printed.
    pub(crate) const fn prints_json(&self) -> bool {
        self.who.json
    }
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let session = Session::open(&args.who).await?;
    let client = NoticeServiceClient::new(session.transport());
    let done = match &args.command {
        Some(Command::Read { numbers }) => read(&session, &client, numbers).await,
        None if args.follow => follow(&session, &client, &args).await,
        None => list(&session, &client, args.unread).await,
    };
    session.close().await;
    done
}

async fn list(
    session: &Session,
    client: &NoticeServiceClient<Transport>,
    unread: bool,
) -> anyhow::Result<()> {
    let request = ListNoticesRequest { unread, page_size: 200, ..Default::default() };
    let notices: Vec<Notice> = all!(client, list_notices, request, notices);
    let mut places = Places::default();
    let mut records = Vec::new();
    for notice in notices.iter().rev() {
        let place = places.of(session, notice).await;
        records.push(record(session, notice, &place));
    }
    print::list(session.json, &records)
}

async fn read(
    session: &Session,
    client: &NoticeServiceClient<Transport>,
    numbers: &[u64],
) -> anyhow::Result<()> {
    let up_to_number = if numbers.is_empty() { u64::MAX } else { 0 };
    let request = MarkNoticesReadRequest { up_to_number, numbers: numbers.to_vec() };
    let answer = ask!(client, mark_notices_read, request)?;
    print::one(session.json, &vec![("unread", json!(answer.unread_count))])
}

async fn follow(
    session: &Session,
    client: &NoticeServiceClient<Transport>,
    args: &Args,
) -> anyhow::Result<()> {
    let (mut last, mut left) = (args.after, args.count.unwrap_or(usize::MAX));
    let mut places = Places::default();
    while left > 0 {
        let request = WatchNoticesRequest { after_number: last };
        let call = || async { client.clone().watch_notices(request).await };
        let mut stream = api::client::with_retry(RetryPolicy::default(), call).await?;
        // What broke is asked for again; what is refused for good is refused by that call.
        while let Ok(Some(told)) = stream.message().await {
            if let (Some(planned), false) = (&told.maintenance_notice, session.json) {
                say(planned_maintenance(planned))?;
            }
            let Some(notice) = told.notice else { continue };
            last = notice.number;
            if args.unread && notice.read {
                continue;
            }
            let place = places.of(session, &notice).await;
            let record = record(session, &notice, &place);
            if session.json {
                say(print::object(&record))?;
            } else {
                say(line(session, &notice, &place))?;
            }
            left -= 1;
            if left == 0 {
                return Ok(());
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// `12  2026-11-23 17:00:00 +08:00  Aba Open: round 1 is public: table 3 against 7`.
pub(super) fn line(session: &Session, notice: &Notice, place: &str) -> String {
    let moment = session.told(notice.time.as_ref());
    let told = super::render::sanitize(&format!("{place}: {}", text(session, notice)));
    format!("{:>5}  {moment}  {told}", notice.number)
}

fn text(session: &Session, notice: &Notice) -> String {
    let said = words::said(notice);
    match notice.about.as_ref().and_then(|about| about.due_time.as_ref()) {
        Some(due) => format!("{said}, {} {}", words::due(notice.kind()), session.told(Some(due))),
        None => said,
    }
}

/// A notice as it is printed.
pub(super) fn record(session: &Session, notice: &Notice, place: &str) -> Record {
    let mut record: Record = vec![
        ("number", json!(notice.number)),
        ("time", session.time(notice.time.as_ref())),
        ("read", json!(notice.read)),
        ("where", json!(place)),
        ("text", json!(text(session, notice))),
    ];
    if session.json {
        record.push(("kind", json!(words::kind(notice))));
        record.push(("about", notice.about.as_ref().map_or(Value::Null, about)));
    }
    record
}

/// What a notice is about, for scripts: what it is not about is empty, or 0.
fn about(about: &NoticeAbout) -> Value {
    json!({
        "federation": about.federation_id,
        "event": about.event_id,
        "sequence": about.sequence,
        "round": about.round,
        "table": about.table,
        "number": about.number,
        "opponent": about.opponent,
        "team": about.team,
        "team_id": about.team_id,
        "member": about.member_id,
        "account": about.account_id,
        "incident": about.incident,
        "version": about.version,
        "league": about.league_id,
        "title": about.title_id,
        "award": about.award_id,
        "game": about.game_id,
        "due": shown::time(about.due_time.as_ref()),
        "detail": words::detail(about),
    })
}

/// What events and federations are called, each asked for once.
#[derive(Default)]
pub(super) struct Places(BTreeMap<String, String>);

impl Places {
    /// Where a notice comes from: its event, or its federation; by its id where that has no name any more.
    pub(super) async fn of(&mut self, session: &Session, notice: &Notice) -> String {
        let Some(about) = &notice.about else { return String::new() };
        let id = if about.event_id.is_empty() { &about.federation_id } else { &about.event_id };
        if id.is_empty() {
            return "the platform".to_owned();
        }
        if let Some(known) = self.0.get(id) {
            return known.clone();
        }
        let name = if about.event_id.is_empty() {
            let request = GetFederationRequest { federation_id: id.clone() };
            ask!(session.federations(), get_federation, request).ok().and_then(|it| it.federation?.name)
        } else {
            let request = GetEventRequest { event_id: id.clone(), ..Default::default() };
            ask!(session.events(), get_event, request).ok().and_then(|it| it.event?.name)
        };
        let Name { native, latin } = name.unwrap_or_default();
        let name = [latin, native].into_iter().find(|it| !it.is_empty()).unwrap_or_else(|| id.clone());
        self.0.insert(id.clone(), name.clone());
        name
    }
}

//! Incidents of an event: reported, ruled on, appealed against; and what stands beside the log.

use std::collections::BTreeMap;

use api::federation::v1::{
    EventIncident, EventLogBody, EventNote, EventRuling, ListEventIncidentsRequest, ListNotesRequest,
    ResultCode, event_incident,
};
use serde_json::{Value, json};

use super::{
    change::{self, OnBehalf, Target, change, event},
    log,
    people::People,
    print,
    results::Outcome,
    session::{Session, all},
    shown,
    stages::Paper,
    told, words,
};

/// What is done with incidents.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Reports an incident: what happened beside the boards, or what is claimed after a game.
    Report {
        #[command(flatten)]
        target: Target,
        /// What happened.
        #[arg(value_parser = words::incidents())]
        kind: i32,
        /// The round of the board that it is about.
        #[arg(long, default_value_t = 0, hide_default_value = true, requires = "table")]
        round: u32,
        /// The table of that board.
        #[arg(long, default_value_t = 0, hide_default_value = true, requires = "round")]
        table: u32,
        /// The number of who is accused.
        #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
        accused: u32,
        #[command(flatten)]
        paper: Paper,
        #[command(flatten)]
        whom: OnBehalf,
    },
    /// Rules on an incident in the first instance.
    Rule {
        #[command(flatten)]
        target: Target,
        /// The number of the incident.
        number: u32,
        #[command(flatten)]
        ruling: Ruling,
        /// Why; everybody reads it.
        #[arg(long)]
        reason: String,
    },
    /// Appeals against the last ruling on an incident (Art. 16.4).
    Appeal {
        #[command(flatten)]
        target: Target,
        /// The number of the incident.
        number: u32,
        #[command(flatten)]
        paper: Paper,
        #[command(flatten)]
        whom: OnBehalf,
    },
    /// Grants an appeal, and rules anew.
    Grant {
        #[command(flatten)]
        target: Target,
        /// The number of the incident.
        number: u32,
        #[command(flatten)]
        ruling: Ruling,
        /// Why; everybody reads it.
        #[arg(long)]
        reason: String,
    },
    /// Refuses an appeal: the ruling stands.
    Refuse {
        #[command(flatten)]
        target: Target,
        /// The number of the incident.
        number: u32,
        /// Why; everybody reads it.
        #[arg(long)]
        reason: String,
    },
    /// Lists the incidents of an event, with everybody who ruled on them.
    List {
        /// The event's id.
        event: String,
    },
}

/// What is decided.
#[derive(Debug, clap::Args)]
pub(super) struct Ruling {
    /// What becomes of the accused.
    #[arg(value_parser = words::sanctions())]
    sanction: i32,
    /// What the board's result is to be, where it is not what follows from the sanction.
    #[arg(long, value_enum)]
    result: Option<Outcome>,
}

impl Ruling {
    fn on_the_wire(self) -> EventRuling {
        let [first, second] = self.result.map_or([ResultCode::Unspecified; 2], Outcome::codes);
        EventRuling { sanction: self.sanction, first: first.into(), second: second.into() }
    }
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (target, event) = match command {
        Command::Report { target, kind, round, table, accused, paper, whom: OnBehalf { as_number } } => {
            let text = paper.read()?;
            let event = change!(
                session,
                target,
                report_incident(ReportIncidentRequest { kind, round, table, accused, text, as_number })
            )?;
            (target, event)
        }
        Command::Rule { target, number, ruling, reason } => {
            let ruling = Some(ruling.on_the_wire());
            let event =
                change!(session, target, rule_on_incident(RuleOnIncidentRequest { number, ruling, reason }))?;
            (target, event)
        }
        Command::Appeal { target, number, paper, whom: OnBehalf { as_number } } => {
            let text = paper.read()?;
            let event =
                change!(session, target, appeal_ruling(AppealRulingRequest { number, text, as_number }))?;
            (target, event)
        }
        Command::Grant { target, number, ruling, reason } => {
            let (granted, ruling) = (true, Some(ruling.on_the_wire()));
            let event = change!(
                session,
                target,
                rule_on_appeal(RuleOnAppealRequest { number, granted, ruling, reason })
            )?;
            (target, event)
        }
        Command::Refuse { target, number, reason } => {
            let (granted, ruling) = (false, None);
            let event = change!(
                session,
                target,
                rule_on_appeal(RuleOnAppealRequest { number, granted, ruling, reason })
            )?;
            (target, event)
        }
        Command::List { event } => return list(session, &event).await,
    };
    change::told(session, &target, &event).await
}

async fn list(session: &Session, id: &str) -> anyhow::Result<()> {
    let event = event(session, id).await?;
    let mut people = People::of(session, &event).await?;
    let request = ListEventIncidentsRequest { event_id: id.to_owned(), ..Default::default() };
    let found: Vec<EventIncident> = all!(session.events(), list_event_incidents, request, incidents);
    let judges = found.iter().flat_map(|it| &it.steps).map(|step| step.account_id.clone());
    people.look_up(session, judges).await?;
    let records: Vec<_> = found.iter().map(|it| record(session, it, &people)).collect();
    print::list(session.json, &records)
}

fn record(session: &Session, it: &EventIncident, people: &People) -> print::Record {
    let player = |number: u32| if number == 0 { String::new() } else { people.player(number) };
    let board = if it.round == 0 { String::new() } else { format!("round {}, table {}", it.round, it.table) };
    let steps = it.steps.iter().map(|step| {
        let ruling = step.ruling.unwrap_or_default();
        if !session.json {
            return json!(step_text(step, &ruling, people));
        }
        json!({
            "by": people.account(&step.account_id),
            "role": words::role(step.role),
            "sanction": words::sanction(ruling.sanction),
            "first": words::code(ruling.first),
            "second": words::code(ruling.second),
            "granted": step.granted,
            "reason": step.reason,
        })
    });
    vec![
        ("number", json!(it.number)),
        ("incident", json!(words::incident(it.kind))),
        ("board", json!(board)),
        ("accused", json!(player(it.accused))),
        ("reporter", json!(player(it.reporter))),
        ("reported", session.time(it.report_time.as_ref())),
        ("state", json!(words::incident_state(it.state))),
        ("appeal_until", session.time(it.appeal_deadline_time.as_ref())),
        ("rulings", Value::Array(steps.collect())),
        ("text", json!(it.text)),
        ("appeal", json!(it.appeal_text)),
    ]
}

/// `warning by anna, arbiter, the first gets loss: Art. 15`.
fn step_text(step: &event_incident::Step, ruling: &EventRuling, people: &People) -> String {
    let what = match words::sanction(ruling.sanction) {
        refused if refused.is_empty() => "the appeal is refused".to_owned(),
        sanction if step.granted => format!("the appeal is granted, {sanction}"),
        sanction => sanction,
    };
    let codes = [("first", ruling.first), ("second", ruling.second)];
    let codes = codes.into_iter().filter(|(_, code)| *code != 0);
    let codes: Vec<String> =
        codes.map(|(who, code)| format!(", the {who} gets {}", words::code(code))).collect();
    let codes = codes.concat();
    let by = people.account(&step.account_id);
    format!("{what} by {by}, {}{codes}: {}", words::role(step.role), step.reason)
}

/// Which notes.
#[derive(Debug, clap::Args)]
pub(super) struct Notes {
    /// The event's id.
    event: String,
}

/// Prints what stands beside the log: reasons, reports, assessments; each with what the entry of the log says that has its hash.
pub(super) async fn notes(session: &Session, args: Notes) -> anyhow::Result<()> {
    let request = ListNotesRequest { event_id: args.event.clone(), ..Default::default() };
    let found: Vec<EventNote> = all!(session.events(), list_notes, request, notes);
    let mut people = People::of(session, &event(session, &args.event).await?).await?;
    let entries = log::entries(session, &args.event, 0).await?;
    let bodies = entries.iter().map(log::body).collect::<anyhow::Result<Vec<_>>>()?;
    let of: BTreeMap<u64, EventLogBody> = bodies.into_iter().map(|body| (body.sequence, body)).collect();
    people.look_up(session, of.values().flat_map(told::accounts)).await?;
    let records: Vec<print::Record> = found
        .iter()
        .map(|it| {
            let body = of.get(&it.sequence).cloned().unwrap_or_default();
            vec![
                ("sequence", json!(it.sequence)),
                ("time", session.time(body.time.as_ref())),
                ("by", json!(log::who(&body, &people))),
                ("kind", json!(told::name(&body))),
                ("about", json!(told::fact(&body, &people, &session.zone))),
                ("text", json!(it.text)),
                ("salt", json!(shown::hex(&it.salt))),
            ]
        })
        .collect();
    print::list(session.json, &records)
}

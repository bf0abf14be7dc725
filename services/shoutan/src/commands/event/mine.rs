//! The events that somebody takes part in.

use api::federation::v1::{
    Event, EventStage, ListEntrantsRequest, ListEventsRequest, ListMyMembersRequest, Member,
};

use super::{
    next::Outlook,
    people::People,
    print,
    session::{Session, all, ask},
};

/// Which of them.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Also those that are over.
    #[arg(long)]
    all: bool,
}

/// Carries the command out.
pub(super) async fn run(session: &Session, args: Args) -> anyhow::Result<()> {
    let members: Vec<Member> =
        all!(session.membership(), list_my_members, ListMyMembersRequest::default(), members);
    let mut records = Vec::new();
    for member in members {
        let request = ListEventsRequest { federation_id: member.federation_id.clone(), ..Default::default() };
        let events: Vec<Event> = all!(session.events(), list_events, request, events);
        for event in events.iter().filter(|event| args.all || is_open(event)) {
            let account_id = session.account_id().unwrap_or_default().to_owned();
            let request =
                ListEntrantsRequest { event_id: event.id.clone(), account_id, ..Default::default() };
            let Some(own) = ask!(session.events(), list_entrants, request)?.entrants.pop() else { continue };
            let people = People::of(session, event).await?;
            records.push(Outlook::of(session, event, &people, own.number).await?.row(session));
        }
    }
    print::list(session.json, &records)
}

fn is_open(event: &Event) -> bool {
    !matches!(event.stage(), EventStage::Final | EventStage::Cancelled)
}

//! The events that somebody takes part in.

use api::federation::v1::{Event, EventStage, ListEventsRequest, ListMyMembersRequest, Member};

use super::{
    next::Outlook,
    people::People,
    print,
    session::{Session, all},
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
            let people = People::of(session, event).await?;
            let own = people.entrants.values().find(|it| it.member_id == member.member_id);
            let Some(number) = own.map(|it| it.number) else { continue };
            records.push(Outlook::of(session, event, &people, number).await?.row(session));
        }
    }
    print::list(session.json, &records)
}

fn is_open(event: &Event) -> bool {
    !matches!(event.stage(), EventStage::Final | EventStage::Cancelled)
}

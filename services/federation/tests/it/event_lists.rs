//! Lists of what is in an event by what they are about, and changes of some of its settings.

use api::federation::v1 as pb;

use crate::{
    fixture::{Person, fixtures, reason},
    held::{Held, change, enter, held, run, settings},
};

async fn entrants(person: &Person, held: &Held, filter: pb::ListEntrantsRequest) -> Vec<u32> {
    let request = pb::ListEntrantsRequest { event_id: held.id.clone(), ..filter };
    let list = person.events.clone().list_entrants(request).await.expect("a list").into_inner();
    list.entrants.into_iter().map(|it| it.number).collect()
}

#[tokio::test]
async fn entrants_are_listed_by_what_they_are_and_whose_they_are() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        let players = enter(&fixture, &held, 5).await;
        let status =
            Some(pb::EntrantStatus { state: pb::EntrantState::Withdrawn.into(), ..Default::default() });
        for number in [2, 4] {
            let left = change!(held, held.chief, change_entry, ChangeEntryRequest { number, status });
            left.expect("he leaves");
        }
        let by = pb::ListEntrantsRequest::default;
        let chief = &held.chief;
        assert_eq!(entrants(chief, &held, by()).await, [1, 2, 3, 4, 5]);
        let withdrawn = pb::ListEntrantsRequest { state: pb::EntrantState::Withdrawn.into(), ..by() };
        assert_eq!(entrants(chief, &held, withdrawn.clone()).await, [2, 4], "{}", fixture.kind);
        let own = pb::ListEntrantsRequest { account_id: players[2].id(), ..by() };
        assert_eq!(entrants(chief, &held, own).await, [3]);
        assert!(entrants(chief, &held, pb::ListEntrantsRequest { team: 1, ..by() }).await.is_empty());

        // A page goes on where it ended, and only in the same list.
        let first = pb::ListEntrantsRequest { event_id: held.id.clone(), page_size: 1, ..withdrawn };
        let mut events = chief.events.clone();
        let page = events.list_entrants(first.clone()).await.expect("a page").into_inner();
        let next = pb::ListEntrantsRequest { page_token: page.next_page_token.clone(), ..first.clone() };
        let last = events.list_entrants(next.clone()).await.expect("a page").into_inner();
        assert_eq!((last.entrants[0].number, last.next_page_token.as_str()), (4, ""));
        let other = pb::ListEntrantsRequest { state: 0, ..next };
        assert_eq!(reason(events.list_entrants(other).await), "BAD_PAGE_TOKEN");
        let nothing = pb::ListEntrantsRequest { state: 99, ..first };
        assert_eq!(reason(events.list_entrants(nothing).await), "UNKNOWN_VALUE");
    }
}

#[tokio::test]
async fn incidents_are_listed_by_how_far_they_are() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        enter(&fixture, &held, 2).await;
        run(&held).await;
        let kind = api::game::v1::IncidentKind::TakeBack.into();
        for text in ["a first one", "a second one"] {
            let text = text.to_owned();
            change!(held, held.chief, report_incident, ReportIncidentRequest { kind, text })
                .expect("reported");
        }
        let ruling =
            Some(pb::EventRuling { sanction: pb::EventSanction::Nothing.into(), ..Default::default() });
        let why = "nothing is in it".to_owned();
        let ruled = change!(
            held,
            held.chief,
            rule_on_incident,
            RuleOnIncidentRequest { number: 1, ruling, reason: why }
        );
        ruled.expect("ruled");
        let list =
            async |state: i32, round: u32| {
                let request = pb::ListEventIncidentsRequest {
                    event_id: held.id.clone(),
                    state,
                    round,
                    ..Default::default()
                };
                held.chief.events.clone().list_event_incidents(request).await.map(|list| {
                    list.into_inner().incidents.into_iter().map(|it| it.number).collect::<Vec<_>>()
                })
            };
        assert_eq!(list(0, 0).await.expect("all"), [1, 2]);
        assert_eq!(list(pb::EventIncidentState::Open.into(), 0).await.expect("open"), [2]);
        assert_eq!(list(pb::EventIncidentState::Ruled.into(), 0).await.expect("ruled"), [1]);
        assert!(list(0, 1).await.expect("of a round").is_empty(), "they are about no board");
        assert_eq!(reason(list(99, 0).await), "UNKNOWN_VALUE");
    }
}

#[tokio::test]
async fn a_mask_changes_what_it_names_and_nothing_else() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        let update = async |paths: &[&str], to: pb::EventSettings| {
            let update_mask =
                Some(prost_types::FieldMask { paths: paths.iter().map(|it| (*it).to_owned()).collect() });
            let (settings, why) = (Some(to), "the hall is larger".to_owned());
            change!(held, held.chief, update_event, UpdateEventRequest { settings, reason: why, update_mask })
                .map(|event| event.settings.expect("present"))
        };
        let before = update(&["*"], settings(3)).await.expect("the same");
        let larger = pb::EventSettings { entries_max: 40, text: "Tea is served.".to_owned(), ..settings(9) };
        let after = update(&["entries_max", "text"], larger.clone()).await.expect("changed");
        let expected =
            pb::EventSettings { entries_max: 40, text: "Tea is served.".to_owned(), ..before.clone() };
        assert_eq!(after, expected, "{}", fixture.kind);
        let alone = pb::EventSettings { text: String::new(), ..Default::default() };
        let after = update(&["text"], alone).await.expect("a mask can empty a field");
        assert_eq!(after, pb::EventSettings { entries_max: 40, ..before });
        assert_eq!(reason(update(&["prizes"], larger.clone()).await), "BAD_FIELD_MASK");
        let none = pb::EventSettings { entries_max: 0, ..larger.clone() };
        assert_eq!(reason(update(&["entries_max"], none).await), "BAD_EVENT_SETTINGS");
        assert_eq!(update(&[], larger.clone()).await.expect("all of it").entries_max, 40);
    }
}

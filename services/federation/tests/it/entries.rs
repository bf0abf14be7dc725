//! Until when somebody enters; entries that are corrected, and accounts that come after them.

use std::time::Duration;

use api::{federation::v1 as pb, time::timestamp};

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, board_of, change, drawn, enter, held, pair, run, sequence, settings},
};

async fn entrants(held: &Held) -> Vec<pb::Entrant> {
    let request = pb::ListEntrantsRequest { event_id: held.id.clone(), ..Default::default() };
    held.chief.events.clone().list_entrants(request).await.expect("a list").into_inner().entrants
}

/// A member without an account, entered as the next number by an official.
async fn without_account(held: &Held) -> String {
    let founder = &held.federation.founder;
    let member_id = founder.member(&held.federation.id, "Yeye").await.member_id;
    let request = || member_id.clone();
    change!(held, held.chief, enter_event, EnterEventRequest { member_id: request(), supplement_version: 1 })
        .expect("entered");
    member_id
}

async fn bound(fixture: &Fixture, held: &Held, member: &str) -> Person {
    let person = fixture.person("yeye");
    held.federation.founder.bind(member, &person.id()).await.expect("bound");
    person
}

#[tokio::test]
async fn what_was_mistyped_is_corrected_until_somebody_is_paired_by_it() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        let players = enter(&fixture, &held, 4).await;
        let own =
            change!(held, players[0], update_entry, UpdateEntryRequest { number: 1, rating: Some(2100) });
        assert_eq!(reason(own), "EVENT_ROLE_MISSING", "{}", fixture.kind);
        let rating = Some(2100);
        change!(held, held.chief, update_entry, UpdateEntryRequest { number: 1, rating, grade: Some(3) })
            .expect("corrected");
        let update_mask = Some(prost_types::FieldMask { paths: vec!["grade".to_owned()] });
        change!(held, held.chief, update_entry, UpdateEntryRequest { number: 1, update_mask })
            .expect("it is taken away");
        let first = entrants(&held).await.remove(0);
        assert_eq!((first.rating, first.grade), (Some(2100), None));
        let bad =
            change!(held, held.chief, update_entry, UpdateEntryRequest { number: 1, rating: Some(9999) });
        assert!(bad.is_err());
        let nobody = change!(held, held.chief, update_entry, UpdateEntryRequest { number: 9, rating });
        assert_eq!(reason(nobody), "UNKNOWN_ENTRANT");
        let update_mask = Some(prost_types::FieldMask { paths: vec!["member_id".to_owned()] });
        let strange = change!(held, held.chief, update_entry, UpdateEntryRequest { number: 1, update_mask });
        assert_eq!(reason(strange), "BAD_FIELD_MASK");
        run(&held).await;
        pair(&held, 1).await.expect("paired");
        change!(held, held.chief, publish_round, PublishRoundRequest { round: 1 }).expect("published");
        let late = change!(held, held.chief, update_entry, UpdateEntryRequest { number: 2, rating });
        assert_eq!(reason(late), "EVENT_SETTLED");
    }
}

#[tokio::test]
async fn who_gets_an_account_later_plays_with_it() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        enter(&fixture, &held, 3).await;
        let member = without_account(&held).await;
        run(&held).await;
        let person = bound(&fixture, &held, &member).await;
        let state = pb::EntrantState::Absent.into();
        let status = Some(pb::EntrantStatus { state, round: 1 });
        let early = change!(held, person, change_entry, ChangeEntryRequest { status });
        assert_eq!(reason(early), "EVENT_ROLE_MISSING", "{}: the entry knows no account", fixture.kind);
        change!(held, held.chief, update_entry, UpdateEntryRequest { number: 4 }).expect("it does now");
        assert_eq!(entrants(&held).await[3].account_id, person.id());
        let before = change!(held, person, change_entry, ChangeEntryRequest { status });
        let again = change!(held, held.chief, update_entry, UpdateEntryRequest { number: 4 });
        assert_eq!(again.expect("nothing to correct").sequence, before.expect("he is away").sequence);
    }
}

#[tokio::test]
async fn nobody_enters_once_entries_are_closed() {
    for fixture in fixtures().await {
        let until = fixture.env.now() + Duration::from_hours(1);
        let entries_until_time = Some(timestamp(until));
        let held = held(&fixture, pb::EventSettings { entries_until_time, ..settings(3) }).await;
        fixture.time.advance(Duration::from_hours(1) - Duration::from_secs(1));
        enter(&fixture, &held, 1).await;
        let late = fixture.person("late");
        let member = held.federation.founder.member(&held.federation.id, "Late").await;
        held.federation.founder.bind(&member.member_id, &late.id()).await.expect("bound");
        let before = sequence(&held).await;
        fixture.time.advance(Duration::from_secs(1));
        let refused = change!(held, late, enter_event, EnterEventRequest { supplement_version: 1 });
        assert_eq!(reason(refused), "ENTRIES_CLOSED", "{}", fixture.kind);
        assert_eq!((sequence(&held).await, entrants(&held).await.len()), (before, 1));
    }
}

/// A board that has no game is entered in its hall, whoever of the two gets an account meanwhile; and who has played with one
/// does not put it aside.
#[tokio::test]
async fn an_account_does_not_change_under_a_board_and_does_not_go() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        enter(&fixture, &held, 3).await;
        let member = without_account(&held).await;
        run(&held).await;
        pair(&held, 1).await.expect("paired");
        change!(held, held.chief, publish_round, PublishRoundRequest { round: 1 }).expect("published");
        change!(held, held.chief, start_round, StartRoundRequest { round: 1 }).expect("started");
        bound(&fixture, &held, &member).await;
        let update = async || change!(held, held.chief, update_entry, UpdateEntryRequest { number: 4 });
        assert_eq!(reason(update().await), "EVENT_SETTLED", "{}", fixture.kind);
        let table = board_of(&held, 4).await.table;
        drawn(&held, &held.chief, table).await.expect("it is played in a hall");
        update().await.expect("his board is over");
        let founder = &held.federation.founder;
        founder.bind(&member, "").await.expect("taken away");
        assert_eq!(reason(update().await), "EVENT_SETTLED", "{}: it stays", fixture.kind);
        assert!(!entrants(&held).await[3].account_id.is_empty());
    }
}

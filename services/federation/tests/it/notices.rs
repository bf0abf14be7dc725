//! What accounts are told: once, in order, to nobody else.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use api::federation::v1::{self as pb, NoticeKind};
use futures::{StreamExt as _, future::join_all};
use tonic::Streaming;

use crate::{
    fixture::{Fixture, Person, fixtures, reason, soon},
    held::{begin, change, enter, held, pair, run, settings},
    joining::{accept, apply, invite},
    proxies::give,
    teams::{form, team},
};

/// Everything that somebody was told, the oldest first.
pub(crate) async fn told(person: &Person) -> Vec<pb::Notice> {
    let (mut found, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = pb::ListNoticesRequest { page_size: 7, page_token, ..Default::default() };
        let page = person.notices().list_notices(request).await.expect("a list").into_inner();
        found.extend(page.notices);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            found.reverse();
            return found;
        }
    }
}

/// The kinds of what somebody was told.
async fn kinds(person: &Person) -> Vec<NoticeKind> {
    told(person).await.iter().map(pb::Notice::kind).collect()
}

fn about(notice: &pb::Notice) -> pb::NoticeAbout {
    notice.about.clone().expect("it is about something")
}

async fn unread(person: &Person) -> u32 {
    let request = pb::ListNoticesRequest { unread: true, page_size: 1, ..Default::default() };
    person.notices().list_notices(request).await.expect("a list").into_inner().unread_count
}

async fn mark(person: &Person, up_to_number: u64, numbers: Vec<u64>) -> Result<u32, tonic::Status> {
    let request = pb::MarkNoticesReadRequest { up_to_number, numbers };
    Ok(person.notices().mark_notices_read(request).await?.into_inner().unread_count)
}

async fn watch(
    person: &Person,
    after_number: u64,
) -> Result<Streaming<pb::WatchNoticesResponse>, tonic::Status> {
    let request = pb::WatchNoticesRequest { after_number };
    Ok(person.notices().watch_notices(request).await?.into_inner())
}

async fn next(stream: &mut Streaming<pb::WatchNoticesResponse>) -> pb::Notice {
    let told = soon(stream.next()).await.expect("it goes on").expect("a notice");
    told.notice.expect("present")
}

/// A notice that another service brings.
fn put(account_id: String, key: u128) -> pb::PutNotice {
    let (key, kind) = (uuid::Uuid::from_u128(key).to_string(), NoticeKind::Invited.into());
    pb::PutNotice { account_id, key, kind, about: Some(pb::NoticeAbout::default()) }
}

async fn bring(fixture: &Fixture, notices: Vec<pb::PutNotice>) -> Result<u32, tonic::Status> {
    let request = pb::PutNoticesRequest { notices };
    Ok(fixture.internal.clone().put_notices(request).await?.into_inner().written)
}

#[tokio::test]
async fn a_round_is_told_to_its_players_once_and_to_nobody_else() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        let players = enter(&fixture, &held, 5).await;
        run(&held).await;
        for player in &players {
            let running = pb::notice_about::Detail::Stage(pb::EventStage::Running.into());
            let details: Vec<_> = told(player).await.iter().map(|it| about(it).detail).collect();
            assert_eq!(details, [Some(running)], "{}: who entered himself knows it", fixture.kind);
        }
        let mut stream = watch(&players[0], 1).await.expect("a stream");
        pair(&held, 1).await.expect("paired");
        let request = pb::PublishRoundRequest {
            event_id: held.id.clone(),
            request_id: held.chief.request(),
            round: 1,
            ..Default::default()
        };
        for _ in 0..2 {
            held.chief.events.clone().publish_round(request.clone()).await.expect("published, and known");
        }
        assert_eq!(next(&mut stream).await.kind(), NoticeKind::RoundPublished);
        change!(held, held.chief, start_round, StartRoundRequest { round: 1 }).expect("started");
        let mut opposite = BTreeMap::new();
        for (number, player) in (1_u32..).zip(&players) {
            let all = told(player).await;
            let round = about(&all[1]);
            assert_eq!((all[1].kind(), round.number), (NoticeKind::RoundPublished, number));
            assert_eq!((&round.event_id, &round.federation_id), (&held.id, &held.federation.id));
            let plays = round.table > 0;
            assert_eq!(all.len(), 2 + usize::from(plays), "{}: {all:?}", fixture.kind);
            assert!(all.iter().map(|it| it.number).eq(1..=all.len() as u64), "no number is missing");
            assert!(!plays || all[2].kind() == NoticeKind::RoundBegun);
            opposite.insert(number, round.opponent);
        }
        for (number, other) in opposite.iter().filter(|(_, other)| **other > 0) {
            assert_eq!(opposite[other], *number);
        }
        let chief: BTreeSet<_> = kinds(&held.chief).await.into_iter().collect();
        assert_eq!(chief, BTreeSet::from([NoticeKind::Appointed]), "{}: he did the rest", fixture.kind);
        assert!(told(&fixture.person("stranger")).await.is_empty());
        let nobody = fixture.notices().list_notices(pb::ListNoticesRequest::default()).await;
        assert_eq!(reason(nobody), "TOKEN_MISSING");
        let nobody = fixture.notices().watch_notices(pb::WatchNoticesRequest::default()).await;
        assert_eq!(reason(nobody), "TOKEN_MISSING");
    }
}

#[tokio::test]
async fn what_is_read_is_marked_and_stays_so() {
    for fixture in fixtures().await {
        let (person, other) = (fixture.person("person"), fixture.person("other"));
        let both = (1..=6).map(|key| put(if key > 3 { other.id() } else { person.id() }, key));
        assert_eq!(bring(&fixture, both.collect()).await.expect("written"), 6, "{}", fixture.kind);
        assert_eq!((unread(&person).await, unread(&other).await), (3, 3));
        assert_eq!(mark(&person, 0, vec![2, 99]).await.expect("marked"), 2);
        assert_eq!(mark(&person, 0, vec![2]).await.expect("marked before"), 2);
        let read: Vec<bool> = told(&person).await.iter().map(|notice| notice.read).collect();
        assert_eq!(read, [false, true, false]);
        assert_eq!(mark(&person, u64::MAX, Vec::new()).await.expect("all"), 0);
        assert_eq!(unread(&other).await, 3, "those of another are his");
        assert_eq!(reason(mark(&person, 0, vec![1; 201]).await), "TOO_MANY_NOTICES");
    }
}

/// Writers at once: each brings its own, and what the one before it has brought.
async fn bring_from(fixture: &Fixture, account: &str, writers: u128, each: u128) {
    let all = (0..writers).map(|writer| async move {
        for at in 0..each {
            let keys = [writer * each + at + 1, ((writer + 1) % writers) * each + at + 1];
            let notices = keys.map(|key| put(account.to_owned(), key)).to_vec();
            bring(fixture, notices).await.expect("written, or known");
        }
    });
    join_all(all).await;
}

#[tokio::test]
async fn whoever_follows_is_told_everything_once_whoever_writes_at_the_same_time() {
    const WRITERS: u128 = 12;
    const EACH: u128 = 20;
    for fixture in fixtures().await {
        let person = fixture.person("person");
        let all = usize::try_from(WRITERS * EACH).expect("few");
        let mut early = watch(&person, 0).await.expect("a stream");
        let account = person.id();
        let follow = async {
            let (mut numbers, mut resumed) = (Vec::new(), 0);
            while numbers.len() < all {
                numbers.push(next(&mut early).await.number);
                // Now and then he loses the stream, and comes again.
                if numbers.len() % 37 == 0 {
                    early = watch(&person, *numbers.last().expect("one")).await.expect("a stream");
                    resumed += 1;
                }
            }
            (numbers, resumed)
        };
        let ((numbers, resumed), ()) = tokio::join!(follow, bring_from(&fixture, &account, WRITERS, EACH));
        assert!(resumed > 3 && numbers.is_sorted_by(|one, next| one < next), "{}: {numbers:?}", fixture.kind);
        let kept: Vec<u64> = told(&person).await.iter().map(|notice| notice.number).collect();
        assert_eq!(kept, numbers, "{}: each was told once, and none was missed", fixture.kind);
        let mut late = watch(&person, 0).await.expect("a stream");
        for number in kept {
            assert_eq!(next(&mut late).await.number, number);
        }
    }
}

#[tokio::test]
async fn two_who_tell_the_same_accounts_in_different_orders_wait_for_each_other() {
    for fixture in fixtures().await {
        let people: Vec<String> = (0..40).map(|n| fixture.person(&format!("p{n}")).id()).collect();
        let rounds = (0..8_u128).map(|round| {
            let mut notices: Vec<_> = people.iter().map(|account| put(account.clone(), round + 1)).collect();
            if round % 2 == 1 {
                notices.reverse();
            }
            bring(&fixture, notices)
        });
        for written in join_all(rounds).await {
            assert_eq!(written.expect("written"), 40, "{}", fixture.kind);
        }
    }
}

#[tokio::test]
async fn kinds_that_are_not_wanted_are_not_written() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        let players = enter(&fixture, &held, 2).await;
        let wants = &players[0];
        let muted = vec![NoticeKind::RoundPublished.into(), NoticeKind::EventAdvanced.into()];
        let request = pb::UpdateNoticeSettingsRequest { muted: muted.clone() };
        wants.notices().update_notice_settings(request).await.expect("set");
        let set = wants.notices().get_notice_settings(pb::GetNoticeSettingsRequest {}).await;
        assert_eq!(set.expect("told").into_inner().muted, muted, "{}", fixture.kind);
        let mut stream = watch(wants, 0).await.expect("a stream");
        run(&held).await;
        begin(&held, 1).await;
        assert_eq!(next(&mut stream).await.kind(), NoticeKind::RoundBegun, "what is missing is passed over");
        assert_eq!(kinds(wants).await, [NoticeKind::RoundBegun]);
        let all = [NoticeKind::EventAdvanced, NoticeKind::RoundPublished, NoticeKind::RoundBegun];
        assert_eq!(kinds(&players[1]).await, all);
        let bad = pb::UpdateNoticeSettingsRequest { muted: vec![99] };
        assert_eq!(reason(wants.notices().update_notice_settings(bad).await), "UNKNOWN_VALUE");
    }
}

#[tokio::test]
async fn streams_have_a_limit_and_a_place_that_there_is() {
    for fixture in fixtures().await {
        let person = fixture.person("person");
        assert_eq!(reason(watch(&person, 1).await), "BAD_CURSOR", "{}", fixture.kind);
        let mut open = Vec::new();
        for _ in 0..8 {
            open.push(watch(&person, 0).await.expect("one of his devices"));
        }
        assert_eq!(reason(watch(&person, 0).await), "TOO_MANY_NOTICE_STREAMS");
        watch(&fixture.person("other"), 0).await.expect("another has streams of his own");
        drop(open);
        soon(async {
            while watch(&person, 0).await.is_err() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await;
    }
}

#[tokio::test]
async fn only_services_bring_notices_and_only_such_as_there_are() {
    for fixture in fixtures().await {
        let person = fixture.person("person");
        assert_eq!(
            bring(&fixture, vec![put(person.id(), 1); 2]).await.expect("written"),
            1,
            "{}",
            fixture.kind
        );
        assert_eq!(bring(&fixture, vec![put(person.id(), 1)]).await.expect("known"), 0);
        assert_eq!(reason(bring(&fixture, vec![put(person.id(), 1); 501]).await), "TOO_MANY_NOTICES");
        assert_eq!(reason(bring(&fixture, vec![put("me".to_owned(), 1)]).await), "BAD_ID");
        let unknown = pb::PutNotice { kind: 0, ..put(person.id(), 2) };
        assert_eq!(reason(bring(&fixture, vec![unknown]).await), "UNKNOWN_VALUE");
        assert_eq!(told(&person).await.len(), 1);
    }
}

#[tokio::test]
async fn a_proxy_is_told_of_who_has_no_account() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        enter(&fixture, &held, 1).await;
        let (founder, son) = (&held.federation.founder, fixture.person("son"));
        let elder = founder.member(&held.federation.id, "Elder").await.member_id;
        give(founder, &elder, &son.id(), "signed on paper").await.expect("given");
        let request_of_member = elder.clone();
        change!(
            held,
            held.chief,
            enter_event,
            EnterEventRequest { member_id: request_of_member, supplement_version: 1 }
        )
        .expect("entered");
        run(&held).await;
        begin(&held, 1).await;
        let all = [
            NoticeKind::ProxyGiven,
            NoticeKind::Entered,
            NoticeKind::EventAdvanced,
            NoticeKind::RoundPublished,
            NoticeKind::RoundBegun,
        ];
        assert_eq!(kinds(&son).await, all, "{}", fixture.kind);
        let last = about(told(&son).await.last().expect("one"));
        assert_eq!((last.number, last.opponent), (2, 1));
        assert_eq!(about(&told(&son).await[0]).member_id, elder);
    }
}

#[tokio::test]
async fn organisations_tell_who_waits_and_whom_it_concerns() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, anna) = (&federation.founder, fixture.person("anna"));
        let application = apply(&anna, &federation.id, "Anna").await.expect("applied").application_id;
        let waits = told(founder).await.pop().expect("he is told");
        assert_eq!((waits.kind(), about(&waits).account_id), (NoticeKind::ApplicationWaits, anna.id()));
        for _ in 0..3 {
            let request = pb::WithdrawApplicationRequest {
                application_id: application.clone(),
                request_id: anna.request(),
                ..Default::default()
            };
            let _gone = anna.membership.clone().withdraw_application(request).await;
            let _again = apply(&anna, &federation.id, "Anna").await;
        }
        let waiting = |all: Vec<NoticeKind>| {
            all.into_iter().filter(|kind| *kind == NoticeKind::ApplicationWaits).count()
        };
        assert_eq!(waiting(kinds(founder).await), 1, "{}: once a day, however often", fixture.kind);
        fixture.time.advance(Duration::from_hours(24));
        let bob = fixture.person("bob");
        let application = apply(&bob, &federation.id, "Bob").await.expect("applied").application_id;
        assert_eq!(waiting(kinds(founder).await), 2);
        let member = accept(founder, &application, "").await.expect("accepted").member_id;
        let answered = told(&bob).await.pop().expect("he is told");
        let what = pb::notice_about::Detail::ApplicationAnswer(pb::Answer::Accepted.into());
        assert_eq!((about(&answered).member_id, about(&answered).detail), (member.clone(), Some(what)));
        form(founder, team(&federation.id, "Lions", &member, &[&member])).await.expect("a team");
        founder.appoint(&federation.id, &bob.id(), pb::OfficialRole::Arbiter).await.expect("appointed");
        founder.dismiss(&federation.id, &bob.id(), pb::OfficialRole::Arbiter).await.expect("dismissed");
        let all = [
            NoticeKind::ApplicationAnswered,
            NoticeKind::TeamCaptain,
            NoticeKind::OfficeGranted,
            NoticeKind::OfficeRevoked,
        ];
        assert_eq!(kinds(&bob).await, all);
        let carl = fixture.person("carl");
        invite(&federation, &carl.id(), "").await.expect("invited");
        let invited = told(&carl).await.pop().expect("he is told");
        assert!(invited.kind() == NoticeKind::Invited && about(&invited).due_time.is_some());
        assert_eq!(kinds(founder).await.len(), 2, "nobody is told what he has done himself");

        bring(&fixture, vec![put(bob.id(), 77)]).await.expect("of no federation");
        let request =
            pb::EraseMemberRequest { member_id: member, request_id: bob.request(), ..Default::default() };
        bob.federations.clone().erase_member(request).await.expect("forgotten");
        assert_eq!(kinds(&bob).await, [NoticeKind::Invited], "{}: with all that it told him", fixture.kind);
    }
}

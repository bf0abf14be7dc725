//! Incidents through the API: who rules, who reads what, and what is amended.

use api::{federation::v1 as pb, game::v1::IncidentKind};

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, change, enter, get_round, held, pair, play, run, settings},
};

/// An event whose first round is played, with an arbiter and the players of table 1.
async fn played(fixture: &Fixture) -> (Held, Person, [Person; 2], pb::Pairing) {
    let held = held(fixture, settings(1)).await;
    let arbiter = fixture.person("arbiter");
    let office = pb::EventRole::Arbiter.into();
    change!(
        held,
        held.chief,
        appoint_official,
        AppointOfficialRequest { account_id: arbiter.id(), role: office }
    )
    .expect("appointed");
    let players = enter(fixture, &held, 4).await;
    run(&held).await;
    pair(&held, 1).await.expect("paired");
    change!(held, held.chief, publish_round, PublishRoundRequest { round: 1 }).expect("published");
    change!(held, held.chief, start_round, StartRoundRequest { round: 1 }).expect("started");
    play(fixture, &held, 1).await;
    let pairing = get_round(&held.chief, &held, 1).await.expect("a round").pairings.remove(0);
    let seat = |number: u32| players[number as usize - 1].clone();
    let two = [seat(pairing.first), seat(pairing.second)];
    (held, arbiter, two, pairing)
}

async fn incidents(person: &Person, held: &Held) -> Vec<pb::EventIncident> {
    let request = pb::ListEventIncidentsRequest { event_id: held.id.clone(), ..Default::default() };
    person.events.clone().list_event_incidents(request).await.expect("a list").into_inner().incidents
}

fn ruling(sanction: pb::EventSanction) -> pb::EventRuling {
    pb::EventRuling { sanction: sanction.into(), ..Default::default() }
}

#[tokio::test]
async fn an_incident_goes_from_a_player_to_the_committee() {
    for fixture in fixtures().await {
        let (held, arbiter, [winner, loser], pairing) = played(&fixture).await;
        let stranger = fixture.person("stranger");
        change!(
            held,
            loser,
            report_incident,
            ReportIncidentRequest {
                kind: IncidentKind::Talking.into(),
                round: 1,
                table: 1,
                accused: pairing.first,
                text: "he asked his trainer".to_owned(),
            }
        )
        .expect("noted");
        let rule = |sanction| pb::RuleOnIncidentRequest {
            event_id: held.id.clone(),
            number: 1,
            ruling: Some(ruling(sanction)),
            reason: "it was seen".to_owned(),
            ..Default::default()
        };
        let by = async |person: &Person, sanction| {
            let request = pb::RuleOnIncidentRequest { request_id: person.request(), ..rule(sanction) };
            person.events.clone().rule_on_incident(request).await
        };
        let refused = by(&winner, pb::EventSanction::Nothing).await;
        assert_eq!(reason(refused), "EVENT_ROLE_MISSING", "{}", fixture.kind);
        let unknown = pb::RuleOnIncidentRequest { number: 9, ..rule(pb::EventSanction::Nothing) };
        let unknown = pb::RuleOnIncidentRequest { request_id: stranger.request(), ..unknown };
        let refused = stranger.events.clone().rule_on_incident(unknown).await;
        assert_eq!(reason(refused), "EVENT_ROLE_MISSING", "{}: he learns of no incident", fixture.kind);
        assert_eq!(reason(by(&arbiter, pb::EventSanction::Loss).await), "BAD_EVENT_RULING");
        by(&held.chief, pb::EventSanction::Loss).await.expect("ruled");
        assert_eq!(reason(by(&arbiter, pb::EventSanction::Nothing).await), "INCIDENT_SETTLED");
        let public = get_round(&stranger, &held, 1).await.expect("public").pairings.remove(0);
        let result = public.result.expect("decided");
        assert_eq!((result.first(), result.second()), (pb::ResultCode::Loss, pb::ResultCode::Win));

        // What was reported is for officials and its author; why it was decided so, for everybody.
        let seen = incidents(&stranger, &held).await.remove(0);
        assert_eq!((seen.text.as_str(), seen.steps[0].reason.as_str()), ("", "it was seen"));
        assert_eq!(incidents(&winner, &held).await[0].text, "");
        for reader in [&loser, &arbiter, &held.chief] {
            assert_eq!(incidents(reader, &held).await[0].text, "he asked his trainer");
        }
        let text = "it was my brother".to_owned();
        let late =
            change!(held, stranger, appeal_ruling, AppealRulingRequest { number: 1, text: text.clone() });
        assert_eq!(reason(late), "EVENT_ROLE_MISSING");
        change!(held, winner, appeal_ruling, AppealRulingRequest { number: 1, text }).expect("he may");
        let granted = |number| pb::RuleOnAppealRequest {
            event_id: held.id.clone(),
            number,
            granted: true,
            ruling: Some(ruling(pb::EventSanction::Admonition)),
            reason: "he only greeted him".to_owned(),
            ..Default::default()
        };
        let on_appeal = async |person: &Person| {
            let request = pb::RuleOnAppealRequest { request_id: person.request(), ..granted(1) };
            person.events.clone().rule_on_appeal(request).await
        };
        assert_eq!(reason(on_appeal(&held.chief).await), "NOT_THE_INSTANCE", "he has ruled himself");
        on_appeal(&held.federation.founder).await.expect("the committee rules");
        let seen = incidents(&stranger, &held).await.remove(0);
        assert_eq!(seen.state(), pb::EventIncidentState::Final);
        assert_eq!(seen.steps.len(), 2);
        let public = get_round(&stranger, &held, 1).await.expect("public").pairings.remove(0);
        assert_eq!(public.result.expect("decided").first(), pb::ResultCode::Win);

        the_notes_are_for_chiefs_and_holders(&held, &stranger).await;
    }
}

async fn the_notes_are_for_chiefs_and_holders(held: &Held, stranger: &Person) {
    let notes = async |person: &Person| {
        let request = pb::ListNotesRequest { event_id: held.id.clone(), ..Default::default() };
        person.events.clone().list_notes(request).await
    };
    assert_eq!(reason(notes(stranger).await), "EVENT_ROLE_MISSING");
    let texts: Vec<String> =
        notes(&held.chief).await.expect("notes").into_inner().notes.into_iter().map(|it| it.text).collect();
    assert_eq!(texts, ["he asked his trainer", "it was seen", "it was my brother", "he only greeted him"]);
}

#[tokio::test]
async fn nobody_rules_on_a_case_of_his_club_where_another_arbiter_is_there() {
    for fixture in fixtures().await {
        let (held, arbiter, [winner, _], pairing) = played(&fixture).await;
        let founder = &held.federation.founder;
        let club = founder.club(&held.federation.id, "棋社").await.expect("a club");
        // The arbiter and the accused are of one club.
        let arbiter_member = founder.member(&held.federation.id, "The arbiter").await;
        founder.bind(&arbiter_member.member_id, &arbiter.id()).await.expect("bound");
        let entrants = pb::ListEntrantsRequest { event_id: held.id.clone(), ..Default::default() };
        let entrants =
            winner.events.clone().list_entrants(entrants).await.expect("a list").into_inner().entrants;
        let accused = entrants.iter().find(|it| it.number == pairing.first).expect("he has entered");
        for member in [&arbiter_member.member_id, &accused.member_id] {
            founder.transfer(member, &club.club_id).await.expect("transferred");
        }
        change!(
            held,
            held.chief,
            report_incident,
            ReportIncidentRequest {
                kind: IncidentKind::Other.into(),
                accused: pairing.first,
                text: "he was loud".to_owned(),
            }
        )
        .expect("noted");
        let warning = || Some(ruling(pb::EventSanction::Warning));
        let reason_text = "it was heard".to_owned();
        let by_arbiter = change!(
            held,
            arbiter,
            rule_on_incident,
            RuleOnIncidentRequest { number: 1, ruling: warning(), reason: reason_text.clone() }
        );
        assert_eq!(reason(by_arbiter), "OWN_CLUB", "{}", fixture.kind);
        // Who acts for one of them is as if he were it himself.
        let proxy = pb::GiveProxyRequest {
            member_id: accused.member_id.clone(),
            account_id: held.chief.id(),
            reason: "on paper".to_owned(),
            request_id: founder.request(),
            validate_only: false,
        };
        let given = founder.membership.clone().give_proxy(proxy).await.expect("given").into_inner();
        let proxy_id = given.proxy.expect("present").proxy_id;
        let by_chief = async || {
            change!(
                held,
                held.chief,
                rule_on_incident,
                RuleOnIncidentRequest { number: 1, ruling: warning(), reason: reason_text.clone() }
            )
        };
        assert_eq!(reason(by_chief().await), "OWN_GAME");
        let request_id = founder.request();
        let withdraw = pb::WithdrawProxyRequest { proxy_id, request_id, validate_only: false };
        founder.membership.clone().withdraw_proxy(withdraw).await.expect("withdrawn");
        by_chief().await.expect("he is of no club");
    }
}

/// On an appeal there is one instance: who is of the club steps back for nobody who could not rule in his place.
#[tokio::test]
async fn the_chief_rules_on_an_appeal_of_his_club_where_nobody_else_could() {
    for fixture in fixtures().await {
        let (held, arbiter, [winner, _], pairing) = played(&fixture).await;
        let founder = &held.federation.founder;
        let club = founder.club(&held.federation.id, "棋社").await.expect("a club");
        let chief = founder.member(&held.federation.id, "The chief").await.member_id;
        founder.bind(&chief, &held.chief.id()).await.expect("bound");
        let list = pb::ListEntrantsRequest { event_id: held.id.clone(), ..Default::default() };
        let list = winner.events.clone().list_entrants(list).await.expect("a list").into_inner().entrants;
        let accused = list.iter().find(|it| it.number == pairing.first).expect("he has entered");
        for member in [&chief, &accused.member_id] {
            founder.transfer(member, &club.club_id).await.expect("transferred");
        }
        let (kind, text) = (IncidentKind::Other.into(), "he was loud".to_owned());
        let accused = pairing.first;
        change!(held, held.chief, report_incident, ReportIncidentRequest { kind, accused, text })
            .expect("noted");
        let by = async |person: &Person| {
            let ruling = Some(ruling(pb::EventSanction::Warning));
            let reason = "it was heard".to_owned();
            change!(held, person, rule_on_incident, RuleOnIncidentRequest { number: 1, ruling, reason })
        };
        assert_eq!(reason(by(&held.chief).await), "OWN_CLUB", "{}: the arbiter can", fixture.kind);
        by(&arbiter).await.expect("he is of no club");
        let text = "it was my brother".to_owned();
        change!(held, winner, appeal_ruling, AppealRulingRequest { number: 1, text }).expect("he may");
        let why = "it stands".to_owned();
        change!(held, held.chief, rule_on_appeal, RuleOnAppealRequest { number: 1, reason: why })
            .expect("nobody else could");
    }
}

#[tokio::test]
async fn only_the_committee_amends_what_is_final() {
    for fixture in fixtures().await {
        let (held, arbiter, _, _) = played(&fixture).await;
        let founder = held.federation.founder.clone();
        let closing = pb::EventStage::Closing.into();
        change!(held, held.chief, advance_event, AdvanceEventRequest { stage: closing }).expect("closing");
        for item in [pb::CheckItem::ResultsChecked, pb::CheckItem::PlacesAnnounced] {
            change!(held, held.chief, check_off, CheckOffRequest { item: item.into() }).expect("ticked off");
        }
        let text = "all went well".to_owned();
        change!(held, held.chief, file_report, FileReportRequest { text: text.clone() }).expect("filed");
        let account_id = arbiter.id();
        change!(held, held.chief, assess_arbiter, AssessArbiterRequest { account_id, text })
            .expect("assessed");
        let stage = pb::EventStage::Final.into();
        change!(held, held.chief, advance_event, AdvanceEventRequest { stage }).expect("final");
        let draw = pb::BoardResult {
            first: pb::ResultCode::Draw.into(),
            second: pb::ResultCode::Draw.into(),
            reason: pb::ResultReason::Arbiter.into(),
            source: Some(pb::board_result::Source::Decision(pb::board_result::Decision {})),
            ..Default::default()
        };
        let results = vec![pb::AmendedResult { round: 1, table: 1, result: Some(draw) }];
        let why = "the record was misread".to_owned();
        let by_chief = change!(
            held,
            held.chief,
            amend_event,
            AmendEventRequest { results: results.clone(), reason: why.clone() }
        );
        assert_eq!(reason(by_chief), "EVENT_ROLE_MISSING", "{}", fixture.kind);
        change!(held, founder, amend_event, AmendEventRequest { results, reason: why }).expect("amended");
        let round = get_round(&arbiter, &held, 1).await.expect("public");
        assert_eq!(round.pairings[0].result.as_ref().expect("amended").first(), pb::ResultCode::Draw);
        let list = pb::ListLogRequest { event_id: held.id.clone(), after_sequence: 0, page_size: 200 };
        let log = arbiter.events.clone().list_log(list).await.expect("a log").into_inner();
        let found = federation::audit::log(&held.id, &log.entries).expect("it can be read");
        assert!(found.findings.is_empty(), "{:?}", found.findings);
    }
}

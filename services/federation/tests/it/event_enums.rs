//! Numbers that stand for nothing, in requests about events.

use api::federation::v1 as pb;

use crate::{
    fixture::{fixtures, reason},
    held::{change, enter, held, pair, run, settings},
};

/// The number of no value of any enum.
const NOTHING: i32 = 99;

#[tokio::test]
async fn a_number_that_stands_for_nothing_is_refused_in_every_request_about_events() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        let chief = &held.chief;
        let players = enter(&fixture, &held, 4).await;
        let mut bad = settings(2);
        bad.schedule.as_mut().expect("a schedule").start = NOTHING;
        let updated = change!(held, chief, update_event, UpdateEventRequest { settings: Some(bad) });
        assert_eq!(reason(updated), "BAD_EVENT_SETTINGS", "{}", fixture.kind);
        let advanced = change!(held, chief, advance_event, AdvanceEventRequest { stage: NOTHING });
        assert_eq!(reason(advanced), "UNKNOWN_VALUE");
        let checked = change!(held, chief, check_off, CheckOffRequest { item: NOTHING });
        assert_eq!(reason(checked), "UNKNOWN_VALUE");
        let account_id = chief.id();
        let appointed = change!(
            held,
            chief,
            appoint_official,
            AppointOfficialRequest { account_id: account_id.clone(), role: NOTHING }
        );
        assert_eq!(reason(appointed), "UNKNOWN_VALUE");
        let dismissed = change!(
            held,
            chief,
            dismiss_official,
            DismissOfficialRequest { account_id, role: NOTHING, reason: "none".to_owned() }
        );
        assert_eq!(reason(dismissed), "UNKNOWN_VALUE");
        let status = Some(pb::EntrantStatus { state: NOTHING, round: 1 });
        let changed = change!(held, players[0], change_entry, ChangeEntryRequest { status });
        assert_eq!(reason(changed), "UNKNOWN_VALUE");
        let list = pb::ListEventsRequest {
            federation_id: held.federation.id.clone(),
            stage: NOTHING,
            ..Default::default()
        };
        assert_eq!(reason(chief.events.clone().list_events(list).await), "UNKNOWN_VALUE");
    }
}

#[tokio::test]
async fn a_number_that_stands_for_nothing_is_refused_in_every_request_about_rounds() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        let chief = &held.chief;
        enter(&fixture, &held, 4).await;
        run(&held).await;
        let lifted = pb::PairRoundRequest {
            event_id: held.id.clone(),
            request_id: chief.request(),
            round: 1,
            relaxed: NOTHING,
            reason: "none".to_owned(),
            ..Default::default()
        };
        let refused = chief.events.clone().pair_round(lifted).await;
        assert_eq!(reason(refused), "UNKNOWN_VALUE", "{}", fixture.kind);
        pair(&held, 1).await.expect("paired");
        change!(held, chief, publish_round, PublishRoundRequest { round: 1 }).expect("published");
        change!(held, chief, start_round, StartRoundRequest { round: 1 }).expect("started");
        for (first, reason_number) in [(NOTHING, 1), (1, NOTHING)] {
            let result = pb::BoardResult {
                first,
                second: pb::ResultCode::Loss.into(),
                reason: reason_number,
                source: Some(pb::board_result::Source::Decision(pb::board_result::Decision {})),
                ..Default::default()
            };
            let entered = change!(
                held,
                chief,
                enter_result,
                EnterResultRequest { round: 1, table: 1, result: Some(result) }
            );
            assert_eq!(reason(entered), "BAD_BOARD_RESULT");
        }
        let text = "something".to_owned();
        let reported = change!(
            held,
            chief,
            report_incident,
            ReportIncidentRequest { kind: NOTHING, text: text.clone() }
        );
        assert_eq!(reason(reported), "UNKNOWN_VALUE");
        let kind = api::game::v1::IncidentKind::Other.into();
        change!(held, chief, report_incident, ReportIncidentRequest { kind, text: text.clone() })
            .expect("noted");
        let ruling = Some(pb::EventRuling { sanction: NOTHING, ..Default::default() });
        let ruled =
            change!(held, chief, rule_on_incident, RuleOnIncidentRequest { number: 1, ruling, reason: text });
        assert_eq!(reason(ruled), "BAD_EVENT_RULING");
    }
}

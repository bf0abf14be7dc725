//! Officials who play, or act for who plays: what they decide about others and not about their own games.

use api::{federation::v1 as pb, game::v1::IncidentKind};

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, begin, board_of, change, drawn, enter, held, run, settings},
};

async fn appointed(held: &Held, person: &Person, role: pb::EventRole) {
    let (account_id, role) = (person.id(), role.into());
    change!(held, held.chief, appoint_official, AppointOfficialRequest { account_id, role })
        .expect("appointed");
}

fn row(state: pb::EntrantState, round: u32) -> pb::EntrantStatus {
    pb::EntrantStatus { state: state.into(), round }
}

async fn write(
    held: &Held,
    person: &Person,
    number: u32,
    status: pb::EntrantStatus,
) -> Result<pb::Event, tonic::Status> {
    let status = Some(status);
    change!(held, person, change_entry, ChangeEntryRequest { number, status })
}

#[tokio::test]
async fn a_deputy_who_plays_sends_nobody_away_whom_he_meets_and_does_not_come_back_by_himself() {
    use pb::EntrantState::{Active, Annulled, Expelled, Withdrawn};
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        let players = enter(&fixture, &held, 4).await;
        let deputy = &players[1];
        appointed(&held, deputy, pb::EventRole::Deputy).await;
        run(&held).await;
        begin(&held, 1).await;
        let own = board_of(&held, 2).await;
        let opponent = own.first + own.second - 2;
        let stranger = (1..=4).find(|it| ![2, opponent].contains(it)).expect("two more");
        for (number, status) in [
            (opponent, row(Withdrawn, 1)),
            (opponent, row(Expelled, 1)),
            (opponent, row(Annulled, 0)),
            (2, row(Annulled, 0)),
        ] {
            let refused = write(&held, deputy, number, status).await;
            assert_eq!(reason(refused), "OWN_GAME", "{}: {number} {status:?}", fixture.kind);
        }
        let again = change!(held, deputy, replay_board, ReplayBoardRequest { round: 1, table: own.table });
        assert_eq!(reason(again), "OWN_GAME", "{}", fixture.kind);
        write(&held, deputy, stranger, row(Withdrawn, 1)).await.expect("he has never met him");
        // His own leaving is his, and his coming back is not.
        write(&held, deputy, 0, row(Withdrawn, 1)).await.expect("he leaves");
        assert_eq!(reason(write(&held, deputy, 2, row(Active, 2)).await), "OWN_GAME");
        write(&held, &held.chief, 2, row(Active, 2)).await.expect("the chief plays nowhere");
    }
}

/// Two members of the federation, of whom the second is a double of the first.
async fn twice(held: &Held, names: [&str; 2]) -> [String; 2] {
    let founder = &held.federation.founder;
    let keep = founder.member(&held.federation.id, names[0]).await.member_id;
    let double = founder.member(&held.federation.id, names[1]).await.member_id;
    [keep, double]
}

async fn merge(held: &Held, [keep, double]: [&str; 2]) {
    let founder = &held.federation.founder;
    let request = pb::MergeMembersRequest {
        keep_id: keep.to_owned(),
        double_id: double.to_owned(),
        request_id: founder.request(),
        validate_only: false,
    };
    founder.federations.clone().merge_members(request).await.expect("one");
}

async fn enter_as(held: &Held, member: &str) -> Result<pb::Event, tonic::Status> {
    let member_id = member.to_owned();
    change!(held, held.chief, enter_event, EnterEventRequest { member_id, supplement_version: 1 })
}

async fn proxy_of(fixture: &Fixture, held: &Held, member: &str) -> Person {
    let (son, founder) = (fixture.person("son"), &held.federation.founder);
    let proxy = pb::GiveProxyRequest {
        member_id: member.to_owned(),
        account_id: son.id(),
        reason: "on paper".to_owned(),
        request_id: founder.request(),
        validate_only: false,
    };
    founder.membership.clone().give_proxy(proxy).await.expect("given");
    son
}

#[tokio::test]
async fn who_was_entered_by_the_id_of_a_double_is_one_person_with_it() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        enter(&fixture, &held, 3).await;
        let [keep, double] = twice(&held, ["Yeye", "Ye Ye"]).await;
        enter_as(&held, &double).await.expect("entered as 4");
        let son = proxy_of(&fixture, &held, &double).await;
        appointed(&held, &son, pb::EventRole::Arbiter).await;
        merge(&held, [&keep, &double]).await;
        for id in [&keep, &double] {
            assert_eq!(reason(enter_as(&held, id).await), "ALREADY_ENTERED", "{}", fixture.kind);
        }
        let [other, before] = twice(&held, ["Momo", "Mo Mo"]).await;
        merge(&held, [&other, &before]).await;
        enter_as(&held, &before).await.expect("entered as 5");
        let list = pb::ListEntrantsRequest { event_id: held.id.clone(), ..Default::default() };
        let list = held.chief.events.clone().list_entrants(list).await.expect("a list").into_inner();
        assert_eq!(list.entrants[4].member_id, other, "{}: by the id that he has now", fixture.kind);
        write(&held, &held.chief, 5, row(pb::EntrantState::Withdrawn, 0)).await.expect("he leaves");
        run(&held).await;
        begin(&held, 1).await;
        let table = board_of(&held, 4).await.table;
        assert_eq!(reason(drawn(&held, &son, table).await), "OWN_GAME", "{}", fixture.kind);
        let away = row(pb::EntrantState::Absent, 2);
        write(&held, &son, 0, away).await.expect("he acts for who has entered");

        // His club is that of the one who stayed.
        let founder = &held.federation.founder;
        let club = founder.club(&held.federation.id, "棋社").await.expect("a club").club_id;
        let arbiter = fixture.person("arbiter");
        appointed(&held, &arbiter, pb::EventRole::Arbiter).await;
        let of_club = founder.member(&held.federation.id, "The arbiter").await.member_id;
        founder.bind(&of_club, &arbiter.id()).await.expect("bound");
        for member in [&of_club, &keep] {
            founder.transfer(member, &club).await.expect("transferred");
        }
        let (kind, text) = (IncidentKind::Other.into(), "he was loud".to_owned());
        change!(held, held.chief, report_incident, ReportIncidentRequest { kind, accused: 4, text })
            .expect("noted");
        let sanction = pb::EventSanction::Warning.into();
        let ruling = Some(pb::EventRuling { sanction, ..Default::default() });
        let why = "it was heard".to_owned();
        let ruled = change!(
            held,
            arbiter,
            rule_on_incident,
            RuleOnIncidentRequest { number: 1, ruling, reason: why }
        );
        assert_eq!(reason(ruled), "OWN_CLUB", "{}", fixture.kind);
    }
}

/// Who has entered as a member without an account is himself all the same.
#[tokio::test]
async fn an_official_who_plays_without_an_account_decides_nothing_about_his_board() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        enter(&fixture, &held, 3).await;
        let founder = &held.federation.founder;
        let member = founder.member(&held.federation.id, "The chief").await.member_id;
        enter_as(&held, &member).await.expect("entered as 4");
        founder.bind(&member, &held.chief.id()).await.expect("bound");
        run(&held).await;
        begin(&held, 1).await;
        let own = board_of(&held, 4).await;
        assert_eq!(reason(drawn(&held, &held.chief, own.table).await), "OWN_GAME", "{}", fixture.kind);
        let opponent = own.first + own.second - 4;
        let refused = write(&held, &held.chief, opponent, row(pb::EntrantState::Withdrawn, 1)).await;
        assert_eq!(reason(refused), "OWN_GAME", "{}", fixture.kind);
    }
}

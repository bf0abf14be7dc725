//! Officials, and what identity is told of them.

use std::time::Duration;

use api::federation::v1::{self as pb, Conveyance, OfficialRole};

use crate::fixture::{Fixture, Founded, Person, fixtures, reason, soon};

/// Waits until identity was told, and says how it stands.
async fn conveyed(founded: &Founded, account: &Person) -> pb::Official {
    let list = || pb::ListOfficialsRequest { federation_id: founded.id.clone(), ..Default::default() };
    soon(async {
        loop {
            let listed = founded.founder.membership.clone().list_officials(list()).await.expect("a list");
            let found = listed.into_inner().officials.into_iter().find(|it| it.account_id == account.id());
            match found {
                Some(official) if official.conveyance() != Conveyance::Pending => return official,
                _ => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        }
    })
    .await
}

async fn until(fixture: &Fixture, roles: usize) {
    soon(async {
        while fixture.identity.knowledge().roles.len() != roles {
            // What is owed and was refused waits for a while of the mock time.
            fixture.time.advance(Duration::from_secs(1));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn identity_is_told_of_officials_until_it_knows() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, arbiter) = (&federation.founder, fixture.person("arbiter"));
        let role = OfficialRole::ChiefArbiter;
        fixture.identity.knowledge().roles.clear();
        let granted = founder.appoint(&federation.id, &arbiter.id(), role).await.expect("granted");
        assert!(granted.revoke_time.is_none());
        assert_eq!(conveyed(&federation, &arbiter).await.conveyance(), Conveyance::Done, "{}", fixture.kind);
        until(&fixture, 1).await;
        fixture.identity.knowledge().is_down = true;
        founder.dismiss(&federation.id, &arbiter.id(), role).await.expect("he is dismissed all the same");
        assert_eq!(reason(founder.dismiss(&federation.id, &arbiter.id(), role).await), "UNKNOWN_OFFICIAL");
        fixture.identity.knowledge().is_down = false;
        until(&fixture, 0).await;
        fixture.lifecycle.drain(Duration::from_secs(5)).await;
    }
}

#[tokio::test]
async fn what_identity_refuses_for_good_is_shown_and_holds_nowhere() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, member) = (&federation.founder, fixture.person("committee"));
        fixture.identity.knowledge().refusal = Some(api::reason::ROLES_FULL);
        founder.appoint(&federation.id, &member.id(), OfficialRole::Committee).await.expect("written");
        let shown = conveyed(&federation, &member).await;
        assert_eq!((shown.conveyance(), shown.refusal_reason.as_str()), (Conveyance::Refused, "ROLES_FULL"));
        assert_eq!(reason(member.club(&federation.id, "Club").await), "NOT_AN_OFFICIAL", "{}", fixture.kind);
        fixture.identity.knowledge().refusal = None;
        founder.appoint(&federation.id, &member.id(), OfficialRole::Committee).await.expect("once more");
        assert_eq!(conveyed(&federation, &member).await.conveyance(), Conveyance::Done);
        member.club(&federation.id, "Club").await.expect("he may now");
        fixture.lifecycle.drain(Duration::from_secs(5)).await;
    }
}

#[tokio::test]
async fn of_a_dissolved_federation_nobody_is_an_arbiter() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, arbiter) = (&federation.founder, fixture.person("arbiter"));
        founder.appoint(&federation.id, &arbiter.id(), OfficialRole::Arbiter).await.expect("granted");
        until(&fixture, 1).await;
        let request = pb::DeleteFederationRequest {
            federation_id: federation.id.clone(),
            request_id: founder.request(),
            ..Default::default()
        };
        founder.federations.clone().delete_federation(request).await.expect("dissolved");
        until(&fixture, 0).await;
        fixture.lifecycle.drain(Duration::from_secs(5)).await;
    }
}

#[tokio::test]
async fn a_dismissed_official_is_refused_at_once() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, other) = (&federation.founder, fixture.person("other"));
        founder.appoint(&federation.id, &other.id(), OfficialRole::Committee).await.expect("granted");
        other.club(&federation.id, "Club").await.expect("he may");
        assert_eq!(
            reason(other.appoint(&federation.id, &other.id(), OfficialRole::Administrator).await),
            "NOT_AN_OFFICIAL"
        );
        founder.dismiss(&federation.id, &other.id(), OfficialRole::Committee).await.expect("dismissed");
        assert_eq!(
            reason(other.club(&federation.id, "Another").await),
            "NOT_AN_OFFICIAL",
            "{}",
            fixture.kind
        );
    }
}

#[tokio::test]
async fn a_federation_keeps_an_administrator() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, other) = (&federation.founder, fixture.person("other"));
        let role = OfficialRole::Administrator;
        let alone = founder.dismiss(&federation.id, &founder.id(), role).await;
        assert_eq!(reason(alone), "LAST_ADMINISTRATOR", "{}", fixture.kind);
        assert_eq!(reason(founder.appoint(&federation.id, &fixture.guest().id(), role).await), "GUEST");
        assert_eq!(
            reason(founder.appoint(&federation.id, &founder.request(), role).await),
            "UNKNOWN_ACCOUNT"
        );
        let unspecified = founder.appoint(&federation.id, &other.id(), OfficialRole::Unspecified).await;
        assert_eq!(reason(unspecified), "BAD_ROLE");
        founder.appoint(&federation.id, &other.id(), role).await.expect("a second");
        founder.dismiss(&federation.id, &founder.id(), role).await.expect("the first goes");
        assert_eq!(reason(founder.club(&federation.id, "Club").await), "NOT_AN_OFFICIAL");
        other.club(&federation.id, "Club").await.expect("the second may");
        assert!(fixture.identity.knowledge().roles.is_empty(), "no token names an administrator");
    }
}

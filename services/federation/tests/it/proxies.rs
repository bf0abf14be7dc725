//! Who acts for members who have no device.

use api::federation::v1 as pb;
use tonic::Status;

use crate::fixture::{Person, fixtures, reason};

pub(crate) async fn give(
    person: &Person,
    member: &str,
    account: &str,
    why: &str,
) -> Result<pb::Proxy, Status> {
    let request = pb::GiveProxyRequest {
        member_id: member.to_owned(),
        account_id: account.to_owned(),
        reason: why.to_owned(),
        request_id: person.request(),
        validate_only: false,
    };
    let answer = person.membership.clone().give_proxy(request).await?;
    Ok(answer.into_inner().proxy.expect("present"))
}

async fn withdraw(person: &Person, proxy: &str) -> Result<pb::Proxy, Status> {
    let request = pb::WithdrawProxyRequest {
        proxy_id: proxy.to_owned(),
        request_id: person.request(),
        validate_only: false,
    };
    let answer = person.membership.clone().withdraw_proxy(request).await?;
    Ok(answer.into_inner().proxy.expect("present"))
}

#[tokio::test]
async fn a_member_consents_himself_or_an_administrator_notes_how() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let (elder, son, bob) = (fixture.person("elder"), fixture.person("son"), fixture.person("bob"));
        let member = founder.member(&federation.id, "Elder").await.member_id;
        assert_eq!(
            reason(give(&bob, &member, &bob.id(), "he said so").await),
            "NOT_AN_OFFICIAL",
            "{}",
            fixture.kind
        );
        assert_eq!(reason(give(founder, &member, &son.id(), "").await), "BAD_PROXY");
        let noted = give(founder, &member, &son.id(), "signed on paper").await.expect("noted");
        assert!(
            !noted.consented_himself && noted.reason == "signed on paper" && noted.given_by == founder.id()
        );
        assert_eq!(reason(give(founder, &member, &son.id(), "again").await), "ALREADY_PROXY");
        founder.bind(&member, &elder.id()).await.expect("bound");
        assert!(give(&elder, &member, &bob.id(), "").await.expect("given").consented_himself);
        assert_eq!(reason(give(&elder, &member, &elder.id(), "").await), "BAD_PROXY");
        assert_eq!(reason(give(&elder, &member, &fixture.guest().id(), "").await), "GUEST");
        let stranger = fixture.person("stranger");
        assert_eq!(reason(withdraw(&stranger, &noted.proxy_id).await), "NOT_AN_OFFICIAL");
        let ended = withdraw(&elder, &noted.proxy_id).await.expect("withdrawn at any time");
        assert!(ended.withdraw_time.is_some() && ended.withdrawn_by == elder.id());
        assert_eq!(reason(withdraw(&elder, &noted.proxy_id).await), "ALREADY_ANSWERED");
        let list = |withdrawn| pb::ListProxiesRequest {
            member_id: member.clone(),
            show_withdrawn: withdrawn,
            ..Default::default()
        };
        for (withdrawn, count) in [(false, 1), (true, 2)] {
            let listed = elder.membership.clone().list_proxies(list(withdrawn)).await.expect("a list");
            assert_eq!(listed.into_inner().proxies.len(), count);
        }
        assert_eq!(reason(stranger.membership.clone().list_proxies(list(true)).await), "NOT_AN_OFFICIAL");
    }
}

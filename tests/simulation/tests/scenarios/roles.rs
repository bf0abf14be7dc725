//! Officials: where their roles hold, from when on, and with which tokens.

use std::{sync::Arc, time::Duration};

use api::{
    board::v1::Side,
    game::v1::{
        Regulations,
        petition::{CallArbiter, Petition as Asked},
        ruling::{Act, AddTime},
    },
    identity::v1::{
        CreateAccessTokenRequest, ExchangeAccessTokenRequest, GetMyAccountRequest,
        identity_service_client::IdentityServiceClient,
    },
    transport::{Transport, with_bearer},
};
use chassis::{
    auth::{Role, RoleGrant, RoleScope},
    id::{EventId, FederationId},
};
use simulation::{Stage, in_every_shape};

use super::table::{Officials, Table, go, petition_by, refused, rule, rule_by, two_players};

/// For so long a token is valid.
const TOKEN_LIFE: Duration = Duration::from_mins(15);

/// Something that every arbiter may do, as often as he likes.
fn add() -> Act {
    let second = api::time::duration(Duration::from_secs(1));
    Act::AddTime(AddTime { side: Side::First as i32, added_duration: Some(second) })
}

/// A way with the access token for which the secret of a personal access token is exchanged.
async fn exchanged(stage: &Arc<Stage>, secret: &str) -> Transport {
    let request = ExchangeAccessTokenRequest { secret: secret.to_owned() };
    let answer = IdentityServiceClient::new(stage.public()).exchange_access_token(request).await;
    let token = answer.expect("it is known").into_inner().access_token;
    with_bearer(stage.public(), move || Some(token.clone()))
}

#[test]
fn roles_hold_in_their_event_or_in_every_event_of_their_federation() {
    in_every_shape(async |stage| {
        let (event, other_event): (EventId, EventId) = (stage.id(), stage.id());
        let (federation, other_federation): (FederationId, FederationId) = (stage.id(), stage.id());
        let officials = [
            stage.official("gyatso", Role::Arbiter, RoleScope::Event(event)).await,
            stage.official("hada", Role::Arbiter, RoleScope::Federation(federation)).await,
            stage.official("idris", Role::Arbiter, RoleScope::Federation(other_federation)).await,
            stage.account("jamyang").await,
        ];
        let players = two_players(&stage).await;
        // The event and the federation of a game, and which of those four may act in it.
        let games = [
            (Some(event), None, [true, false, false, false]),
            (Some(event), Some(federation), [true, true, false, false]),
            (Some(event), Some(other_federation), [true, false, true, false]),
            (Some(other_event), Some(federation), [false, true, false, false]),
            (Some(other_event), None, [false, false, false, false]),
            (None, Some(federation), [false, true, false, false]),
        ];
        for (event, federation, may) in games {
            let regulations = Regulations {
                event_id: event.map_or_else(String::new, |id| id.to_string()),
                federation_id: federation.map_or_else(String::new, |id| id.to_string()),
                ..Regulations::default()
            };
            let table = Table::between(&stage, players.clone(), go("1h"), regulations).await;
            for (official, may) in officials.iter().zip(may) {
                let name = &official.account().name;
                let before = table.game().await;
                let answer = rule(official, &table, add()).await;
                if may {
                    let by = answer.expect("he may").official.expect("it is an official's");
                    assert_eq!(by.name, *name);
                } else {
                    assert_eq!(refused(answer), "NO_ROLE", "{name} in {event:?} of {federation:?}");
                    assert_eq!(table.game().await, before, "a refusal changes nothing");
                }
            }
            table.audited().await;
        }
        let casual = Table::between(&stage, players, go("1h"), Regulations::default()).await;
        assert_eq!(refused(rule(&officials[0], &casual, add()).await), "NOT_AN_EVENT_GAME");
    });
}

#[test]
fn a_role_comes_and_goes_with_the_next_token() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("1h"), officials.regulations()).await;
        let (arbiter, new) = (&officials.arbiter, stage.account("kunga").await);
        let grant = RoleGrant { role: Role::Arbiter, scope: RoleScope::Event(officials.event) };
        stage.grant("kunga", grant).await;
        stage.grant(&table.players[0].account().name, grant).await;
        stage.revoke("dolma", grant).await;
        assert_eq!(refused(rule(&new, &table, add()).await), "NO_ROLE", "his token is older");
        rule(arbiter, &table, add()).await.expect("her token is believed until it expires");
        let told =
            IdentityServiceClient::new(arbiter.transport()).get_my_account(GetMyAccountRequest {}).await;
        assert!(told.expect("her account").into_inner().roles.is_empty(), "the platform says it at once");
        for account in [&new, arbiter, &table.players[0]] {
            // As if the token expired by now.
            account.stay_signed_in(stage.now() + TOKEN_LIFE).await.expect("the session goes on");
        }
        rule(&new, &table, add()).await.expect("he has it now");
        assert_eq!(refused(rule(arbiter, &table, add()).await), "NO_ROLE", "she has it no more");
        let player = table.player(0).await;
        assert_eq!(refused(rule(player, &table, add()).await), "IS_PLAYER", "not in his own game");
        table.audited().await;
    });
}

#[test]
fn a_personal_access_token_acts_in_a_role_only_if_it_was_made_for_it() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("1h"), officials.regulations()).await;
        let make = |scopes: &[&str]| {
            let request = CreateAccessTokenRequest {
                label: scopes.join(" "),
                scopes: scopes.iter().map(|&scope| scope.to_owned()).collect(),
                lifetime_duration: None,
                request_id: officials.arbiter.new_id(),
            };
            let identity = IdentityServiceClient::new(officials.arbiter.transport());
            async move {
                let answer = { identity }.create_access_token(request).await;
                answer.expect("a token").into_inner().secret
            }
        };
        let without = exchanged(&stage, &make(&["play", "queue", "account"]).await).await;
        let before = table.game().await;
        assert_eq!(refused(rule_by(without, &table, add()).await), "SCOPE_MISSING");
        assert_eq!(table.game().await, before, "a refusal changes nothing");
        let secret = make(&["arbitrate"]).await;
        let with = exchanged(&stage, &secret).await;
        rule_by(with.clone(), &table, add()).await.expect("it was made for that");
        let call = Asked::CallArbiter(CallArbiter { text: "please come".to_owned() });
        assert_eq!(refused(petition_by(with, &table, call).await), "SCOPE_MISSING", "and for nothing else");
        let grant = RoleGrant { role: Role::Arbiter, scope: RoleScope::Event(officials.event) };
        stage.revoke("dolma", grant).await;
        let later = exchanged(&stage, &secret).await;
        assert_eq!(refused(rule_by(later, &table, add()).await), "NO_ROLE");
        table.audited().await;
    });
}

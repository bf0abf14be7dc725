//! Personal access tokens.

use std::time::Duration;

use api::identity::v1::{
    AccessToken, CreateAccessTokenRequest, ExchangeAccessTokenRequest, ExchangeAccessTokenResponse,
    GetMyAccountRequest, ListAccessTokensRequest, RevokeAccessTokenRequest, SignOutEverywhereRequest,
};
use futures::future::join_all;
use tonic::{Code, Response, Status};

use crate::fixture::{Client, Fixture, fixtures, plain, refused};

fn request(fixture: &Fixture, scopes: &[&str]) -> CreateAccessTokenRequest {
    CreateAccessTokenRequest {
        label: "my bot".to_owned(),
        scopes: scopes.iter().map(|&scope| scope.to_owned()).collect(),
        lifetime_duration: None,
        request_id: fixture.request_id(),
    }
}

async fn create(client: &mut Client, request: CreateAccessTokenRequest) -> (AccessToken, String) {
    let answer = client.create_access_token(request).await.expect("creates").into_inner();
    (answer.access_token.expect("a token"), answer.secret)
}

async fn exchange(fixture: &Fixture, secret: &str) -> Result<Response<ExchangeAccessTokenResponse>, Status> {
    let request = ExchangeAccessTokenRequest { secret: secret.to_owned() };
    fixture.client().exchange_access_token(request).await
}

async fn list(client: &mut Client) -> Vec<AccessToken> {
    let answer = client.list_access_tokens(plain::<ListAccessTokensRequest>()).await.expect("lists");
    answer.into_inner().access_tokens
}

#[tokio::test]
async fn a_token_is_exchanged_for_its_scopes() {
    for fixture in fixtures().await {
        let (account, session) = fixture.register("anna").await;
        let mut owner = fixture.signed_in(&session).await;
        let (token, secret) = create(&mut owner, request(&fixture, &["play", "queue", "play"])).await;
        assert!(secret.starts_with("shp_"));
        assert_eq!((token.label.as_str(), token.scopes.join(" ").as_str()), ("my bot", "queue play"));
        let lifetime_s = token.expire_time.expect("set").seconds - token.create_time.expect("set").seconds;
        assert_eq!(lifetime_s, 90 * 24 * 3600);
        assert_eq!((token.last_use_time, token.revoke_time), (None, None));

        fixture.time.advance(Duration::from_mins(1));
        let exchanged = exchange(&fixture, &secret).await.expect("exchanges").into_inner();
        assert_eq!(exchanged.account, Some(account));
        let claims = fixture.claims(&exchanged.access_token).await.expect("verifies");
        assert_eq!((claims.kind.as_str(), claims.scope.as_str()), ("access-token", "queue play"));
        assert_eq!(claims.exp, exchanged.access_expire_time.expect("set").seconds);
        let used = api::time::timestamp(fixture.env.now());
        assert_eq!(list(&mut owner).await, [AccessToken { last_use_time: Some(used), ..token }]);

        let mut bot = fixture.with_token(&exchanged.access_token).await;
        let mine = bot.get_my_account(plain::<GetMyAccountRequest>()).await.expect("gets").into_inner();
        assert_eq!(mine.scopes, ["queue", "play"]);
        let outcome = bot.list_access_tokens(plain::<ListAccessTokensRequest>()).await;
        refused(outcome, Code::PermissionDenied, "SCOPE_MISSING");
    }
}

#[tokio::test]
async fn a_token_makes_no_tokens() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let mut owner = fixture.signed_in(&session).await;
        let (token, secret) = create(&mut owner, request(&fixture, &["account"])).await;
        let exchanged = exchange(&fixture, &secret).await.expect("exchanges").into_inner();
        let mut bot = fixture.with_token(&exchanged.access_token).await;
        let outcome = bot.create_access_token(request(&fixture, &["play"])).await;
        refused(outcome, Code::PermissionDenied, "SCOPE_MISSING");
        // But with the scope it manages what is there.
        assert_eq!(list(&mut bot).await.len(), 1);
        bot.revoke_access_token(RevokeAccessTokenRequest { id: token.id }).await.expect("revokes itself");
        refused(exchange(&fixture, &secret).await, Code::Unauthenticated, "BAD_ACCESS_TOKEN");
    }
}

#[tokio::test]
async fn bad_orders_are_refused() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let mut owner = fixture.signed_in(&session).await;
        let good = request(&fixture, &["play"]);
        for label in ["", " ", "a\nb", "a\0b", &"x".repeat(61)] {
            let bad = CreateAccessTokenRequest { label: label.to_owned(), ..good.clone() };
            refused(owner.create_access_token(bad).await, Code::InvalidArgument, "BAD_LABEL");
        }
        for scopes in [&[][..], &["fly"], &["play", ""]] {
            let outcome = owner.create_access_token(request(&fixture, scopes)).await;
            refused(outcome, Code::InvalidArgument, "BAD_SCOPE");
        }
        for (seconds, nanos) in [(3599, 0), (366 * 86400, 1), (-7200, 0), (7200, -1), (i64::MAX, 0)] {
            let lifetime_duration = Some(prost_types::Duration { seconds, nanos });
            let bad = CreateAccessTokenRequest { lifetime_duration, ..good.clone() };
            refused(owner.create_access_token(bad).await, Code::InvalidArgument, "BAD_LIFETIME");
        }
        let bad = CreateAccessTokenRequest { request_id: "x".to_owned(), ..good.clone() };
        refused(owner.create_access_token(bad).await, Code::InvalidArgument, "BAD_ID");
        let outcome = fixture.client().create_access_token(good).await;
        refused(outcome, Code::Unauthenticated, "TOKEN_MISSING");
        assert_eq!(list(&mut owner).await, []);
    }
}

#[tokio::test]
async fn a_repetition_makes_the_token_anew() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let mut owner = fixture.signed_in(&session).await;
        let request = request(&fixture, &["play"]);
        let (first, lost) = create(&mut owner, request.clone()).await;
        fixture.time.advance(Duration::from_secs(1));
        let (second, secret) = create(&mut owner, request.clone()).await;
        refused(exchange(&fixture, &lost).await, Code::Unauthenticated, "BAD_ACCESS_TOKEN");
        exchange(&fixture, &secret).await.expect("exchanges");
        let listed = list(&mut owner).await;
        let ids: Vec<_> = listed.iter().map(|token| (&*token.id, token.revoke_time.is_some())).collect();
        assert_eq!(ids, [(&*second.id, false), (&*first.id, true)]);
        // After a day the same id is another request.
        fixture.time.advance(Duration::from_hours(25));
        create(&mut owner, request).await;
        exchange(&fixture, &secret).await.expect("still exchanges");
    }
}

#[tokio::test]
async fn tokens_end_by_revocation_and_by_expiry() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let mut owner = fixture.signed_in(&session).await;
        let (revoked, first) = create(&mut owner, request(&fixture, &["play"])).await;
        let lifetime_duration = Some(prost_types::Duration { seconds: 3600, nanos: 0 });
        let brief = CreateAccessTokenRequest { lifetime_duration, ..request(&fixture, &["play"]) };
        let (_, second) = create(&mut owner, brief).await;

        let request = RevokeAccessTokenRequest { id: revoked.id };
        owner.revoke_access_token(request.clone()).await.expect("revokes");
        let when = list(&mut owner).await[1].revoke_time;
        fixture.time.advance(Duration::from_mins(50));
        owner.revoke_access_token(request.clone()).await.expect("is no error twice");
        assert_eq!(list(&mut owner).await[1].revoke_time, when);
        let unknown = RevokeAccessTokenRequest { id: fixture.request_id() };
        refused(owner.revoke_access_token(unknown).await, Code::NotFound, "UNKNOWN_TOKEN");
        let bad = RevokeAccessTokenRequest { id: "mine".to_owned() };
        refused(owner.revoke_access_token(bad).await, Code::InvalidArgument, "BAD_ID");
        let (_, others) = fixture.register("bert").await;
        let outcome = fixture.signed_in(&others).await.revoke_access_token(request).await;
        refused(outcome, Code::NotFound, "UNKNOWN_TOKEN");

        // Ten minutes before its end a token gives an access token of ten minutes.
        let last = exchange(&fixture, &second).await.expect("exchanges").into_inner();
        let now_s = fixture.env.now().unix_timestamp();
        assert_eq!(last.access_expire_time.expect("set").seconds - now_s, 600);
        fixture.time.advance(Duration::from_mins(10));
        let mut answers = Vec::new();
        for secret in [&*first, &*second, "shp_nonsense", "", &format!("shp_{}", "A".repeat(43))] {
            let status = refused(exchange(&fixture, secret).await, Code::Unauthenticated, "BAD_ACCESS_TOKEN");
            answers.push((status.message().to_owned(), status.details().to_vec()));
        }
        answers.dedup();
        assert_eq!(answers.len(), 1, "revoked, expired and unknown tokens look the same");
    }
}

#[tokio::test]
async fn signing_out_everywhere_revokes_tokens_when_asked() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let mut owner = fixture.signed_in(&session).await;
        let (_, secret) = create(&mut owner, request(&fixture, &["play"])).await;
        let (revoked, _) = create(&mut owner, request(&fixture, &["play"])).await;
        owner.revoke_access_token(RevokeAccessTokenRequest { id: revoked.id }).await.expect("revokes");
        for (revoke_access_tokens, count) in [(false, 0), (true, 1), (true, 0)] {
            if count == 1 {
                exchange(&fixture, &secret).await.expect("still exchanges");
            }
            let request = SignOutEverywhereRequest { revoke_access_tokens };
            let ended = owner.sign_out_everywhere(request).await.expect("signs out").into_inner();
            assert_eq!(ended.access_tokens, count);
        }
        refused(exchange(&fixture, &secret).await, Code::Unauthenticated, "BAD_ACCESS_TOKEN");
    }
}

#[tokio::test]
async fn lists_have_pages() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let mut owner = fixture.signed_in(&session).await;
        let mut made = Vec::new();
        for _ in 0..7 {
            fixture.time.advance(Duration::from_millis(1));
            made.insert(0, create(&mut owner, request(&fixture, &["play"])).await.0.id);
        }
        for page_size in [1, 2, 3, 6, 7, 8] {
            let (mut listed, mut pages, mut page_token) = (Vec::new(), 0, String::new());
            loop {
                let request = ListAccessTokensRequest { page_size, page_token };
                let answer = owner.list_access_tokens(request).await.expect("lists").into_inner();
                assert!(answer.access_tokens.len() <= page_size as usize);
                listed.extend(answer.access_tokens.into_iter().map(|token| token.id));
                pages += 1;
                page_token = answer.next_page_token;
                if page_token.is_empty() {
                    break;
                }
            }
            assert_eq!(listed, made);
            assert_eq!(pages, 7_u32.div_ceil(page_size), "no empty last page");
        }
        let bad = ListAccessTokensRequest { page_size: 2, page_token: "strange".to_owned() };
        refused(owner.list_access_tokens(bad).await, Code::InvalidArgument, "BAD_PAGE_TOKEN");
        let (_, others) = fixture.register("bert").await;
        assert_eq!(list(&mut fixture.signed_in(&others).await).await, []);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_tokens_are_valid_at_once_even_when_made_at_once() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let mut owner = fixture.signed_in(&session).await;
        for _ in 0..45 {
            create(&mut owner, request(&fixture, &["play"])).await;
        }
        let more = (0..40).map(|_| {
            let (mut owner, request) = (owner.clone(), request(&fixture, &["play"]));
            tokio::spawn(async move { owner.create_access_token(request).await })
        });
        let outcomes = join_all(more).await.into_iter().map(|outcome| outcome.expect("ends"));
        let (made, refusals): (Vec<_>, Vec<_>) = outcomes.partition(Result::is_ok);
        assert_eq!(made.len(), 5, "{}", fixture.kind);
        for refusal in refusals {
            refused(refusal, Code::ResourceExhausted, "TOO_MANY_TOKENS");
        }
        let id = made.into_iter().next().and_then(Result::ok).expect("made").into_inner().access_token;
        let id = id.expect("a token").id;
        owner.revoke_access_token(RevokeAccessTokenRequest { id }).await.expect("revokes");
        create(&mut owner, request(&fixture, &["play"])).await;
    }
}

#[tokio::test]
async fn of_dead_tokens_the_last_two_hundred_are_kept() {
    for fixture in fixtures().await {
        let (_, session) = fixture.register("anna").await;
        let mut owner = fixture.signed_in(&session).await;
        let (alive, _) = create(&mut owner, request(&fixture, &["play"])).await;
        let mut dead = Vec::new();
        for _ in 0..203 {
            fixture.time.advance(Duration::from_millis(1));
            let (token, _) = create(&mut owner, request(&fixture, &["play"])).await;
            owner
                .revoke_access_token(RevokeAccessTokenRequest { id: token.id.clone() })
                .await
                .expect("revokes");
            dead.push(token.id);
        }
        create(&mut owner, request(&fixture, &["play"])).await;
        let (mut listed, mut page_token) = (Vec::new(), String::new());
        loop {
            let request = ListAccessTokensRequest { page_size: 200, page_token };
            let answer = owner.list_access_tokens(request).await.expect("lists").into_inner();
            listed.extend(answer.access_tokens);
            page_token = answer.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        let kept: Vec<String> = listed
            .iter()
            .rev()
            .filter(|token| token.revoke_time.is_some())
            .map(|token| token.id.clone())
            .collect();
        assert_eq!(kept, dead[3..], "{}", fixture.kind);
        assert!(listed.iter().any(|token| token.id == alive.id), "a valid one is never forgotten");
    }
}

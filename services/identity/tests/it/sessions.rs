//! Ending sessions, one and all, and how many there may be.

use std::time::Duration;

use api::identity::v1::{
    ChangePasswordRequest, RefreshRequest, Session, SignOutEverywhereRequest, SignOutRequest,
};
use chassis::auth::{Caller, GrantType};
use tonic::Code;

use crate::fixture::{Fixture, PASSWORD, fixtures, refused, sign_in};

async fn lives(fixture: &Fixture, session: &Session) -> bool {
    let refresh_token = session.refresh_token.clone();
    let request = RefreshRequest { refresh_token, request_id: fixture.request_id() };
    fixture.client().refresh(request).await.is_ok()
}

#[tokio::test]
async fn signing_out_ends_one_session() {
    for fixture in fixtures().await {
        let (_, first) = fixture.register("anna").await;
        let second = fixture.sign_in("anna", PASSWORD).await.expect("signs in");
        let request = SignOutRequest { refresh_token: first.refresh_token.clone() };
        fixture.client().sign_out(request.clone()).await.expect("signs out");
        fixture.client().sign_out(request).await.expect("is no error twice");
        for strange in ["", "nonsense", "shr_AAAA"] {
            let request = SignOutRequest { refresh_token: strange.to_owned() };
            fixture.client().sign_out(request).await.expect("is no error");
        }
        assert!(!lives(&fixture, &first).await);
        assert!(lives(&fixture, &second).await);
    }
}

#[tokio::test]
async fn signing_out_everywhere_ends_all_sessions_of_one_account() {
    for fixture in fixtures().await {
        let (_, first) = fixture.register("anna").await;
        let second = fixture.sign_in("anna", PASSWORD).await.expect("signs in");
        let (_, others) = fixture.register("bert").await;
        let mut client = fixture.signed_in(&first).await;
        let request = SignOutEverywhereRequest { revoke_access_tokens: false };
        let ended = client.sign_out_everywhere(request).await.expect("signs out").into_inner();
        assert_eq!((ended.sessions, ended.access_tokens), (2, 0));
        assert!(!lives(&fixture, &first).await && !lives(&fixture, &second).await);
        assert!(lives(&fixture, &others).await);
        let ended = client.sign_out_everywhere(request).await.expect("signs out").into_inner();
        assert_eq!(ended.sessions, 0);
        let outcome = fixture.client().sign_out_everywhere(request).await;
        refused(outcome, Code::Unauthenticated, "TOKEN_MISSING");
    }
}

#[tokio::test]
async fn the_session_unused_for_longest_makes_room() {
    for fixture in fixtures().await {
        let (_, oldest) = fixture.register("anna").await;
        fixture.time.advance(Duration::from_secs(1));
        let second = fixture.sign_in("anna", PASSWORD).await.expect("signs in");
        for _ in 2..100 {
            fixture.time.advance(Duration::from_secs(1));
            fixture.sign_in("anna", PASSWORD).await.expect("signs in");
        }
        // A hundred now. The oldest is used, so that the second is the one unused for longest.
        let refresh_token = oldest.refresh_token;
        let request = RefreshRequest { refresh_token, request_id: fixture.request_id() };
        let oldest =
            fixture.client().refresh(request).await.expect("lives").into_inner().session.expect("set");
        fixture.time.advance(Duration::from_secs(1));
        fixture.sign_in("anna", PASSWORD).await.expect("signs in");
        assert!(!lives(&fixture, &second).await, "{}", fixture.kind);
        assert!(lives(&fixture, &oldest).await, "{}", fixture.kind);
    }
}

#[tokio::test]
async fn another_password_ends_every_other_session() {
    for fixture in fixtures().await {
        let (_, first) = fixture.register("anna").await;
        let mut client = fixture.signed_in(&first).await;
        let change = |old: &str, new: &str| ChangePasswordRequest {
            old_password: old.to_owned(),
            new_password: new.to_owned(),
        };
        let outcome = client.change_password(change("wrong password", "a new password")).await;
        refused(outcome, Code::Unauthenticated, "BAD_CREDENTIALS");
        let outcome = client.change_password(change(PASSWORD, "short")).await;
        refused(outcome, Code::InvalidArgument, "BAD_PASSWORD");
        let outcome = fixture.client().change_password(change(PASSWORD, "a new password")).await;
        refused(outcome, Code::Unauthenticated, "TOKEN_MISSING");
        let claims = fixture.claims(&first.access_token).await.expect("verifies");
        let bot =
            Caller { kind: GrantType::AccessToken, ..Caller::from_claims(&claims).expect("a player's") };
        let outcome = fixture.calling(bot).change_password(change(PASSWORD, "a new password")).await;
        refused(outcome, Code::PermissionDenied, "SCOPE_MISSING");

        let changed = client.change_password(change(PASSWORD, "a new password")).await.expect("changes");
        let session = changed.into_inner().session.expect("a session");
        assert!(!lives(&fixture, &first).await);
        assert!(lives(&fixture, &session).await);
        let outcome = fixture.client().sign_in(sign_in("anna", PASSWORD)).await;
        refused(outcome, Code::Unauthenticated, "BAD_CREDENTIALS");
        assert!(fixture.sign_in("anna", "a new password").await.is_ok());
    }
}

#[tokio::test]
async fn guests_have_no_password_to_change() {
    for fixture in fixtures().await {
        let (_, session) = fixture.guest().await;
        let (old_password, new_password) = (PASSWORD.to_owned(), PASSWORD.to_owned());
        let request = ChangePasswordRequest { old_password, new_password };
        let outcome = fixture.signed_in(&session).await.change_password(request).await;
        refused(outcome, Code::Unauthenticated, "BAD_CREDENTIALS");
    }
}
